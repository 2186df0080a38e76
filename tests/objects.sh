#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What build.sh has built, taken apart.

set -eu
. "${0%/*}/lib.sh"

python3 tests/objects.py
