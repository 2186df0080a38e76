// SPDX-License-Identifier: GPL-2.0
//
// Draws the tracks, the ruler and the overview. What is narrower than a pixel is drawn
// once for each pixel, so that the time to draw depends on the window, not on the trace.

// Sizes in pixels: the column with the labels, and the heights of what is drawn.
const LABELS = 230;
const RULER = 26;
const HEAD = 24;
const ROW = 19;
const MARKS = 17;
const COUNTER = 42;
const PADDING = 3;
// Slices narrower than this share a pixel.
const SMALL = 1.5;

// The same name has the same color everywhere.
class Colors {
	constructor() {
		this.cache = new Map();
	}

	get(name) {
		let color = this.cache.get(name);
		if (!color) {
			// Names that only differ in a number belong together.
			const text = name.replace(/\d+/g, "");
			let hash = 2166136261;
			for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
			hash = Math.imul(hash ^ (hash >>> 15), 2246822519) >>> 0;
			// Red is for errors.
			const hue = 60 + (hash % 18) * 15,
				shade = ((hash >>> 8) % 3) * 4;
			color = {
				fill: d3.hcl(hue, this.dark ? 34 : 32, this.dark ? 40 + shade : 78 + shade).toString(),
				strong: d3.hcl(hue, 55, this.dark ? 68 : 52).toString(),
			};
			this.cache.set(name, color);
		}
		return color;
	}

	use(dark) {
		this.dark = dark;
		this.cache.clear();
		const style = getComputedStyle(document.documentElement);
		for (const name of [
			"background",
			"surface",
			"line",
			"grid",
			"text",
			"muted",
			"accent",
			"bad",
			"warn",
			"counter",
			"counter-soft",
			"accent-soft",
		])
			this[name.replace("-s", "S")] = style.getPropertyValue(`--${name}`).trim();
	}
}

// Fits a canvas to its element, in the screen's pixels.
function fit(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1;
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	canvas.style.height = `${height}px`;
	const context = canvas.getContext("2d", { alpha: false });
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return context;
}

const FONT = '11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';

class Painter {
	constructor(trace, canvas) {
		this.trace = trace;
		this.canvas = canvas;
		this.colors = new Colors();
		this.closed = new Set();
		this.widths = new Map();
		this.x = d3.scaleLinear();
		this.selected = this.hovered = -1;
		this.range = null;
		this.layOut();
	}

	// Places the heads of groups and the tracks below each other.
	layOut() {
		this.places = [];
		let y = RULER,
			group = -1;
		for (const track of this.trace.tracks) {
			if (track.group !== group) {
				group = track.group;
				const count = this.trace.tracks.filter(other => other.group === group).length;
				this.places.push({ head: group, count, y, height: HEAD });
				y += HEAD;
			}
			if (this.closed.has(group)) continue;
			let height = track.values.length
				? COUNTER
				: track.rows.length * ROW + (track.instants ? MARKS : 0);
			height += 2 * PADDING;
			this.places.push({ track, y, height });
			y += height;
		}
		this.height = y + 12;
	}

	resize(width, height) {
		this.width = width;
		this.view = height;
		this.context = fit(this.canvas, width, height);
		this.x.range([LABELS, width]);
	}

	textWidth(text) {
		let width = this.widths.get(text);
		if (width === undefined) {
			if (this.widths.size > 20000) this.widths.clear();
			width = this.context.measureText(text).width;
			this.widths.set(text, width);
		}
		return width;
	}

	// The text, or as much as fits.
	shorten(text, width) {
		const whole = this.textWidth(text);
		if (whole <= width) return text;
		const fits = Math.floor((text.length * (width - 8)) / whole);
		return fits < 4 ? "" : text.slice(0, fits) + "…";
	}

	draw(scroll) {
		const c = this.context,
			colors = this.colors;
		[this.from, this.to] = this.x.domain();
		this.scale = (this.width - LABELS) / (this.to - this.from);
		c.font = FONT;
		c.textBaseline = "middle";
		c.fillStyle = colors.background;
		c.fillRect(0, 0, this.width, this.view);
		const ticks = this.ticks();
		c.fillStyle = colors.grid;
		for (const tick of ticks.at) c.fillRect(Math.round(this.x(tick)), RULER, 1, this.view);
		for (const place of this.places) {
			const y = place.y - scroll;
			if (y + place.height < RULER || y > this.view) continue;
			if (place.track) this.drawTrack(place.track, y, place.height);
		}
		this.drawRange();
		this.drawLabels(scroll);
		this.drawRuler(ticks);
	}

