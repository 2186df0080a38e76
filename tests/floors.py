#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""usage: tests/floors.py

Checks the structure of the library, which docs/contributing.md describes: that a file imports nothing
from a floor above its own, that what the macros of the core expand to names nothing of a layer, that no
files import each other in a circle, and that none is too long to be read at once. Prints what is wrong.
"""

import pathlib
import re
import subprocess

LINES = 800
FLOORS = (("arch", "modules"), ("base", "macros"), ("layers",))

top = pathlib.Path(__file__).resolve().parents[1] / "tracepoint"


def modules(root, base):
    """Returns the file of each module of a crate, by its path."""
    result = {}
    for file in sorted(base.rglob("*.rs")):
        parts = file.relative_to(base).with_suffix("").parts
        if parts[-1] in ("mod", "lib"):
            parts = parts[:-1]
        result[parts] = file
    result[()] = root
    return result


def groups(text):
    """Yields the paths in the text of a `use`."""
    text = text.strip()
    if "{" not in text:
        yield text
        return
    head, rest = text.split("{", 1)
    depth, item = 0, ""
    for char in rest[:rest.rindex("}")] + ",":
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            if item.strip():
                yield from (head.strip() + path for path in groups(item))
            item = ""
        else:
            item += char


def imports(path, file, known):
    """Yields the files of the same crate that a file names. Re-exports of a folder's file don't count."""
    code = re.sub(r"//[^\n]*", "", file.read_text().split("#[cfg(test)]\n")[0])
    folder = file.name in ("mod.rs", "lib.rs")
    if folder:
        code = re.sub(r"\bpub(\([^)]*\))? use [^;]*;", "", code)
    paths = [p for use in re.findall(r"\buse ((?:crate|self|super)\b[^;]*);", code) for p in groups(use)]
    paths += re.findall(r"\b(?:crate|super)(?:::\w+)+", code)
    for text in paths:
        # Only code that a macro expands to has it.
        if text == "super::*":
            continue
        parts = [part.split()[0] for part in re.sub(r"\s+as \w+$", "", text).split("::") if part.strip()]
        at = path
        while parts and parts[0] in ("crate", "self", "super"):
            first = parts.pop(0)
            at = () if first == "crate" else at[:-1] if first == "super" else at
        for part in parts:
            if at + (part,) not in known:
                break
            at += (part,)
        if at and known[at] != file:
            yield known[at]


def circles(graph):
    """Yields the groups of files that import each other."""
    reach = {}
    for start in graph:
        seen, todo = set(), [start]
        while todo:
            new = graph.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        reach[start] = seen
    found = {frozenset(b for b in reach[a] if a in reach.get(b, ())) for a in graph}
    return sorted((sorted(circle) for circle in found if circle), key=str)


def floor(name):
    return next((n for n, folders in enumerate(FLOORS) if name.split("/")[0] in folders), None)


library = {p: f for p, f in modules(top / "lib.rs", top).items() if p[:1] != ("macros",)}
macros = modules(top / "macros/lib.rs", top / "macros")
for path, file in modules(None, top / "layers").items():
    # What `layers!` in lib.rs declares, and below it.
    if path[1:2] == ("macros",):
        macros[path] = file
for crate in (library, macros):
    graph = {}
    for path, file in crate.items():
        name = str(file.relative_to(top))
        graph[name] = {str(f.relative_to(top)) for f in imports(path, file, crate)}
        for other in sorted(graph[name]):
            if None not in (floor(name), floor(other)) and floor(name) < floor(other):
                print(f"{name} imports {other}, which is on a floor above")
    for circle in circles(graph):
        print("these import each other:", ", ".join(circle))

# What a layer lets the macros refer to.
private = {}
for file in top.glob("layers/*/mod.rs"):
    exports = file.read_text().partition("pub mod private {")[2]
    private.update((name, file.parent.name) for use in re.findall(r"\bpub use ([^;]*);", exports)
                   for path in groups(use) for name in re.findall(r"\w+$", path))
for file in (top / "macros").rglob("*.rs"):
    for name in re.findall(r"\b__(?:p|private)::(\w+)", file.read_text()):
        if name in private:
            print(f"{file.relative_to(top)} expands to `{name}`, which belongs to the layer {private[name]}")

files = subprocess.check_output(["git", "ls-files", "*.rs", "*.py"], cwd=top.parent, text=True).split()
for name in files:
    lines = len((top.parent / name).read_text().splitlines())
    if lines > LINES:
        print(f"{name} has {lines} lines, more than {LINES}")
