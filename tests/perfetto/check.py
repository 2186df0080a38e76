#!/opt/perfetto/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: check.py DIRECTORY
#
# Checks the recordings of tests/perfetto/record. It finds tracks, slices and counters as
# Perfetto does (src/trace_processor/importers/ftrace/generic_ftrace_tracker.cc).

import bisect
import collections
import pathlib
import re
import sys
import traceback

sys.dont_write_bytecode = True

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

Field = descriptor_pb2.FieldDescriptorProto
INTEGERS = (Field.TYPE_INT64, Field.TYPE_UINT64, Field.TYPE_INT32, Field.TYPE_UINT32)

# How much the time between the two records of a span may differ from the duration that the
# driver has measured, in nanoseconds, in most cases: anything can come between reading the
# clock and the record.
TOLERANCE = 100_000
# How much it may go beyond what any delay explains. The fast clocks aren't quite monotonic.
CLOCKS = 10_000
# The spans that are still open when a recording ends have begun this long before, at most.
LONGEST = 500_000_000

directory = pathlib.Path(sys.argv[1])

Event = collections.namedtuple("Event", "time cpu thread kind values")
Slice = collections.namedtuple("Slice", "track begin end")


class Kind:
    """An event's declaration, as the recorder describes it."""

    pool = descriptor_pool.DescriptorPool()
    number = 0

    def __init__(self, generic):
        proto = descriptor_pb2.DescriptorProto.FromString(generic.event_descriptor)
        self.system, self.name = generic.group_name, proto.name
        self.types = {field.name: field.type for field in proto.field}
        self.scope = None
        for field in proto.field:
            if field.name.startswith("scope_") and field.type in INTEGERS:
                self.scope = field.name
        self.is_slice = (
            self.types.get("track_event_type") in INTEGERS
            and self.types.get("slice_name") == Field.TYPE_STRING
        )
        self.is_counter = not self.is_slice and self.types.get("counter_value") in INTEGERS
        self.has_track_name = self.types.get("track_name") == Field.TYPE_STRING

        Kind.number += 1
        file = descriptor_pb2.FileDescriptorProto(
            name=f"{Kind.number}.proto", package=f"events{Kind.number}", message_type=[proto]
        )
        Kind.pool.Add(file)
        full_name = f"{file.package}.{proto.name}"
        self.parse = message_factory.GetMessageClass(
            Kind.pool.FindMessageTypeByName(full_name)
        ).FromString

    def track(self, event):
        name = event.values["track_name"] if self.has_track_name else self.name
        scope = event.values[self.scope] if self.scope else ("thread", event.thread)
        return self.name, name, scope


