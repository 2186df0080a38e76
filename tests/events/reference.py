# SPDX-License-Identifier: GPL-2.0
#
# What the kernel prints for a record: evaluates the expressions of a `print fmt` by C's
# rules. libtraceevent treats all numbers as unsigned and 64 bits wide, so it gets some
# expressions wrong, such as `REC->error < 0`.

import re

from event_format import c
from event_format.c import INT, TYPES, ULONG, Int, Pointer, Untranslatable
from event_format.number import Numbers, common, promote
from event_format.show import LENGTHS, TABLES, split, strip_casts

# C doesn't define the text.
UNDEFINED = "not defined"
# For C's events, tools show another text than the kernel, and ours show theirs.
DIFFERENT = "the kernel and tools differ"


class Reference:
    """The text of an event's records, as a regular expression: not all is known here."""

    def __init__(self, event):
        self.pieces, self.args, _ = split(event.print_fmt)
        self.numbers = Numbers(event)

    def pattern(self, data):
        """Returns the expression that the text of a record must match."""
        self.data = data
        # Why a part of it isn't known.
        self.problems = set()
        args, pattern = iter(self.args), ""
        for piece in self.pieces:
            if isinstance(piece, str):
                pattern += re.escape(piece)
                continue
            stars = [next(args) for star in (piece.width, piece.precision) if star == "*"]
            arg = next(args)
            try:
                if stars or piece.conversion not in "diuxXcs":
                    raise Untranslatable("not known")
                pattern += re.escape(self.conversion(piece, arg))
            except (Untranslatable, IndexError, ValueError) as error:
                self.problems.add(str(error))
                pattern += ".*"
        return re.compile(pattern.encode("latin-1"), re.DOTALL)

    def conversion(self, piece, arg):
        flags = piece.flags
        if piece.conversion == "s":
            self.has_width = bool(piece.width or piece.precision)
            text = self.text(arg)
            if piece.precision:
                text = text[: int(piece.precision)]
            width = int(piece.width or 0)
            return text.ljust(width) if "-" in flags else text.rjust(width)
        value, _ = self.number(arg)
        to = TYPES["u8"] if piece.conversion == "c" else Int(LENGTHS[piece.length], piece.conversion in "di")
        value = to.wrap(value)
        if piece.conversion == "c":
            return chr(value)
        flags = flags.replace("-", "<")
        kind = "d" if piece.conversion in "diu" else piece.conversion
        if piece.precision or " " in flags:
            raise Untranslatable("not known")
        order = [flag for flag in "<+#0" if flag in flags and (flag != "0" or "<" not in flags)]
        return format(value, "".join(order) + piece.width + kind)

    def bytes(self, name):
        this = self.numbers.field(name)
        place = self.data[this.offset : this.offset + this.size]
        if this.is_dynamic:
            location = int.from_bytes(place, "little")
            start = (location & 0xFFFF) + (this.offset + 4 if this.rel else 0)
            return self.data[start : start + (location >> 16)]
        return place

    def text(self, node):
        match strip_casts(node):
            case c.String(text):
                return text
            case c.Choice(cond, yes, no):
                return self.text(yes if self.number(cond)[0] else no)
            case c.Call("__get_str" | "__get_rel_str" | "__get_dynamic_array", (c.Name(name),)) | c.Field(name):
                if not self.numbers.field(name).chars:
                    raise Untranslatable("not known")
                return self.bytes(name).split(b"\0")[0].decode("latin-1")
            case c.Call("__get_cpumask" | "__get_rel_cpumask"):
                raise Untranslatable(DIFFERENT)
            case c.Call(call, args) if call in TABLES:
                return self.table(call, args)
            case c.Call("__print_hex" | "__print_hex_str" | "__print_array" as call, args):
                return self.array(call, *args)
        raise Untranslatable("not known")

    def array(self, call, data, length, size=c.Number(1, INT)):
        data = strip_casts(data)
        if isinstance(data, c.Unary) and data.op == "&":
            data = data.of
        match data:
            case c.Call("__get_dynamic_array" | "__get_rel_dynamic_array", (c.Name(name),)) | c.Field(name):
                size = self.number(size)[0]
                found, end = self.bytes(name), self.number(length)[0] * size
            case _:
                raise Untranslatable("not known")
        if not 0 <= end <= len(found):
            # C reads what follows.
            raise Untranslatable(UNDEFINED)
        if call != "__print_array":
            return found[:end].hex() if call.endswith("str") else found[:end].hex(" ")
        numbers = (int.from_bytes(found[at : at + size], "little") for at in range(0, end, size))
        return "{" + ",".join(f"{number:#x}" for number in numbers) + "}"

    def table(self, call, args):
        value = ULONG.wrap(self.number(args[0])[0])
        flags = "flags" in call
        shown, entries = [], args[2:] if flags else args[1:]
        for entry in entries:
            number, text = entry.items
            text = strip_casts(text)
            if not isinstance(text, c.String):
                break
            number = ULONG.wrap(self.number(number)[0])
            if not flags and value == number:
                return text.text
            if flags and number == 0:
                raise Untranslatable(DIFFERENT)
            if flags and value & number == number:
                shown.append(text.text)
                value &= ~number
        if not flags:
            if self.has_width:
                raise Untranslatable(DIFFERENT)
            return f"{value:#x}"
        if value:
            shown.append(f"{value:#x}")
        return args[1].text.join(shown)

    def number(self, node):
        """Returns a value and its type."""
        match node:
            case c.Number(value, ctype):
                return value, ctype
            case c.Field(name):
                this = self.numbers.field(name)
                if this.kind not in ("int", "pointer"):
                    raise Untranslatable("not known")
                value = this.element.wrap(int.from_bytes(self.bytes(name), "little"))
                return value, promote(this.element)
            case c.Index(c.Field(name), index):
                this = self.numbers.field(name)
                at = self.number(index)[0] * this.element.size
                value = int.from_bytes(self.bytes(name)[at : at + this.element.size], "little")
                return this.element.wrap(value), promote(this.element)
            case c.Cast(name, of):
                ctype = c.type_of(name)
                ctype = ULONG if isinstance(ctype, Pointer) else ctype
                if ctype is None:
                    raise Untranslatable("not known")
                value = self.number(of)[0]
                return (int(value != 0) if name in ("bool", "_Bool") else ctype.wrap(value)), promote(ctype)
            case c.Sizeof(of):
                return self.numbers.sizeof(of), ULONG
            case c.Unary("!", of):
                return int(not self.number(of)[0]), INT
            case c.Unary("-" | "~" | "+" as op, of):
                value, ctype = self.number(of)
                return ctype.wrap({"-": -value, "~": ~value, "+": value}[op]), ctype
            case c.Choice(cond, yes, no):
                (a, a_type), (b, b_type) = self.number(yes), self.number(no)
                to = common(a_type, b_type)
                return to.wrap(a if self.number(cond)[0] else b), to
            case c.Binary("&&" | "||" as op, left, right):
                first = bool(self.number(left)[0])
                if first == (op == "||"):
                    return int(first), INT
                return int(bool(self.number(right)[0])), INT
            case c.Binary(op, left, right):
                return self.binary(op, self.number(left), self.number(right))
            case c.Call(name, (c.Name(field),)) if name.replace("_rel", "") == "__get_dynamic_array_len":
                return len(self.bytes(field)), INT
            case c.Name(name) if name in Numbers.values:
                return Numbers.values[name]
        raise Untranslatable("not known")

    @staticmethod
    def binary(op, left, right):
        (a, a_type), (b, b_type) = left, right
        if op in ("<<", ">>"):
            if not 0 <= b < a_type.bits:
                raise Untranslatable(UNDEFINED)
            return a_type.wrap(a << b if op == "<<" else a >> b), a_type
        to = common(a_type, b_type)
        a, b = to.wrap(a), to.wrap(b)
        if op in ("==", "!=", "<", ">", "<=", ">="):
            return int({"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[op]), INT
        if op in ("/", "%"):
            if b == 0:
                raise Untranslatable(UNDEFINED)
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return to.wrap(quotient if op == "/" else a - quotient * b), to
        return to.wrap({"*": a * b, "+": a + b, "-": a - b, "&": a & b, "|": a | b, "^": a ^ b}[op]), to
