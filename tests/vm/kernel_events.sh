#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Events of the running kernel, rewritten in Rust: the fields must be identical to
# those in C.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
events=$tracing/events/event-kernel
names=$(load event_kernel && ls -d $events/k_* | sed 's|.*/k_||')

fields() {
	grep '	field:' "$tracing"/events/*/"$1/format" >"$tmp/c"
	grep '	field:' "$events/k_$1/format" | diff "$tmp/c" -
}
for name in $names; do
	check "kernel_events: the fields of $name" fields "$name"
done

fire_all() {
	echo 1 >$events/enable
	for n in 0 1 2 3 4 7 10 255 65535 4294967295 81985529216486895; do
		echo $n >/proc/event-kernel
	done
	echo 0 >$events/enable
	cat $tracing/trace >"$tmp/trace"
	cd "$tmp"
	trace-cmd extract
	trace-cmd report >report
}
check "kernel_events: fired" fire_all
tests/vm/decode.py "kernel_events: tools decode" "$tmp/trace" "$tmp/report" \
	$(cd $events && echo k_*)
# Fires the kernel's event and the custom event together. The kernel's shows which
# pointers were NULL: it prints hashes for all others.
null() {
	echo >$tracing/trace
	for event in kmem custom_kernel; do
		echo 1 >$tracing/events/$event/kfree/enable
	done
	await grep -q 'kfree: call_site=.* ptr=0*$' $tracing/trace
	for event in kmem custom_kernel; do
		echo 0 >$tracing/events/$event/kfree/enable
	done
	cp $tracing/trace "$tmp/freed"
	grep -m 1 -E 'kfree: 0x[0-9a-f]{9,}$' "$tmp/freed"
	fails grep -m 1 -E 'kfree: 0(x0)?$' "$tmp/freed"
}
check "kernel_events: a custom event with a reference skips NULL" null
# Two events of one custom class, compared with C's.
woken() {
	echo >$tracing/trace
	for event in sched custom_kernel; do
		echo 1 >$tracing/events/$event/sched_waking/enable
		echo 1 >$tracing/events/$event/sched_wakeup/enable
	done
	sleep 0.5
	echo 0 >$tracing/tracing_on
	for event in sched custom_kernel; do
		echo 0 >$tracing/events/$event/sched_waking/enable
		echo 0 >$tracing/events/$event/sched_wakeup/enable
	done
	cp $tracing/trace "$tmp/woken"
	echo 1 >$tracing/tracing_on
	for text in 'sched_waking: ' 'sched_wakeup: woken '; do
		# C's events are enabled first, so they have more lines. Each CPU has its own order.
		sed -n "s/.*\(\[00[01]\]\).* ${text}pid=\([0-9]*\)$/\1 \2/p" "$tmp/woken" >"$tmp/ours"
		sed -n "s/.*\(\[00[01]\]\).* ${text%woken }comm=.* pid=\([0-9]*\) prio=.*/\1 \2/p" \
			"$tmp/woken" >"$tmp/theirs"
		[ -s "$tmp/ours" ]
		for cpu in 000 001; do
			grep -F "[$cpu]" "$tmp/ours" | tail -n 20 >"$tmp/last" || :
			grep -F "[$cpu]" "$tmp/theirs" | tail -n "$(wc -l <"$tmp/last")" | diff - "$tmp/last"
		done
	done
}
check "kernel_events: a custom class" woken
check "kernel_events: unload" rmmod event_kernel
