#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/patches/machine.sh PROGRAM
#
# Runs PROGRAM, tests/patches/binder.c, in the virtual machine and prints what tests/patches/compare.py
# compares, each part after a line that starts with "###".

set -eu
cd /sys/kernel/tracing

part() {
	echo "### $*"
}

mkdir -p /dev/binderfs
mount -t binder binder /dev/binderfs

# Without tracepoints there's no event, but the program must succeed.
events=$(ls -d events/rust_binder/*/ 2>/dev/null) || :
for event in $events; do
	name=${event%/}
	part "enabled ${name##*/}"
	cat "$event/enable"
	part "format ${name##*/}"
	cat "$event/format"
done

[ ! -e trace ] || echo >trace
part processes
"$1" /dev/binderfs/binder
if [ -n "$events" ]; then
	part trace
	cat trace
fi
part log
dmesg
