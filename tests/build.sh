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

# Kbuild has KCSAN look at C only. These are clang's flags for it, in LLVM's words.
if grep -q '^CONFIG_KCSAN=y' "$KDIR/include/config/auto.conf"; then
	KRUSTFLAGS='-Cpasses=forceattrs -Cpasses=function\(tsan\) -Cpasses=tsan-module'
	for argument in force-attribute=sanitize_thread tsan-distinguish-volatile=1 \
		tsan-compound-read-before-write=1 tsan-instrument-func-entry-exit=0; do
		KRUSTFLAGS="$KRUSTFLAGS -Cllvm-args=-$argument"
	done
	export KRUSTFLAGS
fi

make clean >/dev/null
build "clippy" clippy
build "the samples" W=1 modules
build "the modules of the tests" W=1 modules \
	M=tests/modules KBUILD_EXTRA_SYMBOLS="$top/Module.symvers"
build "the template" W=1 modules M=template

[ -z "${KRUSTFLAGS-}" ] || check "build: KCSAN looks at Rust" sh -c 'nm -u tracepoint_sample.o | grep __tsan_read'

stale="modules M=tests/stale KBUILD_EXTRA_SYMBOLS=$top/Module.symvers"
name="build: a module that fires with another prototype is refused"
run make $stale
if [ "$status" != 0 ] &&
	grep -q "modpost: .*__prototype_subsys_eventb_[0-9]*.* undefined" "$tmp/output"; then
	ok "$name"
else
	not_ok "$name" "$tmp/output"
fi
# For the machine, where the module loader is to do so, too.
run make $stale KBUILD_MODPOST_WARN=1
[ "$status" = 0 ] || not_ok "build: that module for the machine" "$tmp/output"
