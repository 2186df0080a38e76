#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests the pages of tools/timeline in Chromium, which tools/browser installs.

set -eu
. "${0%/*}/lib.sh"

if command -v chromedriver >/dev/null; then
	tests/timeline/test.py || not_ok "timeline: exited with status $?"
else
	not_ok "timeline: Chromium is missing: run tools/browser"
fi
