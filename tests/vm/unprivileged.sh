#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Who is not root gets at nothing, and is told so.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing

nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all --inh-caps -all "$@"
}

# Of the sample's file, everybody is told the same; writing is for nobody.
sample() {
	load tracepoint_sample tracepoint_probe_sample
	fails nobody cat /proc/tracepoint-sample 2>"$tmp/said"
	grep ': Operation not permitted$' "$tmp/said"
	fails nobody sh -c 'echo >/proc/tracepoint-sample' 2>"$tmp/said"
	grep 'Permission denied$' "$tmp/said"
	# The open that was not refused for the mode has fired it.
	logged 1 "tracepoint_probe_sample: Event is encountered with filename tracepoint-sample"
	rmmod tracepoint_sample tracepoint_probe_sample
}
check "unprivileged: the sample's file" sample

# Even where the administrator lets everybody into the directory.
files() {
	load event_fields trace_events_sample trace_custom_sched
	mode=$(stat -c %a $tracing)
	chmod 755 $tracing
	files=$(find $tracing/events/event_fields $tracing/events/sample-trace $tracing/events/custom -type f)
	[ "$(echo "$files" | wc -l)" -gt 50 ]
	nobody tests/vm/unprivileged.py "$(cat $tracing/events/event_fields/f_begin/id)" \
		$files /proc/event-fields
	chmod "$mode" $tracing
}
check "unprivileged: the files of events, and perf" files

modules() {
	fails nobody insmod "$modules/tracepoint_sample.ko"
	fails nobody rmmod event_fields
	rmmod event_fields trace_events_sample trace_custom_sched
}
check "unprivileged: modules" modules
