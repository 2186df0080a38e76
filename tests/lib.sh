# SPDX-License-Identifier: GPL-2.0
#
# What the parts of the tests share. Read with ".", never run.

top=${top:-$(cd "${0%/*}/.." && pwd)}
cd "$top"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

ok() {
	echo "ok $*"
}

# not_ok NAME [FILE]: FILE says why.
not_ok() {
	echo "not ok $1"
	[ ! -r "${2-}" ] || sed -n '1,40s/^/# /p' "$2"
}

# run COMMAND...: sets status; what COMMAND prints goes to $tmp/output. Not in a
# condition, where "set -e" would not hold inside COMMAND.
run() {
	set +e
	(
		set -e
		"$@"
	) >"$tmp/output" 2>&1 </dev/null
	status=$?
	set -e
}

# fails COMMAND...: instead of "! COMMAND", of which "set -e" takes no notice.
fails() {
	if "$@"; then
		echo "succeeded: $*"
		return 1
	fi
}

# check NAME COMMAND...: a case that COMMAND decides. What it prints says why.
check() {
	local name="$1"
	shift
	run "$@"
	if [ "$status" = 0 ]; then
		ok "$name"
	else
		not_ok "$name" "$tmp/output"
		clean_up
	fi
}

# What a failed case leaves, for those that come after it.
clean_up() {
	:
}

# silent NAME COMMAND...: the same, and COMMAND must print nothing.
silent() {
	local name="$1"
	shift
	run "$@"
	if [ "$status" = 0 ] && [ ! -s "$tmp/output" ]; then
		ok "$name"
	else
		not_ok "$name" "$tmp/output"
	fi
}

# of_ours: a log, as dmesg or the console have it, without the data races that KCSAN
# found in the rest of the kernel. One is ours if a module or a tracepoint is on one of
# its two stacks, and not only below an interrupt. What they print meanwhile is between.
of_ours() {
	awk '
		{ sub(/\r$/, "") }
		/=====================$/ && report == "" { report = $0; ours = 0; next }
		report == "" { print; next }
		{ report = report "\n" $0 }
		/ by (task|interrupt) / { below = 0 }
		/BUG: KCSAN: .*tracepoint/ { ours = 1 }
		!below && /tracepoint[^ ]*\+0x|\+0x[^ ]+ \[[a-z0-9_]+\]$/ { ours = 1 }
		/ asm_(sysvec|common_interrupt|exc)/ { below = 1 }
		!/=====================$/ { next }
		report !~ /BUG: KCSAN/ || ours { print report }
		{ report = "" }
		END { if (report != "") print report }'
}

# no_complaints FILE: a log in which the kernel says nothing of what it prints
# when something is wrong with it.
no_complaints() {
	of_ours <"$1" >"$tmp/ours"
	fails grep -E 'WARNING|BUG|Oops|cut here|Call Trace|general protection|unable to handle|KASAN|UBSAN|KCSAN|INFO: |refcount_t|[Ll]ockdep|possible .* (detected|locking)|[Tt]ainted: .*[DWL]' \
		"$tmp/ours"
}
