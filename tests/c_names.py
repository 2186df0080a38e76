#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/c_names.py KDIR PAGE
#
# Prints the macros and functions of the kernel's headers for tracepoints and events
# that PAGE doesn't mention.

import glob
import re
import sys

kdir, page = sys.argv[1:]
headers = [f"{kdir}/include/linux/tracepoint.h", f"{kdir}/include/linux/tracepoint-defs.h"]
headers += sorted(glob.glob(f"{kdir}/include/trace/*.h") + glob.glob(f"{kdir}/include/trace/stages/*.h"))

names = set()
for header in headers:
    text = open(header).read()
    found = re.findall(r"^\s*#\s*define\s+(\w+)", text, re.MULTILINE)
    # The macros declare functions named after the tracepoint.
    if header.endswith("/tracepoint.h"):
        found += re.findall(r"^\s*(?:static inline|extern)\s[^;{(=]*?(\w+(?:##\w+)*)\(", text, re.MULTILINE)
    names.update(re.sub(r"##_?name(##)?", "NAME", name) for name in found)
# Guards against a second #include.
names = {name for name in names if not re.fullmatch(r"_\w+_H|TRACEPOINT_DEFS_H", name)}
# What trace_NAME() and the others call.
names -= {"__trace_NAME_enabled", "__do_trace_NAME", "__traceiter_NAME", "STATIC_CALL_KEY"}
names -= {"syscall_regfunc", "syscall_unregfunc"}
if len(names) < 100:
    sys.exit(f"found only {len(names)} names in {kdir}/include")

text = open(page).read()
for first, prefix, last in re.findall(r"`((\w+?)\d+)` to\s+`\2(\d+)`", text):
    text += "".join(f" {prefix}{n}" for n in range(int(last) + 1))
known = set(re.findall(r"\w+", text))
for name in sorted(names - known):
    print(f"{page} doesn't mention {name}")
