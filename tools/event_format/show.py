# SPDX-License-Identifier: GPL-2.0
#
# From a `print fmt` to a template and its named arguments.

import re
from dataclasses import dataclass, replace

from event_format import c
from event_format.c import INT, TYPES, ULONG, Int, Untranslatable, unescape
from event_format.number import ATOM, Numbers, cast, condition, typed
from event_format.record import as_mask, as_sockaddr, rust_name

CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d+|\*)?)?"
    r"(?P<length>hh|h|ll|l|L|q|z|t|j)?(?P<conversion>[a-zA-Z%])"
)
# What follows %p.
POINTER = re.compile(r"[A-Za-z0-9]*")
EXTENSIONS = (
    "K|x|S|s|F|f|B|SR|M|MF|MR|m|mR|I4|I4h|I4n|I4b|I4l|i4|I6|i6|I6c|ISpc|ISpfsc|ISpsfc|ISpsc|ISpfc|ISfc|"
    "ISc|IS|ISp|U|Ub|UB|Ul|UL|ad|ap|a|hC|hD|hN|h|E|V|D|d|GF|Gg|Gf|G|R|r|b|bl|t|tT|e|V"
).split("|")
LENGTHS = {"hh": 1, "h": 2, "": 4, "l": 8, "ll": 8, "L": 8, "q": 8, "z": 8, "t": 8, "j": 8}

# The types of a precision in a field.
PRECISIONS = [TYPES[name] for name in ("u8", "u16", "u32", "u64", "s16", "s32", "s64")]

# include/linux/string_choices.h
CHOICES = {
    "str_yes_no": ("yes", "no"),
    "str_on_off": ("on", "off"),
    "str_true_false": ("true", "false"),
    "str_enabled_disabled": ("enabled", "disabled"),
    "str_enable_disable": ("enable", "disable"),
    "str_read_write": ("read", "write"),
    "str_up_down": ("up", "down"),
    "str_high_low": ("high", "low"),
}

# print_symbolic, print_flags
TABLES = ("__print_symbolic", "__print_symbolic_u64", "__print_flags", "__print_flags_u64")


HIGHEST = 1 << 63


@dataclass
class Placeholder:
    """A conversion and its arguments in C."""

    flags: str
    width: str
    precision: str
    length: str
    conversion: str
    extension: str = ""


def split(print_fmt):
    """Splits a `print fmt` into its text and the arguments: parsed, and as they were written."""
    if not print_fmt.startswith('"'):
        raise Untranslatable("the `print fmt` doesn't start with a string")
    # A quote in the text isn't escaped.
    first = reason = None
    for found in re.finditer(r'"\s*(,|$)', print_fmt[1:]):
        text = unescape(print_fmt[1 : found.start() + 1])
        sources = c.arguments(print_fmt[found.end() + 1 :]) if found[1] else []
        try:
            pieces, count = conversions(text)
        except Untranslatable as error:
            reason = reason or error
            continue
        if count == len(sources):
            args = [c.parse(source) for source in sources]
            first = first or (pieces, args, sources)
            if not any(isinstance(arg, c.Unknown) for arg in args):
                return pieces, args, sources
    if first:
        return first
    raise reason or Untranslatable("the text doesn't match the number of its arguments")


def conversions(text):
    """Splits the text of a `print fmt` into pieces, and counts the arguments."""
    pieces, at, count = [], 0, 0
    while at < len(text):
        percent = text.find("%", at)
        if percent < 0:
            pieces.append(text[at:])
            break
        pieces.append(text[at:percent])
        found = CONVERSION.match(text, percent)
        if not found:
            raise Untranslatable(f"the conversion `{text[percent : percent + 4]}`")
        at = found.end()
        if found["conversion"] == "%":
            pieces.append("%")
            continue
        precision = found["precision"] or ("0" if "." in found[0] else "")
        this = Placeholder(
            found["flags"], found["width"] or "", precision, found["length"] or "", found["conversion"]
        )
        if this.conversion == "p":
            following = POINTER.match(text, at)[0]
            this.extension = max(
                (name for name in EXTENSIONS if following.startswith(name)), key=len, default=""
            )
            at += len(this.extension)
        count += 1 + (this.width == "*") + (this.precision == "*")
        pieces.append(this)
    return pieces, count


