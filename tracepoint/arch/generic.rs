// SPDX-License-Identifier: GPL-2.0

//! What arm64 and LoongArch have in common.

use super::current_task;
use core::arch::asm;
use kernel::bindings;

/// Returns whether the calling CPU is online.
///
/// C: `cpu_online(raw_smp_processor_id())`. Any context.
#[inline(always)]
// `cast()` is a function, which costs compile time at each call site.
#[allow(clippy::ptr_as_ptr)]
pub fn this_cpu_online() -> bool {
    // SAFETY: `raw_smp_processor_id()` (arch/*/include/asm/smp.h), and the bit of that CPU in
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
#[cfg(CONFIG_PREEMPTION)]
#[cold]
#[inline(always)]
pub fn preempt_schedule_notrace() {
    // SAFETY: include/asm-generic/preempt.h and arch/arm64/include/asm/preempt.h; called when the
    // count has dropped to zero.
    #[cfg(CONFIG_PREEMPT_DYNAMIC)]
    unsafe {
        bindings::dynamic_preempt_schedule_notrace()
    };
    // SAFETY: As above.
    #[cfg(not(CONFIG_PREEMPT_DYNAMIC))]
    unsafe {
        bindings::preempt_schedule_notrace()
    };
}
