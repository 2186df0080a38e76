#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""usage: fuzz.py ROUNDS SEED

Writes ROUNDS strings, some of them valid, to the tracefs files of event_fields while
its events are fired, and reads the files. Then restores everything.
"""

import os
import random
import re
import sys
import time

TRACING = "/sys/kernel/tracing"
INSTANCE = f"{TRACING}/instances/fuzz"
SYSTEM = "event_fields"
EVENTS = ["f_begin", "f_end"]
FIELDS = "id small wide name fixed list cpus pointer who cpu odd".split()
OTHERS = "common_pid common_type common_flags comm CPU common_timestamp nosuch".split()
MODIFIERS = (
    ".hex .sym .sym-offset .syscall .execname .log2 .usecs .buckets=3 .percent .graph "
    ".string .nosuch"
).split()
NUMBERS = [0, 1, -1, 5, 127, -129, 2**31, 2**32, 2**63, -(2**63), 2**64, 10**30, "0x1f", "1e5", ""]
STRINGS = ['"n1"', '"*"', '"n[01]*"', '"', "'n1'", "n1", "CPUS{0-1}", "CPUS{}"]
STRINGS += ['"' + "x" * n + '"' for n in (10, 255, 256, 5000)]

# For a size of 0, the kernel shifts by 64 (parse_map_size() in trace_events_hist.c). This
# affects all events.
KERNEL_BUGS = re.compile(rb"size=0")

rounds, seed = int(sys.argv[1]), int(sys.argv[2])
r = random.Random(seed)
one_of = r.choice


def field():
    return one_of(FIELDS + FIELDS + OTHERS)


def condition(depth=0):
    kind = r.random()
    if depth < 4 and kind < 0.3:
        return f"{condition(depth + 1)} {one_of(['&&', '||'])} {condition(depth + 1)}"
    if depth < 4 and kind < 0.4:
        return f"{one_of(['', '!'])}({condition(depth + 1)})"
    if kind < 0.42:
        return "(" * one_of([20, 2000]) + "id == 1"
    operator = one_of("== != < <= > >= & ~ =".split())
    return f"{field()} {operator} {one_of(one_of([NUMBERS, STRINGS]))}"


def keys():
    fields = range(one_of([1, 1, 2, 3, 5]))
    return ",".join(field() + one_of([""] * 8 + MODIFIERS) for _ in fields)


def value():
    return one_of(["id", "wide", "$v", "1", "0", "common_timestamp.usecs"])


def histogram():
    text = "hist:keys=" + one_of([keys, keys, keys, lambda: "common_stacktrace", lambda: ""])()
    more = [
        lambda: "vals=" + keys(),
        lambda: "sort=" + field() + one_of(["", ".descending", ".nosuch"]),
        lambda: "size=" + one_of(["128", "1", "100000", "-1", "x"]),
        lambda: "name=" + one_of(["a", "b", "*"]),
        lambda: one_of(["nohitcount", "pause", "cont", "clear"]),
        lambda: f"v={field()}",
        lambda: f"v={value()}{one_of('+-*/')}{value()}",
        lambda: f"onmax({value()}).save({keys()})",
        lambda: f"onchange($v).{one_of(['snapshot()', 'save(name)'])}",
        lambda: f"onmatch({SYSTEM}.{one_of(EVENTS)}).trace(fuzz_event,{field()})",
    ]
    for _ in range(one_of([0, 0, 1, 2, 3])):
        text += ":" + one_of(more)()
    return text


def other_trigger():
    if r.random() < 0.5:
        return one_of(["traceon", "traceoff", "stacktrace", "snapshot"])
    what = one_of(["enable_event", "disable_event", "enable_hist", "disable_hist"])
    return f"{what}:{SYSTEM}:{one_of(EVENTS + ['nosuch'])}"


def trigger():
    text = one_of([histogram, histogram, histogram, other_trigger])()
    if r.random() < 0.2:
        text += f":{one_of(NUMBERS)}"
    if r.random() < 0.3:
        text += f" if {condition()}"
    return text


def set_event():
    names = ["", f"{SYSTEM}:", f"{SYSTEM}:*", f":mod:{SYSTEM}", "f_*", "nosuch", *EVENTS]
    return one_of(["", "!"]) + one_of(names)


def damaged(text):
    """Changes a few bytes, or none."""
    data = bytearray(text.encode())
    for _ in range(one_of([0, 0, 0, 1, 2, 5])):
        at = r.randrange(len(data) + 1)
        new = bytes(r.randrange(256) for _ in range(one_of([0, 1, 3])))
        data[at : at + one_of([0, 1, 1, 10])] = new
    return bytes(data)


def read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read(1 << 20)
    except OSError:
        return ""


def write(path, data):
    """Returns whether the kernel accepted the data."""
    if KERNEL_BUGS.search(data):
        return False
    try:
        file = os.open(path, os.O_WRONLY | one_of([0, os.O_APPEND, os.O_TRUNC]))
    except OSError:
        return False
    try:
        os.write(file, data)
        return True
    except OSError:
        return False
    finally:
        os.close(file)


def removals(event):
    """Returns the strings that remove the event's triggers."""
    lines = [line for line in read(f"{event}/trigger").splitlines() if line and line[0] != "#"]
    return ["!" + re.sub(r" \[\w+\]$", "", line) for line in lines]


