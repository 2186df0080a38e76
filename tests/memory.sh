#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the host tests with what finds wrong accesses to memory. Debian has no Miri, but its
# engine is what evaluates constants: the compiler runs tests/host/constants.rs. The rest runs
# with AddressSanitizer and in valgrind, which tools/evidence installs.

set -eu
. "${0%/*}/lib.sh"

# by_compiler TREE: evaluates constants, with checks that are off by default.
by_compiler() {
	RUSTC_BOOTSTRAP=1 rustc --edition 2021 --crate-type lib --emit metadata -A warnings \
		-Zextra-const-ub-checks --cfg by_compiler -o "$tmp/constants.rmeta" "$1/tests/host/constants.rs"
}

# sanitized TREE NAME: Debian's rustc has no runtime of the sanitizer, but gcc has. It must be
# the first library.
sanitized() {
	RUSTC_BOOTSTRAP=1 rustc --edition 2021 --test -A warnings -Zsanitizer=address -Zexternal-clangrt \
		-Zpre-link-args=-Wl,--no-as-needed -Zpre-link-args=-lasan -o "$tmp/$2.asan" "$1/tests/host/$2.rs"
	ASAN_OPTIONS=detect_leaks=0 ROUNDS=1 "$tmp/$2.asan" --test-threads 1
}

# in_valgrind TREE NAME: finds bytes that were never written.
in_valgrind() {
	rustc --edition 2021 --test -A warnings -o "$tmp/$2.test" "$1/tests/host/$2.rs"
	valgrind --quiet --error-exitcode=9 "$tmp/$2.test" --test-threads 1
}

# found TEXT FILE EDIT COMMAND...: with this edit of the library, the command must say TEXT.
found() {
	local text="$1" file="$2" edit="$3"
	shift 3
	rm -rf "$tmp/tree"
	mkdir -p "$tmp/tree/tests"
	cp -R tracepoint "$tmp/tree"
	cp -R tests/host "$tmp/tree/tests"
	sed -i "$edit" "$tmp/tree/$file"
	fails cmp -s "$file" "$tmp/tree/$file"
	fails "$@" >"$tmp/found" 2>&1 || { cat "$tmp/found"; return 1; }
	grep -q "$text" "$tmp/found" || { cat "$tmp/found"; return 1; }
}

check "memory: the compiler evaluates the constants" by_compiler .
check "memory: the compiler refuses a copy out of bounds" found "memory access failed" tracepoint/base/text.rs \
	's/let room = N - self.len/let room = N + self.len/' by_compiler "$tmp/tree"
check "memory: the compiler refuses bytes that were never written" found "uninitialized" tracepoint/base/text.rs \
	's/bytes: \[0; N\],/bytes: unsafe { core::mem::MaybeUninit::uninit().assume_init() },/' by_compiler "$tmp/tree"

for name in record constants prototype tail template number; do
	check "memory: AddressSanitizer: $name" sanitized . "$name"
done
check "memory: AddressSanitizer finds a write out of bounds" found "AddressSanitizer: .*overflow" \
	tracepoint/base/event/field/dynamic.rs 's/text.len().min(self.left)/text.len().min(self.left + 9)/' sanitized "$tmp/tree" record

if command -v valgrind >/dev/null; then
	check "memory: valgrind: record" in_valgrind . record
	check "memory: valgrind finds bytes that were never written" found "depends on uninitialised" \
		tracepoint/base/event/field/dynamic.rs 's/copy_nonoverlapping(text.as_ptr(), self.to, n)/()/' in_valgrind "$tmp/tree" record
else
	not_ok "memory: valgrind is missing: run tools/evidence"
fi
