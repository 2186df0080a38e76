// SPDX-License-Identifier: GPL-2.0

//! LoongArch, 64 bits.
//!
//! C headers: [`arch/loongarch/include/asm/percpu.h`](srctree/arch/loongarch/include/asm/percpu.h),
//! [`arch/loongarch/include/asm/jump_label.h`](srctree/arch/loongarch/include/asm/jump_label.h),
//! [`include/asm-generic/preempt.h`](srctree/include/asm-generic/preempt.h)

use super::generic::current_thread_info;
#[cfg(CONFIG_PREEMPTION)]
use super::generic::preempt_schedule_notrace;
use core::{
    arch::asm,
    ffi::c_void,
    mem::offset_of,
    sync::atomic::{compiler_fence, Ordering},
};
use kernel::bindings;

#[cfg(not(CONFIG_64BIT))]
compile_error!("tracepoint: 32-bit kernels are not supported");

/// Increments the calling CPU's copy of a per-CPU word, atomically with respect to that CPU.
///
/// The word is at byte offset `OFFSET` from `words`. C: `this_cpu_inc()`. Any context, NMI
/// included.
///
/// # Safety
///
/// `words` must be a valid `__percpu` pointer, and there must be a word at `OFFSET` that the caller
/// may increment.
#[inline(always)]
pub unsafe fn this_cpu_inc<const OFFSET: usize, T>(words: *mut T) {
    preempt_disable_notrace();
    let word = this_cpu_ptr(words).wrapping_byte_add(OFFSET);
    // SAFETY: `__percpu_add()` (arch/loongarch/include/asm/percpu.h) with CONFIG_CPU_HAS_AMO, which
    // CONFIG_64BIT implies. While preemption is disabled, `word` is this CPU's copy, which exists by
    // the function's safety contract. Not `nomem`, since it's also a compiler barrier.
    unsafe {
        asm!(
            "amadd.d {value}, {one}, {word}",
            value = out(reg) _,
            one = in(reg) 1_usize,
            word = in(reg) word,
            options(nostack, preserves_flags),
        )
    };
    // SAFETY: Disabled above.
    unsafe { preempt_enable_notrace() };
}

/// Reads the calling CPU's copy of a per-CPU word. C: `raw_cpu_read()`. Any context.
///
/// If the task moves to another CPU in the meantime, this is the copy of the CPU that it comes from.
///
/// # Safety
///
/// `word` must be a valid `__percpu` pointer.
#[inline(always)]
pub unsafe fn this_cpu_read<T>(word: *const *mut T) -> *mut T {
    let value;
    // SAFETY: `_percpu_read()` (arch/loongarch/include/asm/percpu.h). Every possible CPU's copy
    // exists.
    unsafe {
        asm!(
            "ldx.d {value}, $r21, {word}",
            word = in(reg) word,
            value = out(reg) value,
            options(nostack, readonly, preserves_flags),
        )
    };
    value
}

/// Returns the calling CPU's copy of a per-CPU variable.
///
/// C: `this_cpu_ptr()`. Meaningful only while the caller stays on the CPU.
#[inline(always)]
pub fn this_cpu_ptr<T>(variable: *mut T) -> *mut T {
    let offset: usize;
    // SAFETY: `__my_cpu_offset` (arch/loongarch/include/asm/percpu.h). rustc never uses $r21, which
    // the ABI reserves. Without `pure`, it isn't moved to another place, where the task may be on
    // another CPU.
    unsafe {
        asm!(
            "move {offset}, $r21",
            offset = out(reg) offset,
            options(nostack, readonly, preserves_flags),
        )
    };
    variable.wrapping_byte_add(offset)
}

/// Returns the current task.
///
/// C: `current`. Any context.
#[inline(always)]
pub fn current_task() -> *mut bindings::task_struct {
    let task;
    // SAFETY: `get_current()` (arch/loongarch/include/asm/current.h). rustc never uses $tp.
    unsafe {
        asm!(
            "move {task}, $tp",
            task = out(reg) task,
            options(nomem, nostack, pure, preserves_flags),
        )
    };
    task
}

/// C: `preempt_count()`.
#[inline]
pub fn preempt_count() -> u32 {
    // SAFETY: `preempt_count()` (include/asm-generic/preempt.h).
    unsafe { (&raw const (*current_thread_info()).preempt_count).read_volatile() as u32 }
}

/// C: `irqs_disabled()`.
#[inline]
pub fn irqs_disabled() -> bool {
    const CSR_CRMD_IE: u64 = 1 << 2;
    let crmd: u64;
    // SAFETY: `arch_local_save_flags()` (arch/loongarch/include/asm/irqflags.h): reads
    // LOONGARCH_CSR_CRMD, which is 0.
    unsafe {
        asm!(
            "csrrd {crmd}, 0",
            crmd = out(reg) crmd,
            options(nostack, preserves_flags),
        )
    };
    crmd & CSR_CRMD_IE == 0
}

/// Disables preemption. C: `preempt_disable_notrace()`.
#[inline(always)]
pub fn preempt_disable_notrace() {
    // SAFETY: `__preempt_count_add(1)` (include/asm-generic/preempt.h): an interrupt leaves the count
    // as it finds it.
    #[cfg(CONFIG_PREEMPT_COUNT)]
    unsafe {
        let count = &raw mut (*current_thread_info()).preempt_count;
        count.write_volatile(count.read_volatile().wrapping_add(1));
    }
    // barrier()
    compiler_fence(Ordering::SeqCst);
}

/// Re-enables preemption. C: `preempt_enable_notrace()`.
///
/// # Safety
///
/// The matching [`preempt_disable_notrace`] must have been called.
#[inline(always)]
pub unsafe fn preempt_enable_notrace() {
    // barrier()
    compiler_fence(Ordering::SeqCst);
    // SAFETY: `__preempt_count_dec_and_test()` (include/asm-generic/preempt.h), with
    // `tif_need_resched()`. The caller guarantees the matching disable.
    #[cfg(CONFIG_PREEMPT_COUNT)]
    unsafe {
        let info = current_thread_info();
        let count = &raw mut (*info).preempt_count;
        let rest = count.read_volatile().wrapping_sub(1);
        count.write_volatile(rest);
        #[cfg(CONFIG_PREEMPTION)]
        if rest == 0
            && (&raw const (*info).flags).read_volatile() & (1 << bindings::TIF_NEED_RESCHED) != 0
        {
            preempt_schedule_notrace();
        }
    }
}

/// Fills in the current registers, as far as perf needs them for a software event. Must be called by a
/// function that the probe calls, and that calls nothing before its end.
///
/// C: `perf_fetch_caller_regs()`. C records the address the probe was called from. A Rust function
/// can't find that out, so the instruction pointer is `ip`, the probe itself; a call chain lists its
/// callers.
///
/// # Safety
///
/// `regs` must be valid for writes.
#[inline(always)]
pub unsafe fn perf_fetch_regs(regs: *mut bindings::pt_regs, ip: *const c_void) {
    const GPRS: usize = offset_of!(bindings::pt_regs, regs);

    // SAFETY: `perf_arch_fetch_caller_regs()` (arch/loongarch/include/asm/perf_event.h). The caller
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
