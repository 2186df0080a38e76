// SPDX-License-Identifier: GPL-2.0

//! x86-64.
//!
//! C headers: [`arch/x86/include/asm/percpu.h`](srctree/arch/x86/include/asm/percpu.h),
//! [`arch/x86/include/asm/static_call.h`](srctree/arch/x86/include/asm/static_call.h),
//! [`arch/x86/include/asm/ibt.h`](srctree/arch/x86/include/asm/ibt.h)

use core::{arch::asm, ffi::c_void, mem::offset_of};
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
    // SAFETY: %gs:0 is the offset of the CPU's per-CPU area (`__my_cpu_offset`), so `%gs:(words)`
    // is this CPU's copy, which exists by the function's safety contract.
    unsafe {
        asm!(
            "incq %gs:{offset}({words})",
            offset = const OFFSET,
            words = in(reg) words,
            options(att_syntax, nostack),
        )
    };
}

/// Returns whether the calling CPU is online.
///
/// C: `cpu_online(raw_smp_processor_id())`. Any context.
#[inline(always)]
pub fn this_cpu_online() -> bool {
    'offline: {
        // SAFETY: This reads the calling CPU's `cpu_number` and its bit in `__cpu_online_mask`, which
        // has a bit for every possible CPU number (`cpumask_test_cpu()`).
        unsafe {
            asm!(
                "movl %gs:{number}(%rip), {cpu:e}",
                "btq {cpu:r}, {online}(%rip)",
                "jnc {offline}",
                number = sym bindings::cpu_number,
                online = sym bindings::__cpu_online_mask,
                cpu = out(reg) _,
                offline = label {
                    // A separate block keeps the label's `endbr64` out of the end of the call site,
                    // through which the disabled path runs.
                    // SAFETY: It emits no instruction.
                    unsafe { asm!("", options(nomem, nostack, preserves_flags)) };
                    break 'offline false
                },
                options(att_syntax, nostack, readonly),
            )
        };
        true
    }
}

/// Returns the offset of the calling CPU's copies of per-CPU variables.
#[inline(always)]
pub(super) fn my_cpu_offset() -> usize {
    // SAFETY: This reads the calling CPU's `this_cpu_off`.
    unsafe { read!("movq %gs:{1}(%rip), {0}", sym bindings::this_cpu_off; att_syntax, readonly) }
}

/// C: `preempt_count()`.
pub fn preempt_count() -> u32 {
    // SAFETY: This reads the calling CPU's `__preempt_count` (arch/x86/include/asm/preempt.h).
    let count: u32 = unsafe {
        read!("movl %gs:{1}(%rip), {0:e}", sym bindings::__preempt_count; att_syntax, readonly)
    };
    // Without PREEMPT_NEED_RESCHED.
    count & !(1 << 31)
}

/// C: `irqs_disabled()`.
pub fn irqs_disabled() -> bool {
    const X86_EFLAGS_IF: u64 = 1 << 9;
    let flags: u64;
    // SAFETY: This is `native_save_fl()` (arch/x86/include/asm/irqflags.h).
    unsafe {
        asm!(
            "pushfq",
            "popq {flags}",
            flags = out(reg) flags,
            options(att_syntax, preserves_flags),
        )
    };
    flags & X86_EFLAGS_IF == 0
}

/// Returns the size of a pointer's target.
const fn size_of_pointee<T>(_: *const T) -> usize {
    size_of::<T>()
}

/// Changes the count, which is an `int` up to Linux 7.2 and a `long` since 7.3. Not `nomem`, since it's also a
/// compiler barrier.
#[cfg(CONFIG_PREEMPT_COUNT)]
macro_rules! change_preempt_count {
    ($instruction:literal $($then:literal)*, $($operand:tt)*) => {
        asm!(
            ".if {size} == 4",
            concat!($instruction, "l %gs:{count}(%rip)"),
            ".else",
            concat!($instruction, "q %gs:{count}(%rip)"),
            ".endif",
            $($then,)*
            size = const size_of_pointee(&raw const bindings::__preempt_count),
            count = sym bindings::__preempt_count,
            options(att_syntax),
            $($operand)*
        )
    };
}

