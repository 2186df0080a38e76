#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Installs the Debian packages in a bare Debian 13 with a 7.2 kernel, upgrades it to
# 7.3, removes them, and checks the modules in the virtual machine. tools/deb builds the
# packages, tools/deb-root makes that Debian. Packages are installed in a chroot, in
# which the running kernel is another one, as in any other chroot.

set -eu
. "${0%/*}/lib.sh"

state=/srv/deb
root=$state/root
[ -e "$state/done" ] && ls deb/*.deb >/dev/null || {
	not_ok "deb: run tools/deb and tools/deb-root first"
	exit
}
read -r old new <"$state/done"

check "deb: lintian" lintian --allow-root -EviIL +pedantic \
	--fail-on error,warning,info,pedantic,experimental deb/*.changes

# "make test-deb" adds a file to the checkout that git doesn't track. dpkg-source leaves out .gitignore.
tracked() {
	git -c safe.directory="$top" ls-files -- ':!*.gitignore' | sort >"$tmp/tracked"
	tar -tf deb/tracepoint-rust_*.tar.xz | sed -n 's:^[^/]*/\(.*[^/]\)$:\1:p' | sort >"$tmp/packed"
	diff "$tmp/tracked" "$tmp/packed"
}
check "deb: the packages are built from what git tracks" tracked

