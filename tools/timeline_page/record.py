# SPDX-License-Identifier: GPL-2.0
#
# The records of a trace, as both readers return them.

import re
from dataclasses import dataclass, field

from command import Error


class BadTrace(Error):
    """The trace can't be read. The text tells why, and what to do."""


@dataclass(slots=True)
class Record:
    """A record of the trace."""

    task: str
    pid: int
    cpu: int
    # In nanoseconds, by the trace's clock.
    time: int
    event: str
    # The fields, by name: integers and strings. Empty if only the text is known.
    fields: dict
    # What the event's print format made of them.
    text: str


@dataclass
class Trace:
    """The records of a trace, in their order."""

    records: list = field(default_factory=list)
    # The number of records that the kernel had to drop.
    lost: int = 0
    # What one digit less would hide, in nanoseconds: 1000 for a trace in microseconds.
    resolution: int = 1


def decode(data):
    """The text of bytes from a trace, which can be anything."""
    return data.decode("utf-8", "backslashreplace")


# The start of a record: TASK-PID (TGID) [CPU] FLAGS TIME: TEXT. The kernel and trace-cmd
# pad the task's name, which can contain anything, to 16 bytes. trace-cmd puts the name of
# an instance before it, and blanks before the records of other buffers.
HEAD = re.compile(
    rb"(?:|\s+|\s*\S+: )(.{16}|\s*\S+)-(\d+) +(?:\([ \d-]*\) +)?\[(\d{3,})\](?:-0x[0-9a-f]+)?"
    rb"(?: +[^\s:]{4,7})? +(\d+)(?:\.(\d+))?: +(.*)",
    re.DOTALL,
)
# The name of an event before its text. Records of the function tracer have none.
NAME = re.compile(rb"([\w.]+):(?:\s+|$)")
# The number isn't always known. That the buffer of a CPU starts later isn't a loss.
LOST = re.compile(rb"CPU:\d+ \[(?:LOST )?(?:(\d+) )?EVENTS(?: DROPPED)?\]|##### CPU \d+ buffer started ####")


def lines(stream, trace):
    """Yields the records of a text, without their fields. A record's text can have
    several lines."""
    record = None
    pending = []
    for line in stream:
        line = line.rstrip(b"\n")
        head = HEAD.match(line)
        if not head:
            lost = LOST.match(line)
            if lost:
                trace.lost += int(lost[1] or line.startswith(b"CPU"))
            elif record:
                pending.append(line)
            continue
        if record:
            yield record, b"\n".join(pending)
        task, pid, cpu, seconds, fraction, rest = head.groups()
        # A clock that counts something else has no fraction.
        time = int(seconds)
        if fraction is not None:
            digits = min(len(fraction), 9)
            trace.resolution = max(trace.resolution, 10 ** (9 - digits))
            time = time * 10**9 + int(fraction[:9].ljust(9, b"0"))
        name = NAME.match(rest)
        event = decode(name[1]) if name else "function" if b" <-" in rest else "other"
        record = Record(decode(task.strip()), int(pid), int(cpu), time, event, {}, "")
        pending = [rest[name.end() :] if name else rest]
    if record:
        yield record, b"\n".join(pending)


def fields_of(names):
    """A pattern for "NAME=VALUE NAME=VALUE". Only the next name ends a value, so that it
    can contain other names."""
    return re.compile(rb"\s*" + rb"\s+".join(rb"%s=(.*?)" % name for name in names) + rb"\s*$", re.DOTALL)
