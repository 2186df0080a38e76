#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: computed.py generate SEED COUNT DIRECTORY
#        computed.py compare SEED RECORDS EXPRESSIONS
#
# Random values after templates. The first form writes a module to DIRECTORY whose events show
# COUNT of them, and computed.json, which has their expressions. The second one runs in the
# virtual machine: it prints RECORDS random records of each event by what rustc has made of the
# expressions, and with libtraceevent. The texts must be the same.

import json
import os
import pathlib
import random
import re
import sys

top = pathlib.Path(__file__).resolve().parents[2]

FILE = "/sys/kernel/debug/event_text"
TRACING = "/sys/kernel/tracing/events/computed"
# test_event_printk() warns about more than 63 conversions.
PER_EVENT = 20
# The library refuses a long argument.
WEIGHT_MAX = 60

# Name, type and a value. Only the compiler knows the types of the last ones.
KNOWN = [
    ("a", "u8", "0"), ("b", "i8", "0"), ("c", "u16", "0"), ("d", "i16", "0"),
    ("e", "u32", "0"), ("f", "i32", "0"), ("g", "u64", "0"), ("h", "i64", "0"),
    ("i", "bool", "false"), ("j", "[u16; 4]", "[0; 4]"), ("k", "[i32; 3]", "[0; 3]"),
    ("l", "DynArray<u32>", "&[0u32]"), ("m", "Rel<DynArray<u16>>", "&[0u16]"),
    ("n", "usize", "0"), ("o", "isize", "0"), ("p", "*const u8", "core::ptr::null()"),
    ("q", "[bool; 2]", "[false; 2]"), ("r", "[u8; 6]", "[0; 6]"), ("s", "Str", 'c""'),
    ("t", "[c_char; 8]", "[0; 8]"), ("u", "DynArray<u8>", "&[0u8]"), ("v", "c_uint", "0"),
]  # fmt: skip
UNKNOWN = [("w", "Short", "0"), ("x", "[Long; 2]", "[0; 2]"), ("y", "Wide", "0")]

CONSTANTS = {
    "ZERO": ("u8", 0), "LIMIT": ("u16", 1000), "NEGATIVE": ("i32", -7), "TOP": ("u64", 1 << 63),
    "LOWEST": ("i64", -(1 << 63)), "Op::WRITE": ("u8", 2), "const { 1 << BITS }": ("u32", 1 << 20),
}  # fmt: skip

TYPES = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]
# Other names of the types.
NAMES = {"u64": ["u64", "usize"], "i64": ["i64", "isize"]}
LEAVES = {
    "u8": ["a", "r[5]", "common_flags", "common_preempt_count"],
    "i8": ["b"],
    "u16": ["c", "j[0]", "j[3]"],
    "i16": ["d"],
    "u32": ["e", "v"],
    "i32": ["f", "k[1]", "common_pid"],
    "u64": ["g", "n", "l.len()", "m.len()", "u.len()"],
    "i64": ["h", "o"],
    "bool": ["i", "q[1]", "true", "false"],
}
MORE_LEAVES = {"i16": ["w"], "i64": ["x[1]"], "u32": ["y"]}

# How tightly Rust's operators bind.
ORDER = {
    "*": 7, "/": 7, "%": 7, "+": 6, "-": 6, "<<": 5, ">>": 5, "&": 4, "^": 3, "|": 2,
    "==": 1, "!=": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&&": 0, "||": -1,
}  # fmt: skip
ATOM, UNARY, CAST, CHOICE = 10, 9, 8, -2


def bits(ty):
    return int(ty[1:])


def bounds(ty):
    size = bits(ty)
    return (-(1 << size - 1), (1 << size - 1) - 1) if ty[0] == "i" else (0, (1 << size) - 1)


def fits(value, ty):
    low, high = bounds(ty)
    return low <= value <= high


