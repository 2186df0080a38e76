#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# tools/timeline reads the same from the file trace, with and without the option
# "fields", and from a trace.dat.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing

recorded() {
	[ "$(grep -c ': foo_bar: ' $tracing/trace)" -gt 2 ] && [ "$(grep -c ': sched_switch: ' $tracing/trace)" -gt 300 ]
}

record() {
	load trace_events_sample
	echo 4096 >$tracing/buffer_size_kb
	echo 1 >$tracing/events/sample-trace/enable
	echo 1 >$tracing/events/sched/sched_switch/enable
	await recorded
	echo 0 >$tracing/tracing_on
	cat $tracing/trace >"$tmp/text"
	echo 1 >$tracing/options/fields
	cat $tracing/trace >"$tmp/fields"
	echo 0 >$tracing/options/fields
	cd "$tmp"
	trace-cmd extract -o dat
}

clean_up() {
	echo 0 >$tracing/options/fields
}

check "timeline: record a trace" record
tests/vm/timeline.py "$tmp"
echo 0 >$tracing/events/enable
echo 1 >$tracing/tracing_on
echo 1408 >$tracing/buffer_size_kb
check "timeline: unload" rmmod trace_events_sample
