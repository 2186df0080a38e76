#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Modules that are loaded and unloaded many times leave nothing behind. This does it
# 10,000 times, six at a round, in an hour, after a "tests/run build" with the same KDIR:
#
#   ROUNDS=1667 KDIR=/usr/src/linux-debug tools/in-root tests/vm.sh growth

set -eu
. "${0%/*}/lib.sh"

# There is more time on a debug kernel.
if [ -e /sys/kernel/debug/kmemleak ]; then
	rounds=${ROUNDS:-300}
else
	rounds=${ROUNDS:-50}
fi
# Waiting takes most of the time; so it takes less.
echo 1 >/sys/kernel/rcu_expedited

exec 3>&1
grows() {
	for m; do
		shift
		set -- "$@" "$modules/$m.ko"
	done
	tests/vm/growth.py "$rounds" "$@" >"$tmp/said" || {
		cat "$tmp/said"
		return 1
	}
	cat "$tmp/said" >&3
}
check "growth: $rounds rounds of the samples" grows tracepoint_sample tracepoint_probe_sample \
	tracepoint_probe_sample2 trace_events_sample trace_custom_sched my_driver
