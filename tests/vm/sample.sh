#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Compares the sample's events with those of the kernel's own sample in C, whose module
# has the same name. It is in $modules/c, as are the kernel's own tests.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
system=$tracing/events/sample-trace
events="foo_bar foo_bar_with_cond foo_bar_with_fn foo_rel_loc foo_timer_fn foo_with_template_cond
	foo_with_template_fn foo_with_template_print foo_with_template_simple"

clean_up() {
	rmmod trace_events_sample 2>/dev/null || :
}

# record DIRECTORY FILE: loads the module with its events enabled from the start. Saves
# the field lines of each event, and the text of all events until the count reaches 10.
record() {
	mkdir "$tmp/$1"
	echo :mod:trace_events_sample >$tracing/set_event
	insmod "$2"
	await grep -q ': foo_rel_loc: [^,]*, 10,' $tracing/trace
	echo '!:mod:trace_events_sample' >$tracing/set_event
	for event in $system/foo*; do
		grep '	field:' $event/format >"$tmp/$1/${event##*/}"
	done
	cat $tracing/trace >"$tmp/$1/trace"
	sed -n 's/^.*: \(foo_[a-z_]*: .*\)/\1/p' "$tmp/$1/trace" | sort >"$tmp/$1/text"
}

in_c() {
	record c "$modules/c/trace-events-sample.ko"
	rmmod trace_events_sample
}
check "sample: the sample in C" in_c

in_rust() {
	record rust "$modules/trace_events_sample.ko"
	cd "$tmp"
	trace-cmd extract
	trace-cmd report >report
	rmmod trace_events_sample
}
check "sample: the sample in Rust" in_rust

# The sample of older kernels has no foo_timer_fn.
printf '\tfield:%s;\toffset:%s;\tsize:4;\tsigned:%s;\n' '__data_loc char[] name' 8 0 'int count' 12 1 \
	>"$tmp/timer"
fields() {
	c=$tmp/c/$1
	[ "$1" != foo_timer_fn ] || [ -e "$c" ] || c=$tmp/common_timer
	diff "$c" "$tmp/rust/$1"
}
{
	grep common_ "$tmp/c/foo_bar"
	cat "$tmp/timer"
} >"$tmp/common_timer"
for event in $events; do
	check "sample: the fields of $event match C's" fields $event
done

# The text up to the count identifies a record; the rest must be equal.
text() {
	awk -v event="$1:" '
		$1 != event { next }
		{ match($0, /[0-9]+/); key = substr($0, 1, RSTART + RLENGTH - 1) }
		NR == FNR { c[key] = $0; next }
		key in c { n++ }
		key in c && c[key] != $0 { bad = 1; print "C:    " c[key]; print "Rust: " $0 }
		END { print n + 0 " compared"; exit bad || !n }
	' "$tmp/c/text" "$tmp/rust/text"
}
# wrong_in_c EVENT: prints why C's own text of the event is wrong, if it is. The helpers
# that format masks start at the beginning of a buffer that all helpers of an event share.
wrong_in_c() {
	case $1-$(uname -m)-$(grep -o clang /proc/version) in
	foo_rel_loc-*) echo "C prints one of the two masks twice" ;;
	foo_bar-x86_64-) ;;
	foo_bar-*) echo "evaluated from left to right, C's masks overwrite the text before them" ;;
	esac
}
for event in foo_bar foo_bar_with_cond foo_bar_with_fn foo_rel_loc foo_with_template_cond \
	foo_with_template_fn foo_with_template_print foo_with_template_simple; do
	name="sample: the text of $event matches C's"
	why=$(wrong_in_c $event)
	if [ -z "$why" ]; then
		check "$name" text $event
	else
		ok "$name # SKIP $why"
	fi
done

rel_loc() {
	grep '^foo_rel_loc:' "$tmp/rust/text" >"$tmp/rel_loc"
	for count in 0 1 2 3 4 5 6 7 8 9 10; do
		grep -qx ".* Hello __rel_loc, $count, 00000000,deadbeef, 00000000,00000003" "$tmp/rel_loc" ||
			cat "$tmp/rel_loc"
	done >"$tmp/missing"
	fails grep . "$tmp/missing"
}
check "sample: the text of foo_rel_loc" rel_loc

tests/vm/decode.py "sample: tools decode" "$tmp/rust/trace" "$tmp/report" $events

# They load the installed module.
tests="event/event-mod.tc dynevent/add_remove_tprobe_module.tc dynevent/add_remove_fprobe_module.tc
	dynevent/add_remove_btfarg.tc"
# Since 7.3, these look for the sample's types in BTF.
for test in dynevent/btf_probe_event.tc dynevent/btf_typecast_accepted.tc; do
	[ ! -e "$modules/c/ftrace/test.d/$test" ] || tests="$tests $test"
done
# The counter is an int, but without a type the kernel reads a long, which has the next int's value, too, and shows it in
# hexadecimal. So the test passes only if both happen to be 0.
test=$modules/c/ftrace/test.d/dynevent/btf_probe_event.tc
[ ! -e "$test" ] || sed -i "s/t->counter)'/t->counter):s32'/" "$test"
# ftracetest resets all events before and after the tests, so run it only once.
(
	cd "$modules/c/ftrace/test.d"
	../ftracetest --logdir "$tmp/ftracetest" $tests
) >"$tmp/said" 2>&1 || :
# passed N: whether the Nth test has passed.
passed() {
	cat "$tmp/said"
	grep -q "^\[$1\].*\[PASS\]" "$tmp/said" || {
		tail -n 40 "$tmp/ftracetest/$1-"*
		return 1
	}
}
n=0
for test in $tests; do
	n=$((n + 1))
	case $test in
	*btf*) check_with btf "sample: ftracetest $test" passed $n ;;
	*) check "sample: ftracetest $test" passed $n ;;
	esac
done
clean_up
