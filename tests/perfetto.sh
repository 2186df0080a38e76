#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Records spans with Perfetto in a virtual machine and checks the recordings. Runs in
# sid's root, where tools/perfetto installs what it needs. ROUNDS is how often events are
# switched on and off during a recording.

set -eu
. "${0%/*}/lib.sh"

[ -e /opt/perfetto/done ] || {
	not_ok "perfetto: Perfetto is missing: run SUITE=sid tools/perfetto"
	exit
}

# In a directory of their own: the modules in the checkout may be for another kernel.
mkdir "$tmp/modules"
cp -R trace_spans_sample.rs tests/modules/spans.rs tests/modules/command.rs helpers fs "$tmp/modules"
cat >"$tmp/modules/Kbuild" <<-END
obj-m := trace_spans_sample.o spans.o
include $top/tracepoint/Kbuild.include
include \$(src)/fs/Kbuild.include
END
check "perfetto: the modules" make -j"$(nproc)" modules M="$tmp/modules"
strip --strip-debug "$tmp"/modules/*.ko

setpriv --pdeathsig TERM tools/vm -c 2 -t 1800 -l "$tmp/console" \
	env ROUNDS="${ROUNDS-}" tests/perfetto/record "$tmp/modules" >"$tmp/recordings.tar" ||
	not_ok "perfetto: the machine exited with status $?" "$tmp/recordings.tar"
check "perfetto: no complaints on the machine's console" no_complaints "$tmp/console"
mkdir "$tmp/recordings"
check "perfetto: the recordings" tar -C "$tmp/recordings" -xf "$tmp/recordings.tar"
tests/perfetto/check.py "$tmp/recordings" ||
	not_ok "perfetto: check.py exited with status $?" "$tmp/recordings/log"
