// SPDX-License-Identifier: GPL-2.0
//
// The trace: its items (slices and instants) in columns, and for each track an index by
// time.

"use strict";

const INSTANT = 1,
	UNFINISHED = 2,
	NO_BEGIN = 4,
	FAILED = 8;

// A row of a track, or its instants. Items in a row don't overlap, so that both the starts
// and the ends are sorted.
class Row {
	constructor(items, trace) {
		this.items = items;
		this.start = Float64Array.from(items, i => trace.start[i]);
		this.end = Float64Array.from(items, i => trace.end[i]);
		this.failed = this.count(i => trace.flags[i] & FAILED);
		this.matches = null;
	}

	// For each index, how many of the items before it are of interest.
	count(test) {
		const sums = new Uint32Array(this.items.length + 1);
		for (let i = 0; i < this.items.length; i++) sums[i + 1] = sums[i] + (test(this.items[i]) ? 1 : 0);
		return sums;
	}
}

class Track {
	constructor(raw, trace) {
		this.name = raw.name;
		this.group = raw.group;
		this.first = raw.first;
		this.count = raw.count;
		this.times = Float64Array.from(raw.times);
		this.values = Float64Array.from(raw.values, Number);
		this.texts = raw.values;
		const rows = [],
			instants = [];
		for (let i = raw.first; i < raw.first + raw.count; i++) {
			if (trace.flags[i] & INSTANT) instants.push(i);
			else (rows[trace.depth[i]] = rows[trace.depth[i]] || []).push(i);
		}
		this.rows = Array.from(rows, items => new Row(items || [], trace));
		this.instants = instants.length ? new Row(instants, trace) : null;
		if (this.values.length) {
			[this.low, this.high] = d3.extent(this.values);
			this.low = Math.min(this.low, 0);
			if (this.high <= this.low) this.high = this.low + 1;
		}
	}

	*allRows() {
		yield* this.rows;
		if (this.instants) yield this.instants;
	}
}

class Trace {
	constructor(raw) {
		const columns = raw.columns;
		this.raw = raw;
		this.length = Math.max(raw.length, 1);
		this.count = columns.start.length;
		this.start = Float64Array.from(columns.start);
		this.end = this.start.map((start, i) => start + columns.length[i]);
		this.flags = Uint8Array.from(columns.flags);
		this.depth = columns.depth;
		this.nameOf = Uint32Array.from(columns.name);
		this.trackOf = new Uint32Array(this.count);
		this.tracks = raw.tracks.map((track, number) => {
			this.trackOf.fill(number, track.first, track.first + track.count);
			return new Track(track, this);
		});
		this.matched = null;
	}

	string(column, i) {
		return this.raw.strings[this.raw.columns[column][i]];
	}
	name(i) {
		return this.string("name", i);
	}
	result(i) {
		return this.raw.columns.result[i] < 0 ? null : this.string("result", i);
	}
	track(i) {
		return this.tracks[this.trackOf[i]];
	}

	// What the driver has measured, or else the time between the two records.
	duration(i) {
		const measured = this.raw.columns.duration[i];
		return measured >= 0 ? measured : this.end[i] - this.start[i];
	}

	fields(i) {
		const names = this.raw.kinds[this.raw.columns.kind[i]];
		return this.raw.columns.values[i].map((value, n) => [names[n], value]);
	}

	// The slice that contains the item, or -1.
	parent(i) {
		return this.raw.columns.parent[i];
	}

	// The slices that are directly part of a slice.
	parts(i) {
		if (!this.partsOf) {
			this.partsOf = new Map();
			for (let part = 0; part < this.count; part++) {
				const parent = this.parent(part);
				if (parent < 0 || this.flags[part] & INSTANT) continue;
				const parts = this.partsOf.get(parent);
				if (parts) parts.push(part);
				else this.partsOf.set(parent, [part]);
			}
		}
		return this.partsOf.get(i) || [];
	}

	// The item and its row's neighbour, or -1.
	neighbour(i, step) {
		const row = this.rowOf(i);
		const at = row.items.indexOf(i) + step;
		return at >= 0 && at < row.items.length ? row.items[at] : -1;
	}

	rowOf(i) {
		const track = this.track(i);
		return this.flags[i] & INSTANT ? track.instants : track.rows[this.depth[i]];
	}

	// The items of each name and event in a range, slices and instants apart.
	byName(from, to) {
		const found = new Map();
		for (let i = 0; i < this.count; i++) {
			if (this.end[i] < from || this.start[i] > to) continue;
			const kind = this.nameOf[i] * this.raw.strings.length + this.raw.columns.event[i];
			const key = kind * 2 + (this.flags[i] & INSTANT);
			const items = found.get(key);
			if (items) items.push(i);
			else found.set(key, [i]);
		}
		return found;
	}

