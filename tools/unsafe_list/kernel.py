# SPDX-License-Identifier: GPL-2.0

"""The names that the kernel's source defines, by file. Reading all of it takes a while, so they are
kept in a file."""

import fnmatch
import glob
import json
import os
import re
import tarfile

CACHE = "/var/cache/rust-tracepoint"
# What a comment may cite. The other directories' files are only known to exist.
DIRECTORIES = (
    "arch/arm64 arch/loongarch arch/x86 block fs include init io_uring kernel lib mm net/core rust samples security"
).split()

# What starts in the first column: functions, their prototypes, and macros that define one.
FUNCTION = re.compile(r"^(?!#)[A-Za-z_](?:[^(\n;={]*[\s*])?([A-Za-z_]\w*)\s*\((?:([A-Za-z_]\w*)\s*[,)])?", re.MULTILINE)
OTHERS = [
    re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE),
    re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*\{"),
    # Variables, and `static inline` on a line of its own.
    re.compile(r"^(?:[A-Za-z_][\w \t]*[ \t*])?(\w+)(?:\[\w*\])?\s*(?:;|=[^=]|\()", re.MULTILINE),
    # Assembly, and macros that make C functions: DEFINE_PER_CPU(type, name), SYM_FUNC_START(name).
    re.compile(r"^\s*[A-Z][A-Z0-9_]+\((?:[^(),\n]*,\s*)?(\w+)[,)]", re.MULTILINE),
]
# Names that macros paste: "__percpu_" #name "_case_" #sz is kept as "__percpu_*_case_*".
PASTED = re.compile(r"\w+(?:[ \t]*##[ \t]*\w+)+")
RUST = re.compile(r"\b(?:fn|struct|enum|union|trait|type|mod|const|static|macro_rules!)\s+(\w+)")


def names(path, text):
    """The names that a file defines or declares."""
    if path.endswith(".rs"):
        return set(RUST.findall(text))
    found = {name for pair in FUNCTION.findall(text) for name in pair if name}
    for pattern in OTHERS:
        found.update(pattern.findall(text))
    for pasted in PASTED.findall(text):
        parts = re.split(r"\W+", pasted)
        name = "".join(part if part[0] == "_" or part[-1] == "_" else "*" for part in parts)
        if len(name.replace("*", "")) > 3:
            found.add(re.sub(r"\*+", "*", name))
    # Rust calls the helpers without the prefix.
    found.update([name.removeprefix("rust_helper_") for name in found])
    return found


def has(names, name):
    """Whether a name is among them, or may have been pasted together."""
    return name in names or any(fnmatch.fnmatchcase(name, this) for this in names if "*" in this)


def read(archive):
    """{file: names} of the kernel's source. Without names: files that no comment cites functions of."""
    found = {}
    with tarfile.open(archive, "r|xz") as tar:
        for member in tar:
            path = member.name.split("/", 1)[-1]
            if not member.isfile():
                continue
            found[path] = None
            if path.endswith((".c", ".h", ".S", ".rs")) and path.startswith(tuple(f"{d}/" for d in DIRECTORIES)):
                text = tar.extractfile(member).read().decode(errors="replace")
                found[path] = sorted(names(path, text))
    return found


def source():
    """The newest kernel's source in the Debian root, and its names."""
    version = lambda path: [int(n) for n in re.findall(r"\d+", os.path.basename(path))]
    archives = sorted(glob.glob("/usr/src/linux-source-*.tar.xz"), key=version)
    if not archives:
        return None, {}
    archive = archives[-1]
    stat = os.stat(archive)
    key = [archive, stat.st_size, int(stat.st_mtime)]
    kept = f"{CACHE}/kernel-names.json"
    try:
        with open(kept) as file:
            old, found = json.load(file)
        if old == key:
            return archive, found
    except (OSError, ValueError):
        pass
    found = read(archive)
    os.makedirs(CACHE, exist_ok=True)
    with open(f"{kept}.new", "w") as file:
        json.dump([key, found], file)
    os.rename(f"{kept}.new", kept)
    return archive, found
