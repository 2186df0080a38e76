#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Races that are certain: a task stops in a window of the library, and another one goes
# through.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing

tell() {
	echo "$*" >/proc/windows
}

start() {
	clear_log
	load windows
}

runs() {
	kill -0 "$1" 2>/dev/null
}

# before TEXT TEXT: checks the order of two lines in the log.
before() {
	dmesg | sed -n "s/.*\\($1\\|$2\\)\$/\\1/p" >"$tmp/order"
	printf '%s\n' "$1" "$2" | diff - "$tmp/order"
}

# A probe is still writing for an instance when another one gets its slot.
slot() {
	start
	for i in a b; do
		mkdir $tracing/instances/$i
	done
	echo 1 >$tracing/events/windows/win_span/enable
	echo 1 >$tracing/instances/a/events/windows/win_span/enable
	# The second of the two probes.
	tell arm span 2
	tell span
	tell inside
	echo 0 >$tracing/instances/a/events/windows/win_span/enable
	echo 1 >$tracing/instances/b/events/windows/win_span/enable &
	sleep 0.5
	runs $!
	tell release
	wait $!
	tell span
	await grep 'end #' $tracing/instances/b/trace
	for i in a b; do
		cat $tracing/instances/$i/trace
		echo 0 >$tracing/instances/$i/events/windows/win_span/enable
	done
	# Nothing of the first one, and all of the second.
	[ "$(grep -c win_span: $tracing/instances/b/trace)" = 2 ]
	echo 0 >$tracing/events/windows/win_span/enable
	rmdir $tracing/instances/a $tracing/instances/b
	echo >$tracing/trace
	rmmod windows
}
check "windows: a span's slot is used again when its probe has returned" slot

# A recorder isn't removed while somebody uses it. The kernel waits, too, before it frees the instance, but then
# it's too late for a dump.
uses() {
	start
	# It first writes, and then requests a dump.
	tell arm recorder 2
	tell write
	tell inside
	rmmod windows
	# Values are shut down one after another.
	before "recorder goes on" "shut down: older"
	logged 1 "windows: flight recorder windows: the last 3 lines or fewer:"
	[ ! -e $tracing/instances/windows ]
}
check "windows: a recorder is removed when nobody uses it" uses

requests() {
	start
	tell arm work
	tell dump 1
	tell inside
	tell dump 5
	tell dump 2
	tell release
	await in_log "flight recorder windows: the last"
	sleep 0.2
	logged 1 "windows: flight recorder windows: the last 5 lines or fewer:"
	[ "$(dmesg | grep -c 'the last')" = 1 ]
	rmmod windows
}
check "windows: of several dumps, the largest is written" requests

busy() {
	start
	rmmod windows
	before "shut down: slow" "its owner has dropped it"
}
check "windows: who drops a value waits until it has been shut down" busy

others() {
	load windows_watch
	start
	rmmod windows
	before "shut down: slow" "others are told"
	rmmod windows_watch
}
check "windows: values are shut down before others know that the module goes" others

late() {
	load windows_watch
	start
	tell arm link
	tell late
	tell inside
	rmmod windows
	logged 1 "windows: late: Some(ENODEV)"
	logged 1 "windows: shut down: late"
	rmmod windows_watch
}
check "windows: nothing is registered once the module goes" late

left() {
	load windows_watch
	start
	tell leave
	rmmod windows
	before "shut down: left" "others are told"
	rmmod windows_watch
}
check "windows: values left to a work item are shut down before that, too" left

# What is requested while a dump is being written.
again() {
	start
	tell arm logged
	tell dump 1
	tell inside
	tell dump 2
	tell release
	await in_log "flight recorder windows: the last 2 lines or fewer:"
	rmmod windows
}
check "windows: a dump is written after another one" again

# The third value from the end is slow to shut down.
unlinked() {
	start
	tell arm unlink 3
	rmmod windows
	before "shut down: slow" "its owner has dropped it"
}
check "windows: who drops a value that is about to be shut down waits, too" unlinked

# The item that removes the file, which the module does first.
returned() {
	start
	tell arm done
	rmmod windows
	before "done goes on" "shut down: slow"
}
check "windows: a work item has returned before anything else is shut down" returned

# Nobody waits for the first work item until it has registered the notifier.
first() {
	clear_log
	load windows_first
	echo 1 >$tracing/events/windows_first/sched_process_exit/enable
	await in_log "windows_first: listens"
	fails rmmod windows_first 2>&1 | grep 'in use'
	echo 1 >$tracing/events/windows_first/go_on/enable
	await rmmod windows_first
}
check "windows: a module stays until its first work item can be waited for" first
