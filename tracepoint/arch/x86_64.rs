// SPDX-License-Identifier: GPL-2.0

//! x86-64.
//!
//! C headers: [`arch/x86/include/asm/percpu.h`](srctree/arch/x86/include/asm/percpu.h),
//! [`arch/x86/include/asm/static_call.h`](srctree/arch/x86/include/asm/static_call.h),
//! [`arch/x86/include/asm/ibt.h`](srctree/arch/x86/include/asm/ibt.h)

use core::arch::asm;
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
        // SAFETY: Reads the calling CPU's `cpu_number` and its bit in `__cpu_online_mask`, which
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
                    // SAFETY: No instruction.
                    unsafe { asm!("", options(nomem, nostack, preserves_flags)) };
                    break 'offline false
                },
                options(att_syntax, nostack, readonly),
            )
        };
        true
    }
}

/// Returns the calling CPU's copy of a per-CPU variable.
///
/// C: `this_cpu_ptr()`. Meaningful only while the caller stays on the CPU.
#[inline(always)]
pub fn this_cpu_ptr<T>(variable: *mut T) -> *mut T {
    let offset: usize;
    // SAFETY: Reads the calling CPU's `this_cpu_off`.
    unsafe {
        asm!(
            "movq %gs:{this_cpu_off}(%rip), {offset}",
            this_cpu_off = sym bindings::this_cpu_off,
            offset = out(reg) offset,
            options(att_syntax, nostack, readonly, preserves_flags),
        )
    };
    variable.wrapping_byte_add(offset)
}

/// Returns the size of a pointer's target.
const fn size_of_pointee<T>(_: *const T) -> usize {
    size_of::<T>()
}

/// `int` up to Linux 7.2, `long` since 7.3.
const PREEMPT_COUNT_SIZE: usize = size_of_pointee(&raw const bindings::__preempt_count);

/// Disables preemption. C: `preempt_disable_notrace()`.
#[inline(always)]
pub fn preempt_disable_notrace() {
    // SAFETY: `__preempt_count_add(1)` (arch/x86/include/asm/preempt.h). Not `nomem`, since it's
    // also a compiler barrier.
    #[cfg(CONFIG_PREEMPT_COUNT)]
    unsafe {
        if const { PREEMPT_COUNT_SIZE == 4 } {
            asm!(
                "incl %gs:{count}(%rip)",
                count = sym bindings::__preempt_count,
                options(att_syntax, nostack),
            )
        } else {
            asm!(
                "incq %gs:{count}(%rip)",
                count = sym bindings::__preempt_count,
                options(att_syntax, nostack),
            )
        }
    };
}

/// Re-enables preemption. C: `preempt_enable_notrace()`.
///
/// # Safety
///
/// The matching [`preempt_disable_notrace`] must have been called.
#[inline(always)]
pub unsafe fn preempt_enable_notrace() {
    // SAFETY: `__preempt_count_dec_and_test()` (arch/x86/include/asm/preempt.h); the caller
    // guarantees the matching disable. `__preempt_schedule_notrace()` preserves all registers.
    #[cfg(CONFIG_PREEMPT_COUNT)]
    unsafe {
        if const { PREEMPT_COUNT_SIZE == 4 } {
            asm!(
                "decl %gs:{count}(%rip)",
                "jz {resched}",
                count = sym bindings::__preempt_count,
                resched = label { preempt_schedule_notrace() },
                options(att_syntax),
            )
        } else {
            asm!(
                "decq %gs:{count}(%rip)",
                "jz {resched}",
                count = sym bindings::__preempt_count,
                resched = label { preempt_schedule_notrace() },
                options(att_syntax),
            )
        }
    };
}

/// C: `__preempt_schedule_notrace()`.
#[inline(always)]
fn preempt_schedule_notrace() {
    // SAFETY: arch/x86/include/asm/preempt.h; called when the count has dropped to zero. The static
    // call's key isn't exported; the module loader finds it through the trampoline.
    #[cfg(all(CONFIG_PREEMPTION, CONFIG_PREEMPT_DYNAMIC))]
    unsafe {
        asm!("call __SCT__preempt_schedule_notrace", options(att_syntax))
    };
    // SAFETY: As above.
    #[cfg(all(CONFIG_PREEMPTION, not(CONFIG_PREEMPT_DYNAMIC)))]
    unsafe {
        asm!("call preempt_schedule_notrace_thunk", options(att_syntax))
    };
}

