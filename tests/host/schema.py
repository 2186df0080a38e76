#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/host/schema.py
#
# Tests tools/schema, and the check of stable events, with objects that contain nothing but a
# description.

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
top = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tools"), str(top / "tracepoint")]

import description
import elf
from schema_output import c, markdown, model, rust

directory = tempfile.TemporaryDirectory()
tmp = pathlib.Path(directory.name)


def case(function):
    name = function.__name__.replace("_", " ")
    try:
        function()
        print(f"ok host: schema: {name}")
    except Exception:
        print(f"not ok host: schema: {name}")
        print(re.sub("^", "# ", traceback.format_exc().rstrip(), flags=re.MULTILINE))


def same(got, expected):
    assert got == expected, f"got {got!r} instead of {expected!r}"


def validate(value, rule, root, at="the output"):
    """Checks a value against the part of JSON Schema that schema.json uses."""
    unknown = rule.keys() - {"$schema", "$comment", "$defs", "$ref", "title", "type", "properties", "required",
                             "additionalProperties", "items", "enum", "const", "minimum", "minItems"}
    assert not unknown, f"{at}: {unknown}"
    if "$ref" in rule:
        return validate(value, root["$defs"][rule["$ref"].rsplit("/", 1)[1]], root, at)
    types = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
    allowed = rule.get("type", [])
    allowed = [allowed] if isinstance(allowed, str) else allowed
    assert not allowed or any(type(value) is types[name] for name in allowed), f"{at}: {value!r} isn't {allowed}"
    assert "const" not in rule or value == rule["const"], f"{at}: {value!r}"
    assert "enum" not in rule or value in rule["enum"], f"{at}: {value!r}"
    assert "minimum" not in rule or value is None or value >= rule["minimum"], f"{at}: {value!r}"
    if isinstance(value, dict):
        properties = rule.get("properties", {})
        assert set(rule.get("required", [])) <= value.keys(), f"{at}: {set(rule['required']) - value.keys()} missing"
        if rule.get("additionalProperties") is False:
            assert value.keys() <= properties.keys(), f"{at}: {value.keys() - properties.keys()}"
        for key in value.keys() & properties.keys():
            validate(value[key], properties[key], root, f"{at}: {key}")
    if isinstance(value, list):
        assert len(value) >= rule.get("minItems", 0), f"{at}: too short"
        for n, item in enumerate(value):
            validate(item, rule.get("items", {}), root, f"{at}[{n}]")


def packed(text):
    """Returns a description. Tabs and line feeds separate its columns and lines; the arrows are these in a column."""
    return text.translate(str.maketrans("\t\n→↵", "\x1f\x1e\t\n")).encode()


def built(text, name="driver"):
    """Returns an object with a description."""
    path, section = tmp / f"{name}.o", tmp / "section"
    section.write_bytes(packed(text))
    subprocess.run(["as", "-o", path, "/dev/null"], check=True)
    subprocess.run(["objcopy", "--add-section", f"{description.SECTION}={section}", path], check=True)
    return path


