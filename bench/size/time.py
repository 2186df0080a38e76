#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: bench/size/time.py DIRECTORY
#
# Measures the compile times of the modules written by generate, which must have been
# built before. Runs Kbuild's commands in turn and takes the shortest time of each.
# Prints lines for report.py.

import os
import re
import resource
import subprocess
import sys

ROUNDS = 5

os.chdir(sys.argv[1])
# As Kbuild does.
os.environ["RUSTC_BOOTSTRAP"] = "1"


def work(name):
    """Compiles a module and returns the CPU time in seconds."""
    with open(f".{name}.o.cmd") as file:
        command = re.search(r"^savedcmd_\S+ := (.*)", file.read(), re.M)[1]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command.replace("$(pound)", "#").replace("$$", "$"), shell=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


times = {(language, n): [] for n in (1, 11) for language in ("c", "rust")}
for _ in range(ROUNDS):
    for language, n in times:
        times[language, n].append(work(f"size_{language}_{n}"))
for language, label in (("c", "C"), ("rust", "Rust")):
    one, eleven = (min(times[language, n]) for n in (1, 11))
    print(f"bench: {label} a_module_with_one_event {one * 1000:.1f}")
    print(f"bench: {label} each_additional_event {(eleven - one) * 100:.1f}")
