#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs fuzz.py. The kernel must not complain, and the events must work as before.
# ROUNDS sets the number of writes, SEED the random seed.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
rounds=${ROUNDS:-300} seed=${SEED:-1}

exec 3>&1
fuzz() {
	load event_fields
	echo "# fuzz: SEED=$seed" >&3
	tests/vm/fuzz.py "$rounds" "$seed" >&3
	echo >$tracing/trace
	echo 1 >$tracing/events/event_fields/enable
	echo "7 2 7000000049 n1" >/proc/event-fields
	grep 'f_begin: id=7 small=2 wide=7000000049 name=n1 fixed=n1 list={0x7,0x8} cpus=1 odd=1$' $tracing/trace
	rmmod event_fields
	echo >$tracing/trace
}
check "fuzz: $rounds writes to the events' files" fuzz
