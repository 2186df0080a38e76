#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: timeline.py DIRECTORY
#
# Compares what tools/timeline reads from three forms of the same trace.

import pathlib
import re
import sys
import traceback

sys.dont_write_bytecode = True
top = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tools"), str(top / "tracepoint")]

from timeline_page import dat, model, text

directory = pathlib.Path(sys.argv[1])


def case(function):
    try:
        function()
        print(f"ok timeline: {function.__name__.replace('_', ' ')}")
    except Exception:
        print(f"not ok timeline: {function.__name__.replace('_', ' ')}")
        print(re.sub("^", "# ", traceback.format_exc().rstrip(), flags=re.MULTILINE))


def same(got, expected):
    assert got == expected, f"got {got!r} instead of {expected!r}"


def read_text(name):
    with open(directory / name, "rb") as file:
        return text.read(file).records


records = dat.read(str(directory / "dat")).records
texts, fields = read_text("text"), read_text("fields")


@case
def the_same_records():
    def heads(records):
        return [(of.task, of.pid, of.cpu, of.event, of.time // 10**6) for of in records]

    # trace-cmd doesn't round times, but the kernel does.
    for got in (texts, fields):
        same(len(got), len(records))
        for one, other in zip(heads(got), heads(records)):
            same(one[:4], other[:4])
            assert abs(one[4] - other[4]) <= 1, (one, other)
    assert len(records) > 100


@case
def the_same_numbers_and_strings():
    compared = 0
    for one, other in zip(fields, records):
        same(list(one.fields), list(other.fields))
        for name, value in other.fields.items():
            if isinstance(value, int) and isinstance(one.fields[name], int):
                same((name, one.fields[name]), (name, value))
                compared += 1
            elif name.endswith("_comm") or name == "foo":
                same((name, one.fields[name]), (name, value))
                compared += 1
    assert compared > 500, compared


@case
def the_same_texts():
    names = [(one, other) for one, other in zip(texts, records) if one.event == "foo_bar"]
    assert names
    for one, other in names:
        same(one.text, other.text)


@case
def the_same_tracks():
    def tracks(path, reader):
        found = model.build(reader(path)).tracks
        return [(track.name, track.group, len(track.items), len(track.values)) for track in found]

    def of_text(path):
        with open(path, "rb") as file:
            return text.read(file)

    expected = tracks(str(directory / "dat"), dat.read)
    for name in ("text", "fields"):
        same(tracks(directory / name, of_text), expected)
    names = [name for name, *_ in expected]
    assert {"CPU 0", "CPU 1"} <= set(names), names
    assert any(name.startswith("event-sample-") for name in names), names
