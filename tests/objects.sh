#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Checks the object code that build.sh has built.

set -eu
. "${0%/*}/lib.sh"

python3 tests/objects.py
