#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/vm.sh [SCRIPT]...
#
# What is tested with Debian's kernel, in the machine: the scripts of tests/vm.

set -eu
. "${0%/*}/lib.sh"

[ $# -gt 0 ] || set -- demo modules orders c prototypes proc stress

# Without what only a debugger reads; reading that is slow in the machine.
mkdir "$tmp/modules"
cp ./*.ko tests/modules/*.ko "$tmp/modules"
strip --strip-debug "$tmp"/modules/*.ko
gcc -O2 -Wall -pthread -o "$tmp/modules/stress" tests/vm/stress.c

make --no-print-directory modules_install >"$tmp/install" 2>&1 || cat "$tmp/install"

tools/vm -c 2 -l "$tmp/console" -t 600 tests/vm/run "$tmp/modules" "$@" || {
	not_ok "vm: the machine exited with status $?" "$tmp/console"
}
