# SPDX-License-Identifier: GPL-2.0
#
# Format files: the fields of an event, and the Rust types that give them the same
# place and the same C type.

import re
from dataclasses import dataclass, field

from command import Error
from event_format.c import INT, TYPES, ULONG, Int, Pointer, Untranslatable, type_of

# The size of struct trace_entry.
HEAD = 8

KEYWORDS = """as async await break const continue dyn else enum extern false fn for gen if impl in
    let loop match mod move mut pub ref return static struct trait true type unsafe use where while
    abstract become box do final macro override priv try typeof unsized virtual yield""".split()

# The Rust types that the library shows with another name than that of the Rust type.
C_NAMES = {"i8": "s8", "i16": "s16", "i32": "int", "i64": "s64"}
# Their other names.
ALIASES = {
    "int": "c_int",
    "unsigned int": "c_uint",
    "short": "c_short",
    "unsigned short": "c_ushort",
    "long": "c_long",
    "unsigned long": "c_ulong",
    "long long": "c_longlong",
    "unsigned char": "c_uchar",
    "size_t": "usize",
    "ssize_t": "isize",
    "bool": "bool",
}


def is_name(name):
    return name.isascii() and name.isidentifier()


def rust_name(name):
    if not is_name(name) or name in ("self", "Self", "super", "crate", "_"):
        raise Untranslatable(f"`{name}` can't be a name in Rust")
    return f"r#{name}" if name in KEYWORDS else name


@dataclass
class Field:
    """A field of a record."""

    name: str
    declaration: str
    offset: int
    size: int
    signed: bool
    # What it is: "int", "pointer", "array", "struct", "string", "list", "mask", "cpumask", "sockaddr".
    kind: str = ""
    # The type of the number or of the elements.
    element: Int = INT
    # The number of elements of an array.
    length: int = 0
    # Whether the elements are characters.
    chars: bool = False
    rel: bool = False
    rust: str = ""
    # The C type that follows the Rust type.
    given: str = ""
    align: int = 1
    # The type of the argument, and the C arguments that it takes.
    argument: str = ""
    c_args: int = 1
    # Makes the field's value of the argument.
    value: str = "{}"
    # Why the field can't be expressed.
    error: str = ""
    # What differs from C's field.
    note: str = ""

    @property
    def is_dynamic(self):
        return self.kind in ("string", "list", "mask", "cpumask", "sockaddr")


@dataclass
class Event:
    """A format file."""

    name: str
    system: str
    fields: list = field(default_factory=list)
    print_fmt: str = ""
    # The lines with the fields, as they are in the file.
    lines: list = field(default_factory=list)


WHAT = "the format file of an event"
FIELD = re.compile(r"\tfield:(.*);\toffset:(\d{1,6});\tsize:(\d{1,6});\tsigned:(\d);$")


def read(data, system, path):
    """Reads the events of one or several format files."""
    first, *parts = re.split(r"^name: ", data.decode("utf-8", "replace"), flags=re.MULTILINE)
    if first.strip() or not parts:
        raise Error(f"{path}: not {WHAT}, which starts with `name: `")
    for part in parts:
        head, found, print_fmt = part.partition("\nprint fmt: ")
        name, *lines = head.split("\n")
        if not re.fullmatch(r"\w+", name, re.ASCII):
            raise Error(f"{path}: not {WHAT}: `{name[:40]}` isn't a name")
        if not found:
            raise Error(f"{path}: the format of `{name}` is incomplete: it has no `print fmt: `")
        event = Event(name, system, print_fmt=print_fmt.rstrip("\n"))
        for line in lines:
            found = FIELD.match(line)
            if not found:
                if line.strip() and not line.startswith(("ID: ", "format:")):
                    raise Error(f"{path}: not {WHAT}: `{name}` has the line `{line.strip()[:60]}`")
                continue
            declaration, offset, size, signed = found.groups()
            if int(offset) < HEAD and re.search(r"\bcommon_\w+$", declaration):
                continue
            event.lines.append(line.strip())
            event.fields.append(make_field(declaration, int(offset), int(size), signed == "1"))
        yield event


def make_field(declaration, offset, size, signed):
    # f_show() (kernel/trace/trace_events.c) only leaves the brackets of __data_loc where they are.
    declaration = re.sub(r"^(__rel_loc .*?)\s*\b(\w+)\[\]$", r"\1[] \2", declaration)
    array = re.match(r"(.*?)\s*\b(\w+)\[(.*)\]$", declaration)
    if array and not declaration.startswith(("__data_loc", "__rel_loc")):
        ctype, name, length = array.groups()
    else:
        plain = re.match(r"(.*?)\s*(\w+)$", declaration)
        if not plain:
            raise Error(f"not {WHAT}: `{declaration[:60]}` isn't a field")
        ctype, name = plain.groups()
        length = None
    found = Field(name, declaration, offset, size, signed)
    try:
        rust_name(name)
        if ctype.startswith(("__data_loc ", "__rel_loc ")):
            dynamic(found, ctype)
        elif length is not None:
            fixed_array(found, ctype, length)
        else:
            scalar(found, ctype)
    except Untranslatable as error:
        found.error = str(error)
    return found


