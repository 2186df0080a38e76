# SPDX-License-Identifier: GPL-2.0
#
# What a timeline shows: slices, instants and counters on tracks. Events that follow
# Perfetto's convention for kernel track events say themselves what they are:
#
#   track_event_type  'B' begins a slice, 'E' ends one, 'I' is an instant
#   slice_name        its name
#   counter_value     the value of a counter
#   scope_...         an integer that selects a track; without it, it's the thread's
#   track_name        a track of that name
#
# Some have more fields:
#
#   id                connects the two ends of a slice; otherwise, slices nest
#   duration          in nanoseconds (at the end only)
#   result            0 or a negative errno (at the end only)
#
# sched_switch tells what each CPU ran. All other events are instants on the track of
# their thread.

from dataclasses import dataclass, field

INSTANT, UNFINISHED, NO_BEGIN, FAILED = 1, 2, 4, 8

# If an event has more tracks than this, they share the rows of a single one.
MAX_TRACKS = 12

GROUPS = ("Threads", "Counters", "Tracks", "CPUs", "Other threads")
THREADS, COUNTERS, TRACKS, CPUS, OTHER = range(len(GROUPS))

# The fields that are shown in a special way, or not at all.
SPECIAL = {"track_event_type", "slice_name", "duration", "result"}


@dataclass(slots=True)
class Item:
    """A slice or an instant."""

    # The time, and the number of the record, which orders those of the same time.
    start: tuple
    end: tuple
    name: str
    record: object
    fields: dict
    text: str
    flags: int = 0
    duration: int | None = None
    result: object = None
    depth: int = 0
    # The slice that contains it.
    parent: object = None
    # Where it ends on the screen.
    drawn_end: int = 0


@dataclass
class Track:
    name: str
    group: int
    items: list = field(default_factory=list)
    # Of a counter: time and value.
    values: list = field(default_factory=list)
    # The slices that have begun.
    open: list = field(default_factory=list)
    # The task that a CPU runs.
    running: object = None


@dataclass
class Model:
    tracks: list
    records: int
    lost: int
    # In nanoseconds, by the trace's clock.
    start: int
    end: int
    # Ends whose begin and duration are unknown.
    unknown: int


def letter(kind):
    """track_event_type is a character, or its number."""
    return chr(kind) if isinstance(kind, int) and 0 < kind < 128 else kind