EVENTS = """\
enum\tOp\tu8\t7\t\t What it does.
value\tRead\t0\tREAD\t
value\tWrite\t1\tWRITE "it"\t Data | go out.
enum\tBits\tu32\t8\t|\t
value\tHigh\t2147483648\thigh\t
enum\tFar\ti64\t9\t\t
value\tMin\t-9223372036854775808\tmin\t
struct\tRequest\trequest\t5366591234290785980\t24\t A request.
member\tname\t& CStr\t0\tconst char *\t
member\tlist\t[u16 ; 3]\t8\tu16[3]\t
member\ttimer\tTimer\t16\tstruct timer\t
class\td_done\town\tevent\t0\tdrv\t
arg\ttype\t& CStr\t1\tconst char *\t The type.
arg\tdata\t& [u8]\t2\tu8\t
arg\trequest\tOption < & Request >\t1\tstruct @5366591234290785980 *\t
arg\top\tOp\t1\tu8@7\t
arg\tok\tbool\t1\tbool\t
field\ttype\t:: tracepoint :: event :: Str\t4\t4\t0\t5\t0\t__data_loc char[]\t
field\tdata\tDynArray<u8>\t4\t4\t0\t262\t0\t__data_loc u8[]\t
field\top\tOp\t1\t1\t0\t256\t7\tu8\t
field\tboth\t[Op; 2]\t1\t2\t0\t131331\t7\tu8[2]\t
field\tbits\tBits\t4\t4\t0\t1024\t8\tu32\t
field\tname\t[c_char; 4]\t1\t4\t0\t262403\t0\tchar[4]\t
field\tnumbers\t[i16; 2]\t2\t4\t1\t131587\t0\ts16[2]\t
field\trel\tRel<Str>\t4\t4\t0\t21\t0\t__rel_loc char[]\t
field\tops\tRel<DynArray<Op>>\t4\t4\t0\t278\t7\t__rel_loc u8[]\t
field\tlast\tu64\t8\t8\t0\t2048\t0\tu64\t
event\td_done\tstable\t64\tok == ! data . is_empty () && ! (matches ! (op , Op :: Read) || n > - 1)\tdone→{type} \\n {op}\tbits = print_flags (bits , "|" , { 1 => "A" })\t A request is done.↵     Indented */ text | with a bar.
tracepoint\td_empty\t0\t\t Nothing.
"""


BTF = """\
enum\tEdge\tu64\t1\t\t
value\tint\t18446744073709551615\tmost\t
enum\tNothing\tu32\t4\t|\t
struct\tUnion\tunion\t2\t40\t
member\tdefault\t[[u16; 3]; 2]\t2\tu16[2][3]\t
member\tgr\u00f6\u00dfe\tEdge\t16\tu64@1\t
member\twork\tWork\t24\tstruct work_struct\t
function\tswitch\tvoid\t
arg\tregister\t&Union\t1\tstruct @2 *\t
arg\tgone\t&Gone\t1\tstruct @3 *\t
arg\tno\tNothing\t1\tu32@4\t
arg\traw\t*mut Any\t1\tstruct Any *\t
"""


def add_btf_types(obj):
    flags = ["-std=gnu11", "-g", "-O1", "-w", "-fno-eliminate-unused-debug-types", "-femit-struct-debug-baseonly"]
    return subprocess.run([top / "tracepoint/layers/btf/btf-types", obj, tmp / "types", "gcc", *flags],
                          env={**os.environ, "OBJCOPY": "objcopy", "LD": "ld"}, capture_output=True, text=True)


@case
def btf_types_in_an_object():
    obj = built(EVENTS + BTF)
    done = add_btf_types(obj)
    assert done.returncode == 0, done
    same(description.lines(elf.Object(obj).section(description.SECTION)), description.lines(packed(EVENTS + BTF)))
    info = elf.readelf("--debug-dump=info", obj)
    names = set(re.findall(r"DW_AT_name .*?([^\s:]+)$", info, re.MULTILINE))
    expected = {"Op", "Write", "Min", "request", "timer", "trace_event_raw_d_done", "__data_loc_type", "__rel_loc_ops",
                "__traceiter_d_done", "btf_trace_d_done", "__probestub_d_empty", "Edge", "int", "union", "default",
                "gr_f6_dfe", "work", "work_struct", "switch", "register"}
    assert expected <= names, expected - names
    assert not {name for name in names if "$" in name or name in ("Any", "Gone")}, names
    text = (tmp / "types.c").read_text()
    assert "FUNCTION void switch$btf(struct union$btf * register$btf, void * gone$btf, u32 no$btf, void * raw$btf)" in text, text


@case
def btf_types_of_what_is_no_type():
    for line in "function\tgone\tvoid gone(void) {} int\t\n", "function\tgone\tvoid\t\narg\tn\tu32\t1\tint n, asm(\"\")\t\n":
        done = add_btf_types(built(line))
        assert done.returncode and "isn't a C type" in done.stderr, done