/// Fills in the current registers, as far as perf needs them for a software event.
///
/// C: `perf_fetch_caller_regs()`. C records the address the probe was called from. A Rust function
/// can't find that out, so the instruction pointer is in the probe itself; a call chain lists its
/// callers.
///
/// # Safety
///
/// `regs` must be valid for writes.
#[inline(always)]
pub unsafe fn perf_fetch_regs(regs: *mut bindings::pt_regs) {
    // SAFETY: The caller guarantees that `regs` is writable. The instructions only read the
    // instruction and stack pointers.
    unsafe {
        asm!(
            "leaq 0(%rip), {scratch}",
            "movq {scratch}, {ip}({regs})",
            "movq %rsp, {sp}({regs})",
            "movq ${kernel_cs}, {cs}({regs})",
            "movq $0, {flags}({regs})",
            scratch = out(reg) _,
            regs = in(reg) regs,
            ip = const core::mem::offset_of!(bindings::pt_regs, ip),
            sp = const core::mem::offset_of!(bindings::pt_regs, sp),
            cs = const core::mem::offset_of!(bindings::pt_regs, __bindgen_anon_1),
            flags = const core::mem::offset_of!(bindings::pt_regs, flags),
            kernel_cs = const KERNEL_CS,
            options(att_syntax, nostack, preserves_flags),
        )
    };
}

/// C: `__KERNEL_CS` (arch/x86/include/asm/segment.h).
pub const KERNEL_CS: usize = 2 * 8;

/// Branches on a static key that is false by default. The key is the field at a given offset in a
/// `static`.
///
/// C: `static_branch_unlikely()`, without the jump of HAVE_JUMP_LABEL_HACK, which objtool turns
/// into a NOP: the NOP is there from the start and is always five bytes long.
macro_rules! static_branch_unlikely {
    ($key:path, $offset:expr) => {
        'enabled: {
            ::core::arch::asm!(
                "771: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00",
                // JUMP_TABLE_ENTRY() in arch/x86/include/asm/jump_label.h
                ".pushsection __jump_table, \"aw\"",
                ".balign 8",
                "772: .pushsection .discard.annotate_data, \"M\", @progbits, 8",
                ".long 772b - ., 1",
                ".popsection",
                ".long 771b - .",
                ".long {enabled} - .",
                ".quad {key} + {offset} - .",
                ".popsection",
                key = sym $key,
                offset = const $offset,
                enabled = label { break 'enabled true },
                options(att_syntax, nomem, nostack, preserves_flags),
            );
            false
        }
    };
}
pub(crate) use static_branch_unlikely;

/// Returns the current task.
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

/// Calls the probes of a tracepoint, if it has any.
///
/// C: `__DO_TRACE_CALL()`. The static call is patched to call the only probe, or the iterator.
///
/// `__p` is `point::parts`. The arguments go in the registers of the C ABI, with the probe's data
/// first. This is assembly because the compiler never uses `jrcxz`, which tests and branches in one
/// instruction. Calls with more words than registers are left to the compiler.
macro_rules! do_trace_call {
    (@asm $tracepoint:path, $static_call:path, [$($third:literal)?] $($operands:tt)*) => {
        ::core::arch::asm!(
            "movq {tracepoint} + {funcs}(%rip), %rcx",
            "jrcxz 771f",
            "movq {data}(%rcx), %rdi",
            $($third,)?
            "call {static_call}",
            "771:",
            tracepoint = sym $tracepoint,
            funcs = const __p::FUNCS_OFFSET,
            data = const __p::DATA_OFFSET,
            static_call = sym $static_call,
            $($operands)*
            out("rdi") _,
            out("rcx") _,
            clobber_abi("C"),
            options(att_syntax),
        )
    };
    ($tracepoint:path, $static_call:path,) => {
        $crate::tracepoint::arch::do_trace_call!(@asm $tracepoint, $static_call, [])
    };
    ($tracepoint:path, $static_call:path, $a:expr) => {
        $crate::tracepoint::arch::do_trace_call!(
            @asm $tracepoint, $static_call, []
            in("rsi") __p::word($a),
        )
    };
    ($tracepoint:path, $static_call:path, $a:expr, $b:expr) => {
        $crate::tracepoint::arch::do_trace_call!(
            @asm $tracepoint, $static_call, []
            in("rsi") __p::word($a),
            in("rdx") __p::word($b),
        )
    };
    ($tracepoint:path, $static_call:path, $a:expr, $b:expr, $c:expr) => {
        $crate::tracepoint::arch::do_trace_call!(
            @asm $tracepoint, $static_call, ["movq {c}, %rcx"]
            in("rsi") __p::word($a),
            in("rdx") __p::word($b),
            c = in(reg) __p::word($c),
        )
    };
    ($tracepoint:path, $static_call:path, $a:expr, $b:expr, $c:expr, $d:expr) => {
        $crate::tracepoint::arch::do_trace_call!(
            @asm $tracepoint, $static_call, ["movq {c}, %rcx"]
            in("rsi") __p::word($a),
            in("rdx") __p::word($b),
            c = in(reg) __p::word($c),
            in("r8") __p::word($d),
        )
    };
    ($tracepoint:path, $static_call:path, $a:expr, $b:expr, $c:expr, $d:expr, $e:expr) => {
        $crate::tracepoint::arch::do_trace_call!(
            @asm $tracepoint, $static_call, ["movq {c}, %rcx"]
            in("rsi") __p::word($a),
            in("rdx") __p::word($b),
            c = in(reg) __p::word($c),
            in("r8") __p::word($d),
            in("r9") __p::word($e),
        )
    };
    ($tracepoint:path, $static_call:path, $($word:expr),*) => {{
        let funcs = (&raw const $tracepoint.funcs).read_volatile();
        if !funcs.is_null() {
            $static_call((&raw const (*funcs).data).read(), $($word),*);
        }
    }};
}
pub(crate) use do_trace_call;

