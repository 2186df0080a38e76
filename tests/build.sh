#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Builds all modules from nothing, with more warnings than usual. Rust, objtool
# and modpost must have nothing to say. Leaves the modules that vm.sh loads.

set -eu
. "${0%/*}/lib.sh"

# build NAME ARGUMENT...: what Kbuild prints besides what it does is a warning.
build() {
	local name="$1"
	shift
	run make -j"$(nproc)" "$@"
	if [ "$status" = 0 ] && ! grep -v '^  [A-Z]' "$tmp/output" >"$tmp/warnings"; then
		ok "build: $name, without a warning"
	else
		not_ok "build: $name, without a warning" "$tmp/output"
	fi
}

make clean >/dev/null
build "clippy" clippy
build "the samples" W=1 modules
build "the modules of the tests" W=1 modules \
	M=tests/modules KBUILD_EXTRA_SYMBOLS="$top/Module.symvers"
build "the template" W=1 modules M=template
