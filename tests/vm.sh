#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# usage: tests/vm.sh [SCRIPT]...
#
# Runs the scripts of tests/vm in virtual machines with the kernel of KDIR. ROUNDS
# sets the number of rounds of repeated tests, SEED the seed of random ones, and CPU
# options of tools/vm for another CPU.

set -eu
. "${0%/*}/lib.sh"
export KBUILD_EXTRA_WARN=1
. tools/common.sh

# Strip debug information, which is slow to read in the machine.
mkdir "$tmp/modules"
cp ./*.ko tests/modules/*.ko tests/windows/*.ko tests/stale/*.ko template/*.ko "$tmp/modules"

# runs SCRIPT: whether this script is among those to be run.
scripts=$*
runs() {
	case " ${scripts:-$1} " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

# prepare FUNCTION: calls it in the background.
prepare() {
	(
		set -e
		"$1"
	) >"$tmp/$1.output" 2>&1 </dev/null &
	prepared="${prepared-} $1:$!"
}

# A module with many events.
module_with_many_events() {
	bench/size/generate "$tmp/many" 130
	seed "$tmp/many" tests/.new-driver
	make M="$tmp/many" modules
	cp "$tmp"/many/*.ko "$tmp"/many/*.expected "$tmp/modules"
}

# A module with random values after templates.
module_with_random_values() {
	tests/vm/computed.py generate "${SEED:-1}" 200 "$tmp/computed"
	seed "$tmp/computed" tests/.new-driver
	make M="$tmp/computed" modules
	cp "$tmp"/computed/*.ko "$tmp/computed/computed.json" "$tmp/modules"
}

# A module with the examples of the documentation. No file has the formats of their stable events.
module_with_examples() {
	write_examples "$tmp/readme"
	seed "$tmp/readme" tests/.new-driver
	make M="$tmp/readme" TRACEPOINT_FORMATS=update modules
	cp "$tmp/readme/readme.ko" "$tmp/readme/readme.rs" "$tmp/modules"
}

# What tools/schema makes of modules, and a program that decodes records.
schema() {
	tools/schema trace_events_sample.ko trace_spans_sample.ko tests/modules/safe_values.ko \
		tests/modules/types.ko tests/modules/event_*.ko >"$tmp/modules/schema.json"
	externs=
	for m in trace_events_sample tests/modules/safe_values; do
		name=${m##*/}_records
		tools/schema --rust "$tmp/$name" $m.ko
		rustc --edition 2021 -Dwarnings --crate-type rlib --crate-name "$name" -o "$tmp/lib$name.rlib" "$tmp/$name/lib.rs"
		externs="$externs --extern $name=$tmp/lib$name.rlib"
	done
	[ -n "$foreign" ] || rustc --edition 2021 -Dwarnings -O $externs -o "$tmp/modules/records" tests/vm/records.rs
}

# bpf SOURCE OUTPUT [OPTION]...: compiles a BPF program.
bpf() {
	local source="tests/vm/$1.bpf.c" output="$tmp/modules/$2.bpf.o"
	shift 2
	clang -O2 -g -Wall -target bpf -D__TARGET_ARCH_$bpf_arch \
		-I"/usr/include/$(gcc -print-multiarch)" "$@" -c -o "$output" "$source"
}
bpf_programs() {
	case $arch in
	amd64) bpf_arch=x86 ;;
	arm64) bpf_arch=arm64 ;;
	loong64) bpf_arch=loongarch ;;
	esac
	bpf btf btf
	for name in LIMIT BYTES TOO_FAR NUMBER ARGUMENT READ_ONLY; do
		bpf writable writable-$name -D$name
	done
}

# The example is built from Debian's crates, in a copy.
example() {
	mkdir "$tmp/examples"
	cp -r examples/foo_bar "$tmp/examples"
	ln -s "$top/tools" "$top/trace_events_sample.ko" "$tmp"
	CARGO_HOME="$tmp/cargo" make -C "$tmp/examples/foo_bar"
	example=$tmp/examples/foo_bar/target
	cp "$example/foo_bar.bpf.o" "$example/debug/foo_bar" "$tmp/modules"
}

programs_in_c() {
	cc=gcc
	# The kernel can have been built by clang.
	[ -z "$foreign" ] || cc=$(ls "/usr/bin/$cross"gcc-[0-9]* | tail -n 1)
	for program in stress fail_nth arithmetic; do
		$cc -O2 -Wall -fwrapv -pthread -o "$tmp/modules/$program" "tests/vm/$program.c"
	done
}

# The kernel's own sample in C and its ftrace selftests.
kernels_own() {
	mkdir "$tmp/modules/c"
	cp -r "$KDIR/tools/testing/selftests/ftrace" "$tmp/modules/c"
	cp -r "$KDIR/samples/trace_events" "$tmp"
	echo 'obj-m := trace-events-sample.o
	CFLAGS_trace-events-sample.o := -I$(src)' >"$tmp/trace_events/Kbuild"
	rm "$tmp/trace_events/Makefile"
	make M="$tmp/trace_events" modules
	cp "$tmp/trace_events/trace-events-sample.ko" "$tmp/modules/c"
}

installed_modules() {
	make modules_install
}

