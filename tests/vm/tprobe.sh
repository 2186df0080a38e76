#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What ftrace does with a tracepoint that has no event: an event on it that is
# made at run time.

set -eu
. "${0%/*}/lib.sh"

t=/sys/kernel/tracing

# fired TIMES: the trace has so many events.
fired() {
	n=$(grep -c 'opened: (__probestub_subsys_event' $t/trace) || :
	[ "$n" = "$1" ] || {
		cat $t/trace
		return 1
	}
}

on_loaded() {
	load tracepoint_sample
	echo 't:sample/opened subsys_event' >>$t/dynamic_events
	fire
	fired 0
	echo 1 >$t/events/sample/opened/enable
	fire
	fire
	fired 2
	echo 0 >$t/events/sample/opened/enable
	fire
	fired 2
}
check "tprobe: on a tracepoint of a module" on_loaded

beside() {
	clear_log
	load tracepoint_probe_sample
	echo 1 >$t/events/sample/opened/enable
	echo >$t/trace
	fire
	fired 1
	logged 1 "tracepoint_probe_sample: Event is encountered with filename tracepoint-sample"
	rmmod tracepoint_probe_sample
	fire
	fired 2
}
check "tprobe: beside a probe in Rust" beside

unloaded() {
	rmmod tracepoint_sample
	load tracepoint_sample
	echo >$t/trace
	fire
	echo 0 >$t/events/sample/opened/enable
	cat $t/dynamic_events
	echo >$t/dynamic_events
	rmmod tracepoint_sample
}
check "tprobe: the module goes and comes" unloaded
