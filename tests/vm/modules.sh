#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Modules whose tests run when they are loaded, with the results in the log.

set -eu
. "${0%/*}/lib.sh"

# relay MODULE: prints its results; a test that its plan has and that has no
# result has failed.
relay() {
	dmesg | sed -n "s/^\[[^]]*\] $1: //p" | awk -v module="$1" '
		/^1\.\./ { plan = substr($0, 4) }
		/^ok / { n++; $2 = module ":"; print }
		/^not ok / { n++; $3 = module ":"; print }
		/^#/
		END {
			if (plan == "" || n != plan)
				print "not ok " module ": " n + 0 " results of " plan + 0
		}'
}

for m in tracepoint_test race_test; do
	clear_log
	check "$m: loads" load "$m"
	relay "$m"
	check "$m: unloads" rmmod "$m"
done
