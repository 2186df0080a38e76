#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Takes a CPU offline and online while events are fired, perf attaches, probes come and
# go, and modules are loaded. No event may be lost. ROUNDS sets the number of rounds.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
events=$tracing/events/event_fields

# until_stop COMMAND...: repeats COMMAND and prints how often it ran.
until_stop() {
	n=0
	while [ ! -e "$tmp/stop" ]; do
		"$@"
		n=$((n + 1))
	done
	echo $n
}

fire_one() {
	echo "1 -4 1000000007 n1" >/proc/event-fields
}
come_and_go() {
	load "$1"
	rmmod "$1"
}
open_sample() {
	cat /proc/tracepoint-sample 2>/dev/null || :
}
listen() {
	perf stat -a -o "$tmp/stat" -e event_fields:f_begin true
}

clean_up() {
	touch "$tmp/stop"
	wait
	echo '!hist:keys=name' >$events/f_begin/trigger
	rmmod $(loaded)
}

hotplug() {
	load event_fields tracepoint_sample
	echo 'hist:keys=name' >$events/f_begin/trigger
	echo 1 >$events/enable
	until_stop fire_one >"$tmp/fired1" &
	firing=$!
	until_stop fire_one >"$tmp/fired2" &
	firing="$firing $!"
	others=
	for what in open_sample listen "come_and_go tracepoint_probe_sample" \
		"come_and_go trace_events_sample" "come_and_go tracepoint_probe_sample2"; do
		until_stop $what >/dev/null &
		others="$others $!"
	done
	for times in $(seq "$1"); do
		echo 0 >$cpu1
		echo 1 >$cpu1
	done
	touch "$tmp/stop"
	for job in $firing $others; do
		wait "$job"
	done
	cat $events/f_begin/hist
	fired=$(($(cat "$tmp/fired1") + $(cat "$tmp/fired2")))
	[ "$fired" -gt 0 ]
	grep "^{ name: n1 .* hitcount: *$fired\$" $events/f_begin/hist
	cat $tracing/trace >/dev/null
	echo 0 >$events/enable
	echo '!hist:keys=name' >$events/f_begin/trigger
	echo >$tracing/trace
	rmmod event_fields tracepoint_sample
}

check_with "hotplug histograms" "hotplug: a CPU goes offline and online under load" hotplug "${ROUNDS:-10}"
