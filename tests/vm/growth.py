#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""usage: growth.py ROUNDS FILE.ko...
       growth.py ROUNDS --stress PROGRAM DIRECTORY SEED

Loads and unloads the modules repeatedly, or runs stress.c, and compares the kernel's
allocations after some rounds with those after ROUNDS more. Fails if something grows by about one
object in a round, or by 200, three times in a row, and reports it.
"""

import ctypes
import functools
import glob
import os
import re
import subprocess
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
# finit_module and delete_module; newer architectures share their numbers.
INIT_MODULE, DELETE_MODULE = (313, 176) if os.uname().machine == "x86_64" else (273, 106)
WARM_UP = 20
# What debug kernels write down about other objects, which have slabs of their own. It's kept in pools.
BOOKKEEPING = ["debug_objects_cache", "kmemleak_object"]
PAGE = os.sysconf("SC_PAGE_SIZE")


def call(number, what, *args):
    if libc.syscall(number, *args):
        error = ctypes.get_errno()
        sys.exit(f"{what}: {os.strerror(error)}")


def stress(program, directory, seed):
    """Returns a function that runs the program."""
    seeds = iter(range(int(seed), int(seed) + 10))

    def run(rounds):
        done = subprocess.run([program, directory, str(rounds), str(next(seeds))], stdout=subprocess.PIPE, text=True)
        print(done.stdout, end="", flush=True)
        if done.returncode:
            sys.exit(1)

    return run


def run_modules(rounds, modules):
    for _ in range(rounds):
        for name, file in modules:
            call(INIT_MODULE, f"load {name}", file.fileno(), b"", 0)
        for name, _ in reversed(modules):
            call(DELETE_MODULE, f"unload {name}", name.encode(), os.O_NONBLOCK)


def read(path):
    with open(path) as file:
        return file.read()


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def measure():
    """Returns the number of objects by name: measures until the numbers stop falling."""
    least, same = measure_once(), 0
    while same < 5:
        # SRCU callbacks and workqueues free some objects later.
        time.sleep(0.3)
        now = measure_once()
        less = {name: min(n, now.get(name, n)) for name, n in least.items()}
        same = same + 1 if less == least else 0
        least = less
    return least


def measure_once():
    write("/proc/sys/vm/drop_caches", "3")
    # Free empty slabs and KASAN's quarantine.
    for path in glob.glob("/sys/kernel/slab/*/shrink"):
        write(path, "1")
    counts = {}
    for line in read("/proc/slabinfo").splitlines()[2:]:
        name, active = line.split()[:2]
        if name not in BOOKKEEPING:
            counts["slab " + name] = int(active)
    counts["vmallocinfo"] = len(read("/proc/vmallocinfo").splitlines())
    meminfo = dict(re.findall(r"^(\w+): +(\d+)", read("/proc/meminfo"), re.M))
    cpus = os.cpu_count()
    # A percpu object takes at least four bytes per CPU.
    counts["Percpu"] = int(meminfo["Percpu"]) * 1024 // (4 * cpus)
    # In pages, without the page cache.
    used = int(meminfo["MemTotal"]) - int(meminfo["MemFree"])
    counts["pages"] = (used - int(meminfo["Buffers"]) - int(meminfo["Cached"])) * 1024 // PAGE
    if os.path.exists("/sys/kernel/debug/percpu_stats"):
        stats = read("/sys/kernel/debug/percpu_stats")
        counts["percpu_stats"] = int(re.search(r"nr_cur_alloc *: *(\d+)", stats)[1])
    return counts


def grown(before, after, rounds):
    """Returns what has grown: by name, the numbers before and after."""
    result = {}
    for name, n in after.items():
        # These grow in pages, and may grow by a few pages at any time.
        slack = {"Percpu": 16 * PAGE // 4, "pages": 1024}.get(name, min(20, rounds // 4))
        if n > before.get(name, 0) + min(rounds / 2, 200) + slack:
            result[name] = before.get(name, 0), n
    return result


def main():
    rounds = int(sys.argv[1])
    if sys.argv[2] == "--stress":
        run = stress(*sys.argv[3:])
    else:
        modules = [(os.path.basename(f)[: -len(".ko")], open(f, "rb")) for f in sys.argv[2:]]
        run = functools.partial(run_modules, modules=modules)
    run(min(WARM_UP, rounds // 2))
    before = measure()
    suspects = None
    # A leak grows each time; occasional allocations by the rest of the kernel don't.
    for _ in range(3):
        start = time.monotonic()
        run(rounds)
        seconds = time.monotonic() - start
        after = measure()
        most = sorted(((n - before.get(name, 0), name) for name, n in after.items()), reverse=True)
        print(f"# {rounds} rounds in {seconds:.0f} s; grown most:", *(f"{n} {k};" for n, k in most[:5]), flush=True)
        now = grown(before, after, rounds)
        suspects = {name: now[name] for name in (suspects or now) if name in now}
        if not suspects:
            return
        before = after
    for name, (least, most) in suspects.items():
        print(f"{name}: {least} before, {most} after")
    sys.exit(1)


main()
