#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/compile-fail.sh [NAME]...
#
# Checks that the compiler rejects compile-fail/NAME.rs with the expected messages.
# Its output must contain every line of NAME.stderr, and its first error or warning
# must start with the first line there. The compiler that the messages were written
# for must report no other error, and none of the library's own messages may take more
# than ten lines. Others choose other words and stop at other errors, so that of theirs, only the first line and the
# library's own messages are expected. Without a NAME.stderr, the file must compile without a message.
# OVERWRITE=1 regenerates NAME.stderr.
#
# NAME.iterator.stderr replaces it on kernels without static calls, where the compiler sees
# the call's types once more.

set -eu
. "${0%/*}/lib.sh"
export KBUILD_EXTRA_WARN=1

seed tests/compile-fail .
run make M=tests/compile-fail good.o
if [ "$status" != 0 ]; then
	not_ok "compile-fail: good" "$tmp/output"
	exit
fi
cd tests/compile-fail
ok "compile-fail: good"

# Kbuild's command and environment, without the objtool run that follows.
export RUSTC_BOOTSTRAP=1
export TRACEPOINT_EXPORTS= TRACEPOINT_OUT="$top/tests/compile-fail/.tracepoint"
strict=
case $(rustc --version) in
"rustc 1.85."*) strict=1 ;;
esac
command=$(sed -n 's/^savedcmd_good.o := //p' .good.o.cmd | sed 's/ ; .*//')

compile() {
	eval "$(echo "$command" | sed "s/\<good\>/$1/g")" 2>"$tmp/$1.output" || :
	rm -f "$1.o" "$1".long-type-*
	# Newer compilers print the path where a type is defined, not re-exported. The path is
	# left out if no other type has the name: the kernel crate has an Srcu since 7.3.
	sed 's/^ *//; s/ *$//; s/bindings::bindings_raw::/bindings::/g; s/event::field::/field::/g
		s/tracepoint::__private::Srcu/Srcu/' "$tmp/$1.output" >"$tmp/$1.lines"
}

[ $# -gt 0 ] || set -- $(ls *.rs | sed 's/\.rs$//' | grep -vx good)
# One job per CPU.
started=0
for case; do
	compile "$case" &
	started=$((started + 1))
	[ $((started % $(nproc))) != 0 ] || wait
done
wait

# errors FILE: how many errors it contains.
errors() {
	grep -E '^error[:[]' "$1" | grep -vc '^error: aborting' || :
}

# words FILE: the lines in the words of the compiler that the messages were written for, with the last part of paths.
words() {
	sed 's/^error.E0425.: cannot find type/error[E0412]: cannot find type/
		s/: could not evaluate static initializer$/: evaluation/
		s/: cannot find \(.* in `tracepoint`\)/: failed to resolve: could not find \1/
		s/no associated function or constant named/no associated item named/
		s/reference to field of packed struct/reference to packed field/
		s/\([a-z_0-9]\{1,\}::\)\{1,\}\([A-Za-z_]\)/\2/g' "$1"
}

variant=
configured HAVE_STATIC_CALL || variant=.iterator

for case; do
	expected=$case$variant.stderr
	[ -e "$expected" ] || expected=$case.stderr
	if [ -n "${OVERWRITE-}" ]; then
		# For errors in constants, compilers differ in the first words and in where
		# they print the reason.
		sed -n "s/^\(error.E0080.: evaluation\).*/\1/; s/.* panicked at '\(.*\)', .*/\1/; /^\(error\|warning\)[:[]/p
			/^\(-->\|:::\) $case.rs/p" "$tmp/$case.lines" |
			grep -Ev ' emitted$|^error: aborting' >"$expected" || rm -f "$expected"
		cat "$tmp/$case.output"
	fi
	if [ ! -e "$expected" ]; then
		cat "$tmp/$case.output"
	else
		wanted=$expected
		if [ -n "$strict" ]; then
			grep -m 1 -E '^(error|warning)[:[]' "$tmp/$case.lines" >"$tmp/first" || :
			case $(cat "$tmp/first") in
			"$(head -n 1 "$expected")"*) ;;
			*) echo "the first error differs from $expected" ;;
			esac
		else
			words "$tmp/$case.lines" >"$tmp/words"
			mv "$tmp/words" "$tmp/$case.lines"
			words "$expected" | sed -n '1p; /^error: `/p; /^\(error\|warning\|-->\|:::\)/!p' >"$tmp/wanted"
			wanted=$tmp/wanted
		fi
		while IFS= read -r line; do
			grep -qF -e "$line" "$tmp/$case.lines" || echo "missing: $line"
		done <"$wanted"
		if [ -n "$strict" ]; then
			[ "$(errors "$tmp/$case.lines")" -le "$(errors "$expected")" ] ||
				echo "more errors than in $expected"
			[ "$expected" = "$case.iterator.stderr" ] || awk 'BEGIN { RS = ""; FS = "\n" }
				NF > 10 && $1 ~ /^error: `|^error.E0277.:.*(tracepoint|field of|C type|headers)/ {
					print "too long: " $1
				}' "$tmp/$case.output"
		fi
	fi >"$tmp/wrong" 2>&1
	if [ -s "$tmp/wrong" ]; then
		cat "$tmp/$case.output" >>"$tmp/wrong"
		not_ok "compile-fail: $case" "$tmp/wrong"
	else
		ok "compile-fail: $case"
	fi
done
