#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/vm/btf.py MODULE[:NAME]...
#
# Prints what the BTF of loaded modules says about a name, or about all of them, as in C: a
# struct with the offsets and its size, a function, a typedef, an enum with its size. Each
# line starts with the name of the module.

import json
import subprocess
import sys


def dump(name):
    output = subprocess.run(
        ["bpftool", "-j", "btf", "dump", "file", f"/sys/kernel/btf/{name}"], stdout=subprocess.PIPE, check=True
    ).stdout
    return json.loads(output)["types"]


kernel = dump("vmlinux")
types = {t["id"]: t for t in kernel}


def declare(ty, name):
    """Returns the declaration of a name of this type."""
    if ty == 0:
        return f"void {name}".strip()
    t = types[ty]
    kind = t["kind"]
    if kind == "PTR":
        return declare(t["type_id"], f"*{name}")
    if kind == "CONST":
        if types.get(t["type_id"], {}).get("kind") == "PTR":
            return declare(t["type_id"], f"const {name}".strip())
        return "const " + declare(t["type_id"], name)
    if kind == "ARRAY":
        # Before version 1.32, pahole makes one array of several dimensions.
        n, of = t["nr_elems"], t["type_id"]
        while types.get(of, {}).get("kind") == "ARRAY":
            n, of = n * types[of]["nr_elems"], types[of]["type_id"]
        return declare(of, f"{name}[{n}]")
    if kind == "FUNC_PROTO":
        return declare(t["ret_type_id"], f"({name})({params(t)})")
    prefix = {"STRUCT": "struct ", "FWD": "struct ", "ENUM": "enum ", "ENUM64": "enum "}.get(kind, "")
    return f"{prefix}{t['name']} {name}".strip()


def params(proto):
    shown = []
    for param in proto["params"]:
        name = "" if param["name"] == "(anon)" else param["name"]
        shown.append(declare(param["type_id"], name))
    return ", ".join(shown) or "void"


def text(t):
    kind, name = t["kind"], t["name"]
    if kind == "STRUCT":
        members = "".join(f" {declare(m['type_id'], m['name'])}@{m['bits_offset'] // 8};" for m in t["members"])
        return f"struct {name} {{{members} }} {t['size']}"
    if kind in ("ENUM", "ENUM64"):
        values = ", ".join(f"{v['name']} = {v['val']}" for v in t["values"])
        return f"enum {name} {{ {values} }} {t['size']}"
    if kind == "FUNC":
        proto = types[t["type_id"]]
        return declare(proto["ret_type_id"], f"{name}({params(proto)})")
    if kind == "TYPEDEF":
        return "typedef " + declare(t["type_id"], name)
    return None


for argument in sys.argv[1:]:
    module, _, name = argument.partition(":")
    own = kernel if module == "vmlinux" else dump(module)
    # The numbers of a module's types follow those of the kernel's.
    types |= {t["id"]: t for t in own}
    for t in own:
        if t["name"] != "(anon)" and (not name or t["name"] == name):
            said = text(t)
            if said:
                print(module, said)
