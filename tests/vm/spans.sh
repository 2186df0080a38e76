#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Spans: each begin has its end, whatever is enabled and disabled meanwhile, and the
# kernel's tools can use them.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
system=$tracing/events/spans
echo 16384 >$tracing/buffer_size_kb

# paired [ARGUMENT]...: checks traces.
paired() {
	tests/vm/spans.py "$@"
}

# shown [TRACE]: prints the spans in a trace without ids and durations.
shown() {
	sed -n 's/^.*: \(sp_[a-z]*\): \([a-z]*\) #[0-9]* \(.*\) \[[0-9]* ns, \(.*\)\]$/\1 \2 \3 \4/p' \
		"${1:-$tracing/trace}"
}

enable() {
	echo 1 >$system/enable
}

clean_up() {
	echo 0 >$system/enable
	echo 1 >$tracing/tracing_on
	echo >$tracing/trace
}

cat >"$tmp/exits" <<'END'
sp_work begin key=1 weight=7 0
sp_work end key=1 weight=7 EIO
sp_work begin key=2 weight=7 0
sp_work end key=2 weight=7 0
sp_work begin key=1 weight=8 0
sp_work begin key=1 weight=7 0
sp_work end key=1 weight=7 EIO
sp_work end key=1 weight=8 EIO
sp_work begin key=20 weight=8 0
sp_work end key=20 weight=8 ENOMEM
sp_work begin key=3 weight=8 0
sp_work begin key=3 weight=7 0
sp_work end key=3 weight=7 0
sp_work end key=3 weight=8 0
sp_part begin key=30 name=mutable 0
sp_part begin key=30 name=step 0
sp_part end key=30 name=step 0
sp_part end key=30 name=mutable 0
sp_part begin key=32 name=mutable 0
sp_part begin key=32 name=step 0
sp_part end key=32 name=step 0
sp_part end key=32 name=mutable 0
sp_part begin key=3 name=recurse 0
sp_part begin key=2 name=recurse 0
sp_part begin key=1 name=recurse 0
sp_part begin key=0 name=recurse 0
sp_part end key=0 name=recurse 0
sp_part end key=1 name=recurse 0
sp_part end key=2 name=recurse 0
sp_part end key=3 name=recurse 0
sp_part begin key=40 name=loop 0
sp_part begin key=40 name=break 0
sp_part end key=40 name=break 0
sp_part end key=40 name=loop 0
sp_part begin key=41 name=loop 0
sp_part end key=41 name=loop 0
sp_part begin key=42 name=loop 0
sp_part begin key=42 name=break 0
sp_part end key=42 name=break EBUSY
sp_part end key=42 name=loop 0
sp_part begin key=51 name=underscore 0
sp_part begin key=52 name=first 0
sp_part begin key=52 name=second 0
sp_part end key=52 name=second 0
sp_part end key=52 name=first 0
sp_part end key=51 name=underscore 0
END

exits() {
	load spans
	enable
	echo exits >/proc/spans
	shown | diff "$tmp/exits" -
	paired -n 23
}
check "spans: ?, return, continue, break and recursion" exits
clean_up

sends() {
	enable
	echo async >/proc/spans
	await grep -q 'sp_request: end .* n=1 ' $tracing/trace
	paired -u 1 -n 4
	grep -q 'spans-end-.*: sp_request: end .* n=1 .*ETIMEDOUT' $tracing/trace
	fails grep 'sp_request: end .* n=4 ' $tracing/trace
	shown | grep -v n=1 | grep -v n=4 >"$tmp/sends"
	diff - "$tmp/sends" <<-'END'
	sp_request begin n=2 0
	sp_request begin n=3 0
	sp_request end n=2 0
	sp_request end n=3 0
	sp_request begin n=5 0
	sp_request end n=5 0
	END
}
check "spans: ended by another thread, overlapping, forgotten" sends
clean_up

