#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Consumers of events: compares what each of them sees with what was fired.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
system=$tracing/events/event_fields
begin=$system/f_begin
end=$system/f_end

# Ten records: ID, ID - 5, ID * 1000000007, n0 to n2.
lines=$(awk 'BEGIN {
	for (i = 1; i <= 10; i++)
		printf "%d %d %.0f n%d\n", i, i - 5, i * 1000000007, i % 3
}')
echo "$lines" >"$tmp/lines"
echo "cat '$tmp/lines' >/proc/event-fields" >"$tmp/fire.sh"

fire_all() {
	cat "$tmp/lines" >/proc/event-fields
}

# text ID...: prints the expected text of f_begin.
text() {
	for id; do
		echo "id=$id small=$((id - 5)) wide=$((id * 1000000007)) name=n$((id % 3)) fixed=n$((id % 3))" \
			"$(printf 'list={0x%x,0x%x}' $id $((id + 1))) cpus=$((id % 2)) odd=$((id % 2))"
	done
}
all='1 2 3 4 5 6 7 8 9 10'
text $all >"$tmp/all"

# shown [INSTANCE]: prints the text of f_begin in the trace.
# ids EVENT [INSTANCE]: prints the ids of EVENT in the trace.
shown() {
	sed -n 's/^.*: f_begin: //p' "${1:-$tracing}/trace"
}
ids() {
	sed -n "s/^.*: $1: .*\<id=\([0-9]*\).*/\1/p" "${2:-$tracing}/trace" | xargs
}

# same EXPECTED ACTUAL
same() {
	[ "$1" = "$2" ] || {
		echo "expected: $1"
		echo "found:    $2"
		return 1
	}
}

clean_up() {
	sed '/^#/d; s/^/# /' $tracing/trace
	reset
}

reset() {
	# The triggers of f_end refer to those of f_begin.
	for event in $end $begin; do
		[ -d $event ] || continue
		echo 0 >$event/enable
		echo 0 >$event/filter
		sed 's/^/!/; /^!#/d; s/ \[active\]$//' $event/trigger | tac | while read -r trigger; do
			echo "$trigger" >$event/trigger || echo "cannot remove $trigger"
		done
	done
	echo >$tracing/set_event_pid
	echo 1 >$tracing/tracing_on
	echo >$tracing/trace
}

in_trace() {
	load event_fields
	echo 1 >$system/enable
	fire_all
	shown | diff "$tmp/all" -
	same "$all" "$(ids f_end)"
	reset
}
check "consumers: trace" in_trace

# filter EXPRESSION IDS: checks which records a filter passes, with fields of each kind.
filter() {
	echo "$1" >$begin/filter
	echo 1 >$begin/enable
	fire_all
	same "$2" "$(ids f_begin)"
	reset
}
while IFS=';' read -r expression expected; do
	check "consumers: filter $expression" filter "$expression" "$expected"
done <<END
id == 7;7
id != 7 && id > 5;6 8 9 10
small < 0;1 2 3 4
small == -4 || small == 5;1 10
wide == 3000000021;3
wide & 1;1 3 5 7 9
name == "n1";1 4 7 10
name ~ "*2";2 5 8
name != "n0" && odd == 1;1 5 7
fixed == "n0";3 6 9
fixed ~ "n[12]";1 2 4 5 7 8 10
pointer == "n2";2 5 8
cpus & CPUS{1};1 3 5 7 9
cpus == CPUS{0};2 4 6 8 10
!(odd == 0);1 3 5 7 9
END

# As in C, a FILTER_CPU field matches the current CPU instead, and every event has a
# FILTER_COMM field that matches the task.
task_filter() {
	filter "$1 && id < 3" "$2"
}
check "consumers: filter COMM" task_filter "comm == \"$(cat /proc/$$/comm)\" || comm == \"cat\"" "1 2"
check "consumers: filter CPU" task_filter "cpu != 77" "1 2"

bad_filters() {
	fails echo 'nonsense == 1' >$begin/filter
	fails echo 'name > 3' >$begin/filter
	fails echo 'id ~ "x"' >$begin/filter
	echo 0 >$begin/filter
} 2>/dev/null
check "consumers: filters that make no sense are refused" bad_filters

