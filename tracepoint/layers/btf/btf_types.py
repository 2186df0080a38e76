#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
usage: btf_types.py FILE <DESCRIPTION

Prints C of types that stand for what an object's description describes: the FILE. The compiler's debug
information for it is what pahole makes BTF from. Each name that comes from Rust ends in "$btf", or with a
number in "$2btf", which btf-types removes from the compiler's output.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))

import command  # noqa: E402

from description import DYNAMIC, c_name, fields, items, lines, c_args  # noqa: E402

# Sizes of integers by their names in C.
SIZES = {
    "bool": 1, "char": 1, "signed char": 1, "unsigned char": 1,
    "short": 2, "unsigned short": 2, "int": 4, "unsigned": 4, "unsigned int": 4,
    "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "size_t": 8, "ssize_t": 8,
    **{f"{name}{8 * size}": size for name in ("u", "s", "__u", "__s") for size in (1, 2, 4, 8)},
}

# GCC's names of integers by their size, in bits.
MODES = {"8": "QI", "16": "HI", "32": "SI", "64": "DI", "size": "DI"}

# The kernel's own types. With -femit-struct-debug-baseonly, gcc only declares the structs of another file, and
# pahole finds them by their names. clang has nothing like it.
START = """\
typedef _Bool bool;
typedef unsigned char __u8;
typedef __u8 u8;
typedef unsigned short __u16;
typedef __u16 u16;
typedef unsigned int __u32;
typedef __u32 u32;
typedef unsigned long long __u64;
typedef __u64 u64;
typedef unsigned long __kernel_ulong_t;
typedef __kernel_ulong_t __kernel_size_t;
typedef __kernel_size_t size_t;
typedef signed char __s8;
typedef __s8 s8;
typedef short __s16;
typedef __s16 s16;
typedef int __s32;
typedef __s32 s32;
typedef long long __s64;
typedef __s64 s64;
typedef long __kernel_long_t;
typedef __kernel_long_t __kernel_ssize_t;
typedef __kernel_ssize_t ssize_t;

struct trace_entry {
	unsigned short type;
	unsigned char flags;
	unsigned char preempt_count;
	int pid;
};

#define FUNCTION static __attribute__((used, section(".discard.btf")))
#ifdef __clang__
#define STRUCT(name) struct name;
#define CONTAIN(name, declaration) char declaration[0];
#else
#define STRUCT(name) struct name {};
#define CONTAIN(name, declaration) struct name declaration;
#endif
"""


def integer(size, signed):
    return "int" if (size, signed) == (4, True) else f"{'s' if signed else 'u'}{8 * size}"


def declare(c_type, name):
    """Returns the declaration of a name."""
    if not re.fullmatch(r"[\w$ *]*(\[\d*\])*", c_type):
        raise command.Error(f"{c_type!r} isn't a C type")
    c_type, bracket, lengths = c_type.partition("[")
    return f"{c_type} {name}{bracket}{lengths}"


