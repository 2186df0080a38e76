# SPDX-License-Identifier: GPL-2.0
#
# Reads a trace.dat with trace-cmd: once for the fields, and once for the texts.

import re
import subprocess

from timeline_page.record import BadTrace, Trace, decode, fields_of, lines

MAGIC = b"\x17\x08\x44tracing"

FIELD = re.compile(rb"\tfield:([^;]*?)\s*\b(\w+)((?:\[[^;]*\])?);\toffset")
NUMBER = re.compile(rb"-?\d+")
BYTES = re.compile(rb"ARRAY\[([0-9a-f, ]*)\]")


def run(*arguments):
    try:
        return subprocess.Popen(["trace-cmd", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        raise BadTrace("trace-cmd is missing: apt-get install trace-cmd") from None


def formats(stream):
    """For each event, the patterns of its fields. Two systems can have events of the
    same name."""
    found = {}
    for line in stream:
        if line.startswith(b"name: "):
            fields = []
            found.setdefault(decode(line[6:].strip()), []).append(fields)
        elif field := FIELD.match(line):
            kind, name, array = field.groups()
            # An array of characters is text.
            if not name.startswith(b"common_"):
                fields.append((name, b"char" in kind and b"[" in kind + array))
    return {
        event: [(fields, fields_of(n for n, _ in fields)) for fields in of if fields]
        for event, of in found.items()
    }


def value(data, is_text):
    if is_text:
        found = BYTES.fullmatch(data)
        if found:
            data = bytes.fromhex(found[1].decode().replace(",", "")).rstrip(b"\0")
    elif NUMBER.fullmatch(data):
        return int(data)
    return decode(data)


def parse(stream, patterns, trace):
    """Reads the output of "trace-cmd report -R"."""
    for record, text in lines(stream, trace):
        trace.records.append(record)
        record.text = decode(text)
        for fields, pattern in patterns.get(record.event, ()):
            if found := pattern.match(text):
                record.fields = {decode(n): value(v, t) for (n, t), v in zip(fields, found.groups())}
                break


def add_texts(stream, trace):
    """Reads the output of "trace-cmd report": the same records in the same order, unless
    a text looks like a record."""
    texts = list(lines(stream, Trace()))
    if len(texts) == len(trace.records):
        for record, (_, text) in zip(trace.records, texts):
            record.text = decode(text)


def read(name):
    trace = Trace()
    with run("dump", "--events", "--ftrace-events", "-i", name) as process:
        patterns = formats(process.stdout)
    with run("report", "-R", "-t", "-i", name) as process:
        parse(process.stdout, patterns, trace)
    if process.returncode or not trace.records:
        raise BadTrace(f'no records found: "trace-cmd report {name}" tells why')
    with run("report", "-t", "-i", name) as process:
        add_texts(process.stdout, trace)
    return trace