	at(time) {
		return LABELS + (time - this.from) * this.scale;
	}

	drawTrack(track, y, height) {
		const c = this.context;
		c.save();
		c.beginPath();
		c.rect(LABELS, Math.max(y, RULER), this.width - LABELS, height);
		c.clip();
		c.fillStyle = this.colors.line;
		c.fillRect(LABELS, y + height - 1, this.width, 1);
		y += PADDING;
		if (track.values.length) this.drawCounter(track, y);
		if (track.instants) {
			this.drawInstants(track.instants, y);
			y += MARKS;
		}
		track.rows.forEach((row, depth) => this.drawRow(row, y + depth * ROW));
		c.restore();
	}

	drawRow(row, y) {
		const { start, end, items } = row,
			count = items.length;
		let i = d3.bisectLeft(end, this.from);
		// Neighbouring pixels of the same color are drawn at once.
		const c = this.context,
			failed = [];
		let runFrom = 0,
			runTo = 0,
			runColor = null;
		const flush = () => {
			if (runColor) {
				c.fillStyle = runColor;
				c.fillRect(runFrom, y, runTo - runFrom, ROW - 1);
				runColor = null;
			}
		};
		while (i < count && start[i] <= this.to) {
			const x0 = this.at(start[i]),
				x1 = this.at(end[i]);
			if (x1 - x0 >= SMALL) {
				flush();
				this.drawSlice(items[i], x0, x1, y);
				i++;
				continue;
			}
			const pixel = Math.floor(x0);
			let next = d3.bisectLeft(start, this.from + (pixel + 1 - LABELS) / this.scale, i + 1);
			if (next <= i) next = i + 1;
			// The last one may be long.
			if (next > i + 1 && this.at(end[next - 1]) - this.at(start[next - 1]) >= SMALL) next--;
			const dim = row.matches && row.matches[next] === row.matches[i];
			const color = dim ? this.colors.line : this.colors.get(this.trace.name(items[i])).fill;
			if (color !== runColor || pixel > runTo) {
				flush();
				runFrom = pixel;
				runColor = color;
			}
			runTo = pixel + 1;
			if (row.failed[next] > row.failed[i] && !dim) failed.push(pixel);
			i = next;
		}
		flush();
		c.fillStyle = this.colors.bad;
		for (const pixel of failed) c.fillRect(pixel, y + ROW - 4, 1, 3);
	}

	drawSlice(item, x0, x1, y) {
		const c = this.context,
			trace = this.trace,
			colors = this.colors;
		const flags = trace.flags[item];
		const dim = trace.matched && !trace.matched[item];
		const left = Math.round(Math.max(x0, LABELS - 4)),
			right = Math.round(Math.min(x1, this.width + 4));
		// A gap between slices that follow each other, if there's room for it.
		const width = Math.max(1, right - left - (x1 - x0 > 3 ? 1 : 0));
		const color = colors.get(trace.name(item));
		c.fillStyle = dim ? colors.line : color.fill;
		c.fillRect(left, y, width, ROW - 1);
		if (flags & FAILED && !dim) {
			c.fillStyle = colors.bad;
			c.fillRect(left, y + ROW - 4, width, 3);
		}
		if (flags & (UNFINISHED | NO_BEGIN) && width > 12) this.drawOpenEnd(flags, left, left + width, y);
		if (item === this.selected || item === this.hovered) {
			c.strokeStyle = item === this.selected ? colors.text : colors.muted;
			c.lineWidth = item === this.selected ? 2 : 1;
			c.strokeRect(left + 0.5, y + 0.5, width - 1, ROW - 2);
		}
		if (width < 24) return;
		const from = Math.max(left, LABELS) + 4,
			room = left + width - from - 4;
		let text = this.shorten(trace.name(item), room);
		c.fillStyle = dim ? colors.muted : colors.text;
		c.fillText(text, from, y + ROW / 2);
		if (room > this.textWidth(text) + 50 && text === trace.name(item)) {
			const more =
				trace.result(item) && flags & FAILED ? trace.result(item) : duration(trace.duration(item));
			const used = this.textWidth(text) + 8;
			text = flags & UNFINISHED ? "unfinished" : more;
			if (used + this.textWidth(text) < room) {
				c.globalAlpha = 0.65;
				c.fillText(text, from + used, y + ROW / 2);
				c.globalAlpha = 1;
			}
		}
	}

