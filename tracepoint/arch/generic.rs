// SPDX-License-Identifier: GPL-2.0

//! The common part of arm64 and LoongArch.

use super::{current_task, increment, preempt_count_ptr, this_cpu_ptr};
use core::{
    arch::asm,
    sync::atomic::{compiler_fence, Ordering},
};
use kernel::bindings;

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
    // SAFETY: While preemption is disabled, `word` is this CPU's copy, which exists by the function's
    // safety contract.
    unsafe { increment(word.cast()) };
    // SAFETY: `preempt_disable_notrace()` is called above.
    unsafe { preempt_enable_notrace() };
}

/// C: `preempt_count()`.
pub fn preempt_count() -> u32 {
    // SAFETY: This is `preempt_count()` (include/asm-generic/preempt.h), of the current task.
    unsafe { preempt_count_ptr().read_volatile() }
}

/// Disables preemption. C: `preempt_disable_notrace()`.
#[inline(always)]
pub fn preempt_disable_notrace() {
    // SAFETY: This is `__preempt_count_add(1)` (include/asm-generic/preempt.h): an interrupt leaves the count
    // as it finds it.
    #[cfg(CONFIG_PREEMPT_COUNT)]
    unsafe {
        let count = preempt_count_ptr();
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
    #[cfg(CONFIG_PREEMPT_COUNT)]
    // SAFETY: The caller has disabled preemption, as this function requires.
    if unsafe { super::preempt_count_dec_and_test() } {
        preempt_schedule_notrace();
    }
}

/// Returns whether the calling CPU is online.
///
/// C: `cpu_online(raw_smp_processor_id())`. Any context.
#[inline(always)]
// `cast()` is a function, which costs compile time at each call site.
#[allow(clippy::ptr_as_ptr)]
pub fn this_cpu_online() -> bool {
    // SAFETY: This is `raw_smp_processor_id()` (arch/*/include/asm/smp.h), and the bit of that CPU in
    // `__cpu_online_mask`, which has one for every possible CPU number (`cpumask_test_cpu()`).
    unsafe {
        let cpu = (&raw const (*current_thread_info()).cpu).read_volatile() as usize;
        let mut word = cpu / 64;
        // Keeps LLVM from merging this shift with that of the address, which costs an instruction where
        // a load can shift its index.
        asm!("/* {word} */", word = inout(reg) word, options(nomem, nostack, pure, preserves_flags));
        let mask = (&raw const bindings::__cpu_online_mask) as *const usize;
        mask.add(word).read_volatile() >> (cpu % 64) & 1 != 0
    }
}

/// C: `current_thread_info()` with CONFIG_THREAD_INFO_IN_TASK, which these architectures select.
#[inline(always)]
pub fn current_thread_info() -> *mut bindings::thread_info {
    // SAFETY: The current task is valid. This only takes the address of a field.
    unsafe { &raw mut (*current_task()).thread_info }
}

/// C: `__preempt_schedule_notrace()`.
#[cold]
#[inline(always)]
fn preempt_schedule_notrace() {
    // SAFETY: This follows include/asm-generic/preempt.h and arch/arm64/include/asm/preempt.h, and
    // is called when the count has dropped to zero.
    #[cfg(all(CONFIG_PREEMPTION, CONFIG_PREEMPT_DYNAMIC))]
    unsafe {
        bindings::dynamic_preempt_schedule_notrace()
    };
    // SAFETY: This follows include/asm-generic/preempt.h, and is called when the count has dropped
    // to zero.
    #[cfg(all(CONFIG_PREEMPTION, not(CONFIG_PREEMPT_DYNAMIC)))]
    unsafe {
        bindings::preempt_schedule_notrace()
    };
}
