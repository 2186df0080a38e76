#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# 1,000 rounds of stress.c, or 200 on a debug kernel, where a round takes several
# seconds. ROUNDS sets the number of rounds, SEED the random seed.

set -eu
. "${0%/*}/lib.sh"

rounds=1000
[ ! -e /proc/lockdep_stats ] || rounds=200
rounds=${ROUNDS:-$rounds} seed=${SEED:-$(date +%s)}
echo "# stress: SEED=$seed"

stress() {
	clear_log
	"$modules/stress" "$modules" "$1" "$seed"
	in_log 'tracepoint_probe_sample: Event is encountered' >/dev/null
	in_log 'tracepoint_probe_sample2: Event is encountered' >/dev/null
}

tenth=$(((rounds + 9) / 10))
check "stress: $tenth rounds" stress $tenth
# Most of the time is spent waiting for grace periods, so shorten them.
echo 1 >/sys/kernel/rcu_expedited
seed=$((seed + 1))
check "stress: $((rounds - tenth)) rounds with short grace periods" stress $((rounds - tenth))
