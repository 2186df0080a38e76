#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Unloads a module while its events are in use. Unloading is refused or succeeds, and
# records that are left behind can be read.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
events=$tracing/events/event_fields

fire_one() {
	echo "1 -4 1000000007 n1" >/proc/event-fields
}

gone() {
	[ ! -e $events ]
	[ ! -e /proc/event-fields ]
	# Read the records, which have no event any more, and check that a reload works.
	cat $tracing/trace
	echo >$tracing/trace
	load event_fields
	fire_one
	rmmod event_fields
}

enabled() {
	load event_fields
	echo 1 >$events/enable
	fire_one
	rmmod event_fields
	gone
}
check "unload: while enabled" enabled

instances() {
	load event_fields
	mkdir $tracing/instances/a $tracing/instances/b
	echo 1 >$tracing/instances/a/events/event_fields/enable
	echo 1 >$tracing/instances/b/events/event_fields/f_end/enable
	fire_one
	rmmod event_fields
	cat $tracing/instances/a/trace
	rmdir $tracing/instances/a $tracing/instances/b
	gone
}
check "unload: while enabled in instances" instances

filter() {
	load event_fields
	echo 'id == 1 && name == "n1"' >$events/f_begin/filter
	echo 1 >$events/f_begin/enable
	fire_one
	rmmod event_fields
	gone
}
check "unload: with a filter" filter

# If an event has a trigger when its module is unloaded, the trigger's probe is left
# behind and the kernel warns (kernel/tracepoint.c). This affects modules in C, too,
# so remove the triggers first.
triggers() {
	load event_fields
	echo 'hist:keys=name' >$events/f_begin/trigger
	echo 'traceoff if id == 7' >$events/f_end/trigger
	fire_one
	echo '!hist:keys=name' >$events/f_begin/trigger
	echo '!traceoff' >$events/f_end/trigger
	rmmod event_fields
	gone
}
check_with histograms "unload: after triggers" triggers

# Its tracepoint is the kernel's, and stays.
custom_trigger() {
	load trace_custom_sched
	echo 1 >$tracing/events/custom/enable
	for event in $tracing/events/custom/*/; do
		echo 'traceoff if common_pid == -7' >"$event/trigger"
	done
	rmmod trace_custom_sched
	# It's fired.
	sleep 1
	load trace_custom_sched
	echo 1 >$tracing/events/custom/enable
	rmmod trace_custom_sched
}
check "unload: with a trigger of a custom event" custom_trigger

# A notifier refuses the module after its event has been enabled. Nothing may still run its code.
refused() {
	echo ':mod:refused_load' >>$tracing/set_event
	fails load refused_load
	sleep 1
	fails grep -q '^refused_load ' /proc/modules
	fails test -e $tracing/events/refused_load
	echo '!:mod:refused_load' >>$tracing/set_event || :
}
check_with btf "unload: a module that can't be loaded" refused

# A trigger that enables another event holds a reference to that event's module. The
# reference is dropped some time after the trigger is removed.
held() {
	load event_fields
	echo 'enable_event:event_fields:f_end' >$events/f_begin/trigger
	fails rmmod event_fields
	fire_one
	echo '!enable_event:event_fields:f_end' >$events/f_begin/trigger
	await rmmod event_fields
	gone
}
check "unload: with an event that enables another" held

# perf holds a reference to the module.
perf_open() {
	load event_fields
	perf stat -a -o "$tmp/stat" -e 'event_fields:*' -- sh -c '
		echo "1 -4 1000000007 n1" >/proc/event-fields
		if rmmod event_fields 2>/dev/null; then echo unloaded; else echo refused; fi' >"$tmp/said"
	[ "$(cat "$tmp/said")" = refused ]
	rmmod event_fields
	gone
}
check "unload: while perf has it open" perf_open

# So does a BPF program.
bpf_open() {
	load event_fields
	bpftrace -e 'rawtracepoint:f_begin { @n = count(); }' -c "/bin/sh -c 'rmmod event_fields'" >"$tmp/said" 2>&1
	lsmod | grep '^event_fields'
	rmmod event_fields
	gone
}
check_with raw "unload: while a BPF program is attached" bpf_open

piped() {
	fire_one
	grep -q 'f_end: id=1' "$tmp/piped"
}

# Readers that have the files open, and one that waits in trace_pipe.
readers() {
	load event_fields
	echo 1 >$events/enable
	fire_one
	cat $tracing/trace_pipe >"$tmp/piped" &
	reader=$!
	exec 4<$events/f_begin/format 5<$events/f_begin/enable 6<$tracing/trace
	await piped
	rmmod event_fields || :
	cat <&4 >/dev/null 2>&1 || :
	cat <&5 >/dev/null 2>&1 || :
	cat <&6 >/dev/null
	exec 4<&- 5<&- 6<&-
	if [ -e /proc/event-fields ]; then
		rmmod event_fields
	fi
	kill $reader
	wait $reader || :
	gone
}
check "unload: while readers have files open" readers

# Another task fires events all the time.
busy() {
	for times in 1 2 3 4 5 6 7 8 9 10; do
		load event_fields
		(while fire_one; do :; done) 2>/dev/null &
		echo 1 >$events/enable
		await grep -q f_begin: $tracing/trace
		rmmod event_fields || rmmod event_fields
		wait
		cat $tracing/trace >/dev/null
		echo >$tracing/trace
	done
	gone
}
check "unload: while events are fired" busy

# The probe returns only after unloading has begun, and unloading waits for it. So
# does unloading of the module that fires the tracepoint.
probe_runs() {
	load tracepoint_sample slow_probe
	clear_log
	fire &
	await in_log 'slow_probe: inside'
	[ -z "$1" ] || rmmod "$1" &
	rmmod slow_probe
	logged 1 "slow_probe: outside"
	wait
	[ -n "$1" ] || rmmod tracepoint_sample
}
check "unload: while its probe runs" probe_runs ""
check "unload: while a probe runs, with its definer" probe_runs tracepoint_sample

# churn MODULE [SYSTEM]: loads and unloads MODULE with SYSTEM's events enabled. While other modules are loaded, one
# with a custom event can be in use for a moment after that.
churn() {
	for times in 1 2 3 4 5 6 7 8 9 10; do
		load "$1"
		[ -z "${2-}" ] || echo 1 >"$tracing/events/$2/enable"
		rmmod "$1" || { [ "$1" = trace_custom_sched ] && await rmmod "$1"; }
	done
}
at_once() {
	(while [ ! -e "$tmp/stop" ]; do cat /proc/tracepoint-sample || :; done) 2>/dev/null &
	churners=
	for m in tracepoint_sample tracepoint_probe_sample tracepoint_probe_sample2 \
		"trace_events_sample sample-trace" "trace_custom_sched custom"; do
		churn $m &
		churners="$churners $!"
	done
	for churner in $churners; do
		wait "$churner"
	done
	touch "$tmp/stop"
	wait
	cat $tracing/trace >/dev/null
	echo >$tracing/trace
}
check "unload: while others load and unload" at_once
