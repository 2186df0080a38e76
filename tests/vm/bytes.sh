#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Records contain no stale bytes: fills the buffers with a pattern and checks each
# byte of the records that follow.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
# Has four bytes of padding before clone_flags. Fires once after each round.
control=task/task_newtask
cpus=$(seq 0 $(($(nproc) - 1)))
rounds='for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	echo $seed 1 >/proc/event-values
	(:)
done'
events=$(load event_values && cd $tracing/events && echo event-values/v_*)

fill() {
	echo 256 >$tracing/buffer_size_kb
	marker=$(printf '%01000d' 0 | tr 0 U)
	for cpu in $cpus; do
		taskset -c $cpu sh -c "while grep -q '^overrun: 0$' $tracing/per_cpu/cpu$cpu/stats; do
			for i in 0 1 2 3 4 5 6 7 8 9; do
				echo $marker >$tracing/trace_marker
			done
		done"
	done
	echo >$tracing/trace
}
check "bytes: fill the trace buffers with a pattern" fill

ring_buffer() {
	for event in $control $events; do
		echo 1 >$tracing/events/$event/enable
	done
	eval "$rounds"
	echo 0 >$tracing/events/enable
	for cpu in $cpus; do
		# Don't wait for more data.
		python3 -c 'import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY | os.O_NONBLOCK)
size = os.sysconf("SC_PAGE_SIZE")
try:
    while page := os.read(fd, size):
        sys.stdout.buffer.write(page.ljust(size, b"\0"))
except BlockingIOError:
    pass' $tracing/per_cpu/cpu$cpu/trace_pipe_raw
	done >"$tmp/pages"
	tests/vm/bytes.py $control $events <"$tmp/pages"
}
check "bytes: records in a trace buffer" ring_buffer

perf() {
	options=$(echo $control $events | tr ' /' '\n:' | sed 's/^/-e /')
	command perf record -q -a -R -c 1 -m 2048 -o "$tmp/perf.data" $options -- sh -c "$rounds"
	tests/vm/bytes.py $control $events <"$tmp/perf.data"
}
check "bytes: records for perf" perf

echo 1408 >$tracing/buffer_size_kb
check "bytes: unload" rmmod event_values