# Debian's build machines build only the packages of their architecture.
by_architecture() {
	dpkg-source --extract deb/*.dsc "$tmp/source"
	cd "$tmp/source"
	for times in 1 2; do
		env -u KDIR -u INSTALL_MOD_PATH -u MAKEFLAGS dpkg-buildpackage -B -us -uc
	done
	ls "$tmp"/kernel-rust_*.deb
}
check "deb: the packages for this architecture can be built alone, and twice" by_architecture

mkdir "$tmp/unpacked"
dpkg-deb -x deb/tracepoint-rust-dev_*_all.deb "$tmp/unpacked"

# The same pages, with links that lead somewhere, and commands by the names that they have here.
pages() {
	cd "$tmp/unpacked/usr/share/doc/tracepoint-rust-dev"
	ls docs | grep -c '\.md$' | grep -x "$(ls "$top"/docs/*.md | wc -l)"
	"$top/tests/links.py" README.md docs/*.md
	fails grep -rnE --include='*.md' 'tools/(new-driver|event-from-format|schema|timeline)\b[^_]' .
}
check "deb: the documentation is complete, and its links resolve" pages

# commands: they run, and the manual pages say what --help does.
commands() {
	for name in new-driver event-from-format schema timeline; do
		command=$tmp/unpacked/usr/bin/rust-tracepoint-$name
		"$command" --help >"$tmp/help"
		grep "^usage: rust-tracepoint-$name " "$tmp/help"
		zcat "$tmp/unpacked/usr/share/man/man1/rust-tracepoint-$name.1.gz" |
			sed 's/\\f.//g; s/\\,//g; s:\\/::g; s/\\//g' | tr -s ' \n' '\n\n' >"$tmp/manual"
		grep -xA 1 SYNOPSIS "$tmp/manual"
		# Each option.
		grep -oE -e '--[a-z]+[a-z-]*' "$tmp/help" | sort -u >"$tmp/options"
		while read -r option; do
			grep -F -e "$option" "$tmp/manual" || { echo "$name: no $option"; return 1; }
		done <"$tmp/options"
	done
}
check "deb: the commands run and have manual pages" commands

# What the cases change is thrown away.
trap 'rm -rf "$tmp" "$state/upper" "$state/work"' EXIT
rm -rf "$state/upper" "$state/work"
mkdir -p "$state/upper" "$state/work" "$root"
mount -t overlay -o "lowerdir=$state/base,upperdir=$state/upper,workdir=$state/work" overlay "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount --bind /tmp "$root/tmp"
mount -t tmpfs tmpfs "$root/run"
mkdir -p "$root$top" "$root/run/lock"
mount --bind "$top" "$root$top"

# inside COMMAND...: runs COMMAND in that Debian. offline: without network.
inside() {
	$without_network chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
without_network=
offline() {
	without_network="unshare --net"
	inside "$@"
	without_network=
}
machine() {
	TRACEPOINT_TARGET=$root tools/vm "$@"
}

# step NAME COMMAND...: like check, and the following steps need it.
step() {
	check "$@"
	[ "$status" = 0 ] || exit 0
}

modules="tracepoint_sample tracepoint_probe_sample tracepoint_probe_sample2
	trace_events_sample trace_custom_sched trace_spans_sample"

# said COMMAND...: keeps what COMMAND prints in $tmp/said.
said() {
	"$@" >"$tmp/said" 2>&1 || {
		cat "$tmp/said"
		return 1
	}
}

signer='DKMS module signing key'

# built_for VERSION: all samples are installed for this kernel, and signed.
built_for() {
	inside dkms status -k "$1" | tee "$tmp/dkms-status"
	grep -q "^tracepoint-samples/.*, $1, .*: installed" "$tmp/dkms-status"
	for m in $modules; do
		inside modinfo -k "$1" -F vermagic "$m" | grep "^$1 "
		inside modinfo -k "$1" -F signer "$m" | grep -x "$signer"
	done
}
not_built_for() {
	inside dkms status >"$tmp/dkms-status"
	cat "$tmp/dkms-status"
	fails grep -F "$1" "$tmp/dkms-status"
	fails find "$root/lib/modules/$1/updates"
}
consistent() {
	inside dpkg --audit >"$tmp/audit"
	fails grep . "$tmp/audit"
}

# The machine's own modprobe loads what DKMS installed.
loads_on() {
	# The options of tools/vm follow the version.
	machine -k "$@" sh -euc '
		test "$(uname -r)" = "$1"
		modprobe tracepoint-sample
		modprobe tracepoint-probe-sample
		modprobe -a trace-events-sample trace-spans-sample trace-custom-sched tracepoint-probe-sample2
		echo 1 >/sys/kernel/tracing/events/sample-trace/foo_bar/enable
		cat /proc/tracepoint-sample 2>/dev/null || :
		sleep 2
		dmesg >/tmp/log
		grep "Event is encountered with filename tracepoint-sample" /tmp/log
		grep "foo_bar: foo hello" /sys/kernel/tracing/trace
		modprobe -r tracepoint-sample tracepoint-probe-sample tracepoint-probe-sample2 \
			trace-events-sample trace-spans-sample trace-custom-sched
		dmesg | grep -E "WARNING|BUG|Oops" && exit 1 || :
	' sh "$1"
}

# What is there, apart from logs and caches of apt and dpkg.
files() {
	find "$root" -xdev -printf '%P %y %l\n' |
		grep -vE '^(var/(log/(apt|dpkg|alternatives)|cache/(apt|debconf|ldconfig|man)|lib/(apt|dpkg)))' |
		sort
}
packages_there() {
	inside dpkg-query -W -f '${Package} ${db:Status-Status}\n'
}

files >"$tmp/files"
packages_there >"$tmp/packages"

install() {
	mkdir -p "$root/tmp/deb"
	cp deb/*.deb "$root/tmp/deb"
	inside sh -c 'apt-get install -y /tmp/deb/*.deb'
	consistent
	built_for "$old"
}
step "deb: installing builds metadata and modules for the installed kernel, $old" install
step "deb: modprobe on $old" loads_on "$old"

upgrade() {
	inside apt-get install -y "linux-image-$new" "linux-headers-$new"
	consistent
	built_for "$new"
	built_for "$old"
}
step "deb: a kernel upgrade builds them for $new before the machine boots it" upgrade
step "deb: modprobe on $new" loads_on "$new"

remove_kernel() {
	inside apt-get purge -y --autoremove "linux-image-$1" "linux-headers-$1" "linux-modules-$1" \
		"linux-binary-$1" "linux-base-$1"
	consistent
	inside find / -xdev -path "*$1*" ! -path '/var/lib/apt/*' ! -path '/var/cache/*' >"$tmp/left"
	fails grep . "$tmp/left"
}
remove_old() {
	remove_kernel "$old"
	built_for "$new"
}
check "deb: a removed kernel takes its metadata and modules with it" remove_old

# The packages were downloaded before.
without_source() {
	inside apt-get install -y --download-only "linux-image-$old" "linux-headers-$old"
	said offline apt-get install -y "linux-image-$old" "linux-headers-$old"
	consistent
	not_built_for "$old"
	built_for "$new"
	grep "linux-source-7.2 of version .*: connect to the network or install it" "$tmp/said"
	# dpkg writes to a terminal, which ends lines with a carriage return, too.
	grep -A 1 "To build them, run" "$tmp/said" | tail -n 1 | tr -d '\r' >"$tmp/command"
	cat "$tmp/command"
}
step "deb: without network, the kernel is installed, and what is missing is printed" without_source

run_command() {
	inside sh -c "$(cat "$tmp/command")"
	built_for "$old"
	inside dpkg-query -W -f '${Package}\n' >"$tmp/now"
	fails grep linux-source "$tmp/now"
}
check "deb: the command that was printed builds them" run_command

remove_modules() {
	built_for "$old"
	inside dkms remove "tracepoint-samples/$(cat "$top/tracepoint/version")" -k "$old"
	not_built_for "$old"
	built_for "$new"
}
check "deb: dkms remove" remove_modules

# With a key of the machine that its firmware trusts.
own_key() {
	openssl rsa -in /usr/share/ovmf/PkKek-1-snakeoil.key -passin pass:snakeoil -out "$root/root/key.pem"
	cp /usr/share/ovmf/PkKek-1-snakeoil.pem "$root/root/key.crt"
	printf '%s\n' 'mok_signing_key=/root/key.pem' 'mok_certificate=/root/key.crt' \
		>"$root/etc/dkms/framework.conf.d/key.conf"
	signer=$(openssl x509 -in "$root/root/key.crt" -noout -subject -nameopt multiline |
		sed -n 's/.*commonName *= //p')
	said inside sh -c 'apt-get install -y --reinstall /tmp/deb/*.deb'
	consistent
	fails grep 'Rust metadata of' "$tmp/said"
	built_for "$old"
	built_for "$new"
}
check "deb: reinstalling builds the modules again, signed with the machine's own key" own_key
check "deb: modprobe with Secure Boot and that key" loads_on "$new" -u -a lockdown=integrity
rm -f "$root/root/key.pem" "$root/root/key.crt" "$root/etc/dkms/framework.conf.d/key.conf"

driver_test() {
	mkdir "$root/tmp/driver"
	inside env AUTOPKGTEST_TMP=/tmp/driver "$top/debian/tests/driver"
}
check "deb: autopkgtest of the library" driver_test

dkms_test() {
	inside apt-get install -y openssl dctrl-tools
	# It leaves an archive of the logs where it's run.
	inside sh -c 'cd /run && /usr/lib/dkms/dkms-autopkgtest /tmp/deb/tracepoint-samples-dkms_*.deb'
	inside apt-get purge -y --autoremove dctrl-tools
}
check "deb: autopkgtest of the samples" dkms_test

new_driver() {
	inside sh -euc '
		cd /usr/src
		rust-tracepoint-new-driver first-driver first-driver-0.1
		dkms install first-driver/0.1 -k "$1"
		modinfo -k "$1" -F vermagic first_driver | grep "^$1 "
		dkms remove first-driver/0.1 --all
		rm -r first-driver-0.1
	' sh "$new"
	inside find / -xdev -name 'first?driver*' >"$tmp/left"
	fails grep . "$tmp/left"
}
check "deb: a new driver from its dkms.conf" new_driver

# block NUMBER: that block of docs/building.md's section for driver authors.
block() {
	awk -v n="$1" '
		/^###* / { section = $0 }
		section != "### Packaging a driver" { next }
		/^```/ { inside = !inside; blocks += inside; next }
		inside && blocks == n' docs/building.md
}
packaged_driver() {
	mkdir -p "$tmp/my-driver/debian"
	cp template/my_driver.rs "$tmp/my-driver"
	cat >"$tmp/my-driver/debian/changelog" <<-'END'
	my-driver (1.2-3) unstable; urgency=medium

	  * First package.

	 -- You <you@example.com>  Sun, 22 Nov 2026 20:00:00 +0000
	END
	block 1 >"$tmp/my-driver/Kbuild"
	block 2 >"$tmp/my-driver/debian/my-driver-dkms.dkms"
	block 3 >"$tmp/my-driver/debian/control"
	block 4 >"$tmp/my-driver/debian/rules"
	chmod +x "$tmp/my-driver/debian/rules"
	(cd "$tmp/my-driver" && env -u KDIR -u INSTALL_MOD_PATH dpkg-buildpackage -b -us -uc)
	cp "$tmp"/my-driver-dkms_1.2-3_all.deb "$root/tmp/deb"
	inside apt-get install -y /tmp/deb/my-driver-dkms_1.2-3_all.deb
	for V in "$old" "$new"; do
		inside modinfo -k "$V" -F vermagic my_driver | grep "^$V "
	done
	inside apt-get purge -y my-driver-dkms
	consistent
	inside find / -xdev \( -name 'my_driver*' -o -name 'my-driver*' \) \
		-not -path '/usr/share/tracepoint-rust-dev/*' >"$tmp/left"
	fails grep . "$tmp/left"
}
check "deb: a driver packaged as in docs/building.md" packaged_driver

# Only what belongs to DKMS stays, its key.
purge() {
	# By default apt keeps packages that others only suggest.
	inside apt-get purge -y --autoremove -o APT::AutoRemove::SuggestsImportant=false \
		-o APT::AutoRemove::RecommendsImportant=false kernel-rust tracepoint-rust-dev tracepoint-samples-dkms
	consistent
	remove_kernel "$new"
	inside apt-get purge -y --autoremove -o APT::AutoRemove::SuggestsImportant=false
	packages_there | diff "$tmp/packages" -
	files | diff "$tmp/files" - | grep '^[<>]' | grep -vE '^> var/lib/dkms( |/mok)' >"$tmp/difference" || :
	cat "$tmp/difference"
	[ ! -s "$tmp/difference" ]
}
check "deb: purging leaves nothing behind" purge
