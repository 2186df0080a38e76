#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/patches.sh
#
# Applies a series of patches to the kernel's source and tests the result. Run by tests/patches/run,
# which names the STEPS:
#
#   apply    the patches apply to the source as Debian has it
#   each     after each patch, the kernel builds without warnings of the compilers and of clippy,
#            rustdoc, rustfmt and checkpatch have no complaints, and the examples in the documentation compile
#   pristine the kernel without the patches builds and boots, and the events of its binder driver
#            are recorded, for the comparisons
#   compare  the comparison notices changes of what was recorded
#   base     the kernel with the patches builds and boots, and the events of its binder driver have
#            the same fields and the same texts, which perf and trace-cmd decode, too; the other ROWs
#            do that with further options, tests/patches/rows/ROW.config
#   fields   the build fails if a field of a C struct has another name or type
#   riscv    binder, the sample and the kernel crate are compiled for an architecture that no other row is for
#   loongarch
#            binder, a module and the kernel crate are compiled for an architecture where tracepoints in Rust become
#            nothing
#   selftests
#            the kernel's own tests of ftrace have the same results with "base" as with "pristine"
#
# Everything is in the cache directory, in kernel/VERSION: in "tree" the source with the patches, in
# "build" what is built from it, and in "passed" the steps that aren't run again.

set -eu
. "${0%/*}/lib.sh"
. tools/common.sh
. tools/kernel-tree.sh

directory=$(kernel_directory)
patches=$directory/patches
linux=$directory/tree
golden=$directory/golden/$arch
passed=$directory/passed
mkdir -p "$golden" "$passed"
lock "$directory/.lock" "tests patches"

case $arch in
amd64) kernel_arch=x86 image=arch/x86/boot/bzImage ;;
arm64) kernel_arch=arm64 image=arch/arm64/boot/Image ;;
*) die "patches are not tested with ARCH=$arch: drop it, or set it to arm64" ;;
esac

# key FILE...: identifies what a step depends on.
key() {
	cat /dev/null "$@" | sha256sum | cut -d ' ' -f 1
}

without_line() {
	grep --line-buffered -vxF "$1" || :
}

# once STEP KEY COMMAND...: prints the cases of a step. They are those of the last run if it has
# passed with the same KEY.
once() {
	local file="$passed/$1" end="# $1 has ended, $2"
	shift 2
	if [ "$(tail -n 1 "$file" 2>/dev/null)" != "$end" ]; then
		{
			"$@"
			echo "$end"
		} | tee "$file.new" | without_line "$end"
		[ "$(tail -n 1 "$file.new")" = "$end" ] || exit 1
		if ! grep -q '^not ok' "$file.new"; then
			mv "$file.new" "$file"
		fi
	else
		without_line "$end" <"$file"
	fi
}

in_linux() {
	git -C "$linux" "$@"
}

# checkout COMMIT: changes only files that differ, so that only these are compiled again.
checkout() {
	[ "$(in_linux rev-parse HEAD)" = "$(in_linux rev-parse "$1^{commit}")" ] || in_linux checkout -q --detach "$1"
}

