#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""usage: sites.py DIRECTORY PREFIX

Prints where the code of the kernel that has been built in DIRECTORY fires tracepoints whose names begin with PREFIX:
how many places for each. Fails unless each tracepoint has some, and each of these is a single NOP: on x86, the
kernel's build turns the jump in the object into one."""

import pathlib
import re
import struct
import sys

NOPS = [bytes.fromhex(nop) for nop in ("0f1f440000", "6690", "1f2003d5")]


def main():
    directory, prefix = pathlib.Path(sys.argv[1]), sys.argv[2]
    symbols = {name: int(address, 16) for address, name in
               re.findall(r"^(\w+) . (\w+)$", (directory / "System.map").read_text(), re.MULTILINE)}
    with open(directory / "vmlinux", "rb") as file:
        # Elf64_Ehdr and Elf64_Phdr (include/uapi/linux/elf.h)
        header = file.read(64)
        start, = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        file.seek(start)
        segments = [struct.unpack_from("<IIQQQQ", file.read(size)) for _ in range(count)]

        def read(address, length):
            for kind, _, offset, virtual, _, filled in segments:
                if kind == 1 and virtual <= address < virtual + filled:
                    file.seek(offset + address - virtual)
                    return file.read(length)
            sys.exit(f"vmlinux has nothing at {address:#x}")

        # The key follows a pointer to the name: struct tracepoint (include/linux/tracepoint-defs.h).
        keys = {address + 8: name.removeprefix("__tracepoint_") for name, address in symbols.items()
                if name.startswith(f"__tracepoint_{prefix}")}
        sites = dict.fromkeys(keys.values(), 0)
        # struct jump_entry (include/linux/jump_label.h)
        for entry in range(symbols["__start___jump_table"], symbols["__stop___jump_table"], 16):
            code, _, key = struct.unpack("<iiq", read(entry, 16))
            name = keys.get(entry + 8 + (key & ~3))
            if name is None:
                continue
            sites[name] += 1
            text = read(entry + code, 5)
            if not any(text.startswith(nop) for nop in NOPS):
                sys.exit(f"{name}: {text.hex()} at {entry + code:#x} is no NOP")
    print(*(f"{name}: {count}" for name, count in sorted(sites.items())), sep="\n")
    sys.exit(not sites or not all(sites.values()))


main()
