#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: bench/show.py
#
# Measures what reading the trace costs per record, for each of the sample's events, in C
# and in Rust: the whole line, and without what precedes an event's own text. Writes the
# results to the kernel log, as the benchmark's modules do.

import os
import subprocess
import time

TRACING = "/sys/kernel/tracing"
EVENTS = f"{TRACING}/events/sample-trace"


def write(file, text):
    with open(file, "w") as out:
        out.write(text)


def fire():
    """Fires each event many times. Only what's enabled is recorded."""
    try:
        open("/proc/event-bench")
    except PermissionError:
        pass


def measure(event):
    """Returns the cost of a record of this event among those that the first reads show."""
    buffer = bytearray(1 << 16)
    reads, best, records = range(8), {}, 0
    for _ in range(5):
        trace = os.open(f"{TRACING}/trace", os.O_RDONLY)
        for n in reads:
            start = time.perf_counter_ns()
            size = os.readv(trace, [buffer])
            cost = time.perf_counter_ns() - start
            if n not in best:
                records += buffer.count(f"{event}: ".encode(), 0, size)
            # Interrupts disturb only some of the runs.
            best[n] = min(cost, best.get(n, cost))
        os.close(trace)
    return sum(best.values()) / records


# All lines are equally long: this clock's seconds always have ten digits.
write(f"{TRACING}/trace_clock", "tai")
for language, module in ("C", "event_bench_c"), ("Rust", "event_bench"):
    subprocess.check_call(["insmod", f"bench/{module}.ko"])
    for event in sorted(os.listdir(EVENTS)):
        if not os.path.isdir(f"{EVENTS}/{event}"):
            continue
        write("/dev/kmsg", "bench: mode none\n")
        write(f"{TRACING}/trace", "")
        write(f"{EVENTS}/{event}/enable", "1")
        fire()
        write(f"{EVENTS}/{event}/enable", "0")
        for mode, options in ("show", "context-info"), ("show_text", "nocontext-info"):
            write(f"{TRACING}/trace_options", options)
            write("/dev/kmsg", f"bench: mode {mode}\n")
            write("/dev/kmsg", f"bench: {language} {event} {measure(event):.1f}\n")
        write(f"{TRACING}/trace_options", "context-info")
    subprocess.check_call(["rmmod", module])
write("/dev/kmsg", "bench: mode none\n")
