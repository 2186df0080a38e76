#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the fuzzers of the host tests for SECONDS [60] with one seed after another, starting with
# SEED [1]. A failure names its seed: SEED=n SECONDS=1 repeats it.

set -eu
. "${0%/*}/lib.sh"

seed=${SEED:-1}
until=$(($(date +%s) + ${SECONDS:-60}))

# The crates for procedural macros are in rust/host since 7.3.
host=$KDIR/rust/host
[ -e "$host/libsyn.rlib" ] || host=$KDIR/rust
export LD_LIBRARY_PATH="$(rustc --print sysroot)/lib" RUST_BACKTRACE=0

compile() {
	RUSTC_BOOTSTRAP=1 rustc --edition 2021 --crate-type proc-macro --crate-name tracepoint_macros \
		--cap-lints warn -L "$host" --extern proc_macro --extern proc_macro2 --extern quote \
		--extern syn --test -o "$tmp/macros" tracepoint/macros/lib.rs
	rustc --edition 2021 --test -A warnings -o "$tmp/number" tests/host/number.rs
}

tools() {
	run tests/host/fuzz.py "$seed" 100
	cat "$tmp/output"
}

# The values after templates, in the virtual machine.
computed() {
	rm -rf "$tmp/modules"
	mkdir "$tmp/modules"
	tests/vm/computed.py generate "$seed" 1000 "$tmp/computed"
	make M="$tmp/computed" modules
	cp "$tmp"/computed/*.ko "$tmp/computed/computed.json" "$tmp/modules"
	strip --strip-debug "$tmp"/modules/*.ko
	tools/vm -k "$(cat "$KDIR/include/config/kernel.release")" \
		env SEED="$seed" tests/vm/run "$tmp/modules" computed >"$tmp/output1"
	cat "$tmp/output1"
	fails grep '^not ok' "$tmp/output1"
}

check "fuzz: the fuzzers compile" compile
while :; do
	export SEED="$seed"
	check "fuzz: the macros' inputs, seed $seed" env ROUNDS=3 "$tmp/macros" fuzz::
	check "fuzz: computed numbers, seed $seed" "$tmp/number" random_expressions
	check "fuzz: values after templates, seed $seed" computed
	check "fuzz: expressions from C, seed $seed" tests/host/values.py "$tmp" "$seed"
	tools
	seed=$((seed + 1))
	[ "$(date +%s)" -lt "$until" ] || break
done