class Builder:
    def __init__(self, trace):
        self.trace = trace
        self.tracks = {}
        self.unknown = 0
        # Records of different CPUs may be out of order.
        records = sorted(trace.records, key=lambda record: record.time)
        self.start, self.end = records[0].time, records[-1].time
        # Of each thread, its newest name.
        self.tasks = {}
        for number, record in enumerate(records):
            if record.task != "<...>":
                self.tasks[record.pid] = record.task
            self.add(record, (record.time, number))
        for track in self.tracks.values():
            self.close(track, (self.end, len(records)))

    def track(self, key, name, group):
        track = self.tracks.get(key)
        if track is None:
            track = self.tracks[key] = Track(name, group)
        return track

    def thread(self, record, suffix=()):
        # Each CPU has an idle thread of its own. They have the same PID.
        who = (record.pid, record.cpu if record.pid == 0 else None)
        return self.track(("thread", who, *suffix), None, THREADS)

    def track_of(self, record, group):
        """The track that the event names: by its scope, its name, or its thread."""
        fields, event = record.fields, record.event
        scopes = [(name[6:], value) for name, value in fields.items() if name.startswith("scope_")]
        name = fields.get("track_name")
        if not scopes and group == TRACKS:
            return self.thread(record, (event, name) if name else ())
        label = name or event
        if scopes:
            # What a `counter fn` without a scope of its own has says nothing.
            shown = [f"{scope} {value}" for scope, value in scopes if scope != "counter"]
            label = ": ".join([label] + [", ".join(shown)] * bool(shown))
            key = tuple(scopes)
        else:
            key = record.pid
        return self.track((group, event, name, key), label, group)

    def add(self, record, when):
        fields = record.fields
        kind = letter(fields.get("track_event_type"))
        if kind in ("B", "E", "I"):
            self.add_slice(kind, record, when)
        elif isinstance(fields.get("counter_value"), int):
            self.track_of(record, COUNTERS).values.append((record.time, fields["counter_value"]))
        elif record.event == "sched_switch" and "next_pid" in fields:
            self.add_switch(record, when)
        else:
            self.thread(record).items.append(
                Item(when, when, record.event, record, fields, record.text, INSTANT)
            )

    def add_slice(self, kind, record, when):
        fields = record.fields
        track = self.track_of(record, TRACKS)
        name = str(fields.get("slice_name") or record.event)
        if kind != "E":
            item = Item(when, when, name, record, fields, record.text)
            track.items.append(item)
            if kind == "I":
                item.flags = INSTANT
            else:
                track.open.append(item)
            return
        duration = fields.get("duration")
        duration = duration if isinstance(duration, int) and duration > 0 else None
        item = self.begun(track, record)
        if item:
            track.open.remove(item)
            changed = {
                f"{name} (end)": value
                for name, value in fields.items()
                if name not in SPECIAL and item.fields.get(name) != value
            }
            item.fields = item.fields | changed
            item.text = record.text
        elif duration is not None:
            item = Item((record.time - duration, -1), when, name, record, fields, record.text, NO_BEGIN)
            # It may have begun before the trace.
            self.start = min(self.start, item.start[0])
            track.items.append(item)
        else:
            self.unknown += 1
            return
        item.end, item.duration = when, duration
        if "result" in fields:
            item.result = fields["result"]
            if isinstance(item.result, int) and item.result < 0:
                item.flags |= FAILED

    def begun(self, track, record):
        """The innermost slice that this record ends."""
        for item in reversed(track.open):
            if item.record.event == record.event and item.fields.get("id") == record.fields.get("id"):
                return item
        return None

    def add_switch(self, record, when):
        fields = record.fields
        known = ("cpu", record.cpu) in self.tracks
        track = self.track(("cpu", record.cpu), f"CPU {record.cpu}", CPUS)
        if track.running:
            track.running.end = when
            track.running.fields["prev_state"] = fields.get("prev_state")
        elif not known and fields.get("prev_pid"):
            shown = {"pid": fields["prev_pid"], "prio": fields.get("prev_prio")}
            shown["prev_state"] = fields.get("prev_state")
            begin = (self.start, -1)
            name = str(fields.get("prev_comm"))
            track.items.append(Item(begin, when, name, record, shown, "", NO_BEGIN))
        track.running = None
        if fields["next_pid"] != 0:
            shown = {"pid": fields["next_pid"], "prio": fields.get("next_prio"), "prev_state": None}
            track.running = Item(when, when, str(fields.get("next_comm")), record, shown, "")
            track.items.append(track.running)
        for which in ("prev", "next"):
            if fields.get(which + "_pid"):
                self.tasks[fields[which + "_pid"]] = str(fields.get(which + "_comm"))

    def close(self, track, end):
        for item in track.open:
            item.end = end
            item.flags |= UNFINISHED
        if track.running:
            track.running.end = end
        set_depths(track.items)
        set_ends(track.items, self.trace.resolution)

    def named(self):
        """The tracks with their names, in the order in which they are shown."""
        found = []
        for key, track in self.tracks.items():
            if not track.items and not track.values:
                continue
            order = ()
            if key[0] == "thread":
                pid, cpu = key[1]
                track.name = f"{self.tasks.get(pid, '<...>')}-{pid}"
                if cpu is not None:
                    track.name = f"idle, CPU {cpu}"
                if len(key) > 2:
                    track.name = f"{key[3]}: {track.name}"
                if all(item.flags & INSTANT for item in track.items):
                    track.group = OTHER
                # The busiest ones first, and idle ones last.
                slices = sum(not item.flags & INSTANT for item in track.items)
                order = (pid == 0, -slices, pid, cpu or 0)
            elif key[0] == "cpu":
                order = (key[1],)
            elif key[0] == COUNTERS and not isinstance(key[3], tuple):
                track.name += f": {self.tasks.get(key[3], '<...>')}-{key[3]}"
            found.append((track.group, order, track.items[0].start if track.items else (0,), track))
        found = shared(self.tracks, found, self.trace.resolution)
        found.sort(key=lambda entry: entry[:3])
        return [track for *_, track in found]


def set_depths(items):
    """Sorts the items and puts each slice below those that it is part of."""
    items.sort(key=lambda item: item.start)
    open = []
    for item in items:
        # By depth: the newest slice is below all others.
        open = [other for other in open if other.end > item.start]
        item.parent = next((other for other in reversed(open) if other.end >= item.end), None)
        if item.flags & INSTANT:
            continue
        item.depth = 1 + open[-1].depth if open else 0
        open.append(item)


def set_ends(items, resolution):
    """The driver may have measured a duration better than the trace's clock shows it.
    But slices in a row don't overlap."""
    last = {}
    for item in items:
        start, end = item.start[0], item.end[0]
        item.drawn_end = end
        if item.flags & INSTANT:
            continue
        if item.duration and abs(end - start - item.duration) < resolution:
            item.drawn_end = start + item.duration
        before = last.get(item.depth)
        if before:
            before.drawn_end = min(before.drawn_end, start)
        last[item.depth] = item


def shared(tracks, found, resolution):
    """An event can have a track for each request. These share rows."""
    many = {}
    for key, track in tracks.items():
        if key[0] == TRACKS and track.items:
            many.setdefault(key[1], []).append(track)
    for event, of in many.items():
        if len(of) <= MAX_TRACKS:
            continue
        merged = Track(f"{event} ({len(of)} tracks)", TRACKS)
        # For each row, when it becomes free.
        rows = []
        for track in sorted(of, key=lambda track: track.items[0].start):
            first = track.items[0].start
            height = 1 + max(item.depth for item in track.items)
            end = max(item.end for item in track.items)
            for row in range(len(rows) + 1):
                if all(free <= first for free in rows[row : row + height]):
                    break
            rows += [(0, 0)] * (row + height - len(rows))
            rows[row : row + height] = [end] * height
            for item in track.items:
                item.depth += row
            merged.items += track.items
        merged.items.sort(key=lambda item: item.start)
        set_ends(merged.items, resolution)
        gone = {id(track) for track in of}
        found = [entry for entry in found if id(entry[3]) not in gone]
        found.append((TRACKS, (), merged.items[0].start, merged))
    return found


def build(trace):
    builder = Builder(trace)
    return Model(builder.named(), len(trace.records), trace.lost, builder.start, builder.end, builder.unknown)
