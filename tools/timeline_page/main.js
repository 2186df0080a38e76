// SPDX-License-Identifier: GPL-2.0
//
// Starts the page and connects its parts.

class Timeline {
	constructor() {
		const block = document.getElementById("data");
		this.trace = new Trace(JSON.parse(block.textContent));
		block.remove();
		this.scroller = document.getElementById("scroller");
		this.canvas = document.getElementById("tracks");
		this.painter = new Painter(this.trace, this.canvas);
		this.panel = new Panel(this.trace, this.painter, {
			select: item => this.select(item, true),
			search: query => this.search(query),
		});
		this.view = new View(this.trace, this.painter, this.scroller, document.getElementById("overview"));
		this.view.onMove = () => this.panel.showTooltip(-1);
		this.found = [];
		this.match = -1;
		this.head();
		this.useTheme(matchMedia("(prefers-color-scheme: dark)").matches);
		this.view.resize();
		this.panel.showDetails(-1);
		this.panel.open("statistics");
		this.listen();
		this.painter.draw(0);
	}

	head() {
		const { raw } = this.trace;
		document.title = `${raw.title} – timeline`;
		document.getElementById("title").textContent = raw.title;
		document.getElementById("summary").textContent =
			`${number(raw.records)} events in ${duration(this.trace.length)}`;
		const warnings = [];
		if (raw.lost) warnings.push(`the kernel dropped ${number(raw.lost)} events`);
		if (raw.unknown) warnings.push(`${number(raw.unknown)} ends have no begin and no duration`);
		document.getElementById("warning").textContent = warnings.join("; ");
	}

	useTheme(dark) {
		this.dark = dark;
		document.documentElement.classList.toggle("dark", dark);
		this.painter.colors.use(dark);
	}

