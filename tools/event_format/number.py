# SPDX-License-Identifier: GPL-2.0
#
# Numbers of a `print fmt`: from C's expression, with its promotions, to Rust's, whose
# operands have the same type.

import re
from dataclasses import dataclass, replace

from event_format import c
from event_format.c import INT, TYPES, ULONG, Int, Pointer, Untranslatable
from event_format.record import make_field, rust_name

# Rust's precedence.
AS, UNARY, ATOM = 11, 12, 13
LEVELS = {"*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "&": 7, "^": 6, "|": 5}
COMPARISON, AND, OR, IF = 4, 3, 2, 0
BOOL = Int(1, False)


# What a record starts with.
COMMON = (
    make_field("unsigned char common_flags", 2, 1, False),
    make_field("unsigned char common_preempt_count", 3, 1, False),
    make_field("int common_pid", 4, 4, True),
)


@dataclass(frozen=True)
class Value:
    """An expression in Rust. Its value is that of C's expression."""

    text: str
    level: int
    # The type in Rust; "bool" is a type of its own.
    type: Int
    # The type in C, after its promotion.
    c: Int
    is_bool: bool = False
    # The value of a constant.
    known: int = None
    hex: bool = False
    # The name of the field, if that's all.
    field: str = ""
    # The lowest and the highest value, if they are known to be others than the type's.
    span: tuple = None

    def fits(self, ctype):
        """Whether the type has all of its values."""
        low, high = self.span or (self.type.min, self.type.max)
        return ctype.min <= low and high <= ctype.max

    def at(self, level):
        """The expression as an operand."""
        return self.text if self.level >= level else f"({self.text})"


def promote(ctype):
    return INT if ctype.size < 4 else ctype


def common(a, b):
    """C's usual arithmetic conversions."""
    if a.size != b.size:
        return a if a.size > b.size else b
    return Int(a.size, a.signed and b.signed)


def constant(value, ctype, hexadecimal=False):
    text = f"{value:#x}" if hexadecimal and value > 9 else str(value)
    return Value(text, UNARY if value < 0 else ATOM, ctype, ctype, known=value, hex=hexadecimal)


def typed(value):
    """A constant as an operand that has no other one to take its type from."""
    return value if value.type == INT else replace(value, text=f"{value.text}{value.type}")


def cast(value, to):
    """Converts to a type, as C and Rust do alike."""
    if value.known is not None:
        return constant(to.wrap(value.known), to, value.hex)
    if value.is_bool or value.type != to:
        return Value(f"{value.at(AS)} as {to}", AS, to, promote(to))
    return Value(value.text, value.level, to, promote(to), field=value.field)


def condition(value):
    """Returns a `bool`."""
    if value.known is not None:
        raise Untranslatable("a condition that is constant")
    if value.is_bool:
        return value
    return Value(f"{value.at(COMPARISON + 1)} != 0", COMPARISON, BOOL, INT, is_bool=True)


def swapped(node, size):
    """Swaps the bytes of a number."""
    ctype = f"u{8 * size}"
    number, result = c.Cast(ctype, node), None
    for i in range(size):
        byte = c.Binary("&", c.Binary(">>", number, c.Number(8 * i, INT)), c.Number(0xFF, INT, True))
        byte = c.Binary("<<", c.Cast(ctype, byte), c.Number(8 * (size - 1 - i), INT))
        result = c.Binary("|", result, byte) if result else byte
    return c.Cast(ctype, result)


def left_operand(value, level, op):
    # `a as u32 < b` would start a list of types.
    if op in ("<", "<<") and re.search(r" as \w+$", value.text):
        return f"({value.text})"
    return value.at(level)


class Numbers:
    """Translates the numbers of one event."""

    # The values of enumerators that the format files don't say, with their types.
    values = {}

    def __init__(self, event):
        self.fields = {this.name: this for this in (*COMMON, *event.fields)}

    def field(self, name):
        this = self.fields.get(name)
        if this is None:
            raise Untranslatable(f"there is no field `{name}`")
        if this.error:
            raise Untranslatable(f"field `{name}`: {this.error}")
        return this

    def number(self, node):
        match node:
            case c.Number(value, ctype, is_hex):
                return constant(value, ctype, is_hex)
            case c.Field(name):
                return self.of_field(self.field(name))
            case c.Cast(ctype, of):
                return self.of_cast(ctype, of)
            case c.Sizeof(of):
                return constant(self.sizeof(of), ULONG)
            case c.Unary(op, of):
                return self.unary(op, of)
            case c.Binary(op, left, right):
                return self.binary(op, left, right)
            case c.Choice(cond, yes, no):
                return self.choice(cond, yes, no)
            case c.Index(c.Field(name), index):
                return self.element(self.field(name), self.number(index))
            case c.Call(name, (argument,)) if name.replace("_rel", "") == "__get_dynamic_array_len":
                return self.length(argument)
            case c.Call("__builtin_bswap16" | "__builtin_bswap32" | "__builtin_bswap64" as name, (value,)):
                return self.number(swapped(value, int(name[-2:]) // 8))
            case c.Call("ktime_to_ns", (value,)):
                return self.number(value)
            case c.Call("ktime_to_us" | "ktime_to_ms" as name, (value,)):
                divisor = 1000 if name.endswith("us") else 1000000
                return self.binary("/", c.Cast("s64", value), c.Number(divisor, INT))
            case c.Call("__builtin_expect", (value, _)):
                return self.number(value)
            case c.Call("__print_ns_to_secs", (value,)):
                return self.binary("/", c.Cast("u64", value), c.Number(10**9, INT))
            case c.Call("__print_ns_without_secs", (value,)):
                return cast(self.binary("%", c.Cast("u64", value), c.Number(10**9, INT)), TYPES["u32"])
            case c.Call(name, _):
                raise Untranslatable(f"`{name}()`")
            case c.Name("true" | "false" as name):
                return constant(int(name == "true"), INT)
            case c.Name(name) if name in self.values:
                return constant(*self.values[name])
            case c.Name(name):
                raise Untranslatable(f"the format file doesn't say the value of `{name}`")
            case c.Member(c.Field("ent"), name) if f"common_{name}" in self.fields:
                return self.of_field(self.fields[f"common_{name}"])
            case c.Member(_, name):
                raise Untranslatable(f"the member `{name}` of a struct")
        raise Untranslatable("an expression that isn't a number")

    def of_field(self, this):
        name = rust_name(this.name)
        if this.kind == "int":
            if this.rust == "bool":
                return Value(name, ATOM, BOOL, INT, is_bool=True, field=this.name)
            return Value(name, ATOM, this.element, promote(this.element), field=this.name)
        if this.kind == "pointer":
            return Value(f"{name} as u64", AS, ULONG, ULONG)
        raise Untranslatable(f"`{this.name}` as a number")

    def element(self, this, index):
        if this.kind != "array" or index.known is None or not 0 <= index.known < this.length:
            raise Untranslatable(f"an element of `{this.name}` whose index isn't constant")
        text = f"{rust_name(this.name)}[{index.known}]"
        return Value(text, ATOM, this.element, promote(this.element))

    def length(self, argument):
        if not isinstance(argument, c.Name):
            raise Untranslatable("the length of an expression")
        this = self.field(argument.name)
        if this.kind != "string" and this.element.size != 1:
            raise Untranslatable(f"the length of `{this.name}` in bytes")
        text = f"{rust_name(this.name)}.len() as u32"
        return Value(text, AS, Int(4, False), INT)

    def sizeof(self, of):
        if isinstance(of, str):
            ctype = c.type_of(of)
            if isinstance(ctype, Pointer):
                return 8
            if ctype is None:
                raise Untranslatable(f"the size of `{of}`")
            return ctype.size
        if isinstance(of, c.Field):
            return self.field(of.name).size
        if isinstance(of, c.Index) and isinstance(of.of, c.Field):
            return self.field(of.of.name).element.size
        raise Untranslatable("the size of an expression")

    def of_cast(self, name, of):
        ctype = c.type_of(name)
        if isinstance(ctype, Pointer):
            ctype = ULONG
        if ctype is None:
            raise Untranslatable(f"a cast to `{name}`")
        value = self.number(of)
        if name in ("bool", "_Bool"):
            value = condition(value)
            return value
        # No `as` if all values stay as they are.
        if value.known is None and not value.is_bool and value.fits(ctype):
            return replace(value, c=promote(ctype))
        return cast(value, ctype)

    def unary(self, op, of):
        if op == "!":
            value = self.number(of)
            if value.known is not None:
                return constant(int(not value.known), INT)
            if value.is_bool:
                return Value(f"!{value.at(UNARY)}", UNARY, BOOL, INT, is_bool=True)
            return Value(f"{value.at(COMPARISON + 1)} == 0", COMPARISON, BOOL, INT, is_bool=True)
        if op == "*":
            raise Untranslatable("what a pointer points to")
        if op == "&":
            raise Untranslatable("the address of a field as a number")
        value = self.number(of)
        if op == "+":
            return value
        to = promote(value.c)
        if value.known is not None:
            known = -value.known if op == "-" else ~value.known
            return constant(to.wrap(known), to, value.hex)
        value = cast(value, to)
        if op == "-" and not to.signed:
            return Value(f"0 - {value.at(10)}", 9, to, to)
        return Value(f"{'!' if op == '~' else '-'}{value.at(UNARY)}", UNARY, to, to)

    def choice(self, cond, yes, no):
        # `a ?: b`
        yes, no = self.number(yes), self.number(no)
        decided = self.number(cond)
        to = common(yes.c, no.c)
        if decided.known is not None:
            return cast(yes if decided.known else no, to)
        yes, no = cast(yes, to), cast(no, to)
        if yes.known is not None and no.known is not None and to != INT:
            yes = replace(yes, text=f"{yes.text}{to}")
        text = f"if {condition(decided).text} {{ {yes.text} }} else {{ {no.text} }}"
        return Value(text, IF, to, to)

    def binary(self, op, left, right):
        a, b = self.number(left), self.number(right)
        if op in ("&&", "||"):
            return self.logic(op, a, b)
        to = promote(a.c) if op in ("<<", ">>") else common(promote(a.c), promote(b.c))
        if a.known is not None and b.known is not None:
            return self.fold(op, a, b, to)
        if op in ("<<", ">>"):
            return self.shift(op, a, b, to)
        if op in ("/", "%"):
            if b.known is None:
                raise Untranslatable("a division by something that isn't constant")
            if b.known == 0:
                raise Untranslatable("a division by zero")
        narrow = self.narrow(op, a, b, to)
        operand = narrow or to
        if op in ("==", "!=", "<", ">", "<=", ">="):
            x, y = cast(a, operand), cast(b, operand)
            text = f"{left_operand(x, COMPARISON + 1, op)} {op} {y.at(COMPARISON + 1)}"
            return Value(text, COMPARISON, BOOL, INT, is_bool=True)
        x, y = cast(a, operand), cast(b, operand)
        level = LEVELS[op]
        text = f"{x.at(level)} {op} {y.at(level + 1)}"
        return Value(text, level, operand, to, span=self.span(op, x, y))

    @staticmethod
    def span(op, x, y):
        """Returns the lowest and the highest value that the operation can have."""
        known = y.known if y.known is not None else x.known
        if known is None or known < 0:
            return None
        if op == "&":
            return 0, known
        if x.known is None and not x.type.signed:
            if op == "%":
                return 0, known - 1
            if op == "/":
                return 0, x.type.max // known
        return None

    @staticmethod
    def narrow(op, a, b, to):
        """Returns the type of the operands if the result is the same in it, without C's promotion."""
        if a.is_bool or b.is_bool:
            return None
        if a.known is None and b.known is None:
            same = a.type == b.type and to.holds(a.type)
            return a.type if same and op in ("&", "|", "^", "==", "!=", "<", ">", "<=", ">=") else None
        value, known = (a, b.known) if b.known is not None else (b, a.known)
        known = to.wrap(known)
        if not to.holds(value.type) or not value.type.min <= known <= value.type.max:
            return None
        if op in ("==", "!=", "<", ">", "<=", ">="):
            return value.type
        if not value.type.signed and op in ("&", "|", "^"):
            return value.type
        if not value.type.signed and op in ("/", "%") and b.known is not None:
            return value.type
        return None

    @staticmethod
    def shift(op, a, b, to):
        if b.known is None:
            # In C, more than the width isn't defined.
            x, level = cast(a, to), LEVELS[op]
            x = x if x.known is None else typed(x)
            return Value(f"{left_operand(x, level, op)} {op} {b.at(level + 1)}", level, to, to)
        if not 0 <= b.known < to.bits:
            raise Untranslatable(f"a shift by {b.known} bits")
        if b.known == 0:
            return cast(a, to) if a.is_bool else replace(a, c=to)
        # To the right, the result is the same without the promotion.
        stays = op == ">>" and not a.is_bool and to.holds(a.type) and b.known < a.type.bits
        x = a if stays else cast(a, to)
        level = LEVELS[op]
        span = (x.type.min >> b.known, x.type.max >> b.known) if op == ">>" else None
        return Value(f"{left_operand(x, level, op)} {op} {b.known}", level, x.type, to, span=span)

    @staticmethod
    def logic(op, a, b):
        for known, other in ((a.known, b), (b.known, a)):
            if known is not None:
                if bool(known) == (op == "&&"):
                    return condition(other) if other.known is None else constant(int(bool(other.known)), INT)
                return constant(int(op == "||"), INT)
        a, b = condition(a), condition(b)
        level = AND if op == "&&" else OR
        return Value(f"{a.at(level)} {op} {b.at(level + 1)}", level, BOOL, INT, is_bool=True)

    @staticmethod
    def fold(op, a, b, to):
        x, y = to.wrap(a.known), b.known if op in ("<<", ">>") else to.wrap(b.known)
        if op in ("/", "%") and y == 0:
            raise Untranslatable("a division by zero")
        if op in ("<<", ">>") and not 0 <= y < to.bits:
            raise Untranslatable(f"a shift by {y} bits")
        if op in ("==", "!=", "<", ">", "<=", ">="):
            result = {"==": x == y, "!=": x != y, "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y}[op]
            return constant(int(result), INT)
        if op == "/":
            result = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        elif op == "%":
            result = abs(x) % abs(y) * (-1 if x < 0 else 1)
        else:
            result = {
                "*": x * y, "+": x + y, "-": x - y, "&": x & y, "|": x | y, "^": x ^ y,
                "<<": x << y if op == "<<" else 0, ">>": x >> y if op == ">>" else 0,
            }[op]
        return constant(to.wrap(result), to, a.hex or b.hex or op in ("<<", "&", "|"))
