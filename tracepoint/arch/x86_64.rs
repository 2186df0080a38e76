// SPDX-License-Identifier: GPL-2.0

//! x86-64.
//!
//! C headers: [`arch/x86/include/asm/percpu.h`](srctree/arch/x86/include/asm/percpu.h),
//! [`arch/x86/include/asm/static_call.h`](srctree/arch/x86/include/asm/static_call.h),
//! [`arch/x86/include/asm/ibt.h`](srctree/arch/x86/include/asm/ibt.h)

use core::{arch::asm, ffi::c_void};
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

/// Reads the calling CPU's copy of a per-CPU word. C: `this_cpu_read()`. Any context.
///
/// # Safety
///
/// `word` must be a valid `__percpu` pointer.
#[inline(always)]
pub unsafe fn this_cpu_read<T>(word: *const *mut T) -> *mut T {
    let value;
    // SAFETY: As in `this_cpu_inc`.
    unsafe {
        asm!(
            "movq %gs:({word}), {value}",
            word = in(reg) word,
            value = out(reg) value,
            options(att_syntax, nostack, readonly, preserves_flags),
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
/// can't find that out, so the instruction pointer is `ip`, the probe itself; a call chain lists its
/// callers.
///
/// # Safety
///
/// `regs` must be valid for writes.
#[inline(always)]
pub unsafe fn perf_fetch_regs(regs: *mut bindings::pt_regs, ip: *const c_void) {
    // SAFETY: The caller guarantees that `regs` is writable. The instructions only read the
    // stack pointer.
    unsafe {
        asm!(
            "movq {address}, {ip}({regs})",
            "movq %rsp, {sp}({regs})",
            "movq ${kernel_cs}, {cs}({regs})",
            "movq $0, {flags}({regs})",
            address = in(reg) ip,
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

/// Returns the hash of a function's type.
///
/// C: `cfi_get_func_hash()`. Any context.
///
/// # Safety
///
/// `function` must be one that C may call through a pointer.
#[cfg(CONFIG_CFI)]
#[inline]
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
    // SAFETY: Such a function has a preamble (arch/x86/kernel/alternative.c): `movl $HASH, %eax` and
    // padding, or with FineIBT, in the last 16 bytes of it, `endbr64; subl $HASH, %eax`.
    unsafe {
        let hash = match preamble.sub(OFFSET).read_volatile() {
            0xb8..=0xbf => preamble.sub(OFFSET - 1),
            _ => preamble.sub(16 - 5),
        };
        hash.cast::<u32>().read_unaligned()
    }
}

/// Branches on the static key of a tracepoint, which is false by default.
///
/// C: `static_branch_unlikely()`, without the jump of HAVE_JUMP_LABEL_HACK, which objtool turns
/// into a NOP: the NOP is there from the start and is always five bytes long.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_branch_unlikely {
    ($name:literal) => {
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
                ::core::concat!(
                    ".quad __tracepoint_", $name, " + ", $crate::__offset!(key), " - ."
                ),
                ".popsection",
                enabled = label { break 'enabled true },
                options(att_syntax, nomem, nostack, preserves_flags),
            );
            false
        }
    };
}

/// Calls the probes of a tracepoint, if it has any.
///
/// C: `__DO_TRACE_CALL()`. The static call is patched to call the only probe, or the iterator.
///
/// The arguments go in the registers of the C ABI, with the probe's data first. This is assembly
/// because the compiler never uses `jrcxz`, which tests and branches in one instruction. Calls with
/// more words than registers are left to the compiler.
#[doc(hidden)]
#[macro_export]
macro_rules! __do_trace_call {
    (@asm $name:literal, $prototype:literal [$($operand:tt)*], [$($third:literal)?] $($operands:tt)*) => {
        ::core::arch::asm!(
            $crate::__call_site!($name, $prototype),
            ::core::concat!(
                "movq __tracepoint_", $name, " + ", $crate::__offset!(funcs), "(%rip), %rcx"
            ),
            "jrcxz 771f",
            ::core::concat!("movq ", $crate::__offset!(data), "(%rcx), %rdi"),
            $($third,)?
            ::core::concat!("call __SCT__tp_func_", $name),
            "771:",
            $($operand)*
            $($operands)*
            out("rdi") _,
            out("rcx") _,
            clobber_abi("C"),
            options(att_syntax),
        )
    };
    ($name:literal, $prototype:literal [$($operand:tt)*], ) => {
        $crate::__do_trace_call!(@asm $name, $prototype [$($operand)*], [])
    };
    ($name:literal, $prototype:literal [$($operand:tt)*], $a:ident: $ta:ty = $ra:expr) => {
        $crate::__do_trace_call!(
            @asm $name, $prototype [$($operand)*], []
            in("rsi") $ra,
        )
    };
    ($name:literal, $prototype:literal [$($operand:tt)*], $a:ident: $ta:ty = $ra:expr, $b:ident: $tb:ty = $rb:expr) => {
        $crate::__do_trace_call!(
            @asm $name, $prototype [$($operand)*], []
            in("rsi") $ra,
            in("rdx") $rb,
        )
    };
    ($name:literal, $prototype:literal [$($operand:tt)*], $a:ident: $ta:ty = $ra:expr, $b:ident: $tb:ty = $rb:expr, $c:ident: $tc:ty = $rc:expr) => {
        $crate::__do_trace_call!(
            @asm $name, $prototype [$($operand)*], ["movq {c}, %rcx"]
            in("rsi") $ra,
            in("rdx") $rb,
            c = in(reg) $rc,
        )
    };
    (
        $name:literal, $prototype:literal [$($operand:tt)*],
        $a:ident: $ta:ty = $ra:expr, $b:ident: $tb:ty = $rb:expr, $c:ident: $tc:ty = $rc:expr, $d:ident: $td:ty = $rd:expr
    ) => {
        $crate::__do_trace_call!(
            @asm $name, $prototype [$($operand)*], ["movq {c}, %rcx"]
            in("rsi") $ra,
            in("rdx") $rb,
            c = in(reg) $rc,
            in("r8") $rd,
        )
    };
    (
        $name:literal, $prototype:literal [$($operand:tt)*],
        $a:ident: $ta:ty = $ra:expr, $b:ident: $tb:ty = $rb:expr, $c:ident: $tc:ty = $rc:expr, $d:ident: $td:ty = $rd:expr, $e:ident: $te:ty = $re:expr
    ) => {
        $crate::__do_trace_call!(
            @asm $name, $prototype [$($operand)*], ["movq {c}, %rcx"]
            in("rsi") $ra,
            in("rdx") $rb,
            c = in(reg) $rc,
            in("r8") $rd,
            in("r9") $re,
        )
    };
    ($($call:tt)*) => {
        $crate::__do_trace_call_static!($($call)*)
    };
}

/// `global_asm!` in the syntax of this file's macros.
#[doc(hidden)]
#[macro_export]
macro_rules! __arch_asm {
    ($($asm:tt)*) => {
        ::core::arch::global_asm!($($asm)* options(att_syntax));
    };
}

/// The trampoline of a static call.
///
/// C: `ARCH_DEFINE_STATIC_CALL_TRAMP()`. The `ud1` after the jump is the signature that
/// `__static_call_validate()` looks for. `$tramp` and `$func` are symbol names.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_call_tramp {
    ($tramp:expr, $func:expr) => {
        ::core::concat!(
            ".pushsection .static_call.text, \"ax\"\n",
            ".balign 4\n",
            ".globl ",
            $tramp,
            "\n",
            $tramp,
            ":\n",
            // ANNOTATE_NOENDBR
            "911: .pushsection .discard.annotate_insn, \"M\", @progbits, 8\n",
            ".long 911b - ., 1\n",
            ".popsection\n",
            ".byte 0xe9; .long ",
            $func,
            " - (. + 4)\n",
            ".byte 0x0f, 0xb9, 0xcc\n",
            ".type ",
            $tramp,
            ", @function\n",
            ".size ",
            $tramp,
            ", . - ",
            $tramp,
            "\n",
            ".popsection",
        )
    };
}

/// What comes before a function: space for call thunks, -fpatchable-function-entry.
#[cfg(CONFIG_CALL_PADDING)]
#[doc(hidden)]
#[macro_export]
macro_rules! __padding {
    () => {
        ".balign 16; .skip 16, 0x90"
    };
}
#[cfg(not(CONFIG_CALL_PADDING))]
#[doc(hidden)]
#[macro_export]
macro_rules! __padding {
    () => {
        ".balign 16"
    };
}

/// `ENDBR`.
#[cfg(CONFIG_X86_KERNEL_IBT)]
#[doc(hidden)]
#[macro_export]
macro_rules! __endbr {
    () => {
        "endbr64"
    };
}
#[cfg(not(CONFIG_X86_KERNEL_IBT))]
#[doc(hidden)]
#[macro_export]
macro_rules! __endbr {
    () => {
        ""
    };
}

/// The call that ftrace replaces, and the entry through which ftrace finds it.
#[cfg(all(
    CONFIG_DYNAMIC_FTRACE,
    CONFIG_HAVE_FENTRY,
    not(CONFIG_FTRACE_MCOUNT_USE_OBJTOOL)
))]
#[doc(hidden)]
#[macro_export]
macro_rules! __call_fentry {
    () => {
        "771: call __fentry__; \
         .pushsection __mcount_loc, \"a\"; .balign 8; .quad 771b; .popsection"
    };
}
// objtool adds the entry.
#[cfg(all(
    CONFIG_DYNAMIC_FTRACE,
    CONFIG_HAVE_FENTRY,
    CONFIG_FTRACE_MCOUNT_USE_OBJTOOL
))]
#[doc(hidden)]
#[macro_export]
macro_rules! __call_fentry {
    () => {
        "call __fentry__"
    };
}
#[cfg(not(all(CONFIG_DYNAMIC_FTRACE, CONFIG_HAVE_FENTRY)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __call_fentry {
    () => {
        ""
    };
}

