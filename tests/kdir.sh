#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What "make" says of a KDIR that it cannot build against: one line that tells
# what is missing, and nothing is built.

set -eu
. "${0%/*}/lib.sh"

# refused NAME KDIR TEXT: TEXT is a pattern that the line has to match.
refused() {
	run make KDIR="$2"
	lines=$(grep -vc '^make: ' "$tmp/output") || :
	if [ "$status" != 0 ] && [ "$lines" = 1 ] && grep -q "^error: .*$3" "$tmp/output"; then
		ok "kdir: $1"
	else
		not_ok "kdir: $1" "$tmp/output"
	fi
}

# fake NAME [SED]...: a tree of links to the real one, with its configuration
# changed.
fake() {
	fake=$tmp/$1
	mkdir -p "$fake/include/config"
	ln -s "$KDIR/Makefile" "$KDIR/rust" "$fake"
	cp "$KDIR/include/config/kernel.release" "$fake/include/config"
	sed "$2" "$KDIR/include/config/auto.conf" >"$fake/include/config/auto.conf"
}

release=$(cat "$KDIR/include/config/kernel.release")

refused "none is given" '' 'KDIR is empty'
refused "there is no such directory" /nonexistent 'does not exist.*: name a'
mkdir "$tmp/empty"
refused "no kernel tree" "$tmp/empty" 'is no kernel build tree'
refused "a tree without Rust metadata, as Debian's headers" "/usr/src/linux-headers-$release" \
	'no Rust metadata .*kernel-rust'

mkdir "$tmp/raw"
cp "$KDIR/Makefile" "$tmp/raw"
refused "not configured" "$tmp/raw" 'is not configured: run'

fake old ''
echo 7.1.9 >"$fake/include/config/kernel.release"
refused "a kernel before 7.2" "$fake" 'kernel 7.1.9 is too old'
fake arch 's/^CONFIG_X86_64=y/CONFIG_S390=y/'
refused "an unknown architecture" "$fake" 'architecture that is not supported'
fake norust '/^CONFIG_RUST=/d'
refused "a kernel without Rust" "$fake" 'without CONFIG_RUST'
fake nojump '/^CONFIG_JUMP_LABEL=/d'
refused "a kernel without patched branches" "$fake" 'without CONFIG_JUMP_LABEL'
fake notp '/^CONFIG_TRACEPOINTS=/d'
refused "a kernel without tracepoints" "$fake" 'without CONFIG_TRACEPOINTS'
fake rustc 's/^\(CONFIG_RUSTC_VERSION_TEXT=\).*/\1"rustc 1.0.0"/'
refused "another rustc" "$fake" 'rustc 1.0.0, the rustc in PATH is'
