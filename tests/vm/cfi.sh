#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# CONFIG_CFI: the kernel traps when a function is called through a pointer of the wrong
# type. The callers die, so this needs a machine of its own, which is not usable
# afterwards.

set -eu
export modules=$1 whole_log=/run/whole-log
. "${0%/*}/lib.sh"

dmesg -n 5
dmesg -C
: >"$whole_log"

own=/proc/cfi-test
adjust=/proc/self/oom_score_adj

# The wrong probes can't be unregistered.
clean_up() {
	:
}

# Two probes each, since a single one is not called through a pointer.
right() {
	load c_define cfi_test
	echo fire >$own
	logged 1 "cfi_test: first -1"
	logged 1 "cfi_test: second -1"
	echo 1 >$adjust
	logged 1 "cfi_test: third"
	logged 1 "cfi_test: fourth"
	dmesg >"$tmp/log"
	no_complaints "$tmp/log"
	fails in_log CFI
}
check "cfi: iterators in Rust and C call probes in Rust" right

refused() {
	echo refused >$own
	logged 1 "cfi_test: refused: Some(EINVAL)"
	in_log 'cfi_test: tracepoint c_event: the probe has different C types (CONFIG_CFI: 0x'
	logged 1 "cfi_test: refused, too: Some(EINVAL)"
	in_log 'cfi_test: tracepoint cfi_own: the probe has different C types (CONFIG_CFI: 0x'
}
check "cfi: a probe whose types differ in C is not registered" refused

# trapped CALLER TARGET COMMAND: COMMAND dies in CALLER, unless the kernel is permissive.
trapped() {
	clear_log
	status=0
	sh -c "$3" || status=$?
	echo "exit status $status"
	dmesg
	dmesg | grep "CFI failure at $1.* (target: .*$2.*\[cfi_test\]; expected type: 0x"
	zcat /proc/config.gz | grep -q CONFIG_CFI_PERMISSIVE=y || {
		[ "$status" -gt 128 ]
		fails in_log 'cfi_test: called by'
	}
}

# Registered together: once a caller has died, the kernel waits for it forever.
echo 0 >/proc/sys/kernel/panic_on_oops
check "cfi: probes of another type, registered as in C" sh -c "echo own >$own; echo kernel >$own"
check "cfi: a probe of another type is not called by Rust" \
	trapped '.*\[cfi_test\]' wrong_own "echo fire >$own"
check "cfi: a probe of another type is not called by C" \
	trapped __traceiter_oom_score_adj_update wrong_kernel "echo 2 >$adjust"