def given(rust, ctype):
    """Returns the Rust type with the C type, unless that follows from it."""
    if C_NAMES.get(rust, rust) == ctype:
        return rust, ""
    if ctype in ALIASES:
        return ALIASES[ctype], ""
    if re.search(r"[^\w *]", ctype):
        raise Untranslatable(f"the C type `{ctype}`")
    return rust, ctype


def scalar(found, ctype):
    if "*" in ctype:
        if found.size != 8:
            raise Untranslatable("a pointer of an unexpected size")
        found.kind, found.element, found.align = "pointer", ULONG, 8
        found.rust, found.given = "*const c_void", ctype
        found.argument = "*const c_void"
        return
    known = type_of(ctype)
    is_aggregate = re.match(r"(struct|union) ", ctype) or (known is None and found.size not in (1, 2, 4, 8))
    if is_aggregate:
        found.kind = "struct"
        # The struct may need another alignment than its size tells: see layout().
        found.given = ctype
        set_struct(found, 1)
        return
    if found.size not in (1, 2, 4, 8):
        raise Untranslatable(f"an integer of {found.size} bytes")
    found.kind, found.align = "int", found.size
    found.element = Int(found.size, found.signed)
    rust = "bool" if ctype == "bool" else str(found.element)
    if isinstance(known, Int) and (known.size, known.signed) == (found.size, found.signed):
        found.rust, found.given = given(rust, ctype)
    else:
        # An alias that the file doesn't explain, or an enum.
        found.rust, found.given = rust, ctype
    found.argument = found.rust


def set_struct(found, align):
    unit = f"u{8 * align}"
    found.align = align
    found.rust = f"Struct<[{unit}; {found.size // align}]>"
    found.argument = f"&[{unit}; {found.size // align}]"
    found.value = "*{}"


def fixed_array(found, ctype, length):
    known = type_of(ctype)
    if isinstance(known, Pointer):
        raise Untranslatable("an array of pointers")
    if re.fullmatch(r"\s*\d{1,9}\s*", length, re.ASCII):
        length = int(length)
        size = found.size // length if length else 0
    elif known:
        size = known.size
        length = found.size // size
    else:
        raise Untranslatable(f"an array of `{ctype}` whose length is `{length}`")
    if length == 0 or size not in (1, 2, 4, 8) or size * length != found.size:
        raise Untranslatable(f"an array of elements of {size} bytes")
    found.kind, found.length, found.align = "array", length, size
    found.element = Int(size, found.signed)
    element = str(found.element)
    if ctype == "char":
        found.chars = True
        element, found.given = "c_char", ""
    else:
        element, found.given = given(element, ctype)
    found.rust = f"[{element}; {length}]"
    found.argument = f"&{found.rust}"


def dynamic(found, ctype):
    location, ctype = ctype.split(" ", 1)
    found.rel = location == "__rel_loc"
    ctype = ctype.replace("[]", "").strip()
    found.align = 4
    if found.size != 4:
        raise Untranslatable("a location of an unexpected size")
    if ctype == "cpumask_t":
        found.kind, rust, found.argument = "cpumask", "Cpumask", "&Cpumask"
    elif ctype == "char":
        found.kind, rust, found.argument, found.chars = "string", "Str", "&CStr", True
        found.element = TYPES["char"]
    else:
        known = type_of(ctype)
        if isinstance(known, Pointer):
            known = ULONG
        found.kind = "list"
        # Of a struct, only the bytes.
        found.element = Int(known.size, found.signed) if known else TYPES["u8"]
        element, found.given = given(str(found.element), ctype)
        if "char" in ctype:
            element, found.given = str(found.element), ""
            found.note = (
                f"filters take C's `{ctype}[]` for a string: use `Str` for a text, `Bitmask` for a bit mask"
            )
        rust, found.argument, found.c_args = f"DynArray<{element}>", f"&[{element}]", 2
    found.rust = f"Rel<{rust}>" if found.rel else rust


def as_mask(found):
    """Makes a list of words a bit mask, which is how the text shows it."""
    if found.kind == "list" and found.element.size == 8:
        found.kind, found.given = "mask", ""
        found.rust = "Rel<Bitmask>" if found.rel else "Bitmask"
        found.argument, found.c_args = "&[usize]", 2
        found.value = "Bits::new({}, usize::MAX)"


def as_sockaddr(found):
    if found.kind == "list" and found.declaration.split()[1] == "u8[]":
        found.kind, found.given = "sockaddr", ""
        found.rust = "Rel<SockAddr>" if found.rel else "SockAddr"


def layout(fields):
    """Checks that the fields end up at the same offsets."""
    at = HEAD
    for this in fields:
        if this.error:
            continue
        if this.kind == "struct":
            # The largest alignment that the place allows; the smallest that leads there.
            for align in 8, 4, 2, 1:
                if this.offset % align == 0 and this.size % align == 0:
                    if -(-at // align) * align == this.offset:
                        set_struct(this, align)
                        break
        at = -(-at // this.align) * this.align
        if at != this.offset:
            this.error = f"the field is at offset {this.offset} instead of {at}"
            at = this.offset
        at += this.size
