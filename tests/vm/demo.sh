#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The walk-through of the README, with the installed modules.

set -eu
. "${0%/*}/lib.sh"

check "demo: the walk-through" tools/demo
