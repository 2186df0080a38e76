#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: decode.py CASE TRACE REPORT EVENT...
#
# Compares the kernel's text of records with a tool's text of the same records, and
# prints a result for each EVENT. Each EVENT must have records. The text of a record
# may have several lines. Some events also print the text that Rust formats with the
# same template: "[A][A]".

import collections
import re
import sys

RUST = ("v_hex", "v_layout", "v_padded", "v_computed", "v_choices")

# The head of a record's first line: "TASK [CPU] FLAGS TIME: NAME: ". Only the
# kernel writes the flags, and only trace-cmd pads the name.
HEAD = re.compile(rb"^.{16,40}\[\d\d\d\] +(?:\S{5} +)?(\d+\.\d+): (\w+): +(?=\S)")


def records(file):
    found = []
    for line in open(file, "rb").read().split(b"\n"):
        head = HEAD.match(line)
        if head:
            found.append([head[1].decode(), head[2].decode(), line[head.end():]])
        elif found:
            found[-1][2] += b"\n" + line
    return [(time, name, text.rstrip(b"\n")) for time, name, text in found]


ours, theirs = (records(file) for file in sys.argv[2:4])
counts = collections.Counter()
wrong = collections.defaultdict(list)
for a, b in zip(ours, theirs):
    (time, name, text), (_, _, theirs_text) = a, b
    counts[name] += 1
    if a != b:
        wrong[name].append((text, theirs_text))
    if name in RUST:
        half = len(text) // 2
        if text[:half] != text[half:] or half == 0:
            wrong[name].append((text[:half], text[half:]))
case = sys.argv[1]
for name in sys.argv[4:]:
    if counts[name] and not wrong[name]:
        print(f"ok {case}: {name}")
        continue
    print(f"not ok {case}: {name}: {len(wrong[name])} of {counts[name]} records")
    for ours_text, theirs_text in wrong[name][:3]:
        print("# kernel:", ours_text)
        print("# other: ", theirs_text)
if len(ours) != len(theirs):
    print(f"not ok {case}: the kernel prints {len(ours)} records, the tool {len(theirs)}")