/// Returns.
///
/// C: `RET` (arch/x86/include/asm/linkage.h).
#[cfg(CONFIG_MITIGATION_RETHUNK)]
#[doc(hidden)]
#[macro_export]
macro_rules! __ret {
    () => {
        "jmp __x86_return_thunk"
    };
}
#[cfg(not(CONFIG_MITIGATION_RETHUNK))]
#[doc(hidden)]
#[macro_export]
macro_rules! __ret {
    () => {
        "ret; int3"
    };
}

/// Jumps to a function of the same object.
#[doc(hidden)]
#[macro_export]
macro_rules! __jump {
    ($to:expr) => {
        ::core::concat!("jmp ", $to)
    };
}

/// What lets ftrace hook a function compiled by rustc, if that does nothing else. If the compiler
/// stores the frame pointer first, ftrace would not find the return address.
#[cfg(not(CONFIG_FRAME_POINTER))]
#[doc(hidden)]
#[macro_export]
macro_rules! __ftrace_nothing {
    () => {
        ::core::arch::asm!(
            $crate::__call_fentry!(),
            options(att_syntax, nostack, preserves_flags),
        )
    };
}
#[cfg(CONFIG_FRAME_POINTER)]
#[doc(hidden)]
#[macro_export]
macro_rules! __ftrace_nothing {
    () => {
        ()
    };
}

