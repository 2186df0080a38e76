#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Fields and conditions that overflow have the values that C computes.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing

# Limits, and the numbers around them.
numbers() {
	for x in 0 1 5 7fffffff 80000000 80000001 ffffffff; do
		echo "0 1 $x 2 $x"
		echo "ffffffff $x $x ffffffff 20"
		echo "$x 80000000 80000000 $x 3f"
		echo "5 $x 7fffffff $x 1f"
	done
	awk 'BEGIN {
		srand('"${SEED:-1}"')
		for (i = 0; i < 50; i++)
			print n() " " n() " " n() " " n() " " n()
	}
	function n() { return sprintf("%x%03x", rand() * 2 ^ 20, rand() * 2 ^ 12) }'
}

as_in_c() {
	load arithmetic
	echo >$tracing/trace
	echo 1 >$tracing/events/arithmetic/enable
	numbers >"$tmp/numbers"
	while read -r line; do
		echo "$line" >/proc/arithmetic
		"$modules/arithmetic" $line
	done <"$tmp/numbers" >"$tmp/expected"
	echo 0 >$tracing/events/arithmetic/enable
	sed -n 's/^.*: arithmetic_[a-z]*: //p' $tracing/trace >"$tmp/found"
	rmmod arithmetic
	[ "$(wc -l <"$tmp/expected")" -gt 150 ]
	diff "$tmp/expected" "$tmp/found"
}
check "arithmetic: fields and conditions have C's values" as_in_c
