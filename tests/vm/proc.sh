#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Files in /proc.

set -eu
. "${0%/*}/lib.sh"

dir=/proc/tracepoint-test

names() {
	clear_log
	insmod "$modules/proc_test.ko" test=1
	logged 1 "proc_test: ok 1 names"
	logged 1 "proc_test: ok 2 taken"
}
check "proc: bad names are refused without a warning" names

modes() {
	[ "$(stat -c %a $dir $dir/dir $dir/text $dir/dir/long)" = "$(printf '555\n555\n600\n444')" ]
	[ "$(ls $dir/dir)" = "$(printf 'bare\nlong\nrefused')" ]
}
check "proc: directories and modes" modes

text() {
	[ -z "$(cat $dir/text)" ]
	echo one >$dir/text
	[ "$(cat $dir/text)" = one ]
	(
		echo two
		echo three
	) >$dir/text
	[ "$(cat $dir/text)" = "$(printf 'two\nthree')" ]
	: >$dir/text
	head -c 100000 /dev/zero | tr '\0' x | dd of=$dir/text bs=70000 2>/dev/null
	[ "$(wc -c <$dir/text)" = 100000 ]
	printf '\377' >$dir/text
	fails cat $dir/text
}
check "proc: reading shows what was written" text

long() {
	seq 5000 | cmp - $dir/dir/long
	dd if=$dir/dir/long bs=7 skip=100 2>/dev/null >"$tmp/tail"
	seq 5000 | dd bs=7 skip=100 2>/dev/null | cmp - "$tmp/tail"
	[ "$(wc -c <$dir/dir/long)" = 23893 ]
}
check "proc: more than a page" long

refused() {
	fails cat $dir/dir/refused >"$tmp/said" 2>&1
	grep 'Device or resource busy' "$tmp/said"
	fails cat $dir/dir/bare >"$tmp/said" 2>&1
	grep 'Input/output error' "$tmp/said"
	fails sh -c "echo >$dir/dir/bare"
}
check "proc: operations that fail" refused

# After a failed open, a kept reference to the file must not lead to freed memory.
name() {
	fails cat $dir/dir/refused 2>/dev/null
	clear_log
	fails cat $dir/dir/refused 2>/dev/null
	logged 1 "proc_test: the file is refused"
	logged 1 "proc_test: kept, it is (null)"
	logged 1 "proc_test: the last was (null)"
}
check "proc: the name of a file whose open fails" name

# An open file descriptor outlives the module.
removed() {
	exec 4<$dir/text 5<$dir/dir/long
	read -r line <&5
	[ "$line" = 1 ]
	rmmod proc_test
	[ ! -e $dir ]
	fails cat <&4
	exec 4<&- 5<&-
	logged 1 "proc_test: refused is dropped"
}
check "proc: the module is unloaded while its files are open" removed

readers() {
	for cpu in 0 1; do
		while [ ! -e "$tmp/stop" ]; do
			cat $dir/text $dir/dir/long
		done >/dev/null 2>&1 &
	done
	for i in 1 2 3 4 5 6 7 8 9 10; do
		load proc_test
		cat $dir/dir/long >/dev/null
		rmmod proc_test
	done
	touch "$tmp/stop"
	wait
}
check "proc: the module is loaded and unloaded while others read" readers
