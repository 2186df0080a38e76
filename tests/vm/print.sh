#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Addresses in the kernel's own text: hashed as C's are, unless the option hash-ptr is
# off or the template asks for the bare address; and the names of functions. decode.sh
# compares everything else with what tools print.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
fire() {
	load event_values
	echo 1 >$tracing/events/event-values/p_addresses/enable
	echo 12345 20 >/proc/event-values
	echo 0 >$tracing/events/event-values/p_addresses/enable
}
# addresses: prints the six values of each record.
addresses() {
	sed -n 's/.*p_addresses: \[\(.*\)\]$/\1/p' $tracing/trace
}
hashed() {
	echo 1 >$tracing/options/hash-ptr
	# Zero is shown as it is.
	addresses | awk '$1 != $2 || $4 !~ /^0*$/ && $1 == $4 || length($1) != 16 { exit 1 }
		$4 !~ /^0*$/ { n++ }
		END { exit n == 0 }'
}
bare() {
	echo 0 >$tracing/options/hash-ptr
	addresses | awk '$1 != $4 || $2 != $4 || $3 !~ /^ffff/ { exit 1 } END { exit NR != 20 }'
	echo 1 >$tracing/options/hash-ptr
}
# The compiler may merge the function with another one.
symbols() {
	addresses >"$tmp/addresses"
	cat "$tmp/addresses"
	awk '$5 != $7 "+0x0/" substr($5, index($5, "/") + 1) || $5 !~ /\/0x[1-9a-f][0-9a-f]*$/ ||
			$6 != "[event_values]" || $8 != $6 { exit 1 }
		END { exit NR != 20 }' "$tmp/addresses"
}
check "print: fire" fire
check "print: addresses are hashed" hashed
check "print: without hash-ptr, they aren't" bare
check "print: symbols" symbols
check "print: unload" rmmod event_values