instance() {
	mkdir $tracing/instances/one
	echo 1 >$tracing/instances/one/events/event_fields/enable
	fire_all
	shown $tracing/instances/one | diff "$tmp/all" -
	same "" "$(ids f_begin)"
	same "$all" "$(ids f_end $tracing/instances/one)"
	rmdir $tracing/instances/one
}
check "consumers: an instance" instance

by_name() {
	echo event_fields:f_end >$tracing/set_event
	fire_all
	same "$all" "$(ids f_end)"
	same "" "$(ids f_begin)"
	echo >$tracing/set_event
	reset
}
check "consumers: set_event" by_name

by_pid() {
	echo 1 >$system/enable
	echo 1 >$tracing/set_event_pid
	fire_all
	same "" "$(ids f_begin)"
	sh -c "echo \$\$ >$tracing/set_event_pid
		while read -r line; do echo \$line >/proc/event-fields; done <$tmp/lines"
	same "$all" "$(ids f_begin)"
	reset
}
check "consumers: set_event_pid" by_pid

# The event is registered, but records nothing until the trigger enables it.
soft_disabled() {
	echo 'enable_event:event_fields:f_begin if id == 4' >$end/trigger
	grep -q '0\*' $begin/enable
	echo 1 >$end/enable
	fire_all
	same "5 6 7 8 9 10" "$(ids f_begin)"
	same "$all" "$(ids f_end)"
	echo 0 >$begin/enable
	echo '!enable_event:event_fields:f_begin' >$end/trigger
	reset
}
check "consumers: enable_event, soft-disabled before" soft_disabled

disable() {
	echo 'disable_event:event_fields:f_begin if id == 4' >$end/trigger
	echo 1 >$begin/enable
	fire_all
	same "1 2 3 4" "$(ids f_begin)"
	reset
}
check "consumers: disable_event" disable

traceoff() {
	echo 'traceoff if id == 5' >$begin/trigger
	echo 1 >$system/enable
	fire_all
	same "1 2 3 4" "$(ids f_end)"
	reset
}
check "consumers: traceoff" traceoff

stacktrace() {
	echo 'stacktrace:1' >$begin/trigger
	echo 1 >$begin/enable
	fire_all
	same 1 "$(grep -c '<stack trace>' $tracing/trace)"
	same "$all" "$(ids f_begin)"
	reset
}
check "consumers: stacktrace" stacktrace

histogram() {
	echo 'hist:keys=name:vals=id,wide:sort=name' >$begin/trigger
	fire_all
	same "n0 18 18000000126 3,n1 22 22000000154 4,n2 15 15000000105 3" "$(
		sed -n 's/^{ name: \([^ ]*\) *} hitcount: *\([0-9]*\)  id: *\([0-9]*\)  wide: *\([0-9]*\)$/\1 \3 \4 \2/p' \
			$begin/hist | paste -s -d ,)"
	reset
}
check_with histograms "consumers: a histogram by string" histogram

# The kernel sorts the values as signed, but prints them as unsigned.
signed() {
	echo 'hist:keys=small:sort=small' >$begin/trigger
	fire_all
	same "...612 ...613 ...614 ...615 0 1 2 3 4 5" "$(sed -n 's/^{ small: *\([0-9]*\) }.*/\1/p' $begin/hist |
		sed 's/^18446744073709551/.../' | xargs)"
	reset
}
check_with histograms "consumers: a histogram by a signed number" signed

# A synthetic event prints an s8 as unsigned.
synthetic() {
	echo 'f_pair u32 id; s8 small; char name[]; u64 delta' >$tracing/synthetic_events
	echo 'hist:keys=id:s=small,n=name,t=common_timestamp.usecs' >$begin/trigger
	echo 'hist:keys=id:d=common_timestamp.usecs-$t:onmatch(event_fields.f_begin).trace(f_pair,id,$s,$n,$d)' >$end/trigger
	echo 1 >$tracing/events/synthetic/f_pair/enable
	fire_all
	sed -n 's/^.*: f_pair: \(.*\) delta=[0-9]*$/\1/p' $tracing/trace >"$tmp/pairs"
	for id in $all; do
		echo "id=$id small=$((id - 5 & 255)) name=n$((id % 3))"
	done | diff - "$tmp/pairs"
	echo 0 >$tracing/events/synthetic/f_pair/enable
	reset
	echo '!f_pair' >>$tracing/synthetic_events
}
check_with synthetic "consumers: a synthetic event from two events" synthetic

