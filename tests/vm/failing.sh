# SPDX-License-Identifier: GPL-2.0
#
# For scripts that fail allocations with fail_nth. Sourced after lib.sh. Needs a kernel with
# fault injection.

slab=/sys/kernel/debug/failslab
pages=/sys/kernel/debug/fail_page_alloc

# can_fail: whether the kernel has fault injection.
can_fail() {
	[ -e $slab ] && [ -e $pages ]
}

# start_failing: to be called before the others.
start_failing() {
	exec 3>&1
	# Include single pages and highmem, and don't print backtraces.
	echo 0 >$pages/min-order
	echo N >$pages/ignore-gfp-highmem
	echo 0 >$slab/verbose
	echo 0 >$pages/verbose
	# Keep the kernel's own warnings about failed allocations, which C modules trigger as
	# well, off the console and out of the log.
	dmesg -n 1
	clear_log() {
		take_log | sed '/cut here/ { N; N; /fprobe_module_callback\|event_define_fields\|trace_rb_cpu_prepare/!b; :more; N; /end trace/!b more; d }' \
			>>"$whole_log"
	}
}

stop_failing() {
	clear_log
	dmesg -n 5
}

# failing SLAB PAGES: Y exempts allocations that may sleep, which are nearly all.
failing() {
	echo "$1" >$slab/ignore-gfp-wait
	echo "$2" >$pages/ignore-gfp-wait
}

# fail_nth MODULE [BESIDE]...: runs the program. The modules have no BTF, since the kernel
# crashes when reading it without memory, also in modules in C: btf_check_all_metas() ignores
# the error of btf_add_type(), and btf_relocate() follows NULL for the type that was lost.
fail_nth() {
	local name=$1 m
	for m; do
		shift
		objcopy -R .BTF -R .BTF.base "$modules/$m.ko" "$tmp/$m.ko"
		set -- "$@" "$tmp/$m.ko"
	done
	clear_log
	"$modules/fail_nth" "$@" >"$tmp/said" || {
		cat "$tmp/said"
		dmesg | tail -n 20
		return 1
	}
	sed "s/^/# $name: /" "$tmp/said" >&3
	clear_log
}
