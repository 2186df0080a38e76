#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: ports.py DIRECTORY EVENT...
#
# Checks the fields and the text of ports of C's events, as the kernel and as trace-cmd print it.
# For each EVENT, the lines of port_EVENT in DIRECTORY/mirrored.* must be C's; one on each CPU may
# lack its counterpart, since the trace ends anywhere. DIRECTORY/values has lines of values, each
# followed by the text that a record with them must have in DIRECTORY/values.*. There can be other
# records in between.

import collections
import glob
import re
import sys

HEAD = re.compile(r"^.{16,40}\[(\d\d\d)\] +(?:\S{5} +)?\d+\.\d+: (\w+): ( *)(.*)$")
# What libtraceevent gets wrong of C's text: it can't compute the address of a page from its number,
# takes "flags & (a | b)" for "flags & a | b", and doesn't know enumerators without
# TRACE_DEFINE_ENUM().
TOOLS_CANT = ("mm_page_alloc", "timer_start", "hrtimer_start")
# The page's address is a field of the port, since its computation needs a variable of the kernel's.
OTHER_FIELDS = ("mm_page_alloc",)
EVENTS = "/sys/kernel/tracing/events"


def records(file):
    """Returns the texts of each event, with the CPU."""
    found = collections.defaultdict(list)
    for line in open(file, errors="replace"):
        if head := HEAD.match(line.rstrip("\n")):
            found[head[2]].append((head[1], head[4]))
    return found


def result(case, wrong, count):
    print(f"ok {case}" if count and not wrong else f"not ok {case}: {len(wrong)} of {count} lines")
    for line in wrong[:6]:
        print("#", line)


def comparable(record):
    """Removes what may change between two probes: a time that is relative to jiffies, and the state
    of a task whose parent reaps it."""
    text = record[1].replace("state=X", "state=Z")
    return record[0], re.sub(r"\[timeout=-?\d+\]", "", text)


def zero(text):
    """Replaces the different forms of a NULL pointer."""
    return re.sub(r"\b0{16}\b|\(nil\)", "0x0", text)


def traces(directory, name):
    """Returns both forms of a trace."""
    return [(what, records(f"{directory}/{name}.{what}")) for what in ("kernel", "trace-cmd")]


def fields(file):
    """Returns the lines of an event's fields."""
    return re.findall(r"\tfield:.*", open(file).read())


for file in sorted(glob.glob(f"{EVENTS}/event-ports/port_*/format")):
    name = file.split("/")[-2].removeprefix("port_")
    for c in glob.glob(f"{EVENTS}/*/{name}/format"):
        if name not in OTHER_FIELDS:
            pairs = zip(fields(c), fields(file))
            wrong = [line for pair in pairs for line in pair if pair[0] != pair[1]]
            wrong += [] if len(fields(c)) == len(fields(file)) else ["another number of fields"]
            result(f"ports: {name}: C's fields", wrong, len(fields(c)))

directory = sys.argv[1]
mirrored = traces(directory, "mirrored")
for name in sys.argv[2:]:
    for what, events in mirrored:
        if what == "trace-cmd" and name in TOOLS_CANT:
            continue
        c, port = (collections.Counter(map(comparable, events[n])) for n in (name, f"port_{name}"))
        wrong = [("C", *line) for line in (c - port).elements()]
        wrong += [("port", *line) for line in (port - c).elements()]
        cpus = [cpu for _, cpu, _ in wrong]
        if len(cpus) == len(set(cpus)):
            wrong = []
        result(f"ports: {name}: {what}: C's lines", wrong, sum((c & port).values()))

lines = open(f"{directory}/values").read().split("\n")
expected = collections.defaultdict(list)
for values, text in zip(lines[::2], lines[1::2]):
    expected[values.split()[0]].append(text)
given = traces(directory, "values")
for name, texts in expected.items():
    for what, events in given:
        got = [text for _, text in events[name]]
        wrong = []
        for text in texts:
            if what == "trace-cmd":
                text = zero(text).rstrip()
                got = [zero(text).rstrip() for text in got]
            if text in got:
                del got[:got.index(text) + 1]
            else:
                wrong += [text] + got[:1]
        result(f"ports: {name}: {what}: the text of C's TP_printk()", wrong, len(texts))
