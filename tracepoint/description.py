# SPDX-License-Identifier: GPL-2.0

"""Reads the descriptions that the macros have put into an object or a module.

layers/schema/macros.rs writes them and says what the lines contain.
"""

import re

from command import Error

SECTION = ".debug_tracepoints"


def lines(data):
    """Returns the lines of a description, each a list of columns. `data` is what the section contains, or None."""
    text = (data or b"").replace(b"\0", b"").decode()
    return [line.split("\x1f") for line in text.split("\x1e") if line]


class Item:
    """A line of the description, and those that belong to it."""

    def __init__(self, columns):
        *self.columns, doc = columns
        self.doc = "\n".join(line.removeprefix(" ").rstrip() for line in doc.split("\n")).strip("\n") or None
        self.parts = []

    def __getitem__(self, n):
        return self.columns[n]

    def of(self, kind):
        return [part for part in self.parts if part[0] == kind]

    def key(self):
        return (*self.columns, self.doc, *(part.key() for part in self.parts))


# What each kind of line belongs to.
PARENTS = {
    "arg": ("function", "tracepoint", "class"),
    "field": ("class",),
    "event": ("class",),
    "value": ("enum",),
    "member": ("struct",),
}


def items(lines):
    """Returns functions, tracepoints, classes, enums and structs. Two objects of a module can have the same one."""
    found, path = {}, []
    for columns in lines:
        kind, item = columns[0], Item(columns)
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


def source(tokens):
    """Returns tokens of Rust as they're usually written."""
    def blank(m):
        before, after = tokens[m.start() - 1], tokens[m.end()]
        if m[1]:
            return m[1]
        if m[2]:
            return f"{m[2]} "
        is_word = re.match(r"[\w\"'{}]{2}", before + after)
        is_operator = re.search(r"=>$", tokens[:m.start()]) or re.search(r"[=|+/%^?]", before + after)
        return " " if is_word or is_operator else ""

    tokens = f" {tokens.strip()} "
    return re.sub(r'("(?:\\.|[^"\\])*")|([,;])\s*(?=\S)|(?<=\S)\s+(?=\S)', blank, tokens).strip()


def expression(tokens):
    """Returns the tokens of an expression as they're usually written: operators with two operands keep their blanks."""
    no_blank = (r"(?<=[.(\[])\s+|\s+(?=[.,;?)\]])|(?<=\.\.=)\s+|\s*(::)\s*"  # paths, members, ranges, arguments
                r"|(?<=\w)\s+(?=!\s*[(\[])|(?<=!)\s+(?=[\w(\[])"  # macros, not
                r"|(?<!\bin)(?<!\bas)(?<!\bif)(?<!\bmatch)(?<=\w)\s+(?=[(\[])"  # calls, elements
                r"|(?:(?<=[=|<>,] [-*&])|(?<=\([-*&])|(?<=^[-*&]))\s+")  # operators with one operand
    return re.sub(r'("(?:\\.|[^"\\])*")|' + no_blank, lambda m: m[1] or m[2] or "", tokens.strip())


def c_name(text):
    """Returns a name that C can have."""
    return re.sub(r"\W", lambda m: f"_{ord(m[0]):x}", text, flags=re.ASCII)


def c_args(item):
    """Returns the names and C types of the C arguments of each argument of an item. A slice has two."""
    # Of two C arguments with one name, tools find only one.
    taken = {"__data"}

    def unique(name):
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    args = item.of("arg")
    named = [(unique(c_name(arg[1])), arg[3], arg[4]) for arg in args]
    result = []
    for name, count, c_type in named:
        if count == "1":
            result.append([(name, c_type)])
            continue
        pointer = ("const void *" if c_type.endswith("]") else
                   f"{c_type}const *" if c_type.endswith("*") else f"const {c_type} *")
        result.append([(name, pointer), (unique(f"{name}_len"), "size_t")])
    return result


# The lowest bits of `Kind::code()` (event/show.rs).
KINDS = ["integer", "integer", "pointer", "array", "bytes", "string", "dynamic array", "bitmask", "sockaddr"]

DYNAMIC = {"string", "dynamic array", "bitmask", "sockaddr"}


class Field:
    """A field of a record. `end` is where the one before it ends."""

    def __init__(self, item, end):
        _, self.name, rust_type, align, size, signed, code, names, self.c_type = item.columns
        align, self.size, self.signed = int(align), int(size), signed == "1"
        self.offset = -(-end // align) * align
        code = int(code)
        self.kind = KINDS[code & 15]
        self.relative = bool(code >> 4 & 1)
        self.element_size = code >> 8 & 255
        self.count = code >> 16
        self.names = int(names)
        self.rust_type, self.doc = source(rust_type), item.doc

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
