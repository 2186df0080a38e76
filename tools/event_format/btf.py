# SPDX-License-Identifier: GPL-2.0
#
# BTF: the values of enumerators and the integers behind typedefs, which format files
# don't say. The format is described in Documentation/bpf/btf.rst.

import struct

from event_format.c import INT, TYPES, Int
from event_format.number import Numbers

KIND_INT, KIND_ARRAY, KIND_STRUCT, KIND_UNION, KIND_ENUM, KIND_TYPEDEF = 1, 3, 4, 5, 6, 8
KIND_FUNC_PROTO, KIND_VAR, KIND_DATASEC, KIND_DECL_TAG, KIND_ENUM64 = 13, 14, 15, 17, 19
QUALIFIERS = (9, 10, 11, 18)
# The bytes that follow a type, and those for each of its members.
TAIL = {KIND_INT: 4, KIND_ARRAY: 12, KIND_VAR: 4, KIND_DECL_TAG: 4}
MEMBER = {KIND_STRUCT: 12, KIND_UNION: 12, KIND_ENUM: 8, KIND_FUNC_PROTO: 8, KIND_DATASEC: 12, KIND_ENUM64: 12}


class Btf:
    """The kernel's BTF, and that of modules, which continues it."""

    def __init__(self, kernel, *modules):
        self.values, self.integers = {}, {}
        # The first type is `void`.
        base = self.read(kernel, b"", [(0, 0, 0, b"")])
        for module in modules:
            self.read(module, *base)

    def read(self, data, strings, types):
        """Adds to the values and integers. Returns all strings and types."""
        magic, _, _, head, type_off, type_len, str_off, str_len = struct.unpack_from("<HBBIIIII", data)
        assert magic == 0xEB9F, "not BTF"
        strings = strings + data[head + str_off : head + str_off + str_len]
        first, types = len(types), list(types)
        at = head + type_off
        end = at + type_len
        while at < end:
            name, info, size = struct.unpack_from("<III", data, at)
            kind, length = info >> 24 & 0x1F, info & 0xFFFF
            tail = TAIL.get(kind, 0) + MEMBER.get(kind, 0) * length
            types.append((name, info, size, data[at + 12 : at + 12 + tail]))
            at += 12 + tail

        def text(offset):
            return strings[offset : strings.index(b"\0", offset)].decode()

        for name, info, size, tail in types[first:]:
            kind, signed = info >> 24 & 0x1F, bool(info >> 31)
            if kind == KIND_ENUM:
                for member, value in struct.iter_unpack("<Ii" if signed else "<II", tail):
                    ctype = INT if value <= INT.max else Int(4, False)
                    self.values.setdefault(text(member), (value, ctype))
            elif kind == KIND_ENUM64:
                for member, low, high in struct.iter_unpack("<III", tail):
                    ctype = Int(8, signed)
                    self.values.setdefault(text(member), (ctype.wrap(high << 32 | low), ctype))
            elif kind == KIND_TYPEDEF:
                found = self.integer(types, size)
                if found:
                    self.integers.setdefault(text(name), found)
        return strings, types

    @staticmethod
    def integer(types, number):
        """Returns the integer type behind qualifiers and typedefs."""
        while True:
            _, info, size, tail = types[number]
            kind = info >> 24 & 0x1F
            if kind == KIND_INT and size in (1, 2, 4, 8):
                return Int(size, bool(tail[3] & 1))
            if kind == KIND_ENUM:
                return Int(size, bool(info >> 31))
            if kind != KIND_TYPEDEF and kind not in QUALIFIERS:
                return None
            number = size

    def use(self):
        """Makes the types and the values known."""
        Numbers.values = self.values
        for name, ctype in self.integers.items():
            TYPES.setdefault(name, ctype)
