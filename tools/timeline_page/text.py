# SPDX-License-Identifier: GPL-2.0
#
# Reads a copy of /sys/kernel/tracing/trace. With the option "fields", the kernel shows
# the fields of a record instead of its text.

import re

from timeline_page.record import BadTrace, Trace, decode, fields_of, lines

FIELD = re.compile(rb"(?:^|\s)(\w+)=")

# The values that the option "fields" shows: 'B'(66), 0x42 (66), and bytes in hexadecimal
# after a text with characters that can't be printed.
CHAR = re.compile(rb"(?:'.')?\((\d+)\)", re.DOTALL)
NUMBER = re.compile(rb"0x[0-9a-f]+ \((-?\d+)\)")
BYTES = re.compile(rb".* \(((?:[0-9a-f]{2}:)*[0-9a-f]{2})\)", re.DOTALL)
PLAIN = re.compile(rb"-?(?:0|[1-9]\d*)")

# A text says more than names and values: "prev_state=S ==> next_comm=".
ARROW = re.compile(rb"\s+==>$")


def value(data):
    for pattern in (CHAR, NUMBER):
        if found := pattern.fullmatch(data):
            return int(found[1])
    if PLAIN.fullmatch(data):
        return int(data)
    if found := BYTES.fullmatch(data):
        return decode(bytes.fromhex(found[1].decode().replace(":", " ")).rstrip(b"\0"))
    return decode(ARROW.sub(b"", data))


def read(stream):
    trace = Trace()
    texts = []
    # A value can look like another field. So the names of an event's fields are those
    # of the record that has the fewest.
    names = {}
    for record, text in lines(stream, trace):
        trace.records.append(record)
        texts.append(text)
        found = FIELD.findall(text) if FIELD.match(text) else []
        if len(found) < len(names.get(record.event, found)) or record.event not in names:
            names[record.event] = found
    if not trace.records:
        raise BadTrace(
            "no records found: TRACE must be a trace.dat or a copy of /sys/kernel/tracing/trace"
            " without the option latency-format"
        )
    patterns = {event: fields_of(of) for event, of in names.items() if of}
    for record, text in zip(trace.records, texts):
        pattern = patterns.get(record.event)
        if found := pattern and pattern.match(text):
            of = names[record.event]
            record.fields = {decode(n): value(v) for n, v in zip(of, found.groups())}
        else:
            record.text = decode(text)
    return trace
