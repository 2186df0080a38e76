# SPDX-License-Identifier: GPL-2.0
#
# What the scripts that run in the machine share. Read with ".", never run.
# $modules is the directory with the modules.

top=$(cd "${0%/*}/../.." && pwd)
. "$top/tests/lib.sh"

# take_log: prints the log and clears it, in one system call: what comes between two
# would be lost.
take_log() {
	dmesg --syslog --read-clear
}

# Only what happens from here on. The whole log is kept for the check at the end.
clear_log() {
	take_log >>"$whole_log"
}

load() {
	for m; do
		insmod "$modules/$m.ko" || return
	done
}

# logged LINES TEXT: TEXT is a whole line of the log, after its time.
logged() {
	n=$(dmesg | sed 's/^\[[^]]*\] //' | grep -cxF -- "$2") || :
	[ "$n" = "$1" ] && return
	echo "$n lines \"$2\" in the log, not $1:"
	dmesg
	return 1
}

# in_log TEXT: prints the lines that have TEXT.
in_log() {
	dmesg | grep -F -- "$1"
}

# await COMMAND...: until COMMAND succeeds; a minute, or longer where COMMAND is slow.
await() {
	for tries in $(seq 600); do
		if "$@"; then
			return
		fi
		sleep 0.1
	done
	echo "never: $*"
	return 1
}

# fire: opens the sample's file. That fails, and says why.
fire() {
	LC_ALL=C cat /proc/tracepoint-sample 2>&1 | grep -q ': Operation not permitted$' ||
		{
			echo "cat does not say \"Operation not permitted\""
			return 1
		}
}

# check_raw NAME COMMAND...: a case for bpftrace's rawtracepoint. Since 0.24 it
# finds these in BTF alone, which modules in Rust have not.
check_raw() {
	version=$(bpftrace --version)
	case $version in
	*\ v0.[01]* | *\ v0.2[0-3].*) check "$@" ;;
	*) ok "$1 # SKIP $version finds raw tracepoints in BTF alone" ;;
	esac
}

loaded() {
	lsmod | cut -d ' ' -f 1 | grep -Ex "$(cd "$modules" && echo *.ko | sed 's/\.ko//g; s/ /|/g')"
}

# Twice, since a module in C can hold another.
clean_up() {
	rmmod $(loaded) 2>/dev/null || rmmod $(loaded) 2>/dev/null || :
}
