#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tracepoints that C defines: those that the headers declare can be probed, and those
# that are exported can be fired.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
events="power/cpu_frequency power/cpu_idle printk/console c_export/c_exported"

# set_events VALUE
set_events() {
	for event in $events; do
		echo "$1" >$tracing/events/$event/enable || return
	done
}

loads() {
	clear_log
	load c_export kernel_points
}
check "kernel_points: loads" loads

# Only the probes of this module get it.
disabled() {
	clear_log
	echo >$tracing/trace
	echo 4321 >/proc/kernel-points
	logged 1 "kernel_points: fired 4321"
	fails grep -E '4321|from Rust' $tracing/trace
}
check "kernel_points: fires what only a Rust probe is attached to" disabled

enabled() {
	set_events 1
	echo 4322 >/proc/kernel-points
	set_events 0
	cp $tracing/trace "$tmp/trace"
	cat "$tmp/trace"
	grep -q ' cpu_frequency: state=4322 cpu_id=0$' "$tmp/trace"
	grep -q ' cpu_idle: state=4322 cpu_id=1$' "$tmp/trace"
	grep -q ' console: from Rust$' "$tmp/trace"
	grep -q ' c_exported: direct 0 -1$' "$tmp/trace"
	grep -Eq ' c_exported: some 4322 [0-9]+$' "$tmp/trace"
}
check "kernel_points: C's events record what Rust fires" enabled

# Several probes: the static call is the iterator.
several() {
	clear_log
	echo 1 >$tracing/events/c_export/c_exported/enable
	perf record -q -o "$tmp/perf.data" -e c_export:c_exported -e power:cpu_frequency -- \
		sh -c 'echo 4323 >/proc/kernel-points'
	echo 0 >$tracing/events/c_export/c_exported/enable
	perf script -i "$tmp/perf.data" >"$tmp/script"
	cat "$tmp/script"
	grep -Eq 'c_export:c_exported: some 4323 [0-9]+$' "$tmp/script"
	grep -Eq 'power:cpu_frequency: state=4323 cpu_id=0$' "$tmp/script"
	grep -Eq ' c_exported: some 4323 [0-9]+$' $tracing/trace
	logged 1 "kernel_points: fired 4323"
}
check "kernel_points: perf and a trace buffer record it together" several

# both NAME NUMBER...: records the C event and its translation with each number.
both() {
	local events="c_export/$1 kernel-points/rs_$1"
	shift
	for event in $events; do
		echo 1 >$tracing/events/$event/enable
	done
	echo >$tracing/trace
	for n; do
		echo $n >/proc/kernel-points
	done
	for event in $events; do
		echo 0 >$tracing/events/$event/enable
	done
	cat $tracing/trace
}

# The kernel extends a negative number to an unsigned long and shows what has no name.
signed() {
	both c_signed 0 3 7 32768 65535 2147483647 2147483648 4294967291 4294967295
	sed -n 's/.* c_signed: //p' $tracing/trace >"$tmp/c"
	sed -n 's/.* rs_c_signed: //p' $tracing/trace | diff "$tmp/c" -
	[ "$(wc -l <"$tmp/c")" = 9 ]
	grep -qx 'mode=R|W|0xfffffffffffffff8 state=0xfffffffffffffffb' "$tmp/c"
	grep -qx 'mode=0x8000 state=0xffffffffffff8000' "$tmp/c"
	grep -qx 'mode=R|W|0xfffc state=NONE' "$tmp/c"
}
check "kernel_points: flags and names of negative numbers are C's" signed

dump() {
	both c_dump 0 1 7 13 199
	sed 's/.* \(rs_\)\{0,1\}c_dump: /EVENT \1 /' $tracing/trace | awk -v dir="$tmp" '
		/^#/ { next }
		/^EVENT/ { file = dir (/^EVENT rs_/ ? "/rust" : "/c"); sub(/^EVENT (rs_)? /, "") }
		{ print > file }'
	[ "$(wc -l <"$tmp/c")" = 45 ]
	diff "$tmp/c" "$tmp/rust"
	grep -q '^c: 00000020: [0-9a-f]* [0-9a-f]*$' "$tmp/c"
}
check "kernel_points: hex dumps and arrays with C's arguments are C's" dump

translated() {
	"$top/tools/event-from-format" --prefix rs_ $tracing/events/c_export/c_signed/format \
		$tracing/events/c_export/c_dump/format |
		sed '/^trace_event! {/,$!d; s/system: "c_export"/system: "kernel-points"/' >"$tmp/translated"
	cat "$tmp/translated"
	sed -n '/^trace_event! {/,/^}/p' "$top/tests/modules/kernel_points.rs" >"$tmp/expected"
	diff "$tmp/expected" "$tmp/translated"
}
check "kernel_points: tools/event-from-format translates them so" translated

pinned() {
	fails rmmod c_export
}
check "kernel_points: a module that fires another's tracepoint pins it" pinned

unloads() {
	clear_log
	sleep 1
	rmmod kernel_points c_export
	logged 1 "kernel_points: switches true interrupts true timers true checks true system calls true"
}
check "kernel_points: the probes from the headers were called" unloads