/// Disables preemption. C: `preempt_disable_notrace()`.
#[inline(always)]
pub fn preempt_disable_notrace() {
    // SAFETY: This is `__preempt_count_add(1)` (arch/x86/include/asm/preempt.h).
    #[cfg(CONFIG_PREEMPT_COUNT)]
    unsafe {
        change_preempt_count!("inc", options(nostack))
    };
}

/// Re-enables preemption. C: `preempt_enable_notrace()`.
///
/// # Safety
///
/// The matching [`preempt_disable_notrace`] must have been called.
#[inline(always)]
pub unsafe fn preempt_enable_notrace() {
    // SAFETY: This is `__preempt_count_dec_and_test()` (arch/x86/include/asm/preempt.h); the caller
    // guarantees the matching disable. When the count has dropped to zero, `__preempt_schedule_notrace()`
    // (the same file) is called, which preserves all registers. The module loader finds the key of its static call,
    // which isn't exported, through the trampoline. Not a jump to a `label`, since LLVM puts an ENDBR64 there.
    #[cfg(CONFIG_PREEMPT_COUNT)]
    unsafe {
        #[cfg(all(CONFIG_PREEMPTION, CONFIG_PREEMPT_DYNAMIC))]
        change_preempt_count!("dec" "jnz 2f" "call __SCT__preempt_schedule_notrace" "2:",);
        #[cfg(all(CONFIG_PREEMPTION, not(CONFIG_PREEMPT_DYNAMIC)))]
        change_preempt_count!("dec" "jnz 2f" "call preempt_schedule_notrace_thunk" "2:",);
        #[cfg(not(CONFIG_PREEMPTION))]
        change_preempt_count!("dec", options(nostack));
    };
}

/// # Safety
///
/// `regs` must be valid for writes.
#[inline(always)]
pub unsafe fn perf_fetch_regs(regs: *mut bindings::pt_regs, ip: *const c_void) {
    // SAFETY: This is `perf_arch_fetch_caller_regs()` (arch/x86/include/asm/perf_event.h). The caller guarantees
    // that `regs` is writable. The instruction only reads the stack pointer.
    unsafe {
        (*regs).ip = ip as usize;
        asm!(
            "movq %rsp, {sp}({regs})",
            regs = in(reg) regs,
            sp = const offset_of!(bindings::pt_regs, sp),
            options(att_syntax, nostack, preserves_flags),
        );
        (*regs).__bindgen_anon_1.csx = KERNEL_CS as u64;
        (*regs).flags = 0;
    };
}

/// C: `__KERNEL_CS` (arch/x86/include/asm/segment.h).
pub const KERNEL_CS: usize = 2 * 8;

/// Returns the current task.
///
/// C: `current`. Any context.
#[inline(always)]
pub fn current_task() -> *mut bindings::task_struct {
    // SAFETY: This reads the calling CPU's `current_task`.
    unsafe {
        read!("movq %gs:{1}(%rip), {0}", sym bindings::current_task; att_syntax, pure, readonly)
    }
}

/// Returns the hash of a function's type.
///
/// C: `cfi_get_func_hash()`. Any context.
///
/// # Safety
///
/// `function` must be one that C may call through a pointer.
#[cfg(CONFIG_CFI)]
pub unsafe fn cfi_get_func_hash(function: *const c_void) -> u32 {
    /// C: `CFI_OFFSET` (arch/x86/include/asm/cfi.h).
    const OFFSET: usize = if cfg!(not(CONFIG_CALL_PADDING)) {
        5
    } else if cfg!(CONFIG_FUNCTION_ALIGNMENT_64B) {
        64
    } else if cfg!(CONFIG_FUNCTION_ALIGNMENT_32B) {
        32
    } else {
        16
    };
    let preamble = function.cast::<u8>();
    // SAFETY: The caller passes a function that C may call, which has a preamble
    // (arch/x86/kernel/alternative.c): `movl $HASH, %eax` and padding, or with FineIBT, in the last
    // 16 bytes of it, `endbr64; subl $HASH, %eax`.
    unsafe {
        let hash = match preamble.sub(OFFSET).read_volatile() {
            0xb8..=0xbf => preamble.sub(OFFSET - 1),
            _ => preamble.sub(16 - 5),
        };
        hash.cast::<u32>().read_unaligned()
    }
}
