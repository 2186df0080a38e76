#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Flight recorders.

set -eu
. "${0%/*}/lib.sh"
. "${0%/*}/failing.sh"

tracing=/sys/kernel/tracing
instances=$tracing/instances
instance=$instances/recorder_test

# tell COMMAND...: has the module do something. tee prints the error.
tell() {
	echo "$*" | tee /proc/recorder-test >/dev/null
}

# start [PARAMETER]...: loads the module.
start() {
	clear_log
	# It has a function that the other one calls.
	lsmod | grep -q '^c_contexts' || load c_contexts
	insmod "$modules/recorder_test.ko" "$@"
}

# fails_to_start [PARAMETER]...: the same, for a driver whose init function fails.
fails_to_start() {
	fails start fail=1 "$@"
}

clean_up() {
	rmmod $(loaded) 2>/dev/null || :
	rmdir $instances/recorder* 2>/dev/null || :
}

# trace: the lines of the instance's trace, without the task, the CPU and the time, and
# without the programs that have ended.
trace() {
	sed -n '/^#/d; /: sched_process_exit: /d; s/.*\.[0-9]*: \([a-z_]*: .*\)/\1/p' $instance/trace
}

# The last lines in the log, likewise.
dumped() {
	dmesg | sed -n '/: sched_process_exit: /d; s/.*recorder_test: .*\.[0-9]*: \([a-z_]*: .*\)/\1/p'
}

here='flight_recorder:'

# expect COMMAND: its output must be the standard input.
expect() {
	cat >"$tmp/expected"
	"$@" >"$tmp/found"
	diff "$tmp/expected" "$tmp/found"
}

# Nothing has enabled anything.
from_the_start() {
	start
	expect trace <<-END
	recorder_event: fired 1
	$here the driver is loaded
	END
	fails grep recorder_event $tracing/trace
	[ "$(cat $instance/events/recorder_test/recorder_event/enable)" = 1 ]
	[ "$(cat $instance/events/recorder_test/recorder_hook/enable)" = 0 ]
	[ "$(cat $instance/events/sched/sched_process_exit/enable)" = 1 ]
	[ "$(cat $instance/events/sched/sched_switch/enable)" = 0 ]
	[ "$(cat $instance/events/oom/enable)" = 1 ]
	[ "$(cat $tracing/events/recorder_test/enable)" = 0 ]
	[ "$(cd $instance/events && echo */)" = "oom/ recorder_test/ sched/" ]
	rmmod recorder_test
	[ ! -e $instance ]
}
check "recorder: records from the moment the driver is loaded" from_the_start

other_systems() {
	start
	/bin/true
	grep 'sched_process_exit: comm=true' $instance/trace
	rmmod recorder_test
}
check "recorder: records another system's events" other_systems

# entries: the number of events in the buffer and of those written.
entries() {
	sed -n 's/^# entries-in-buffer\/entries-written: \([0-9]*\)\/\([0-9]*\) .*/\1 \2/p' $instance/trace
}

# A record takes about 40 bytes. Each CPU has a buffer of its own.
size() {
	start size=64
	echo 0 >$instance/events/sched/enable
	echo fire 10000 | taskset -c 0 tee /proc/recorder-test >/dev/null
	entries >"$tmp/entries"
	cat "$tmp/entries"
	read -r in_buffer written <"$tmp/entries"
	[ "$written" -gt 10000 ]
	[ "$in_buffer" -gt 1000 ]
	[ "$in_buffer" -lt 4000 ]
	# The newest are there.
	[ "$(trace | tail -n 1)" = "recorder_event: fired 9999" ]
	# User space can still choose another size.
	echo 1000 >$instance/buffer_size_kb
	tell fire 10000
	[ "$(trace | grep -c '^recorder_event: ')" -ge 10000 ]
	rmmod recorder_test
}
check "recorder: a buffer of its own size" size

