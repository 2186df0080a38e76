#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""usage: unprivileged.py ID FILE...

Run as nobody: prints each of the files that can be opened, and fails if there are any.
ID is the ID of an event that perf must not be able to open, either.
"""

import ctypes
import errno
import os
import struct
import sys

# Newer architectures share their numbers.
PERF_EVENT_OPEN = 298 if os.uname().machine == "x86_64" else 241
PERF_TYPE_TRACEPOINT = 2

allowed = []
for path in sys.argv[2:]:
    for how in ("O_RDONLY", "O_WRONLY", "O_RDWR"):
        try:
            os.close(os.open(path, getattr(os, how)))
            allowed.append(f"{how} {path}")
        except PermissionError:
            pass

libc = ctypes.CDLL(None, use_errno=True)
for pid, cpu in ((0, -1), (-1, 0)):
    attr = struct.pack("IIQ", PERF_TYPE_TRACEPOINT, 128, int(sys.argv[1])).ljust(128, b"\0")
    fd = libc.syscall(PERF_EVENT_OPEN, attr, pid, cpu, -1, 0)
    if fd >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.EACCES):
        allowed.append(f"perf, pid {pid}: {os.strerror(ctypes.get_errno())}")

print(*allowed, sep="\n")
sys.exit(bool(allowed))
