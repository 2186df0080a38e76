#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Checks the object code that build.sh has built.

set -eu
. "${0%/*}/lib.sh"

# Whether a sample defines events or probes them, modinfo shows the library's version, once.
versions() {
	for module in *.ko; do
		modinfo -F rust_tracepoint "$module" | diff tracepoint/version - || echo "$module"
	done
}
silent "objects: modinfo shows the library's version" versions

python3 tests/objects.py
