#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A module is unloaded that has forgotten what it registered.

set -eu
. "${0%/*}/lib.sh"

# count PREFIX NUMBER: checks the number of threads. Those that have ended can stay for a moment.
count() {
	[ "$(pgrep -c "^$1")" = "$2" ]
}

stopped() {
	logged 1 "forgotten: the first thread stops"
	logged 1 "forgotten: the static's thread stops"
	logged 1 "forgotten: the slow thread stops"
	logged 1 "forgotten: its owner has dropped it"
	in_log "forgotten: the last thread stops after"
	# While it was unloaded, it could start nothing.
	in_log "forgotten: the last timer: Some(ENODEV)"
	await count forgotten- 0
}

forgotten() {
	clear_log
	load forgotten
	sleep 0.2
	rmmod forgotten
	stopped
	logged 1 "forgotten: the last thread stops after 1 ticks"
}
check "forgotten: threads and timers stop when their module is unloaded" forgotten

# The newest first.
order() {
	dmesg | sed -n 's/.*forgotten: the \(.*\) stops.*/\1/p' >"$tmp/order"
	printf '%s thread\n' last slow "static's" first | cmp - "$tmp/order"
}
check "forgotten: the newest is stopped first" order

# Others read the files all the time.
files() {
	for file in static ticks; do
		while [ ! -e "$tmp/stop" ]; do
			cat "/proc/tracepoint-forgotten/$file"
		done >/dev/null 2>&1 &
	done
	for times in 1 2 3 4 5; do
		load forgotten
		[ "$(ls /proc/tracepoint-forgotten)" = "$(printf 'static\nticks')" ]
		[ "$(cat /proc/tracepoint-forgotten/ticks)" -ge 0 ]
		rmmod forgotten
		[ ! -e /proc/tracepoint-forgotten ]
	done
	touch "$tmp/stop"
	wait
}
check "forgotten: files are removed" files

# busybox's insmod tries twice, kmod's does not.
init_fails() {
	clear_log
	fails insmod "$modules/forgotten.ko" fail=1
	fails loaded
	in_log "forgotten: the first thread stops"
	in_log "forgotten: the static's thread stops"
	[ ! -e /proc/tracepoint-forgotten ]
	await count forgotten- 0
}
check "forgotten: they stop when the module's init function fails" init_fails

rounds() {
	for times in 1 2 3 4 5 6 7 8 9 10; do
		load forgotten
		rmmod forgotten
	done
	await count forgotten- 0
}
check "forgotten: the module comes and goes" rounds

# What is left would be called in memory that has been freed.
probes() {
	load tracepoint_sample forgotten_probe
	fire
	rmmod forgotten_probe
	fire
	fails insmod "$modules/forgotten_probe.ko" fail=1
	fire
	rmmod tracepoint_sample
}
check "forgotten: probes are unregistered" probes

# Waiting for their tracepoint, and after it has gone.
probes_alone() {
	load forgotten_probe
	rmmod forgotten_probe
	load tracepoint_sample
	fire
	load forgotten_probe
	fire
	rmmod tracepoint_sample
	rmmod forgotten_probe
	load tracepoint_sample
	fire
	rmmod tracepoint_sample
}
check "forgotten: so are probes without a tracepoint" probes_alone

probes_busy() {
	rm -f "$tmp/stop"
	load tracepoint_sample
	while [ ! -e "$tmp/stop" ]; do
		fire
	done >/dev/null 2>&1 &
	for times in 1 2 3 4 5 6 7 8 9 10; do
		load forgotten_probe
		rmmod forgotten_probe
	done
	touch "$tmp/stop"
	wait
	rmmod tracepoint_sample
}
check "forgotten: probes are unregistered while they are called" probes_busy

