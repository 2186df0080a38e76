#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loads and unloads the modules many times and checks for leaks. A round loads six
# modules. After a "tests/run build" with the same KDIR, this command loads 10,000
# modules in an hour:
#
#   ROUNDS=1667 KDIR=/usr/src/linux-debug tools/in-root tests/vm.sh growth

set -eu
. "${0%/*}/lib.sh"

# Tests on a debug kernel may take longer.
if [ -e /sys/kernel/debug/kmemleak ]; then
	rounds=${ROUNDS:-300}
else
	rounds=${ROUNDS:-50}
fi
# Most of the time is spent waiting for grace periods, so shorten them.
echo 1 >/sys/kernel/rcu_expedited

exec 3>&1
grows() {
	for m; do
		shift
		set -- "$@" "$modules/$m.ko"
	done
	tests/vm/growth.py "$rounds" "$@" >&3
}
check "growth: $rounds rounds of the samples" grows tracepoint_sample tracepoint_probe_sample \
	tracepoint_probe_sample2 trace_events_sample trace_custom_sched my_driver