# With always the same committer, and the dates of the patches, the same patches become the same commits.
export GIT_COMMITTER_NAME=tests/patches GIT_COMMITTER_EMAIL=tests-patches@localhost
am() {
	[ -e "$linux" ] || git -C "$directory/source" worktree add -q --detach "$linux" refs/tags/pristine
	in_linux am --abort 2>/dev/null || :
	in_linux checkout -q -f --detach refs/tags/pristine
	in_linux clean -fdxq
	set -- "$patches"/*.patch
	[ ! -e "$1" ] || in_linux am -q --committer-date-is-author-date "$@" || return
	in_linux tag -f series
}
too_long() {
	wc -l "$patches"/*.patch | awk '$2 != "total" && $1 > 1500'
}
apply() {
	local number=
	number=$(find "$patches" -name '*.patch' | wc -l)
	check "apply: the $number patches apply" am
	[ "$number" = 0 ] || silent "apply: none has more than 1,500 lines" too_long
}

# use NAME: sets $tree and $config, and how to make it. NAME is a row or a step that builds.
use() {
	variant=$1
	tree=$directory/build/$arch-$variant
	set -- tests/patches/base.config "tests/patches/$arch.config"
	case $variant in
	# Most of its objects are those of base.
	pristine) tree=$directory/build/$arch-base ;;
	pristine-off) set -- "$@" tests/patches/rows/tracepoints-off.config ;;
	each)
		set -- "$@" tests/patches/each.config
		# Including the sample, as soon as there is one.
		[ ! -e "$linux/samples/rust/rust_trace_events.rs" ] || set -- "$@" tests/patches/series.config
		;;
	fields) set -- "$@" tests/patches/series.config tests/patches/each.config ;;
	riscv) set -- "$1" tests/patches/series.config tests/patches/each.config tests/patches/riscv.config ;;
	loongarch) set -- "$1" tests/patches/each.config tests/patches/loongarch.config ;;
	base) set -- "$@" tests/patches/series.config ;;
	*) set -- "$@" tests/patches/series.config "tests/patches/rows/$variant.config" ;;
	esac
	config=$tree/.wanted
	mkdir -p "$tree"
	merge_configs "$@" >"$config"
	llvm=$foreign
	if grep -qx CONFIG_CC_IS_CLANG=y "$config"; then
		llvm=1
	fi
}
run_make() {
	nice make --no-print-directory -C "$linux" O="$tree" -j"$(nproc)" ARCH=$kernel_arch ${llvm:+LLVM=1} \
		LOCALVERSION="-$variant" "$@"
}

# Where progress is shown, in a case, too.
exec 3>&2

# build ARGUMENT...: CONFIG_WERROR makes the compilers' warnings errors. Kbuild's progress has two
# spaces in front.
build() {
	configure
	rm -f "$tmp/failed"
	# In these configurations, nothing constructs the doctests' struct LocalModule.
	{ run_make RUSTFLAGS_doctests_kernel_generated.o=-Adead_code "$@" 2>&1 || touch "$tmp/failed"; } | tee "$tmp/make" |
		awk -v name="$variant" 'NR % 500 == 0 { print "# " name ": " NR " steps of the build"; fflush() }' >&3
	[ ! -e "$tmp/failed" ] || {
		grep -v '^  [A-Z]' "$tmp/make"
		return 1
	}
	# Not kernel-doc's about files that no patch touches, nor those about Debian's .gitignore.
	grep -iE '^([^ ].*)?warning' "$tmp/make" |
		fails grep -v -e /lib/rhashtable.c: -e /rust_binderfs.c: -e ': warning: ignored by '
}

checkpatch() {
	cd "$linux"
	# Whether MAINTAINERS needs a change is the series' business, and signing it off that of whoever sends it.
	# rustfmt judges the lines of Rust code, and leaves strings alone. Faultable tracepoints are read under
	# RCU tasks trace in C, too.
	scripts/checkpatch.pl --strict --ignore FILE_PATH_CHANGES,MISSING_SIGN_OFF,LONG_LINE,RCU_TASKS_TRACE --git "$1"
}

# Prints the warnings of rustdoc about Rust code, if any.
documents() {
	run_make rustdoc >"$tmp/make" 2>&1 || cat "$tmp/make"
	grep -A 5 -E '^(warning|error)' "$tmp/make" || :
}

# patch COMMIT NAME
patch() {
	checkout "$1"
	use each
	# Nor does kernel/bpf/diagnostics.c heed this one.
	check "$2: builds without warnings" build W=1 CLIPPY=1 CFLAGS_diagnostics.o=-Wno-suggest-attribute=format all
	silent "$2: rustdoc" documents
	check "$2: rustfmt" run_make rustfmtcheck
	check "$2: checkpatch" checkpatch "$1"
}
each() {
	local n=0 commit=
	for commit in $(in_linux rev-list --reverse refs/tags/pristine..refs/tags/series); do
		n=$((n + 1))
		once "$arch-each-$n" "$commit-$(key tests/patches/*.config)" patch "$commit" "each: $n, $(in_linux show -s --format=%s "$commit")"
	done
}

compiler=gcc
[ -z "$foreign" ] || compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="*\([^ "]*\).*/\1/p' "$KDIR/include/config/auto.conf")

install_kernel() {
	V=$(release)
	rm -rf "$target/usr/lib/modules/$V"
	run_make INSTALL_MOD_PATH="$target" INSTALL_MOD_STRIP=1 modules_install
	# Kbuild doesn't without CONFIG_MODULES.
	depmod -b "${target:-/}" "$V"
	cp "$tree/$image" "$target/usr/lib/modules/$V/vmlinuz"
	"$compiler" -O2 -Wall -Wextra -Werror -fno-pie -no-pie -o "$tree/binder" tests/patches/binder.c
	clang -O2 -g -Wall -target bpf "-D__TARGET_ARCH_$kernel_arch" "-I/usr/include/$(gcc -print-multiarch)" \
		-c -o "$tree/tp_btf.bpf.o" tests/patches/tp_btf.bpf.c
}

# build_modules DIRECTORY TARGET: builds modules of the test, which need the patches.
build_modules() {
	rm -rf "${tree:?}/$1"
	cp -R "tests/patches/$1" "$tree"
	run_make M="$tree/$1" "$2"
}

# not_built NAME [TIMES TEXT]...: whether a module of tests/patches/refused fails to compile, with TIMES errors that
# contain each TEXT, and no others.
not_built() {
	local module="$1" all=0
	shift
	fails build_modules refused "$module.o" >"$tmp/errors" 2>&1
	cat "$tmp/errors"
	while [ $# -gt 0 ]; do
		[ "$(grep -cF "$2" "$tmp/errors")" = "$1" ]
		all=$((all + $1))
		shift 2
	done
	[ "$(grep '^error' "$tmp/errors" | grep -vc 'aborting due to')" = $all ]
}
cfg_is_explained() {
	not_built cfg 3 "a macro can't evaluate this: put it before the macro call"
}

on() {
	grep -qx "CONFIG_$1=y" "$tree/.config"
}

# The version of the kernel. "pristine" and "base" are built in the same tree.
release() {
	sed "s/-\(pristine\|base\)\$/-$variant/" "$tree/include/config/kernel.release"
}

# machine ARGUMENT...: boots the kernel of $tree with these arguments of tools/vm.
machine() {
	setpriv --pdeathsig TERM tools/vm -k "$(release)" "$@"
}

# Writes what the machine has printed to $tree/machine.
boot() {
	set -- -a "trace_event=rust_binder:*" -l "$tree/console"
	on SMP || set -- "$@" -c 1
	if on KASAN; then
		set -- "$@" -m 2G -t 1200
	fi
	machine "$@" tests/patches/machine.sh "$tree" >"$tree/machine" || {
		tail "$tree/machine"
		return 1
	}
}

# measure: writes the sizes of the kernel and of binder's objects to $tree/sizes, and the code of a
# function that fires two events to $tree/code.
measure() {
	local function=
	(
		cd "$tree"
		"${cross}size" vmlinux drivers/android/binder/*.o >sizes
		function=$(sed -n 's/.* T \(_R.*rust_binder_ioctl\)$/\1/p' System.map)
		[ "$(echo "$function" | wc -w)" = 1 ]
		"${cross}objdump" -d --no-show-raw-insn --disassemble="$function" vmlinux >code
	)
}

# types: whether the kernel's and a module's BTF have the types of the tracepoints' arguments.
types() {
	# bpftool numbers names that vmlinux has, too.
	sed -n '/^### types/,/^### /{s/___[0-9]*//g;s/^typedef void (\*btf_trace_//p}' "$tree/machine" |
		sort | diff - "$tmp/types"
}
cat >"$tmp/types" <<'END'
reloads_opened)(void *, u32, u32);
reloads_opening)(void *, u32, const char *);
reloads_other)(void *, struct task_struct *, void *, const char *, size_t);
rust_kunit_called)(void *, s32, const char *, const void *, size_t);
rust_kunit_recorded)(void *, s32, void *);
rust_sample_opened)(void *, s32, const char *, const void *, size_t);
rust_sample_third)(void *, u32);
END

