#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A module with 130 events of all kinds in one trace_event!, written by
# bench/size/generate: loads it, fires every event, and compares what the trace shows.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
count=${COUNT:-130}
module=mixed_rust_$count

# The module fires its events while it's loaded. ":mod:" enables them before.
fired() {
	echo ":mod:$module" >$tracing/set_event
	load $module
	[ "$(ls -d $tracing/events/$module/*/ | wc -l)" = "$count" ]
	grep -hx 1 $tracing/events/$module/*/enable | wc -l | grep -x "$count"
	sed -n 's/^.*: \(mixed_[0-9]*: \)/\1/p' $tracing/trace >"$tmp/shown"
	diff "$modules/mixed_$count.expected" "$tmp/shown"
}
check "many: $count events are fired and shown" fired

# The formats of all events can be read, and each has a number of its own.
formats() {
	cat $tracing/events/$module/*/format >"$tmp/formats"
	[ "$(sed -n 's/^ID: //p' "$tmp/formats" | sort -u | wc -l)" = "$count" ]
}
check "many: formats" formats

# The BTF describes each event's arguments.
described() {
	tests/vm/btf.py $module | sed "s/^$module //" >"$tmp/said"
	for kind in 'typedef void (\*btf_trace' 'void __probestub' 'int __traceiter'; do
		n=$(grep -c "^${kind}_mixed_[0-9]*[()]" "$tmp/said") || :
		[ "$n" = "$count" ] || echo "\"$kind\": $n instead of $count"
	done
}
if [ -e /sys/kernel/btf/$module ]; then
	silent "many: BTF" described
else
	ok "many: BTF # SKIP the modules have no BTF"
fi

unloaded() {
	echo >$tracing/set_event
	rmmod $module
	[ ! -e $tracing/events/$module ]
}
check "many: unload" unloaded