class Types:
    """The C text."""

    def __init__(self, found):
        self.body, self.used, self.functions, self.kernel = [], {}, set(), set()
        # By their numbers: those with the same one are the same.
        enums = {item[3]: item for item in found if item[0] == "enum" and item.of("value")}
        structs = {item[3]: item for item in found if item[0] == "struct"}
        self.enums = {number: self.name(item[1]) for number, item in enums.items()}
        self.structs = {number: self.name(item[2]) for number, item in structs.items()}
        for item in enums.values():
            self.enum(item)
        self.body += [f"struct {name};\n" for name in self.structs.values()]
        for item in structs.values():
            self.declared(item)
        for item in found:
            self.add(item)

    def name(self, text, suffix=""):
        """Returns a name that no other has, and that becomes this text, as far as BTF can carry it, and the suffix."""
        # The kernel's limit is twice as high, but there are prefixes.
        text = c_name(text)[:255] + suffix
        n = self.used[text] = self.used.get(text, 0) + 1
        return f"{text}${n if n > 1 else ''}btf"

    def c_type(self, text, rust_type):
        """Returns a type of the description as C."""
        if "*" in rust_type:
            # BPF trusts a pointer to a struct, but a raw pointer can point anywhere.
            text = re.sub(r"struct \w+", "void", text)
        self.kernel.update(re.findall(r"struct (\w+)", text))
        text = re.sub(r"struct @(\d+)", lambda m: f"struct {self.structs[m[1]]}" if m[1] in self.structs else "void",
                      text)
        return re.sub(r"(\w+)@(\d+)", lambda m: f"enum {self.enums[m[2]]}" if m[2] in self.enums else m[1], text)

    def enum(self, item):
        # C has no negative literals, so there's none for the smallest number.
        values = [(self.name(value[1]), int(value[2])) for value in item.of("value")]
        text = ", ".join(f"{name} = {f'{n + 1}LL - 1' if n < 0 else f'{n}ULL'}" for name, n in values)
        self.body.append(f"enum {self.enums[item[3]]} {{ {text} }} __attribute__((mode({MODES[item[2][1:]]})));\n")

    def struct(self, name, members, size):
        """Adds a struct. A member is its declaration, its offset and how much of its size C knows."""
        body, at = "", 0
        for declaration, offset, length in [*members, ("", size, 0)]:
            if at > offset:
                raise command.Error(f"the members of {name} take {at - offset} bytes more in C than in Rust")
            while at < offset:
                pad = min(8, offset - at)
                body += f"\tu64 : {8 * pad};\n"
                at += pad
            body += declaration
            at += length
        self.body.append(f"struct __attribute__((packed)) {name} {{\n{body}}};\n")

    def declared(self, item):
        """Adds a struct that the driver declares."""
        members = []
        for member in item.of("member"):
            base, *lengths = re.split(r"[\[\]]+", member[4].rstrip("]"))
            declaration = declare(self.c_type(member[4], member[2]), self.name(member[1]))
            if base.startswith("struct ") and not base.endswith("*"):
                # What comes next says how large it is.
                members.append((f"\tCONTAIN({declaration[7:].replace(' ', ', ', 1)})\n", int(member[3]), 0))
                continue
            size = 8 if base.endswith("*") else SIZES[base.partition("@")[0]]
            for length in lengths:
                size *= int(length)
            # As the last member, an empty array would be one without an end for BPF.
            if size == 0:
                continue
            members.append((f"\t{declaration};\n", int(member[3]), size))
        self.struct(self.structs[item[3]], members, int(item[4]))

    def record(self, item):
        members, align, end = [("\tstruct trace_entry ent;\n", 0, 8)], 4, 8
        for field in fields(item):
            name, size, element = field.name, field.size, field.size
            base = field.c_type.partition("[")[0]
            if field.kind in DYNAMIC:
                name, c_type = f"{'__rel_loc' if field.relative else '__data_loc'}_{name}", "u32"
            elif field.kind == "pointer":
                c_type = "void *"
            elif field.kind in ("integer", "array"):
                element = field.element_size if field.kind == "array" else size
                c_type = base if SIZES.get(base) == element else integer(element, field.signed)
                c_type += f"[{field.count}]" if field.kind == "array" else ""
            else:
                c_type, element = f"u8[{size}]", 1
            members.append((f"\t{declare(c_type, self.name(name))};\n", field.offset, size))
            align, end = max(align, element), field.offset + size
        members.append(("\tchar __data[0];\n", end, 0))
        prefix = "trace_custom_event" if item[2] == "kernel" else "trace_event"
        self.struct(self.name(f"{prefix}_raw_{item[1]}"), members, -(-end // align) * align)

    def c_args(self, item, suffix=""):
        """Returns the parameters of a function. The names of pointers end with suffix."""
        parameters = []
        for arg, of_arg in zip(item.of("arg"), c_args(item)):
            for name, c_type in of_arg:
                # BPF would follow the pointer of an empty slice of structs, which isn't NULL.
                if len(of_arg) > 1 and re.match(r"const struct .* \*$", c_type):
                    c_type = "const void *"
                parameters.append(declare(self.c_type(c_type, arg[2]), self.name(name, suffix * c_type.endswith("*"))))
        return parameters

    def function(self, returns, name, c_args):
        # A tracepoint can be declared several times.
        if name in self.functions:
            return
        self.functions.add(name)
        # The linker discards it. objtool may still see it, and complain about a return.
        self.body.append(f"FUNCTION {declare(returns, self.name(name))}({', '.join(c_args) or 'void'}) {{ for (;;); }}\n")

    def tracepoint(self, name, c_args):
        self.function("void", f"__probestub_{name}", c_args)
        self.function("int", f"__traceiter_{name}", c_args)

    def add(self, item):
        kind, name = item[0], item[1]
        c_args = self.c_args(item)
        with_data = ["void *__data", *c_args]
        if kind == "function":
            self.function(item[2], name, c_args)
        elif kind == "tracepoint":
            self.tracepoint(name, with_data)
        elif kind == "class":
            self.record(item)
            if item[2] == "kernel":
                return
            # Otherwise, the verifier trusts all that an event is passed if one of the kernel's with its name can't be
            # passed NULL (raw_tp_null_args, kernel/bpf/btf.c).
            self.function("void", f"__bpf_trace_{name}", ["void *__data", *self.c_args(item, "__nullable")])
            for event in item.of("event"):
                self.tracepoint(event[1], with_data)
                self.body.append(f"typedef void (*{self.name(f'btf_trace_{event[1]}')})({', '.join(with_data)});\n")

    def text(self, path):
        path = path.replace("\\", "\\\\").replace('"', '\\"')
        kernel = "".join(f"STRUCT({name})\n" for name in sorted(self.kernel - {"trace_entry"}))
        return (f'{START}\n#ifndef __clang__\n#line 1 "kernel.h"\n#endif\n{kernel}'
                f'#ifndef __clang__\n#line 1 "{path}"\n#endif\n{"".join(self.body)}')


def main():
    print(Types(items(lines(sys.stdin.buffer.read()))).text(sys.argv[1]), end="")


command.run(main)
