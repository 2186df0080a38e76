#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: bench/report.py ARCH LOG JSON SVG PAGE README [KEY=VALUE]...
#
# Turns the benchmark results in the kernel log into tables, a JSON file and a chart.
# Updates the columns of the architecture in the tables of PAGE and, for amd64, the chart
# and the key figures in README. Fails if Rust costs more than C.

import json
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../tools"))

import tables

ARCHITECTURES = ("amd64", "arm64", "loong64")

arch, log, json_file, svg_file, page_file, readme, *about = sys.argv[1:]
about = dict(a.split("=", 1) for a in about) | {"stamp": tables.stamp()}

mode = "bare"
rows = {}
for line in open(log, errors="replace"):
    if found := re.search(r"bench: mode (.*)", line):
        mode = found[1].strip()
    elif found := re.search(r"bench\w*: (C|Rust) ([\w,]+) ([0-9.]+)$", line.strip()):
        rows.setdefault((mode, found[2]), {})[found[1]] = float(found[3])

# What the modules say while they only fire events.
rows = {key: row for key, row in rows.items() if key[0] != "none"}
results = []
worse = []
print(f"{'':34}{'C':>12}{'Rust':>12}{'ratio':>8}")
for (mode, what), row in rows.items():
    c, rust = row.get("C"), row.get("Rust")
    name = f"{mode}: {what}"
    ratio = round(rust / c, 3) if c and rust else None
    results.append({"mode": mode, "what": what, "c": c, "rust": rust, "ratio": ratio})
    if ratio is None:
        print(f"{name:34}{c or '-':>12}{rust or '-':>12}       -")
        continue
    print(f"{name:34}{c:12.1f}{rust:12.1f}{ratio:8.3f}")
    # Compile times never fail the run. The instructions for removing a probe vary a little
    # from boot to boot, so allow for that.
    # Of a whole module, only the total counts.
    if round(ratio, 2) > 1 and mode != "build" and (not mode.startswith("module_") or what == "total"):
        worse.append(name)

with open(json_file, "w") as out:
    json.dump({"about": about, "results": results}, out, indent=1)
    out.write("\n")

bars = [r for r in results if r["ratio"] is not None]
drawn = [r for r in bars if r["mode"] != "build"]


def draw():
    """One bar for each thing measured in the kernel: Rust's share of C's instructions."""
    height = 18 * len(drawn) + 40
    with open(svg_file, "w") as out:
        out.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{height}" '
            'font-family="sans-serif" font-size="12">\n'
            '<!-- SPDX-License-Identifier: GPL-2.0 -->\n'
            '<rect width="100%" height="100%" fill="white"/>\n'
            '<text x="8" y="16">Rust relative to C: instructions (size: bytes)</text>\n'
        )
        for i, r in enumerate(drawn):
            y = 28 + 18 * i
            out.write(
                f'<text x="8" y="{y + 12}">{r["mode"]}: {r["what"]}</text>'
                f'<rect x="280" y="{y + 2}" width="{r["ratio"] * 360:.0f}" height="13" fill="#b7410e"/>'
                f'<text x="{290 + r["ratio"] * 360:.0f}" y="{y + 12}">{r["ratio"]:.3f}</text>\n'
            )
        out.write(
            f'<line x1="640" y1="24" x2="640" y2="{height - 8}" stroke="black" stroke-dasharray="3"/>\n'
            "</svg>\n"
        )


def probes(n):
    return f"{n} probe{'s' if n != '1' else ''}"


# The page shows each result of the bare tracepoint, and totals for the events.
MODES = {
    "buffer": "into the ring buffer",
    "filtered": "filtered out",
    "hist": "into the ring buffer and a histogram",
    "perf": "through perf",
    "bpf": "to a BPF program on the raw tracepoint",
    "show": "shown by `cat trace`",
    "show_text": "shown by `cat trace`, only the text",
}
NAMES = {
    "disabled": "a disabled call site",
    **{n: f"a tracepoint with {probes(n)}" for n in "1248"},
}
INSTRUCTIONS = "Instructions"
SIZES = {
    "Bytes of a module with 1 event": "module_with_1",
    "Bytes of a module with 10 events": "module_with_10",
    "Bytes of a module with 100 events": "module_with_100",
    "Bytes that an event adds to its module": "size",
    "Compiler CPU time in milliseconds": "build",
}


def two_digits(time):
    """Compile times differ by a few percent from run to run."""
    return str(int(float(f"{time:.2g}")))


