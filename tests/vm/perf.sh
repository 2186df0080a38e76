#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What an event tells perf: how often it has happened. And what BPF programs may change: C's
# DEFINE_EVENT_WRITABLE().

set -eu
. "${0%/*}/lib.sh"

fire() {
	echo "$1" >/proc/event-perf
}

check "perf: load" load event_perf

# The sum of the counts, as C's sched_stat_runtime has it.
counts() {
	echo 'for n in 3 4 4294967295; do echo $n >/proc/event-perf; done' >"$tmp/fire.sh"
	perf stat -x , -e event-perf:perf_counted,event-perf:perf_one,event-perf:perf_two \
		-o "$tmp/stat" sh "$tmp/fire.sh"
	cat "$tmp/stat"
	grep -q '^4294967302,,event-perf:perf_counted,' "$tmp/stat"
	# The product wraps, the sum doesn't.
	grep -q "^$((31 + 41 + 4294967286 + 1)),,event-perf:perf_one," "$tmp/stat"
	grep -q "^$((301 + 401 + 4294967196 + 1)),,event-perf:perf_two," "$tmp/stat"
}
check "perf: perf stat adds up the counts" counts

periods() {
	perf record -q -P -c 1 -o "$tmp/perf.data" -e event-perf:perf_counted sh "$tmp/fire.sh"
	perf script -i "$tmp/perf.data" -F period,event,trace >"$tmp/script"
	cat "$tmp/script"
	for n in 3 4 4294967295; do
		grep -Eq "^ *$n +event-perf:perf_counted: $n\$" "$tmp/script"
	done
	[ "$(wc -l <"$tmp/script")" = 3 ]
}
check "perf: perf record has the count as the period" periods

# The same without perf.
trace() {
	echo 1 >/sys/kernel/tracing/events/event-perf/enable
	fire 7
	echo 0 >/sys/kernel/tracing/events/event-perf/enable
	grep -q 'perf_one: 70$' /sys/kernel/tracing/trace
	grep -q 'perf_two: 700$' /sys/kernel/tracing/trace
	grep -q 'perf_limit: 1*0*7 1$' /sys/kernel/tracing/trace
}
check "perf: a trace buffer records them as usual" trace

# attach NAME
attach() {
	bpftool prog loadall "$modules/writable-$1.bpf.o" /sys/fs/bpf/writable autoattach
}
detach() {
	rm -r /sys/fs/bpf/writable
}

# The module's own probe was attached first, and adds 1000.
before() {
	clear_log
	fire 7
	logged 1 'event_perf: limit 1007 bytes Ok("12345678")'
}
limit() {
	clear_log
	attach LIMIT
	fire 7
	fire 4
	detach
	fire 8
	logged 2 'event_perf: limit 5 bytes Ok("12345678")'
	logged 1 'event_perf: limit 1008 bytes Ok("12345678")'
}
bytes() {
	clear_log
	attach BYTES
	fire 7
	detach
	logged 1 'event_perf: limit 1007 bytes Ok("8234567!")'
}
# refused NAME
refused() {
	fails attach "$1" >"$tmp/said" 2>&1
	cat "$tmp/said"
	rm -rf /sys/fs/bpf/writable
	grep -q -e "Invalid argument" -e "-EINVAL" "$tmp/said"
}
check "perf: a Rust probe changes a Writable" before
check "perf: a BPF program changes a Writable" limit
check "perf: a BPF program changes bytes" bytes
check "perf: a BPF program that goes beyond the Writable is refused" refused TOO_FAR
check "perf: a BPF program that reads more arguments than there are is refused" refused ARGUMENT
check "perf: a BPF program can't write through a number" refused NUMBER
check "perf: a BPF program can't write through a reference" refused READ_ONLY
check "perf: unload" rmmod event_perf
