# SPDX-License-Identifier: GPL-2.0
#
# Common code of the scripts that configure a kernel of their own. Sourced after common.sh.

# merge_configs FILE...: prints the options. If one is set twice, the later line wins.
merge_configs() {
	cat "$@" | awk -F = '/^CONFIG_/ { line[$1] = $0 } END { for (option in line) print line[option] }' |
		sort
}

# unpack_source SERIES PATTERN...: unpacks the kernel's source to $tree, without what no
# configuration needs, and without the PATTERNs.
unpack_source() {
	src=linux-source-$1
	shift
	rm -rf "$tree" "$tree.new"
	mkdir -p "$tree.new"
	# Kconfig files and headers stay.
	set -- "$@" "Documentation/[a-z]*" "arch/*/*.dts*" "drivers/gpu/drm/amd/include/*" "sound/*.c" \
		"tools/perf/*"
	for pattern; do
		shift
		set -- "$@" --exclude="$src/$pattern"
	done
	tar -C "$tree.new" --strip-components=1 -I 'xz -T0' "$@" -xf "/usr/src/$src.tar.xz"
	mv "$tree.new" "$tree"
}

# configure: makes $tree's configuration from $config. Calls run_make. Kconfig silently drops options
# whose dependencies are not met.
configure() {
	run_make KCONFIG_ALLCONFIG="$config" allnoconfig
	sed -n 's/^\(CONFIG_[A-Z0-9_]*\)=n$/# \1 is not set/p; /^CONFIG_.*=[^n]/p' "$config" |
		grep -vxF -f "$tree/.config" >"$tree/.missing" || return 0
	while read -r line; do
		case $line in
		# An option whose dependencies are off isn't in .config at all.
		"# "*) name=${line#"# "} name=${name%% *} ;;
		*) name= ;;
		esac
		[ -n "$name" ] && ! grep -q "^$name=" "$tree/.config" || echo "not possible: $line"
	done <"$tree/.missing" >"$tree/.missing.new"
	cat "$tree/.missing.new"
	[ ! -s "$tree/.missing.new" ]
}

# kernel_directory: prints where in $kernels the source of the root's kernel and what is built from
# it are. Runs in the root.
kernel_directory() {
	local version=
	read -r _ version _ <"/etc/rust-tracepoint/$chosen"
	# The rest says for which Debian it was built, with characters that are special to some of the
	# kernel's scripts.
	echo "$kernels/${version%%"~"*}"
}
