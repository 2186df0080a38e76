# SPDX-License-Identifier: GPL-2.0
#
# Writes a model as a page. Everything that comes from the trace goes into a block of
# JSON; the page's code only ever shows it as text.

import json
import pathlib
import re

from timeline_page import errors
from timeline_page.model import GROUPS, SPECIAL
from timeline_page.record import BadTrace

HERE = pathlib.Path(__file__).parent
# Debian's package node-d3.
D3 = pathlib.Path("/usr/share/nodejs/d3/dist/d3.min.js")
SCRIPTS = ("data.js", "draw.js", "view.js", "panel.js", "main.js")

# The largest integer that JavaScript's numbers have.
EXACT = 2**53


class Strings:
    """A table of strings, each of which is in the page once."""

    def __init__(self):
        self.numbers = {}

    def number(self, text):
        return self.numbers.setdefault(text, len(self.numbers))


def number_or_text(value):
    return value if not isinstance(value, int) or abs(value) < EXACT else str(value)


def data_of(title, model):
    strings, kinds = Strings(), Strings()
    columns = {
        name: []
        for name in "start length depth name event task cpu flags parent duration result text kind values".split()
    }
    tracks = []
    for track in model.tracks:
        first = len(columns["start"])
        numbers = {id(item): number for number, item in enumerate(track.items, first)}
        for item in track.items:
            record = item.record
            shown = {name: value for name, value in item.fields.items() if name not in SPECIAL}
            row = (
                item.start[0] - model.start,
                item.drawn_end - item.start[0],
                item.depth,
                strings.number(item.name),
                strings.number(record.event),
                strings.number(f"{record.task}-{record.pid}"),
                record.cpu,
                item.flags,
                numbers.get(id(item.parent), -1),
                -1 if item.duration is None else item.duration,
                -1 if item.result is None else strings.number(errors.name_of(item.result)),
                strings.number(item.text),
                kinds.number(tuple(shown)),
                [number_or_text(value) for value in shown.values()],
            )
            for column, value in zip(columns.values(), row):
                column.append(value)
        tracks.append(
            {
                "name": track.name,
                "group": track.group,
                "first": first,
                "count": len(track.items),
                "times": [time - model.start for time, _ in track.values],
                "values": [number_or_text(value) for _, value in track.values],
            }
        )
    return {
        "title": title,
        "records": model.records,
        "lost": model.lost,
        "unknown": model.unknown,
        "start": f"{model.start // 10**9}.{model.start % 10**9:09}",
        "length": model.end - model.start,
        "groups": GROUPS,
        "tracks": tracks,
        "columns": columns,
        "kinds": list(kinds.numbers),
        "strings": list(strings.numbers),
    }


def json_block(data):
    # In a script element, only "<" can end the element or start a comment.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def page(title, model, d3=D3):
    if not d3.exists():
        raise BadTrace(f"{d3} is missing: apt-get install node-d3")
    parts = {
        "STYLE": (HERE / "page.css").read_text(encoding="utf-8"),
        "D3": d3.read_text(encoding="utf-8"),
        "SCRIPT": "\n".join((HERE / name).read_text(encoding="utf-8") for name in SCRIPTS),
        "DATA": json_block(data_of(title, model)),
    }
    template = (HERE / "page.html").read_text(encoding="utf-8")
    return re.sub(r"@(STYLE|D3|SCRIPT|DATA)@", lambda found: parts[found[1]], template)
