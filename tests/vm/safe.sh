#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A driver in safe code that tries to break the kernel, and C that passes what Rust's
# types can't be.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing
system=$tracing/events/safe_values

# same EXPECTED ACTUAL
same() {
	[ "$1" = "$2" ] || {
		echo "expected: $1"
		echo "found:    $2"
		return 1
	}
}

# records EVENT WHAT: prints the records of EVENT after firing WHAT.
records() {
	echo >$tracing/trace
	echo 1 >"$system/$1/enable"
	echo "$2" >/proc/safe-values
	echo 0 >"$system/$1/enable"
	sed -n "s/^.*: $1: //p" $tracing/trace
}

clear_log
load safe_values

# The kernel would follow what was in the buffer before.
hijacked() {
	bytes='{0xab,0xab,0xab,0xab,0xab,0xab,0xab,0xab}'
	same "first 1 $bytes
second 2 $bytes" "$(records safe_hijacked hijacked)"
}
check "safe: a driver's trait doesn't write the record" hijacked

# Eight bytes would be more than the record has.
shadowed() {
	same 0x7f "$(records safe_shadowed shadowed)"
}
check "safe: a number whose type is shadowed" shadowed

nested() {
	echo 1 >"$system/safe_inner/enable"
	same "4" "$(records safe_nested nested)"
	sed -n "s/^.*: safe_\([a-z]*\): /\1 /p" $tracing/trace >"$tmp/order"
	same "inner 3
nested 4" "$(cat "$tmp/order")"
}
check "safe: an event in the expression of a field" nested

traced() {
	same "3" "$(records safe_inner traced)"
}
check "safe: an argument that's called like something of the macro's" traced

named() {
	same "3
5
97
108" "$(records safe_inner named)"
}
check "safe: traceable functions that are named like C's" named

# There's room for 64.
taken() {
	list=$(printf '0x%x,' $(seq 199 -1 136))
	same "{${list%,}}" "$(records safe_taken taken)"
}
check "safe: an iterator whose take() doesn't" taken

# The log has a complaint if preemption isn't enabled again.
returns() {
	same "0
2
4" "$(records safe_return return)"
}
check "safe: an expression that returns" returns

# Histograms would copy characters up to a NUL.
characters() {
	cat $system/safe_text/format
	fails grep -q 'loc .*char\[' $system/safe_text/format
	echo 'hist:keys=n:v=chars' >$system/safe_text/trigger
	echo 'hist:keys=fixed' >>$system/safe_text/trigger
	records safe_text text
	cat $system/safe_text/hist
	grep -q 'fixed: xxx' $system/safe_text/hist
	echo '!hist:keys=n:v=chars' >$system/safe_text/trigger
	echo '!hist:keys=fixed' >$system/safe_text/trigger
}
check_with histograms "safe: characters without a NUL" characters

# The kernel must not fault on them.
pointers() {
	for filter in 'pointer == "a"' 'number == "a"' 'filtered ~ "*"' 'cpu == 1' 'function.function == kfree'; do
		echo "$filter" >$system/safe_pointer/filter
		records safe_pointer pointer
	done
	echo 0 >$system/safe_pointer/filter
	for key in pointer number filtered cpu; do
		echo "hist:keys=$key" >$system/safe_pointer/trigger
		echo 1 >$system/safe_pointer/enable
		echo pointer >/proc/safe-values
		echo 0 >$system/safe_pointer/enable
		grep -q 'Hits: 3' $system/safe_pointer/hist
		echo "!hist:keys=$key" >$system/safe_pointer/trigger
	done
}
check_with histograms "safe: pointers to nothing in filters and histograms" pointers

# Declarations with another layout, privacy or guard.
others() {
	logged 1 "safe_values: same: accepted"
	logged 1 "safe_values: flags: accepted"
	logged 1 "safe_values: time: accepted"
	for name in private order types packed aligned more small_flags enumeration atomic writable own_type \
		other_clock; do
		logged 1 "safe_values: $name: EINVAL"
	done
	in_log 'is fn(&struct Pair { pub n: u32, pub more: u32 } of 8 bytes), but the probe is'
	in_log '#[repr(packed)] Pair'
	in_log 'is faultable fn(u32), but the probe is fn(u32)'
	in_log 'is fn(&[flags Flags: u32 { One = 1 }]), but the probe is fn(&[enum Flags: u32 { One = 1 }])'
	in_log 'is fn(&struct Writable { value: u32 } of 4 bytes), but the probe is fn(&tracepoint::Writable<u32>)'
}
check "safe: declarations that differ are refused" others

