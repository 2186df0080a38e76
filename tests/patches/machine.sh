#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/patches/machine.sh DIRECTORY [CALLS]
#
# Runs the program in DIRECTORY, tests/patches/binder.c, in the virtual machine and prints what
# tests/patches/compare.py compares, each part after a line that starts with "###". Then it reloads the modules
# that have been built there from tests/patches/modules, if any. With CALLS, it only prints how many nanoseconds
# the program takes for one of them, with the events off and on.

set -eu
binder=$1/binder
modules=$1/modules
# A kernel without tracepoints has no tracefs.
[ ! -d /sys/kernel/tracing ] || cd /sys/kernel/tracing

part() {
	echo "### $*"
}

data=$(mktemp -d)
mkdir -p /dev/binderfs
mount -t binder -o stats=global binder /dev/binderfs

if [ -n "${2-}" ]; then
	for state in off on; do
		[ $state = off ] || echo 1 >events/rust_binder/enable
		# Interrupts add to some.
		part "$state $(for n in 1 2 3 4 5; do "$binder" /dev/binderfs/binder "$2"; done | sort -n | head -n 1)"
	done
	exit
fi

# Without tracepoints there's no event, but the program must succeed.
events=$(ls -d events/rust_binder/*/ 2>/dev/null) || :
for event in $events; do
	name=${event%/}
	part "enabled ${name##*/}"
	cat "$event/enable"
	part "format ${name##*/}"
	cat "$event/format"
done

[ ! -e trace ] || echo >trace
part processes
if [ -z "$events" ]; then
	"$binder" /dev/binderfs/binder
else
	# The same events go to ftrace and to perf.
	events_of_perf="-e rust_binder:*"
	[ ! -e events/rust_sample_trace ] || {
		echo 1 >events/rust_sample_trace/enable
		events_of_perf="$events_of_perf -e rust_sample_trace:*"
	}
	perf record -q -a $events_of_perf -o "$data/perf" sh -euc '
		"$0" /dev/binderfs/binder
		for n in 1 2 3; do
			[ ! -e /dev/rust-trace-events ] || : </dev/rust-trace-events
		done
	' "$binder" 2>"$data/messages" || { cat "$data/messages" >&2; exit 1; }
	part stats
	cat /dev/binderfs/binder_logs/stats
	part trace
	cat trace
	part perf
	perf script -F comm,pid,cpu,time,event,trace -i "$data/perf" 2>"$data/messages"
	part trace-cmd
	trace-cmd extract -o "$data/trace-cmd" >"$data/messages"
	trace-cmd report -i "$data/trace-cmd" 2>"$data/messages"
	# A full buffer that doesn't overwrite keeps the oldest records. This clock never needs a record of its own.
	mkdir instances/full
	(
		cd instances/full
		echo counter >trace_clock
		echo 0 >options/overwrite
		echo 8 >buffer_size_kb
		echo 1 >events/rust_binder/enable
		taskset 1 "$binder" /dev/binderfs/binder 1000 >/dev/null
		part full
		grep '^entries:' per_cpu/cpu0/stats
	)
	rmdir instances/full
fi

# BPF programs that take their arguments from BTF.
if [ -n "$events" ] && [ -e /sys/kernel/btf/vmlinux ]; then
	mount -t bpf bpf /sys/fs/bpf
	part tp_btf
	bpftool prog loadall "$1/tp_btf.bpf.o" /sys/fs/bpf/binder autoattach 2>&1 || :
	"$binder" /dev/binderfs/binder >"$data/messages"
	bpftool map dump name tp_btf.bss
	rm -r /sys/fs/bpf/binder
	part types
	bpftool btf dump file /sys/kernel/btf/vmlinux format c | grep 'btf_trace_rust_' || :
	if [ -e "$modules/reloads.ko" ]; then
		insmod "$modules/reloads.ko"
		bpftool btf dump file /sys/kernel/btf/reloads format c | grep btf_trace_reloads_
		rmmod reloads
	fi
fi

# Each time, a probe is forgotten and the event stays enabled.
reload() {
	insmod "$modules/reloads.ko"
	insmod "$modules/c_probe.ko"
	if [ -n "$events" ]; then
		echo 1 >events/reloads/enable
		: </dev/reloads
		# Each probe is called by C first, and then by Rust.
		grep -q 'reloads_opened: n=7 calls=4$' trace
		grep -qx 2 /sys/module/c_probe/parameters/calls
	fi
	rmmod c_probe
	rmmod reloads
}
if [ -e "$modules/reloads.ko" ]; then
	for n in $(seq 100); do
		reload
	done
	# KUnit has run the module's test.
	dmesg | tail -n 40 | grep -q ' ok 1 a_probe_of_a_module$'
	part "reloads $n"
fi
part log
dmesg
