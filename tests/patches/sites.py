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

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tracepoint"))

from elf import readelf  # noqa: E402

NOPS = [bytes.fromhex(nop) for nop in ("0f1f440000", "6690", "1f2003d5")]


def main():
    directory, prefix = pathlib.Path(sys.argv[1]), sys.argv[2]
    symbols = {name: int(address, 16) for address, name in
               re.findall(r"^(\w+) . (\w+)$", (directory / "System.map").read_text(), re.MULTILINE)}
    vmlinux = directory / "vmlinux"
    # Offset, address and size in the file.
    rows = re.findall(r"^ *LOAD +(\w+) (\w+) \w+ (\w+)", readelf("-lW", vmlinux), re.MULTILINE)
    segments = [[int(number, 16) for number in row] for row in rows]
    with open(vmlinux, "rb") as file:
        def read(address, length):
            for offset, start, size in segments:
                if start <= address < start + size:
                    file.seek(offset + address - start)
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