moments() {
	enable
	echo events >/proc/spans
	sed -n 's/^.*: \(sp_[md][a-z]*: .*\)/\1/p' $tracing/trace | sed 's/id=[0-9]*/id=ID/' >"$tmp/moments"
	printf 'sp_moment: id=ID\nsp_depth: depth=3\nsp_depth: depth=-1\n' | diff - "$tmp/moments"
	echo 1 >$tracing/options/fields
	grep sp_moment $tracing/trace
	echo 0 >$tracing/options/fields
}
check "spans: an instant and a counter" moments
clean_up

# What Perfetto looks for.
fields() {
	for field in "sp_part char track_event_type" "sp_part __data_loc char\[\] slice_name" \
		"sp_request u64 scope_id" "sp_request __data_loc char\[\] track_name" \
		"sp_moment char track_event_type" "sp_depth int counter_value" "sp_depth u8 scope_counter"; do
		grep "field:${field#* };" "$system/${field%% *}/format"
	done
	fails grep scope_ $system/sp_part/format
	fails grep track_event_type $system/sp_depth/format
}
check "spans: the fields of Perfetto's convention" fields

# A span that's open while another instance is enabled has no end there.
instances() {
	mkdir $tracing/instances/late
	echo 1 >$system/enable
	echo hold >/proc/spans
	await grep -q 'begin .*name=held' $tracing/trace
	echo 1 >$tracing/instances/late/events/spans/enable
	echo exits >/proc/spans
	echo release >/proc/spans
	await grep -q 'end .*name=held' $tracing/trace
	fails grep held $tracing/instances/late/trace
	paired -n 24 $tracing/trace
	paired -n 23 $tracing/instances/late/trace
	# The slot that this one had is used again while a span is open.
	echo hold >/proc/spans
	await grep -q 'begin .*name=held' $tracing/instances/late/trace
	echo 0 >$tracing/instances/late/events/spans/sp_part/enable
	echo >$tracing/instances/late/trace
	echo 1 >$tracing/instances/late/events/spans/sp_part/enable
	echo release >/proc/spans
	await sh -c "[ \$(grep -c 'end .*name=held' $tracing/trace) = 2 ]"
	fails grep held $tracing/instances/late/trace
	echo 0 >$tracing/instances/late/events/spans/enable
	rmdir $tracing/instances/late
	paired -n 25
}
check "spans: two instances, enabled at different times" instances
clean_up

nobody_holds() {
	fails pgrep '^spans-hold'
}

# Disabling an event waits until what is open has ended, but not forever.
waits() {
	enable
	echo hold >/proc/spans
	await grep -q 'begin .*name=held' $tracing/trace
	echo disable >/proc/spans
	[ "$(cat $system/sp_part/enable)" = 0 ]
	paired
	echo >$tracing/trace
	enable
	echo hold >/proc/spans
	await grep -q 'begin .*name=held' $tracing/trace
	echo 0 >$system/enable
	echo release >/proc/spans
	await nobody_holds
	paired -u 1 -n 0
}
check "spans: disabling waits for those that are open" waits
clean_up

# While nothing is recorded at the begin, nothing is recorded at the end.
off() {
	enable
	echo 0 >$tracing/tracing_on
	echo hold >/proc/spans
	sleep 0.2
	echo 1 >$tracing/tracing_on
	echo release >/proc/spans
	echo exits >/proc/spans
	paired -n 23
	fails grep held $tracing/trace
}
check "spans: tracing_on in the middle" off
clean_up

many_instances() {
	for i in $(seq 15); do
		mkdir $tracing/instances/i$i
		echo 1 >$tracing/instances/i$i/events/spans/sp_part/enable
	done
	enable_failed=
	echo 1 >$system/sp_part/enable || enable_failed=yes
	[ "$enable_failed" ]
	mkdir $tracing/instances/none
	fails sh -c "echo traceoff >$tracing/instances/none/events/spans/sp_part/trigger"
	echo exits >/proc/spans
	for i in $(seq 15); do
		paired -n 16 $tracing/instances/i$i/trace
		echo 0 >$tracing/instances/i$i/events/spans/sp_part/enable
		rmdir $tracing/instances/i$i
	done
	# The kernel wouldn't disable it any more, and the probe would use the instance that's gone.
	fails sh -c "echo 1 >$tracing/instances/none/events/spans/sp_part/enable"
	rmdir $tracing/instances/none
	echo exits >/proc/spans
	echo 1 >$system/sp_part/enable
} 2>/dev/null
check "spans: 15 instances, and no more" many_instances
clean_up