# boots NAME: the cases for any kernel. Whether $tree/machine can be compared is in $status.
boots() {
	# The pristine kernel's object, in the same tree, has no source any more with the patches.
	rm -f "$tree/machine" "$tree/drivers/android/binder/rust_binder_events.o"
	check "$1: builds without warnings" build all
	[ "$status" = 0 ] || return 0
	measure
	check "$1: installed" install_kernel
	[ "$status" = 0 ] || return 0
	rm -rf "$tree/modules"
	if on MODULES && on SAMPLE_RUST_TRACE_EVENTS; then
		check "$1: modules that use tracepoints are built" build_modules modules modules
	fi
	check "$1: boots, and binder's transactions succeed" boot
	[ "$status" = 0 ] || return 0
	check "$1: no complaints on the machine's console" no_complaints "$tree/console"
	silent "$1: no KUnit test fails" fails grep 'not ok ' "$tree/machine"
	if on SAMPLE_RUST_TRACE_EVENTS; then
		check "$1: KUnit has run the sample's tests" grep '# rust_trace_events: pass:3 fail:0' "$tree/machine"
		silent "$1: the sample's events are decoded" tests/patches/compare.py sample "$tree/machine"
	fi
	if on TRACEPOINTS; then
		silent "$1: trace_event= has enabled the events" tests/patches/compare.py disabled "$tree/machine"
		silent "$1: all events are fired" tests/patches/compare.py silent "$tree/machine"
		if on JUMP_LABEL; then
			check "$1: each place where an event is fired is a NOP" tests/patches/sites.py "$tree" binder_
		fi
	fi
	status=0
}

