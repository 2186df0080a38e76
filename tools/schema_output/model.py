# SPDX-License-Identifier: GPL-2.0

"""The schema of modules: see docs/schema.md and schema.json."""

import os
import re

from command import Error, reading
from description import DYNAMIC, SECTION, expression, fields, items, lines, source, c_args
from elf import WHAT, Object, readelf

VERSION = 1


def rust_type(text):
    return re.sub(r"(::)?tracepoint::event::", "", source(text))


def unique(name, taken):
    """Returns the name, followed by `_` as often as it's taken, and takes it."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def null(rust_type, c_args):
    """Returns what NULL means in C, or None if the argument is no pointer."""
    rust_type = re.sub(r"&'\w+ ?", "&", rust_type)
    if c_args == 2:
        return "empty"
    if rust_type.startswith("Option<&"):
        return "none"
    if rust_type == "&CStr" or re.fullmatch(r"&(\w+::)+CStr", rust_type):
        return "(null)"
    if rust_type.startswith("&"):
        return "ignored"
    if rust_type.startswith("*"):
        return "passed"
    return None


class Symbols:
    """What the symbols of a module lead to."""

    def __init__(self, obj):
        self.obj = obj
        # Number, value, and section.
        row = re.compile(r" *\d+: ([0-9a-f]+) +\S+ \S+ +\S+ +\S+ +(\S+) (\S+)$")
        rows = [row.match(line) for line in readelf("-sW", obj.path).splitlines()]
        self.symbols = {m[3]: (int(m[1], 16), m[2]) for m in rows if m}
        self.relocations = {}
        section = None
        entry = re.compile(r"([0-9a-f]+) +[0-9a-f]+ \S+ +([0-9a-f]+) (\S+)(?: ([+-]) ([0-9a-f]+))?$")
        for line in readelf("-rW", obj.path).splitlines():
            heading = re.match(r"Relocation section '\.rela(\S+)'", line)
            if heading:
                section = self.relocations.setdefault(heading[1], {})
            m = entry.match(line)
            if m:
                addend = int(m[5] or "0", 16) * (-1 if m[4] == "-" else 1)
                section[int(m[1], 16)] = (m[3], addend)
        self.names = {n: name for n, name, *_ in obj.sections}

    def is_defined(self, symbol):
        return self.symbols.get(symbol, (0, "UND"))[1] != "UND"

    def string(self, symbol, offset):
        """Returns the string that a pointer points to: the one at an offset from a symbol."""
        value, section = self.symbols.get(symbol, (0, "UND"))
        if not section.isdigit():
            return None
        pointer = self.relocations.get(self.names[int(section)], {}).get(value + offset)
        if not pointer:
            return None
        target, addend = pointer
        if target in self.symbols and self.symbols[target][1].isdigit():
            base, number = self.symbols[target]
            addend += base
            name = self.names[int(number)]
        else:
            name = target
        data = self.obj.section(name)
        end = data.find(b"\0", addend) if data is not None else -1
        return data[addend:end].decode() if end >= 0 else None


class Module:
    """Collects the schema of one module. `taken` maps names to the enums and structs that have them in
    other modules."""

    def __init__(self, path, taken):
        self.obj = Object(path)
        self.name = os.path.basename(path).rsplit(".", 1)[0]
        found = lines(self.obj.section(SECTION))
        if not found:
            raise Error(f"{path}: no events, tracepoints or types are described. Was it built with "
                        "this library, and is it as the build left it? `strip` removes the descriptions")
        self.items = items(found)
        self.symbols = Symbols(self.obj)
        self.declared = {int(item[3]): item for kind in ("enum", "struct") for item in self.types(kind)}
        self.enum_names, self.struct_names = {}, {}
        for kind, names, column in (("enum", self.enum_names, 1), ("struct", self.struct_names, 2)):
            for item in self.types(kind):
                name = first = item[column]
                n = 2
                what = self.content(item)
                while name in names.values() or taken.get((kind, name), what) != what:
                    name, n = f"{first}_{n}", n + 1
                names[int(item[3])] = name
                taken[kind, name] = what

    def of(self, kind):
        return [item for item in self.items if item[0] == kind]

    def types(self, kind):
        """Returns enums or structs. Those with the same number are the same."""
        return list({int(item[3]): item for item in self.of(kind)}.values())

    def content(self, item, around=()):
        """Returns what makes an enum or a struct another one. Modules can share a declaration, but each gives it a
        number of its own."""

        def named(m):
            number = int(m[1])
            known = number in self.declared and number not in around
            return f"@{self.content(self.declared[number], (*around, number))}" if known else "@"

        parts = [(*(re.sub(r"@(\d+)", named, column) for column in part.columns), part.doc) for part in item.parts]
        return (*item.columns[:3], *item.columns[4:], item.doc, *parts)

    def c_type(self, text):
        """Returns a C type with the names of structs, and without enums."""
        text = re.sub(r"(\w)@\d+", r"\1", text)
        return re.sub(r"struct @(\d+) \*",
                      lambda m: f"struct {self.struct_names[int(m[1])]} *"
                      if int(m[1]) in self.struct_names else "void *", text)

    def argument(self, item, c_args):
        of_enum = re.fullmatch(r"\w+@(\d+)", item[4])
        return {
            "name": item[1],
            "doc": item.doc,
            "rust_type": rust_type(item[2]),
            "enum": self.enum_names.get(int(of_enum[1])) if of_enum else None,
            "null": null(source(item[2]), len(c_args)),
            "c_args": [{"name": name, "c_type": self.c_type(c_type)} for name, c_type in c_args],
        }

    def arguments(self, item):
        return [self.argument(arg, of_arg) for arg, of_arg in zip(item.of("arg"), c_args(item))]

    def field(self, field):
        is_array = field.kind in ("array", "dynamic array")
        return {
            "name": field.name,
            "doc": field.doc,
            "rust_type": rust_type(field.rust_type),
            "c_type": field.c_type,
            "offset": field.offset,
            "size": field.size,
            "signed": field.signed,
            "kind": field.kind,
            "dynamic": field.kind in DYNAMIC,
            "relative": field.relative,
            "element_size": field.element_size if is_array else None,
            "count": field.count if field.kind == "array" else None,
            "enum": self.enum_names.get(field.names),
        }

    def events(self):
        for item in self.of("class"):
            members = [self.field(field) for field in fields(item)]
            for event in item.of("event"):
                yield {
                    "name": event[1],
                    "system": item[5],
                    "module": self.name,
                    "doc": event.doc,
                    "kind": "custom" if item[2] == "kernel" else item[3],
                    "class": item[1],
                    "faultable": item[4] == "1",
                    "condition": expression(event[4]) or None,
                    "stable": {"": None, "stable": "fixed", "append": "append"}[event[2]],
                    "arguments": self.arguments(item),
                    "fields": members,
                    "print": {
                        "template": event[5],
                        "arguments": source(event[6]) or None,
                        "format": self.symbols.string(f"event_{event[1]}", int(event[3])),
                    },
                }

    def tracepoints(self):
        for item in self.of("tracepoint"):
            yield {
                "name": item[1],
                "module": self.name,
                "defined": self.symbols.is_defined(f"__tracepoint_{item[1]}"),
                "doc": item.doc,
                "faultable": item[2] == "1",
                "condition": expression(item[3]) or None,
                "arguments": self.arguments(item),
            }

    def enums(self):
        for item in self.types("enum"):
            yield {
                "name": self.enum_names[int(item[3])],
                "doc": item.doc,
                "rust_type": item[2],
                "flags": item[4] != "",
                "delimiter": item[4] or None,
                "values": [{"name": value[1], "doc": value.doc, "value": int(value[2]), "text": value[3]}
                           for value in item.of("value")],
            }

    def structs(self):
        for item in self.types("struct"):
            yield {
                "name": item[1],
                "c_name": self.struct_names[int(item[3])],
                "doc": item.doc,
                "size": int(item[4]),
                "members": [{"name": member[1], "rust_type": source(member[2]),
                             "c_type": self.c_type(member[4]), "offset": int(member[3])}
                            for member in item.of("member")],
            }


def schema(paths):
    """Returns the schema of modules."""
    result = {"version": VERSION, "modules": [], "events": [], "tracepoints": [], "enums": [],
              "structs": []}
    taken = {}
    for path in paths:
        with reading(path, WHAT):
            module = Module(path, taken)
            result["modules"].append(module.name)
            for key in ("events", "tracepoints", "enums", "structs"):
                for value in getattr(module, key)():
                    # Modules can share a declaration.
                    if value not in result[key]:
                        result[key].append(value)
    # A tracepoint that another of the modules defines.
    defined = {t["name"] for t in result["tracepoints"] if t["defined"]}
    defined |= {event["name"] for event in result["events"] if event["kind"] != "custom"}
    result["tracepoints"] = [t for t in result["tracepoints"]
                             if t["defined"] or t["name"] not in defined]
    return result