class Expression:
    """A text. `values` are the least and the largest value of constants without a type."""

    def __init__(self, text, order=ATOM, weight=1, values=None, ends_in_type=False):
        self.text, self.order, self.weight, self.values = text, order, weight, values
        self.ends_in_type = ends_in_type

    def is_constant(self):
        return self.values is not None and self.order != CHOICE


class Generator:
    def __init__(self, rng, is_known):
        self.rng = rng
        self.is_known = is_known
        # What numbers are compared with.
        self.numbers = set()

    def chance(self, n):
        return self.rng.randrange(n) == 0

    def operand(self, of, least):
        """Returns the text of an operand of an operator that binds so tightly."""
        return f"({of.text})" if of.order < least or self.chance(12) else of.text

    def interesting(self, ty):
        low, high = bounds(ty)
        value = self.rng.choice([
            0, 1, 2, 3, 7, low, low + 1, high, high - 1, high // 2, -1, -2, 127, 128, 255, 256,
            self.rng.randint(0, 100), self.rng.randint(low, high), self.rng.randint(low, high),
        ])  # fmt: skip
        return value if low <= value <= high else self.rng.randint(low, high)

    def literal(self, value, suffix="", in_table=False):
        """Returns the text of a number and how tightly it binds."""
        n = abs(value)
        text = self.rng.choice([str, str, str, hex, oct, bin, "{:_}".format])(n)
        if not suffix and not in_table and 32 < value < 127 and chr(value).isalnum() and self.chance(4):
            text = f"b'{chr(value)}'"
        text += suffix
        self.numbers.add(value)
        return (f"-{text}", UNARY) if value < 0 else (text, ATOM)

    # Constants without a type.

    def constant(self, ty, depth=1):
        """Returns constants that fit into a type."""
        while True:
            found = self.any_constant(ty, depth)
            if all(fits(value, ty) for value in found.values):
                return found

    def any_constant(self, ty, depth):
        kind = self.rng.randrange(10) if depth else 9
        if kind == 0:
            return self.folded(ty, depth - 1)
        if kind == 1:
            op = self.rng.choice("-!")
            of = self.one_constant(ty, depth - 1)
            value = -of.values[0] if op == "-" else ~of.values[0]
            if fits(value, "i64") or fits(value, "u64"):
                return Expression(op + self.operand(of, UNARY), UNARY, 1, (value, value))
        if kind == 2:
            a, b = self.any_constant(ty, depth - 1), self.any_constant(ty, depth - 1)
            values = (min(a.values[0], b.values[0]), max(a.values[1], b.values[1]))
            if all(fits(value, "i32") for value in values):
                return self.choice("bool", depth, [a, b], values)
        if kind == 3 and not self.is_known:
            name, (_, value) = self.rng.choice(list(CONSTANTS.items()))
            self.numbers.add(value)
            return Expression(name, ATOM, 1, (value, value))
        value = self.interesting(ty)
        text, order = self.literal(value)
        return Expression(text, order, 1, (value, value))

    def one_constant(self, ty, depth=1):
        while True:
            found = self.constant(ty, depth)
            if found.is_constant():
                return found

    def folded(self, ty, depth):
        while True:
            a, b = self.one_constant(ty, depth), self.one_constant("u8", depth)
            x, y = a.values[0], b.values[0]
            op = self.rng.choice(["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"])
            if op in ("<<", ">>") and y > 63 or op in ("/", "%") and y == 0:
                continue
            # Rust rounds towards zero.
            quotient = (abs(x) // y if x >= 0 else -(abs(x) // y)) if y else 0
            value = {
                "+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y,
                "/": quotient, "%": x - quotient * y,
            }.get(op)  # fmt: skip
            if value is None:
                value = x << y if op == "<<" else x >> y
            if fits(value, "i64") or fits(value, "u64"):
                return self.joined(op, a, b, (value, value))

    # Numbers with a type, and conditions.

    def joined(self, op, a, b, values=None):
        order = ORDER[op]
        least = order + 1 if order == ORDER["=="] else order
        left = self.operand(a, least)
        # The compiler would take this for the type's parameters.
        if op[0] == "<" and a.ends_in_type and left == a.text:
            left = f"({left})"
        right = self.operand(b, order + 1)
        times = {"^": 2, ">>": 2, "/": 3, "%": 3}.get(op, 1)
        return Expression(
            f"{left} {op} {right}", order, times * (a.weight + b.weight), values,
            right == b.text and b.ends_in_type,
        )  # fmt: skip

    def keys(self, ty, in_table=False):
        """Returns what a number can be compared with."""
        literal = lambda value: self.literal(value, "", in_table)[0]
        keys = []
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            if self.chance(3):
                low, high = sorted([self.interesting(ty), self.interesting(ty)])
                keys.append(f"{literal(low)}..={literal(high)}")
            elif not self.is_known and self.chance(4):
                names = [name for name, (_, value) in CONSTANTS.items() if fits(value, ty) and "{" not in name]
                keys.append(self.rng.choice(names))
            else:
                keys.append(literal(self.interesting(ty)))
        return keys

    def choice(self, ty, depth, values, range_of=None):
        """Returns an `if`, or a `match`, with these values."""
        if self.chance(2):
            condition = self.number("bool", max(depth - 1, 0))
            weight = condition.weight + sum(value.weight for value in values)
            text = f"if {condition.text} {{ {values[0].text} }} else {{ {values[1].text} }}"
            return Expression(text, CHOICE, weight, range_of)
        of_type = self.rng.choice(TYPES)
        of, keys = self.number(of_type, max(depth - 1, 0)), self.keys(of_type)
        weight = 2 * len(keys) * (of.weight + 1) + sum(value.weight for value in values)
        text = f"match {of.text} {{ {' | '.join(keys)} => {values[0].text}, _ => {values[1].text} }}"
        return Expression(text, CHOICE, weight, range_of)

    def settled(self, depth):
        """Returns an `i32` that consists of constants."""
        a, b = self.constant("i32", depth), self.constant("i32", depth)
        low, high = min(a.values[0], b.values[0]), max(a.values[1], b.values[1])
        of = self.choice("i32", depth, [a, b], (low, high))
        if self.chance(2):
            return Expression(self.rng.choice("-!") + self.operand(of, UNARY), UNARY, of.weight)
        pair = [of, self.one_constant("i32")]
        self.rng.shuffle(pair)
        return self.joined(self.rng.choice(["+", "-", "*", "&", "|", "^"]), *pair)

    def leaf(self, ty):
        leaves = LEAVES[ty] + ([] if self.is_known else 2 * MORE_LEAVES.get(ty, []))
        if ty != "bool" and self.chance(5):
            value = self.interesting(ty)
            return Expression(*self.literal(value, self.rng.choice(NAMES.get(ty, [ty]))))
        return Expression(self.rng.choice(leaves))

    def other(self, ty, depth):
        """Returns an operand, which may adapt to the other one."""
        return self.constant(ty) if ty != "bool" and self.chance(3) else self.number(ty, depth)

    def number(self, ty, depth):
        if depth == 0:
            return self.leaf(ty)
        depth = self.rng.randrange(depth)
        return self.condition(depth) if ty == "bool" else self.integer(ty, depth)

    def condition(self, depth):
        kind = self.rng.randrange(8)
        if kind == 0:
            of = self.number("bool", depth)
            return Expression("!" + self.operand(of, UNARY), UNARY, of.weight)
        if kind == 1:
            return self.choice("bool", depth, [self.number("bool", depth) for _ in range(2)])
        if kind <= 3:
            op = self.rng.choice(["&&", "||", "&", "|", "^", "==", "!=", "<", ">="])
            return self.joined(op, self.number("bool", depth), self.number("bool", depth))
        ty = self.rng.choice(TYPES)
        op = self.rng.choice(["==", "!=", "<", ">", "<=", ">="])
        if self.chance(10):
            both = self.one_constant if self.chance(2) else lambda ty: self.constant("i32")
            return self.joined(op, both(ty), both(ty))
        pair = [self.number(ty, depth), self.other(ty, depth)]
        self.rng.shuffle(pair)
        return self.joined(op, *pair)

    def integer(self, ty, depth):
        kind = self.rng.randrange(18)
        if kind == 0 and ty[0] == "i":
            of = self.number(ty, depth)
            return Expression("-" + self.operand(of, UNARY), UNARY, of.weight)
        if kind == 1:
            of = self.number(ty, depth)
            return Expression("!" + self.operand(of, UNARY), UNARY, of.weight)
        if kind <= 4:
            source = self.rng.choice(TYPES + ["bool", "constant", "pointer"])
            if source == "constant":
                of = self.constant(self.rng.choice(TYPES))
            elif source == "pointer":
                of = Expression("p")
            else:
                of = self.number(source, depth)
            name = self.rng.choice(NAMES.get(ty, [ty]))
            return Expression(f"{self.operand(of, CAST)} as {name}", CAST, of.weight, None, True)
        if kind <= 6:
            return self.choice(ty, depth, [self.number(ty, depth), self.other(ty, depth)][:: self.rng.choice([1, -1])])
        if kind <= 8:
            return self.shifted(ty, depth)
        if kind <= 10:
            while not (by := self.one_constant(ty)).values[0]:
                pass
            return self.joined(self.rng.choice("/%"), self.number(ty, depth), by)
        if kind == 11 and ty == "i32":
            return self.settled(depth)
        pair = [self.number(ty, depth), self.other(ty, depth)]
        self.rng.shuffle(pair)
        return self.joined(self.rng.choice(["+", "-", "*", "&", "|", "^"]), *pair)

    def shifted(self, ty, depth):
        of, op = self.number(ty, depth), self.rng.choice(["<<", ">>"])
        if self.chance(4):
            value = self.interesting(ty)
            if ty == "i32":
                of = Expression(*self.literal(value), 1, (value, value))
        kind = self.rng.randrange(3)
        if kind == 0 or of.is_constant():
            by = self.number(self.rng.choice(TYPES), depth)
        elif kind == 1:
            values = [self.constant("u8"), self.constant("i8")]
            ends = [value for of in values for value in of.values]
            by = self.choice("u8", depth, values, (min(ends), max(ends)))
        else:
            n = self.rng.randrange(bits(ty))
            by = Expression(*self.literal(n), 1, (n, n))
        return self.joined(op, of, by)

    # Texts.

    def string(self):
        return Expression('"' + "".join(self.rng.choices("abc XYZ%{}", k=self.rng.randrange(6))) + '"')

    def text(self, depth):
        kind = self.rng.randrange(6)
        if depth == 0 or kind == 0:
            return self.rng.choice([self.string(), Expression("s"), Expression("t")])
        depth -= 1
        if kind <= 2:
            return self.choice("text", depth, [self.text(depth), self.text(depth)])
        ty = self.rng.choice(TYPES)
        of = self.number(ty, depth)
        if kind == 3:
            width = self.rng.randrange(1, bits(ty) - 1)
            entries = [f"{hex(1 << bit)} => \"F{bit}\"" for bit in range(min(width, 5))]
            if self.chance(2):
                entries.append('0 => "none"')
            return Expression(f'print_flags({of.text}, "|", {{ {", ".join(entries)} }})', ATOM, 2 * of.weight + 2)
        entries = [f'{key} => "{key}"' for key in dict.fromkeys(self.keys(ty, True) + self.keys(ty, True))]
        if self.chance(2):
            entries.append('_ => "other"')
        weight = 2 * (len(entries) + 1) * (of.weight + 1)
        return Expression(f"print_symbolic({of.text}, {{ {', '.join(entries)} }})", ATOM, weight)

    def value(self):
        """Returns a value, and what follows its name in the template."""
        while True:
            depth = self.rng.randrange(1, 5)
            kind = self.rng.randrange(12)
            if kind <= 1:
                found, spec = self.text(depth), self.rng.choice(["", "", ":10", ":>10", ":.3", ":<8.2"])
                # Flags have no width, and a table only if it's all that is shown.
                if "print_flags" in found.text or "print_symbolic" in found.text[1:]:
                    spec = ""
            elif kind == 2 and self.is_known:
                length = self.number(self.rng.choice(TYPES), depth)
                call = self.rng.choice(["print_hex(r", "print_array(j", "print_array(l", "phC(u", "print_hex_str(u"])
                found, spec = Expression(f"{call}, {length.text})", ATOM, 3 * length.weight), ""
            elif kind == 3:
                found, spec = self.number("bool", depth), ""
            elif kind == 4:
                found, spec = self.constant("i32", 2), ""
            else:
                ty = self.rng.choice(TYPES)
                specs = [":x", ":#x", ":X", ":o", ":08x", ":12", ":<12", ":03"]
                if ty[0] == "i":
                    specs.append(":+")
                    # The macro must know the type.
                    if ty != "i8" and self.is_known:
                        specs.append(":errno")
                found, spec = self.number(ty, depth), self.rng.choice(["", self.rng.choice(specs)])
            if found.weight <= WEIGHT_MAX:
                return found.text, spec


def events(seed, count):
    """Returns the text of the events, and their expressions and the numbers in them."""
    rng = random.Random(seed)
    texts, found = [], {}
    for n in range(-(-count // PER_EVENT)):
        is_known = n % 2 == 0
        generator = Generator(rng, is_known)
        fields = KNOWN + ([] if is_known else UNKNOWN)
        rng.shuffle(fields)
        values = [generator.value() for _ in range(min(PER_EVENT, count - n * PER_EVENT))]
        shown = ";".join(f"{{z{i}{spec}}}" for i, (_, spec) in enumerate(values))
        named = "".join(f",\n        z{i} = {text}" for i, (text, _) in enumerate(values))
        body = "".join(f"        {name}: {ty} = {value},\n" for name, ty, value in fields)
        texts.append(f'    fn computed_{n}() {{\n{body}    }}\n    print "{shown}"{named};\n')
        found[f"computed_{n}"] = ([text + spec for text, spec in values], sorted(generator.numbers))
    return "\n".join(texts), found


def generate(seed, count, directory):
    text, found = events(seed, count)
    constants = "".join(
        f"const {name}: {ty} = {value};\n" for name, (ty, value) in CONSTANTS.items() if name.isidentifier()
    )
    (directory / "computed.rs").write_text(f"""// SPDX-License-Identifier: GPL-2.0

//! Random values after templates.

// The events are never fired.
#![allow(dead_code, unused_parens)]

use kernel::{{ffi::*, prelude::*}};
use tracepoint::event::*;

type Short = i16;
type Long = i64;
type Wide = u32;

const BITS: u32 = 20;
{constants}
struct Op;

impl Op {{
    const WRITE: u8 = {CONSTANTS["Op::WRITE"][1]};
}}

trace_event! {{
    system: "computed";

{text}}}

struct Computed;

impl kernel::Module for Computed {{
    fn init(_module: &'static ThisModule) -> Result<Self> {{
        Ok(Self)
    }}
}}

module! {{
    type: Computed,
    name: "computed",
    description: "Random values after templates",
    license: "GPL",
}}
""")
    (directory / "computed.json").write_text(json.dumps(found))
    (directory / "event_text.c").write_bytes((top / "tests/events/event_text.c").read_bytes())
    library = top / "tracepoint/Kbuild.include"
    (directory / "Kbuild").write_text(f"obj-m := computed.o event_text.o\ninclude {library}\n")


def fields_of(text):
    """Returns the fields in a format file: declaration, name, offset, size, whether it's signed."""
    pattern = r"\tfield:(.*?)(\w+)(?:\[(\d+)\])?;\toffset:(\d+);\tsize:(\d+);\tsigned:(\d);"
    for declaration, name, length, *numbers in re.findall(pattern, text):
        yield (declaration, name, int(length or 1), *map(int, numbers))


def random_value(rng, size, signed, numbers):
    """Returns a number, often one at a boundary or one that an expression has."""
    low, high = bounds(f"{'i' if signed else 'u'}{8 * size}")
    near = rng.choice(numbers) + rng.choice([0, 0, 0, 1, -1])
    value = rng.choice([0, 1, -1, low, high, near, near, rng.randint(0, 100), rng.randint(low, high)])
    return value & (1 << 8 * size) - 1


def random_record(rng, fields, numbers):
    end = max(offset + size for _, _, _, offset, size, _ in fields)
    data = bytearray(end)
    for declaration, name, length, offset, size, signed in fields:
        if declaration.startswith(("__data_loc", "__rel_loc")):
            data += bytes(-len(data) % 8)
            content = rng.randbytes(4 * rng.randrange(4))
            if "char[]" in declaration:
                content = bytes(rng.choices(b"abcdefgh", k=rng.randrange(12))) + b"\0"
            start = len(data) - (offset + 4 if declaration.startswith("__rel") else 0)
            new = (len(content) << 16 | start).to_bytes(4, "little")
            data += content
        elif declaration.startswith("char"):
            new = bytes(rng.choices(b"abcdefgh", k=rng.randrange(size))).ljust(size, b"\0")
        else:
            each = size // length
            values = [random_value(rng, each, signed, numbers) for _ in range(length)]
            if declaration.startswith("bool"):
                values = [value & 1 for value in values]
            new = b"".join(value.to_bytes(each, "little") for value in values)
        data[offset : offset + size] = new
    return bytes(data)


def kernel_texts(name, records):
    """Returns what the print function makes of the records."""
    file = os.open(FILE, os.O_RDWR)
    os.write(file, f"computed/{name}".encode())
    for data in records:
        os.write(file, data)
        yield os.pread(file, 8192, 0).decode("latin-1")
    os.close(file)


def compare(seed, count, expressions):
    # There's no libtraceevent where it isn't needed.
    sys.path.insert(0, str(top / "tests/events"))
    import traceevent

    rng = random.Random(seed)
    compared = wrong = 0
    for name, (values, numbers) in json.loads(expressions.read_text()).items():
        text = pathlib.Path(f"{TRACING}/{name}/format").read_text()
        fields = [field for field in fields_of(text) if field[1] != "common_type"]
        tools = traceevent.Decoder(text, "computed")
        records = [random_record(rng, fields, numbers) for _ in range(count)]
        failed = set()
        for data, ours in zip(records, kernel_texts(name, records)):
            ours = ours.removeprefix(f"{name}: ").removesuffix("\n").split(";")
            theirs = tools.text(data).decode("latin-1").split(";")
            if len(ours) != len(values) or len(theirs) != len(values):
                print(f"# {name}: kernel: {ours}\n#   tools: {theirs}\n{text}")
                failed.add("the whole")
                break
            compared += len(values)
            for value, rust, c in zip(values, ours, theirs):
                if rust != c and value not in failed:
                    failed.add(value)
                    print(f"# {name}: {value}\n#   rustc: {rust!r}, tools: {c!r}")
                    for declaration, field, _, offset, size, signed in fields:
                        raw = data[offset : offset + size]
                        number = int.from_bytes(raw, "little", signed=bool(signed))
                        print(f"#   {declaration}{field} = {number if size in (1, 2, 4, 8) else raw.hex()}")
        wrong += len(failed)
    print(f"# computed: {compared} values compared; {wrong} expressions differ")
    return wrong == 0 and compared > 0


def main():
    command, seed, count, path = sys.argv[1:]
    seed, count, path = int(seed), int(count), pathlib.Path(path)
    if command == "generate":
        path.mkdir(parents=True, exist_ok=True)
        generate(seed, count, path)
        return 0
    return not compare(seed, count, path)


sys.exit(main())
