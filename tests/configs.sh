#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/configs.sh [NAME]...
#
# Builds all modules for kernels with other configurations than Debian's, tests/configs/NAME.config,
# and checks that each option that the sources name is on in one of them, or in Debian's, and off in
# another, unless tests/configs/fixed gives a reason. tools/config-trees prepares the trees.
#
# The kernels themselves are not built, so the modules are compiled, checked and linked, but get no
# BTF. modpost compares the symbols
# with those that Debian's kernel exports, so its complaints about others don't count.

set -eu
. "${0%/*}/lib.sh"

debian=$KDIR
trees=/usr/src/linux-configs
[ $# -gt 0 ] || set -- $(cd tests/configs && ls *.config | sed 's/\.config$//' | grep -vx common)

# The objects in the checkout are for Debian's kernel, so the modules are built in a copy.
git -c safe.directory="$top" ls-files -z |
	tar -c --null --ignore-failed-read -T - >"$tmp/checkout.tar" 2>/dev/null

grep -rhoE 'EXPORT_[A-Z_]*\([A-Za-z0-9_]+' "$trees"/source/[abklm]* | sed 's/.*(//' >"$tmp/source"

# build ARGUMENT...: any output other than Kbuild's progress is a warning. modpost lists only ten of the symbols that
# it doesn't find, so that's checked here: the names of those in Rust and which helpers there are depend on the
# configuration, others must be exported somewhere in the source.
build() {
	make --no-print-directory -C "$tmp/copy" -j"$(nproc)" KDIR="$KDIR" KBUILD_MODPOST_WARN=1 "$@" modules \
		>"$tmp/make" 2>&1 || {
		cat "$tmp/make"
		return 1
	}
	sed '/^  [A-Z]/d; /^WARNING: modpost: .* undefined!$/d; /^WARNING: modpost: suppressed /d' "$tmp/make" >"$tmp/warnings"
	cut -f2 "$debian/Module.symvers" $(find "$tmp/copy" -name Module.symvers) | sort -u - "$tmp/source" >"$tmp/exported"
	find "$tmp/copy" -name '*.ko' -exec readelf -sW {} + | awk '$7 == "UND" && $8 { print $8 }' | sort -u |
		comm -23 - "$tmp/exported" | sed '/^_R/d; /^rust_helper_/d; s/^/undefined /' >>"$tmp/warnings"
	fails grep . "$tmp/warnings"
}

# modules NAME: builds them for that tree.
modules() {
	KDIR=$trees/$1
	export ARCH="${1%%-*}"
	rm -rf "$tmp/copy"
	mkdir "$tmp/copy"
	tar -xf "$tmp/checkout.tar" -C "$tmp/copy"
	build
	build M=template
	# They are driven through files in /proc.
	if configured PROC_FS; then
		build M=tests/modules KBUILD_EXTRA_SYMBOLS="$tmp/copy/Module.symvers"
	fi
}

# named: prints "OPTION ARCHITECTURE" for each option that the sources name outside of comments. The
# second word is "any" unless the file is for one architecture.
named() {
	git -c safe.directory="$top" ls-files -- tracepoint fs helpers template tests/modules Kbuild '*.rs' |
		grep '^[^/]*$\|^\(tracepoint\|fs\|helpers\|template\|tests/modules\)/.*\.' | while read -r file; do
			case $file in
			*/x86_64.rs) of=amd64 ;;
			*/arm64.rs) of=arm64 ;;
			*/loongarch64.rs) of=loong64 ;;
			*) of=any ;;
			esac
			sed 's://.*::; s/^[[:space:]]*#[^!\[]*$//' "$file" | grep -oE '\<CONFIG_[A-Z0-9_]+' |
				sed "s/CONFIG_\(.*\)/\1 $of/"
		done | sort -u
}

# seen OPTION ARCHITECTURE: prints "n", "y" or both, for what the option is in the trees.
seen() {
	local of="$2"
	[ "$of" != any ] || of=
	for conf in "$trees/$of"*/include/config/auto.conf \
		$([ -n "$of" ] && [ "$of" != "$debian_arch" ] || echo "$debian/include/config/auto.conf"); do
		if grep -q "^CONFIG_$1=" "$conf"; then echo y; else echo n; fi
	done | sort -u
}

both_states() {
	named >"$tmp/named"
	while read -r option of; do
		states=$(echo $(seen "$option" "$of"))
		fixed=$(sed -n "s/^$option  *\([yn]\)\>.*/\1/p" tests/configs/fixed)
		case $states:$fixed in
		"n y:") ;;
		"$fixed:"[yn]) ;;
		*:) echo "$option is always $states ($of): change it in a file of tests/configs, or say in tests/configs/fixed why that can't be" ;;
		*) echo "$option is $states on $of, but tests/configs/fixed says $fixed" ;;
		esac
	done <"$tmp/named"
	while read -r option _; do
		case $option in
		"#"* | '') ;;
		*) grep -q "^$option " "$tmp/named" || echo "tests/configs/fixed: no source names $option" ;;
		esac
	done <tests/configs/fixed
}

debian_arch=$(sed -n 's/^CONFIG_X86_64=y/amd64/p; s/^CONFIG_ARM64=y/arm64/p; s/^CONFIG_LOONGARCH=y/loong64/p' \
	"$debian/include/config/auto.conf")
silent "configs: each option that the sources name is on and off" both_states
for name; do
	check "configs: $name" modules "$name"
done
