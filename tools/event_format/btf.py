# SPDX-License-Identifier: GPL-2.0
#
# BTF: the values of enumerators and the integers behind typedefs, which format files
# don't say. The format is described in Documentation/bpf/btf.rst.

import pathlib
import struct

from command import Error, read, reading
from elf import Object
from event_format.c import INT, TYPES, Int
from event_format.number import Numbers

KIND_INT, KIND_ARRAY, KIND_STRUCT, KIND_UNION, KIND_ENUM, KIND_TYPEDEF = 1, 3, 4, 5, 6, 8
KIND_FUNC_PROTO, KIND_VAR, KIND_DATASEC, KIND_DECL_TAG, KIND_ENUM64 = 13, 14, 15, 17, 19
QUALIFIERS = (9, 10, 11, 18)
# The bytes that follow a type, and those for each of its members.
TAIL = {KIND_INT: 4, KIND_ARRAY: 12, KIND_VAR: 4, KIND_DECL_TAG: 4}
MEMBER = {KIND_STRUCT: 12, KIND_UNION: 12, KIND_ENUM: 8, KIND_FUNC_PROTO: 8, KIND_DATASEC: 12, KIND_ENUM64: 12}

KERNEL = pathlib.Path("/sys/kernel/btf/vmlinux")
WHAT = "BTF, or a module that has it"


class Blob:
    """The types and the strings of one file or section."""

    def __init__(self, path, data):
        self.path = path
        magic, _, _, head, type_off, type_len, str_off, str_len = unpack("<HBBIIIII", data, 0)
        if magic != 0xEB9F or head + max(type_off + type_len, str_off + str_len) > len(data):
            raise ValueError
        self.types = data[head + type_off : head + type_off + type_len]
        self.strings = data[head + str_off : head + str_off + str_len]
        # Only BTF that continues no other begins with the empty string: see
        # btf_parse_str_sec() of libbpf.
        self.is_split = not self.strings.startswith(b"\0")


def unpack(form, data, at):
    try:
        return struct.unpack_from(form, data, at)
    except struct.error:
        raise ValueError from None


def blobs(path):
    """Returns the BTF of a file, and what it brings along of the kernel's, or None."""
    data, base = read(path, WHAT), None
    with reading(path, WHAT):
        if data.startswith(b"\x7fELF"):
            sections = Object(path)
            data, base = sections.section(".BTF"), sections.section(".BTF.base")
            if not data:
                raise Error(f"{path}: the file has no BTF: build it with CONFIG_DEBUG_INFO_BTF_MODULES")
        return Blob(path, data), base and Blob(path, base)


class Btf:
    """The values and the integers of the kernel and of modules."""

    # What modules continue: the strings and types, of which the first is `void`.
    NOTHING = b"", [(0, 0, 0, b"")]

    def __init__(self):
        self.values, self.integers = {}, {}

    def load(self, paths, base=None):
        """Adds files. The BTF of a module continues that of the kernel, which is `base`, or lies
        beside it, or is the running kernel's."""
        found = [blobs(path) for path in paths]
        kernels = {blob.path: self.add(blob, *self.NOTHING) for blob, _ in found if not blob.is_split}
        for blob, own in found:
            if own:
                self.add(blob, *self.add(own, *self.NOTHING))
            elif blob.is_split:
                kernel = self.base_of(blob, base, kernels)
                if kernel not in kernels:
                    whole, _ = blobs(kernel)
                    if whole.is_split:
                        raise Error(f"{kernel}: this is the BTF of a module: name its kernel's with --base FILE")
                    kernels[kernel] = self.add(whole, *self.NOTHING)
                self.add(blob, *kernels[kernel], kernel)
        return self

    @staticmethod
    def base_of(blob, base, kernels):
        beside = pathlib.Path(blob.path).parent / "vmlinux"
        for path in [base] if base else [*kernels, beside, KERNEL]:
            if base or path in kernels or path.exists():
                return path
        raise Error(f"{blob.path}: this is only the BTF of a module: name its kernel's with --base FILE")

    def add(self, blob, strings, types, base=None):
        """Adds to the values and integers. Returns all strings and types."""
        try:
            return self.parse(blob, strings, types)
        except (LookupError, ValueError):
            if not base:
                raise Error(f"{blob.path}: not {WHAT}, or damaged") from None
            raise Error(
                f"{blob.path}: this doesn't continue the BTF of {base}: name the one of its kernel with --base FILE"
            ) from None

    def parse(self, blob, strings, types):
        strings += blob.strings
        first, types = len(types), list(types)
        data, at = blob.types, 0
        while at < len(data):
            name, info, size = unpack("<III", data, at)
            kind, length = info >> 24 & 0x1F, info & 0xFFFF
            tail = TAIL.get(kind, 0) + MEMBER.get(kind, 0) * length
            types.append((name, info, size, data[at + 12 : at + 12 + tail]))
            at += 12 + tail
        if at != len(data):
            raise ValueError

        def text(offset):
            return strings[offset : strings.index(b"\0", offset)].decode()

        def put(found, name, value):
            # A module has names that mean something else in the kernel.
            if blob.is_split or text(name) not in found:
                found[text(name)] = value

        for name, info, size, tail in types[first:]:
            kind, signed = info >> 24 & 0x1F, bool(info >> 31)
            if kind == KIND_ENUM:
                for member, value in struct.iter_unpack("<Ii" if signed else "<II", tail):
                    ctype = INT if value <= INT.max else Int(4, False)
                    put(self.values, member, (value, ctype))
            elif kind == KIND_ENUM64:
                for member, low, high in struct.iter_unpack("<III", tail):
                    ctype = Int(8, signed)
                    put(self.values, member, (ctype.wrap(high << 32 | low), ctype))
            elif kind == KIND_TYPEDEF:
                found = self.integer(types, size)
                if found:
                    put(self.integers, name, found)
        return strings, types

    @staticmethod
    def integer(types, number):
        """Returns the integer type behind qualifiers and typedefs."""
        # A type in a damaged file may refer to itself.
        for _ in range(64):
            _, info, size, tail = types[number]
            kind = info >> 24 & 0x1F
            if kind == KIND_INT and size in (1, 2, 4, 8):
                return Int(size, bool(tail[3] & 1))
            if kind == KIND_ENUM and size in (1, 2, 4, 8):
                return Int(size, bool(info >> 31))
            if kind != KIND_TYPEDEF and kind not in QUALIFIERS:
                return None
            number = size
        raise ValueError

    def use(self):
        """Makes the types and the values known."""
        Numbers.values = self.values
        for name, ctype in self.integers.items():
            TYPES.setdefault(name, ctype)
