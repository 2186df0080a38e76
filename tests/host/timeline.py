#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/host/timeline.py
#
# Tests how tools/timeline reads traces, and what it makes of them.

import io
import json
import pathlib
import re
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
top = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tools"), str(top / "tracepoint")]

from timeline_page import dat, model, page, text
from timeline_page.model import COUNTERS, CPUS, FAILED, INSTANT, NO_BEGIN, OTHER, THREADS, TRACKS, UNFINISHED
from timeline_page.record import BadTrace, Trace


def case(function):
    name = function.__name__.replace("_", " ")
    try:
        function()
        print(f"ok host: timeline: {name}")
    except Exception:
        print(f"not ok host: timeline: {name}")
        print(re.sub("^", "# ", traceback.format_exc().rstrip(), flags=re.MULTILINE))


def same(got, expected):
    assert got == expected, f"got {got!r} instead of {expected!r}"


def line(time, rest, task="task-7", cpu=0):
    name, pid = task.rsplit("-", 1)
    return f"{name:>16}-{pid:<7} [{cpu:03}] d..2. {float(time):12.6f}: {rest}\n"


def read(*lines):
    data = "".join(line(*entry) if isinstance(entry, tuple) else entry for entry in lines)
    return text.read(io.BytesIO(data.encode() if isinstance(data, str) else data))


def build(*lines):
    return model.build(read(*lines))


def span(kind, name, **fields):
    """All records of an event have the same fields."""
    if "id" in fields:
        fields = {"id": 0, "duration": 0, "result": 0} | fields
    rest = "".join(f" {field}={value & 0xFFFFFFFF:#x} ({value})" for field, value in fields.items())
    return f"my_span: track_event_type='{kind}'({ord(kind)}) slice_name={name}{rest}"


def items(track):
    """What's on a track: name, start, end in nanoseconds, depth, flags."""
    return [(of.name, of.start[0], of.drawn_end, of.depth, of.flags) for of in track.items]


@case
def head_of_a_line():
    (record,) = read((" 12.000345", "foo: bar 1", "my task-x-12", 3)).records
    same((record.task, record.pid, record.cpu, record.time), ("my task-x", 12, 3, 12_000_345_000))
    same((record.event, record.text, record.fields), ("foo", "bar 1", {}))


@case
def forms_of_the_head():
    trace = read(
        "# tracer: nop\n#\n",
        "            bash-1977    (-------) [000] .....    17.284993: a: text\n",
        "            bash-1977    (   1977) [000] d..1.    17.284993: b: text\n",
        "            bash-1977    [001]    17.284993: c: text\n",
        "            bash-1977  [000]-0x10   17.284993123: d:       text\n",
        "            bash-1977  [000] d..1.   12345: e: text\n",
        "          <idle>-0       [002] d.h2.     2.000001: do_one <-do_other\n",
    )
    same("".join(record.event[0] for record in trace.records), "abcdef")
    same(trace.records[3].time, 17_284_993_123)
    same(trace.records[5].event, "function")
    same(trace.resolution, 1000)


@case
def a_task_with_any_name():
    evil = b"  a-5 [001] 1: b-12      [003] d..2. 2.5: foo: bar\n"
    (record,) = text.read(io.BytesIO(evil)).records
    same((record.task, record.pid, record.cpu, record.event), ("a-5 [001] 1: b", 12, 3, "foo"))


@case
def values_of_the_option_fields():
    (record,) = read(
        (
            "1.0",
            "e: char='B'(66) none=(0) short=0x7b (123) int=0xfffffffb (-5) text=two words list=01,02 fn=f+0x1/0x2 (99) odd=x (61:62)",
        )
    ).records
    same(
        record.fields,
        {
            "char": 66,
            "none": 0,
            "short": 123,
            "int": -5,
            "text": "two words",
            "list": "01,02",
            "fn": "f+0x1/0x2 (99)",
            "odd": "x (61:62)",
        },
    )


