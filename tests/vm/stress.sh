#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Rounds of stress.c, while the kernel's allocations are counted. ROUNDS sets the number of
# rounds, SEED the random seed. This command runs as many as a release is tested with:
#
#   ROUNDS=10000 tools/in-root tests/vm.sh stress

set -eu
. "${0%/*}/lib.sh"

rounds=${ROUNDS:-12} seed=${SEED:-$(date +%s)}
echo "# stress: SEED=$seed"
exec 3>&1

stress() {
	clear_log
	"$@" >&3
}

check "stress: 2 rounds" stress "$modules/stress" "$modules" 2 "$seed"
# Most of the time is spent waiting for grace periods, so shorten them.
echo 1 >/sys/kernel/rcu_expedited
check "stress: $rounds rounds with short grace periods, and nothing grows" \
	stress tests/vm/growth.py "$rounds" --stress "$modules/stress" "$modules" "$((seed + 1))"
