# SPDX-License-Identifier: GPL-2.0
#
# C expressions as they appear in the "print fmt" of a format file.

import re
from dataclasses import dataclass, field


class Untranslatable(Exception):
    """Says why something can't be expressed."""


@dataclass(frozen=True)
class Int:
    """An integer type."""

    size: int
    signed: bool

    @property
    def bits(self):
        return 8 * self.size

    @property
    def min(self):
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def max(self):
        return (1 << (self.bits - self.signed)) - 1

    def __str__(self):
        """The type in Rust."""
        return f"{'i' if self.signed else 'u'}{self.bits}"

    def wrap(self, value):
        """Converts a number to the type."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if value > self.max else value

    def holds_bits(self, value):
        """Whether converting a number of the type to 64 bits can result in the value."""
        return ULONG.wrap(self.wrap(value)) == value

    def holds(self, other):
        """Whether the type has all values of the other one."""
        return self.min <= other.min and other.max <= self.max


INT = Int(4, True)
ULONG = Int(8, False)

# Of the C compilers for all architectures that the library supports.
TYPES = {
    "char": Int(1, False),  # -funsigned-char
    "signed char": Int(1, True),
    "unsigned char": Int(1, False),
    "short": Int(2, True),
    "unsigned short": Int(2, False),
    "int": INT,
    "unsigned int": Int(4, False),
    "long": Int(8, True),
    "unsigned long": ULONG,
    "long long": Int(8, True),
    "unsigned long long": ULONG,
    "bool": Int(1, False),
    "_Bool": Int(1, False),
}
for bits in 8, 16, 32, 64:
    for name in f"u{bits}", f"__u{bits}", f"__be{bits}", f"__le{bits}", f"uint{bits}_t", f"u_int{bits}_t":
        TYPES[name] = Int(bits // 8, False)
    for name in f"s{bits}", f"__s{bits}", f"int{bits}_t":
        TYPES[name] = Int(bits // 8, True)
for name in "size_t uintptr_t sector_t dma_addr_t phys_addr_t resource_size_t ino_t blkcnt_t pgoff_t".split():
    TYPES[name] = ULONG
for name in "ssize_t loff_t ktime_t time64_t ptrdiff_t off_t long_t daddr_t".split():
    TYPES[name] = Int(8, True)
for name in "dev_t gfp_t uid_t gid_t fmode_t blk_opf_t blk_mq_req_flags_t slab_flags_t projid_t".split():
    TYPES[name] = Int(4, False)
for name in "pid_t clockid_t key_serial_t".split():
    TYPES[name] = INT
TYPES["umode_t"] = TYPES["sa_family_t"] = Int(2, False)

ADJECTIVES = ("unsigned", "signed", "short", "long", "int", "char")
QUALIFIERS = ("const", "volatile", "__user", "__rcu", "__iomem", "__force", "__bitwise", "__percpu")


@dataclass(frozen=True)
class Pointer:
    """A pointer type. `to` is the name of what it points to."""

    to: str


def type_of(text):
    """Returns the Int or Pointer that a C type stands for, or None for others."""
    words = [word for word in re.findall(r"\w+|\*", text) if word not in QUALIFIERS]
    if "*" in words:
        return Pointer(" ".join(words[: words.index("*")]))
    if words and all(word in ADJECTIVES for word in words):
        # "unsigned", "long unsigned int"
        size = words.count("long")
        name = "long" if size else "short" if "short" in words else "char" if "char" in words else "int"
        if "unsigned" in words or name == "char" and "signed" in words:
            name = ("unsigned " if "unsigned" in words else "signed ") + name
        return TYPES[name]
    if words[:1] == ["enum"]:
        # Without negative values.
        return Int(4, False)
    return TYPES.get(" ".join(words))


TOKEN = re.compile(
    r"""\s*(?:
    (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<char>'(?:[^'\\]|\\.)+')
  | (?P<number>(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]*(?![\w.]))
  | (?P<name>[A-Za-z_]\w*)
  | (?P<op>->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:(),{}\[\].=;])
    )""",
    re.VERBOSE | re.DOTALL,
)

ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11}


def unescape(text):
    def char(found):
        code = found[1]
        if code[0] == "x":
            return chr(int(code[1:], 16))
        if code[0] in "01234567":
            return chr(int(code, 8))
        return chr(ESCAPES[code]) if code in ESCAPES else code

    return re.sub(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)", char, text, flags=re.DOTALL)


def tokens(text):
    """Splits C's text into (kind, text), each with where it ends."""
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise Untranslatable(f"cannot parse `{text[at : at + 20].strip()}`")
        at = found.end()
        yield (found.lastgroup, found[found.lastgroup]), at