prepare installed_modules
runs many && prepare module_with_many_events
runs computed && prepare module_with_random_values
runs readme && prepare module_with_examples
runs schema && prepare schema
prepare bpf_programs
# Its libraries in C are only here for this machine.
if [ -z "$foreign" ] && runs btf; then
	prepare example
fi
prepare programs_in_c
prepare kernels_own
for job in $prepared; do
	wait "${job#*:}" || not_ok "vm: ${job%:*}" "$tmp/${job%:*}.output"
done

"${cross}strip" --strip-debug "$tmp"/modules/*.ko

# sign DIRECTORY KEY CERTIFICATE: writes signed copies of some modules to DIRECTORY.
sign() {
	mkdir "$tmp/modules/$1"
	for m in tracepoint_sample tracepoint_probe_sample trace_events_sample; do
		KBUILD_SIGN_PIN=snakeoil "$KDIR/scripts/sign-file" sha256 "$2" "$3" \
			"$tmp/modules/$m.ko" "$tmp/modules/$1/$m.ko"
	done
}
uefi=
if configured MODULE_SIG; then
	openssl req -new -x509 -newkey rsa:2048 -nodes -batch -subj /CN=stranger \
		-keyout "$tmp/key" -out "$tmp/certificate" 2>/dev/null
	sign stranger "$tmp/key" "$tmp/certificate"
	case $arch in
	amd64) key=/usr/share/ovmf/PkKek-1-snakeoil ;;
	arm64) key=/usr/share/qemu-efi-aarch64/PkKek-1-snakeoil ;;
	*) key= ;;
	esac
	[ -z "$key" ] || {
		uefi=-u
		sign signed $key.key $key.pem
	}
fi

# For mutations.sh, which starts the machines itself.
[ -z "${PREPARE-}" ] || {
	mv "$tmp/modules" "$PREPARE"
	exit
}

modules=$tmp/modules
machine="-c 2 -k $(cat "$KDIR/include/config/kernel.release")"
if configured 'K[AC]SAN'; then
	# These kernels check every memory access. With slab_debug, they don't hash addresses.
	machine="$machine -m 2G -t 7200 -a hash_pointers=always"
else
	machine="$machine -t 1800"
fi
# With ROUNDS, the tests may take much longer.
[ -z "${ROUNDS-}" ] || machine="$machine -t 100000"

# in_machine SCRIPT...: runs the scripts in one machine. The console log also has
# messages that are too old for dmesg.
in_machine() {
	more=${CPU-}
	case $1 in
	lockdown) more="$more $uefi" ;;
	orders) more="$more -c 1" ;;
	# Fewer allocations that can fail.
	recorder) more="$more -a trace_buf_size=128k" ;;
	esac
	setpriv --pdeathsig TERM tools/vm $machine $more -l "$tmp/console-$1" \
		env ROUNDS="${ROUNDS-}" SEED="${SEED-}" tests/vm/run "$modules" "$@" ||
		not_ok "vm: the machine exited with status $?" "$tmp/console-$1"
	check "$1: no complaints on the machine's console" no_complaints "$tmp/console-$1"
}

# cfi [OPTION]...: runs the script in a machine that it leaves unusable.
cfi() {
	configured CFI || {
		ok "cfi # SKIP the kernel has no CONFIG_CFI"
		return
	}
	setpriv --pdeathsig TERM tools/vm $machine "$@" -l "$tmp/console-cfi" \
		tests/vm/cfi.sh "$modules" ||
		not_ok "cfi: the machine exited with status $?" "$tmp/console-cfi"
}

if [ $# -gt 0 ]; then
	case $1 in
	cfi) "$@" ;;
	*) in_machine "$@" ;;
	esac
	exit
fi

# lane SCRIPTS...: runs a machine with each argument's scripts, one after the other, in the background.
lanes= logs=
lane() {
	local log="$tmp/lane-${1%% *}"
	(
		tmp=$log.files
		mkdir "$tmp"
		for scripts; do
			in_machine $scripts
		done
	) >"$log" 2>&1 &
	lanes="$lanes $!"
	logs="$logs $log"
}

# Run five machines at a time: each uses only one CPU, and often waits.
lane "stress contexts growth hotplug"
lane "sample drops windows"
lane "orders decode computed print perf ports types limits bytes many" lockdown recorder
lane "fuzz unprivileged faults spans"
trap 'kill $lanes; exit 130' INT TERM HUP
in_machine demo readme modules c safe arithmetic prototypes tprobe proc consumers unload schema kernel_events \
	kernel_points btf timeline forgotten
# The default CPU has everything. These lack atomic instructions, or start at EL2, like
# most hardware, where the kernel uses other registers. Both have pages of 16 KiB.
on_cpu() {
	CPU=$2
	in_machine contexts sample unload | sed "s/^ok /ok $1: /; s/^not ok /not ok $1: /"
}
[ "$arch" != arm64 ] || {
	on_cpu "without LSE" "-p cortex-a35"
	on_cpu "with VHE" "-p cortex-a76 -M virtualization=on"
}
cfi
for lane in $lanes; do
	wait $lane || not_ok "vm: a script in the background exited with status $?"
done
cat $logs
