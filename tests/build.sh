#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Builds all modules from scratch with extra warnings enabled. Rust, objtool and
# modpost must not print any. Leaves the modules for vm.sh to load. Unless ONLY_MODULES is set, also
# tests what else Kbuild does for drivers.

set -eu
. "${0%/*}/lib.sh"
export KBUILD_EXTRA_WARN=1

# build NAME ARGUMENT...: any output other than Kbuild's progress is a warning.
build() {
	local name="$1"
	shift
	run make --no-print-directory -j"$(nproc)" "$@"
	if [ "$status" = 0 ] && ! grep -v '^  [A-Z]' "$tmp/output" >"$tmp/warnings"; then
		ok "build: $name, without warnings"
	else
		not_ok "build: $name, without warnings" "$tmp/output"
	fi
}

# Kbuild enables KCSAN for C only. These are clang's flags for it, as LLVM options.
if configured KCSAN; then
	KRUSTFLAGS='-Cpasses=forceattrs -Cpasses=function\(tsan\) -Cpasses=tsan-module'
	for argument in force-attribute=sanitize_thread tsan-distinguish-volatile=1 \
		tsan-compound-read-before-write=1 tsan-instrument-func-entry-exit=0; do
		KRUSTFLAGS="$KRUSTFLAGS -Cllvm-args=-$argument"
	done
	export KRUSTFLAGS
fi

make clean >/dev/null
build "clippy" clippy
seed template .
build "the template, where it is" CLIPPY=1 -C template
build "the samples" modules
seed tests/modules .
build "the test modules" modules \
	M=tests/modules KBUILD_EXTRA_SYMBOLS="$top/Module.symvers"
seed tests/windows .
build "the test modules with windows" modules M=tests/windows

stale="modules M=tests/stale KBUILD_EXTRA_SYMBOLS=$top/Module.symvers"
name="build: a module that fires with a different prototype is refused"
seed tests/stale .
run make $stale
if [ "$status" != 0 ] &&
	grep -q '^ERROR: modpost: .*: nothing defines the tracepoint `subsys_eventb` with these arguments$' "$tmp/output" &&
	fails grep '_subsys_eventb.*undefined' "$tmp/output"; then
	ok "$name"
else
	not_ok "$name" "$tmp/output"
fi
# Build it anyway, since the module loader must refuse it, too.
run make $stale KBUILD_MODPOST_WARN=1
[ "$status" = 0 ] || not_ok "build: the module with the different prototype, for the virtual machine" "$tmp/output"

[ -z "${KRUSTFLAGS-}" ] || check "build: KCSAN instruments Rust" sh -c 'nm -u tracepoint_sample.o | grep __tsan_read'

# driver DIR LIBRARY [NAME]: makes a new driver that uses the library there.
driver() {
	tools/new-driver "${3-my_driver}" "$1" >/dev/null
	sed -i "s:^include .*/tracepoint/:include $2/:" "$1/Kbuild" "$1/Makefile"
}

# files DIR: everything in a driver except the library's directory and what Kbuild generates.
files() {
	find "$1" -name .tracepoint -prune -o -type f -print | sort |
		grep -vE '/(\..*\.cmd|.*\.o|(my|second)_driver\.(ko|mod|mod\.c)|Module\.symvers|modules\.order)$'
}

# read_only COMMAND...: runs it with the checkout mounted read-only.
read_only() {
	unshare --mount --propagation unchanged sh -euc '
		mount --bind "$0" "$0"
		mount -o remount,bind,ro "$0"
		cd "$0"
		if touch tracepoint/lib.rs 2>/dev/null; then exit 1; fi
		"$@"' "$top" "$@"
}