class Recording:
    def __init__(self, name):
        self.name = name
        trace = Trace.FromString((directory / f"{name}.pftrace").read_bytes())
        bundles = [p.ftrace_events for p in trace.packet if p.HasField("ftrace_events")]
        self.kinds = {}
        for bundle in bundles:
            for generic in bundle.generic_event_descriptors:
                if generic.field_id not in self.kinds:
                    self.kinds[generic.field_id] = Kind(generic)
        self.problems = []
        for stats in (p.ftrace_stats for p in trace.packet if p.HasField("ftrace_stats")):
            self.problems += [f"parse error {e}" for e in stats.ftrace_parse_errors]
            self.problems += [f"unknown event {e}" for e in stats.unknown_ftrace_events]
            self.problems += [f"event {e} failed" for e in stats.failed_ftrace_events]
            self.problems += [
                f"CPU {c.cpu} lost events" for c in stats.cpu_stats if c.overrun or c.dropped_events
            ]
        self.problems += [f"CPU {b.cpu} lost events" for b in bundles if b.lost_events]
        self.events = []
        for bundle in bundles:
            for event in bundle.event:
                for unknown in UnknownFieldSet(event):
                    kind = self.kinds[unknown.field_number]
                    message = kind.parse(unknown.data)
                    values = {f.name: v for f, v in message.ListFields()}
                    missing = set(kind.types) - set(values)
                    if missing:
                        self.problems.append(f"a {kind.name} without {missing}")
                    self.events.append(
                        Event(event.timestamp, bundle.cpu, event.pid, kind, values)
                    )
        # Each CPU's are in order, and sorting keeps it.
        self.events.sort(key=lambda event: event.time)
        self.end = self.events[-1].time if self.events else 0
        self.slices, self.open, self.unpaired = [], [], []
        self.pair()

    def pair(self):
        """Does what Perfetto does, and finds out whether that is what the driver meant."""
        tracks = collections.defaultdict(list)
        for event in self.events:
            if not event.kind.is_slice:
                continue
            phase, track = chr(event.values["track_event_type"]), event.kind.track(event)
            stack = tracks[track]
            if phase == "B":
                stack.append(event)
                if event.values["duration"] != 0:
                    self.unpaired.append(("a begin with a duration", event))
            elif phase == "E":
                if not stack:
                    self.unpaired.append(("an end without a begin", event))
                    continue
                begin = stack.pop()
                self.slices.append(Slice(track, begin, event))
                if begin.values["id"] != event.values["id"]:
                    self.unpaired.append(("an end of another span", event))
            elif phase != "I":
                self.unpaired.append(("neither begin nor end", event))
        self.open = [event for stack in tracks.values() for event in stack]

    def of(self, name):
        return [event for event in self.events if event.kind.name == name]

    def of_phase(self, name, phase):
        return [e for e in self.of(name) if chr(e.values["track_event_type"]) == phase]


def case(name, function, *arguments):
    try:
        result = function(*arguments)
        print(f"ok perfetto: {name}" + (f": {result}" if result else ""), flush=True)
    except Exception:
        print(f"not ok perfetto: {name}")
        print(re.sub("^", "# ", traceback.format_exc().rstrip(), flags=re.MULTILINE), flush=True)


def same(got, expected):
    assert got == expected, f"got {got!r} instead of {expected!r}"


def shown(event):
    return f"{event.time} [{event.cpu}] {event.thread} {event.kind.name} {event.values}"


def complete(recording, minimum):
    same(recording.problems[:10], [])
    assert len(recording.events) >= minimum, f"only {len(recording.events)} events"
    return f"{len(recording.events)} events"


def paired(recording, minimum, may_be_open):
    same([f"{what}: {shown(event)}" for what, event in recording.unpaired[:10]], [])
    left = recording.open
    if may_be_open:
        left = [event for event in left if recording.end - event.time > LONGEST]
    same([shown(event) for event in left[:10]], [])
    assert len(recording.slices) >= minimum, f"only {len(recording.slices)} slices"
    tracks = len({slice.track for slice in recording.slices})
    opened = f", {len(recording.open)} open at the end" if may_be_open else ""
    return f"{len(recording.slices)} slices on {tracks} tracks{opened}"


def in_interrupt(event):
    name = event.kind.name
    return (
        name in ("sp_timer", "sample_interrupt")
        or (name == "sp_part" and event.values["name"] == "in the timer")
        # A request that succeeds is ended by the timer.
        or (name == "sample_request" and event.values["duration"] > 0 and event.values["result"] == 0)
    )


def previous(recording):
    """Returns, for each record, when the same thread or interrupt has recorded something before."""
    before, last = {}, {}
    for event in recording.events:
        # To Perfetto, all idle CPUs are the same thread.
        thread = event.thread or ("idle", event.cpu)
        context = (thread, in_interrupt(event))
        if context in last:
            before[id(event)] = last[context]
        last[context] = event.time
    return before


