#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A module drops what it has registered in probes and other places that it would have to
# wait for.

set -eu
. "${0%/*}/lib.sh"

tell() {
	echo "$1" >/proc/drops
}

# dropped NAME [TIMES]: waits until all values of this name have been dropped.
dropped() {
	await lines "${2:-1}" "dropped: $1"
}

# lines NUMBER TEXT: whether the log has as many lines of this text.
lines() {
	[ "$(dmesg | grep -c "drops: $2\$")" = "$1" ]
}

# complained TEXT: checks that there's one message that starts with TEXT.
complained() {
	n=$(dmesg | grep -cF "drops: $1") || :
	[ "$n" = 1 ] && return
	echo "the log has $n messages \"$1\":"
	dmesg
	return 1
}

# It has a function that the module calls.
load c_contexts

# These don't wait at all.
at_once() {
	clear_log
	load drops
	tell faultable
	logged 1 "drops: the faultable probe goes on"
	dropped faultable
	complained "a probe of drops_unused: dropped where it would wait for itself"
	tell switch
	dropped atomic
	complained "a probe of drops_unused: dropped where nothing may sleep"
	clear_log
	tell irqs_off
	dropped irqs_off
	complained "a probe of drops_unused: dropped where nothing may sleep"
	tell timer
	dropped timer
	# It goes on until the work item has stopped it.
	in_log "drops: the timer goes on"
	complained "timer of drops::Once: dropped where nothing may sleep"
	tell thread
	dropped thread
	logged 1 "drops: the thread goes on"
	complained "thread drops-thread: dropped where it would wait for itself"
}
check "drops: in a faultable probe, in sched_switch, with interrupts disabled, in a timer, in a thread" at_once

# These give up waiting.
later() {
	clear_log
	for what in probe pair group recorder register lock ending; do
		tell $what &
	done
	echo >/proc/drops-file || :
	wait
	for what in probe pair group recorder file; do
		logged 1 "drops: the $what goes on"
	done
	logged 1 "drops: register: Some(EDEADLK)"
	# Its work item is done, but a probe in the same worker waits for the lock.
	logged 1 "drops: ending: Some(EDEADLK)"
	for what in probe pair file twice again locked ending; do
		dropped $what
	done
	dropped group 2
	for what in drops_unused drops_pair drops_lock; do
		in_log "drops: a probe of $what: still in use after being dropped"
	done
	in_log "drops: a probe of drops_switch: can't be registered now"
	complained "flight recorder drops: still in use after being dropped"
	complained "/proc/drops-file: still in use after being dropped"
	await [ ! -e /sys/kernel/tracing/instances/drops ]
	[ ! -e /proc/drops-file ]
}
check "drops: in a probe, with a lock held, in a file" later

unloads() {
	clear_log
	rmmod drops
	logged 1 "drops: the value goes on"
	logged 1 "drops: another one: Some(ENODEV)"
	logged 1 "drops: dropped: shut"
	# It gives up.
	complained "a value: still in use after being dropped"
}
check "drops: while it's shut down" unloads

# Unloaded at once, while the work items still wait.
in_use() {
	clear_log
	load drops
	for what in probe recorder lock thread timer switch; do
		tell $what &
	done
	sleep 0.3
	await rmmod drops
	wait
	for what in probe locked thread timer; do
		logged 1 "drops: dropped: $what"
	done
	[ ! -e /sys/kernel/tracing/instances/drops ]
}
check "drops: and the module is unloaded meanwhile" in_use

# A hook that stops a thread that registers and drops what it can.
hook() {
	clear_log
	load drops
	for times in 1 2; do
		echo 1 >/sys/kernel/tracing/events/drops/drops_hook/enable
		await lines $times "hook: the thread runs: None"
		echo 0 >/sys/kernel/tracing/events/drops/drops_hook/enable
		logged $times "drops: hook: a probe: Some(EDEADLK)"
		logged $times "drops: hook: a recorder: Some(EDEADLK)"
		logged $times "drops: hook: the thread stops"
		logged $times "drops: hook: unreg returns"
	done
	in_log "drops: a probe of drops_unused: can't be registered now"
	in_log "drops: a probe of drops_unused: still in use after being dropped"
	dropped hooked
	complained "a probe of drops_unused: dropped where it would wait for itself"
	# The thread gives up before the hook does.
	fails in_log "drops: thread drops-hook"
	rmmod drops
	[ ! -e /sys/kernel/tracing/instances/drops_hook ]
}
check "drops: a hook waits for a thread that registers and drops probes" hook

rmmod c_contexts