# What unregisters the notifier is a parameter for the kernel, and for nobody else.
parameter() {
	fails ls /sys/module/forgotten/parameters
	modinfo "$modules/forgotten.ko" | grep '^parm:' >"$tmp/parameters"
	[ "$(wc -l <"$tmp/parameters")" = 1 ]
	for name in tracepoint=unload =tracepoint=unload '"tracepoint=unload"'; do
		for value in '' =1; do
			insmod "$modules/forgotten.ko" "$name$value"
			rmmod forgotten
		done
	done
}
check "forgotten: its parameter is hidden and can't be given" parameter

# Only a module that registers something has it.
unused() {
	grep -q 'tracepoint=unload' "$modules/forgotten.ko"
	fails grep -q 'tracepoint=unload' "$modules/define.ko"
}
check "forgotten: a module that registers nothing has no such parameter" unused

tracing=/sys/kernel/tracing
events=$tracing/events/forgotten

# load_hooks [PARAMETER]...: with $enabled, its events are enabled as soon as they exist.
enabled=
load_hooks() {
	[ -z "$enabled" ] || echo ':mod:forgotten_hook' >$tracing/set_event
	insmod "$modules/forgotten_hook.ko" "$@"
}

# threads NUMBER: waits until that module has so many threads.
threads() {
	await count fhook- "$1"
}

enable() {
	echo "$2" >"$events/forgotten_$1/enable"
}

hook() {
	clear_log
	load_hooks
	enable one 1
	logged 1 "forgotten_hook: a probe in a hook: Some(EDEADLK)"
	logged 1 "forgotten_hook: a directory in a hook: Some(EDEADLK)"
	enable two 1
	threads 2
	await grep -q 'forgotten_one: 1' $tracing/trace
	await grep -q 'forgotten_one: 2' $tracing/trace
	enable one 0
	# And one that unreg has started.
	threads 3
	enable two 0
	threads 0
	rmmod forgotten_hook
}
check "forgotten: what hooks start ends after the last unreg" hook

