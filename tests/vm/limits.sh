#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Records at the size limits: a record that fits is correct, and one that doesn't is
# dropped.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
event=$tracing/events/event-limits

# What a sub-buffer of one page has room for, and the longest text and list that fit: with
# the header, the location, and the text's NUL.
room=$(($(getconf PAGESIZE) - 24))
longest=$((room - 13))
most=$(((room - 12) / 4))

# fired COMMAND...: writes the commands and prints the trace.
fired() {
	echo >$tracing/trace
	for command; do
		echo "$command" >/proc/event-limits
	done
	shown
}

shown() {
	sed -n 's/^.*: l_[a-z]*: //p' $tracing/trace
}

letters() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%c", 97 + i % 26 }'
}

# line TEXT: what the kernel prints for TEXT. With large pages, a record can have more text than a
# line (TRACE_SEQ_BUFFER_SIZE).
line() {
	if [ ${#1} -lt 8000 ]; then
		echo "$1"
	else
		echo "[LINE TOO BIG]"
	fi
}

# is TEXT COMMAND...: checks that the trace after COMMAND is TEXT.
is() {
	text=$1
	shift
	fired "$@" >"$tmp/shown"
	echo "$text" | cmp - "$tmp/shown" || {
		echo "$*: expected: $text, found:"
		cat "$tmp/shown"
		return 1
	}
}

nothing() {
	fired "$@" >"$tmp/shown"
	fails grep . "$tmp/shown"
}

strings() {
	load event_limits
	echo 1 >$event/enable
	is "[] 1" "str 0"
	is "[a] 2" "str 1"
	is "[(null)] 7" none
	is "$(line "[$(letters $longest)] $((longest + 1))")" "str $longest"
	nothing "str $((longest + 1))" "str $((room + 24))" "str 65518" "str 65519" "str 70000" "str 1000000"
}
check "limits: strings that fit, and strings that do not" strings

after() {
	is "[ab] 3" "str $((longest + 1))" "str 2" "str 1000000"
}
check "limits: a string after one that does not fit" after

bytes() {
	is "[$(printf '\377\300\200z')] 5" bytes
	is "[one] 8" nul
}
check "limits: bytes that are not UTF-8, and a NUL" bytes

# The limit is on the sum: 8, two locations, and the texts with their NULs.
both() {
	half=$((room / 2 - 9))
	is "[abcdefgh] $((half + 1)) [abcdefgh] $((half + 1))" "both $half $half"
	is "[abcdefgh] $((2 * half + 1)) [] 1" "both $((2 * half)) 0"
	nothing "both $((half + 1)) $half" "both $((room - 72)) $((room - 72))" "both 70000 1" "both 1 70000"
}
check "limits: two strings" both

lists() {
	is "0 {}" "list 0"
	is "12 {0xffffffff,0xfffffffe,0xfffffffd}" "list 3"
	[ "$(fired "list 500" | tr -cd x | wc -c)" = 500 ]
	nothing "list $((most + 1))" "list 100000"
}
check "limits: lists" lists

formatted() {
	is "[$(letters 511)] 512" "formatted 511"
	is "[$(letters 511)] 512" "formatted 512"
	is "[$(letters 511)] 512" "formatted 100000"
	is "[] 1" "formatted 0"
}
check "limits: formatted text is truncated" formatted

# Formatting ends where the text is cut off. Some compilers allow no larger width.
endless() {
	is "[$(printf '%511s' '')] 512" "width 65535"
	is "[$(printf '%510s1' '')] 512" "width 511"
	is "[abc $(yes abc | head -169 | tr -d '\n')] 512" endless
}
check "limits: formatting ends when there's no more room" endless

# Up to two get 512 bytes each. More share 1024 bytes, and have what the others leave.
shared() {
	is "4 3 2" "two 3"
	is "512 512 255" "two 600"
	is "aaa 4 bbb 4 ccc 4 ddd 3 6 24 3" "six 3"
	is "aaaa 21 bbbb 21 cccc 21 dddddddd 24 160 20" "six 20"
	is "aaaa 168 bbbb 168 cccc 168 dddddddd 168 176 176" "six 600"
}
check "limits: what's computed shares the stack" shared

# No tool decodes a hex dump, so compare it with the kernel's format in C.
dumped() {
	fired "dump 20" >/dev/null
	sed '/^#/d; s/^.*: l_dump: //' $tracing/trace >"$tmp/shown"
	diff - "$tmp/shown" <<-'END'
	head
	00000000: 68 65 61 64                                      head
	text
	00000000: 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70  abcdefghijklmnop
	00000010: 71 72 73 74 00                                   qrst.
	end
	END
}
check "limits: hex dump" dumped

# With a filter, the record is first written to a separate buffer.
filtered() {
	echo 'text ~ "*yz"' >$event/l_str/filter
	is "[$(letters 52)] 53" "str 51" "str 52" "str $((longest + 1))"
	# The longest that ends in "yz".
	match=$((longest / 26 * 26))
	is "$(line "[$(letters $match)] $((match + 1))")" "str $match"
	nothing "str $longest" "str 0" none "str 100000"
	echo 0 >$event/l_str/filter
}
check "limits: with a filter" filtered

# A text that is too long for the kernel to print. The next record is printed.
too_big() {
	is "[LINE TOO BIG]
[ab] 3" "list $most" "str 2"
}
check "limits: a line that is too big" too_big

# Read trace_pipe without waiting for more.
piped() {
	echo >$tracing/trace
	echo "list $most" >/proc/event-limits
	echo "str 2" >/proc/event-limits
	python3 - $tracing/trace_pipe >"$tmp/piped" <<-'END'
	import os, sys
	fd = os.open(sys.argv[1], os.O_RDONLY | os.O_NONBLOCK)
	try:
	    while data := os.read(fd, 65536):
	        sys.stdout.buffer.write(data)
	except BlockingIOError:
	    pass
	END
	grep 'LINE TOO BIG' "$tmp/piped"
	grep -F 'l_str: [ab] 3' "$tmp/piped"
}
check "limits: the same in trace_pipe" piped

# Sub-buffers can have room for more than a location can express.
locations() {
	subbuf=$(cat $tracing/buffer_subbuf_size_kb)
	echo 256 >$tracing/buffer_subbuf_size_kb
	is "[LINE TOO BIG]" "str 65519"
	nothing "str 65520" "str 65536" "str 70000"
	echo $subbuf >$tracing/buffer_subbuf_size_kb
}
case $(uname -r) in
7.2.*) ok "limits: sub-buffers with more room than that # SKIP Linux 7.2 records no more than fits into the usual ones" ;;
*) check "limits: sub-buffers with more room than that" locations ;;
esac

echo 0 >$event/enable
# perf_fired COMMAND...: writes the commands and prints perf's records. perf's limit is
# 8192 bytes; for larger records, C's events trigger a warning.
perf_fired() {
	for command; do
		echo "echo $command >/proc/event-limits"
	done >"$tmp/commands"
	perf record -q -a -c 1 -m 256 -e 'event-limits:*' -o "$tmp/perf.data" -- sh -e "$tmp/commands"
	perf script -i "$tmp/perf.data" -F trace >"$tmp/shown"
	sed -i 's/^ *//; s/ *$//' "$tmp/shown"
}

perf_limit() {
	perf_fired "str 0" "str 8175" "str 8176" "str 9000" "str 100000" "both 9000 9000" none
	printf '%s\n' "[] 1" "[$(letters 8175)] 8176" "[(null)] 7" | cmp - "$tmp/shown" || {
		cut -c 1-100 "$tmp/shown"
		return 1
	}
}
check "limits: through perf" perf_limit

check "limits: unload" rmmod event_limits
