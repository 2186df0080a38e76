// SPDX-License-Identifier: GPL-2.0

//! arm64.
//!
//! C headers: [`arch/arm64/include/asm/percpu.h`](srctree/arch/arm64/include/asm/percpu.h),
//! [`arch/arm64/include/asm/preempt.h`](srctree/arch/arm64/include/asm/preempt.h),
//! [`arch/arm64/include/asm/alternative-macros.h`](srctree/arch/arm64/include/asm/alternative-macros.h)

use super::generic::current_thread_info;
use core::{arch::asm, ffi::c_void, mem::offset_of};
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

/// Increments a word, atomically with respect to this CPU. Not `nomem`, since it's also a compiler
/// barrier.
///
/// # Safety
///
/// `word` must be valid.
#[inline(always)]
pub(super) unsafe fn increment(word: *mut usize) {
    // SAFETY: `__percpu_add_case_64()` (arch/arm64/include/asm/percpu.h). Guaranteed by the caller.
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

/// Returns the address of what `preempt_count()` returns.
#[inline(always)]
pub(super) fn preempt_count_ptr() -> *mut u32 {
    // SAFETY: The current task is valid. This only takes the address of a field.
    unsafe { &raw mut (*current_thread_info()).__bindgen_anon_1.preempt.count }
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
    // SAFETY: arch/arm64/include/asm/preempt.h. The current task is valid.
    unsafe {
        let both = &raw mut (*current_thread_info()).__bindgen_anon_1.preempt_count;
        let rest = both.read_volatile().wrapping_sub(1);
        preempt_count_ptr().write_volatile(rest as u32);
        cfg!(CONFIG_PREEMPTION) && (rest == 0 || both.read_volatile() == 0)
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
