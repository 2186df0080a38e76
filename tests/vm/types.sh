#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Fields whose types know how they are shown: the texts of the kernel and of trace-cmd.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
events=$tracing/events/types

# fire LINE...: fires events with these values.
fire() {
	printf '%s\n' "$@" >/proc/types
}

# formats: the C types of the fields.
formats() {
	sed 's/ *#.*//' >"$tmp/expected" <<-'END'
	types_dev dev_t dev; size:4 signed:0
	types_error int error; size:4 signed:1
	types_flatten __data_loc char[] request_name; size:4 signed:0
	types_flatten u64 request_place_sector; size:8 signed:0
	types_flatten u8 request_kind; size:1 signed:0
	types_gfp gfp_t flags; size:4 signed:0
	types_ip4 u8 addr[4]; size:4 signed:0
	types_mac u8 mac[6]; size:6 signed:0
	types_option u32 n; size:4 signed:0
	types_sock __data_loc u8[] addr; size:4 signed:0
	types_symbol void * symbol; size:8 signed:0
	types_time s64 at; size:8 signed:1
	END
	while read -r event field; do
		name=${field%%;*}
		name=${name##* }
		sed -n 's/^\tfield:\(.*\);\toffset:[0-9]*;\t\(size:[0-9]*\);\t\(signed:.\);/'"$event"' \1; \2 \3/p' \
			"$events/$event/format" | grep -F " $name;"
	done <"$tmp/expected" >"$tmp/found"
	diff "$tmp/expected" "$tmp/found"
}

# hits EVENT FILTER LINE...: how many records of the lines pass the filter.
hits() {
	local event="$1" filter="$2"
	shift 2
	echo >$tracing/trace
	echo "$filter" >"$events/$event/filter"
	echo 1 >"$events/$event/enable"
	fire "$@"
	echo 0 >"$events/$event/enable"
	echo 0 >"$events/$event/filter"
	grep -c ": $event: " $tracing/trace || :
}

filters() {
	[ "$(hits types_option 'op == 254' 'option 0 0' 'option 7 0' 'option 255 0')" = 1 ]
	[ "$(hits types_option 'level == -1' 'option 0 0' 'option 0 -2' 'option 0 300')" = 1 ]
	[ "$(hits types_option 'n == 0' 'option 0 0' 'option 1 0')" = 1 ]
	[ "$(hits types_error 'error == -5 && some == 0' 'error -5' 'error -6')" = 1 ]
	[ "$(hits types_time 'none == -1 && delta < 0' 'time -1' 'time 1')" = 1 ]
	[ "$(hits types_dev 'dev == 0x800010' 'dev 8388624' 'dev 8388625')" = 1 ]
	[ "$(hits types_flatten 'request_kind == 1 && other_sector == 5' 'flatten 5' 'flatten 6')" = 1 ]
	[ "$(hits types_gfp 'flags & 0x100' 'gfp 2' 'gfp 1')" = 1 ]
}

histogram() {
	echo 'hist:keys=dev,raw' >"$events/types_dev/trigger"
	fire 'dev 8388624' 'dev 8388624' 'dev 1'
	grep -q '{ dev:    8388624, raw:    8388624 } hitcount:          2' "$events/types_dev/hist"
	echo '!hist:keys=dev,raw' >"$events/types_dev/trigger"
}

load types
check "types: the C types" formats
tests/vm/types_text.py "$tmp" || not_ok "types: the script failed" /dev/null
check "types: a probe with the driver's own struct" in_log 'types: probe: 3 2'
check "types: filters" filters
check_with histograms "types: a histogram" histogram
check "types: unload" rmmod types