# dynamic NAME DEFINITION SHOWN: creates a dynamic event on f_begin and compares the
# arguments that it prints.
dynamic() {
	echo "$2" >$tracing/dynamic_events
	echo 1 >$tracing/events/mine/enable
	fire_all
	sed -n "s/^.*: $1: ([^)]*) //p" $tracing/trace >"$tmp/dynamic"
	for id in $all; do
		n=n$((id % 3))
		eval "echo \"id=$id small=$((id - 5)) $3\""
	done | diff - "$tmp/dynamic"
	echo 0 >$tracing/events/mine/enable
	echo "-:mine/$1" >>$tracing/dynamic_events
	reset
}
check "consumers: an eprobe" dynamic f_eprobe \
	'e:mine/f_eprobe event_fields/f_begin id=$id:u32 small=$small:s8 name=$name:string fixed=$fixed:string' \
	'name=\"$n\" fixed=\"$n\"'
check "consumers: a tprobe" dynamic f_tprobe \
	't:mine/f_tprobe f_begin id=$arg1:u32 small=$arg2:s8 name=+0($arg4):string' \
	'name=\"$n\"'

perf_script() {
	perf record -q -a -c 1 -o "$tmp/perf.data" -e 'event_fields:*' -- sh "$tmp/fire.sh"
	perf script -i "$tmp/perf.data" -F event,trace |
		sed -n 's/^ *event_fields:f_begin: *//p' | diff "$tmp/all" -
	same "$all" "$(perf script -i "$tmp/perf.data" -F event,trace |
		sed -n 's/^ *event_fields:f_end: *id=//p' | xargs)"
}
check "consumers: perf record, perf script" perf_script

perf_stat() {
	perf stat -a -x, -o "$tmp/stat" -e event_fields:f_begin,event_fields:f_end -- sh "$tmp/fire.sh"
	same "10 10" "$(sed -n 's/^\([0-9]*\),.*event_fields.*/\1/p' "$tmp/stat" | xargs)"
}
check "consumers: perf stat" perf_stat

perf_filter() {
	perf record -q -a -c 1 -o "$tmp/perf.data" -e event_fields:f_begin \
		--filter 'name == "n1" && small > 0' -- sh "$tmp/fire.sh"
	perf script -i "$tmp/perf.data" -F trace | sed 's/^ *//; s/ *$//' >"$tmp/shown"
	text 7 10 | diff - "$tmp/shown"
}
check "consumers: a perf filter" perf_filter

bpf() {
	bpftrace -c "/bin/sh $tmp/fire.sh" -e "$1" | sed '/^Attaching/d; /^$/d' >"$tmp/bpf"
	for id in $all; do
		echo "$id $((id - 5)) $((id * 1000000007)) n$((id % 3))"
	done | diff - "$tmp/bpf"
}
# Use the array: this bpftrace prints every __data_loc string as empty, C's included.
check_with btf "consumers: bpftrace tracepoint:" bpf \
	'tracepoint:event_fields:f_begin { printf("%d %d %llu %s\n", args.id, args.small, args.wide, args.fixed); }'
# An argument is zero-extended, as C's are.
check_with raw "consumers: bpftrace rawtracepoint:" bpf \
	'rawtracepoint:f_begin /arg1 <= 255/ { printf("%d %d %llu %s\n", arg0, (int8)arg1, arg2, str(arg3)); }'

trace_cmd() {
	cd "$tmp"
	trace-cmd record -q -e event_fields sh "$tmp/fire.sh"
	trace-cmd report 2>/dev/null >report
	sed -n 's/^.*: f_begin: *//p' report | diff all -
	same "$all" "$(sed -n 's/^.*: f_end: *id=//p' report | xargs)"
}
check "consumers: trace-cmd record, trace-cmd report" trace_cmd

check "consumers: unload" rmmod event_fields