# dump N [COMMAND]...: dumps the trace with COMMAND and waits for it.
dump() {
	n=$1
	shift
	"$@" sh -c 'echo dump $0 >/proc/recorder-test' "$n"
	await in_log "flight recorder recorder_test: the last $n lines or fewer:"
	# Another dump, or removing the recorder, would wait, too.
	sleep 0.3
}

dumps() {
	start
	echo 0 >$instance/events/sched/enable
	tell fire 100
	tell write "it has failed"
	clear_log
	dump 3
	expect dumped <<-END
	recorder_event: fired 98
	recorder_event: fired 99
	$here it has failed
	END
	# Nothing has stopped, and nothing is missing.
	tell write "and goes on"
	[ "$(trace | wc -l)" = 104 ]
	clear_log
	dump 1000
	[ "$(dumped | wc -l)" = 104 ]
	clear_log
	tell dump 0
	rmmod recorder_test
	in_log "the last 0" && dmesg
	[ "$(dumped | wc -l)" = 0 ]
}
check "recorder: writes the last events to the log" dumps

# A driver reports an error on behalf of anybody, wherever tracefs is mounted.
anybody() {
	start
	echo 0 >$instance/events/sched/enable
	tell write "something"
	dump 1 setpriv --reuid 65534 --clear-groups
	[ "$(dumped | wc -l)" = 1 ]
	clear_log
	umount $tracing
	dump 1
	mount -t tracefs tracefs $tracing
	[ "$(dumped | wc -l)" = 1 ]
	rmmod recorder_test
}
check "recorder: for any user, and without a mounted tracefs" anybody

waits() {
	start
	echo 0 >$instance/events/sched/enable
	tell fire 5000
	clear_log
	tell dump 2
	rmmod recorder_test
	expect dumped <<-END
	recorder_event: fired 4998
	recorder_event: fired 4999
	END
}
check "recorder: a driver is unloaded when its dump is complete" waits

stops() {
	start
	echo 0 >$instance/events/sched/enable
	tell stop
	[ "$(cat $instance/tracing_on)" = 0 ]
	tell write lost
	tell fire 1
	tell start
	[ "$(cat $instance/tracing_on)" = 1 ]
	tell write found
	expect trace <<-END
	recorder_event: fired 1
	$here the driver is loaded
	$here found
	END
	echo 0 >$instance/tracing_on
	tell start
	tell long
	[ "$(trace | tail -n 1)" = "$here $(printf '%0256d' 0)" ]
	tell nul
	[ "$(trace | tail -n 1)" = "$here one two" ]
	tell endless
	trace | tail -n 1 | grep -qxE "$here (endless ){32}"
	rmmod recorder_test
}
check "recorder: stops and starts" stops

# User space can't take it away, and can do what it likes otherwise.
user_space() {
	start
	echo 0 >$instance/events/sched/enable
	fails rmdir $instance
	echo 0 >$instance/events/enable
	tell fire 3
	echo >$instance/trace
	echo 7 >$instance/buffer_size_kb
	echo 2 >$instance/buffer_subbuf_size_kb
	echo 1 >$instance/snapshot
	tell write "after the snapshot"
	tell stop
	tell start
	echo 0 >$instance/snapshot
	echo 1 >$instance/per_cpu/cpu0/snapshot || :
	echo stacktrace >$instance/trace_options
	tell write "with a stack"
	echo nostacktrace >$instance/trace_options
	echo function >$instance/current_tracer || :
	tell write "with functions"
	echo nop >$instance/current_tracer
	tell write "at the end"
	trace | tail -n 1
	clear_log
	dump 5
	[ "$(dumped | tail -n 1)" = "$here at the end" ]
	rmmod recorder_test
	[ ! -e $instance ]
}
check "recorder: user space changes everything" user_space

