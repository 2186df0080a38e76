#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: bench/size/measure.py DIRECTORY
#
# Measures the modules written by generate: how many bytes one event adds to a module, and
# how many the modules with 1, 10 and 100 events have. Prints lines for report.py.

import re
import subprocess
import sys


def sizes(path):
    """Returns the bytes that stay in memory, by kind of memory."""
    result = {"text": 0, "data": 0, "rodata": 0}
    text = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout
    for name, size, flags in re.findall(
        r"\] (\S+) +\w+ +[0-9a-f]{16} [0-9a-f]{6} ([0-9a-f]{6}) [0-9a-f]{2} +([A-Zop]+) ", text
    ):
        # Skip .init and .exit, and what the loader discards.
        if "A" not in flags or re.match(r"\.(init|exit|note|modinfo|gnu|rela)|__version|\.return_sites|\.altinstr", name):
            continue
        kind = "text" if "X" in flags else "data" if "W" in flags else "rodata"
        result[kind] += int(size, 16)
    return result


def measure(mode, value):
    """Prints the bytes of both languages, as value(language) returns them."""
    print(f"bench: mode {mode}")
    for language, label in (("c", "C"), ("rust", "Rust")):
        kinds = value(language)
        kinds["total"] = sum(kinds.values())
        for kind, n in kinds.items():
            print(f"bench: {label} {kind} {n:.1f}")


def module(name):
    return sizes(f"{sys.argv[1]}/{name}.ko")


def added(language):
    one, eleven = (module(f"size_{language}_{n}") for n in (1, 11))
    return {kind: (eleven[kind] - one[kind]) / 10 for kind in one}


measure("size", added)
for count in (1, 10, 100):
    measure(f"module_with_{count}", lambda language: module(f"mixed_{language}_{count}"))