@case
def the_output_follows_the_json_schema():
    schema = model.schema([built(EVENTS)])
    root = json.loads((top / "tools/schema_output/schema.json").read_text())
    validate(json.loads(json.dumps(schema)), root, root)
    for change in (lambda s: s.pop("enums"), lambda s: s["events"][0].update(more=1),
                   lambda s: s["events"][0]["fields"][0].update(offset="8")):
        broken = json.loads(json.dumps(schema))
        change(broken)
        try:
            validate(broken, root, root)
        except AssertionError:
            continue
        raise AssertionError("a broken output is accepted")


@case
def what_the_schema_says():
    schema = model.schema([built(EVENTS)])
    (event,) = schema["events"]
    same(event["doc"], "A request is done.\n    Indented */ text | with a bar.")
    same(event["stable"], "fixed")
    same(event["condition"], "ok == !data.is_empty() && !(matches!(op, Op::Read) || n > -1)")
    same([a["null"] for a in event["arguments"]], ["(null)", "empty", "none", None, None])
    same(event["arguments"][2]["c_args"][0]["c_type"], "struct request *")
    same(event["arguments"][3]["enum"], "Op")
    same(event["print"]["template"], "done\t{type} \\n {op}")
    same(event["print"]["arguments"], 'bits = print_flags(bits, "|", { 1 => "A" })')
    fields = {field["name"]: field for field in event["fields"]}
    same(fields["type"]["rust_type"], "Str")
    same((fields["numbers"]["kind"], fields["numbers"]["count"], fields["numbers"]["element_size"]), ("array", 2, 2))
    same((fields["rel"]["kind"], fields["rel"]["relative"]), ("string", True))
    same(fields["bits"]["enum"], "Bits")
    same((fields["both"]["enum"], fields["ops"]["enum"]), ("Op", "Op"))
    same(schema["enums"][0]["doc"], "What it does.")
    same([v["doc"] for v in schema["enums"][0]["values"]], [None, "Data | go out."])
    same([(e["name"], e["flags"]) for e in schema["enums"]], [("Op", False), ("Bits", True), ("Far", False)])
    same(schema["tracepoints"][0]["defined"], False)


@case
def several_modules_and_types_of_the_same_name():
    twice = EVENTS + EVENTS.replace("d_done", "d_other").replace("\t7\t", "\t10\t").replace("\t7\n", "\t10\n")
    schema = model.schema([built(twice, "first"), built(EVENTS, "second")])
    same(schema["modules"], ["first", "second"])
    same([e["name"] for e in schema["enums"]], ["Op", "Bits", "Far", "Op_2"])
    same([e["name"] for e in schema["events"]], ["d_done", "d_other", "d_done"])
    other = EVENTS.replace("Read\t0", "Read\t5").replace("struct timer", "struct clock")
    schema = model.schema([built(EVENTS, "first"), built(other, "second"), built(EVENTS, "third")])
    same([e["name"] for e in schema["enums"]], ["Op", "Bits", "Far", "Op_2"])
    same([s["c_name"] for s in schema["structs"]], ["request", "request_2"])
    same([e["arguments"][2]["c_args"][0]["c_type"] for e in schema["events"]],
         ["struct request *", "struct request_2 *", "struct request *"])
    same([e["arguments"][3]["enum"] for e in schema["events"]], ["Op", "Op_2", "Op"])
    # Each module has numbers of its own.
    pair = "enum\tMode\tu8\t1\t\t\nvalue\tOn\t0\tOn\t\nstruct\tIn\tin\t2\t8\t\nstruct\tOut\tout\t3\t16\t\n"
    pair += "member\tmode\tMode\t0\tu8@1\t\nmember\tin\t*const In\t8\tstruct @2 *\t\n"
    renumbered = re.sub(r"@(\d)", r"@9\1", re.sub(r"^((?:enum|struct)\t\w+\t\w+\t)", r"\g<1>9", pair, flags=re.M))
    schema = model.schema([built(pair, "first"), built(renumbered, "second")])
    same([s["c_name"] for s in schema["structs"]], ["in", "out"])
    schema = model.schema([built(pair, "first"), built(renumbered.replace("\tOn\t0", "\tOn\t1"), "second")])
    same([s["c_name"] for s in schema["structs"]], ["in", "out", "out_2"])


