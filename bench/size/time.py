#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: bench/size/time.py DIRECTORY [COUNT]...
#
# Measures the compile times of the modules written by generate, which must have been
# built before, and of the library's two crates. Runs Kbuild's commands in turn and
# takes the shortest CPU time of each. Prints lines for report.py.

import glob
import os
import re
import resource
import subprocess
import sys

directory, *counts = sys.argv[1:]
os.chdir(directory)
# As Kbuild does.
os.environ["RUSTC_BOOTSTRAP"] = "1"
os.environ["TRACEPOINT_OUT"] = os.path.abspath(".tracepoint")
os.environ["TRACEPOINT_VERSION"] = "measured"
counts = [int(n) for n in counts or (1, 10, 100, 300, 1000)]


def work(target):
    """Makes a target and returns the CPU time in milliseconds."""
    head, tail = os.path.split(target)
    with open(os.path.join(head, f".{tail}.cmd")) as file:
        command = re.search(r"^savedcmd_\S+ := (.*)", file.read(), re.M)[1]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command.replace("$(pound)", "#").replace("$$", "$"), shell=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return used * 1000


def shortest(targets, rounds):
    times = {target: [] for target in targets}
    for _ in range(rounds):
        for target in targets:
            times[target].append(work(target))
    return {target: min(times[target]) for target in targets}


macros, = glob.glob(".tracepoint/libtracepoint_macros.*so")
crates = shortest([macros, ".tracepoint/libtracepoint.rmeta"], 3)
print(f"bench: Rust the_crates,_once_for_all_modules {sum(crates.values()):.1f}")
best = {}
for count in counts:
    targets = [f"mixed_{language}_{count}.o" for language in ("c", "rust")]
    for target, time in shortest(targets, 7 if count < 100 else 3 if count < 1000 else 1).items():
        best[target[6:-2]] = time
for language, label in (("c", "C"), ("rust", "Rust")):
    for before, count in zip([None, *counts], counts):
        time = best[f"{language}_{count}"]
        print(f"bench: {label} a_module_with_{count}_event{'s' if count > 1 else ''} {time:.1f}")
        if before:
            each = (time - best[f"{language}_{before}"]) / (count - before)
            print(f"bench: {label} each_event_from_{before}_to_{count} {each:.2f}")