def step():
    top = one_of([TRACING, TRACING, INSTANCE])
    system = f"{top}/events/{SYSTEM}"
    event = f"{system}/{one_of(EVENTS)}"
    kind = r.random()
    if kind < 0.30:
        return write(f"{event}/trigger", damaged(trigger()))
    if kind < 0.45:
        return write(f"{event}/trigger", one_of(removals(event) or ["!"]).encode())
    if kind < 0.70:
        text = one_of([condition, condition, lambda: "0"])()
        return write(f"{one_of([event, event, system])}/filter", damaged(text))
    if kind < 0.80:
        text = one_of(["0", "1", "2", "-1", "", "1 1"])
        return write(f"{one_of([event, system])}/enable", damaged(text))
    if kind < 0.88:
        return write(f"{top}/set_event", damaged(set_event()))
    if kind < 0.90:
        return write(f"{event}/{one_of(['id', 'format', 'hist', 'inject'])}", damaged(condition()))
    if kind < 0.92:
        try:
            (os.rmdir if os.path.exists(INSTANCE) else os.mkdir)(INSTANCE)
            return True
        except OSError:
            return False
    if kind < 0.93:
        text = one_of([b"fuzz_event u64 a", b"!fuzz_event"])
        return write(f"{TRACING}/synthetic_events", text)
    files = [f"{event}/{name}" for name in ("hist", "trigger", "filter", "format", "enable")]
    read(one_of(files + [f"{top}/trace", f"{top}/set_event"]))
    return True


def put_back():
    """Restores everything. Triggers depend on each other, so this takes several passes."""
    events = [f"{top}/events/{SYSTEM}/{e}" for top in (INSTANCE, TRACING) for e in EVENTS]
    for event in events:
        write(f"{event}/enable", b"0")
        write(f"{event}/filter", b"0")
    for _ in range(100):
        left = [(event, removal) for event in events for removal in reversed(removals(event))]
        if not left:
            break
        for event, removal in left:
            write(f"{event}/trigger", removal.encode())
        time.sleep(0.1)
    else:
        sys.exit(f"triggers that cannot be removed: {left}")
    if os.path.exists(INSTANCE):
        os.rmdir(INSTANCE)
    write(f"{TRACING}/synthetic_events", b"!fuzz_event")
    write(f"{TRACING}/set_event", b"")
    write(f"{TRACING}/tracing_on", b"1")


def main():
    child = os.fork()
    if child == 0:
        while os.getppid() != 1:
            with open("/proc/event-fields", "w") as file:
                file.write("1 -4 1000000007 n1\n2 5 7 n2\n")
    taken = 0
    for _ in range(rounds):
        taken += step()
    os.kill(child, 9)
    _, status = os.waitpid(child, 0)
    if status != 9:
        sys.exit(f"the process that fires events exited: {status}")
    put_back()
    print(f"# fuzz: {rounds} writes and reads, {taken} accepted by the kernel")


main()
