#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tracepoint events (t:) that are created at run time on a tracepoint without an
# event.

set -eu
. "${0%/*}/lib.sh"

t=/sys/kernel/tracing

# fired TIMES: checks that the trace has TIMES events.
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
check "tprobe: side by side with a probe in Rust" beside

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
check "tprobe: the module is reloaded" unloaded
