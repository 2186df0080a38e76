// SPDX-License-Identifier: GPL-2.0
//
// What part of the trace is shown: zooming and moving, with the mouse, the keys and the
// overview.

// A window this wide, in nanoseconds, is as far as zooming goes.
const CLOSEST = 20;

class View {
	constructor(trace, painter, scroller, overview) {
		this.trace = trace;
		this.painter = painter;
		this.scroller = scroller;
		this.overview = overview;
		this.canvas = d3.select(painter.canvas);
		this.base = d3.scaleLinear().domain([0, trace.length]);
		this.pointer = LABELS;
		this.keys = new Set();
		this.onMove = () => {};

		this.zoom = d3
			.zoom()
			// The wheel alone scrolls, and Shift selects a range.
			.filter(() => {
				const event = d3.event;
				return event.type === "wheel"
					? event.ctrlKey || event.metaKey
					: !event.shiftKey && !event.button;
			})
			.on("zoom", () => this.zoomed());
		this.canvas.call(this.zoom).on("dblclick.zoom", null);
		scroller.addEventListener("scroll", () => this.redraw());
		scroller.addEventListener(
			"wheel",
			event => {
				const side = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
				if (
					event.ctrlKey ||
					event.metaKey ||
					Math.abs(side) <= (event.shiftKey ? 0 : Math.abs(event.deltaY))
				)
					return;
				event.preventDefault();
				this.move(-side);
			},
			{ passive: false },
		);

		this.brush = d3
			.brushX()
			.on("brush", () => {
				if (this.dragged() && d3.event.selection)
					this.show(...d3.event.selection.map(x => this.base.invert(x)), false);
			})
			.on("end", () => {
				if (this.dragged() && !d3.event.selection) this.follow();
			});
	}

	// Whether the overview's window was moved with the mouse.
	dragged() {
		const source = d3.event.sourceEvent;
		return source && source.type !== "zoom";
	}

	// Called when the size of the window or of the panel has changed.
	resize() {
		const domain = this.width ? this.painter.x.domain() : this.base.domain();
		const { clientWidth: width, clientHeight: height } = this.scroller;
		this.width = width - LABELS;
		this.painter.resize(width, height);
		this.base.range([LABELS, width]);
		this.zoom
			.extent([
				[LABELS, 0],
				[width, height],
			])
			.scaleExtent([1, Math.max(1, this.trace.length / CLOSEST)])
			.translateExtent([
				[LABELS, 0],
				[width, height],
			]);
		document.getElementById("spacer").style.height = `${Math.max(0, this.painter.height - height)}px`;
		const box = this.overview.getBoundingClientRect();
		drawOverview(
			this.overview.querySelector("canvas"),
			this.trace,
			this.painter.colors,
			box.width,
			box.height,
		);
		this.brush.extent([
			[LABELS, 2],
			[width, box.height - 1],
		]);
		d3.select(this.overview).select("svg").call(this.brush);
		this.show(...domain, false);
	}

	zoomed() {
		this.painter.x.domain(d3.event.transform.rescaleX(this.base).domain());
		const source = d3.event.sourceEvent;
		if (!source || source.type !== "brush") this.follow();
		this.redraw();
		this.onMove();
	}

	// Moves the overview's window.
	follow() {
		const window = this.painter.x.domain().map(time => this.base(time));
		// Wide enough to be seen and caught.
		if (window[1] - window[0] < 4) window[1] = window[0] + 4;
		d3.select(this.overview).select("svg").call(this.brush.move, window);
	}

	redraw() {
		if (this.frame) return;
		this.frame = requestAnimationFrame(() => {
			this.frame = 0;
			this.painter.draw(this.scroller.scrollTop);
		});
	}

	// Shows a part of the trace.
	show(from, to, smoothly = true) {
		let length = Math.max(to - from, CLOSEST);
		length = Math.min(length, this.trace.length);
		from = Math.max(0, Math.min(from, this.trace.length - length));
		const scale = this.trace.length / length;
		const transform = d3.zoomIdentity.translate(LABELS - scale * this.base(from), 0).scale(scale);
		if (smoothly) this.canvas.transition().duration(200).call(this.zoom.transform, transform);
		else this.canvas.interrupt().call(this.zoom.transform, transform);
	}

	// Shows a time range with some of its surroundings.
	showAround(from, to, share = 0.8) {
		const room = ((to - from || this.trace.length / 1e5) * (1 / share - 1)) / 2;
		this.show(from - room, to + room);
	}

	// Moves an item into view, without zooming if it fits.
	reveal(item) {
		const [from, to] = this.painter.x.domain(),
			length = to - from;
		const start = this.trace.start[item],
			end = this.trace.end[item];
		if (end - start > length) this.showAround(start, end);
		else if (start < from + length * 0.02 || end > to - length * 0.02)
			this.show((start + end - length) / 2, (start + end + length) / 2);
		const track = this.trace.track(item);
		if (this.painter.closed.delete(track.group)) this.changed();
		const place = this.painter.placeOf(item);
		let y = place.y + PADDING;
		if (!(this.trace.flags[item] & INSTANT))
			y += (track.instants ? MARKS : 0) + this.trace.depth[item] * ROW;
		const top = this.scroller.scrollTop + RULER,
			height = this.scroller.clientHeight - RULER;
		if (y < top || y + 2 * ROW > top + height) this.scroller.scrollTop = y - RULER - height / 3;
	}

	// Called when a group has been opened or closed.
	changed() {
		this.painter.layOut();
		this.resize();
	}

	scaleBy(factor) {
		this.canvas.interrupt().call(this.zoom.scaleBy, factor, [this.pointer, 0]);
	}

	move(pixels) {
		const { k } = d3.zoomTransform(this.painter.canvas);
		this.canvas.interrupt().call(this.zoom.translateBy, pixels / k, 0);
	}

	// While keys are held, each frame moves a bit further.
	hold(key) {
		const idle = this.keys.size === 0;
		this.keys.add(key);
		if (!idle) return;
		let before = performance.now();
		// A short press does something, too.
		this.step(1 / 30);
		const next = now => {
			if (!this.keys.size) return;
			this.step(Math.min(0.1, Math.max(0, now - before) / 1000));
			before = now;
			requestAnimationFrame(next);
		};
		requestAnimationFrame(next);
	}

	step(seconds) {
		const zoom = this.keys.has("w") - this.keys.has("s");
		const side = this.keys.has("a") - this.keys.has("d");
		if (zoom) this.scaleBy(Math.exp(zoom * 4 * seconds));
		if (side) this.move(side * this.width * seconds);
	}

	release(key) {
		this.keys.delete(key);
	}
}