# Two drivers at a time, outside the checkout.
two_drivers() {
	files "$tmp/first" >"$tmp/before"
	read_only sh -euc '
		tmp=$0
		make --no-print-directory -C "$tmp/first" >"$tmp/output1" 2>&1 &
		first=$!
		make --no-print-directory -C "$tmp/second" >"$tmp/output2" 2>&1 || status=$?
		wait $first
		exit ${status:-0}' "$tmp" || cat "$tmp/output1" "$tmp/output2"
	fails grep -v '^  [A-Z]' "$tmp/output1" "$tmp/output2"
	[ -e "$tmp/first/my_driver.ko" ] && [ -e "$tmp/second/second_driver.ko" ]
	files "$tmp/first" | diff "$tmp/before" -
	# For the virtual machine.
	mkdir tests/.new-driver
	seed tests/.new-driver "$tmp/second"
	cp -R "$tmp"/second/* tests/.new-driver
}

# Kbuild rebuilds what depends on a file only if fixdep found it. Other architectures'
# files are not read.
dependencies() {
	case $(sed -n 's/^CONFIG_\(X86_64\|ARM64\|LOONGARCH\)=y/\1/p' "$KDIR/include/config/auto.conf") in
	X86_64) others='arm64\|loongarch64\|generic' ;;
	ARM64) others='x86_64\|loongarch64' ;;
	LOONGARCH) others='x86_64\|arm64' ;;
	esac
	for file in $(find tracepoint -name '*.rs' -o -name '*.h' |
		grep -v "/arch/\($others\)\.rs"); do
		cat "$tmp"/first/.tracepoint/.*.cmd | grep -q "$top/tracepoint/\(macros/../\)\{0,1\}${file#tracepoint/}" ||
			echo "no target depends on $file"
	done
}

# Without its folder and its line, a layer isn't missed, except that the macros have functions that only it calls. The sample only has to do without what it uses of them. For the
# virtual machine.
without_layers() {
	library=tests/.without-layers/tracepoint
	rm -rf tests/.without-layers
	mkdir tests/.without-layers
	cp -R tracepoint trace_events_sample.rs tp_samples_trace.rs tracepoint_sample.rs fs helpers tests/.without-layers
	rm -r "$library"/layers/*/
	sed -i '/^    /d' "$library/layers/list.rs"
	sed -i '1i #![allow(dead_code, unused_imports)]' "$library/macros/lib.rs"
	sed -i '1i #![allow(dead_code)]
		/^#\[traceable\]$/d
		/^tracepoint_struct! {$/,/^}$/ { s/^tracepoint_struct! {$/#[derive(TracepointArg)]/; /c_name/d; /^}$/d }
		s/ with { reg: foo_bar_reg, unreg: foo_bar_unreg };/;/' tests/.without-layers/trace_events_sample.rs
	cat >>tests/.without-layers/trace_events_sample.rs <<-'END'
		#[derive(TracepointArg)]
		struct Job {
		    state: u8,
		}

		trace_event! {
		    system: "bare";

		    fn bare_job(job: &Job, next: Option<&Job>, data: &[u8], is_last: bool) {
		        state: u8 = job.state,
		        next: i16 = next.map_or(-1, |next| next.state.into()),
		        data: DynArray<u8> = data,
		        is_last: bool = is_last,
		    }
		    print "{name} {state:#x} {after} {data} {is_last}",
		        name = print_symbolic(state, { 0 => "idle", 1..=9 => "busy", _ => "unknown" }),
		        after = print_flags(next, "+", { 0 => "none", 1 => "A", 2 => "B" });
		}
	END
	cat >tests/.without-layers/Kbuild <<-'END'
	obj-m := trace_events_sample.o tracepoint_sample.o
	include $(src)/tracepoint/Kbuild.include
	include $(src)/fs/Kbuild.include
	END
	make modules M="$top/tests/.without-layers" >"$tmp/output1" 2>&1 || { cat "$tmp/output1"; return 1; }
	fails grep -i 'warning\|error' "$tmp/output1"
}

# The macros include a file of the library by its path.
edit() {
	cp -a tracepoint "$tmp/library"
	driver "$tmp/edited" "$tmp/library"
	seed "$tmp/edited" "$tmp/first"
	sed -i "s:$top/tracepoint/:$tmp/library/:g" "$tmp"/edited/.tracepoint/.*.cmd
	make modules M="$tmp/edited" >/dev/null
	fails sh -c 'make modules M="$0" | grep RUSTC' "$tmp/edited"
	grep -q '#\[path = "../base"\]' "$tmp/library/macros/lib.rs"
	touch "$tmp/library/base/text.rs"
	cat >"$tmp/expected" <<-'END'
	  RUSTC P .tracepoint/libtracepoint_macros.so
	  RUSTC L .tracepoint/libtracepoint.rmeta
	  RUSTC [M] my_driver.o
	END
	make modules M="$tmp/edited" | grep RUSTC | diff "$tmp/expected" -
}

single_targets() {
	for file in my_driver.s my_driver.ll my_driver.rsi my_driver.o; do
		make M="$tmp/first" "$file"
		grep -q my_driver_request "$tmp/first/$file"
	done
}

# entries FILE: the number of functions that the module offers to ftrace.
entries() {
	total=0
	for size in $(readelf -SW "$1" | sed -n 's/.* __patchable_function_entries  *[A-Z]* *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p'); do
		total=$((total + 0x$size / 8))
	done
	echo $total
}

# Where rustc can't do it, the build says why and goes on. On x86-64, the entries are for
# something else.
traced_functions() {
	driver "$tmp/traced" "$top/tracepoint"
	seed "$tmp/traced" "$tmp/first"
	make modules M="$tmp/traced"
	before=$(entries "$tmp/traced/my_driver.ko")
	make modules M="$tmp/traced" tracepoint-trace-functions=y >"$tmp/output1" 2>&1
	after=$(entries "$tmp/traced/my_driver.ko")
	cat "$tmp/output1"
	if configured CFI && ! configured X86_64; then
		# There, all functions are traced anyway.
		[ "$before" = "$after" ] && [ "$before" -gt 30 ]
	elif configured X86_64; then
		[ "$(grep -c 'tracepoint-trace-functions has no effect on this kernel: ' "$tmp/output1")" = 1 ]
		[ "$before" = "$after" ]
	else
		fails grep -v '^  [A-Z]' "$tmp/output1"
		echo "$before and $after functions"
		[ "$after" -gt $((before * 2)) ]
	fi
}

# A module of Rust and C objects, one in another directory, and a directory with its own Kbuild.
parts() {
	mkdir -p "$tmp/parts/core"
	driver "$tmp/parts/sub" "$top/tracepoint"
	cat >"$tmp/parts/Kbuild" <<-END
	obj-m := parts.o sub/
	parts-y := main.o core/fire.o helper.o
	# Not for the library, which would be compiled again.
	rustflags-y := --cfg no_such_cfg
	include $top/tracepoint/Kbuild.include
	END
	cat template/my_driver.rs - >"$tmp/parts/main.rs" <<-'END'
	extern "C" {
	    fn parts_helper(parts: *mut kernel::ffi::c_void) -> i32;
	}
	END
	sed -i '/forbid(unsafe_code)/d
		s/serve(1, b"hello");/&\n        \/\/ SAFETY: `parts_helper()` (helper.c) only compares its argument with NULL, so it can be NULL.\n        unsafe { parts_helper(core::ptr::null_mut()) };/' \
		"$tmp/parts/main.rs"
	cat >"$tmp/parts/core/fire.rs" <<-'END'
	//! Fires the tracepoint of the other object.
	use kernel::prelude::*;
	use tracepoint::*;
	const __LOG_PREFIX: &[u8] = b"parts\0";
	tracepoint! { fn my_driver_request(id: u32, data: &[u8]); }
	/// Called from C.
	#[no_mangle]
	pub extern "C" fn parts_fire() {
	    trace!(my_driver_request(2, b"parts"));
	    if let Ok(probe) = my_driver_request.register(|id, _| pr_info!("other object: {id}\n")) {
	        trace!(my_driver_request(3, b""));
	        drop(probe);
	    }
	}
	END
	cat >"$tmp/parts/helper.c" <<-'END'
	#include <linux/module.h>
	struct parts { struct parts *next; };
	void parts_fire(void);
	int parts_helper(struct parts *parts);
	int parts_helper(struct parts *parts)
	{
		parts_fire();
		return parts ? 1 : 0;
	}
	END
	seed "$tmp/parts" "$tmp/first"
	make modules -j2 M="$tmp/parts" >"$tmp/output1" 2>&1 || { cat "$tmp/output1"; false; }
	fails grep -v '^  [A-Z]' "$tmp/output1"
	fails grep '^  RUSTC [A-Z] \.' "$tmp/output1"
	make clean M="$tmp/parts"
	find "$tmp/parts" -name '.tracepoint' >"$tmp/left"
	fails grep . "$tmp/left"
}

# names: the events and tracepoints in check-events's errors.
names() {
	sed 's/[^`]*`\([^`]*\)`.*/\1/' | sort -u
}

# What the macros don't see: functions that panic, calls through a pointer, and frames that are too large.
refused() {
	seed tests/refused .
	fails make -k modules M=tests/refused >"$tmp/output1" 2>&1
	cat "$tmp/output1"
	# What the compiler's lint overlooks. Its names in the former section are mangled.
	grep '^error: the function `.*to_data.*` is in the section .tdata' "$tmp/output1"
	grep '^error: the function `.*Drop.*` is in the section .init.text' "$tmp/output1"
	if configured RUSTC_HAS_SPAN_FILE; then
		grep '^error: the function `memset()` has a name that C and other modules can call it by' "$tmp/output1"
	fi
	# It depends on the architecture whether the compiler inlines an event's own function.
	line=$(grep -n 'trace!(my_own(n' tests/refused/refused.rs)
	# Each version of core has its own functions.
	grep '^error: the ' "$tmp/output1" | grep -vE '`my_trim`|^error: the function' | sed 's/[0-9]* bytes/N bytes/; s/[0-9]* by `/N by `/g
		s/calls `<refused::my_own>::call()`, which is recursive ([^)]*)/is recursive (refused.rs:'"${line%%:*}"')/' |
		LC_ALL=C sort >"$tmp/refused"
	if configured RUST_OVERFLOW_CHECKS; then
		diff tests/refused/refused.expected "$tmp/refused"
		grep -A 1 '`my_trim`.* overflow in `.*trim.*(refused.rs:' "$tmp/output1" | grep 'help: call it before'
	else
		# Other branches are left, and the compiler gives those that it merges no line.
		grep -v '`my_inlined`' tests/refused/refused.expected | names >"$tmp/expected"
		names <"$tmp/refused" | diff "$tmp/expected" -
	fi
	make modules M=tests/refused tracepoint-check-events=n
}

# A stable event. tests/host/schema.py has all the changes, this has what the compiler makes of some.
stable() {
	cat template/my_driver.rs - >"$tmp/first/my_driver.rs" <<-'END'
	#[derive(Clone, Copy, TraceEnum)]
	#[repr(u8)]
	enum Op { Read }
	type Id = u32;
	trace_event! {
	    system: "my_driver";
	    /// A comment.
	    #[stable]
	    fn my_stable(id: u32, op: Op) { id: Id = id, op: Op = op } print "{id} {op}";
	}
	END
	make formats M="$tmp/first"
	cat >"$tmp/expected" <<-'END'
	event	my_driver:my_stable	my_driver.rs	fixed
		field:u32 id;	offset:8;	size:4;	signed:0;
		field:u8 op;	offset:12;	size:1;	signed:0;
		value:op 0 Read
	END
	grep -v '^#\|^$' "$tmp/first/events.formats" | sed 's/^	//' | diff "$tmp/expected" -
	sed -i 's/A comment/Another one/; s/print "{id} {op}"/print "{op}: {id}"/' "$tmp/first/my_driver.rs"
	make modules M="$tmp/first"
	sed -i 's/type Id = u32/type Id = u16/; s/= id, op/= id as u16, op/' "$tmp/first/my_driver.rs"
	fails make modules M="$tmp/first" >"$tmp/output1" 2>&1
	cat "$tmp/output1"
	cat >"$tmp/expected" <<-'END'
	error: `my_driver:my_stable` is stable, but its field `id` has changed
	  kept: field:u32 id;	offset:8;	size:4;	signed:0;
	  now:  field:u16 id;	offset:8;	size:2;	signed:0;
	END
	grep -F -A 2 'its field `id`' "$tmp/output1" | diff "$tmp/expected" -
}

# rustc only knows a module of the kernel crate. docs/troubleshooting.md says what's missing.
without_library() {
	driver "$tmp/without" "$top/tracepoint"
	sed -i '/^include/d' "$tmp/without/Kbuild"
	fails make modules M="$tmp/without" >"$tmp/output1" 2>&1
	cat "$tmp/output1"
	grep -q 'unresolved import `tracepoint`' "$tmp/output1"
	case $(rustc --version) in
	# Newer compilers suggest nothing.
	"rustc 1.85."*) grep -q 'a similar path exists: `kernel::tracepoint`' "$tmp/output1" ;;
	esac
}