# Four threads and a timer, while all is switched on and off.
toggled() {
	rounds=${ROUNDS:-100}
	expedited=$(cat /sys/kernel/rcu_expedited)
	echo 1 >/sys/kernel/rcu_expedited
	mkdir $tracing/instances/other
	echo 16384 >$tracing/instances/other/buffer_size_kb
	echo run >/proc/spans
	for i in $(seq $rounds); do
		echo 1 >$system/enable
		[ $i != $((rounds / 4)) ] || echo 1 >$tracing/instances/other/events/spans/enable
		echo 0 >$system/enable
		[ $i != $((rounds / 3)) ] || echo 0 >$tracing/instances/other/events/spans/enable
	done
	echo stop >/proc/spans
	echo $expedited >/sys/kernel/rcu_expedited
	cat $tracing/per_cpu/cpu*/stats $tracing/instances/other/per_cpu/cpu*/stats | grep overrun: >"$tmp/overrun"
	fails grep -v ': 0$' "$tmp/overrun"
	grep -q 'in the timer' $tracing/trace
	paired -n 500 $tracing/trace $tracing/instances/other/trace
	rmdir $tracing/instances/other
}
check "spans: paired while switched on and off, with four threads and a timer" toggled
clean_up

# perf unregisters its probe first, and waits for it afterwards.
perf_comes_and_goes() {
	echo run >/proc/spans
	for i in $(seq 4); do
		echo 1 >$system/sp_part/enable
		perf record -q -a -e 'spans:*' -o "$tmp/perf.data" sleep 0.05
		echo 0 >$system/sp_part/enable
	done
	echo stop >/proc/spans
	perf script -i "$tmp/perf.data" | grep -c 'spans:'
}
check "spans: perf comes and goes while spans begin and end" perf_comes_and_goes
clean_up

histogram() {
	echo 'hist:keys=key:vals=duration:sort=key if duration > 0' >$system/sp_part/trigger
	echo exits >/proc/spans
	cat $system/sp_part/hist
	sed -n 's/^{ key: *\([0-9]*\) } hitcount: *\([0-9]*\)  duration: *[1-9][0-9]*$/\1:\2/p' \
		$system/sp_part/hist | xargs >"$tmp/hist"
	echo "0:1 1:1 2:1 3:1 30:2 32:2 40:2 41:1 42:2 51:1 52:2" | diff - "$tmp/hist"
	echo '!hist:keys=key:vals=duration:sort=key if duration > 0' >$system/sp_part/trigger
	echo 'hist:keys=key,duration.log2 if duration > 0' >$system/sp_work/trigger
	echo exits >/proc/spans
	grep 'duration: ~ 2^' $system/sp_work/hist
	echo '!hist:keys=key,duration.log2 if duration > 0' >$system/sp_work/trigger
}
check_with histograms "spans: a histogram of durations by key" histogram
clean_up

# Begin and end joined by the id. ">" would remove the first trigger.
synthetic() {
	echo 'sp_latency u64 id; u32 key; u64 ns' >$tracing/synthetic_events
	echo 'hist:keys=id:t=common_timestamp if duration == 0' >>$system/sp_work/trigger
	echo 'hist:keys=id:d=common_timestamp-$t:onmatch(spans.sp_work).trace(sp_latency,id,key,$d) if duration > 0' \
		>>$system/sp_work/trigger
	echo 1 >$tracing/events/synthetic/sp_latency/enable
	echo exits >/proc/spans
	sed -n 's/^.*: sp_latency: id=[0-9]* key=\([0-9]*\) ns=[1-9][0-9]*$/\1/p' $tracing/trace | xargs >"$tmp/keys"
	echo 1 2 1 1 20 3 3 | diff - "$tmp/keys"
	echo 0 >$tracing/events/synthetic/sp_latency/enable
	echo '!hist:keys=id:d=common_timestamp-$t:onmatch(spans.sp_work).trace(sp_latency,id,key,$d) if duration > 0' \
		>>$system/sp_work/trigger
	echo '!hist:keys=id:t=common_timestamp if duration == 0' >>$system/sp_work/trigger
	echo '!sp_latency' >>$tracing/synthetic_events
}
check_with synthetic "spans: a synthetic event from begin and end" synthetic
clean_up