	listen() {
		const on = (id, type, action) => document.getElementById(id).addEventListener(type, action);
		const sizes = new ResizeObserver(() => this.view.resize());
		sizes.observe(this.scroller);
		// The size of the screen's pixels changes with the browser's zoom.
		sizes.observe(this.canvas, { box: "device-pixel-content-box" });
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", event =>
			this.changeTheme(event.matches),
		);
		on("theme", "click", () => this.changeTheme(!this.dark));
		on("zoom-in", "click", () => this.zoomMiddle(1.6));
		on("zoom-out", "click", () => this.zoomMiddle(1 / 1.6));
		on("fit", "click", () => this.view.show(0, this.trace.length));
		on("help-button", "click", () => document.getElementById("help").showModal());
		on("next", "click", () => this.nextMatch(1));
		on("previous", "click", () => this.nextMatch(-1));
		on("search", "input", event => {
			clearTimeout(this.typing);
			this.typing = setTimeout(() => this.find(event.target.value), 120);
		});
		on("search", "keydown", event => this.searchKey(event));
		on("grip", "pointerdown", event => this.resizePanel(event));
		this.canvas.addEventListener("mousemove", event => this.hover(event));
		this.canvas.addEventListener("mouseleave", () => this.hover(null));
		this.canvas.addEventListener("click", event => this.click(event));
		this.canvas.addEventListener("dblclick", () => this.zoomToSelection());
		this.canvas.addEventListener("mousedown", event => event.shiftKey && this.selectRange(event));
		addEventListener("keydown", event => this.key(event));
		addEventListener("keyup", event => this.view.release(event.key.toLowerCase()));
		addEventListener("blur", () => this.view.keys.clear());
	}

	changeTheme(dark) {
		this.useTheme(dark);
		this.view.resize();
		this.panel.showDetails(this.painter.selected);
		this.panel.open(this.panel.tab);
	}

	zoomMiddle(factor) {
		this.view.pointer = LABELS + this.view.width / 2;
		this.view.scaleBy(factor);
	}

	under(event) {
		const box = this.canvas.getBoundingClientRect();
		return this.painter.find(event.clientX - box.left, event.clientY - box.top, this.scroller.scrollTop);
	}

	hover(event) {
		const under = event ? this.under(event) : {};
		const item = under.item ?? -1;
		if (event) this.view.pointer = Math.max(LABELS, event.clientX);
		if (item !== this.painter.hovered || under.counter || this.painter.hoveredCounter) {
			this.painter.hovered = item;
			this.painter.hoveredCounter = under.counter;
			this.painter.hoveredTime = under.time;
			this.view.redraw();
		}
		this.canvas.style.cursor = item >= 0 || under.head !== undefined ? "pointer" : "default";
		this.canvas.title = under.label ? under.label.name : "";
		const dragging = event && event.buttons;
		const counter = under.counter ? { track: under.counter, time: under.time } : null;
		if (dragging) this.panel.showTooltip(-1);
		else this.panel.showTooltip(item, counter, event && event.clientX, event && event.clientY);
	}

	click(event) {
		if (event.shiftKey) return;
		const { head, item } = this.under(event);
		if (head !== undefined) {
			if (!this.painter.closed.delete(head)) this.painter.closed.add(head);
			this.view.changed();
			return;
		}
		this.setRange(null);
		this.select(item ?? -1, false);
	}

	select(item, reveal) {
		this.painter.selected = item;
		this.panel.showDetails(item);
		this.zoomedTo = -1;
		if (item >= 0) {
			this.panel.open("details");
			if (reveal) this.view.reveal(item);
		}
		this.view.redraw();
	}

	// To the selection, then to what contains it.
	zoomToSelection() {
		const { trace } = this;
		let item = this.painter.selected;
		if (item < 0) return;
		if (this.zoomedTo >= 0) item = trace.parent(this.zoomedTo);
		if (item < 0) {
			this.zoomedTo = -1;
			this.view.show(0, trace.length);
			return;
		}
		this.zoomedTo = item;
		this.view.showAround(trace.start[item], trace.end[item]);
	}

	selectRange(down) {
		const box = this.canvas.getBoundingClientRect();
		const time = event => {
			const at = this.painter.x.invert(Math.max(LABELS, event.clientX - box.left));
			return Math.max(0, Math.min(this.trace.length, at));
		};
		const from = time(down);
		const move = event => {
			const range = [from, time(event)].sort((a, b) => a - b);
			this.painter.range = range;
			this.view.redraw();
			document.getElementById("range").textContent = `range of ${duration(range[1] - range[0])}`;
		};
		const up = () => {
			removeEventListener("mousemove", move);
			this.setRange(this.painter.range);
			if (this.painter.range) this.panel.open("statistics");
		};
		addEventListener("mousemove", move);
		addEventListener("mouseup", up, { once: true });
		down.preventDefault();
	}

	setRange(range) {
		if (!range && !this.painter.range) return;
		this.painter.range = range;
		this.panel.setRange(range);
		this.view.redraw();
	}

	search(query) {
		const input = document.getElementById("search");
		input.value = query;
		this.find(query);
		this.nextMatch(1);
	}

	find(query) {
		clearTimeout(this.typing);
		this.query = query;
		this.found = this.trace.search(query);
		this.match = -1;
		this.showMatch();
		this.view.redraw();
	}

	showMatch() {
		const searched = this.trace.matched;
		const count = number(this.found.length);
		document.getElementById("search").classList.toggle("none", Boolean(searched && !this.found.length));
		document.getElementById("found").textContent = !searched
			? ""
			: this.match < 0
				? count
				: `${number(this.match + 1)} of ${count}`;
	}

	// Goes to the next match. If none is selected yet, starts at the visible range.
	nextMatch(step) {
		if (!this.found.length) return;
		if (this.match < 0) {
			const from = this.painter.x.domain()[0];
			const first = this.found.findIndex(item => this.trace.start[item] >= from);
			this.match = step > 0 ? Math.max(first, 0) : (first <= 0 ? this.found.length : first) - 1;
		} else {
			this.match = (this.match + step + this.found.length) % this.found.length;
		}
		this.showMatch();
		this.select(this.found[this.match], true);
	}

	searchKey(event) {
		event.stopPropagation();
		if (event.key === "Enter") {
			if (this.query !== event.target.value) this.find(event.target.value);
			this.nextMatch(event.shiftKey ? -1 : 1);
		} else if (event.key === "Escape") {
			event.target.value = "";
			this.find("");
			event.target.blur();
		}
	}

	key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const go = item => item >= 0 && this.select(item, true);
		const { trace, view } = this,
			{ selected } = this.painter;
		const actions = {
			f: () => this.zoomToSelection(),
			0: () => view.show(0, trace.length),
			Home: () => view.show(0, trace.length),
			"/": () => document.getElementById("search").select(),
			"?": () => document.getElementById("help").showModal(),
			Escape: () => {
				this.setRange(null);
				this.select(-1, false);
				document.getElementById("search").value = "";
				this.find("");
			},
			ArrowLeft: () => (selected >= 0 ? go(trace.neighbour(selected, -1)) : view.move(view.width / 10)),
			ArrowRight: () =>
				selected >= 0 ? go(trace.neighbour(selected, 1)) : view.move(-view.width / 10),
			ArrowUp: () => selected >= 0 && go(trace.parent(selected)),
			ArrowDown: () => selected >= 0 && go(trace.parts(selected)[0] ?? -1),
			"[": () => this.sameName(-1),
			"]": () => this.sameName(1),
		};
		if ("wsad".includes(key)) view.hold(key);
		else if (actions[key]) actions[key]();
		else return;
		event.preventDefault();
	}

	sameName(step) {
		const { trace } = this,
			{ selected } = this.painter;
		if (selected < 0) return;
		const same = [];
		for (let i = 0; i < trace.count; i++) if (trace.nameOf[i] === trace.nameOf[selected]) same.push(i);
		same.sort((a, b) => trace.start[a] - trace.start[b]);
		const at = same.indexOf(selected) + step;
		if (at >= 0 && at < same.length) this.select(same[at], true);
	}

	resizePanel(down) {
		const panel = document.getElementById("panel");
		const height = panel.offsetHeight;
		const move = event => {
			panel.style.height = `${Math.max(32, Math.min(innerHeight - 180, height + down.clientY - event.clientY))}px`;
		};
		addEventListener("pointermove", move);
		addEventListener("pointerup", () => removeEventListener("pointermove", move), { once: true });
		down.preventDefault();
	}
}

const timeline = new Timeline();
performance.mark("timeline-drawn");
