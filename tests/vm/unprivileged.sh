#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Unprivileged users have no access and get the right errors.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing

nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all --inh-caps -all "$@"
}

# Opening the sample's file fails with EPERM for everybody; nobody may write to it.
sample() {
	load tracepoint_sample tracepoint_probe_sample
	fails nobody cat /proc/tracepoint-sample 2>"$tmp/said"
	grep ': Operation not permitted$' "$tmp/said"
	fails nobody sh -c 'echo >/proc/tracepoint-sample' 2>"$tmp/said"
	grep 'Permission denied$' "$tmp/said"
	# Only the open that the file mode allows fires the tracepoint.
	logged 1 "tracepoint_probe_sample: Event is encountered with filename tracepoint-sample"
	rmmod tracepoint_sample tracepoint_probe_sample
}
check "unprivileged: the sample's file" sample

# Even if the administrator opens the directory to everybody.
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
check "unprivileged: the events' files, and perf" files

# traces EVENT: whether nobody can have perf record the event in a task of its own.
traces() {
	nobody python3 - "$(cat $tracing/events/event-perf/$1/id)" <<-'END'
	import ctypes, os, struct, sys
	number = 298 if os.uname().machine == "x86_64" else 241
	# PERF_TYPE_TRACEPOINT, every event, PERF_SAMPLE_RAW.
	attr = struct.pack("IIQQQ", 2, 128, int(sys.argv[1]), 1, 0x400).ljust(128, b"\0")
	sys.exit(ctypes.CDLL(None).syscall(number, attr, 0, -1, -1, 0) < 0)
	END
}
cap_any() {
	paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
	echo 1 >/proc/sys/kernel/perf_event_paranoid
	load event_perf
	traces perf_two
	fails traces perf_one
	await rmmod event_perf
	echo $paranoid >/proc/sys/kernel/perf_event_paranoid
}
check "unprivileged: perf records an event with the flag CAP_ANY" cap_any

modules() {
	fails nobody insmod "$modules/tracepoint_sample.ko"
	fails nobody rmmod event_fields
	rmmod event_fields trace_events_sample trace_custom_sched
}
check "unprivileged: modules" modules
