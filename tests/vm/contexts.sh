#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Events and probes in atomic context: with interrupts off, in soft and hard
# interrupts, in an NMI, and on a CPU that is not online.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
event=$tracing/events/context_test/context_event
contexts='task irqs_off softirq hardirq'
if [ "$(uname -m)" = x86_64 ]; then
	contexts="$contexts nmi"
else
	ok "contexts: nmi # SKIP Debian's kernel has no NMIs on $(uname -m)"
fi

# Leave the modules loaded.
clean_up() {
	echo 0 >$event/enable
	echo >$tracing/trace
}

in_context() {
	for context; do
		echo "$context" >/proc/context-test
	done
}

# same EXPECTED ACTUAL
same() {
	[ "$1" = "$2" ] || {
		echo "expected: $1"
		echo "found:    $2"
		return 1
	}
}

# ten_each: checks that standard input has ten lines for each context, the last word.
ten_each() {
	sed 's/.* //' | sort | uniq -c | awk '{ print $2, $1 }' >"$tmp/counts"
	printf '%s 10\n' $contexts | sort | diff - "$tmp/counts"
}

# The kernel warns about long NMI handlers, and ours take long in a slow machine.
[ ! -d /sys/kernel/debug/x86 ] || echo 10000000000 >/sys/kernel/debug/x86/nmi_longest_ns

echo "for c in $contexts; do echo \$c >/proc/context-test; done" >"$tmp/all.sh"

check "contexts: load" load c_contexts context_test

probe() {
	in_context "$1"
	same "10 10" "$(cat /proc/context-counts)"
}
for context in $contexts; do
	check "contexts: $context: a probe" probe "$context"
done

# The first four flags of a record: irqs-off, need-resched (any), hardirq/softirq and
# preempt-depth at the call site.
record() {
	echo 1 >$event/enable
	in_context "$1"
	echo 0 >$event/enable
	cat $tracing/trace
	same "0 1 2 3 4 5 6 7 8 9" "$(sed -n "s/^.*\] $2.* context_event: context=$1 n=//p" $tracing/trace | xargs)"
	echo >$tracing/trace
}
while read -r context signs; do
	case " $contexts " in
	*" $context "*) check "contexts: $context: a record with the right flags" record "$context" "$signs" ;;
	esac
done <<END
task [.].[.][.]
irqs_off d.[.][.]
softirq [.].s
hardirq d.h
nmi d.Z
END

histogram() {
	echo 'hist:keys=context if n < 10' >$event/trigger
	in_context $contexts
	cat $event/hist
	sed -n 's/^{ context: \([^ ]*\) .*hitcount: *10$/\1/p' $event/hist | sort | xargs >"$tmp/found"
	same "$(printf '%s\n' $contexts | sort | xargs)" "$(cat "$tmp/found")"
	echo '!hist:keys=context if n < 10' >$event/trigger
}
check_with histograms "contexts: a histogram" histogram

perf_script() {
	perf record -q -a -c 1 -o "$tmp/perf.data" -e context_test:context_event -- sh "$tmp/all.sh"
	perf script -i "$tmp/perf.data" -F trace | sed 's/ n=[0-9]* *$//; s/=/ /' | ten_each
}
check "contexts: perf" perf_script

bpf() {
	bpftrace -c "/bin/sh $tmp/all.sh" -e 'rawtracepoint:context_event { @[str(arg0)] = count(); }' >"$tmp/bpf"
	for context in $contexts; do
		grep -xF "@[$context]: 10" "$tmp/bpf"
	done
}
check_with btf "contexts: bpf" bpf

# RCU doesn't wait for an offline CPU, so it must not call probes, as in C.
offline() {
	echo 1 >$event/enable
	in_context offline
	echo 0 >$event/enable
	same "20 0" "$(cat /proc/context-counts)"
	fails grep context_event: $tracing/trace
}
check "contexts: a CPU that is not online calls no probe" offline

check "contexts: unload" rmmod context_test c_contexts