@case
def a_text_with_other_bytes():
    (record,) = read(("1.0", "e: name=a..... (61:ff:0a:c3:a4:00) id=0x1 (1)")).records
    same(record.fields, {"name": "a\\xff\nä", "id": 1})


@case
def a_value_that_looks_like_a_field():
    trace = read(("1.0", "e: name=one id=0x1 (1)"), ("2.0", "e: name=x other=8 id=0x2 (2)"))
    same(trace.records[1].fields, {"name": "x other=8", "id": 2})


@case
def two_events_of_the_same_name():
    trace = read(("1.0", "e: a=0x1 (1) b=0x2 (2)"), ("2.0", "e: c=0x3 (3)"), ("3.0", "e: a=0x1 (1) b=x c=3"))
    same(
        [record.fields for record in trace.records],
        [{"a": 1, "b": 2}, {"c": 3}, {"a": 1, "b": "x c=3"}],
    )


@case
def a_text_of_several_lines():
    trace = read(("1.0", "e: one"), "two\n", "# three\n", ("2.0", "f: x"))
    same([record.text for record in trace.records], ["one\ntwo\n# three", "x"])


@case
def lost_events():
    trace = read(("1.0", "e: x"), "CPU:1 [LOST 12 EVENTS]\n", ("2.0", "e: y"), "CPU:0 [3 EVENTS DROPPED]\n")
    same((trace.lost, [record.text for record in trace.records]), (15, ["x", "y"]))
    # Neither the kernel nor trace-cmd always knows how many.
    trace = read(("1.0", "e: x"), "CPU:0 [LOST EVENTS]\n", ("2.0", "e: y"), "CPU:1 [EVENTS DROPPED]\n",
                 ("3.0", "e: z"), "##### CPU 1 buffer started ####\n")
    same((trace.lost, [record.text for record in trace.records]), (2, ["x", "y", "z"]))


@case
def instances():
    trace = read("     " + line(1, "e: x", "a long name of o-7"), "foo: " + line(2, "e: y", "task-8"),
                 "foo: " + line(3, "e: z", "task: name-9"), line(4, "e: w", "foo: bar-10"))
    same([(record.task, record.pid, record.text) for record in trace.records],
         [("a long name of o", 7, "x"), ("task", 8, "y"), ("task: name", 9, "z"), ("foo: bar", 10, "w")])


@case
def not_a_trace():
    for data in (b"", b"hello\n", b"\0\xff" * 100, b"  rmmod-139  0d..2. 20136us#: sched_switch: x\n"):
        try:
            text.read(io.BytesIO(data))
        except BadTrace as error:
            assert "latency-format" in str(error)
            continue
        raise AssertionError(f"{data!r} was read")


FORMATS = b"""system: my
name: e
ID: 1
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;

\tfield:char track_event_type;\toffset:8;\tsize:1;\tsigned:0;
\tfield:__data_loc char[] slice_name;\toffset:12;\tsize:4;\tsigned:0;
\tfield:char comm[16];\toffset:12;\tsize:4;\tsigned:0;
\tfield:u64 id;\toffset:16;\tsize:8;\tsigned:0;

print fmt: "x"
"""


@case
def what_trace_cmd_reports():
    head = "          insmod-128   [000]{}     7.186309632: e:              {}\n"
    trace = Trace()
    raw = head.format("-0x0", "track_event_type=66 slice_name=ARRAY[73, 3c, ff, 00] comm=a b id=12")
    dat.parse(io.BytesIO(raw.encode()), dat.formats(io.BytesIO(FORMATS)), trace)
    (record,) = trace.records
    same(record.fields, {"track_event_type": 66, "slice_name": "s<\\xff", "comm": "a b", "id": 12})
    same(record.time, 7_186_309_632)
    dat.add_texts(io.BytesIO(head.format(" .....", "begin #12").encode()), trace)
    same(record.text, "begin #12")
    # Something else than that record: better no texts than wrong ones.
    dat.add_texts(io.BytesIO(2 * head.format(" .....", "two").encode()), trace)
    same(record.text, "begin #12")


