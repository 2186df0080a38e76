#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the examples of README.md, docs and doc comments, which are in the module readme
# (tests/readme.py), with their events enabled.

set -eu
. "${0%/*}/lib.sh"

tracing=/sys/kernel/tracing

run_examples() {
	echo 'postbox:*:mod:readme' >>$tracing/set_event
	load readme
	dmesg | grep 'readme: .*, example ' >"$tmp/examples"
	cat $tracing/trace >"$tmp/trace"
	cat "$tmp/examples"
	fails grep -v ': Ok(())$' "$tmp/examples"
	[ "$(grep -c '' "$tmp/examples")" = "$(grep -c 'let result = example_' "$modules/readme.rs")" ]
}
check "readme: the examples run" run_examples

# An example can also fire a tracepoint that isn't an event.
recorded() {
	for name in $(sed -n 's:^// fired\: ::p' "$modules/readme.rs"); do
		[ ! -e "$(echo $tracing/events/*/$name)" ] || grep -q " $name: " "$tmp/trace" || echo "$name isn't in the trace"
	done >"$tmp/missing"
	fails grep . "$tmp/missing"
	grep -c 'postbox_' "$tmp/trace"
}
check "readme: what they fire is in the trace" recorded
echo >$tracing/set_event
echo >$tracing/trace
check "readme: unload" rmmod readme
