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

# What the cases change is thrown away.
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
	chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
offline() {
	unshare --net chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
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

# built_for VERSION: all samples are installed for this kernel, and signed.
built_for() {
	inside dkms status -k "$1" | tee "$tmp/dkms-status"
	grep -q "^tracepoint-samples/.*, $1, .*: installed" "$tmp/dkms-status"
	for m in $modules; do
		inside modinfo -k "$1" -F vermagic "$m" | grep "^$1 "
		inside modinfo -k "$1" -F signer "$m" | grep -x 'DKMS module signing key'
	done
}
not_built_for() {
	fails sh -c "chroot $root dkms status -k $1 | grep :"
	fails find "$root/lib/modules/$1/updates"
}
consistent() {
	inside dpkg --audit >"$tmp/audit"
	fails grep . "$tmp/audit"
}

# The machine's own modprobe loads what DKMS installed.
loads_on() {
	machine -k "$1" sh -euc '
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
	' sh "$1" || {
		echo "on $1: status $?"
		return 1
	}
}

# What is there, apart from logs and caches of apt and dpkg.
files() {
	find "$root" -xdev -printf '%P %y %l\n' |
		grep -vE '^(var/(log/(apt|dpkg|alternatives)|cache/(apt|debconf|ldconfig|man)|lib/(apt|dpkg|systemd|ucf))|etc/.*(-|\.cache)$|boot/)' |
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
