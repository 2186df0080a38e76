#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: bytes.py CONTROL EVENT... <RECORDS
#        RECORDS are the pages of a trace_pipe_raw, or a perf.data
#
# Checks that each byte of the EVENTs' records, which a process causes, belongs to a
# field, or to the data of a dynamic field, or is zero. CONTROL is one of the kernel's
# own events that has padding: this check works only if stale bytes show up there.

import collections
import os
import re
import struct
import sys

FIELD = re.compile(r"\tfield:(.*?) ?(\w+)(\[.*\])?;\toffset:(\d+);\tsize:(\d+);")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Event:
    def __init__(self, name):
        self.name = name
        text = open(f"/sys/kernel/tracing/events/{name}/format").read()
        self.id = int(re.search(r"^ID: (\d+)", text, re.M)[1])
        self.fields = [
            (kind + (array or ""), field, int(offset), int(size))
            for kind, field, array, offset, size in FIELD.findall(text)
        ]

    def wrong(self, record):
        """Returns what is wrong with a record, or None."""
        if not struct.unpack_from("<i", record, 4)[0]:
            return "common_pid is that of the idle task"
        owner = [None] * len(record)

        def take(name, start, end):
            if not 0 <= start <= end <= len(record):
                return f"{name} at {start} to {end} of {len(record)} bytes"
            for i in range(start, end):
                if owner[i]:
                    return f"byte {i} belongs to {owner[i]} and to {name}"
                owner[i] = name

        data = []
        for kind, name, offset, size in self.fields:
            if why := take(name, offset, offset + size):
                return why
            if kind.startswith(("__data_loc", "__rel_loc")):
                location = struct.unpack_from("<I", record, offset)[0]
                start = location & 0xFFFF
                if kind.startswith("__rel_loc"):
                    start += offset + size
                data.append((name, start, start + (location >> 16)))
                if "char" in kind and record[data[-1][2] - 1] != 0:
                    return f"{name} does not end in NUL"
            elif re.match(r"char.*\[", kind) and name != "c":
                # All of these but one are copied from strings.
                text = record[offset:offset + size]
                if text[text.find(b"\0"):].strip(b"\0"):
                    return f"{name} has data after its NUL"
        for what in data:
            if why := take(*what):
                return why
        for i, byte in enumerate(record):
            if byte and not owner[i]:
                return f"byte {i} is {byte:#x} and belongs to no field"


def ring_buffer(data):
    """Returns the records of sub-buffers (include/linux/ring_buffer.h)."""
    small, records = [], []
    for page in range(0, len(data), PAGE):
        commit = struct.unpack_from("<Q", data, page + 8)[0] & 0xFFFFF
        at, end = page + 16, page + 16 + commit
        while at < end:
            head, length = struct.unpack_from("<II", data, at)
            kind = head & 31
            if kind == 29 and head >> 5 == 0:
                break
            if kind in (30, 31):
                at += 8
            elif kind in (0, 29):
                if kind == 0:
                    records.append(data[at + 8:at + 4 + length])
                at += 4 + length
            else:
                small.append(data[at + 4:at + 4 + 4 * kind])
                at += 4 + 4 * kind
    return small + records


def perf_data(data):
    """Yields the raw data of samples (tools/perf/Documentation/perf.data-file-format.txt)."""
    attr, _, at, size = struct.unpack_from("<QQQQ", data, 24)
    sample_type = struct.unpack_from("<Q", data, attr + 24)[0]
    # IDENTIFIER, IP, TID, TIME, ADDR, ID, STREAM_ID, CPU, PERIOD: one word each.
    before = sum(8 for bit in (16, 0, 1, 2, 3, 6, 9, 7, 8) if sample_type >> bit & 1)
    assert sample_type & 0x430 == 0x400, hex(sample_type)
    end = at + size
    while at < end:
        kind, _, length = struct.unpack_from("<IHH", data, at)
        if kind == 9:
            raw = at + 8 + before
            yield data[raw + 4:raw + 4 + struct.unpack_from("<I", data, raw)[0]]
        at += length


control, *events = (Event(name) for name in sys.argv[1:])
by_id = {event.id: event for event in (control, *events)}
counts = collections.Counter()
wrong = collections.defaultdict(list)
data = sys.stdin.buffer.read()
for record in perf_data(data) if data.startswith(b"PERFILE2") else ring_buffer(data):
    event = by_id.get(struct.unpack_from("<H", record)[0])
    if event:
        counts[event.name] += 1
        if why := event.wrong(record):
            wrong[event.name].append((why, record))
assert wrong[control.name], f"no stale bytes in the padding of {counts[control.name]} {control.name}"
failed = False
for event in events:
    if not counts[event.name]:
        failed = True
        print(f"no record of {event.name}")
    for why, record in wrong[event.name][:2]:
        failed = True
        print(f"{event.name}: {why}: {record.hex(' ')}")
print(f"{sum(counts.values())} records")
sys.exit(failed)
