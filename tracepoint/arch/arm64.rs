// SPDX-License-Identifier: GPL-2.0

//! arm64.
//!
//! C headers: [`arch/arm64/include/asm/percpu.h`](srctree/arch/arm64/include/asm/percpu.h),
//! [`arch/arm64/include/asm/preempt.h`](srctree/arch/arm64/include/asm/preempt.h),
//! [`arch/arm64/include/asm/alternative-macros.h`](srctree/arch/arm64/include/asm/alternative-macros.h)

use super::generic::current_thread_info;
use core::{
    arch::asm,
    ffi::c_void,
    sync::atomic::{AtomicUsize, Ordering},
};
use kernel::bindings;

/// Increments a word, atomically with respect to this CPU.
///
/// C has an alternative for CPUs with LSE, which takes as many instructions.
///
/// # Safety
///
/// `word` must be valid.
#[inline(always)]
pub(super) unsafe fn increment(word: *mut usize) {
    // SAFETY: The caller promises that `word` is valid. This is `__percpu_add_case_64()`
    // (arch/arm64/include/asm/percpu.h).
    unsafe { &*word.cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
}

/// Returns the offset of the calling CPU's copies of per-CPU variables.
///
/// C: `__kern_my_cpu_offset()`, with `ALTERNATIVE()`: the second instruction replaces the first one where the
/// kernel runs at EL2.
#[inline(always)]
pub(super) fn my_cpu_offset() -> usize {
    let offset;
    // SAFETY: This follows arch/arm64/include/asm/percpu.h and arch/arm64/include/asm/alternative-macros.h. Without
    // `pure`, it isn't moved to another place, where the task may be on another CPU.
    unsafe {
        asm!(
            "661: mrs {offset}, tpidr_el1",
            "662: .pushsection .altinstructions, \"a\"",
            ".word 661b - ., 663f - .",
            ".hword {cap}",
            ".byte 662b - 661b, 664f - 663f",
            ".popsection",
            ".subsection 1",
            "663: mrs {offset}, tpidr_el2",
            "664: .previous",
            cap = const bindings::ARM64_HAS_VIRT_HOST_EXTN,
            offset = out(reg) offset,
            options(nostack, readonly, preserves_flags),
        )
    };
    offset
}

/// Returns the current task.
///
/// C: `current`. Any context.
#[inline(always)]
pub fn current_task() -> *mut bindings::task_struct {
    // SAFETY: This is `get_current()` (arch/arm64/include/asm/current.h).
    unsafe { read!("mrs {0}, sp_el0"; nomem, pure) }
}

/// Returns the address of what `preempt_count()` returns.
#[inline(always)]
pub(super) fn preempt_count_ptr() -> *mut u32 {
    // SAFETY: The current task is valid. This only takes the address of a field.
    unsafe { &raw mut (*current_thread_info()).__bindgen_anon_1.preempt.count }
}

/// C: `irqs_disabled()`, but not if they're masked by priority (CONFIG_ARM64_PSEUDO_NMI).
pub fn irqs_disabled() -> bool {
    const PSR_I_BIT: u64 = 1 << 7;
    // SAFETY: This is `__daif_local_save_flags()` (arch/arm64/include/asm/irqflags.h).
    let flags: u64 = unsafe { read!("mrs {0}, daif") };
    flags & PSR_I_BIT != 0
}

/// Decrements the count, and returns whether to reschedule. C: `__preempt_count_dec_and_test()`, which
/// says why the word is read again. Only the count is written: an interrupt can change the other half,
/// which says in reverse whether to reschedule.
///
/// # Safety
///
/// Preemption must have been disabled.
#[cfg(CONFIG_PREEMPT_COUNT)]
#[inline(always)]
pub(super) unsafe fn preempt_count_dec_and_test() -> bool {
    // SAFETY: This follows arch/arm64/include/asm/preempt.h. The current task is valid.
    unsafe {
        let both = &raw mut (*current_thread_info()).__bindgen_anon_1.preempt_count;
        let rest = both.read_volatile().wrapping_sub(1);
        preempt_count_ptr().write_volatile(rest as u32);
        cfg!(CONFIG_PREEMPTION) && (rest == 0 || both.read_volatile() == 0)
    }
}

/// # Safety
///
/// `regs` must be valid for writes.
#[inline(always)]
pub unsafe fn perf_fetch_regs(regs: *mut bindings::pt_regs, ip: *const c_void) {
    // The start of `struct pt_regs`.
    let regs: *mut bindings::user_pt_regs = regs.cast();
    // SAFETY: This is `perf_arch_fetch_caller_regs()` (arch/arm64/include/asm/perf_event.h). The caller
    // guarantees that `regs` is writable. x29 points to this function's frame record, since the
    // kernel is built with CONFIG_FRAME_POINTER, and that has the address of the probe's. Unlike
    // ours, it exists when perf follows it.
    unsafe {
        (*regs).pc = ip as u64;
        (*regs).regs[29] = read!("ldr {0}, [x29]");
        (*regs).sp = read!("mov {0}, sp");
        (*regs).pstate = bindings::PSR_MODE_EL1h.into();
    }
}

/// Returns the hash of a function's type.
///
/// C: `cfi_get_func_hash()` (include/linux/cfi.h). Any context.
///
/// # Safety
///
/// `function` must be one that C may call through a pointer.
#[cfg(CONFIG_CFI)]
pub unsafe fn cfi_get_func_hash(function: *const c_void) -> u32 {
    // SAFETY: The caller passes a function that C may call, which its hash precedes: see
    // `cfi_get_offset()` (include/linux/cfi.h).
    unsafe { function.cast::<u32>().sub(1).read() }
}