/// A function that ftrace can hook and that ends with `$tail`. Functions compiled by rustc don't
/// call `__fentry__`.
///
/// C: what gcc generates with `-pg -mfentry -mrecord-mcount`. `$entry` is a symbol name.
#[doc(hidden)]
#[macro_export]
macro_rules! __ftrace_entry {
    ($entry:expr, $tail:expr) => {
        ::core::concat!(
            ".pushsection .text\n",
            $crate::__padding!(),
            "\n",
            ".type ",
            $entry,
            ", @function\n",
            $entry,
            ":\n",
            $crate::__endbr!(),
            "\n",
            $crate::__call_fentry!(),
            "\n",
            $tail,
            "\n",
            ".size ",
            $entry,
            ", . - ",
            $entry,
            "\n",
            ".popsection",
        )
    };
}

/// Keeps objtool from removing the `endbr64` of a function whose only pointer is in
/// `__tracepoints`, a section that objtool doesn't scan.
///
/// C: `CFI_NOSEAL()`.
#[cfg(CONFIG_X86_KERNEL_IBT)]
#[doc(hidden)]
#[macro_export]
macro_rules! __noseal {
    ($func:expr) => {
        ::core::concat!(
            ".pushsection .discard.ibt_endbr_noseal\n",
            ".balign 8\n",
            ".quad ",
            $func,
            "\n",
            ".popsection",
        )
    };
}