filter() {
	echo 'duration > 0 && result < 0' >$system/sp_work/filter
	echo 1 >$system/sp_work/enable
	echo exits >/proc/spans
	shown | diff - "$tmp/failed"
	echo 0 >$system/sp_work/filter
}
grep 'sp_work end .* E' "$tmp/exits" >"$tmp/failed"
check "spans: a filter by result" filter
clean_up

echo 'echo exits >/proc/spans' >"$tmp/fire.sh"

bpf() {
	bpftrace -c "/bin/sh $tmp/fire.sh" -e '
		tracepoint:spans:sp_work /args.duration > 0/ { printf("%d %d\n", args.key, args.result) }' |
		sed '/^Attaching/d; /^$/d' >"$tmp/bpf"
	printf '1 -5\n2 0\n1 -5\n1 -5\n20 -12\n3 0\n3 0\n' | diff - "$tmp/bpf"
}
check_with btf "spans: bpftrace reads durations and results" bpf

perf_text() {
	perf record -q -a -c 1 -o "$tmp/perf.data" -e 'spans:*' -- sh "$tmp/fire.sh"
	perf script -i "$tmp/perf.data" -F event,trace |
		sed -n 's/^ *spans:\(sp_[a-z]*\): *\([a-z]*\) #[0-9]* \(.*\) \[[0-9]* ns, \(.*\)\] *$/\1 \2 \3 \4/p' |
		diff "$tmp/exits" -
}
check "spans: perf record, perf script" perf_text

trace_cmd() {
	cd "$tmp"
	trace-cmd record -q -e spans sh "$tmp/fire.sh"
	trace-cmd report 2>/dev/null | sed 's/: \(sp_[a-z]*\): */: \1: /' >report
	shown report | diff exits -
}
check "spans: trace-cmd record, trace-cmd report" trace_cmd
clean_up

sample() {
	load trace_spans_sample
	echo 1 >$tracing/events/sample_spans/enable
	await grep -q 'sample_bad_sector: request' $tracing/trace
	await grep -q 'sample_request: end .*, EIO]' $tracing/trace
	# With PREEMPT_RT, timers run in a thread.
	await grep -q '\(<idle>\|ktimers/[0-9]*\)-.*sample_request: end .*, 0]' $tracing/trace
	echo 0 >$tracing/events/sample_spans/enable
	# A request can be open when its event is disabled.
	sed '/sample_request: /d' $tracing/trace >"$tmp/sample"
	rmmod trace_spans_sample
	paired -n 20 "$tmp/sample"
	in_log 'failed: EIO'
}
check "spans: the sample" sample
clean_up

check "spans: unload" rmmod spans

# unload_time: loads a module with 16 spans that are enabled in four instances, has it forget one of each
# if FORGET is set, and prints how long unloading it takes, in milliseconds.
unload_time() {
	load spans_forgotten
	for i in . instances/f1 instances/f2 instances/f3; do
		mkdir -p $tracing/$i
		echo 1 >$tracing/$i/events/spans_forgotten/enable
	done
	[ ! "${FORGET-}" ] || echo >/proc/spans-forgotten
	for i in . instances/f1 instances/f2 instances/f3; do
		[ "$(grep -c ': begin #' $tracing/$i/trace)" = ${FORGET:-0} ]
	done
	read -r before _ </proc/uptime
	rmmod spans_forgotten
	read -r after _ </proc/uptime
	rmdir $tracing/instances/f?
	echo $(((${after%.*}${after#*.} - ${before%.*}${before#*.}) * 10))
}

# Unloading waits for all of them together. One after another, it can't take less than 64 times 100 ms.
forgotten() {
	without=$(unload_time)
	with=$(FORGET=16 unload_time)
	echo "$without ms, with forgotten spans $with ms"
	[ $((with - without)) -lt 6400 ]
}
check "spans: unload with many that have been forgotten" forgotten