shown='text {0x1,0x2} 7 maybe READ 1
(null) {} 7 (null) WRITE 0
length {} 7 (null) WRITE 0
empty {} 7  WRITE 0
two {0x1} 7 maybe READ 1'
null() {
	clear_log
	echo >$tracing/trace
	echo 1 >$system/safe_c/enable
	load c_null
	echo 0 >$system/safe_c/enable
	rmmod c_null
	logged 1 'safe_values: "text" [1, 2] 7 Some("maybe") read set'
	logged 1 'safe_values: "(null)" [] 7 None write clear'
	logged 1 'safe_values: "length" [] 7 None write clear'
	logged 1 'safe_values: "empty" [] 7 Some("") write clear'
	logged 1 'safe_values: "two" [1] 7 Some("maybe") read set'
	same 5 "$(dmesg | grep -c 'safe_values: ')"
	same "$shown" "$(sed -n 's/^.*: safe_c: //p' $tracing/trace)"
}
check "safe: C passes NULL, variants that don't exist, and another bool" null

null_perf() {
	perf record -q -a -c 1 -o "$tmp/perf.data" -e safe_values:safe_c -- insmod "$modules/c_null.ko"
	rmmod c_null
	same "$shown" "$(perf script -i "$tmp/perf.data" -F trace | sed 's/^ *//; s/ *$//; s/7 WRITE/7  WRITE/; s/7   WRITE/7  WRITE/')"
}
check "safe: the same in perf" null_perf

# A program sees the C arguments, NULL too.
null_bpf() {
	echo "insmod '$modules/c_null.ko'" >"$tmp/null.sh"
	bpftrace -c "/bin/sh $tmp/null.sh" -e 'rawtracepoint:safe_c { @[arg0 == 0, arg3 == 0] = count(); }' >"$tmp/bpf"
	rmmod c_null
	cat "$tmp/bpf"
	grep -qx '@\[1, 0\]: 1' "$tmp/bpf"
	grep -qx '@\[0, 1\]: 1' "$tmp/bpf"
	grep -qx '@\[0, 0\]: 6' "$tmp/bpf"
}
check_with raw "safe: the same in BPF" null_bpf

rmmod safe_values

# The definer's library has another version. The version is the last byte here.
version() {
	python3 - "$modules" "$tmp" <<'END'
import sys
module = open(sys.argv[1] + "/define.ko", "rb").read()
assert module.count(b"Rs\0") == 1
at = module.index(b"Rs\0") + 3
open(sys.argv[2] + "/define.ko", "wb").write(module[:at] + bytes([200]) + module[at + 1:])
END
	for order in "load define_probe:insmod $tmp/define.ko" "insmod $tmp/define.ko:load define_probe"; do
		clear_log
		${order%%:*}
		${order#*:} || :
		dmesg
		dmesg | grep -E 'tracepoint twin: its module has version 200 of the tracepoint library.s interface, but the probe.s has [0-9]+: build both with the same library'
		fails in_log 'called with'
		rmmod define
		rmmod define_probe || :
	done
}
check "safe: a definer with another version of the library" version

# The module that fires is linked by a symbol, which depends on the version.
symbol() {
	python3 - "$modules/define.ko" <<'END'
import re, sys

def rotate(word, n):
    return word >> n | word << 64 - n & (1 << 64) - 1

def permute(x):
    for constant in range(0xf0, 0x4a, -0xf):
        x[2] ^= constant
        x[0], x[2], x[4] = x[0] ^ x[4], x[2] ^ x[1], x[4] ^ x[3]
        x = [x[i] ^ ~x[(i + 1) % 5] & x[(i + 2) % 5] for i in range(5)]
        x[0], x[1], x[2], x[3] = x[0] ^ x[4], x[1] ^ x[0], ~x[2] & (1 << 64) - 1, x[3] ^ x[2]
        shifts = (19, 28), (61, 39), (1, 6), (10, 17), (7, 41)
        x = [word ^ rotate(word, a) ^ rotate(word, b) for word, (a, b) in zip(x, shifts)]
    return x

# The first half of Ascon-Hash256.
def ascon(text):
    x = permute([0x80100cc0002, 0, 0, 0, 0])
    text += b"\1" + b"\0" * (7 - len(text) % 8)
    for i in range(0, len(text), 8):
        x[0] ^= int.from_bytes(text[i:i + 8], "little")
        x = permute(x)
    words = x[0], permute(x)[0]
    return b"".join(word.to_bytes(8, "little") for word in words)

module = open(sys.argv[1], "rb").read()
version = module[module.index(b"Rs\0") + 3]
prototype = re.search(rb"fn\(&struct [^\0]*\)", module).group()
hash = int.from_bytes(ascon(prototype), "big") + version & (1 << 128) - 1
symbol = b"\0__prototype_twin_%d\0" % hash
print(prototype, symbol)
assert symbol in module
END
}
check "safe: the version is part of the symbol that links two modules" symbol