# binder_size: how many bytes binder's objects take in a kernel.
binder_size() {
	"${cross}size" "$tree"/drivers/android/binder/*.o | awk 'NR > 1 { sum += $4 } END { print sum }'
}
pristine_off() {
	configure
	run_make drivers/android/binder/
}

# at_most THOUSANDTHS C RUST: whether Rust has at most so much more than C.
at_most() {
	echo "C: $2, Rust: $3"
	[ $(($3 * 1000)) -le $(($2 * (1000 + $1))) ]
}
# measured NAME THOUSANDTHS C RUST
measured() {
	check "$1" at_most "$2" "$3" "$4"
	[ "$status" != 0 ] || sed 's/^/# /' "$tmp/output"
}

pristine() {
	checkout refs/tags/pristine
	use pristine
	boots pristine
	[ "$status" = 0 ] || return 0
	check "pristine: instructions are counted" counted
	[ "$status" = 0 ] || return 0
	cp "$tree/machine" "$tree/sizes" "$tree/code" "$tree/counts" "$golden"
	use pristine-off
	check "pristine: binder is built without tracepoints" pristine_off
	[ "$status" != 0 ] || binder_size >"$golden/size-off"
}

# row NAME
row() {
	checkout refs/tags/series
	use "$1"
	boots "$1"
	[ "$status" = 0 ] || return 0
	if ! on TRACEPOINTS; then
		check "$1: a module with tracepoints compiles" build_modules modules reloads.o
		measured "$1: binder isn't larger than with C's events" 0 "$(cat "$golden/size-off")" "$(binder_size)"
		return
	fi
	silent "$1: the events' fields are C's" tests/patches/compare.py formats "$golden/machine" "$tree/machine"
	silent "$1: the names of commands are C's" tests/patches/compare.py names \
		"$directory/source/drivers/android/binder/rust_binder_events.c" "$tree/machine"
	silent "$1: binder's statistics are C's" tests/patches/compare.py stats "$golden/machine" "$tree/machine"
	silent "$1: the events' texts are C's" tests/patches/compare.py trace "$golden/machine" "$tree/machine"
	silent "$1: a full buffer has as many records" tests/patches/compare.py full "$golden/machine" "$tree/machine"
	silent "$1: perf and trace-cmd decode the same texts" tests/patches/compare.py decoded "$tree/machine"
	if on DEBUG_INFO_BTF; then
		silent "$1: tp_btf programs have the same arguments" tests/patches/compare.py tp_btf "$golden/machine" "$tree/machine"
	fi
	if on MODULES; then
		if on DEBUG_INFO_BTF; then
			check "$1: BTF has the types of arguments" types
		fi
		check "$1: 100 reloads with a forgotten probe, an enabled event and a probe in C" \
			grep -qx '### reloads 100' "$tree/machine"
	fi
	[ "$1" = base ] || return 0
	check "base: a tracepoint can't be defined or exported by another name" not_built alias \
		2 "panicked at 'this is not the name that the tracepoint is declared with'"
	check "base: safe code can't claim a definition or fill a record" not_built safe \
		1 "the trait \`Defined\` requires an \`unsafe impl\` declaration" 1 "mismatched types"
	check "base: #[cfg] on a declaration is explained" cfg_is_explained
	check "base: functions for the library alone aren't public" not_built arch 1 "module \`arch\` is private"
	diff -U 0 "$golden/sizes" "$tree/sizes" | sed '1,2d; /^@/d; s/^/# /'
	check "base: instructions are counted" counted
	[ "$status" = 0 ] || return 0
	# One or two depend on which registers the compiler chooses for the code around.
	measured "base: a call takes as many instructions as in C with events off" 6 "$(count off "$golden")" "$(count off "$tree")"
	# An event that's on calls five helpers, each of which has a stack frame on arm64, unless
	# CONFIG_RUST_INLINE_HELPERS is set.
	if [ "$arch" = arm64 ]; then set -- 20; else set -- 10; fi
	measured "base: a call takes as many instructions as in C with events on" "$1" "$(count on "$golden")" "$(count on "$tree")"
}

# bindings HEADER SED: builds the kernel crate, with that change of a header. Nothing is changed in the source: only
# bindgen sees it.
bindings() {
	local header="$linux/include/linux/$1"
	sed "$2" "$header" >"$tmp/header"
	[ -z "$2" ] || fails cmp -s "$header" "$tmp/header"
	cat >"$tmp/overlay" <<-END
		{ "version": 0, "roots": [ { "name": "${header%/*}", "type": "directory", "contents": [
			{ "name": "$1", "type": "file", "external-contents": "$tmp/header" } ] } ] }
	END
	cat >"$tree/bindgen" <<-END
		#!/bin/sh
		case " \$* " in
		*" -- "*) set -- "\$@" -ivfsoverlay "$tmp/overlay" ;;
		esac
		exec bindgen "\$@"
	END
	chmod +x "$tree/bindgen"
	rm -f "$tree/rust/bindings/bindings_generated.rs"
	run_make BINDGEN="$tree/bindgen" prepare
}

# refused STRUCT FIELD HEADER FROM TO: whether an error names the field.
refused() {
	fails bindings "$3" "/^struct $1 {/,/^};/s/$4/$5/" >"$tmp/errors" 2>&1
	grep -A 10 '^error' "$tmp/errors" >"$tmp/of_field" || :
	if grep -q ' --> .*rust/kernel/trace/' "$tmp/of_field" && grep -w "$2" "$tmp/of_field"; then
		return 0
	fi
	cat "$tmp/errors"
	return 1
}
fields() {
	local struct= field= header= from= to=
	checkout refs/tags/series
	use fields
	configure
	check "fields: C's headers as they are" bindings tracepoint-defs.h ""
	[ "$status" = 0 ] || return 0
	while IFS='|' read -r struct field from to; do
		header=trace_events.h
		case $struct in
		tracepoint* | trace_print_flags) header=tracepoint-defs.h ;;
		esac
		check "fields: $struct: $field, \"$from\" becomes \"$to\"" refused $struct $field $header "$from" "$to"
	done <<-END
		tracepoint|probestub|\<probestub;|probe_stub;
		tracepoint|ext|\*ext;|ext[1];
		tracepoint|ext|struct tracepoint_ext|struct { unsigned int faultable:1; }
		tracepoint|static_call_key|static_call_key \*|module *
		tracepoint|funcs|tracepoint_func|module
		tracepoint_ext|faultable|faultable:1|may_fault:1, faultable
		trace_event_fields|filter_type|const int  filter_type;|
		trace_event_fields|is_signed|is_signed:1|has_sign:1
		trace_event_fields|size|const int  size|const long size
		trace_event_class|fields_array|\*fields_array|*array
		trace_event_class|fields_array|trace_event_fields|module
		trace_event_class|probe|\<void\t*\*probe|unsigned long probe
		trace_event_call|print_fmt|\*print_fmt|*format
		trace_event_call|print_fmt|char\t*\*print_fmt|int *print_fmt
		trace_event_call|flags|\<int\t*flags;|char flags;
		trace_print_flags|mask|unsigned long\t*mask|unsigned int mask
		trace_print_flags|name|\*name;|*text;
	END
}

# compiled ARCH
compiled() {
	checkout refs/tags/series
	kernel_arch=$1
	use "$1"
	check "$1: compiled without warnings" build rust/ drivers/android/binder/ samples/rust/
	check "$1: a module with tracepoints compiles" build_modules modules reloads.o
	[ "$1" != loongarch ] || check "$1: #[cfg] on a declaration is explained" cfg_is_explained
}

# The kernel's own tests of ftrace, a line for each with its result.
selftests() {
	local kernel=
	for kernel in pristine base; do
		use $kernel
		check "selftests: run with $kernel" selftest
		[ "$status" = 0 ] || return 0
	done
	check "selftests: the same results" diff "$tmp/selftests-pristine" "$tmp/selftests-base"
	sed 's/.*\[/[/' "$tmp/selftests-base" | sort | uniq -c | sed 's/^ */# /'
}
selftest() {
	machine -t 7200 sh -euc "cd '$linux/tools/testing/selftests/ftrace' && ./ftracetest --logdir /run/log" \
		>"$tmp/said" || :
	grep '^\[[0-9]*\].*\[[A-Z]*\]$' "$tmp/said" >"$tmp/selftests-$variant" || :
	[ "$(grep -c '\[PASS\]$' "$tmp/selftests-$variant")" -gt 100 ] || {
		tail -n 30 "$tmp/said"
		return 1
	}
}