@case
def the_header_compiles():
    (tmp / "linux").mkdir()
    for name in ("build_bug", "stddef", "trace_events", "tracepoint"):
        (tmp / f"linux/{name}.h").write_text("")
    (tmp / "linux/types.h").write_text("""
#include <stdbool.h>
#include <stddef.h>
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long long u64;
typedef signed char s8; typedef short s16; typedef int s32; typedef long long s64;
#define static_assert(e) _Static_assert(e, #e)
struct trace_entry { u16 type; u8 flags, preempt_count; int pid; };
struct tracepoint;
int tracepoint_probe_register(struct tracepoint *, void *, void *);
int tracepoint_probe_unregister(struct tracepoint *, void *, void *);
#define TP_PROTO(...) __VA_ARGS__
#define TP_ARGS(...) __VA_ARGS__
#define DECLARE_TRACE_EVENT(name, proto, args) \\
	static inline void trace_##name(proto) { void f(proto); f(args); }
""")
    text = c.header(model.schema([built(EVENTS)]))
    (tmp / "header.h").write_text(text)
    (tmp / "header.c").write_text("""
#include "header.h"
static u8 a[DRIVER_BITS_HIGH == 1U << 31 ? 1 : -1] = { DRIVER_OP_WRITE };
_Static_assert(sizeof(struct request) == 24, "");
_Static_assert(DRIVER_FAR_MIN < 0, "");
int main(void)
{
	struct request request;
	trace_d_done("type", a, sizeof(a), &request, DRIVER_OP_READ, true);
	return register_trace_d_empty(0, 0);
}
""")
    subprocess.run(["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{tmp}",
                    tmp / "header.c"], check=True)
    for rule in ("type               a string", "data and data_len  a slice", "request            may be NULL",
                 "op                 a value of enum driver_op", "ok                 true or false",
                 "Rust fires it only if ok == !data.is_empty() && !(matches!(op, Op::Read) || n > -1). C has to check that itself."):
        assert rule in text, f"no {rule!r} in {text}"


@case
def the_crate_decodes_records():
    rust.write(model.schema([built(EVENTS)]), tmp / "crate")
    (tmp / "main.rs").write_text(r"""
use driver_records::*;
fn main() {
    let mut record = vec![1, 2, 3, 4, 5, 0, 0, 0];
    for location in [48 | 3 << 16, 51 | 2 << 16] {
        record.extend(u32::to_ne_bytes(location));
    }
    record.extend([1, 1, 9, 0, 0, 0, 0, 0x80, b'a', 0, b'x', b'y', 0xff, 0xff, 3, 0]);
    record.extend(u32::to_ne_bytes(53 - 36 | 3 << 16));
    record.extend(u32::to_ne_bytes(56 - 40 | 2 << 16));
    record.extend(u64::to_ne_bytes(u64::MAX));
    record.extend(b"hi\0\x01\x02yo\0\x00\x01");
    let event = DDone::new(&record).unwrap();
    println!("{event:?}");
    assert_eq!(event.r#type(), b"hi");
    assert_eq!(event.data().iter().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(event.data().get(2), None);
    assert_eq!(event.op(), Op::Write);
    assert_eq!(event.op().text(), Some("WRITE \"it\""));
    assert_eq!(Op(9).text(), None);
    assert_eq!(event.both(), [Op::Write, Op(9)]);
    assert_eq!(event.ops().iter().collect::<Vec<_>>(), [Op::Read, Op::Write]);
    assert!(event.bits().contains(Bits::High));
    assert_eq!(event.name(), b"a");
    assert_eq!(event.numbers(), [-1, 3]);
    assert_eq!(event.rel(), b"yo");
    assert_eq!(event.last(), u64::MAX);
    assert_eq!(event.common().pid, 5);
    assert_eq!(std::mem::size_of::<DDoneRecord>(), 48);
    assert_eq!(DDone::EVENTS, [("drv", "d_done")]);
    // Nothing that's cut off, and no location outside of the record.
    for len in 0..record.len() {
        assert!(DDone::new(&record[..len]).is_none(), "{len}");
    }
    for at in [8, 10, 12, 14, 32, 34, 36, 38] {
        let mut wrong = record.clone();
        wrong[at..at + 2].copy_from_slice(&[255; 2]);
        assert!(DDone::new(&wrong).is_none(), "{at}");
    }
}
""")
    options = ["rustc", "--edition", "2021", "-Dwarnings"]
    subprocess.run([*options, "--crate-type", "rlib", "--crate-name", "driver_records", "-o", tmp / "libdriver_records.rlib",
                    tmp / "crate/lib.rs"], check=True)
    subprocess.run([*options, "--extern", f"driver_records={tmp}/libdriver_records.rlib", "-o", tmp / "main",
                    tmp / "main.rs"], check=True)
    run = subprocess.run([tmp / "main"], check=True, capture_output=True, text=True)
    same(run.stdout.strip(), 'DDone { type: "hi", data: [1, 2], op: Op(1), both: [Op(1), Op(9)], bits: Bits(2147483648), name: "a", '
         'numbers: [-1, 3], rel: "yo", ops: [Op(0), Op(1)], last: 18446744073709551615 }')
    assert 'name = "driver_records"' in (tmp / "crate/Cargo.toml").read_text()


