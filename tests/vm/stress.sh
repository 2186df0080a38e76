#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# 1,000 rounds of stress.c.

set -eu
. "${0%/*}/lib.sh"

seed=${SEED:-$(date +%s)}
echo "# stress: SEED=$seed"

rounds() {
	"$modules/stress" "$modules" "$1" "$seed"
	dmesg | grep -q 'Event is encountered'
}

check "stress: 100 rounds" rounds 100
# Waiting takes most of the time; so it takes less.
echo 1 >/sys/kernel/rcu_expedited
seed=$((seed + 1))
check "stress: 900 rounds with short grace periods" rounds 900