# Writes to $tree/counts how many instructions a call takes, with the events off and on.
counted() {
	machine -i tests/patches/machine.sh "$tree" 10000 >"$tree/counts"
	[ "$(count off "$tree")" -gt 0 ]
	[ "$(count on "$tree")" -gt 0 ]
}

# count STATE DIRECTORY
count() {
	sed -n "s/^### $1 //p" "$2/counts"
}

# changed WHAT SED: whether the comparison notices that change of the recorded kernel.
changed() {
	sed "$2" "$golden/machine" >"$tmp/changed"
	fails cmp "$golden/machine" "$tmp/changed"
	fails tests/patches/compare.py "$1" "$golden/machine" "$tmp/changed"
}
compare() {
	local pid=
	pid=$(sed -n 's/^caller //p' "$golden/machine")
	for what in formats trace; do
		silent "compare: C's $what are C's" tests/patches/compare.py $what "$golden/machine" "$golden/machine"
		sed "s/\<$pid\>/9$pid/g" "$golden/machine" >"$tmp/other"
		silent "compare: $what with another process ID" tests/patches/compare.py $what "$golden/machine" "$tmp/other"
	done
	check "compare: another offset is noticed" changed formats '/field:.*ret;/s/offset:8/offset:12/'
	check "compare: another type is noticed" changed formats 's/field:bool proc_work/field:u8 proc_work/'
	check "compare: a missing event is noticed" changed formats '/^### format binder_return/,/^###/d'
	check "compare: another value is noticed" changed trace 's/ret=-22/ret=-14/'
	check "compare: another order is noticed" changed trace '/binder_ioctl:/{h;d};/binder_command:/{G}'
	silent "compare: C's full buffer is C's" tests/patches/compare.py full "$golden/machine" "$golden/machine"
	check "compare: a missing record in a full buffer is noticed" changed full '/^### full/,/^###/s/[0-9]$/x/'
	silent "compare: C's arguments are C's" tests/patches/compare.py tp_btf "$golden/machine" "$golden/machine"
	check "compare: another argument is noticed" changed tp_btf 's/"ioctl_sum": ./&1/'
	check "compare: a program that hasn't run is noticed" changed tp_btf 's/\(_fd_recv_calls": \)./\10/'
	check "compare: another statistic is noticed" changed stats 's/^BC_REPLY: ./&1/'
	check "compare: a missing line is noticed" changed trace '/transaction_fd_recv/d'
}

# series_key FILE...: identifies what a step with the patches depends on.
series_key() {
	echo "$(in_linux rev-parse 'refs/tags/series^{commit}')-$(key "$@")"
}

tests="$0 tools/vm tests/lib.sh $(find tests/patches -type f)"
for step in $STEPS; do
	case $step in
	apply) once apply "$(key $(find "$patches" -name '*.patch' | sort))" apply ;;
	each) each ;;
	fields | selftests) once "$arch-$step" "$(series_key $tests)" "$step" ;;
	riscv | loongarch) once "$arch-$step" "$(series_key $tests)" compiled "$step" ;;
	pristine) once "$arch-pristine" "$(key $tests)" pristine ;;
	compare) once "$arch-compare" "$(key $tests "$golden/machine")" compare ;;
	*) once "$arch-$step" "$(series_key $tests "$golden/machine")" row "$step" ;;
	esac
done