@case
def names_that_are_taken():
    taken = EVENTS.replace("\tRead\t", "\ttext\t").replace("field\tname\t", "field\tnew_\t").replace(
        "field\trel\t", "field\tEVENTS\t").replace("field\tlast\t", "field\tnew\t").replace("\tFar\t", "\tDefault\t")
    taken += "enum\tOpWrite\tu8\t20\t\t\nvalue\tFast\t3\tfast\t\nenum\tOp_\tu8\t21\t\t\nvalue\tWriteFast\t4\tfast\t\n"
    schema = model.schema([built(taken)])
    names = re.findall(r"DRIVER_OP\w*WRITE_FAST\w*", c.header(schema))
    same(len(names), len(set(names)))
    rust.write(schema, tmp / "taken")
    subprocess.run(["rustc", "--edition", "2021", "-Dwarnings", "--crate-type", "rlib", "-o", tmp / "libtaken.rlib",
                    tmp / "taken/lib.rs"], check=True)


@case
def the_page():
    page = markdown.page(model.schema([built(EVENTS)]))
    for text in ("### d_done\n\nA request is done.", "Its format is stable.", "| `High` | 0x80000000 | `high` |  |",
                 "### Op\n\nWhat it does.\n\nAn enum, `u8`.", "| `Write` | 1 | `WRITE \"it\"` | Data \\| go out. |",
                 "| `request` | `Option<&Request>` | `struct request *request` | may be NULL |",
                 "| `op` | `Op` | `u8` | 16 | 1 | [Op](#op) |", "In C: `struct request`, 24 bytes."):
        assert text in page, f"no {text!r} in {page}"


@case
def an_object_without_descriptions():
    subprocess.run(["as", "-o", tmp / "none.o", "/dev/null"], check=True)
    for path in (tmp / "none.o", tmp / "section", tmp / "missing.ko"):
        run = subprocess.run([top / "tools/schema", path], capture_output=True, text=True)
        same(run.returncode, 1)
        assert run.stderr.startswith(f"error: {path}: "), run.stderr


