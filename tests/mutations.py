#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""usage: mutations.py check
       mutations.py list [NAME]...
       mutations.py apply NAME TREE
       mutations.py update RESULTS

For tests/mutations.sh: reads tests/mutations.list, which says what a mutation looks like.

check: prints what is wrong with the list, above all mutations that don't fit the code any more.
list: prints each mutation's NAME and its scripts.
apply: makes TREE, a copy of this tree, the mutated one. Other mutations are undone.
update: writes the results to tests/mutations.md. Each line of RESULTS has a NAME and what has
caught the mutation. For all others, the page keeps what it says.
"""

import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
top = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(top / "tools"))

import tables


class Mutation:
    def __init__(self, text):
        head, self.what, *lines = text.split("\n")
        self.name, self.file, scripts = head.split(": ")
        *self.scripts, last = scripts.split()
        self.added = last == "(added)"
        if not self.added:
            self.scripts.append(last)
        self.hunks = [hunk.split("\n") for hunk in "\n".join(lines).split("\n@@\n")]

    def mutated(self):
        """Returns the mutated file."""
        code = (top / self.file).read_text().split("\n")
        for hunk in self.hunks:
            old = [line[1:].strip() for line in hunk if line[0] in " -"]
            stripped = [line.strip() for line in code]
            places = [i for i in range(len(code)) if stripped[i:i + len(old)] == old]
            if len(places) != 1:
                sys.exit(f"{self.name}: {self.file} has {len(places)} times, not once: {' '.join(old)}")
            at, new = places[0], []
            for line in hunk:
                if line[0] in " -":
                    if line[0] == " ":
                        new.append(code[at])
                    at += 1
                else:
                    new.append(line[1:])
            code[places[0]:at] = new
        return "\n".join(code)


def read():
    text = (top / "tests/mutations.list").read_text()
    text = re.sub(r"^#.*\n", "", text, flags=re.M)
    return {m.name: m for m in map(Mutation, re.split(r"\n\n+", text.strip()))}


def check(mutations):
    for m in mutations.values():
        m.mutated()
        for script in m.scripts:
            if not os.access(top / f"tests/vm/{script}.sh", os.X_OK):
                sys.exit(f"{m.name}: there's no tests/vm/{script}.sh")


def apply(mutations, name, tree):
    for file in {m.file for m in mutations.values()}:
        new = (top / file).read_text()
        if name in mutations and mutations[name].file == file:
            new = mutations[name].mutated()
        # Files that stay the same aren't compiled again.
        path = pathlib.Path(tree) / file
        if path.read_text() != new:
            path.write_text(new)


def update(mutations, results):
    path = top / "tests/mutations.md"
    before = tables.read(path, "mutations")
    rows = ["| File | Change | Caught by |", "|---|---|---|"]
    for m in mutations.values():
        row = f"| `{m.file.removeprefix('tracepoint/')}` | {m.what} | "
        if m.name in results:
            rows.append(f"{row}{results[m.name]}{' (added for it)' if m.added else ''} |")
        else:
            rows += [line for line in before if line.startswith(row)]
    # Rows that stay are as old as before.
    stamp = [tables.line()] if results.keys() == mutations.keys() else before[before.index("") + 1 :]
    tables.replace(path, "mutations", [*rows, "", *stamp])


def main():
    action, *arguments = sys.argv[1:]
    mutations = read()
    if action == "check":
        check(mutations)
    elif action == "list":
        for name in arguments or mutations:
            print(name, *mutations[name].scripts)
    elif action == "apply":
        apply(mutations, *arguments)
    else:
        lines = pathlib.Path(arguments[0]).read_text().splitlines()
        update(mutations, dict(line.split(" ", 1) for line in lines))


main()
