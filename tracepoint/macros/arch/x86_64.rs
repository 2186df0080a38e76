// SPDX-License-Identifier: GPL-2.0

//! x86-64.
//!
//! C headers: [`arch/x86/include/asm/jump_label.h`](srctree/arch/x86/include/asm/jump_label.h),
//! [`arch/x86/include/asm/static_call.h`](srctree/arch/x86/include/asm/static_call.h),
//! [`arch/x86/include/asm/ibt.h`](srctree/arch/x86/include/asm/ibt.h)

use super::{global, section, text_if};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The offsets of the probes in a `struct tracepoint`, and of the data in a `struct tracepoint_func`,
/// which `base/bindings/mod.rs` compares with the kernel's.
const FUNCS: usize = 56;
const DATA: usize = 8;

/// The kernel's syntax, in which the name of a register can also be that of a function.
pub(super) fn syntax() -> TokenStream {
    quote!(att_syntax,)
}

/// A NOP that a static key replaces by a branch. C, with HAVE_JUMP_LABEL_HACK, has a jump there, which
/// objtool turns into a NOP: this one is there from the start and is always five bytes long.
pub(super) const NOP: &str = ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00";

/// The data before an entry of `__jump_table`: JUMP_TABLE_ENTRY() in
/// arch/x86/include/asm/jump_label.h.
pub(super) const ANNOTATION: &str =
    "772: .pushsection .discard.annotate_data, \"M\", @progbits, 8\n\
     .long 772b - ., 1\n\
     .popsection\n";

/// Expands a call of the probes of a tracepoint, if it has any.
///
/// C: `__DO_TRACE_CALL()`. The static call is patched to call the only probe, or the iterator.
///
/// The arguments go in the registers of the C ABI, with the probe's data first. This is assembly
/// because the compiler never uses `jrcxz`, which tests and branches in one instruction. Calls with
/// more C arguments than registers are left to the compiler.
pub(super) fn do_trace_call(
    name: &str,
    site: &str,
    operand: &TokenStream,
    c_args: &[Ident],
) -> Option<TokenStream> {
    // The third one's register is needed until the branch.
    let places = [
        quote!(in("rsi")),
        quote!(in("rdx")),
        quote!(third = in(reg)),
        quote!(in("r8")),
        quote!(in("r9")),
    ];
    let places = places.get(..c_args.len())?;
    let third = text_if(c_args.len() > 2, "movq {third}, %rcx\n");
    let text = format!(
        "{site}\n\
         movq __tracepoint_{name} + {FUNCS}(%rip), %rcx\n\
         jrcxz 771f\n\
         movq {DATA}(%rcx), %rdi\n\
         {third}\
         call __SCT__tp_func_{name}\n\
         771:"
    );
    Some(quote! {
        ::core::arch::asm!(
            #text,
            #operand
            #(#places __p::CArg::to_u64(#c_args),)*
            out("rdi") _,
            out("rcx") _,
            clobber_abi("C"),
            options(att_syntax),
        );
    })
}

/// The trampoline of a static call.
///
/// C: `ARCH_DEFINE_STATIC_CALL_TRAMP()`. The `ud1` after the jump is the signature that
/// `__static_call_validate()` looks for.
pub(super) fn static_call_tramp(tramp: &str, func: &str) -> String {
    // The annotation is ANNOTATE_NOENDBR.
    let text = format!(
        "911: .pushsection .discard.annotate_insn, \"M\", @progbits, 8\n\
         .long 911b - ., 1\n\
         .popsection\n\
         .byte 0xe9; .long {func} - (. + 4)\n\
         .byte 0x0f, 0xb9, 0xcc"
    );
    let function = global(tramp, "function", 4, &text);
    section(".static_call.text, \"ax\"", &function)
}

/// The bytes before a function: space for call thunks, -fpatchable-function-entry.
pub(super) const PADDING: &str = if cfg!(CONFIG_CALL_PADDING) {
    ".balign 16; .skip 16, 0x90"
} else {
    ".balign 16"
};

/// `ENDBR`.
const ENDBR: &str = text_if(cfg!(CONFIG_X86_KERNEL_IBT), "endbr64");

/// The call that ftrace replaces, and the entry through which ftrace finds it, unless objtool adds that.
const CALL_FENTRY: &str = if cfg!(not(all(CONFIG_DYNAMIC_FTRACE, CONFIG_HAVE_FENTRY))) {
    ""
} else if cfg!(CONFIG_FTRACE_MCOUNT_USE_OBJTOOL) {
    "call __fentry__"
} else {
    "771: call __fentry__; .pushsection __mcount_loc, \"a\"; .balign 8; .quad 771b; .popsection"
};

/// Returns.
///
/// C: `RET` (arch/x86/include/asm/linkage.h).
pub(super) const RET: &str = if cfg!(CONFIG_MITIGATION_RETHUNK) {
    "jmp __x86_return_thunk"
} else {
    "ret; int3"
};

/// Jumps to a function of the same object.
pub(super) const JUMP: &str = "jmp";

/// Expands what lets ftrace trace a function compiled by rustc, if that does nothing else. If the compiler
/// stores the frame pointer first, ftrace would not find the return address.
pub(crate) fn ftrace_nothing() -> TokenStream {
    if cfg!(CONFIG_FRAME_POINTER) {
        return TokenStream::new();
    }
    quote! {
        // SAFETY: This is at the start of the function, where the compiler puts the same call into
        // functions in C.
        unsafe {
            ::core::arch::asm!(#CALL_FENTRY, options(att_syntax, nostack, preserves_flags))
        }
    }
}

/// The start of a function. Functions compiled by rustc don't call `__fentry__`.
pub(super) fn start(_entry: &str) -> String {
    format!("{ENDBR}\n{CALL_FENTRY}")
}
