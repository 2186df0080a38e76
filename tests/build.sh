#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Builds all modules from scratch with extra warnings enabled. Rust, objtool and
# modpost must not print any. Leaves the modules for vm.sh to load.

set -eu
. "${0%/*}/lib.sh"

# build NAME ARGUMENT...: any output other than Kbuild's progress is a warning.
build() {
	local name="$1"
	shift
	run make -j"$(nproc)" "$@"
	if [ "$status" = 0 ] && ! grep -v '^  [A-Z]' "$tmp/output" >"$tmp/warnings"; then
		ok "build: $name, without warnings"
	else
		not_ok "build: $name, without warnings" "$tmp/output"
	fi
}

# Kbuild enables KCSAN for C only. These are clang's flags for it, as LLVM options.
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
build "the test modules" W=1 modules \
	M=tests/modules KBUILD_EXTRA_SYMBOLS="$top/Module.symvers"
build "the template" W=1 modules M=template

[ -z "${KRUSTFLAGS-}" ] || check "build: KCSAN instruments Rust" sh -c 'nm -u tracepoint_sample.o | grep __tsan_read'

stale="modules M=tests/stale KBUILD_EXTRA_SYMBOLS=$top/Module.symvers"
name="build: a module that fires with a different prototype is refused"
run make $stale
if [ "$status" != 0 ] &&
	grep -q "modpost: .*__prototype_subsys_eventb_[0-9]*.* undefined" "$tmp/output"; then
	ok "$name"
else
	not_ok "$name" "$tmp/output"
fi
# Build it anyway, since the module loader must refuse it, too.
run make $stale KBUILD_MODPOST_WARN=1
[ "$status" = 0 ] || not_ok "build: the module with the different prototype, for the virtual machine" "$tmp/output"