def quote(text):
    """A string literal in Rust."""
    escapes = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    return '"' + "".join(escapes.get(char, char) for char in text) + '"'


def plain_spec(this):
    """How a field is shown if nothing else is known about it."""
    return "print_hex" if this.kind == "struct" else ""


class Printer:
    """Translates the `print fmt` of one event."""

    def __init__(self, event):
        self.event = event
        self.numbers = Numbers(event)
        # Named arguments: the expression and the name.
        self.named = {}
        self.template = ""
        # What couldn't be translated: why, and C's text of it.
        self.problems = []

    def run(self):
        pieces, args, sources = split(self.event.print_fmt)
        self.find_types(args)
        args = iter(zip(args, sources))
        pending = []
        for piece in pieces:
            if isinstance(piece, str):
                pending.append(self.literal(piece))
                continue
            stars = (piece.width, piece.precision).count("*")
            used, written = zip(*(next(args) for _ in range(stars + 1)))
            try:
                for node in used:
                    if isinstance(node, c.Unknown):
                        raise Untranslatable(node.reason)
                pending.append(self.placeholder(piece, used[:-1], used[-1]))
            except (Untranslatable, RecursionError) as error:
                reason = str(error) if isinstance(error, Untranslatable) else "an expression that is nested too deeply"
                self.problems.append((reason, ", ".join(written)))
                pending += self.plain(", ".join(written))
        # An empty line in the trace; the newline that ends each record isn't part of the text.
        if pending and isinstance(pending[-1], str) and pending[-1].endswith("\n"):
            self.problems.append(("a newline at the end, which is left out", repr(pending[-1])))
            pending[-1] = pending[-1].rstrip("\n")
        # Names are chosen when it's known which fields the template shows.
        shown = {name for item in pending if not isinstance(item, str) for name in (item[0],) if name}
        previous = ""
        for item in pending:
            if isinstance(item, str):
                self.template += item.replace("{", "{{").replace("}", "}}").replace("%", "%%")
                previous = item
                continue
            name, spec, expression, hint = item
            if not name:
                name = self.name_of(expression, hint, previous, shown)
            self.template += "{" + name + (f":{spec}" if spec else "") + "}"
        if sum(not isinstance(item, str) for item in pending) > 63:
            raise Untranslatable("more than 63 conversions")
        # The kernel ends the line.
        return self.template.rstrip("\n"), {name: text for text, name in self.named.items()}

    def literal(self, text):
        """Returns a part of the text, without what a template can't contain."""
        try:
            self.check_text(text)
            return text
        except Untranslatable as error:
            self.problems.append((str(error), repr(text)))
            return re.sub(r"[^ -~\n\t]", "?", text).rstrip("\\")

    def plain(self, source):
        """Shows the fields of an expression that can't be translated."""
        shown = []
        for name in dict.fromkeys(re.findall(r"\b(?:REC->|__get_\w+\(|__print_dynamic_array\()\s*(\w+)", source)):
            this = next((this for this in self.event.fields if this.name == name and not this.error), None)
            if this:
                shown += [" ", (name, plain_spec(this), "", "")]
        return shown[1:] or ["?"]

    @staticmethod
    def check_text(text):
        for char in text:
            if not (" " <= char <= "~" or char in "\n\t"):
                raise Untranslatable(f"the character {char!r} in the text")
        if text.endswith("\\"):
            raise Untranslatable("a backslash at the end of the text")

    def find_types(self, args):
        """Finds masks and addresses, which are lists by their C type."""
        for call in walk(args):
            if not isinstance(call, c.Call) or not call.args or not isinstance(call.args[0], c.Name):
                continue
            this = self.numbers.fields.get(call.args[0].name)
            name = call.name.replace("_rel_", "_")
            if this and name in ("__get_bitmask", "__get_cpumask"):
                as_mask(this)
            if this and name == "__get_sockaddr":
                as_sockaddr(this)

    def name_of(self, expression, hint, previous, shown):
        """Returns the name of an argument: an old one, if it's the same."""
        if expression in self.named:
            return self.named[expression]
        word = re.search(r"([A-Za-z_]\w*)\s*[=:(]?\s*(?:0x)?$", previous)
        if ">> 20" in expression:
            base = "major"
        elif expression.endswith("& 0xfffff"):
            base = "minor"
        elif hint:
            base = hint
        elif word:
            base = word[1].lower()
        else:
            base = "value"
        taken = set(self.named.values()) | shown
        if base in taken and base not in ("major", "minor") and word and word[1].lower() not in taken:
            base = word[1].lower()
        name, n = base, 2
        while name in taken or name in ("self", "super", "crate", "_"):
            name, n = f"{base}_{n}", n + 1
        self.named[expression] = name
        return name

    # Each returns the field or "", the spec, the expression and a hint for its name.

    def placeholder(self, this, operands, arg):
        if this.conversion == "p":
            return self.pointer(this, operands, arg)
        width = precision = None
        operands = iter(operands)
        if this.width == "*":
            width = self.width_of(next(operands), [])
        if this.precision == "*":
            precision = self.width_of(next(operands), PRECISIONS)
            if not precision.isdigit() and width and "-" in this.flags:
                raise Untranslatable("a precision in a field with blanks after the text")
        if this.conversion == "s":
            return self.string(this, arg, width, precision)
        if width and not precision:
            this = replace(this, width=width)
        elif precision:
            raise Untranslatable("the precision of a number from a field")
        if this.conversion not in "diuxXoc":
            raise Untranslatable(f"the conversion `%{this.conversion}`")
        return self.number(this, arg)

    def width_of(self, node, types):
        value = self.numbers.number(node)
        if value.known is not None:
            return str(value.known)
        if not value.field or value.is_bool or value.type not in types:
            raise Untranslatable("a width or precision that is neither constant nor a field")
        return f"{value.field}$"

    def number(self, this, arg):
        conversion = this.conversion
        to = Int(LENGTHS[this.length], conversion in "di")
        if conversion == "c":
            to = TYPES["u8"]
        value = self.numbers.number(arg)
        if value.field and value.is_bool and conversion in "diu":
            return value.field, self.number_spec(this, value.type), "", ""
        if value.known is None and not value.is_bool:
            if not value.fits(to):
                value = cast(value, to)
        else:
            value = cast(value, to)
        spec = self.number_spec(this, value.type)
        if value.field:
            return value.field, spec, "", ""
        text = value.text if value.known is None else f"{value.text} as {to}"
        return "", spec, text, self.hint(arg)

    @staticmethod
    def number_spec(this, ctype):
        flags, width, conversion = this.flags, this.width, this.conversion
        if conversion == "c":
            if flags or width or this.precision:
                raise Untranslatable("a character with a width")
            return "c"
        if " " in flags:
            raise Untranslatable("the flag ` ` of a number")
        left, zero = "-" in flags, "0" in flags
        if this.precision:
            # The minimum number of digits.
            if width or ctype.signed or "#" in flags and conversion not in "xX":
                raise Untranslatable("the precision of a number")
            # In Rust, the prefix counts.
            width, zero = str(int(this.precision) + 2 * ("#" in flags)), True
        alternate = "#" in flags and conversion in "xX"
        if "#" in flags and conversion == "o":
            raise Untranslatable("`%#o`")
        if alternate and width and not zero and not left:
            raise Untranslatable("a number with `0x` and blanks before it")
        spec = "<" if left and width else ""
        if "+" in flags and conversion in "di":
            if not ctype.signed:
                raise Untranslatable("`%+d` of an unsigned number")
            spec += "+"
        spec += "#" if alternate else ""
        spec += "0" if zero and width and not left else ""
        spec += width
        return spec + (conversion if conversion in "xXo" else "")

    @staticmethod
    def text_spec(this, width, precision):
        width = width or this.width
        precision = precision or this.precision
        if set(this.flags) - set("-"):
            raise Untranslatable(f"the flags `{this.flags}` of a string")
        spec = ""
        if width:
            spec = ("" if "-" in this.flags else ">") + width
        return spec + (f".{precision}" if precision else "")

    def string(self, this, arg, width, precision):
        spec = self.text_spec(this, width, precision)
        plain = strip_casts(arg)
        match plain:
            case c.Field(name):
                found = self.numbers.field(name)
                if found.kind == "array" and found.element.size == 1 and found.chars:
                    if precision and not precision.isdigit():
                        raise Untranslatable("a precision in a field for an array of characters")
                    return name, spec, "", ""
                if found.kind == "pointer":
                    raise Untranslatable("a string that isn't in the record")
                raise Untranslatable(f"`{name}` as a string")
            case c.Call(call, (c.Name(name), *_)) if call.replace("_rel_", "_") in (
                "__get_str", "__get_dynamic_array",
            ):
                if self.numbers.field(name).kind != "string":
                    raise Untranslatable(f"`{name}` as a string")
                return name, spec, "", ""
            case c.Call(call, (c.Name(name), *_)) if call.replace("_rel_", "_") in ("__get_bitmask", "__get_cpumask"):
                if spec:
                    raise Untranslatable("a mask with a width")
                found = self.numbers.field(name)
                if found.kind not in ("mask", "cpumask"):
                    raise Untranslatable(f"`{name}` as a mask")
                return name, "list" if "cpumask" in call else "", "", ""
            case c.Call("__print_hex" | "__print_hex_str" | "__print_array" as call, args):
                if spec:
                    raise Untranslatable("an array with a width")
                return self.array(args, call)
            case c.Call("__print_dynamic_array", (c.Name(name), size)):
                found = self.numbers.field(name)
                if found.kind != "list" or spec or self.known(size) != found.element.size:
                    raise Untranslatable(f"`{name}` as an array")
                return name, "print_array", "", ""
            case c.Call("__print_hex_dump", (prefix, kind, row, group, data, length, ascii_)):
                if spec:
                    raise Untranslatable("an array with a width")
                head = self.dump(prefix, kind, row, group)
                shown = "true" if self.known(ascii_) else "false"
                return self.array((data, length), "__print_hex_dump", head, f", {shown}")
        text = self.text(arg)
        if spec and ("print_flags" in text or "if " in text and "print_" in text):
            raise Untranslatable("a width with a table")
        if "$" in spec:
            raise Untranslatable("a string with its precision in a field")
        return "", spec, text, self.hint(arg)

    def text(self, node):
        """Returns an argument that is a text."""
        match strip_casts(node):
            case c.String(text):
                self.check_text(text)
                if '"' in text:
                    raise Untranslatable("a quote in a string")
                return quote(text)
            case c.Choice(cond, yes, no):
                decided = self.numbers.number(cond)
                if decided.known is not None:
                    return self.text(yes if decided.known else no)
                other = self.text(no)
                other = other if other.startswith("if ") else f"{{ {other} }}"
                return f"if {condition(decided).text} {{ {self.text(yes)} }} else {other}"
            case c.Call(call, args) if call in TABLES:
                return self.table(call, args)
            case c.Call(call, (cond,)) if call in CHOICES:
                yes, no = CHOICES[call]
                return self.text(c.Choice(cond, c.String(yes), c.String(no)))
            case c.Field(name):
                found = self.numbers.field(name)
                if found.kind == "array" and found.chars:
                    return rust_name(name)
                if found.kind == "pointer":
                    raise Untranslatable("a string that isn't in the record")
                raise Untranslatable(f"`{name}` as a string")
            case c.Call("__get_str" | "__get_rel_str", (c.Name(name),)):
                return rust_name(self.numbers.field(name).name)
            case c.Call(name, _):
                raise Untranslatable(f"`{name}()`")
            case c.Name(name):
                raise Untranslatable(f"the string `{name}`")
        raise Untranslatable("an expression that isn't a string")

    def table(self, call, args):
        flags = "flags" in call
        value = self.numbers.number(args[0])
        entries = args[1:]
        delimiter = ""
        if flags:
            if not isinstance(entries[0], c.String):
                raise Untranslatable("flags without a delimiter")
            delimiter = quote(entries[0].text) + ", "
            entries = entries[1:]
        if value.is_bool:
            value = cast(value, TYPES["u8"])
        # The kernel compares unsigned longs.
        rows, missing, sources = {}, [], {}
        for entry in entries:
            try:
                known, text = self.entry(call, entry)
            except Untranslatable as error:
                missing.append((error, getattr(entry, "source", "")))
                continue
            if text is None:
                break
            rows.setdefault(known, text)
            sources.setdefault(known, entry.source)
        # Of a negative number, C sees 64 bits, and so it shows what has no name. If the sign has a
        # name of its own, nothing of it is left.
        sign = ULONG.wrap(value.type.min)
        if not value.fits(ULONG) and not (
            flags and sign in rows and all(map(value.type.holds_bits, rows))
        ):
            value = cast(value, TYPES["s64"])
        if value.known is not None:
            value = typed(value)
        # Without those that it can't have.
        rows = {known: text for known, text in rows.items() if value.type.holds_bits(known)}
        if flags and value.type.size == 8:
            # The library shows the highest bit by itself, before the others: see Table::highest() (event/symbols.rs).
            for known in [known for known in rows if known > HIGHEST]:
                del rows[known]
                missing.append((Untranslatable("a flag of the highest bit and others"), sources[known]))
            rows = dict(sorted(rows.items(), key=lambda row: row[0] != HIGHEST))
        rows = {value.type.wrap(known): text for known, text in rows.items()}
        if not rows:
            raise missing[0][0] if missing else Untranslatable(f"`{call}()` without entries")
        if missing:
            others = f" (and {len(missing) - 1} more entries)" if len(missing) > 1 else ""
            self.problems.append((f"{missing[0][0]}{others}", ", ".join(source for _, source in missing)))
        head = f"print_{'flags' if flags else 'symbolic'}({value.text}, {delimiter}{{"
        rows = [
            f"{known:#x} => {quote(text)}" if flags and known > 9 else f"{known} => {quote(text)}"
            for known, text in rows.items()
        ]
        if len(rows) > 3:
            indent = " " * 12
            return head + "\n" + "".join(f"{indent}{row},\n" for row in rows) + indent[4:] + "})"
        return f"{head} {', '.join(rows)} }})"

    def entry(self, call, entry):
        """Returns the value of an entry in a table, and its name, which is None at the end."""
        if not isinstance(entry, c.Braces) or len(entry.items) != 2:
            raise Untranslatable(f"an entry of `{call}()`")
        number, text = entry.items
        text = strip_casts(text)
        if text in (c.Number(0, INT), c.Name("NULL")):
            return 0, None
        if not isinstance(text, c.String):
            raise Untranslatable(f"an entry of `{call}()` that isn't a string")
        number = self.numbers.number(number)
        if number.known is None:
            raise Untranslatable(f"an entry of `{call}()` that isn't constant")
        self.check_text(text.text)
        if '"' in text.text:
            raise Untranslatable("a quote in a string")
        return ULONG.wrap(number.known), text.text

    def dump(self, prefix, kind, row, group):
        """The first arguments of `print_hex_dump`."""
        kinds = ("DUMP_PREFIX_NONE", "DUMP_PREFIX_ADDRESS", "DUMP_PREFIX_OFFSET")
        if not isinstance(prefix, c.String):
            raise Untranslatable("a prefix that isn't a string")
        self.check_text(prefix.text)
        if isinstance(kind, c.Name) and kind.name in kinds:
            kind = kind.name
        elif isinstance(kind, c.Number) and kind.value < len(kinds):
            kind = kinds[kind.value]
        else:
            raise Untranslatable("the prefix of `__print_hex_dump()`")
        row, group = self.known(row), self.known(group)
        # As in hex_dump_to_buffer() (lib/hexdump.c).
        row = row if row == 32 else 16
        group = group if group in (1, 2, 4, 8) else 1
        return f"{quote(prefix.text)}, {kind}, {row}, {group}, "

    def array(self, args, call, head="", tail=""):
        """Shows an array, or a part of it."""
        data = strip_casts(args[0])
        if isinstance(data, c.Unary) and data.op == "&":
            data = data.of
        is_array = call == "__print_array"
        size = self.known(args[2]) if is_array else 1
        if size not in (1, 2, 4, 8):
            raise Untranslatable(f"elements of {size} bytes")
        match data:
            case c.Field(name):
                found = self.numbers.field(name)
                if found.kind not in ("array", "struct") or is_array and found.kind != "array":
                    raise Untranslatable(f"`{name}` as an array")
                is_all = self.numbers.number(args[1]).known == found.size // size
            case c.Call("__get_dynamic_array" | "__get_rel_dynamic_array", (c.Name(name),)):
                found = self.numbers.field(name)
                if found.kind == "string":
                    raise Untranslatable(f"bytes of `{name}`, which is a string by its type")
                if found.kind != "list":
                    raise Untranslatable(f"`{name}` as an array")
                is_all = self.is_length(args[1], name, size)
            case _:
                raise Untranslatable("an array that isn't a field")
        other = is_array and size != found.element.size
        if other:
            if size not in (1, 2, 4, 8):
                raise Untranslatable(f"elements of {size} bytes")
            tail = f", {size}"
        helper = call[2:]
        if is_all and not other and not head:
            return name, helper, "", ""
        if is_all and head:
            return "", "", f"{helper}({head}{rust_name(name)}{tail})", name
        length = self.numbers.number(args[1])
        if length.is_bool:
            length = cast(length, TYPES["u32"])
        return "", "", f"{helper}({head}{rust_name(name)}, {length.text}{tail})", name

    def known(self, node):
        value = self.numbers.number(node).known
        if value is None:
            raise Untranslatable("a number of bytes that isn't constant")
        return value

    def is_length(self, node, name, size):
        """Whether it's the number of elements of a list."""
        node = strip_casts(node)
        if size > 1:
            if not isinstance(node, c.Binary) or node.op != "/" or self.known(node.right) != size:
                return False
            node = strip_casts(node.left)
        return (
            isinstance(node, c.Call)
            and node.name in ("__get_dynamic_array_len", "__get_rel_dynamic_array_len")
            and node.args == (c.Name(name),)
        )

    def pointer(self, this, operands, arg):
        extension = this.extension
        if extension.startswith("h"):
            return self.hex(this, operands, arg)
        if operands or this.flags or this.width or this.precision:
            raise Untranslatable("a pointer with a width")
        if extension in ("", "K", "x", "S", "s", "SR", "F", "f", "B"):
            spec = {"": "p", "K": "p", "x": "px", "F": "pS", "f": "ps", "B": "pS", "SR": "pS"}.get(extension, f"p{extension}")
            plain = strip_casts(arg)
            if isinstance(plain, c.Field) and self.numbers.field(plain.name).kind == "pointer":
                return plain.name, "" if spec == "p" else spec, "", ""
            value = self.numbers.number(plain)
            if value.field and value.type == ULONG:
                return value.field, spec, "", ""
            return "", spec, cast(value, ULONG).text, self.hint(arg)
        data = strip_casts(arg)
        if extension in ("ad", "ap", "a"):
            if not (isinstance(data, c.Unary) and data.op == "&" and isinstance(data.of, c.Field)):
                raise Untranslatable(f"`%p{extension}` of an expression")
            found = self.numbers.field(data.of.name)
            if found.kind != "int" or found.element != ULONG:
                raise Untranslatable(f"`%p{extension}` of `{found.name}`")
            return found.name, "pad", "", ""
        if isinstance(data, c.Unary) and data.op == "&":
            data = data.of
        sizes = {"M": 6, "m": 6, "I4": 4, "i4": 4, "I6": 16, "i6": 16, "U": 16}
        match data:
            case c.Call("__get_sockaddr" | "__get_rel_sockaddr" | "__get_dynamic_array", (c.Name(name),)) if extension.startswith("IS"):
                if extension != "ISpc":
                    raise Untranslatable(f"`%p{extension}`")
                kind = self.numbers.field(name).kind
                return name, "" if kind == "sockaddr" else "pISpc", "", ""
            case c.Field(name):
                found = self.numbers.field(name)
                bytes_ = found.kind == "struct" or found.kind == "array" and found.element.size == 1
                if extension == "ISpc" and bytes_ and found.size >= 16:
                    return name, "pISpc", "", ""
                for start, size in sizes.items():
                    if extension.startswith(start) and bytes_ and found.size == size:
                        if extension not in ("mR", "I4h", "I4n", "I4b", "I4l"):
                            return name, f"p{extension}", "", ""
                raise Untranslatable(f"`%p{extension}` of `{found.declaration}`")
        raise Untranslatable(f"`%p{extension}` of an expression")

    def hex(self, this, operands, arg):
        if this.flags or this.precision or this.width == "":
            raise Untranslatable("`%ph` without a length")
        data = strip_casts(arg)
        if isinstance(data, c.Unary) and data.op == "&":
            data = data.of
        length = operands[0] if operands else c.Number(int(this.width), INT)
        match data:
            case c.Call("__get_dynamic_array" | "__get_rel_dynamic_array", (c.Name(name),)):
                return self.bytes(this, data, length)
            case c.Field(name):
                found = self.numbers.field(name)
                if found.kind == "array" and found.element.size != 1:
                    raise Untranslatable(f"the bytes of `{name}`")
                return self.bytes(this, data, length)
        raise Untranslatable("bytes that aren't a field")

    def bytes(self, this, data, length):
        colons = this.extension in ("hC", "hD")
        if colons and isinstance(data, c.Field):
            raise Untranslatable(f"`%p{this.extension}` of an array")
        helper = "__print_hex_str" if this.extension == "hN" else "__print_hex"
        name, spec, expression, hint = self.array((data, length), helper)
        if colons:
            expression = expression.replace("print_hex", f"p{this.extension}", 1)
        return name, spec and f"p{this.extension}", expression, hint

    def hint(self, node):
        """A name for an expression of one field."""
        names = {name.name for name in walk([node]) if isinstance(name, c.Field)}
        return names.pop() if len(names) == 1 else ""


def strip_casts(node):
    """Without casts to pointers."""
    while isinstance(node, c.Cast) and "*" in node.type:
        node = node.of
    return node


def walk(nodes):
    """All nodes of expressions, which can be nested deeply."""
    rest = list(nodes)[::-1]
    while rest:
        node = rest.pop()
        yield node
        children = []
        for name in getattr(node, "__dataclass_fields__", ()):
            child = getattr(node, name)
            children += child if isinstance(child, tuple) else [child]
        rest += [child for child in children[::-1] if not isinstance(child, (str, int, Int))]
