#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/host/fuzz.py [SEED [COUNT]]
#
# Gives tools/event-from-format and tools/timeline inputs that are broken at random. They may
# refuse them, but only with their own errors.

import io
import pathlib
import random
import re
import sys
import traceback

sys.dont_write_bytecode = True
top = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tools"), str(top / "tracepoint")]

from command import Error
from event_format import expand, record
from timeline_page import model, page, text

FORMATS = [path.read_text() for path in sorted(top.glob("tests/host/formats/*.format"))]
TRACES = [
    """\
            task-7       [000] d..2.    12.000001: my_span: track_event_type='B'(66) slice_name=a id=0x1 (1) duration=(0)
            task-7       [000] d..2.    12.000003: my_span: track_event_type='E'(69) slice_name=a id=0x1 (1) duration=0x7d0 (2000) result=(0)
            task-8       [001] d..2.    12.000004: queue: counter_value=0x3 (3) scope_disk=0x1 (1)
            task-8       [001] d..2.    12.000005: sched_switch: prev_comm=a prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=b next_pid=9 next_prio=120
          <idle>-0       [001] d..2.    12.000006: serve: begin #5 queue 1 [0 ns, 0]
          <idle>-0       [001] d..2.    12.000007: serve: end #5 queue 1 [1000 ns, EIO]
CPU:1 [LOST 5 EVENTS]
            task-9       [001] .....    12.000008: other: text
"""
]
NUMBERS = ["0", "-1", "1", "255", "65536", "4294967296", "18446744073709551616", "0x", "1" * 30, "99999999999"]


def broken(rng, source):
    """Changes lines, tokens and characters."""
    for _ in range(rng.randrange(1, 5)):
        parts = source.splitlines(keepends=True) if rng.random() < 0.2 else re.findall(r"\w+|\s+|[^\w\s]", source)
        if not parts:
            return source
        at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        match rng.randrange(6):
            case 0:
                del parts[at]
            case 1:
                parts.insert(at, parts[other])
            case 2:
                parts[at], parts[other] = parts[other], parts[at]
            case 3:
                digits = [n for n, part in enumerate(parts) if part[0].isdigit()] or [at]
                parts[rng.choice(digits)] = rng.choice(NUMBERS)
            case 4:
                parts[at] = rng.choice(["(", ")", "[", "]", "{", "}", '"', "%", "\\", ",", ";", "->", "é", "\0", ""])
            case _:
                del parts[at:]
        source = "".join(parts)
    return source


def translate(source):
    try:
        events = list(record.read(source.encode(), "fuzz", "input"))
        expand.module("fuzz", expand.translate(events, "")[0])
    except Error:
        pass


def draw(source):
    try:
        page.json_block(page.data_of("fuzz", model.build(text.read(io.BytesIO(source.encode())))))
    except Error:
        pass


def main():
    seed, count = (int(n) for n in [*sys.argv[1:], "1", "300"][:2]) if len(sys.argv) < 3 else map(int, sys.argv[1:3])
    failed = 0
    for name, run, sources in [("event-from-format", translate, FORMATS), ("timeline", draw, TRACES)]:
        problems = {}
        for n in range(count):
            rng = random.Random(f"{seed} {name} {n}")
            source = broken(rng, rng.choice(sources))
            try:
                run(source)
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                problems.setdefault((place.filename, place.lineno), (n, source))
        print(f"{'not ok' if problems else 'ok'} fuzz: {name}, seed {seed}")
        for (file, line), (n, source) in problems.items():
            print(f"# {file}:{line}: input {n}, which is")
            print(re.sub("^", "#   ", source, flags=re.MULTILINE))
        failed += len(problems)
    return failed > 0


sys.exit(main())
