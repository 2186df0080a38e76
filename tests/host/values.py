#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/host/values.py DIRECTORY [SEED]
#
# tools/event-from-format translates random expressions from C to Rust. Compiles both in
# DIRECTORY and checks that they have the same values.

import pathlib
import random
import subprocess
import sys

top = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tools"), str(top / "tracepoint")]

from event_format import c, record
from event_format.number import Numbers

EXPRESSIONS, RECORDS = 400, 30
TYPES = {"u8": 1, "s8": 1, "u16": 2, "s16": 2, "u32": 4, "int": 4, "u64": 8, "s64": 8, "bool": 1}
CASTS = ["u8", "s8", "u16", "short", "unsigned int", "int", "unsigned long", "long long", "bool"]
C_TYPES = "".join(
    f"typedef {kind} {sign}{8 * size};\n"
    for size, name in ((1, "char"), (2, "short"), (4, "int"), (8, "long long"))
    for sign, kind in (("u", f"unsigned {name}"), ("s", f"signed {name}"))
)

directory = pathlib.Path(sys.argv[1])
rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
fields, at = [], record.HEAD
for ctype, size in TYPES.items():
    at = -(-at // size) * size
    signed = ctype.startswith(("s", "i"))
    fields.append(record.make_field(f"{ctype} f_{ctype}", at, size, signed))
    at += size
numbers = Numbers(record.Event("values", "values", fields))


def literal():
    value = rng.choice([0, 1, 2, 3, 7, 9, 31, 255, 256, 0xFFFF, 0x80000000, 0xFFFFFFFF, 10**9, 1 << 40])
    text = hex(value) if rng.random() < 0.4 else str(value)
    return text + rng.choice(["", "", "U", "UL", "LL"])


def expression(depth):
    if depth == 0:
        return literal() if rng.random() < 0.3 else f"REC->f_{rng.choice(list(TYPES))}"
    inner = lambda: expression(rng.randrange(depth))
    match rng.randrange(8):
        case 0:
            return f"({rng.choice(CASTS)})({inner()})"
        case 1:
            return f"{rng.choice('-!~+')}({inner()})"
        case 2:
            return f"({inner()} ? {inner()} : {inner()})"
        case 3:
            return f"({inner()} {rng.choice(['<<', '>>'])} {rng.randrange(8)})"
        case 4:
            return f"({inner()} {rng.choice('/%')} {rng.choice([1, 2, 3, 512, 1000])})"
        case 5:
            return f"({inner()} {rng.choice(['==', '!=', '<', '>', '<=', '>=', '&&', '||'])} {inner()})"
        case _:
            return f"({inner()} {rng.choice('+-*&|^')} {inner()})"


found = []
while len(found) < EXPRESSIONS:
    text = expression(4)
    try:
        node = c.parse(text)
        value = numbers.number(node)
    except c.Untranslatable:
        continue
    if value.known is None:
        found.append((text, value))

records = []
for _ in range(RECORDS):
    values = []
    for this in fields:
        ctype = this.element
        value = rng.choice([0, 1, 2, ctype.min, ctype.max, rng.randint(ctype.min, ctype.max)])
        values.append(value & 1 if this.rust == "bool" else value)
    records.append(values)


def suffix(value, this):
    return f"({value}ULL)" if value > 0 else f"({value + 1}LL - 1)" if value < 0 else "0"


with open(directory / "values.c", "w") as out:
    out.write("#include <stdio.h>\n#include <stdbool.h>\n" + C_TYPES + "struct rec {\n")
    out.write("".join(f"\t{this.declaration};\n" for this in fields))
    out.write("};\nstatic struct rec recs[] = {\n")
    for values in records:
        out.write("\t{ " + ", ".join(suffix(v, f) for v, f in zip(values, fields)) + " },\n")
    out.write("};\nint main(void)\n{\n\tfor (int i = 0; i < %d; i++) {\n\t\tstruct rec *REC = &recs[i];\n" % RECORDS)
    for text, _ in found:
        out.write(
            f"\t\tif ((typeof(({text}) + 0))-1 < 0)\n\t\t\tprintf(\"%lld\\n\", (long long)({text}));\n"
            f"\t\telse\n\t\t\tprintf(\"%llu\\n\", (unsigned long long)({text}));\n"
        )
    out.write("\t}\n\treturn 0;\n}\n")
with open(directory / "values.rs", "w") as out:
    out.write("#![allow(warnings, arithmetic_overflow)]\n")
    types = [this.rust.replace("c_short", "i16") for this in fields]
    names = ", ".join(this.name for this in fields)
    out.write(f"type Record = ({', '.join(types)});\n")
    for n, (_, value) in enumerate(found):
        out.write(f"fn e{n}(({names}): Record) -> i128 {{ ({value.text}) as i128 }}\n")
    out.write(f"const RECORDS: [Record; {RECORDS}] = [\n")
    for values in records:
        args = (("false", "true")[v] if f.rust == "bool" else str(v) for v, f in zip(values, fields))
        out.write(f"    ({', '.join(args)}),\n")
    out.write("];\nfn main() {\n    for record in RECORDS {\n")
    for n in range(len(found)):
        out.write(f"        println!(\"{{}}\", e{n}(record));\n")
    out.write("    }\n}\n")

subprocess.run(["gcc", "-fwrapv", "-funsigned-char", "-w", "-o", "values_c", "values.c"], cwd=directory, check=True)
subprocess.run(["rustc", "-C", "overflow-checks=off", "-o", "values_rs", "values.rs"], cwd=directory, check=True)
ours = subprocess.check_output(directory / "values_rs", text=True).splitlines()
theirs = subprocess.check_output(directory / "values_c", text=True).splitlines()
wrong = 0
for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
    text, value = found[i % len(found)]
    if a != b:
        wrong += 1
        if wrong <= 5:
            print(f"{text}\n  {value.text}\n  {a} instead of {b}, {records[i // len(found)]}")
sys.exit(wrong > 0)
