#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Kernels that require module signatures: with lockdown, as with Secure Boot, and with
# sig_enforce. Neither can be undone, so this is the last script in its machine.

set -eu
. "${0%/*}/lib.sh"

lockdown=/sys/kernel/security/lockdown
enforce=/sys/module/module/parameters/sig_enforce
tracing=/sys/kernel/tracing

mountpoint -q /sys/kernel/security || mount -t securityfs securityfs /sys/kernel/security || :

# refused FILE ERROR LOG: checks insmod's error and the log message.
refused() {
	clear_log
	fails insmod "$1" 2>"$tmp/said"
	cat "$tmp/said"
	grep ": $2\$" "$tmp/said"
	dmesg
	in_log "$3"
}

# check_works NAME: modules with a trusted signature work as usual.
check_works() {
	if [ -d "$modules/signed" ]; then
		check "$1" works
	else
		ok "$1 # SKIP Debian has no firmware with known keys for $(uname -m)"
	fi
}
works() {
	cd "$modules/signed"
	insmod ./trace_events_sample.ko
	echo 1 >$tracing/events/sample-trace/enable
	await grep foo_bar: $tracing/trace
	echo 0 >$tracing/events/sample-trace/enable
	rmmod trace_events_sample
	insmod ./tracepoint_sample.ko
	insmod ./tracepoint_probe_sample.ko
	clear_log
	fire
	logged 10 "tracepoint_probe_sample: Event B is encountered"
	rmmod tracepoint_sample tracepoint_probe_sample
}

# With Secure Boot, some kernels lock themselves down and enforce signatures from the
# start. Then the signature is checked first.
if grep -q Y $enforce 2>/dev/null; then
	error="Key was rejected by service"
	unsigned="Loading of unsigned module is rejected"
	unknown="Loading of module with unavailable key is rejected"
else
	error="Operation not permitted"
	unsigned="Lockdown: insmod: unsigned module loading is restricted"
	unknown=$unsigned
fi

if [ -e $lockdown ]; then
	grep -qF "[integrity]" $lockdown || echo integrity >$lockdown
	for m in tracepoint_sample trace_events_sample; do
		check "lockdown: $m without a signature is refused" refused "$modules/$m.ko" \
			"$error" "$unsigned"
		check "lockdown: $m with a stranger's signature is refused" refused \
			"$modules/stranger/$m.ko" "$error" "$unknown"
	done
	check_works "lockdown: modules signed with a key in the firmware work"
else
	ok "lockdown: # SKIP the kernel cannot be locked down"
fi

if [ -e $enforce ]; then
	echo 1 >$enforce
	m=tracepoint_sample
	check "sig_enforce: $m without a signature is refused" refused "$modules/$m.ko" \
		"Key was rejected by service" "Loading of unsigned module is rejected"
	check "sig_enforce: $m with a stranger's signature is refused" refused \
		"$modules/stranger/$m.ko" "Key was rejected by service" \
		"Loading of module with unavailable key is rejected"
	check_works "sig_enforce: modules signed with a key in the firmware work"
else
	ok "sig_enforce: # SKIP the kernel does not support module signatures"
fi
