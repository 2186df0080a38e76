#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Mutation testing: cargo-mutants, which tools/evidence installs, changes the parts of the
# library that need no kernel, one function or operator at a time, and a host test has to
# fail. Mutants that survive must be in tests/mutants.survivors, with the reason. FILES="base/text
# base/event/show ..." restricts it to these files, and SHARD=0/8 to an eighth of the mutants of
# each.

set -eu
. "${0%/*}/lib.sh"

# Each file, and the tests in tests/host that are tried first. The macros' tests come second,
# and are the only ones for a file of theirs.
all="base/text:constants,prototype base/prototype:constants,prototype base/hash:constants
	layers/recorder/tail:tail base/event/template:constants,template base/event/symbols:constants,template
	base/event/values/number:number base/event/show:show base/event/spec:show
	macros/features/expression: macros/features/values:"
package=/var/cache/rust-tracepoint/mutants
out=$package.out

# The crates for procedural macros are in rust/host since 7.3.
host=$KDIR/rust/host
[ -e "$host/libsyn.rlib" ] || host=$KDIR/rust
export RUSTC_BOOTSTRAP=1 CARGO_NET_OFFLINE=true
# Not --cap-lints: a constant that takes forever has to be an error.
export RUSTFLAGS="-L $host --extern proc_macro2 --extern quote --extern syn -A warnings"

# cargo-mutants needs packages: one with the library's files and the host tests, and one
# with the macros.
make_package() {
	rm -rf "$package" "$out"
	mkdir -p "$package/tests" "$out"
	cp -R tracepoint "$package"
	cp -R tests/host tests/macros "$package/tests"
	cat >"$package/Cargo.toml" <<-END
	[workspace]
	members = ["tracepoint/macros"]
	[package]
	name = "library"
	edition = "2021"
	autotests = false
	[lib]
	path = "tracepoint/pure.rs"
	doctest = false
	test = false
	[profile.dev]
	debug = 0
	END
	for file in tests/host/*.rs; do
		name=${file##*/}
		printf '[[test]]\nname = "%s"\npath = "%s"\n' "${name%.rs}" "$file"
	done >>"$package/Cargo.toml"
	cat >"$package/tracepoint/macros/Cargo.toml" <<-END
	[package]
	name = "tracepoint_macros"
	edition = "2021"
	autotests = false
	[lib]
	path = "lib.rs"
	proc-macro = true
	doctest = false
	END
	# Finds the files. The tests include them on their own.
	cat >"$package/tracepoint/pure.rs" <<-END
	#[path = "layers/recorder/tail.rs"]
	pub mod tail;
	pub mod base {
	    pub mod hash;
	    pub mod prototype;
	    pub mod text;
	    pub mod event {
	        pub mod errno;
	        pub mod shape;
	        pub mod show;
	        pub mod symbols;
	        pub mod template;
	        pub mod values {
	            pub mod number;
	        }
	    }
	}
	END
}

# mutants NAME ARGUMENT...: tests the mutants of a file. cargo-mutants exits with 2 or 3 if
# any of them survives or takes too long.
mutants() {
	local file="tracepoint/$1.rs" of=library status=0
	case $1 in
	macros/*) of=tracepoint_macros ;;
	esac
	shift
	(cd "$package" && cargo mutants --package "$of" --no-shuffle --colors never --no-times \
		--build-timeout 120 --file "$file" ${SHARD:+--shard "$SHARD"} "$@") || status=$?
	case $status in
	0 | 2 | 3) ;;
	*) return "$status" ;;
	esac
}

# test_file NAME TESTS: lists in $tmp/caught and $tmp/survivors what became of the mutants.
# Those that survive the quick tests have to survive the macros' tests, too.
test_file() {
	local name="$1" tests="$(echo "${2:+,$2}" | sed 's/,/ --test /g')" dir="$out/$1"
	mkdir -p "$dir"
	: >"$tmp/caught"
	if [ -n "$tests" ]; then
		mutants "$name" --output "$dir" --test-package library -- $tests
		results "$dir"
	fi
	if [ -z "$tests" ] ||
		{ [ -s "$tmp/survivors" ] && grep -q " mod ${name##*/};" tracepoint/macros/lib.rs; }; then
		# The fuzzer needs the samples.
		mutants "$name" --output "$dir" --iterate --test-package tracepoint_macros -- \
			-- --skip fuzz
		results "$dir"
	fi
}

# results DIR: lines move, so they are left out.
results() {
	cat "$1/mutants.out/caught.txt" "$1/mutants.out/timeout.txt" >>"$tmp/caught"
	sed 's/^\([^:]*\):[0-9:]* /\1: /' "$1/mutants.out/missed.txt" >"$tmp/survivors"
}

if ! command -v cargo-mutants >/dev/null; then
	not_ok "mutants: cargo-mutants is missing: run tools/evidence"
	exit
fi
make_package
for entry in $all; do
	name=${entry%:*}
	case " ${FILES-$name} " in
	*" $name "*) ;;
	*) continue ;;
	esac
	run test_file "$name" "${entry#*:}"
	[ "$status" = 0 ] || {
		not_ok "mutants: $name.rs: exit status $status" "$tmp/output"
		continue
	}
	grep -vxFf tests/mutants.survivors "$tmp/survivors" >"$tmp/new" || :
	caught=$(wc -l <"$tmp/caught")
	if [ $((caught + $(wc -l <"$tmp/survivors"))) -gt 0 ] && [ ! -s "$tmp/new" ]; then
		ok "mutants: $name.rs: $caught caught, $(wc -l <"$tmp/survivors") known survivors"
	else
		not_ok "mutants: $name.rs: $caught caught, $(wc -l <"$tmp/new") new survivors" "$tmp/new"
	fi
done
