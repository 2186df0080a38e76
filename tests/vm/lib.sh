# SPDX-License-Identifier: GPL-2.0
#
# Common code of the scripts that run in the virtual machine. Sourced, never executed.
# $modules is the directory with the modules.

top=$(cd "${0%/*}/../.." && pwd)
. "$top/tests/lib.sh"

# take_log: prints and clears the log in one system call, so no message is lost in
# between.
take_log() {
	dmesg --syslog --read-clear
}

# Clears the log, but saves it for the final check.
clear_log() {
	take_log >>"$whole_log"
}

# old_bpftrace: succeeds before bpftrace 0.24, which takes raw tracepoints from BTF.
old_bpftrace() {
	case $(bpftrace --version) in
	*\ v0.[01]* | *\ v0.2[0-3].*) ;;
	*) return 1 ;;
	esac
}

# What takes CPU 1 offline.
cpu1=/sys/devices/system/cpu/cpu1/online

# check_with FEATURES NAME COMMAND...: like check, but a skip if the kernel or bpftrace
# lacks one of the features.
check_with() {
	local feature missing=
	for feature in $1; do
		case $feature in
		histograms)
			[ -e /sys/kernel/tracing/events/sched/sched_switch/hist ] ||
				missing="the kernel has no histograms (CONFIG_HIST_TRIGGERS)" ;;
		hotplug)
			[ -e $cpu1 ] || missing="CPU 1 cannot be taken offline" ;;
		synthetic)
			[ -e /sys/kernel/tracing/synthetic_events ] ||
				missing="the kernel has no synthetic events (CONFIG_SYNTH_EVENTS)" ;;
		btf | raw)
			if [ ! -e /sys/kernel/btf/vmlinux ]; then
				missing="the kernel has no BTF (CONFIG_DEBUG_INFO_BTF)"
			elif [ "$feature" = raw ]; then
				old_bpftrace ||
					missing="this bpftrace finds no raw tracepoint with more than five arguments"
			fi ;;
		esac
	done
	shift
	if [ -z "$missing" ]; then
		check "$@"
	else
		ok "$1 # SKIP $missing"
	fi
}

load() {
	for m; do
		insmod "$modules/$m.ko" || return
	done
}

# logged LINES TEXT: checks that the log has LINES lines that consist of TEXT and a
# timestamp.
logged() {
	n=$(dmesg | sed 's/^\[[^]]*\] //' | grep -cxF -- "$2") || :
	[ "$n" = "$1" ] && return
	echo "the log has $n lines \"$2\" instead of $1:"
	dmesg
	return 1
}

# in_log TEXT: prints the lines of the log that contain TEXT.
in_log() {
	dmesg | grep -F -- "$1"
}

# await COMMAND...: retries COMMAND until it succeeds, for at least a minute.
await() {
	for tries in $(seq 600); do
		if "$@"; then
			return
		fi
		sleep 0.1
	done
	echo "timed out: $*"
	return 1
}

kmemleak=/sys/kernel/debug/kmemleak
# leaked FUNCTION: what kmemleak finds, except what the kernel's FUNCTION has allocated. A scan skips objects that are
# younger than five seconds or have changed since the previous scan.
leaked() {
	sleep 6
	echo scan >$kmemleak
	echo scan >$kmemleak
	awk -v function_name="$1" '/^unreferenced object/ { if (ours) printf "%s", text; text = ""; ours = 1 }
		index($0, function_name "+") { ours = 0 }
		{ text = text $0 "\n" }
		END { if (ours) printf "%s", text }' $kmemleak
}

# fire: opens the sample's file, which must fail with EPERM.
fire() {
	LC_ALL=C cat /proc/tracepoint-sample 2>&1 | grep -q ': Operation not permitted$' ||
		{
			echo "cat did not print \"Operation not permitted\""
			return 1
		}
}

loaded() {
	lsmod | cut -d ' ' -f 1 | grep -Ex "$(cd "$modules" && echo *.ko | sed 's/\.ko//g; s/ /|/g')"
}

# Try twice, since a module in C can pin another.
clean_up() {
	rmmod $(loaded) 2>/dev/null || rmmod $(loaded) 2>/dev/null || :
}
