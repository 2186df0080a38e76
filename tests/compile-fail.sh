#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/compile-fail.sh [NAME]...
#
# What the compiler must refuse, and what it must say: for compile-fail/NAME.rs
# it has to print every line of NAME.stderr or more, and its first error or
# warning has to begin with the first line there. OVERWRITE=1 writes that anew.

set -eu
. "${0%/*}/lib.sh"

run make M=tests/compile-fail good.o
if [ "$status" != 0 ]; then
	not_ok "compile-fail: good" "$tmp/output"
	exit
fi
cd tests/compile-fail
ok "compile-fail: good"

# The command that Kbuild runs, in its environment, without the objtool after it.
export RUSTC_BOOTSTRAP=1
command=$(sed -n 's/^savedcmd_good.o := //p' .good.o.cmd | sed 's/ ; .*//')

compile() {
	eval "$(echo "$command" | sed "s/\<good\>/$1/g")" 2>"$tmp/$1.output" || :
	rm -f "$1.o" "$1".long-type-*
	# Newer compilers name a type by where it is, not by where it is re-exported.
	sed 's/^ *//; s/ *$//; s/bindings::bindings_raw::/bindings::/g; s/event::field::/field::/g' "$tmp/$1.output" >"$tmp/$1.lines"
}

[ $# -gt 0 ] || set -- $(ls *.rs | sed 's/\.rs$//' | grep -vx good)
# As many at a time as there are CPUs.
started=0
for case; do
	compile "$case" &
	started=$((started + 1))
	[ $((started % $(nproc))) != 0 ] || wait
done
wait

for case; do
	if [ -n "${OVERWRITE-}" ]; then
		# In a constant: compilers differ in how they begin, and in where the reason is.
		sed -n "s/^\(error.E0080.: evaluation\).*/\1/; s/.* panicked at '\(.*\)', .*/\1/; /^\(error\|warning\|print template\)[:[]/p
			/^\(-->\|:::\) $case.rs/p" "$tmp/$case.lines" |
			grep -Ev ' emitted$|^error: aborting' | awk '!seen[$0]++' >"$case.stderr"
		cat "$tmp/$case.output"
	fi
	{
		grep -m 1 -E '^(error|warning)[:[]' "$tmp/$case.lines" >"$tmp/first" || :
		case $(cat "$tmp/first") in
		"$(head -n 1 "$case.stderr")"*) ;;
		*) echo "the first error is not that of $case.stderr" ;;
		esac
		while IFS= read -r line; do
			grep -qF -e "$line" "$tmp/$case.lines" || echo "missing: $line"
		done <"$case.stderr"
	} >"$tmp/wrong" 2>&1
	if [ -s "$tmp/wrong" ]; then
		cat "$tmp/$case.output" >>"$tmp/wrong"
		not_ok "compile-fail: $case" "$tmp/wrong"
	else
		ok "compile-fail: $case"
	fi
done
