#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Modules that run tests when they are loaded and write the results to the log.

set -eu
. "${0%/*}/lib.sh"

# relay MODULE: prints the module's results. Fails if the log has fewer results than
# planned.
relay() {
	dmesg | sed -n "s/^\[[^]]*\] $1: //p" | awk -v module="$1" '
		/^1\.\./ { plan = substr($0, 4) }
		/^ok / { n++; $2 = module ":"; print }
		/^not ok / { n++; $3 = module ":"; print }
		/^#/
		END {
			if (plan == "" || n != plan)
				print "not ok " module ": " n + 0 " of " plan + 0 " results"
		}'
}

for m in tracepoint_test race_test; do
	clear_log
	check "$m: loads" load "$m"
	relay "$m"
	check "$m: unloads" rmmod "$m"
done

names() {
	clear_log
	load names
	logged 1 "names: 0 1 text 5 4"
	rmmod names
}
check "names: a driver may use the macros' internal names" names

# The library without the layers that can be left out.
without_layers() {
	insmod tests/.without-layers/trace_events_sample.ko
	echo 1 >/sys/kernel/tracing/events/sample-trace/enable
	await grep -q ': foo_bar_with_cond: foo Some times print [0-9]*0' /sys/kernel/tracing/trace
	rmmod trace_events_sample
	insmod tests/.without-layers/tracepoint_sample.ko
	fails cat /proc/tracepoint-sample 2>&1 | grep 'Operation not permitted'
	rmmod tracepoint_sample
}
check "modules: the samples run without layers" without_layers

# What tools/new-driver has made, and build.sh has built.
new_driver() {
	clear_log
	tests/.new-driver/test
}
check "new-driver: the test of a new driver passes" new_driver
