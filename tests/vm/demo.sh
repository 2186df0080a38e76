#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs the demo of the README with the installed modules.

set -eu
. "${0%/*}/lib.sh"

check "demo: tools/demo" tools/demo
