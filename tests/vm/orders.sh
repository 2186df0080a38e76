#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loads and unloads the samples in every order.

set -eu
. "${0%/*}/lib.sh"

s=tracepoint_sample p=tracepoint_probe_sample q=tracepoint_probe_sample2
orders="$s,$p,$q $s,$q,$p $p,$s,$q $p,$q,$s $q,$s,$p $q,$p,$s"

# fire_both: opens the file and checks the log messages of both probe modules.
fire_both() {
	clear_log
	fire
	logged 1 "$p: Event is encountered with filename tracepoint-sample"
	logged 10 "$p: Event B is encountered"
	logged 1 "$q: Event is encountered with inode number $(stat -c %i /proc/tracepoint-sample)"
}

# order MODULES: loads in this order and unloads in every order.
order() {
	for unload in $orders; do
		load $(echo "$1" | tr , ' ')
		fire_both
		for m in $(echo "$unload" | tr , ' '); do
			rmmod "$m"
			[ ! -e /proc/tracepoint-sample ] || fire
		done
	done
}

for load in $orders; do
	check "orders: load $load, unload in every order" order "$load"
done

# The definer is reloaded while the probes stay loaded.
reload() {
	load "$p" "$q"
	for times in 1 2 3; do
		load "$s"
		fire_both
		rmmod "$s"
	done
	rmmod "$p" "$q"
}
check "orders: the definer is reloaded" reload

# The probes are reloaded while the definer stays loaded.
reload_probes() {
	load "$s"
	for times in 1 2 3; do
		load "$p" "$q"
		fire_both
		rmmod "$q" "$p"
		clear_log
		fire
		[ -z "$(dmesg)" ]
	done
	rmmod "$s"
}
check "orders: the probes are reloaded" reload_probes

alone() {
	clear_log
	load "$1"
	rmmod "$1"
	[ -z "$(dmesg)" ]
}
for m in $s $p $q; do
	check "orders: $m alone" alone "$m"
done

twice() {
	load "$s"
	fails load "$s"
	rmmod "$s"
	fails rmmod "$s"
}
check "orders: loading the same module twice is refused" twice
