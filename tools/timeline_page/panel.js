// SPDX-License-Identifier: GPL-2.0
//
// The tooltip, and the panel below the tracks: the selected item, and statistics. What
// comes from the trace is only ever set as text.

// element("td.bad", "text") or element("p", child, child)
function element(what, ...children) {
	const [tag, ...classes] = what.split(".");
	const made = document.createElement(tag);
	made.className = classes.join(" ");
	made.append(...children.filter(child => child !== null && child !== undefined));
	return made;
}

class Panel {
	constructor(trace, painter, actions) {
		this.trace = trace;
		this.painter = painter;
		this.actions = actions;
		this.sort = { column: "total", ascending: false };
		this.range = [0, trace.length];
		for (const button of document.querySelectorAll("#panel nav button"))
			button.addEventListener("click", () => this.open(button.dataset.tab));
	}

	open(tab) {
		this.tab = tab;
		for (const button of document.querySelectorAll("#panel nav button"))
			button.setAttribute("aria-selected", button.dataset.tab === tab);
		for (const name of ["details", "statistics"]) document.getElementById(name).hidden = name !== tab;
		if (tab === "statistics") this.showStatistics();
	}

	swatch(name) {
		const made = element("span.swatch");
		made.style.background = this.painter.colors.get(name).strong;
		return made;
	}

	badges(item) {
		const flags = this.trace.flags[item],
			result = this.trace.result(item),
			made = [];
		if (result !== null) made.push(element(`span.badge.${flags & FAILED ? "bad" : "good"}`, result));
		if (flags & UNFINISHED) made.push(element("span.badge.warn", "unfinished"));
		if (flags & NO_BEGIN) made.push(element("span.badge.warn", "began earlier"));
		return made;
	}

	// Rows of a name and a value, which may be an element.
	table(rows) {
		const made = element("table.fields");
		for (const [name, value] of rows)
			if (value !== null && value !== undefined && value !== "")
				made.append(
					element(
						"tr",
						element("td", name),
						element("td", value instanceof Node ? value : String(value)),
					),
				);
		return made;
	}

	heading(item) {
		const name = this.trace.name(item);
		return element("p.name", this.swatch(name), element("span", name), ...this.badges(item));
	}

	lengthOf(item) {
		const trace = this.trace,
			flags = trace.flags[item];
		if (flags & INSTANT) return null;
		if (flags & UNFINISHED) return `at least ${duration(trace.duration(item))}`;
		return duration(trace.duration(item));
	}

	showTooltip(item, counter, x, y) {
		const tooltip = document.getElementById("tooltip");
		tooltip.hidden = item < 0 && !counter;
		if (tooltip.hidden) return;
		const trace = this.trace;
		if (item < 0) {
			const at = d3.bisectRight(counter.track.times, counter.time) - 1;
			tooltip.hidden = at < 0;
			if (tooltip.hidden) return;
			tooltip.replaceChildren(
				element("p.name", counter.track.name),
				this.table([
					["value", counter.track.texts[at]],
					["since", exactTime(counter.track.times[at])],
				]),
			);
		} else {
			const text = trace.string("text", item);
			tooltip.replaceChildren(
				this.heading(item),
				this.table([
					["duration", this.lengthOf(item)],
					["start", exactTime(trace.start[item])],
					["event", trace.string("event", item)],
					["task", trace.string("task", item)],
					...trace.fields(item),
				]),
			);
			if (text && !trace.fields(item).length) tooltip.append(element("p.text", text));
		}
		const box = tooltip.getBoundingClientRect();
		const left = x + 16 + box.width > innerWidth ? x - 12 - box.width : x + 16;
		const top = Math.min(y + 14, innerHeight - box.height - 8);
		tooltip.style.left = `${Math.max(4, left)}px`;
		tooltip.style.top = `${Math.max(4, top)}px`;
	}

	link(text, title, action) {
		const made = element("a", text);
		made.title = title;
		made.addEventListener("click", action);
		return made;
	}

	showDetails(item) {
		const details = document.getElementById("details");
		details.className = item < 0 ? "empty" : "";
		if (item < 0) {
			details.replaceChildren("Click on a slice or an instant. Press ? for the keys.");
			return;
		}
		const trace = this.trace,
			columns = trace.raw.columns,
			flags = trace.flags[item];
		const slice = !(flags & INSTANT);
		const parent = trace.parent(item);
		const parts = trace.parts(item);
		const measured = columns.duration[item] >= 0;
		const inside = d3.sum(parts, part => trace.end[part] - trace.start[part]);
		const facts = this.table([
			["duration", this.lengthOf(item)],
			["measured by", slice && measured ? "the driver" : null],
			[
				"of which its own",
				slice && parts.length ? duration(trace.end[item] - trace.start[item] - inside) : null,
			],
			["parts", parts.length || null],
			["start", exactTime(trace.start[item])],
			["end", slice && !(flags & UNFINISHED) ? exactTime(trace.end[item]) : null],
			["trace's clock", `${clockTime(trace, trace.start[item])}\u202fs`],
			[
				"part of",
				parent < 0
					? null
					: this.link(trace.name(parent), "Select it", () => this.actions.select(parent)),
			],
		]);
		const fields = trace
			.fields(item)
			.map(([name, value]) => [
				name,
				value === null
					? null
					: this.link(String(value), "Search for this value", () =>
							this.actions.search(`${name}=${value}`),
						),
			]);
		const where = this.table([
			["event", trace.string("event", item)],
			["track", trace.track(item).name],
			["task", trace.string("task", item)],
			["CPU", columns.cpu[item]],
			...fields,
		]);
		const text = trace.string("text", item);
		const same = element("div", element("h3", "All of this name"));
		if (slice) this.distribution(same, item);
		same.append(
			element(
				"p",
				this.link("Find them", "Search for this name", () =>
					this.actions.search(`"${trace.name(item)}"`),
				),
			),
		);
		details.replaceChildren(
			element("div", this.heading(item), facts),
			element(
				"div",
				element("h3", "Fields"),
				where,
				text ? element("h3", "Text") : null,
				text ? element("p.text", text) : null,
			),
			same,
		);
	}