@case
def slices_nest_by_id():
    (track,) = build(
        ("1.0", span("B", "outer", id=1)),
        ("1.1", span("B", "inner", id=2)),
        ("1.2", span("E", "", id=2, duration=90_000_000, result=0)),
        ("1.3", span("B", "inner", id=3)),
        ("1.4", "other: x"),
        ("1.5", span("E", "", id=3, duration=0)),
        ("2.0", span("E", "", id=1, duration=1)),
    ).tracks
    second = 10**9
    same((track.name, track.group), ("task-7", THREADS))
    same(
        items(track),
        [
            ("outer", second, 2 * second, 0, 0),
            ("inner", 1_100_000_000, 1_200_000_000, 1, 0),
            ("inner", 1_300_000_000, 1_500_000_000, 1, 0),
            ("other", 1_400_000_000, 1_400_000_000, 0, INSTANT),
        ],
    )
    same(track.items[1].duration, 90_000_000)
    same(
        [item.parent and item.parent.start[0] for item in track.items], [None, second, second, 1_300_000_000]
    )


@case
def slices_nest_without_ids():
    (track,) = build(
        ("1.0", span("B", "a")), ("2.0", span("B", "b")), ("3.0", span("E", "")), ("4.0", span("E", ""))
    ).tracks
    same([(of.name, of.end[0], of.depth) for of in track.items], [("a", 4 * 10**9, 0), ("b", 3 * 10**9, 1)])


@case
def slices_that_overlap():
    (track,) = build(
        ("1.0", span("B", "a", id=1)),
        ("2.0", span("B", "b", id=2)),
        ("3.0", span("E", "", id=1)),
        ("4.0", span("E", "", id=2)),
    ).tracks
    second = 10**9
    same(items(track), [("a", second, 3 * second, 0, 0), ("b", 2 * second, 4 * second, 1, 0)])
    same([item.parent for item in track.items], [None, None])


@case
def fields_that_change():
    (track,) = build(
        ("1.0", span("B", "a", id=1, left=5, queue=2)), ("2.0", span("E", "", id=1, left=3, queue=2))
    ).tracks
    same(
        {name: track.items[0].fields.get(name) for name in ("left", "left (end)", "queue", "queue (end)")},
        {"left": 5, "left (end)": 3, "queue": 2, "queue (end)": None},
    )


@case
def slices_within_a_microsecond():
    """The order of the records counts, not their times."""
    (track,) = build(
        ("1.000001", span("B", "a", id=1)),
        ("1.000001", span("B", "b", id=2)),
        ("1.000001", span("E", "", id=2, duration=300)),
        ("1.000002", span("E", "", id=1, duration=700)),
        ("1.000002", span("B", "c", id=3)),
        ("1.000002", span("E", "", id=3, duration=900)),
        ("1.000002", span("B", "d", id=4)),
        ("1.000002", span("E", "", id=4, duration=100)),
    ).tracks
    at = 10**9 + 1000
    same(
        items(track),
        [
            ("a", at, at + 700, 0, 0),
            ("b", at, at + 300, 1, 0),
            ("c", at + 1000, at + 1000, 0, 0),
            ("d", at + 1000, at + 1100, 0, 0),
        ],
    )


@case
def an_end_without_a_begin():
    built = build(
        ("5.0", "other: x"),
        ("5.1", span("E", "late", id=1, duration=300_000_000, result=0)),
        ("5.2", span("E", "no", id=2)),
    )
    same(items(built.tracks[0])[0], ("late", 4_800_000_000, 5_100_000_000, 0, NO_BEGIN))
    same((built.start, built.unknown), (4_800_000_000, 1))


@case
def a_begin_without_an_end():
    built = build(("1.0", span("B", "a", id=1)), ("1.5", span("B", "b", id=2)), ("3.0", "other: x"))
    found = items(built.tracks[0])[:2]
    same(found, [("a", 10**9, 3 * 10**9, 0, UNFINISHED), ("b", 1_500_000_000, 3 * 10**9, 1, UNFINISHED)])


