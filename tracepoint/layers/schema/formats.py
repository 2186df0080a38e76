#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
usage: formats.py check FORMATS SOURCES SOURCE OBJECT
       formats.py update FORMATS SOURCES OBJECTS

Compares the stable events of an object with the formats that are kept in a file, or updates
the file from all objects. SOURCE is that of OBJECT, relative to the directory SOURCES. OBJECTS is
the directory of the objects.

The file has a line for each event, with its system and name, source, and whether fields can be
appended. The lines of its fields follow, as they are in tracefs, and the values of enums.
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))

import command  # noqa: E402, before what takes long
import glob  # noqa: E402

from command import Error, reading  # noqa: E402
from description import SECTION, fields, items, lines  # noqa: E402
from elf import WHAT, Object  # noqa: E402

HEADER = """\
# The formats of stable events, which tools rely on. "make formats" updates this file: see
# docs/schema.md of the tracepoint library.
"""

HELP = """\
  help: tools that read the event rely on its format. Undo the change or add another event.
        If no tool needs the old format, run `make formats`, which updates {}"""


class Format:
    """The format of a stable event."""

    def __init__(self, name, source, rule):
        self.name, self.source, self.rule = name, source, rule
        # Lines by the names of the fields, and of the values.
        self.fields, self.values = {}, {}

    def add(self, line):
        if line.startswith("field:"):
            name = line[6:].partition(";")[0].split()[-1].partition("[")[0]
            self.fields[name] = line
        else:
            field, _, name = line[6:].split()
            self.values[field, name] = line

    def text(self):
        lines = [*self.fields.values(), *self.values.values()]
        return f"\nevent\t{self.name}\t{self.source}\t{self.rule}\n" + "".join(f"\t{line}\n" for line in lines)


def of_object(path, source):
    """Returns the formats of the stable events in an object."""
    with reading(path, WHAT):
        return list(formats_of(items(lines(Object(path).section(SECTION))), source))


def formats_of(found, source):
    enums = {int(item[3]): item for item in found if item[0] == "enum"}
    for item in found:
        for event in item.of("event") if item[0] == "class" else ():
            rule = {"stable": "fixed", "append": "append"}.get(event[2])
            if not rule:
                continue
            format = Format(f"{item[5]}:{event[1]}", source, rule)
            for field in fields(item):
                format.add(field.line())
                for value in enums[field.names].of("value") if field.names in enums else ():
                    format.add(f"value:{field.name} {value[2]} {value[1]}")
            yield format


def of_file(path):
    """Returns the formats that a file keeps."""
    formats = []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return formats
    for n, line in enumerate(lines, 1):
        columns = line.split("\t")
        try:
            if not line or line.startswith("#"):
                continue
            if columns[0] == "event":
                _, name, source, rule = columns
                formats.append(Format(name, source, rule))
            elif line.startswith(("\tfield:", "\tvalue:")):
                formats[-1].add(line[1:])
            else:
                raise ValueError
        except (ValueError, IndexError):
            raise Error(f"{path}:{n}: not what `make formats` writes") from None
    return formats


def differences(kept, now):
    """Yields what's wrong: a text, and the line that's kept and the one that there is now."""
    offset = lambda line: line.split("\t")[1]
    ty = lambda name, line: line.partition(";")[0].replace(name, "", 1)
    by_offset = {offset(line): (name, line) for name, line in now.fields.items()}
    renamed = set()
    for name, line in kept.fields.items():
        if name not in now.fields:
            other, there = by_offset.get(offset(line), (None, None))
            if other and other not in kept.fields:
                renamed.add(other)
                yield f"its field `{name}` is now `{other}`", line, there
            else:
                yield f"its field `{name}` is gone", line, None
        elif now.fields[name] != line:
            is_same = ty(name, now.fields[name]) == ty(name, line)
            what = "has moved" if is_same and offset(now.fields[name]) != offset(line) else "has changed"
            yield f"its field `{name}` {what}", line, now.fields[name]
    if kept.rule != "append":
        for name, line in now.fields.items():
            if name not in kept.fields and name not in renamed:
                yield f"it has a new field `{name}`, which only `#[stable(append)]` allows", None, line
    else:
        last = max([int(offset(line)[7:-1]) for line in kept.fields.values()], default=0)
        for name, line in now.fields.items():
            if name not in kept.fields and name not in renamed and int(offset(line)[7:-1]) < last:
                yield f"its new field `{name}` isn't at the end", None, line
    for key, line in kept.values.items():
        if now.values.get(key) != line and key[0] in now.fields:
            yield f"the value `{key[1]}` of its field `{key[0]}` has changed", line, now.values.get(key)


def check(path, directory, source, obj):
    # A path that a reader finds.
    file = os.path.relpath(path)
    kept, gone = {}, {}
    for format in of_file(path):
        if format.source == source:
            kept[format.name] = format
        elif not os.path.exists(os.path.join(directory, format.source)):
            gone[format.name] = format
    messages, is_change = [], False
    for now in of_object(obj, source):
        old = kept.pop(now.name, None)
        if not old:
            old = gone.pop(now.name, None)
            what = f"only has its format in {old.source}, which is gone" if old else "doesn't have its format"
            messages.append(f"error: `{now.name}` is stable, but {file} {what}: run `make formats`")
            if not old:
                continue
        if old.rule != now.rule:
            messages.append(f"error: `{now.name}` is {now.rule} in {source}, but {old.rule} in {file}: "
                            "run `make formats`")
        for text, before, after in differences(old, now):
            is_change = True
            messages.append(f"error: `{now.name}` is stable, but {text}\n"
                            f"  kept: {before or 'nothing'}\n"
                            f"  now:  {after or 'nothing'}")
    for name, old in {**kept, **gone}.items():
        is_change = True
        what = f"{source} has no such stable event any more" if old.source == source else f"its source {old.source} is gone: if it has been renamed, run `make formats`"
        messages.append(f"error: `{name}` was stable, but {what}")
    if messages:
        print("\n".join(messages), file=sys.stderr)
        if is_change:
            print(HELP.format(file), file=sys.stderr)
        sys.exit(1)


def update(path, root, directory):
    old = of_file(path)
    new = []
    for rust in sorted(glob.glob(f"{root}/*.rs") + glob.glob(f"{root}/*/*.rs")):
        source = os.path.relpath(rust, root)
        obj = os.path.join(directory, source[:-3] + ".o")
        if os.path.exists(obj):
            new += of_object(obj, source)
        else:
            # Not part of this configuration.
            new += [format for format in old if format.source == source]
    if not new and not os.path.exists(path):
        print("No event is marked `#[stable]`.")
        return
    text = HEADER + "".join(format.text() for format in new)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            before = file.read()
    except FileNotFoundError:
        before = ""
    if text == before:
        print(f"{os.path.relpath(path)} is up to date.")
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"{os.path.relpath(path)} has the formats of {len(new)} event{'s' * (len(new) != 1)}.")


def main():
    if len(sys.argv) == 6 and sys.argv[1] == "check":
        check(*sys.argv[2:])
    elif len(sys.argv) == 5 and sys.argv[1] == "update":
        update(*sys.argv[2:])
    else:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)


command.run(main)