	statistics(from, to) {
		return Array.from(this.byName(from, to).values(), items => {
			const instant = this.flags[items[0]] & INSTANT;
			const of = {
				name: this.name(items[0]),
				event: this.string("event", items[0]),
				count: items.length,
				first: items[0],
				instant,
			};
			of.failed = d3.sum(items, i => (this.flags[i] & FAILED ? 1 : 0));
			if (instant) return of;
			const complete = items.filter(i => !(this.flags[i] & UNFINISHED));
			const sorted = Float64Array.from(complete, i => this.duration(i)).sort();
			of.durations = sorted;
			of.total = d3.sum(sorted);
			of.mean = sorted.length ? of.total / sorted.length : NaN;
			of.min = sorted.length ? sorted[0] : NaN;
			of.median = sorted.length ? d3.quantile(sorted, 0.5) : NaN;
			of.p99 = sorted.length ? d3.quantile(sorted, 0.99) : NaN;
			of.max = sorted.length ? sorted[sorted.length - 1] : NaN;
			return of;
		});
	}

	// Finds items by a text, by "field=value" or by "duration>1ms". An exact name is put
	// in double quotes. Returns them by time.
	search(query) {
		const test = this.tester(query.trim());
		this.matched = null;
		let found = [];
		if (test) {
			this.matched = new Uint8Array(this.count);
			for (let i = 0; i < this.count; i++)
				if (test(i)) {
					this.matched[i] = 1;
					found.push(i);
				}
		}
		for (const track of this.tracks)
			for (const row of track.allRows()) row.matches = this.matched && row.count(i => this.matched[i]);
		return found.sort((a, b) => this.start[a] - this.start[b]);
	}

	tester(query) {
		if (!query) return null;
		const length = /^duration\s*([<>])=?\s*([\d.]+)\s*(ns|us|µs|ms|s|)$/.exec(query);
		if (length) {
			const limit = length[2] * UNITS[length[3] || "ns"];
			const sign = length[1] === ">" ? 1 : -1;
			return i => !(this.flags[i] & INSTANT) && sign * this.duration(i) >= sign * limit;
		}
		const exact = /^"(.*)"$/s.exec(query);
		if (exact) return i => this.name(i) === exact[1];
		const field = /^(\w+(?: \(end\))?)\s*=\s*(.*)$/s.exec(query);
		if (field) {
			const at = this.raw.kinds.map(names => names.indexOf(field[1]));
			const columns = this.raw.columns;
			if (field[1] === "result") return i => this.result(i) === field[2];
			if (at.some(n => n >= 0))
				return i =>
					at[columns.kind[i]] >= 0 && String(columns.values[i][at[columns.kind[i]]]) === field[2];
		}
		const text = query.toLowerCase();
		const hits = this.raw.strings.map(string => string.toLowerCase().includes(text));
		const columns = this.raw.columns;
		return i =>
			hits[columns.name[i]] ||
			hits[columns.event[i]] ||
			hits[columns.task[i]] ||
			hits[columns.text[i]] ||
			(columns.result[i] >= 0 && hits[columns.result[i]]) ||
			columns.values[i].some(value => String(value).toLowerCase().includes(text));
	}
}

const UNITS = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
const NAMED = [
	["s", 1e9],
	["ms", 1e6],
	["µs", 1e3],
	["ns", 1],
];

// The unit in which to show times of this size.
function unitOf(time) {
	return NAMED.find(([, size]) => Math.abs(time) >= size) || NAMED[3];
}

// A duration with up to four significant digits, such as "12.35 ms".
function duration(time) {
	if (!Number.isFinite(time)) return "–";
	const [unit, size] = unitOf(time);
	return `${+(time / size).toPrecision(4)}\u202f${unit}`;
}

// A point in time, with all its digits.
function exactTime(time) {
	const [unit, size] = unitOf(time);
	return `${+(time / size).toFixed(9)}\u202f${unit}`;
}

// The same by the trace's clock, in seconds.
function clockTime(trace, time) {
	const [seconds, fraction] = trace.raw.start.split(".");
	const sum = BigInt(seconds) * 1000000000n + BigInt(fraction) + BigInt(Math.round(time));
	return `${sum / 1000000000n}.${String(sum % 1000000000n).padStart(9, "0")}`;
}

const number = d3.format(",");
