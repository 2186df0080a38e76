#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests that need no kernel: the unit tests of the library's macros, with the
# kernel's syn and quote, and each of tests/host/*.rs. Built with plain rustc.

set -eu
. "${0%/*}/lib.sh"

# The crates for procedural macros are in rust/host since 7.3.
host=$KDIR/rust/host
[ -e "$host/libsyn.rlib" ] || host=$KDIR/rust

# unit_tests NAME RUSTC...: compiles and runs unit tests.
unit_tests() {
	local name="$1"
	shift
	check "host: $name compiles" "$@" --edition 2021 --test -o "$tmp/$name"
	[ -x "$tmp/$name" ] || return 0
	run "$tmp/$name"
	sed -n "s/ - should panic \.\.\. / ... /
		s/^test \(.*\) \.\.\. ok$/ok host: $name: \1/p
		s/^test \(.*\) \.\.\. FAILED$/not ok host: $name: \1/p
		s/^    \(.*\)/# \1/p
		/panicked at/,/^$/s/^/# /p" "$tmp/output"
	grep -q '^test result: ' "$tmp/output" || not_ok "host: $name runs to completion" "$tmp/output"
}

for file in tests/host/*.rs; do
	name=${file##*/}
	unit_tests "${name%.rs}" rustc -Dwarnings "$file"
done

export LD_LIBRARY_PATH="$(rustc --print sysroot)/lib"
unit_tests macros env RUSTC_BOOTSTRAP=1 rustc --crate-type proc-macro --crate-name tracepoint_macros \
	--cap-lints warn -L "$host" --extern proc_macro --extern proc_macro2 --extern quote --extern syn \
	tracepoint/macros/lib.rs

# tools/schema, and the check of stable events.
run tests/host/schema.py
cat "$tmp/output"
[ "$status" = 0 ] || not_ok "host: schema: runs to completion" "$tmp/output"

# tools/event-from-format: what it prints for each of tests/host/formats. OVERWRITE=1
# rewrites the expected texts.
for file in tests/host/formats/*.format; do
	name=${file##*/}
	expected=${file%.format}.expected
	run tools/event-from-format --system my_driver "$file"
	# The events, what is reported, and whether there was anything to report.
	{
		cat "$tmp/output"
		echo "// exit status $status"
	} >"$tmp/translated"
	[ -z "${OVERWRITE-}" ] || cp "$tmp/translated" "$expected"
	check "host: event-from-format ${name%.format}" diff "$expected" "$tmp/translated"
done

# How the tools in Python end.
run tests/host/command.py
cat "$tmp/output"
[ "$status" = 0 ] || not_ok "host: command: runs to completion" "$tmp/output"

# Its numbers have C's values.
check "host: event-from-format: random expressions" tests/host/values.py "$tmp" "${SEED-1}"

# Neither of the tools fails with an error that isn't its own.
run tests/host/fuzz.py "${SEED-1}" 30
sed 's/^\(ok\|not ok\) fuzz:/\1 host: fuzz:/' "$tmp/output"

# tools/timeline: how it reads traces, and what it makes of them.
run tests/host/timeline.py
cat "$tmp/output"
[ "$status" = 0 ] || not_ok "host: timeline: runs to completion" "$tmp/output"

pointers() {
	fails tests/events/pointers -v tests/host/pointers.format >"$tmp/pointers"
	diff tests/host/pointers.expected "$tmp/pointers"
}
check "host: events whose text follows an address in the record are counted" pointers
