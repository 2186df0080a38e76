#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/c_names.py KDIR PAGE
#
# Prints the macros and functions of the kernel's headers for tracepoints and events
# that PAGE doesn't mention, except for those that only the headers use.

import glob
import re
import sys

# The macros that only the headers use. In docs/internals.md, each stage names what takes their place.
INTERNAL = set("""
    ALIGN_STRUCTFIELD CAST_TO_U64 FIRST PARAMS REMOTE_PRINTK_COUNT_ARGS TRACEPOINTS_ENABLED
    TRACEPOINT_CHECK TRACE_INCLUDE TRACE_MAKE_SYSTEM_STR TRACE_SYSTEM_STRING UINTTYPE
    UNDEF_TRACE_INCLUDE_FILE UNDEF_TRACE_INCLUDE_PATH _TRACE_BTF_IDS_DECLARE _TRACE_BTF_IDS_INIT
    _TRACE_PERF_INIT _TRACE_PERF_PROTO __BPF_DECLARE_TRACE __BPF_DECLARE_TRACE_SYSCALL __CAST_TO_U64
    __CHECK_WRITABLE_BUF_SIZE __DECLARE_EVENT_CLASS __DECLARE_TRACE __DECLARE_TRACE_COMMON
    __DECLARE_TRACE_SYSCALL __DEFINE_EVENT __DEFINE_RUST_DO_TRACE __DEFINE_TRACE_EXT __DO_TRACE_CALL
    __REMOTE_EVENT_SECTION __STAGE5_STRING_SRC_H __TRACEPOINT_ENTRY __TRACE_INCLUDE __app __app__
    __bitmask_size_in_bytes __bitmask_size_in_bytes_raw __bitmask_size_in_longs
""".split())
INTERNAL |= {f"__CAST{n}" for n in range(1, 13)} | {f"__remote_printk{n}" for n in range(3)}

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

known = INTERNAL | set(re.findall(r"\w+", open(page).read()))
for name in sorted(names - known):
    print(f"{page} doesn't mention {name}")