# The nodes of an expression.


@dataclass(frozen=True)
class Number:
    value: int
    type: Int
    hex: bool = False


@dataclass(frozen=True)
class String:
    text: str


@dataclass(frozen=True)
class Name:
    name: str


@dataclass(frozen=True)
class Field:
    """REC->name"""

    name: str


@dataclass(frozen=True)
class Member:
    of: object
    name: str


@dataclass(frozen=True)
class Index:
    of: object
    index: object


@dataclass(frozen=True)
class Unary:
    op: str
    of: object


@dataclass(frozen=True)
class Binary:
    op: str
    left: object
    right: object


@dataclass(frozen=True)
class Choice:
    condition: object
    yes: object
    no: object


@dataclass(frozen=True)
class Cast:
    type: str
    of: object


@dataclass(frozen=True)
class Sizeof:
    """Of a type or an expression."""

    of: object


@dataclass(frozen=True)
class Call:
    name: str
    args: tuple


@dataclass(frozen=True)
class Braces:
    items: tuple
    # As it was written.
    source: str = field(default="", compare=False)


@dataclass(frozen=True)
class Unknown:
    """What can't be parsed, and why."""

    reason: str


BINARY = [
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
]


class Parser:
    """A recursive descent parser."""

    def __init__(self, text):
        self.text = text
        self.tokens, self.ends = [], []
        for token, end in tokens(text):
            self.tokens.append(token)
            self.ends.append(end)
        self.at = 0
        # What the variables of a statement stand for.
        self.variables = {}

    def peek(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ("end", "")

    def next(self):
        token = self.peek()
        self.at += 1
        return token

    def accept(self, op):
        if self.peek() == ("op", op):
            self.at += 1
            return True
        return False

    def expect(self, op):
        if not self.accept(op):
            raise Untranslatable(f"cannot parse the expression at `{self.peek()[1]}`")

    def whole(self):
        """Parses one expression, which is the whole text."""
        found = self.expression()
        if self.peek()[0] != "end":
            raise Untranslatable(f"cannot parse the expression at `{self.peek()[1]}`")
        return found

    def arguments(self, end):
        """Parses expressions up to a token."""
        found = []
        while self.peek()[0] != "end" and self.peek() != ("op", end):
            found.append(self.expression())
            if not self.accept(","):
                break
        self.expect(end)
        return found

    def expression(self):
        if self.accept("{"):
            start = self.ends[self.at - 1] - 1
            items = self.arguments("}")
            return Braces(tuple(items), self.text[start : self.ends[self.at - 1]])
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        if self.accept(":"):
            return Choice(condition, condition, self.expression())
        yes = self.expression()
        self.expect(":")
        return Choice(condition, yes, self.expression())

    def binary(self, level):
        if level == len(BINARY):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek()[0] == "op" and self.peek()[1] in BINARY[level]:
            op = self.next()[1]
            left = Binary(op, left, self.binary(level + 1))
        return left

    def type_name(self):
        """Parses `type)` if that follows, and returns the type."""
        at, words = self.at, []
        while self.peek()[0] == "name" or self.peek() == ("op", "*"):
            words.append(self.next()[1])
        text = " ".join(words)
        if words and self.accept(")"):
            known = words[0] in ("struct", "union", "enum", *QUALIFIERS, *ADJECTIVES, "void") or words[-1] == "*"
            if known or text in TYPES:
                return text
            # A name in parentheses is a cast if an operand follows.
            kind, token = self.peek()
            if len(words) == 1 and (kind in ("name", "number", "string", "char") or token in "(~!"):
                return text
        self.at = at
        return None

    def unary(self):
        kind, token = self.next()
        if kind == "op" and token in ("-", "+", "!", "~", "&", "*"):
            return Unary(token, self.unary())
        if kind == "op" and token == "(":
            if self.peek() == ("op", "{"):
                return self.statements()
            ctype = self.type_name()
            if ctype is not None:
                return Cast(ctype, self.unary())
            inner = self.expression()
            self.expect(")")
            return self.postfix(inner)
        if kind == "name" and token == "sizeof":
            if self.accept("("):
                ctype = self.type_name()
                if ctype is not None:
                    return Sizeof(ctype)
                inner = self.expression()
                self.expect(")")
                return Sizeof(inner)
            return Sizeof(self.unary())
        if kind == "number":
            return self.number(token)
        if kind == "char":
            return Number(ord(unescape(token[1:-1])), INT)
        if kind == "string":
            text = unescape(token[1:-1])
            while self.peek()[0] == "string":
                text += unescape(self.next()[1][1:-1])
            return self.postfix(String(text))
        if kind == "name":
            if token == "REC" and self.accept("->"):
                return self.postfix(Field(self.next()[1]))
            if self.accept("("):
                return self.postfix(Call(token, tuple(self.arguments(")"))))
            return self.postfix(self.variables.get(token) or Name(token))
        raise Untranslatable(f"cannot parse the expression at `{token}`")

    def statements(self):
        """Parses the rest of `({ type name = expression; …; expression; })`, as in min()."""
        self.expect("{")
        while True:
            at, words = self.at, []
            while self.peek()[0] == "name":
                words.append(self.next()[1])
            if len(words) < 2 or not self.accept("="):
                break
            self.variables[words[-1]] = Cast(" ".join(words[:-1]), self.expression())
            self.expect(";")
        self.at = at
        result = self.expression()
        for op in ";})":
            self.expect(op)
        return result

    def postfix(self, node):
        while True:
            if self.accept("["):
                node = Index(node, self.expression())
                self.expect("]")
            elif self.accept(".") or self.accept("->"):
                node = Member(node, self.next()[1])
            else:
                return node

    @staticmethod
    def number(token):
        digits = token.rstrip("uUlL")
        suffix = token[len(digits) :].lower()
        is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
        try:
            value = int(digits, 8 if is_octal else 0)
        except ValueError:
            raise Untranslatable(f"the number {token[:40]}") from None
        hexadecimal = digits[:2] in ("0x", "0X")
        for size in (8,) if "l" in suffix else (4, 8):
            for signed in (True, False):
                ctype = Int(size, signed)
                fits = ctype.min <= value <= ctype.max
                if fits and not (signed and "u" in suffix) and (signed or "u" in suffix or hexadecimal or is_octal or size == 8):
                    return Number(value, ctype, hexadecimal)
        raise Untranslatable(f"the number {token} is too large")


PART = re.compile(r"""\"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|.""", re.DOTALL)


def arguments(text):
    """Splits the arguments that follow the text of a `print fmt`."""
    parts, depth = [""], 0
    for found in PART.finditer(text):
        depth += (found[0] in "([{") - (found[0] in ")]}")
        if found[0] == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += found[0]
    parts = [part.strip() for part in parts]
    return parts if parts[-1] else parts[:-1]


def parse(text):
    """Parses an argument. One that can't be parsed doesn't affect the others."""
    try:
        return Parser(text).whole()
    except Untranslatable as error:
        return Unknown(str(error))
    except RecursionError:
        return Unknown("an expression that is nested too deeply")