# While somebody reads it, it can't be removed.
read_by_others() {
	start
	exec 5<$instance/trace_pipe
	rmmod recorder_test
	[ -e $instance ]
	[ "$(cat $instance/events/sched/sched_process_exit/enable)" = 0 ]
	cat $instance/trace
	start
	tell write again
	trace | grep "$here again"
	exec 5<&-
	rmmod recorder_test
	[ ! -e $instance ]
	start
	exec 5<$instance/trace_pipe
	rmmod recorder_test
	exec 5<&-
	rmdir $instance
}
check "recorder: is unloaded while it's read" read_by_others

# What user space has made, it uses.
existing() {
	mkdir $instance
	echo 100 >$instance/buffer_size_kb
	start
	expect trace <<-END
	recorder_event: fired 1
	$here the driver is loaded
	END
	# It stays if the recorder can't be built.
	mkdir $instances/recorder_missing
	fails tell missing
	rmdir $instances/recorder_missing
	rmmod recorder_test
	[ ! -e $instance ]
}
check "recorder: uses an instance that exists" existing

# The same name twice, unloaded in either order.
twins() {
	for first in recorder_test recorder_twin; do
		start
		load recorder_twin
		trace | grep "$here the twin is loaded"
		rmmod $first
		[ -e $instance ]
		fails rmdir $instance
		cat $instance/trace
		[ $first = recorder_test ] || tell write "still there"
		rmmod recorder_test recorder_twin 2>/dev/null || :
		[ ! -e $instance ]
	done
	# Twice in one driver.
	start
	tell new
	echo >$instance/trace
	tell fire 1
	tell write "the second"
	expect trace <<-END
	recorder_event: fired 0
	$here the second
	END
	rmmod recorder_test
	[ ! -e $instance ]
}
check "recorder: two drivers choose the same name" twins

# The module's own events can't be read after it, but their text can.
keeps() {
	start keep=3
	echo 0 >$instance/events/sched/enable
	tell fire 10
	tell write "the last text"
	rmmod recorder_test
	sed -n 's/^.*__trace_array_puts: .*\.[0-9]*: \(.*\)/\1/p' $instance/trace >"$tmp/kept"
	cat $instance/trace
	expect cat "$tmp/kept" <<-END
	recorder_event: fired 8
	recorder_event: fired 9
	$here the last text
	END
	# The next load adds to it.
	start
	trace | grep "$here the driver is loaded"
	grep "the last text" $instance/trace
	rmmod recorder_test
	[ ! -e $instance ]
	# As text, they take more room than the buffer has.
	start keep=200 size=8
	echo 0 >$instance/events/sched/enable
	tell fire 250
	rmmod recorder_test
	[ "$(grep -c 'recorder_event: fired' $instance/trace)" = 200 ]
	rmdir $instance
}
check "recorder: keeps the last events as text" keeps

fails_to_load() {
	fails_to_start keep=10
	expect dumped <<-END
	$here the driver is loaded
	$here the driver fails
	END
	grep "the driver fails" $instance/trace
	grep "recorder_event: fired 1" $instance/trace
	rmdir $instance
	fails_to_start
	[ ! -e $instance ]
}
check "recorder: explains why the driver isn't loaded" fails_to_load

# Its module is still being loaded when it starts.
custom() {
	load recorder_custom
	await grep 'sched_switch: next ' $instances/recorder_custom/trace
	rmmod recorder_custom
}
check "recorder: a custom event of the driver's own" custom

errors() {
	start
	for name in "" . .. a/b $(printf '%0256d' 0); do
		fails tell named "$name" 2>"$tmp/error"
		grep 'Invalid argument' "$tmp/error"
	done
	tell named $(printf '%0255d' 0)
	[ "$(ls $instances)" = recorder_test ]
	fails tell missing 2>"$tmp/error"
	grep 'Invalid argument' "$tmp/error"
	in_log "recorder_test: flight recorder recorder_missing: cannot enable recorder_test:missing: EINVAL"
	fails tell empty 2>"$tmp/error"
	grep 'Invalid argument' "$tmp/error"
	fails tell huge 2>"$tmp/error"
	grep 'Cannot allocate memory' "$tmp/error"
	[ "$(ls $instances)" = recorder_test ]
	echo 1 >$tracing/events/recorder_test/recorder_hook/enable
	in_log "recorder_test: in a hook: Some(EDEADLK)"
	echo 0 >$tracing/events/recorder_test/recorder_hook/enable
	rmmod recorder_test
}
check "recorder: errors" errors