/// Defines the trampoline of a static call.
///
/// C: `ARCH_DEFINE_STATIC_CALL_TRAMP()`. The `ud1` after the jump is the signature that
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

/// Padding before a function: alignment and the space for call thunks, as
/// -fpatchable-function-entry makes it.
#[cfg(CONFIG_CALL_PADDING)]
macro_rules! padding {
    () => {
        ".balign 16; .skip 16, 0x90"
    };
}
#[cfg(not(CONFIG_CALL_PADDING))]
macro_rules! padding {
    () => {
        ".balign 16"
    };
}
pub(crate) use padding;

/// `ENDBR`.
#[cfg(CONFIG_X86_KERNEL_IBT)]
macro_rules! endbr {
    () => {
        "endbr64"
    };
}
#[cfg(not(CONFIG_X86_KERNEL_IBT))]
macro_rules! endbr {
    () => {
        ""
    };
}
pub(crate) use endbr;

/// The call that ftrace patches, and the entry by which ftrace finds it.
#[cfg(all(
    CONFIG_DYNAMIC_FTRACE,
    CONFIG_HAVE_FENTRY,
    not(CONFIG_FTRACE_MCOUNT_USE_OBJTOOL)
))]
macro_rules! call_fentry {
    () => {
        "771: call __fentry__; \
         .pushsection __mcount_loc, \"a\"; .balign 8; .quad 771b; .popsection"
    };
}
// objtool makes the entry.
#[cfg(all(
    CONFIG_DYNAMIC_FTRACE,
    CONFIG_HAVE_FENTRY,
    CONFIG_FTRACE_MCOUNT_USE_OBJTOOL
))]
macro_rules! call_fentry {
    () => {
        "call __fentry__"
    };
}
#[cfg(not(all(CONFIG_DYNAMIC_FTRACE, CONFIG_HAVE_FENTRY)))]
macro_rules! call_fentry {
    () => {
        ""
    };
}
pub(crate) use call_fentry;

/// Returns.
///
/// C: `RET` (arch/x86/include/asm/linkage.h).
#[cfg(CONFIG_MITIGATION_RETHUNK)]
macro_rules! ret {
    () => {
        "jmp __x86_return_thunk"
    };
}
#[cfg(not(CONFIG_MITIGATION_RETHUNK))]
macro_rules! ret {
    () => {
        "ret; int3"
    };
}
pub(crate) use ret;

/// Defines a function that ftrace can hook and that ends with `$tail`. Functions compiled by rustc
/// don't call `__fentry__`.
///
/// C: what gcc generates with `-pg -mfentry -mrecord-mcount`. `$entry` is a symbol name.
macro_rules! fentry {
    ($entry:expr, $tail:expr) => {
        ::core::arch::global_asm!(
            ".pushsection .text",
            $crate::tracepoint::arch::padding!(),
            ::core::concat!(".globl ", $entry),
            ::core::concat!(".type ", $entry, ", @function"),
            ::core::concat!($entry, ":"),
            $crate::tracepoint::arch::endbr!(),
            $crate::tracepoint::arch::call_fentry!(),
            $tail,
            ::core::concat!(".size ", $entry, ", . - ", $entry),
            ".popsection",
        );
    };
}
pub(crate) use fentry;

/// Keeps objtool from removing the `endbr64` of a function whose only pointer is in
/// `__tracepoints`, a section that objtool doesn't scan.
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
