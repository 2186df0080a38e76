# SPDX-License-Identifier: GPL-2.0

"""Reads the descriptions that the macros have put into an object or a module.

layers/schema/macros.rs writes them and says what the lines contain.
"""

from command import Error

SECTION = ".debug_tracepoints"


def lines(data):
    """Returns the lines of a description, each a list of columns. `data` is what the section contains, or None."""
    # The NULs pad the names of types.
    text = (data or b"").replace(b"\0", b"").decode()
    return [line.split("\t") for line in text.split("\n") if line]


class Item:
    """A line of the description, and those that belong to it."""

    def __init__(self, columns):
        self.columns = columns
        self.doc = []
        self.parts = []

    def __getitem__(self, n):
        return self.columns[n]

    def of(self, kind):
        return [part for part in self.parts if part[0] == kind]

    def key(self):
        return (*self.columns, *self.doc, *(part.key() for part in self.parts))


# What each kind of line belongs to.
PARENTS = {
    "arg": ("function", "tracepoint", "class"),
    "word": ("arg",),
    "field": ("class",),
    "event": ("class",),
    "condition": ("tracepoint", "event"),
    "print": ("class", "event"),
    "value": ("enum",),
    "member": ("struct",),
}


def items(lines):
    """Returns functions, tracepoints, classes, enums and structs. Two objects of a module can have the same one."""
    found, path = {}, []
    for columns in lines:
        kind = columns[0]
        if kind == "doc":
            path[-1].doc.append("\t".join(columns[1:]))
            continue
        item = Item(columns)
        parents = PARENTS.get(kind, ())
        while path and path[-1][0] not in parents:
            path.pop()
        if path:
            path[-1].parts.append(item)
        elif parents:
            raise Error(f"{SECTION}: a line `{kind}` belongs to nothing")
        else:
            found[len(found)] = item
        path.append(item)
    unique = {}
    for item in found.values():
        unique.setdefault(item.key(), item)
    return list(unique.values())


# The lowest bits of `Kind::code()` (event/show.rs).
KINDS = ["integer", "integer", "pointer", "array", "bytes", "string", "dynamic array", "bitmask", "sockaddr"]

DYNAMIC = {"string", "dynamic array", "bitmask", "sockaddr"}


class Field:
    """A field of a record. `end` is where the one before it ends."""

    def __init__(self, item, end):
        _, self.name, self.rust_type, align, size, signed, code, names, self.c_type = item.columns
        align, self.size, self.signed = int(align), int(size), signed == "1"
        self.offset = -(-end // align) * align
        code = int(code)
        self.kind = KINDS[code & 15]
        self.relative = bool(code >> 4 & 1)
        self.element_size = code >> 8 & 255
        self.count = code >> 16
        self.names = int(names)
        self.doc = item.doc

    def declaration(self):
        """Returns the type and the name as the kernel's `format` files have them."""
        if self.c_type.startswith("__data_loc ") or not self.c_type.endswith("]"):
            return f"{self.c_type} {self.name}"
        name, length = self.c_type.split("[", 1)
        return f"{name} {self.name}[{length}"

    def line(self):
        """Returns the line of a `format` file."""
        return (f"field:{self.declaration()};\toffset:{self.offset};\tsize:{self.size};\t"
                f"signed:{int(self.signed)};")


def fields(item):
    """Returns the fields of a class, where event_define_fields() (kernel/trace/trace_events.c) puts them."""
    end = 8  # struct trace_entry
    for part in item.of("field"):
        field = Field(part, end)
        end = field.offset + field.size
        yield field
