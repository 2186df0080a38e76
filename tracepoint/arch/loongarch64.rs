// SPDX-License-Identifier: GPL-2.0

//! LoongArch, 64 bits.
//!
//! C headers: [`arch/loongarch/include/asm/percpu.h`](srctree/arch/loongarch/include/asm/percpu.h),
//! [`arch/loongarch/include/asm/jump_label.h`](srctree/arch/loongarch/include/asm/jump_label.h),
//! [`include/asm-generic/preempt.h`](srctree/include/asm-generic/preempt.h)

use super::generic::current_thread_info;
use core::{arch::asm, ffi::c_void, mem::offset_of};
use kernel::bindings;

#[cfg(not(CONFIG_64BIT))]
compile_error!("tracepoint: 32-bit kernels are not supported");

/// Increments a word, atomically with respect to this CPU.
///
/// # Safety
///
/// `word` must be valid.
#[inline(always)]
pub(super) unsafe fn increment(word: *mut usize) {
    // SAFETY: The caller promises that `word` is valid. This is `__percpu_add()`
    // (arch/loongarch/include/asm/percpu.h) with CONFIG_CPU_HAS_AMO, which CONFIG_64BIT implies.
    // rustc's instruction is also a barrier between CPUs.
    unsafe {
        asm!(
            "amadd.d {value}, {one}, {word}",
            value = out(reg) _,
            one = in(reg) 1_usize,
            word = in(reg) word,
            options(nostack, preserves_flags),
        )
    };
}

/// Returns the offset of the calling CPU's copies of per-CPU variables.
#[inline(always)]
pub(super) fn my_cpu_offset() -> usize {
    // SAFETY: This is `__my_cpu_offset` (arch/loongarch/include/asm/percpu.h). rustc never uses $r21, which
    // the ABI reserves. Without `pure`, it isn't moved to another place, where the task may be on
    // another CPU.
    unsafe { read!("move {0}, $r21"; readonly) }
}

/// Returns the current task.
///
/// C: `current`. Any context.
#[inline(always)]
pub fn current_task() -> *mut bindings::task_struct {
    // SAFETY: This is `get_current()` (arch/loongarch/include/asm/current.h). rustc never uses $tp.
    unsafe { read!("move {0}, $tp"; nomem, pure) }
}

/// Returns the address of what `preempt_count()` returns.
#[inline(always)]
pub(super) fn preempt_count_ptr() -> *mut u32 {
    // SAFETY: The current task is valid. This only takes the address of a field.
    unsafe { (&raw mut (*current_thread_info()).preempt_count).cast() }
}

/// C: `irqs_disabled()`.
pub fn irqs_disabled() -> bool {
    const CSR_CRMD_IE: u64 = 1 << 2;
    // SAFETY: This is `arch_local_save_flags()` (arch/loongarch/include/asm/irqflags.h): reads
    // LOONGARCH_CSR_CRMD, which is 0.
    let crmd: u64 = unsafe { read!("csrrd {0}, 0") };
    crmd & CSR_CRMD_IE == 0
}

/// Decrements the count, and returns whether to reschedule. C: `__preempt_count_dec_and_test()`.
///
/// # Safety
///
/// Preemption must have been disabled.
#[cfg(CONFIG_PREEMPT_COUNT)]
#[inline(always)]
pub(super) unsafe fn preempt_count_dec_and_test() -> bool {
    let count = preempt_count_ptr();
    // SAFETY: This follows include/asm-generic/preempt.h, with `tif_need_resched()`. The current task is valid.
    unsafe {
        let rest = count.read_volatile().wrapping_sub(1);
        count.write_volatile(rest);
        cfg!(CONFIG_PREEMPTION)
            && rest == 0
            && (&raw const (*current_thread_info()).flags).read_volatile()
                & (1 << bindings::TIF_NEED_RESCHED)
                != 0
    }
}

/// # Safety
///
/// `regs` must be valid for writes.
#[inline(always)]
pub unsafe fn perf_fetch_regs(regs: *mut bindings::pt_regs, ip: *const c_void) {
    const GPRS: usize = offset_of!(bindings::pt_regs, regs);

    // SAFETY: This is `perf_arch_fetch_caller_regs()` (arch/loongarch/include/asm/perf_event.h). The caller
    // guarantees that `regs` is writable. The instructions only read registers. `__unwind_start()`
    // (arch/loongarch/include/asm/unwind.h) continues at $ra, which is an address in the probe: the
    // function that this is inlined into ends with its only call, so it has no frame.
    unsafe {
        asm!(
            "st.d {ip}, {regs}, {era_offset}",
            "st.d $ra, {regs}, {ra_offset}",
            "st.d $sp, {regs}, {sp_offset}",
            "st.d $fp, {regs}, {fp_offset}",
            ip = in(reg) ip,
            regs = in(reg) regs,
            era_offset = const offset_of!(bindings::pt_regs, csr_era),
            ra_offset = const GPRS + size_of::<u64>(),
            sp_offset = const GPRS + 3 * size_of::<u64>(),
            fp_offset = const GPRS + 22 * size_of::<u64>(),
            options(nostack, preserves_flags),
        )
    };
}
