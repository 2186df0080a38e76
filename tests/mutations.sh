#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Mutation testing in the virtual machine: makes each of the mistakes in tests/mutations.list, in
# a copy of the tree, and expects the scripts of tests/vm that are named there to fail. NAMES
# restricts it to these mutations. Writes the results to tests/mutations.md. Needs what build.sh
# has built.

set -eu
. "${0%/*}/lib.sh"

tests/mutations.py list ${NAMES-} >"$tmp/list"
scripts=$(cut -d ' ' -f 2- "$tmp/list" | tr ' ' '\n' | sort -u)
# Without a mutation, they must pass.
for script in $scripts; do
	echo "none $script"
done >>"$tmp/list"

prepared=$tmp/prepared
run env PREPARE="$prepared" tests/vm.sh $scripts
[ -d "$prepared" ] || {
	not_ok "mutations: tests/vm.sh prepares the machine" "$tmp/output"
	exit
}

# build TREE SCRIPT...: builds the modules that the scripts name, not counting comments and the names
# of cases, and puts them beside the others.
build() {
	local tree="$1" dir ko of
	shift
	for script; do
		sed '/^[[:space:]]*#/d; s/^\(.*\<check\) "[^"]*"/\1/' "tests/vm/$script.sh"
	done >"$tmp/scripts"
	rm -rf "$tree.modules"
	cp -R "$prepared" "$tree.modules"
	for dir in . tests/modules tests/windows; do
		of=
		for ko in "$dir"/*.ko; do
			name=$(basename "$ko" .ko)
			if grep -qw "$name" "$tmp/scripts"; then of="$of $name.o"; fi
		done
		[ "$of" ] || continue
		make -C "$tree" -j2 M="$dir" KBUILD_EXTRA_SYMBOLS="$top/Module.symvers" obj-m="$of" modules
		for name in $of; do
			strip --strip-debug -o "$tree.modules/${name%.o}.ko" "$tree/$dir/${name%.o}.ko"
		done
	done
}

# test_mutation TREE NAME SCRIPT...
test_mutation() {
	local tree="$1" name="$2" caught last status
	shift 2
	run tests/mutations.py apply "$name" "$tree"
	[ "$status" != 0 ] || run build "$tree" "$@"
	[ "$status" = 0 ] || {
		not_ok "mutations: $name: cannot be built" "$tmp/output"
		return
	}
	# Most of the time would be spent waiting for grace periods.
	run setpriv --pdeathsig TERM tools/vm -k "$(cat "$KDIR/include/config/kernel.release")" -t 1200 \
		-a rcupdate.rcu_expedited=1 -l "$tree.console" env FAIL_FAST=y tests/vm/run "$tree.modules" "$@"
	caught=$(sed -n 's/^not ok //p' "$tmp/output" | head -n 1)
	last=$(sed -n 's/^ok [^:]*: \(.*\)/ after "\1"/p' "$tmp/output" | tail -n 1)
	case $status-$caught in
	124-) caught="$*: the machine hangs$last" ;;
	125-) caught="$*: the kernel panics$last" ;;
	esac
	if [ "$name" = none ]; then
		name="mutations: $* passes without a mutation"
		[ "$status" = 0 ] && [ -z "$caught" ] && ok "$name" || not_ok "$name" "$tmp/output"
	elif [ -n "$caught" ]; then
		ok "mutations: $name: caught by $caught"
		echo "$name $caught" >>"$results"
	else
		not_ok "mutations: $name: survived $*" "$tmp/output"
	fi
}

# worker N: tests every second mutation.
worker() {
	tmp=$tmp/$1
	mkdir -p "$tmp/tree"
	tar -c --exclude=./.git . | tar -x -C "$tmp/tree"
	while read -r name scripts; do
		test_mutation "$tmp/tree" "$name" $scripts
	done <"$tmp.list"
}

results=$tmp/results
: >"$results"
for n in 1 2; do
	awk -v n=$n 'NR % 2 == n % 2' "$tmp/list" >"$tmp/$n.list"
	worker $n &
	workers="${workers-} $!"
done
trap 'kill $workers; exit 130' INT TERM HUP
for worker in $workers; do
	wait "$worker" || not_ok "mutations: exited with status $?"
done
tests/mutations.py update "$results"
