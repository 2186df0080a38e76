// SPDX-License-Identifier: GPL-2.0

//! x86-64.
//!
//! C headers: [`arch/x86/include/asm/percpu.h`](srctree/arch/x86/include/asm/percpu.h),
//! [`arch/x86/include/asm/static_call.h`](srctree/arch/x86/include/asm/static_call.h),
//! [`arch/x86/include/asm/ibt.h`](srctree/arch/x86/include/asm/ibt.h)

use core::arch::asm;
use kernel::bindings;

/// Adds one to the calling CPU's copy of a per-CPU word, atomically with regard to that CPU.
///
/// C: `this_cpu_inc()`. Any context, NMI included.
///
/// # Safety
///
/// `word` must be a `__percpu` pointer to a word that may be counted up.
#[inline(always)]
pub unsafe fn this_cpu_inc(word: *mut usize) {
    // SAFETY: %gs:0 is the offset of the CPU's per-CPU area (`__my_cpu_offset`), so `%gs:(word)` is
    // this CPU's copy, which exists by the function's contract.
    unsafe { asm!("incq %gs:({})", in(reg) word, options(att_syntax, nostack)) };
}

/// Returns whether the CPU that runs this is online.
///
/// C: `cpu_online(raw_smp_processor_id())`. Any context.
#[inline(always)]
pub fn this_cpu_online() -> bool {
    'offline: {
        // SAFETY: Reads the calling CPU's `cpu_number` and a bit of `__cpu_online_mask`, which has
        // one for every possible CPU number (`cpumask_test_cpu()`).
        unsafe {
            asm!(
                "movl %gs:{number}(%rip), {cpu:e}",
                "btq {cpu:r}, {online}(%rip)",
                "jnc {offline}",
                number = sym bindings::cpu_number,
                online = sym bindings::__cpu_online_mask,
                cpu = out(reg) _,
                offline = label { break 'offline false },
                options(att_syntax, nostack, readonly),
            )
        };
        true
    }
}

/// Returns the task that runs this.
///
/// C: `current`. Any context.
#[inline(always)]
pub fn current_task() -> *mut bindings::task_struct {
    let task;
    // SAFETY: Reads the calling CPU's `current_task`.
    unsafe {
        asm!(
            "movq %gs:{current}(%rip), {task}",
            current = sym bindings::current_task,
            task = out(reg) task,
            options(att_syntax, nostack, pure, readonly, preserves_flags),
        )
    };
    task
}

/// Defines the trampoline of a static call.
///
/// C: `ARCH_DEFINE_STATIC_CALL_TRAMP()`. The `ud1` behind the jump is the signature that
/// `__static_call_validate()` looks for. `$tramp` and `$func` are symbol names.
macro_rules! static_call_tramp {
    ($tramp:expr, $func:expr) => {
        ::core::arch::global_asm!(
            ".pushsection .static_call.text, \"ax\"",
            ".balign 4",
            ::core::concat!(".globl ", $tramp),
            ::core::concat!($tramp, ":"),
            // ANNOTATE_NOENDBR
            "911: .pushsection .discard.annotate_insn, \"M\", @progbits, 8",
            ".long 911b - ., 1",
            ".popsection",
            ::core::concat!(".byte 0xe9; .long ", $func, " - (. + 4)"),
            ".byte 0x0f, 0xb9, 0xcc",
            ::core::concat!(".type ", $tramp, ", @function"),
            ::core::concat!(".size ", $tramp, ", . - ", $tramp),
            ".popsection",
            options(att_syntax),
        );
    };
}
pub(crate) use static_call_tramp;

/// Keeps objtool from taking the `endbr64` of a function that is only pointed to from
/// `__tracepoints`, a section that it does not scan.
///
/// C: `CFI_NOSEAL()`.
macro_rules! noseal {
    ($func:expr) => {
        #[cfg(CONFIG_X86_KERNEL_IBT)]
        ::core::arch::global_asm!(
            ".pushsection .discard.ibt_endbr_noseal",
            ".balign 8",
            ::core::concat!(".quad ", $func),
            ".popsection",
            options(att_syntax),
        );
    };
}
pub(crate) use noseal;