each() {
	fail_nth recorder_test c_contexts
	[ ! -e $instance ] || rmdir $instance
}

rmmod c_contexts
if can_fail; then
	# tracing_start_sched_switch() doesn't notice if it runs out of memory, and warns when it's
	# undone. With any event enabled, it has nothing to do.
	echo 1 >$tracing/events/sched/sched_process_exec/enable
	start_failing
	failing N Y
	check "recorder: no memory: slabs" each
	failing Y N
	check "recorder: no memory: pages" each
	stop_failing
	echo 0 >$tracing/events/sched/sched_process_exec/enable
else
	ok "recorder: no memory # SKIP the kernel has no fault injection"
fi

# From here on, recorders and threads are never dropped, and kmemleak may find their memory.
# If trace_array_create_dir() runs out of memory in __update_tracer(), it leaks tr->gops and
# the tracers that it has added, also after mkdir.
scan() {
	leaked trace_array_create_dir
}
[ ! -e $kmemleak ] || silent "recorder: kmemleak finds nothing before that" scan

contexts() {
	# The kernel complains about slow NMIs, and a busy host is slow.
	echo 1000000000 >/sys/kernel/debug/x86/nmi_longest_ns || :
	start forget=1
	tell drop
	tell once
	echo 0 >$instance/events/sched/enable
	set -- task irqs_off softirq hardirq nmi
	[ "$(uname -m)" = x86_64 ] || set -- task irqs_off softirq hardirq
	for context; do
		clear_log
		tell context $context
		await in_log "$here written in $context"
		fails in_log "$here lost in"
	done
	rmmod recorder_test
	[ ! -e $instance ]
}
check "recorder: writes, stops, starts and dumps in any context" contexts

# With PREEMPT_RT, a thread of the CPU that goes offline would queue the work otherwise, when it comes back.
hotplug() {
	start forget=1
	tell drop
	tell once
	echo 0 >$instance/events/sched/enable
	tell hotplug
	echo 0 >$cpu1
	clear_log
	tell context task
	await in_log "$here written in task"
	rmmod recorder_test
	echo 1 >$cpu1
	[ ! -e $instance ]
}
check_with hotplug "recorder: writes to the log while a CPU goes offline" hotplug

removed() {
	rmdir $instance || :
	[ ! -e $instance ]
}

# Left in a static, while others use it.
busy() {
	for times in 1 2 3 4 5; do
		start busy=1 size=16
		sleep 0.$times
		tell fire 100
		rmmod recorder_test
		[ ! -e $instance ]
		pgrep '^recorder-user' && return 1
	done
	for keep in 0 5; do
		start busy=1 size=16 keep=$keep
		# It mustn't be killed: in a write to buffer_size_kb, that can turn off tracing (docs/flight-recorder.md).
		while [ -e /sys/module/recorder_test ]; do
			cat $instance/trace || :
			echo 1 >$instance/events/enable || :
			echo 30 >$instance/buffer_size_kb || :
			echo 1 >$instance/snapshot || :
			rmdir $instance || :
		done >/dev/null 2>&1 &
		sleep 1
		await rmmod recorder_test
		wait $!
		# Somebody may still have it open.
		await removed
	done
	clear_log
}
check "recorder: is unloaded while it's used" busy

# The recorder is in a static when the module is unloaded.
left() {
	start forget=1
	tell dump 2
	rmmod recorder_test
	[ ! -e $instance ]
}
check "recorder: is never dropped" left

rmmod c_contexts