def durations(recordings):
    """The clock is read before the record and after what the thread has recorded before."""
    off = []
    for recording in recordings:
        before = previous(recording)
        for _, begin, end in recording.slices:
            duration = end.values["duration"]
            off.append(abs(end.time - begin.time - duration))
            after = before.get(id(begin), recording.events[0].time - LONGEST)
            longest = end.time - after
            shortest = max(before.get(id(end), begin.time), begin.time) - begin.time
            assert shortest - CLOCKS <= duration <= longest + CLOCKS, (
                f"between {shortest} and {longest}: {shown(begin)}, {shown(end)}"
            )
    off.sort()
    late = sum(difference > TOLERANCE for difference in off)
    assert late * 20 <= len(off), f"{late} of {len(off)}"
    return (
        f"of {len(off)} slices, half differ by at most {off[len(off) // 2]} ns, "
        f"{late} by more than {TOLERANCE} ns, the worst by {off[-1]} ns"
    )


def names(recordings):
    wrong = []
    for recording in recordings:
        for slice in recording.slices:
            for event in (slice.begin, slice.end):
                declared = event.values["name"] if event.kind.name == "sp_part" else event.kind.name
                if event.values["slice_name"] != declared:
                    wrong.append(shown(event))
    same(wrong[:10], [])


def kinds(recordings):
    found = {}
    for kind in (kind for recording in recordings for kind in recording.kinds.values()):
        what = "slice" if kind.is_slice else "counter" if kind.is_counter else "?"
        found[kind.name] = (what, kind.scope or "thread", kind.has_track_name)
    same(
        found,
        {
            "sample_serve": ("slice", "thread", False),
            "sample_check": ("slice", "thread", False),
            "sample_request": ("slice", "scope_id", False),
            "sample_interrupt": ("slice", "thread", False),
            "sample_bad_sector": ("slice", "thread", False),
            "sample_queued": ("counter", "scope_counter", False),
            "sp_work": ("slice", "thread", False),
            "sp_part": ("slice", "thread", False),
            "sp_timer": ("slice", "thread", False),
            "sp_request": ("slice", "scope_id", True),
            "sp_moment": ("slice", "thread", False),
            "sp_depth": ("counter", "scope_counter", False),
        },
    )


def counter(recording):
    events = recording.of("sample_queued")
    values = [event.values["counter_value"] for event in events]
    changes = collections.Counter(b - a for a, b in zip(values, values[1:]))
    same(set(changes), {1, -1})
    # It's unsigned: below 0 would be far above.
    assert min(values) == 0 and 2 <= max(values) < 1000, values
    same(len({event.kind.track(event) for event in events}), 1)
    return f"{changes[1]} up, {changes[-1]} down, between {min(values)} and {max(values)}"


def during(*lists):
    """Returns what happens while all of these events are recorded: enabling and disabling them takes a while."""
    start, end = max(events[0].time for events in lists), min(events[-1].time for events in lists)
    return [[event for event in events if start <= event.time <= end] for events in lists]


def follows(seconds, firsts):
    """Checks that one of the first kind precedes each of the second, in the same thread."""
    before = [bisect.bisect(firsts, second.time, key=lambda first: first.time) - 1 for second in seconds]
    same(before, list(range(before[0], before[0] + len(seconds))))
    for second, n in zip(seconds, before):
        same(second.thread, firsts[n].thread)


def requests(recording):
    """The counter goes up once for each request that is submitted, and down once for each
    that is served, by the same thread."""
    values = recording.of("sample_queued")
    begun = recording.of_phase("sample_request", "B")
    served = recording.of_phase("sample_serve", "B")
    changed = [(event, event.values["counter_value"] > last.values["counter_value"])
               for last, event in zip(values, values[1:])]
    ups, downs = ([event for event, is_up in changed if is_up == wanted] for wanted in (True, False))
    ups, _ = during(ups, begun)
    _, after = during(downs, served)
    assert len(ups) >= 10 and len(after) >= 10, f"{len(ups)} requests, {len(after)} served"
    follows(ups, begun)
    follows(after, downs)
    # First in, first out. Some of the first may have been submitted before.
    order = [event.values["request"] for event in begun]
    got = [event.values["request"] for event in served]
    got = got[next(n for n, request in enumerate(got) if request in order):]
    start = order.index(got[0])
    same(got, order[start : start + len(got)])
    return f"{len(ups)} requests, {len(after)} served"


