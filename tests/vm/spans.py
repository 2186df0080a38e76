#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: spans.py [-n MINIMUM] [-u UNFINISHED] [FILE]...
#
# Checks that the spans in traces are paired: in each thread, they nest strictly,
# each begin has its end, and each end its begin and a duration. An interrupt's are
# among those of the thread that it has interrupted. Spans called
# …_request are paired by their ids only. Exactly UNFINISHED spans may have no end, and at least MINIMUM
# must have one.

import argparse
import re
import sys

LINE = re.compile(
    r"^\s*(?P<task>.*)-(?P<pid>\d+)\s+\[(?P<cpu>\d+)\].*?: (?P<event>\w+): "
    r"(?P<phase>begin|end) #(?P<id>\d+) .*\[(?P<duration>\d+) ns, (?P<result>\w+)\]$"
)

parser = argparse.ArgumentParser()
parser.add_argument("-n", type=int, default=1)
parser.add_argument("-u", type=int, default=0)
parser.add_argument("files", nargs="*", default=["/sys/kernel/tracing/trace"])
args = parser.parse_args()

failures = 0


def complain(line, what):
    global failures
    failures += 1
    if failures < 20:
        print(f"{what}: {line.strip()}")


for file in args.files:
    stacks = {}
    requests = {}
    ended = 0
    with open(file) as lines:
        for line in lines:
            if "LOST" in line:
                complain(line, "lost events")
            match = LINE.match(line)
            if not match:
                if ": begin #" in line or ": end #" in line:
                    complain(line, "not understood")
                continue
            event, number = match["event"], match["id"]
            thread = (match["pid"], match["cpu"] if match["pid"] == "0" else None)
            if match["phase"] == "begin":
                if match["duration"] != "0":
                    complain(line, "a begin with a duration")
                if event.endswith("_request"):
                    requests[number] = line
                else:
                    stacks.setdefault(thread, []).append((event, number, line))
                continue
            if match["duration"] == "0":
                complain(line, "an end without a duration")
            ended += 1
            if event.endswith("_request"):
                if requests.pop(number, None) is None:
                    complain(line, "an end without a begin")
                continue
            stack = stacks.get(thread, [])
            if stack and stack[-1][:2] == (event, number):
                stack.pop()
            elif any(open[1] == number for open in stack):
                complain(line, "an end that isn't nested")
            else:
                complain(line, "an end without a begin")
    unfinished = list(requests.values()) + [open[2] for s in stacks.values() for open in s]
    if len(unfinished) != args.u:
        for line in unfinished:
            complain(line, "a begin without an end")
    if ended < args.n:
        complain(str(ended), "too few spans")
    print(f"{file}: {ended} spans")
sys.exit(failures != 0)
