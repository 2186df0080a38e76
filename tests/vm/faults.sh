#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Allocations that fail, for a kernel that can make them: each one on the way in
# and out of each module.

set -eu
. "${0%/*}/lib.sh"

slab=/sys/kernel/debug/failslab
pages=/sys/kernel/debug/fail_page_alloc
if [ ! -e $slab ] || [ ! -e $pages ]; then
	ok "faults: # SKIP the kernel has no fault injection"
	exit
fi
# Single pages, too, wherever they lie; and without a backtrace for each.
echo 0 >$pages/min-order
echo N >$pages/ignore-gfp-highmem
echo 0 >$slab/verbose
echo 0 >$pages/verbose

# failing SLAB PAGES: with Y, of those that may wait, which are nearly all, none fails.
failing() {
	echo "$1" >$slab/ignore-gfp-wait
	echo "$2" >$pages/ignore-gfp-wait
}

# What the kernel itself says of an allocation that failed, for a module in C as well,
# is neither for the console nor for the log.
dmesg -n 1
clear_log() {
	take_log | sed '/cut here/ { N; N; /fprobe_module_callback\|event_define_fields/!b; :more; N; /end trace/!b more; d }' \
		>>"$whole_log"
}

# each MODULE [BESIDE]...
each() {
	name=$1
	for m; do
		shift
		set -- "$@" "$modules/$m.ko"
	done
	clear_log
	"$modules/fail_nth" "$@" >"$tmp/said" || {
		cat "$tmp/said"
		dmesg | tail -n 20
		return 1
	}
	sed "s/^/# $name: /" "$tmp/said" >&3
	clear_log
	nothing=$(loaded) || :
	[ -z "$nothing" ]
}

# all WHAT
all() {
	s=tracepoint_sample p=tracepoint_probe_sample q=tracepoint_probe_sample2
	for m in $s $p $q trace_events_sample trace_custom_sched my_driver proc_test define; do
		check "faults: $1: $m" each $m
	done
	check "faults: $1: a probe whose definer is there" each $p $s
	check "faults: $1: a second probe" each $q $s $p
	check "faults: $1: a definer whose probes are there" each $s $p $q
}

exec 3>&1
failing N Y
all slabs
failing Y N
all pages
clear_log
dmesg -n 5