def check(kept, now, env=None, name="driver.rs"):
    """Keeps the formats of one description, and checks another one, which can be of a source with another name.
    Returns the messages."""
    source, obj = tmp / "src", tmp / "obj"
    for path in (source, obj):
        path.mkdir(exist_ok=True)
    (source / "driver.rs").write_text("")
    formats = source / "events.formats"
    formats.unlink(missing_ok=True)
    if kept is not None:
        built(kept, "obj/driver")
        subprocess.run([top / "tracepoint/layers/schema/formats.py", "update", formats, source, obj], check=True, capture_output=True)
    path = built(now, "obj/driver")
    if name != "driver.rs":
        (source / "driver.rs").unlink()
    run = subprocess.run([top / "tracepoint/layers/schema/check-formats", formats, source, name, path],
                         capture_output=True, text=True, cwd=source, env=env)
    same(bool(run.returncode), bool(run.stderr))
    same(run.stdout, "")
    return [line for line in run.stderr.split("\n") if line.startswith(("error: ", "  kept: ", "  now:  "))]


STABLE = EVENTS
APPEND = EVENTS.replace("stable\t64", "append\t64")
NEW = "field\tnew\tu8\t1\t1\t0\t256\t0\tu8\t\n"


def line(name, text=STABLE):
    return re.search(rf"^field\t{name}\t.*\n", text, re.M)[0]


@case
def a_stable_event_that_stays_the_same():
    same(check(STABLE, STABLE), [])
    same(check(APPEND, APPEND), [])


@case
def what_no_reader_sees_may_change():
    now = STABLE.replace("A request is done.", "Another text.").replace("done→{type}", "{op}")
    now = now.replace("ok == ! data", "data").replace("\tRead\t0\tREAD", "\tRead\t0\tread").replace("Rel<Str>", "Rel<Other>")
    same(check(STABLE, now), [])
    # A reader has to expect values that it doesn't know.
    same(check(STABLE, STABLE.replace("value\tRead", "value\tMore\t5\tMORE\t\nvalue\tRead")), [])


@case
def a_renamed_field():
    same(check(STABLE, STABLE.replace("field\tbits\t", "field\tflags\t")),
         ["error: `drv:d_done` is stable, but its field `bits` is now `flags`",
          "  kept: field:u32 bits;\toffset:20;\tsize:4;\tsigned:0;",
          "  now:  field:u32 flags;\toffset:20;\tsize:4;\tsigned:0;"])


@case
def a_field_of_another_type():
    now = STABLE.replace("\t8\t8\t0\t2048\t0\tu64", "\t8\t8\t1\t2049\t0\ts64")
    same(check(STABLE, now),
         ["error: `drv:d_done` is stable, but its field `last` has changed",
          "  kept: field:u64 last;\toffset:40;\tsize:8;\tsigned:0;",
          "  now:  field:s64 last;\toffset:40;\tsize:8;\tsigned:1;"])
    same(len(check(STABLE, STABLE.replace("262403\t0\tchar[4]", "262403\t0\tu8[4]"))), 3)


@case
def a_field_that_has_moved():
    now = STABLE.replace("\t8\t8\t0\t2048", "\t16\t8\t0\t2048")
    same(check(STABLE, now)[0], "error: `drv:d_done` is stable, but its field `last` has moved")


@case
def a_removed_field():
    for text in (STABLE, APPEND):
        same(check(text, text.replace(line("last"), "")),
             ["error: `drv:d_done` is stable, but its field `last` is gone",
              "  kept: field:u64 last;\toffset:40;\tsize:8;\tsigned:0;",
              "  now:  nothing"])


@case
def an_appended_field():
    more = line("last") + NEW
    same(check(APPEND, APPEND.replace(line("last"), more)), [])
    same(check(STABLE, STABLE.replace(line("last"), more)),
         ["error: `drv:d_done` is stable, but it has a new field `new`, which only `#[stable(append)]` allows",
          "  kept: nothing",
          "  now:  field:u8 new;\toffset:48;\tsize:1;\tsigned:0;"])
    # In a hole between others.
    inserted = line("last").replace("last", "new").replace("\t8\t8\t0\t2048\t0\tu64", "\t4\t4\t0\t1024\t0\tu32")
    with_hole = APPEND.replace(line("ops"), "")
    same(check(with_hole, with_hole.replace(line("last"), inserted + line("last")))[0],
         "error: `drv:d_done` is stable, but its new field `new` isn't at the end")