# Something has been registered outside of the hooks.
hook_and_more() {
	clear_log
	load_hooks "$@"
	enable one 1
	await in_log "forgotten_hook: a timer in a thread: None"
	logged 1 "forgotten_hook: a probe in a hook: Some(EDEADLK)"
	logged 1 "forgotten_hook: a directory in a hook: Some(EDEADLK)"
	enable one 0
	threads $((1 + $#))
	rmmod forgotten_hook
	threads 0
}
check "forgotten: or when the module is unloaded" hook_and_more timer=1 own=1
check "forgotten: if only a thread of the hooks has registered something" hook_and_more timer=1

hook_fails() {
	load_hooks
	fails enable refused 1
	threads 0
	enable one 1
	fails enable refused 1
	threads 2
	rmmod forgotten_hook
	threads 0
}
check "forgotten: so does what a hook has started that fails" hook_fails

# The kernel forgets that the trigger couldn't be set, so it would never disable the event again.
hook_fails_for_trigger() {
	load_hooks
	fails sh -c "echo traceoff >$events/forgotten_once/trigger"
	fails enable once 1
	mkdir $tracing/instances/once
	echo 1 >$tracing/instances/once/events/forgotten/forgotten_once/enable
	rmdir $tracing/instances/once
	rmmod forgotten_hook
}
check "forgotten: an event whose trigger couldn't be set stays disabled" hook_fails_for_trigger

hook_waits() {
	for own in 0 1; do
		clear_log
		load_hooks own=$own
		enable waits 1
		logged 1 "forgotten_hook: reg has waited"
		enable waits 0
		rmmod forgotten_hook
		threads 0
	done
}
check "forgotten: a hook waits for its thread" hook_waits

# When the module goes, nothing waits for what a hook leaves to a work item after the notifier has run.
in_order() {
	dmesg | sed -n 's/.*forgotten_hook: \(the .*\)/\1/p' | tail -n 2 | diff - /dev/fd/3 3<<-END
		the value is dropped
		the hook goes on
	END
}
hook_drops() {
	clear_log
	load_hooks own=1
	enable one 1
	rmmod forgotten_hook
	in_order
}
check "forgotten: a hook drops a value when its module goes" hook_drops

# Until then, the kernel must neither free anything of the module nor let go of the modules that it uses. Before it does
# either, it waits for the kobject, whose directory goes last.
hook_drops_late() {
	clear_log
	load_hooks late=1
	enable one 1
	enable one 0
	rmmod forgotten_hook 2>"$tmp/failed" &
	while [ -e /sys/module/forgotten_hook ]; do
		[ ! -s "$tmp/failed" ]
	done
	in_log "forgotten_hook: the value is dropped"
	wait $!
}
check "forgotten: a module waits for a value of its hooks that's dropped late" hook_drops_late

hook_drops_while_failing() {
	clear_log
	enabled=y
	fails load_hooks fail=no-number
	enabled=
	in_order
	threads 0
}
check "forgotten: and when its module fails to load" hook_drops_while_failing

# Before the module is in sysfs, a hook returns only when the work items to which it has left something have ended.
nothing_left() {
	dmesg | sed '/failed to validate module/q' >"$tmp/log"
	[ "$(grep -c 'a slow value: dropped where' "$tmp/log")" -ge 1 ]
	[ "$(grep -c 'a slow value: dropped where' "$tmp/log")" = "$(grep -c 'the value is dropped' "$tmp/log")" ]
}

# while_loading NUMBER: loads the module, successfully or not, while NUMBER threads are started by
# hooks. BTF is checked after the events have been enabled.
while_loading() {
	clear_log
	load_hooks
	threads "$1"
	rmmod forgotten_hook
	threads 0
	load_hooks own=1
	threads $(($1 + 1))
	rmmod forgotten_hook
	threads 0
	for bad in fail=1 fail=x; do
		fails load_hooks $bad
		threads 0
	done
	in_log "forgotten_hook: a probe in a hook: Some(EDEADLK)"
	in_log "forgotten_hook: a directory in a hook: Some(EDEADLK)"
	readelf -SW "$modules/forgotten_hook.ko" | grep ' \.BTF ' || return 0
	clear_log
	echo bad >"$tmp/btf"
	mkdir -p "$tmp/bad"
	objcopy --update-section ".BTF=$tmp/btf" "$modules/forgotten_hook.ko" "$tmp/bad/forgotten_hook.ko"
	local modules="$tmp/bad"
	for times in 1 2 3 4 5 6 7 8 9 10; do
		clear_log
		# With a timer, a thread of the hooks registers something, too.
		fails load_hooks timer=$((times % 2))
		threads 0
		[ -z "$enabled" ] || nothing_left
	done
	in_log "failed to validate module [forgotten_hook] BTF"
	[ -z "$enabled" ] || in_log "forgotten_hook: a directory in a hook: Some(EDEADLK)"
}

while_loading_event() {
	enabled=1
	while_loading 3
}
check "forgotten: hooks run while the module is loading, for events" while_loading_event

while_loading_probe() {
	load tracepoint_sample forgotten_probe
	while_loading 1
	rmmod forgotten_probe
	rmmod tracepoint_sample
}
check "forgotten: hooks run while the module is loading, for a probe" while_loading_probe

hooks_busy() {
	rm -f "$tmp/stop"
	load tracepoint_sample
	while [ ! -e "$tmp/stop" ]; do
		fire
	done >/dev/null 2>&1 &
	while [ ! -e "$tmp/stop" ]; do
		for event in one two refused waits; do
			enable $event 1
			enable $event 0
		done
	done >/dev/null 2>&1 &
	enabled=1
	for times in $(seq "${ROUNDS:-10}"); do
		if [ $((times % 5)) = 0 ]; then
			fails load_hooks fail=1
		else
			load_hooks own=$((times % 2))
		fi
		load forgotten_probe
		[ $((times % 3)) != 0 ] || load forgotten
		rmmod forgotten_probe
		[ $((times % 5)) = 0 ] || await rmmod forgotten_hook
		[ $((times % 3)) != 0 ] || rmmod forgotten
	done
	touch "$tmp/stop"
	wait
	rmmod tracepoint_sample
	threads 0
}
check "forgotten: everything at once" hooks_busy
