#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Values after templates: the kernel, with what rustc has made of random expressions, and tools
# show the same texts. See computed.py. SEED= repeats a run.

set -eu
. "${0%/*}/lib.sh"

seed=${SEED:-1}
load computed event_text
check "computed: random expressions, seed $seed" \
	tests/vm/computed.py compare "$seed" 50 "$modules/computed.json"
check "computed: unload" rmmod event_text computed