def measured():
    """Returns the cells of each row by the head of its table and its name."""
    cells = {}
    for r in results:
        if r["mode"] == "bare":
            what = re.sub("[0-9]+", lambda n: probes(n[0]), r["what"]).replace("_", " ")
            what = NAMES.get(r["what"], what)
            rust, ratio = (f"{r['rust']:.0f}", f"{r['ratio']:.3f}") if r["rust"] else ("–", "–")
            cells[INSTRUCTIONS, what] = [f"{r['c']:.0f}", rust, ratio, ""]
    for mode, text in MODES.items():
        events = [r for r in bars if r["mode"] == mode]
        c = sum(r["c"] for r in events)
        rust = sum(r["rust"] for r in events)
        worst = max(events, key=lambda r: r["ratio"])
        cells[INSTRUCTIONS, f"{len(events)} events {text}, total"] = [
            f"{c:.0f}", f"{rust:.0f}", f"{rust / c:.3f}", f"{worst['ratio']:.3f}, `{worst['what']}`"]
    for head, mode in SIZES.items():
        for r in results:
            if r["mode"] == mode:
                figure, share = (two_digits, "{:.2g}".format) if mode == "build" else ("{:.0f}".format, "{:.3f}".format)
                c, ratio = (figure(r["c"]), share(r["ratio"])) if r["c"] else ("–", "–")
                cells[head, r["what"].replace("_", " ")] = [c, figure(r["rust"]), ratio]
    return cells


def read_tables(lines):
    """Returns what each architecture was measured on, and its cells, from the page's lines."""
    made_on, cells, head, groups = {}, {}, None, []
    for line in lines:
        if m := re.match(r"(?:On |- )(\S*?\b(" + "|".join(ARCHITECTURES) + r")\b.*?):?$", line):
            made_on[m[2]] = m[1]
        row = [cell.strip() for cell in line.split("|")[1:-1]]
        if not row or row[1].startswith("---"):
            continue
        if row[0] in (INSTRUCTIONS, *SIZES):
            head = row[0]
            # An architecture's cells start with C's. Without a name, they are amd64's.
            starts = [i for i, cell in enumerate(row) if cell.endswith("C") and "/" not in cell]
            groups = [(row[i][:-3] or "amd64", i, j) for i, j in zip(starts, [*starts[1:], len(row)])]
            continue
        for name, i, j in groups:
            if any(row[i:j]):
                cells.setdefault(name, {})[head, row[0]] = row[i:j]
    return made_on, cells


def table_row(cells):
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def table_lines(made_on, cells):
    """Returns the lines of the page: the architectures side by side."""
    names = [name for name in ARCHITECTURES if name in cells]
    if len(names) == 1:
        lines = [f"On {made_on[names[0]]}:"]
    else:
        lines = [f"- {made_on[name]}" for name in names]
    for head in (INSTRUCTIONS, *SIZES):
        titles = ["C", "Rust", "Rust / C"] + (["worst event"] if head == INSTRUCTIONS else [])
        row = [title if title != "C" or len(names) == 1 else f"{name}: C" for name in names for title in titles]
        lines += ["", table_row([head, *row]), "|---" * (len(row) + 1) + "|"]
        for key in dict.fromkeys(key for name in names for key in cells[name] if key[0] == head):
            row = [cell for name in names for cell in cells[name].get(key, [""] * len(titles))]
            lines.append(table_row([key[1], *row]))
    return lines


# Rows of these tables that the README repeats, and what it calls them.
KEY_FIGURES = {
    f"{INSTRUCTIONS}: a disabled call site": "instructions at a disabled call site",
    f"{INSTRUCTIONS}: a tracepoint with 1 probe": "instructions to fire a tracepoint with 1 probe",
    "events into the ring buffer, total": "instructions to record each sample event once",
    "events shown by `cat trace`, total": "instructions to show each sample event once (`cat trace`)",
    "1 event: total": "bytes of a module with 1 event",
    "10 events: total": "bytes of a module with 10 events",
    "100 events: total": "bytes of a module with 100 events",
    ": a module with 1 event": "compiler CPU time for a module with 1 event, in milliseconds",
    "each event from 100 to 300": "compiler CPU time for each additional event, in milliseconds",
}


def page(old):
    made_on, cells = read_tables(old)
    made_on[arch] = ", ".join(about.values())
    cells[arch] = measured()
    return table_lines(made_on, cells)


def summary():
    lines = ["On " + ", ".join(about.values()) + ":", "", "| | C | Rust | Rust / C |", "|---|---|---|---|"]
    for (head, what), row in measured().items():
        for end, text in KEY_FIGURES.items():
            if f"{head}: {what}".endswith(end):
                lines.append(table_row([text, *row[:3]]))
    return lines


page_file, readme = pathlib.Path(page_file), pathlib.Path(readme)
tables.replace(page_file, "bench", page(tables.read(page_file, "bench")))
if arch == "amd64":
    tables.replace(readme, "bench-summary", summary())
    draw()

for name in worse:
    print(f"{name} costs more in Rust")
sys.exit(bool(worse) or len(drawn) < 40)
