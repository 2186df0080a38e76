# SPDX-License-Identifier: GPL-2.0
#
# Common code of the test scripts. Sourced, never executed.

unset CDPATH
top=${top:-$(cd "${0%/*}/.." && pwd)}
cd "$top"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

ok() {
	echo "ok $*"
}

# not_ok NAME [FILE]: FILE has the reason.
not_ok() {
	echo "not ok $1"
	[ ! -r "${2-}" ] || awk '
		NR <= 10 { print "# " $0; next }
		{ last[NR % 30] = $0 }
		END {
			if (NR > 40) print "# [...]"
			for (n = (NR > 40 ? NR - 29 : 11); n <= NR; n++) print "# " last[n % 30]
		}' "$2"
	# mutations.sh needs no more than this.
	[ -z "${FAIL_FAST-}" ] || exit 1
}

# configured OPTION: whether the kernel that modules are built for has CONFIG_OPTION, a pattern.
configured() {
	grep -qx "CONFIG_$1=y" "$KDIR/include/config/auto.conf"
}

# run COMMAND...: sets $status and sends COMMAND's output to $tmp/output. Don't use
# it in a condition, which disables "set -e" inside COMMAND.
run() {
	set +e
	(
		set -e
		"$@"
	) >"$tmp/output" 2>&1 </dev/null
	status=$?
	set -e
}

# fails COMMAND...: use this instead of "! COMMAND", which "set -e" ignores.
fails() {
	if "$@"; then
		echo "succeeded: $*"
		return 1
	fi
}

# check NAME COMMAND...: the case passes if COMMAND succeeds. COMMAND's output is
# printed if it fails.
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

# Override this to clean up after a failed case.
clean_up() {
	:
}

# silent NAME COMMAND...: like check, but COMMAND must also print nothing.
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

# of_ours: filters a log from dmesg or the console. Removes KCSAN's reports about the
# rest of the kernel. A report is ours if a module or a tracepoint is on one of its two
# stacks and not only below an interrupt, printk(), whose buffer isn't locked, or the patching
# of code, which looks up its page while the pages of others change. Other messages may appear
# within a report.
of_ours() {
	awk '
		{ sub(/\r$/, "") }
		/=====================$/ && report == "" { report = $0; ours = 0; next }
		report == "" { print; next }
		{ report = report "\n" $0 }
		/ by (task|interrupt) / { below = 0 }
		/BUG: KCSAN: .*tracepoint/ { ours = 1 }
		!below && /tracepoint[^ ]*\+0x|\+0x[^ ]+ \[[a-z0-9_]+\]$/ { ours = 1 }
		/ asm_(sysvec|common_interrupt|exc)| (_printk|jump_label_update)\+0x/ { below = 1 }
		!/=====================$/ { next }
		report !~ /BUG: KCSAN/ || ours { print report }
		{ report = "" }
		END { if (report != "") print report }'
}

# no_complaints FILE: fails if the log has any of the messages that the kernel prints
# when it detects a problem.
no_complaints() {
	local ours=
	ours=$(mktemp -p "$tmp")
	of_ours <"$1" >"$ours"
	# With the rest of a report.
	fails grep -E -B 10 -A 30 'WARNING|BUG|Oops|cut here|Call Trace|general protection|unable to handle|KASAN|UBSAN|KCSAN|INFO: |refcount_t|[Ll]ockdep|possible .* (detected|locking)|[Tt]ainted: .*[DWL]' \
		"$ours"
}

# write_examples DIRECTORY: makes it that of a module with the examples of the documentation.
write_examples() {
	mkdir "$1"
	ln -s "$top/helpers" "$1"
	tests/readme.py README.md docs/*.md tracepoint/*.rs tracepoint/*/*.rs >"$1/readme.rs"
	printf 'obj-m := readme.o\ninclude %s/tracepoint/Kbuild.include\n' "$top" >"$1/Kbuild"
}

# seed DIRECTORY FROM: the library's crates in FROM become those of DIRECTORY, where Kbuild
# builds them again only if it would build them in another way, such as without W=1, which scripts
# that call this set for all builds. "make clean" has left crates without the commands that built
# them.
seed() {
	[ -e "$2/.tracepoint/.libtracepoint.rmeta.cmd" ] || return 0
	rm -rf "$1/.tracepoint"
	cp -a "$2/.tracepoint" "$1"
	sed -i "s:$(realpath "$2")/\.tracepoint/:$(realpath "$1")/.tracepoint/:g" "$1"/.tracepoint/.*.cmd
	# There, the path to the library is relative.
	[ "$2" != . ] || sed -i "s:\(^\|[ =]\)\(tracepoint\|fs\)/:\1$(realpath --relative-to="$1" .)/\2/:g" \
		"$1"/.tracepoint/.*.cmd
}
