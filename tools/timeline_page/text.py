# SPDX-License-Identifier: GPL-2.0
#
# Reads a copy of /sys/kernel/tracing/trace. With the option "fields", the kernel shows
# the fields of a record instead of its text. The text of a span tells enough, too.

import re

from timeline_page import errors
from timeline_page.record import BadTrace, Trace, decode, fields_of, lines

FIELD = re.compile(rb"(?:^|\s)(\w+)=")

# The values that the option "fields" shows: 'B'(66), 0x42 (66), and bytes in hexadecimal
# after a text with characters that can't be printed.
CHAR = re.compile(rb"(?:'.')?\((\d+)\)", re.DOTALL)
NUMBER = re.compile(rb"0x[0-9a-f]+ \((-?\d+)\)")
BYTES = re.compile(rb"(.*) \(((?:[0-9a-f]{2}:)+[0-9a-f]{2})\)", re.DOTALL)
PLAIN = re.compile(rb"-?(?:0|[1-9]\d*)")

# A text says more than names and values: "prev_state=S ==> next_comm=".
ARROW = re.compile(rb"\s+==>$")

# What the kernel prints for a span: begin #ID TEXT [DURATION ns, RESULT]
SPAN = re.compile(rb"(begin|end) #(\d+) ?(.*?) ?\[(\d+) ns, ([^\]]+)\]", re.DOTALL)


def value(data):
    for pattern in (CHAR, NUMBER):
        if found := pattern.fullmatch(data):
            return int(found[1])
    if PLAIN.fullmatch(data):
        return int(data)
    if found := BYTES.fullmatch(data):
        content = bytes.fromhex(found[2].decode().replace(":", " "))
        if len(content) == len(found[1]):
            return decode(content.rstrip(b"\0"))
    return decode(ARROW.sub(b"", data))


def span_of(text):
    """Splits the text of a span into the fields that it tells and the driver's text."""
    found = SPAN.fullmatch(text)
    if not found:
        return {}, text
    which, number, own, duration, result = found.groups()
    fields = {"track_event_type": "B" if which == b"begin" else "E", "id": int(number)}
    return fields | {"duration": int(duration), "result": errors.result_of(decode(result))}, own


def give_tracks(records):
    """The text doesn't tell whether each span of an event has a track of its own. It must,
    if one has ended in another thread."""
    begun, events = {}, set()
    for record in records:
        span = record.event, record.fields.get("id")
        if record.fields["track_event_type"] == "B":
            begun[span] = record.pid
        elif begun.get(span, record.pid) != record.pid:
            events.add(record.event)
    for record in records:
        if record.event in events:
            record.fields["scope_id"] = record.fields["id"]


class Shapes:
    """The names of the events' fields. A value can look like another field. So these are
    those of the record of the event that has the fewest, in the same order. There may be
    other events of the same name."""

    def __init__(self):
        self.seen = {}
        self.chosen = {}

    @staticmethod
    def names(text):
        return tuple(FIELD.findall(text)) if FIELD.match(text) else ()

    def add(self, event, text):
        self.seen.setdefault(event, set()).add(self.names(text))

    def get(self, event, text):
        names = self.names(text)
        if not names:
            return names, None
        if (event, names) not in self.chosen:
            shape = min((of for of in self.seen[event] if of and is_part(of, names)), key=len)
            self.chosen[event, names] = shape, fields_of(shape)
        return self.chosen[event, names]


def is_part(few, many):
    """Whether the names appear in this order among the others, and first."""
    rest = iter(many)
    return few[0] == many[0] and all(name in rest for name in few)


def read(stream):
    trace = Trace()
    texts, spans = [], []
    shapes = Shapes()
    for record, text in lines(stream, trace):
        trace.records.append(record)
        record.fields, text = span_of(text)
        if record.fields:
            spans.append(record)
        texts.append(text)
        shapes.add(record.event, text)
    if not trace.records:
        raise BadTrace(
            "no records found: TRACE must be a trace.dat or a copy of /sys/kernel/tracing/trace"
            " without the option latency-format"
        )
    for record, text in zip(trace.records, texts):
        names, pattern = shapes.get(record.event, text)
        if found := pattern and pattern.match(text):
            record.fields |= {decode(n): value(v) for n, v in zip(names, found.groups())}
        else:
            record.text = decode(text)
    give_tracks(spans)
    return trace
