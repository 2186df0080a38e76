#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Modules that disagree about a tracepoint, which is detected only when they are
# loaded, and tracepoints that more than one module defines.

set -eu
. "${0%/*}/lib.sh"

differs="tracepoint subsys_event: is fn(&fs::Inode, &kernel::fs::File), but the probe is fn(&fs::Inode, u32)"

now() {
	clear_log
	load tracepoint_sample
	fails load other_prototype >"$tmp/said" 2>&1
	cat "$tmp/said"
	grep -Eq 'Invalid (argument|parameters)' "$tmp/said"
	logged 1 "other_prototype: $differs"
	fire
	rmmod tracepoint_sample
}
check "prototypes: a probe with a different prototype is refused with -EINVAL, and the log shows both" now

# The log has only this line, and none from the probe.
later() {
	clear_log
	load other_prototype tracepoint_sample
	logged 1 "other_prototype: $differs"
	fire
	dmesg >"$tmp/said"
	if [ "$(wc -l <"$tmp/said")" != 1 ]; then
		cat "$tmp/said"
		return 1
	fi
	rmmod tracepoint_sample
	load tracepoint_sample
	logged 2 "other_prototype: $differs"
	fire
	rmmod other_prototype tracepoint_sample
}
check "prototypes: the same when the definer is loaded later, and the probe is never called" later

# As in C, the module refers to the definer's symbols.
fires() {
	clear_log
	load tracepoint_sample tracepoint_probe_sample fire_sample
	logged 1 "tracepoint_probe_sample: Event B is encountered"
	fails rmmod tracepoint_sample
	rmmod fire_sample tracepoint_sample tracepoint_probe_sample
}
check "prototypes: fired from another module" fires

# The other module declares the events as tracepoints.
events() {
	clear_log
	events=/sys/kernel/tracing/events/event_fields
	load event_fields
	echo 1 >$events/enable
	load event_probe
	echo "7 -4 1000000007 n1" >/proc/event-fields
	logged 1 "event_probe: f_begin 7 -4 \"n1\" [7, 8]"
	cat /sys/kernel/tracing/trace
	[ "$(grep -c 'f_end: id=1000$' /sys/kernel/tracing/trace)" = 1 ]
	echo 0 >$events/enable
	echo >/sys/kernel/tracing/trace
	rmmod event_probe event_fields
}
check "prototypes: trace events probed and fired from another module" events

fires_another() {
	clear_log
	load tracepoint_sample
	fails load stale
	dmesg
	dmesg | grep -E 'stale: Unknown symbol __prototype_subsys_eventb_[0-9]+ \(err -2\)'
	rmmod tracepoint_sample
}
check "prototypes: a module that fires with a different prototype is refused" fires_another

older="tracepoint twin: is fn(&struct Record { pub(crate) n: u32, pub(crate) more: u32 } of 8 bytes), but the probe is fn(&struct Record { pub(crate) n: u32 } of 4 bytes)"
structs() {
	clear_log
	load define_probe define_other
	logged 1 "define_probe: $older"
	rmmod define_other
	load define
	logged 1 "define_probe: called with 10"
	load define_other
	rmmod define define_other define_probe
	load define_other
	fails load define_probe
	logged 2 "define_probe: $older"
	rmmod define_other
}
check "prototypes: another version of a struct is refused" structs

# A waiting probe is called during the definer's init and drop, but not afterwards.
in_init() {
	clear_log
	load define_probe define
	logged 1 "define_probe: called with 10"
	rmmod define
	logged 1 "define_probe: called with 11"
	rmmod define_probe
}
check "prototypes: fired in the definer's init and drop" in_init

failed() {
	clear_log
	load define_probe
	fails load define_and_fail
	fails load define_and_fail
	logged 2 "define_probe: called with 40"
	load define
	logged 1 "define_probe: called with 10"
	fails load define_and_fail
	rmmod define_probe
	fails load define_and_fail
	logged 2 "define_probe: called with 40"
	rmmod define
}
check "prototypes: the definer's init fails" failed

# The second tracepoint of that name is ignored while the first exists.
two() {
	clear_log
	load define_probe define define_again
	logged 1 "define_probe: called with 10"
	logged 0 "define_probe: called with 20"
	rmmod define_again
	rmmod define
	logged 1 "define_probe: called with 11"
	load define_again
	logged 1 "define_probe: called with 20"
	rmmod define_probe define_again
	logged 0 "define_probe: called with 21"
}
check "prototypes: two modules define one name" two

first_goes() {
	clear_log
	load define_probe define define_again
	rmmod define
	load define
	logged 2 "define_probe: called with 10"
	rmmod define_again define define_probe
}
check "prototypes: the first of two definers is reloaded" first_goes