	// A slice whose begin or end isn't in the trace fades out there.
	drawOpenEnd(flags, left, right, y) {
		const c = this.context;
		const size = Math.min(28, (right - left) / 2);
		for (const [flag, edge, step] of [
			[UNFINISHED, right, -1],
			[NO_BEGIN, left, 1],
		]) {
			if (!(flags & flag)) continue;
			c.fillStyle = this.colors.background;
			for (let at = 0; at < size; at += 4)
				c.fillRect(step > 0 ? edge + at : edge - at - 2, y, 2, ROW - 1);
		}
	}

	drawInstants(row, y) {
		const { start, items } = row,
			c = this.context,
			trace = this.trace;
		const step = 4 / this.scale;
		let i = d3.bisectLeft(start, this.from - step);
		let last = -Infinity;
		while (i < items.length && start[i] <= this.to + step) {
			const x = this.at(start[i]);
			const next = Math.max(i + 1, d3.bisectLeft(start, start[i] + step, i + 1));
			let item = items[i];
			if (this.selected >= 0)
				for (let j = i; j < next; j++) if (items[j] === this.selected) item = items[j];
			const dim = row.matches && row.matches[next] === row.matches[i];
			const color = this.colors.get(trace.name(item));
			c.fillStyle = dim ? this.colors.line : color.strong;
			// Where there's no room for diamonds, lines.
			const until = next < items.length ? this.at(start[next]) : this.width;
			const wide = Math.min(until - x, x - last) > 9 || item === this.selected || item === this.hovered;
			last = x;
			c.beginPath();
			if (wide) {
				c.moveTo(x, y + 1);
				c.lineTo(x + 4.5, y + 8);
				c.lineTo(x, y + 15);
				c.lineTo(x - 4.5, y + 8);
				c.closePath();
			} else {
				c.rect(x - 1, y + 2, 2, 12);
			}
			c.fill();
			if (item === this.selected || item === this.hovered) {
				c.strokeStyle = this.colors.text;
				c.lineWidth = 1.5;
				c.stroke();
			}
			const label = next - i > 1 ? `${trace.name(item)} (${next - i})` : trace.name(item);
			if (this.textWidth(label) < until - x - 18) {
				c.fillStyle = dim ? this.colors.muted : this.colors.text;
				c.fillText(label, x + 8, y + MARKS / 2);
			}
			i = next;
		}
	}