@case
def results():
    built = build(
        ("1.0", span("B", "a", id=1, result=0)),
        ("2.0", span("E", "a", id=1, duration=1, result=-5)),
        ("3.0", span("B", "b", id=2, result=0)),
        ("4.0", span("E", "b", id=2, duration=1, result=0)),
        ("5.0", span("E", "c", id=3, duration=1, result=-517)),
        ("6.0", span("E", "d", id=4, duration=1, result=-4000)),
    )
    data = page.data_of("x", built)
    result = [data["strings"][number] for number in data["columns"]["result"]]
    same(result, ["EIO", "ok", "EPROBE_DEFER", "-4000"])
    same([flags & FAILED for flags in data["columns"]["flags"]], [FAILED, 0, FAILED, FAILED])


@case
def the_text_of_spans():
    tracks = build(
        ("1.0", "serve: begin #5 queue 1 [0 ns, 0]"),
        ("1.1", "part: begin #6 [0 ns, 0]"),
        ("1.2", "part: end #6 [100000000 ns, EIO]"),
        ("2.0", "serve: end #5 queue 1 [1000000000 ns, 0xffffffd7]"),
        ("3.1", "begin: begin #8 but not a span"),
    ).tracks
    same(
        [items(track) for track in tracks],
        [
            [
                ("serve", 10**9, 2 * 10**9, 0, FAILED),
                ("part", 1_100_000_000, 1_200_000_000, 1, FAILED),
                ("begin", 3_100_000_000, 3_100_000_000, 0, INSTANT),
            ]
        ],
    )
    serve, part, _ = tracks[0].items
    same((serve.text, serve.result, serve.fields["id"], part.result), ("queue 1", -41, 5, -5))


@case
def the_text_of_a_span_that_changes_threads():
    (track,) = build(
        ("2.5", "request: begin #7 sector=8 [0 ns, 0]"),
        ("3.0", "request: end #7 sector=8 [500000000 ns, -ETIMEDOUT]", "other-8"),
    ).tracks
    same((track.name, track.group), ("request: id 7", TRACKS))
    same(items(track), [("request", 2_500_000_000, 3 * 10**9, 0, FAILED)])
    same((track.items[0].fields["sector"], track.items[0].result), (8, -110))


@case
def tracks_by_scope_and_name():
    tracks = build(
        ("1.0", span("B", "a", scope_queue=1)),
        ("1.1", span("B", "b", scope_queue=2), "other-8"),
        ("1.2", span("E", "", scope_queue=1), "other-8"),
        ("1.3", span("E", "", scope_queue=2)),
        ("1.4", "named: track_event_type='I'(73) slice_name=i track_name=mine"),
        ("1.5", "named: track_event_type='I'(73) slice_name=i track_name=mine", "other-8"),
    ).tracks
    same(
        [(track.name, track.group) for track in tracks],
        [
            ("my_span: queue 1", TRACKS),
            ("my_span: queue 2", TRACKS),
            ("mine: task-7", OTHER),
            ("mine: other-8", OTHER),
        ],
    )


@case
def many_scopes_share_rows():
    records = []
    for number in range(20):
        start = 1 + number
        records += [
            (f"{start}.0", span("B", "a", scope_id=number)),
            (f"{start}.5", span("B", "b", scope_id=number)),
        ]
        records += [
            (f"{start + 2}.7", span("E", "", scope_id=number)),
            (f"{start + 2}.8", span("E", "", scope_id=number)),
        ]
    (track,) = build(*records).tracks
    same((track.name, len(track.items)), ("my_span (20 tracks)", 40))
    # Three at a time, two rows each.
    same(max(item.depth for item in track.items), 5)
    for item in track.items:
        same(
            item.parent and item.parent.fields["scope_id"],
            item.fields["scope_id"] if item.name == "b" else None,
        )
    rows = {}
    for item in track.items:
        assert rows.get(item.depth, 0) <= item.start[0], "slices overlap"
        rows[item.depth] = item.drawn_end


