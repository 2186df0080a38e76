#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests that need no kernel: builds each of tests/host/*.rs with plain rustc.

set -eu
. "${0%/*}/lib.sh"

for file in tests/host/*.rs; do
	name=${file##*/}
	name=${name%.rs}
	check "host: $name compiles" rustc --edition 2021 -Dwarnings --test -o "$tmp/$name" "$file"
	[ -x "$tmp/$name" ] || continue
	run "$tmp/$name"
	sed -n "s/ - should panic \.\.\. / ... /
		s/^test \(.*\) \.\.\. ok$/ok host: $name: \1/p
		s/^test \(.*\) \.\.\. FAILED$/not ok host: $name: \1/p
		s/^    \(.*\)/# \1/p
		/panicked at/,/^$/s/^/# /p" "$tmp/output"
	grep -q '^test result: ' "$tmp/output" || not_ok "host: $name runs to completion" "$tmp/output"
done