	drawCounter(track, y) {
		const { times, values } = track,
			c = this.context,
			colors = this.colors;
		const up = d3
			.scaleLinear()
			.domain([track.low, track.high])
			.range([y + COUNTER - 2, y + 5]);
		const first = Math.max(0, d3.bisectRight(times, this.from) - 1);
		const steps = [],
			columns = [];
		for (let i = first; i < times.length && times[i] <= this.to;) {
			const x = this.at(times[i]);
			const pixel = Math.floor(x);
			const next = Math.max(
				i + 1,
				d3.bisectLeft(times, this.from + (pixel + 1 - LABELS) / this.scale, i + 1),
			);
			// What changes within a pixel is drawn as a column.
			if (next - i > 1) {
				let low = values[i],
					high = low;
				for (let j = i + 1; j < next; j++) {
					low = Math.min(low, values[j]);
					high = Math.max(high, values[j]);
				}
				columns.push([pixel, up(high), up(low)]);
			}
			steps.push([Math.max(x, LABELS - 2), up(values[next - 1])]);
			i = next;
		}
		if (!steps.length) return;
		steps.push([this.at(Math.min(this.to, this.trace.length)), steps[steps.length - 1][1]]);
		c.fillStyle = colors.counterSoft;
		const zero = up(0);
		for (let i = 0; i + 1 < steps.length; i++) {
			const left = Math.round(steps[i][0]),
				right = Math.round(steps[i + 1][0]);
			c.fillRect(left, steps[i][1], right - left, zero - steps[i][1]);
		}
		c.fillStyle = colors.counter;
		let before = steps[0][1];
		for (let i = 0; i + 1 < steps.length; i++) {
			const [x, y] = steps[i],
				left = Math.round(x);
			c.fillRect(left, Math.min(before, y) - 0.5, 1.25, Math.abs(before - y) + 1.25);
			c.fillRect(left, y - 0.5, Math.round(steps[i + 1][0]) - left, 1.25);
			before = y;
		}
		for (const [x, high, low] of columns) c.fillRect(x, high - 0.5, 1, low - high + 1.25);
		if (track === this.hoveredCounter) {
			const at = d3.bisectRight(times, this.hoveredTime) - 1;
			if (at >= 0) {
				const x = Math.max(this.at(times[at]), LABELS);
				c.fillStyle = colors.accent;
				c.beginPath();
				c.arc(x, up(values[at]), 3.5, 0, 2 * Math.PI);
				c.fill();
			}
		}
	}

	drawRange() {
		if (!this.range) return;
		const c = this.context;
		const [x0, x1] = this.range.map(time => this.at(time));
		const left = Math.max(x0, LABELS);
		c.fillStyle = this.colors.accentSoft;
		c.fillRect(left, RULER, Math.max(0, x1 - left), this.view);
	}

	drawLabels(scroll) {
		const c = this.context,
			colors = this.colors;
		c.fillStyle = colors.background;
		c.fillRect(0, RULER, LABELS, this.view);
		for (const place of this.places) {
			const y = place.y - scroll;
			if (y + place.height < RULER || y > this.view) continue;
			if (place.head !== undefined) {
				c.fillStyle = colors.surface;
				c.fillRect(0, y, this.width, HEAD);
				c.fillStyle = colors.line;
				c.fillRect(0, y + HEAD - 1, this.width, 1);
				c.fillStyle = colors.text;
				c.font = `600 ${FONT}`;
				const closed = this.closed.has(place.head);
				c.fillText(`${closed ? "▸" : "▾"}  ${this.trace.raw.groups[place.head]}`, 8, y + HEAD / 2);
				c.font = FONT;
				c.fillStyle = colors.muted;
				c.textAlign = "right";
				c.fillText(place.count, LABELS - 10, y + HEAD / 2);
				c.textAlign = "left";
				continue;
			}
			const { track } = place;
			c.fillStyle = colors.line;
			c.fillRect(0, y + place.height - 1, LABELS, 1);
			c.fillStyle = colors.text;
			const middle = y + PADDING + (track.values.length ? 10 : 9);
			c.fillText(this.shorten(track.name, LABELS - 30), 20, middle);
			if (track.values.length) {
				c.fillStyle = colors.muted;
				c.fillText(this.counterText(track), 20, middle + 16);
			}
		}
		c.fillStyle = colors.line;
		c.fillRect(LABELS - 1, RULER, 1, this.view);
	}

	counterText(track) {
		if (track !== this.hoveredCounter) return `${number(track.low)} … ${number(track.high)}`;
		const at = d3.bisectRight(track.times, this.hoveredTime) - 1;
		return at < 0 ? "" : `= ${track.texts[at]}`;
	}

	// Round times, and the unit that tells them apart. Far from the beginning of the trace,
	// the ruler counts from a round time that is shown at its left.
	ticks() {
		const count = (this.width - LABELS) / 110;
		const at = this.x.ticks(count);
		const step = at.length > 1 ? at[1] - at[0] : this.to - this.from;
		let base = 0;
		if (this.from > step * 2000) {
			const size = 10 ** Math.ceil(Math.log10(this.to - this.from) + 1);
			base = Math.floor(this.from / size) * size;
		}
		const [unit, size] = unitOf(Math.max(this.to - base, 1) / 5);
		const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
		const text = tick =>
			`${base ? "+" : ""}${d3.format(`,.${digits}f`)((tick - base) / size)}\u202f${unit}`;
		return { at, base, text };
	}