def results(recording):
    by_request = {e.values["request"]: e for e in recording.of_phase("sample_request", "E")}
    bad = recording.of("sample_bad_sector")
    times = sorted(event.time for event in by_request.values())
    # All three are recorded then.
    start, end = max(times[0], bad[0].time), times[-1]
    served = [e for e in recording.of_phase("sample_serve", "E") if start <= e.time <= end]
    failed = [e for e in served if e.values["result"]]
    assert failed, "no request has failed"
    bad = [event.values["request"] for event in bad]
    for end in failed:
        same((end.values["sector"], end.values["result"]), (800, -5))
        assert end.values["request"] in bad, shown(end)
        same(by_request[end.values["request"]].values["result"], -5)
    same({e.values["result"] for e in by_request.values()}, {0, -5})
    crossed = [s for s in recording.slices if s.begin.kind.name == "sample_request"]
    assert all(s.begin.thread != s.end.thread for s in crossed), "ended where it began"
    return f"{len(failed)} failed"


def others(recording):
    same([event.values["counter_value"] for event in recording.of("sp_depth")], [3, -1])
    same([chr(e.values["track_event_type"]) for e in recording.of("sp_moment")], ["I"])
    # The fourth is forgotten.
    same([event.values["n"] for event in recording.open], [4])
    requests = [s for s in recording.slices if s.begin.kind.name == "sp_request"]
    same(sorted(s.begin.values["n"] for s in requests), [1, 2, 3, 5])
    same(len({s.track for s in requests}), 4)
    same({s.track[1] for s in requests}, {"requests"})
    by_n = {s.begin.values["n"]: s for s in requests}
    same(by_n[1].end.values["result"], -110)
    assert by_n[1].begin.thread != by_n[1].end.thread
    assert by_n[3].begin.time < by_n[2].end.time < by_n[3].end.time
    return f"{len(recording.slices)} slices"


def workload(recordings):
    threads = {s.begin.thread for r in recordings for s in r.slices if s.begin.kind.name == "sp_work"}
    cpus = {event.cpu for recording in recordings for event in recording.events}
    timers = sum(s.begin.kind.name == "sp_timer" for r in recordings for s in r.slices)
    assert len(threads) == 4 and cpus == {0, 1} and timers, f"{threads}, {cpus}, {timers}"
    inner = sum(
        s.begin.kind.name == "sp_part" and s.begin.values["name"] == "in the timer"
        for r in recordings
        for s in r.slices
    )
    assert inner, "no span in an interrupt"
    return f"4 threads, 2 CPUs, {timers} interrupts"


sample, other, toggled = (Recording(name) for name in ("sample", "others", "toggled"))
repeated = [Recording(f"repeated-{i}") for i in range(1, 7)]
everything = [sample, other, toggled, *repeated]

case("the sample: all that was recorded is read", complete, sample, 300)
case("what Perfetto takes the events for", kinds, everything)
case("the sample: slices nest and are paired", paired, sample, 100, True)
case("the sample: the counter goes up and down by one", counter, sample)
case("the sample: the counter follows the requests", requests, sample)
case("the sample: results, and spans that cross threads", results, sample)
case("async spans, an instant, a counter", others, other)
for recording in repeated:
    case(f"{recording.name}: all that was recorded is read", complete, recording, 50)
    case(f"{recording.name}: slices nest and are paired", paired, recording, 20, True)
case("toggled: all that was recorded is read", complete, toggled, 1000)
case("toggled: slices nest and are paired", paired, toggled, 500, False)
case("toggled: four threads, two CPUs, interrupts", workload, [toggled])
case("names of slices", names, everything)
case("durations are the driver's", durations, everything)
