#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""usage: compare.py formats|trace|stats|full|tp_btf GOLDEN NEW
       compare.py silent|disabled|decoded|sample FILE
       compare.py names SOURCE FILE

Compares what tests/patches/machine.sh printed on two kernels, and prints what differs:

  formats   the fields of the events; their numbers and "print fmt" may differ
  trace     what each process fired; process IDs may differ, and the numbers of transactions as
            long as their order is the same
  stats     how often binder has seen each command
  full      how many records a full buffer has
  tp_btf    the counts and sums of tests/patches/tp_btf.bpf.c

"silent" prints the events that the trace lacks, "disabled" those that trace_event= hasn't enabled, "decoded" the
texts that the kernel, perf and trace-cmd don't have in common, and "sample" what is wrong with the texts of
samples/rust/rust_trace_events.rs. "names" compares the names of commands with those in the C file SOURCE."""

import difflib
import re
import sys

LINE = re.compile(r".*-(?P<pid>\d+) +\[\d+\] .*?: (?P<text>binder_\w+: .*)")


def parts(path):
    """The lines of each part, by the part's name."""
    found, lines = {}, []
    with open(path, errors="replace") as file:
        for line in file.read().splitlines():
            if line.startswith("### "):
                lines = found.setdefault(line[4:], [])
            else:
                lines.append(line)
    return found


def events(dump):
    return [name.split()[1] for name in dump if name.startswith("format ")]


def formats(dump):
    for event in events(dump):
        yield f"{event}:"
        yield from (line for line in dump[f"format {event}"] if line.startswith("\tfield:"))


def fired(dump):
    """The process and the text of each line of the trace."""
    names = {"0": "nobody"}
    for line in dump["processes"]:
        name, pid = line.split()
        names[pid] = name
    matches = [match for match in map(LINE.match, dump["trace"]) if match]
    numbers = sorted({int(n) for match in matches for n in re.findall(r"\btransaction=(\d+)", match["text"])})
    for match in matches:
        text = re.sub(r"\btransaction=(\d+)", lambda m: f"transaction=#{numbers.index(int(m[1]))}", match["text"])
        text = re.sub(r"\b(dest_proc|dest_thread)=(\d+)", lambda m: f"{m[1]}={names.get(m[2], m[2])}", text)
        yield names.get(match["pid"], "others"), text


def trace(dump):
    # The processes run at the same time, so only the order in each of them counts.
    for process, text in sorted(fired(dump), key=lambda line: line[0]):
        yield f"{process}: {text}"


def stats(dump):
    return dump["stats"]


def full(dump):
    return dump["full"]


def tp_btf(dump):
    lines = dump["tp_btf"]
    # A program that hasn't run compares nothing.
    return [] if any(line.endswith('_calls": 0') for line in lines) else lines


def silent(dump):
    heard = {text.split(":")[0] for _, text in fired(dump)}
    return [event for event in events(dump) if event not in heard]


def decoded(dump):
    texts = {tool: sorted(" ".join(text.split()) for text in re.findall(r"\b((?:binder|rust_sample)_\w+: .*)", "\n".join(dump[tool])))
             for tool in ("trace", "perf", "trace-cmd")}
    return [line for tool in ("perf", "trace-cmd")
            for line in difflib.unified_diff(texts["trace"], texts[tool], "kernel", tool, n=0, lineterm="")]


def sample(dump):
    wanted = 3 * [r"rust_sample_opened: rust-trace-events by \d+: \{0x1,0x2,0xabcd\}"] + [
        r"rust_sample_third: the third time \(3\)"]
    texts = sorted(re.findall(r"\brust_sample_\w+: .*", "\n".join(dump["trace"])))
    return [] if len(texts) == len(wanted) and all(map(re.fullmatch, wanted, texts)) else texts or ["no text"]


def names(source, dump):
    with open(source) as file:
        text = file.read()
    for event, array in ("command", "binder_command_strings"), ("return", "binder_return_strings"):
        in_c = re.findall(r'"(\w+)"', re.search(array + r"\[\] = \{(.*?)\n\}", text, re.DOTALL)[1])
        print_fmt = "".join(line for line in dump[f"format binder_{event}"] if line.startswith("print fmt:"))
        # The last byte of a command is its number.
        in_rust = {(int(value, 16) & 0xff, name) for value, name in re.findall(r'== (0x[0-9a-f]+)\) \? "(\w+)"', print_fmt)}
        yield from (f"{event}: {number} is {name}" for number, name in sorted(in_rust ^ set(enumerate(in_c))))


def disabled(dump):
    return [event for event in events(dump) if dump[f"enabled {event}"] != ["1"]]


def main():
    comparisons = {"formats": formats, "trace": trace, "stats": stats, "full": full, "tp_btf": tp_btf}
    lists = {"silent": silent, "disabled": disabled, "decoded": decoded, "sample": sample}
    match sys.argv[1:]:
        case [what, golden, new] if what in comparisons:
            old, new = (list(comparisons[what](parts(path))) for path in (golden, new))
            lines = list(difflib.unified_diff(old, new, "C", "Rust", n=1, lineterm=""))
            # Two empty lists mean that something else went wrong.
            if not old:
                lines = [f"{golden} has nothing to compare with"]
        case [what, path] if what in lists:
            lines = lists[what](parts(path))
        case ["names", source, path]:
            lines = list(names(source, parts(path)))
        case _:
            sys.exit(__doc__)
    print(*lines, sep="\n", end="\n" if lines else "")
    sys.exit(bool(lines))


main()