# modpost would report four symbols.
undefined() {
	driver "$tmp/undefined" "$top/tracepoint"
	seed "$tmp/undefined" "$tmp/first"
	sed -i '/^define_trace!/d; /^export_/d' "$tmp/undefined/my_driver.rs"
	fails make modules M="$tmp/undefined" >"$tmp/output1" 2>&1
	cat >"$tmp/expected" <<-'END'
		ERROR: modpost: my_driver.ko: nothing defines the tracepoint `my_driver_request` with these arguments
		  --> my_driver.rs:12
		help: if it's this module's: `define_trace!(my_driver_request);`
		help: if it's another module's: declare it in the same way, have that module call
		      `export_tracepoint_symbol!(my_driver_request)`, and name its Module.symvers in KBUILD_EXTRA_SYMBOLS
	END
	sed -n '/^ERROR/,/^make/p' "$tmp/output1" | grep -v ^make | diff "$tmp/expected" -
}

# With CONFIG_CFI, a probe must have exactly the types that C's iterator has.
c_types() {
	tests/c_types.py write "$tmp/types" "$tmp/first/.tracepoint/exact_prototypes.rs"
	seed "$tmp/types" "$tmp/first"
	make M="$tmp/types" rust_types.o c_types.o
	tests/c_types.py compare "$tmp/types"
}

rm -rf tests/.new-driver
driver "$tmp/first" "$top/tracepoint"
driver "$tmp/second" "$top/tracepoint" second-driver
check "build: two drivers at a time, with a read-only library" two_drivers
check "build: the samples, without layers" without_layers

name="build: the kernel's tracepoints have C's types"
if configured CFI; then
	check "$name" c_types
else
	ok "$name # SKIP the kernel has no CONFIG_CFI"
fi

# That's all that vm.sh loads.
[ -z "${ONLY_MODULES-}" ] || exit 0
silent "build: everything depends on every file of the library" dependencies
check "build: an edit of a file that the macros include" edit
check "build: FILE.s, FILE.ll, FILE.rsi" single_targets
check "build: a module of several objects, and a subdirectory" parts
check "build: tracepoint-trace-functions" traced_functions
check "build: a tracepoint that isn't defined" undefined
check "build: a driver without the library is explained in docs/troubleshooting.md" without_library
check "build: a change of a stable event is refused, unless no reader sees it" stable
name="build: events that could panic, or take too much of the stack, are refused"
if configured RUST_DEBUG_ASSERTIONS; then
	ok "$name # SKIP a kernel with CONFIG_RUST_DEBUG_ASSERTIONS"
else
	check "$name" refused
fi