@case
def a_value_of_an_enum():
    same(check(STABLE, STABLE.replace("value\tWrite\t1", "value\tWrite\t2")),
         [text for field in ("op", "both", "ops") for text in (
             f"error: `drv:d_done` is stable, but the value `Write` of its field `{field}` has changed",
             f"  kept: value:{field} 1 Write",
             f"  now:  value:{field} 2 Write")])


@case
def a_stable_event_that_is_not_kept():
    same(check(None, STABLE),
         ["error: `drv:d_done` is stable, but events.formats doesn't have its format: run `make formats`"])


@case
def a_stable_event_that_is_gone():
    gone = "error: `drv:d_done` was stable, but driver.rs has no such stable event any more"
    same(check(STABLE, STABLE.replace("stable\t64", "\t64")), [gone])
    same(check(STABLE, "tracepoint\td_empty\t0\t\t\n"), [gone])
    same(check(STABLE, STABLE.replace("\tdrv\t", "\tother\t"))[1:], [gone])


@case
def a_source_that_is_gone():
    moved = "error: `drv:d_done` is stable, but events.formats only has its format in driver.rs, which is gone: run `make formats`"
    same(check(STABLE, STABLE, name="new.rs"), [moved])
    same(check(STABLE, STABLE.replace("field\tbits\t", "field\tflags\t"), name="new.rs")[:2],
         [moved, "error: `drv:d_done` is stable, but its field `bits` is now `flags`"])
    same(check(STABLE, "tracepoint\td_empty\t0\t\t\n", name="new.rs"),
         ["error: `drv:d_done` was stable, but its source driver.rs is gone: if it has been renamed, run `make formats`"])


@case
def another_rule():
    same(check(STABLE, APPEND),
         ["error: `drv:d_done` is append in driver.rs, but fixed in events.formats: run `make formats`"])


@case
def an_update():
    same(check(STABLE, STABLE.replace(line("last"), ""), {"TRACEPOINT_FORMATS": "update", "PATH": "/usr/bin:/bin"}), [])
    formats = tmp / "src/events.formats"
    update = [top / "tracepoint/layers/schema/formats.py", "update", formats, tmp / "src", tmp / "obj"]
    run = subprocess.run(update, check=True, capture_output=True, text=True)
    assert "has the formats of 1 event." in run.stdout, run.stdout
    # The file can be elsewhere, in a directory that exists.
    elsewhere = [arg if arg != formats else tmp / "src/kept/formats" for arg in update]
    run = subprocess.run(elsewhere, capture_output=True, text=True)
    same((run.returncode, run.stderr.count("\n")), (1, 1))
    (tmp / "src/kept").mkdir()
    subprocess.run(elsewhere, check=True, capture_output=True)
    same((tmp / "src/kept/formats").read_text(), formats.read_text())
    assert "last" not in formats.read_text()
    before = formats.stat().st_mtime_ns
    run = subprocess.run(update, check=True, capture_output=True, text=True)
    assert "is up to date." in run.stdout, run.stdout
    same(formats.stat().st_mtime_ns, before)
    # What isn't built stays.
    (tmp / "obj/driver.o").unlink()
    subprocess.run(update, check=True, capture_output=True)
    assert "drv:d_done" in formats.read_text()
    # What has no source doesn't.
    (tmp / "src/driver.rs").unlink()
    subprocess.run(update, check=True, capture_output=True)
    assert "drv:d_done" not in formats.read_text()


@case
def a_file_that_is_no_list_of_formats():
    check(STABLE, STABLE)
    (tmp / "src/events.formats").write_text("event\tdrv:d_done\tdriver.rs\tfixed\n\tnonsense\n")
    run = subprocess.run([top / "tracepoint/layers/schema/check-formats", tmp / "src/events.formats", tmp / "src", "driver.rs",
                          tmp / "obj/driver.o"], capture_output=True, text=True)
    same(run.returncode, 1)
    assert run.stderr.endswith("events.formats:2: not what `make formats` writes\n"), run.stderr