	// The durations of all slices of this name, and where the selected one is among them.
	distribution(parent, item) {
		const trace = this.trace;
		const same = trace
			.statistics(0, trace.length)
			.find(
				of => of.name === trace.name(item) && of.event === trace.string("event", item) && !of.instant,
			);
		if (!same || !same.durations.length) return;
		const here = trace.duration(item);
		const shorter = d3.bisectLeft(same.durations, here) / same.durations.length;
		parent.append(
			this.table([
				["count", number(same.count) + (same.failed ? `, ${number(same.failed)} failed` : "")],
				["median, maximum", `${duration(same.median)}, ${duration(same.max)}`],
				["longer than", `${d3.format(".1f")(100 * shorter)}\u202f% of them`],
			]),
		);
		if (same.durations.length > 2) parent.append(histogram(same.durations, here, 300, 84, true));
	}

	setRange(range) {
		this.range = range || [0, this.trace.length];
		document.getElementById("range").textContent = range
			? `range of ${duration(range[1] - range[0])}`
			: "";
		if (this.tab === "statistics") this.showStatistics();
	}

	showStatistics() {
		const rows = this.trace.statistics(...this.range);
		const columns = [
			["name", "name"],
			["event", "event"],
			["count", "count"],
			["failed", "failed"],
			["total", "total"],
			["mean", "mean"],
			["min", "min"],
			["median", "median"],
			["p99", "99\u202f%"],
			["max", "max"],
		];
		const { column, ascending } = this.sort;
		const value = row => {
			const of = row[column];
			return of === undefined || Number.isNaN(of) ? -1 : of;
		};
		rows.sort((a, b) => (ascending ? 1 : -1) * d3.ascending(value(a), value(b)) || b.count - a.count);
		const head = element(
			"tr",
			...columns.map(([key, title]) => {
				const made = element("th", title);
				if (key === column) made.setAttribute("aria-sort", ascending ? "ascending" : "descending");
				made.addEventListener("click", () => {
					this.sort = {
						column: key,
						ascending: key === column ? !ascending : key === "name" || key === "event",
					};
					this.showStatistics();
				});
				return made;
			}),
			element("th", "distribution"),
		);
		// No screen shows more.
		const body = element(
			"tbody",
			...rows.slice(0, 500).map(row => {
				const time = key => element("td", row.instant ? "" : duration(row[key]));
				const made = element(
					"tr",
					element("td", this.swatch(row.name), row.name),
					element("td", row.event),
					element("td", number(row.count)),
					element(row.failed ? "td.bad" : "td", row.failed ? number(row.failed) : ""),
					...["total", "mean", "min", "median", "p99", "max"].map(time),
					element(
						"td",
						row.durations && row.durations.length > 2
							? histogram(row.durations, NaN, 110, 17, false)
							: "",
					),
				);
				made.addEventListener("click", () => this.actions.search(`"${row.name}"`));
				return made;
			}),
		);
		document.getElementById("statistics").replaceChildren(element("table", element("thead", head), body));
	}
}

// A histogram of sorted durations, on a logarithmic axis.
function histogram(durations, here, width, height, withAxis) {
	const bottom = withAxis ? 16 : 0;
	const low = Math.max(durations[0], 1),
		high = Math.max(durations[durations.length - 1], low * 1.1);
	const x = d3
		.scaleLog()
		.domain([low, high])
		.range([1, width - 1]);
	const bars = Math.floor(width / (withAxis ? 6 : 4));
	const counts = new Array(bars).fill(0);
	for (const time of durations)
		counts[Math.min(bars - 1, Math.floor(((x(Math.max(time, low)) - 1) / (width - 2)) * bars))]++;
	const up = d3
		.scaleLinear()
		.domain([0, d3.max(counts)])
		.range([0, height - bottom - 2]);
	const svg = d3.create("svg").attr("width", width).attr("height", height);
	svg.selectAll("rect")
		.data(counts)
		.join("rect")
		.attr("class", (_, i) =>
			x.invert(1 + (i * (width - 2)) / bars) <= here * 1.0001 &&
			here < x.invert(1 + ((i + 1) * (width - 2)) / bars) * 1.0001
				? "here"
				: "bar",
		)
		.attr("x", (_, i) => 1 + (i * (width - 2)) / bars)
		.attr("width", (width - 2) / bars - 1)
		.attr("y", count => height - bottom - (count ? Math.max(1, up(count)) : 0))
		.attr("height", count => (count ? Math.max(1, up(count)) : 0));
	if (withAxis) {
		const line = svg.append("g").attr("class", "axis");
		line.append("line")
			.attr("x2", width)
			.attr("y1", height - bottom + 0.5)
			.attr("y2", height - bottom + 0.5);
		for (const [at, anchor] of [
			[low, "start"],
			[Math.sqrt(low * high), "middle"],
			[high, "end"],
		])
			svg.append("text")
				.attr("x", x(at))
				.attr("y", height - 3)
				.attr("text-anchor", anchor)
				.text(duration(at));
	}
	return svg.node();
}
