#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Given a KDIR that it cannot build against, "make" prints one line with the reason
# and builds nothing.

set -eu
. "${0%/*}/lib.sh"

# refused NAME KDIR TEXT [ARGUMENT]...: the line must match the pattern TEXT.
refused() {
	local name="$1" kdir="$2" text="$3"
	shift 3
	run make KDIR="$kdir" "$@"
	lines=$(grep -vc '^make: ' "$tmp/output") || :
	if [ "$status" != 0 ] && [ "$lines" = 1 ] && grep -q "^error: .*$text" "$tmp/output"; then
		ok "kdir: $name"
	else
		not_ok "kdir: $name" "$tmp/output"
	fi
}

# fake NAME SED: makes a tree of links to the real one and edits its configuration.
fake() {
	fake=$tmp/$1
	mkdir -p "$fake/include/config"
	ln -s "$KDIR/Makefile" "$KDIR/rust" "$fake"
	cp "$KDIR/include/config/kernel.release" "$fake/include/config"
	sed "$2" "$KDIR/include/config/auto.conf" >"$fake/include/config/auto.conf"
}

release=$(cat "$KDIR/include/config/kernel.release")

refused "empty" '' 'KDIR is empty'
refused "no such directory" /nonexistent 'does not exist.*: set KDIR='
mkdir "$tmp/empty"
refused "not a kernel tree" "$tmp/empty" 'is not a kernel build tree'
refused "a tree without Rust metadata, like Debian's headers" "/usr/src/linux-headers-$release" \
	'no Rust metadata .*kernel-rust'

mkdir "$tmp/raw"
cp "$KDIR/Makefile" "$tmp/raw"
refused "not configured" "$tmp/raw" 'is not configured: run'

fake old ''
echo 7.1.9 >"$fake/include/config/kernel.release"
refused "a kernel before 7.2" "$fake" 'kernel 7.1.9 is too old'
fake newer '/^CONFIG_RUST=/d'
echo 7.9.0 >"$fake/include/config/kernel.release"
newer() {
	fails make KDIR="$fake" >"$tmp/said" 2>&1
	grep "^warning: kernel 7.9.0 is newer than .* tested with, 7.2 and 7.3$" "$tmp/said"
}
check "kdir: a warning about a kernel that isn't tested" newer
ours='^CONFIG_\(X86_64\|ARM64\|LOONGARCH\)=y'
fake arch "s/$ours/CONFIG_S390=y/"
refused "an unsupported architecture" "$fake" 'unsupported architecture'
refused "an unsupported ARCH" "$KDIR" 'ARCH=s390 is not supported: set it to' ARCH=s390
fake foreign "s/$ours/CONFIG_LOONGARCH=y/"
refused "a tree for another architecture" "$fake" 'is for loong64, not .*: add ARCH=loong64' \
	ARCH="$(uname -m)"
refused "no cross compiler" "$fake" 'no none-linux-gnu-gcc in PATH: .* set CROSS_COMPILE=' \
	ARCH=loong64 CROSS_COMPILE=none-linux-gnu-
fake norust '/^CONFIG_RUST=/d'
refused "a kernel without Rust" "$fake" 'without CONFIG_RUST'
fake cfi '/^CONFIG_HAVE_CFI_/d; $aCONFIG_CFI=y'
refused "a kernel with CFI from older compilers" "$fake" 'CONFIG_CFI .*: build it with clang .* and a rustc'
fake nojump '/^CONFIG_JUMP_LABEL=/d'
refused "a kernel without jump labels" "$fake" 'without CONFIG_JUMP_LABEL'
fake nosmp '/^CONFIG_SMP=/d'
refused "a kernel without SMP" "$fake" 'without CONFIG_SMP: enable it'
fake notp '/^CONFIG_TRACEPOINTS=/d'
refused "a kernel without tracepoints" "$fake" 'without CONFIG_TRACEPOINTS'
fake rustc 's/^\(CONFIG_RUSTC_VERSION_TEXT=\).*/\1"rustc 1.0.0"/'
refused "a different rustc" "$fake" 'rustc 1.0.0, but the rustc in PATH is'
# As in Kbuild.
command_line() {
	RUSTC=/nonexistent BINDGEN=/nonexistent make check
	for tool in RUSTC BINDGEN; do
		fails make check $tool=/nonexistent >"$tmp/said" 2>&1
		grep "/nonexistent is .*: drop $tool=" "$tmp/said"
	done
}
check "kdir: RUSTC and BINDGEN count on the command line only" command_line

cleaned() {
	mkdir "$tmp/clean"
	echo "include $top/tracepoint/Kbuild.include" >"$tmp/clean/Kbuild"
	touch "$tmp/clean/driver.ko"
	fails make modules M="$tmp/clean" VERSION=6 PATCHLEVEL=12 >"$tmp/said" 2>&1
	grep "is too old for the tracepoint library, which requires 7.2 or later" "$tmp/said"
	make clean M="$tmp/clean" VERSION=6 PATCHLEVEL=12
	fails ls "$tmp/clean/driver.ko"
}
check "kdir: a kernel before 7.2 can clean" cleaned

# Only a part of the samples needs it.
fake noproc '/^CONFIG_PROC_FS=/d'
silent "kdir: a kernel without files in /proc is not refused" make KDIR="$fake" check
