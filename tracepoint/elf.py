# SPDX-License-Identifier: GPL-2.0

"""Reads objects and modules."""

import os
import re
import subprocess

from command import Error, read

WHAT = "an object or a module"


def readelf(option, path):
    """Returns what readelf prints, which is the same for all architectures."""
    # Kbuild exports the variable.
    command = os.environ.get("READELF", "readelf")
    try:
        run = subprocess.run([command, option, path], capture_output=True, text=True,
                             env={**os.environ, "LC_ALL": "C"})
    except FileNotFoundError:
        raise Error(f"{command} is missing: apt install binutils") from None
    if run.returncode:
        raise Error(f"{path}: not {WHAT}, or damaged")
    return run.stdout


class Object:
    """An object or a module."""

    def __init__(self, path):
        self.path = path
        self.data = read(path, WHAT)
        if not self.data.startswith(b"\x7fELF"):
            raise Error(f"{path}: not {WHAT}")
        row = re.compile(r" *\[ *(\d+)\] (\S+) +\S+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) [0-9a-f]+ +([A-Zlop]*) ")
        rows = [row.match(line) for line in readelf("-SW", path).splitlines()]
        # Several sections can have the same name.
        self.sections = [(int(m[1]), m[2], int(m[3], 16), int(m[4], 16), m[5]) for m in rows if m]
        if not self.sections:
            raise Error(f"{path}: not {WHAT}, or damaged")

    def section(self, name):
        """Returns the bytes of a section."""
        for _, other, offset, size, flags in self.sections:
            if other != name:
                continue
            if "C" in flags:
                return self.decompressed(name)
            return self.data[offset : offset + size]
        return None

    def decompressed(self, name):
        """Returns the bytes of a section that's compressed (CONFIG_DEBUG_INFO_COMPRESSED_ZLIB, …_ZSTD)."""
        # Sixteen bytes a line: address, four groups of digits, text. LLVM's readelf doesn't indent it.
        dump = map(str.lstrip, readelf(f"-zx{name}", self.path).splitlines())
        return bytes.fromhex("".join(line[11:46] for line in dump if line.startswith("0x")))