	drawRuler(ticks) {
		const c = this.context,
			colors = this.colors;
		c.fillStyle = colors.surface;
		c.fillRect(0, 0, this.width, RULER);
		c.fillStyle = colors.line;
		c.fillRect(0, RULER - 1, this.width, 1);
		c.fillStyle = colors.muted;
		for (const tick of ticks.at) {
			const x = Math.round(this.x(tick));
			c.fillStyle = colors.line;
			c.fillRect(x, RULER - 7, 1, 6);
			c.fillStyle = colors.muted;
			c.fillText(ticks.text(tick), x + 4, RULER / 2);
		}
		if (this.range) {
			const [x0, x1] = this.range.map(time => this.at(time));
			c.fillStyle = colors.accent;
			c.fillRect(Math.max(x0, LABELS), RULER - 3, Math.max(0, x1 - Math.max(x0, LABELS)), 3);
		}
		c.fillStyle = colors.surface;
		c.fillRect(0, 0, LABELS, RULER - 1);
		c.fillStyle = colors.muted;
		const shown = `${duration(this.to - this.from)} shown`;
		c.fillText(ticks.base ? `${exactTime(ticks.base)}  +` : shown, 8, RULER / 2);
	}

	// What is at a position: an item, a head of a group, or a counter's track.
	find(px, py, scroll) {
		if (py < RULER) return {};
		const place = this.places.find(of => py + scroll >= of.y && py + scroll < of.y + of.height);
		if (!place) return {};
		if (place.head !== undefined) return { head: place.head };
		if (px < LABELS) return { label: place.track };
		const time = this.from + (px - LABELS) / this.scale,
			{ track } = place;
		if (track.values.length) return { counter: track, time };
		let y = py + scroll - place.y - PADDING;
		if (track.instants) {
			if (y < MARKS) return { item: nearest(track.instants, time, 5 / this.scale) };
			y -= MARKS;
		}
		const row = track.rows[Math.floor(y / ROW)];
		return { item: row ? nearest(row, time, 2 / this.scale) : -1 };
	}

	placeOf(item) {
		const track = this.trace.track(item);
		return this.places.find(place => place.track === track);
	}
}

// The item of a row at a time, or the one closest to it, but not further than that.
function nearest(row, time, limit) {
	const after = d3.bisectLeft(row.end, time);
	let best = -1,
		distance = limit;
	for (const i of [after, after - 1, after + 1]) {
		if (i < 0 || i >= row.items.length) continue;
		const far = Math.max(row.start[i] - time, time - row.end[i], 0);
		if (far < distance || (far === 0 && best < 0)) {
			best = row.items[i];
			distance = far;
		}
	}
	return best;
}

// How much happens when, in the whole trace, and what part of it is shown.
function drawOverview(canvas, trace, colors, width, height) {
	const c = fit(canvas, width, height);
	const room = width - LABELS;
	const counts = new Float64Array(Math.max(1, Math.ceil(room / 2)));
	const failed = new Float64Array(counts.length);
	for (let i = 0; i < trace.count; i++) {
		const at = Math.min(counts.length - 1, Math.floor((trace.start[i] / trace.length) * counts.length));
		counts[at]++;
		failed[at] += trace.flags[i] & FAILED ? 1 : 0;
	}
	c.fillStyle = colors.surface;
	c.fillRect(0, 0, width, height);
	const up = d3
		.scalePow()
		.exponent(0.5)
		.domain([0, d3.max(counts) || 1])
		.range([0, height - 8]);
	counts.forEach((count, i) => {
		if (!count) return;
		const bar = Math.max(1, up(count));
		c.fillStyle = colors.counter;
		c.fillRect(LABELS + i * 2, height - 2 - bar, 1.5, bar);
		if (failed[i]) {
			c.fillStyle = colors.bad;
			c.fillRect(LABELS + i * 2, height - 2, 1.5, -Math.max(2, (bar * failed[i]) / count));
		}
	});
	c.font = FONT;
	c.textBaseline = "middle";
	c.fillStyle = colors.muted;
	c.fillText(`${duration(trace.length)} in total`, 8, height / 2);
}