@case
def counters():
    tracks = build(
        ("1.0", "depth: counter_value=0x3 (3) scope_queue=0x0 (0) track_name=queued"),
        ("2.0", "depth: counter_value=0xffffffff (-1) scope_queue=0x0 (0) track_name=queued", "other-8"),
        ("3.0", "plain: counter_value=7"),
        ("4.0", "whole: counter_value=7 scope_counter=0x0 (0)"),
    ).tracks
    same(
        [(track.name, track.group) for track in tracks],
        [("queued: queue 0", COUNTERS), ("plain: task-7", COUNTERS), ("whole", COUNTERS)],
    )
    same(tracks[0].values, [(10**9, 3), (2 * 10**9, -1)])


@case
def what_the_cpus_run():
    def switch(time, cpu, before, after):
        names = [("swapper" if pid == 0 else f"t{pid}", pid) for pid in (before, after)]
        texts = [
            f"{which}_comm={name} {which}_pid={pid} {which}_prio=120"
            for which, (name, pid) in zip(("prev", "next"), names)
        ]
        return (time, "sched_switch: " + " prev_state=S ==> ".join(texts), f"t{before}-{before}", cpu)

    tracks = build(
        switch("1.0", 0, 5, 6),
        switch("2.0", 0, 6, 0),
        switch("3.0", 1, 0, 5),
        switch("4.0", 0, 7, 6),
        ("9.0", "e: x", "t6-6"),
    ).tracks
    same([(track.name, track.group) for track in tracks], [("CPU 0", CPUS), ("CPU 1", CPUS), ("t6-6", OTHER)])
    second = 10**9
    same(
        items(tracks[0]),
        [
            ("t5", second, second, 0, NO_BEGIN),
            ("t6", second, 2 * second, 0, 0),
            ("t6", 4 * second, 9 * second, 0, 0),
        ],
    )
    same(items(tracks[1]), [("t5", 3 * second, 9 * second, 0, 0)])
    same(tracks[0].items[1].fields, {"pid": 6, "prio": 120, "prev_state": "S"})


@case
def idle_threads_of_two_cpus():
    tracks = build(("1.0", "e: x", "<idle>-0", 0), ("2.0", "e: x", "<idle>-0", 1)).tracks
    same([track.name for track in tracks], ["idle, CPU 0", "idle, CPU 1"])


@case
def unordered_records():
    built = build(("2.0", span("E", "", id=1)), ("1.0", span("B", "a", id=1)))
    same(items(built.tracks[0]), [("a", 10**9, 2 * 10**9, 0, 0)])


@case
def a_page_with_any_text():
    evil = [
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "]]>",
        "\u2028",
        "\"\\'`${x}",
        "@DATA@ @SCRIPT@",
        "\\1 \\g<0>",
        "&lt;",
    ]
    lines = [("1.0", span("I", name)) for name in evil] + [
        (f"2.{n}", f"{n}: {name}") for n, name in enumerate(evil)
    ]
    built = build(*lines)
    with tempfile.NamedTemporaryFile() as d3:
        html = page.page("</title>" + evil[0], built, pathlib.Path(d3.name))
    blocks = re.findall(r"<script([^>]*)>(.*?)</script>", html, re.DOTALL)
    same([attributes for attributes, _ in blocks], [' type="application/json" id="data"', "", ""])
    data = json.loads(blocks[0][1])
    same([data["strings"][number] for number in data["columns"]["name"][: len(evil)]], evil)
    same(data["title"], "</title>" + evil[0])
    same(html.count("<script>alert"), 0)
    same(html.count("</title>"), 1)


@case
def large_numbers():
    built = build(("1.0", "e: big=0x7fffffffffffffff (9223372036854775807) small=0x1 (1)"))
    same(page.data_of("x", built)["columns"]["values"], [["9223372036854775807", 1]])


@case
def d3_is_missing():
    try:
        page.page("x", build(("1.0", "e: x")), pathlib.Path("/nonexistent"))
    except BadTrace as error:
        assert "apt-get install node-d3" in str(error)
    else:
        raise AssertionError("there is a page")
