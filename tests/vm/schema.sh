#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What tools/schema says of modules is what the kernel says, and what it generates works:
# the header for C, and the crate that decodes records.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing

formats() {
	load trace_events_sample trace_spans_sample safe_values types event_values event_fields event_ports
	tests/vm/schema.py "$modules/schema.json" 95
	# What a span shows before the driver's template.
	fails grep __phase "$modules/schema.json"
}
check "schema: fields and print formats are the kernel's" formats

# c_values.c includes the generated header.
c_probe() {
	clear_log
	load c_values
	echo c >/proc/safe-values
	logged 1 'c_values: text "rust" len 3 sum 12 number 9 maybe none op write flag 1'
	logged 1 'c_values: text "" len 0 sum 0 number 9 maybe some op read flag 0'
	load c_null
	logged 1 'c_values: text "text" len 2 sum 3 number 7 maybe maybe op read flag 1'
	logged 1 'c_values: text "(null)" len 0 sum 0 number 7 maybe none op write flag 0'
	logged 1 'c_values: text "length" len 0 sum 0 number 7 maybe none op write flag 0'
	logged 1 'c_values: text "empty" len 0 sum 0 number 7 maybe  op write flag 0'
	logged 1 'c_values: text "two" len 1 sum 1 number 7 maybe maybe op read flag 2'
	# Rust is called for none of these.
	logged 1 'c_values: text "object" len 2 sum 3 number 0 maybe maybe op read flag 1'
	logged 2 'c_values: text "variant" len 2 sum 3 number 7 maybe maybe op unknown flag 1'
	fails in_log 'safe_values: "object"'
	fails in_log 'safe_values: "variant"'
	rmmod c_null c_values
}
check "schema: a probe in C gets slices, strings, NULL and enums" c_probe

# raw: prints what is in the trace buffers.
raw() {
	python3 -c 'import glob, os, sys
for path in glob.glob("/sys/kernel/tracing/per_cpu/cpu*/trace_pipe_raw"):
	fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
	try:
		while page := os.read(fd, 4096):
			sys.stdout.buffer.write(page.ljust(4096, b"\0"))
	except BlockingIOError:
		pass'
}

crate() {
	ids=
	for event in safe_values/safe_c sample-trace/foo_bar sample-trace/foo_rel_loc \
		sample-trace/foo_with_template_simple; do
		ids="$ids ${event#*/}=$(cat $tracing/events/$event/id)"
		echo 1 >$tracing/events/$event/enable
	done
	load c_null
	await grep -q foo_with_template_simple $tracing/trace
	echo 0 >$tracing/events/enable
	rmmod c_null
	raw >"$tmp/pages"
	"$modules/records" $ids <"$tmp/pages" >"$tmp/records"
	cat "$tmp/records"
	grep -qxF 'Some(SafeC { text: "text", list: [1, 2], n: 7, maybe: "maybe", op: Op(1), flag: true })' "$tmp/records"
	grep -qxF 'Some(SafeC { text: "(null)", list: [], n: 7, maybe: "(null)", op: Op(2), flag: false })' "$tmp/records"
	grep -q '^Some(FooBar { foo: "hello", bar: [0-9]*, list: \[.*\], str: ".*", cpus: \[[0-9]*\], ' "$tmp/records"
	grep -q '^Some(FooRelLoc { foo: "Hello __rel_loc", bar: [0-9]*, bitmask: \[' "$tmp/records"
	grep -q '^Some(FooTemplate { foo: "HELLO", bar: [0-9]* })$' "$tmp/records"
	fails grep None "$tmp/records"
}
if [ -x "$modules/records" ]; then
	check "schema: the generated crate decodes records" crate
else
	ok "schema: the generated crate decodes records # SKIP the machine has another architecture than the compiler"
fi
check "schema: unload" rmmod trace_events_sample trace_spans_sample safe_values types event_values event_fields event_ports
