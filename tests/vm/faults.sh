#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Fails each allocation during loading and unloading of each module. Needs a kernel
# with fault injection.

set -eu
. "${0%/*}/lib.sh"
. "${0%/*}/failing.sh"

if ! can_fail; then
	ok "faults: # SKIP the kernel has no fault injection"
	exit
fi
start_failing

# each MODULE [BESIDE]...: runs fail_nth, after which no module may be left.
each() {
	fail_nth "$@"
	nothing=$(loaded) || :
	[ -z "$nothing" ]
}

# all WHAT: runs it for all modules; WHAT is part of the case names.
all() {
	s=tracepoint_sample p=tracepoint_probe_sample q=tracepoint_probe_sample2
	for m in $s $p $q trace_events_sample trace_custom_sched my_driver proc_test define; do
		check "faults: $1: $m" each $m
	done
	check "faults: $1: a probe whose definer is loaded" each $p $s
	check "faults: $1: a second probe" each $q $s $p
	check "faults: $1: a definer whose probes are loaded" each $s $p $q
}

failing N Y
all slabs
failing Y N
all pages
stop_failing
