#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Follows the tutorial.

set -eu
. "${0%/*}/lib.sh"

if [ -e postbox ]; then
	not_ok "tutorial: the directory postbox doesn't exist yet"
	exit
fi
trap 'rm -rf "$tmp" postbox' EXIT
tests/tutorial.py docs/tutorial.md
