// SPDX-License-Identifier: GPL-2.0

//! arm64.
//!
//! C headers: [`arch/arm64/include/asm/percpu.h`](srctree/arch/arm64/include/asm/percpu.h),
//! [`arch/arm64/include/asm/preempt.h`](srctree/arch/arm64/include/asm/preempt.h),
//! [`arch/arm64/include/asm/alternative-macros.h`](srctree/arch/arm64/include/asm/alternative-macros.h)

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

/// Instructions, and those that replace them on CPUs with the capability `{cap}`.
///
/// C: `ALTERNATIVE()` (arch/arm64/include/asm/alternative-macros.h). Both must have the same length,
/// or the assembler fails in `.org`.
macro_rules! alternative {
    ([$($old:literal),*], [$($new:literal),*]) => {
        concat!(
            "661:\n",
            $($old, "\n",)*
            "662:\n",
            ".pushsection .altinstructions, \"a\"\n",
            ".word 661b - .\n",
            ".word 663f - .\n",
            ".hword {cap}\n",
            ".byte 662b - 661b\n",
            ".byte 664f - 663f\n",
            ".popsection\n",
            ".subsection 1\n",
            "663:\n",
            $($new, "\n",)*
            "664:\n",
            ".org . - (664b - 663b) + (662b - 661b)\n",
            ".org . - (662b - 661b) + (664b - 663b)\n",
            ".previous",
        )
    };
}

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
    // SAFETY: `__percpu_add_case_64()` (arch/arm64/include/asm/percpu.h). While preemption is
    // disabled, `word` is this CPU's copy, which exists by the function's safety contract. Not
    // `nomem`, since it's also a compiler barrier.
    unsafe {
        asm!(
            alternative!(
                [
                    "771: ldxr {value}, [{word}]",
                    "add {value}, {value}, {one}",
                    "stxr {failed:w}, {value}, [{word}]",
                    "cbnz {failed:w}, 771b"
                ],
                [
                    ".arch_extension lse",
                    "ldadd {one}, {value}, [{word}]",
                    "nop",
                    "nop",
                    "nop"
                ]
            ),
            cap = const bindings::ARM64_HAS_LSE_ATOMICS,
            value = out(reg) _,
            failed = out(reg) _,
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
    // SAFETY: `__percpu_read_64()` (arch/arm64/include/asm/percpu.h). Every possible CPU's copy
    // exists.
    unsafe { this_cpu_ptr(word.cast_mut()).read_volatile() }
}

/// Returns the calling CPU's copy of a per-CPU variable.
///
/// C: `this_cpu_ptr()`. Meaningful only while the caller stays on the CPU.
#[inline(always)]
pub fn this_cpu_ptr<T>(variable: *mut T) -> *mut T {
    let offset: usize;
    // SAFETY: `__kern_my_cpu_offset()` (arch/arm64/include/asm/percpu.h). Without `pure`, it isn't
    // moved to another place, where the task may be on another CPU.
    unsafe {
        asm!(
            alternative!(["mrs {offset}, tpidr_el1"], ["mrs {offset}, tpidr_el2"]),
            cap = const bindings::ARM64_HAS_VIRT_HOST_EXTN,
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
    // SAFETY: `get_current()` (arch/arm64/include/asm/current.h).
    unsafe {
        asm!(
            "mrs {task}, sp_el0",
            task = out(reg) task,
            options(nomem, nostack, pure, preserves_flags),
        )
    };
    task
}

/// C: `preempt_count()`.
#[inline]
pub fn preempt_count() -> u32 {
    // SAFETY: `preempt_count()` (arch/arm64/include/asm/preempt.h).
    unsafe {
        (&raw const (*current_thread_info()).__bindgen_anon_1.preempt.count).read_volatile() as u32
    }
}

/// C: `irqs_disabled()`, but not if they're masked by priority (CONFIG_ARM64_PSEUDO_NMI).
#[inline]
pub fn irqs_disabled() -> bool {
    const PSR_I_BIT: u64 = 1 << 7;
    let flags: u64;
    // SAFETY: `__daif_local_save_flags()` (arch/arm64/include/asm/irqflags.h).
    unsafe {
        asm!(
            "mrs {flags}, daif",
            flags = out(reg) flags,
            options(nostack, preserves_flags),
        )
    };
    flags & PSR_I_BIT != 0
}

/// Disables preemption. C: `preempt_disable_notrace()`.
#[inline(always)]
pub fn preempt_disable_notrace() {
    // SAFETY: `__preempt_count_add(1)` (arch/arm64/include/asm/preempt.h): an interrupt leaves the
    // count as it finds it.
    #[cfg(CONFIG_PREEMPT_COUNT)]
    unsafe {
        let count = &raw mut (*current_thread_info()).__bindgen_anon_1.preempt.count;
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
    // SAFETY: `__preempt_count_dec_and_test()` (arch/arm64/include/asm/preempt.h), which says why the
    // word is read again. Only the count is written: an interrupt can change the other half, which
    // says in reverse whether to reschedule. The caller guarantees the matching disable.
    #[cfg(CONFIG_PREEMPT_COUNT)]
    unsafe {
        let info = current_thread_info();
        let both = &raw mut (*info).__bindgen_anon_1.preempt_count;
        let rest = both.read_volatile().wrapping_sub(1);
        (&raw mut (*info).__bindgen_anon_1.preempt.count).write_volatile(rest as u32);
        #[cfg(CONFIG_PREEMPTION)]
        if rest == 0 || both.read_volatile() == 0 {
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
    // What `struct pt_regs` starts with.
    use bindings::user_pt_regs as Regs;

    // SAFETY: `perf_arch_fetch_caller_regs()` (arch/arm64/include/asm/perf_event.h). The caller
    // guarantees that `regs` is writable. x29 points to this function's frame record, since the
    // kernel is built with CONFIG_FRAME_POINTER, and that has the address of the probe's. Unlike
    // ours, it exists when perf follows it.
    unsafe {
        asm!(
            "str {ip}, [{regs}, {pc_offset}]",
            "ldr {scratch}, [x29]",
            "str {scratch}, [{regs}, {fp_offset}]",
            "mov {scratch}, sp",
            "str {scratch}, [{regs}, {sp_offset}]",
            "mov {scratch}, {mode}",
            "str {scratch}, [{regs}, {pstate_offset}]",
            ip = in(reg) ip,
            regs = in(reg) regs,
            scratch = out(reg) _,
            pc_offset = const offset_of!(Regs, pc),
            fp_offset = const offset_of!(Regs, regs) + 29 * size_of::<u64>(),
            sp_offset = const offset_of!(Regs, sp),
            pstate_offset = const offset_of!(Regs, pstate),
            mode = const bindings::PSR_MODE_EL1h,
            options(nostack, preserves_flags),
        )
    };
}

/// Returns the hash of a function's type.
///
/// C: `cfi_get_func_hash()` (include/linux/cfi.h). Any context.
///
/// # Safety
///
/// `function` must be one that C may call through a pointer.
#[cfg(CONFIG_CFI)]
#[inline]
pub unsafe fn cfi_get_func_hash(function: *const c_void) -> u32 {
    // SAFETY: `cfi_get_offset()`: the hash of such a function precedes it.
    unsafe { function.cast::<u32>().sub(1).read() }
}
