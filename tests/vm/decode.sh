#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The kernel and trace-cmd print the same text for a record. trace-cmd decodes the
# bytes with the format file. The events have every kind of field and helper and
# random values. SEED= repeats a run.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
rounds=200

fire_all() {
	load event_values
	echo 16384 >$tracing/buffer_size_kb
	echo 1 >$tracing/events/event-values/enable
	echo "$seed $rounds" >/proc/event-values
	echo 0 >$tracing/events/event-values/enable
	cat $tracing/trace >"$tmp/trace"
	# The same records.
	cd "$tmp"
	trace-cmd extract
	trace-cmd report >report
}
check "decode: $rounds rounds with seed $seed" fire_all
[ ! -e "$tmp/report" ] || tests/vm/decode.py decode "$tmp/trace" "$tmp/report" \
	$(cd $tracing/events/event-values && echo v_*)
check "decode: no text needs more than the record" tests/events/pointers $tracing/events/event-values/*/format
echo 1408 >$tracing/buffer_size_kb
check "decode: unload" rmmod event_values
