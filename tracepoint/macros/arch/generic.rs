// SPDX-License-Identifier: GPL-2.0

//! What arm64 and LoongArch have in common.

use super::KEY;
use proc_macro2::TokenStream;
use quote::quote;

/// The options of `global_asm!`.
pub(super) fn options() -> TokenStream {
    TokenStream::new()
}

/// Expands a branch on the static key of a tracepoint, which is false by default.
///
/// C: `static_branch_unlikely()`.
pub(crate) fn static_branch_unlikely(name: &str) -> TokenStream {
    // JUMP_TABLE_ENTRY() in arch/*/include/asm/jump_label.h
    let text = format!(
        "771: nop\n\
         .pushsection __jump_table, \"aw\"\n\
         .balign 8\n\
         .long 771b - ., {{enabled}} - .\n\
         .quad __tracepoint_{name} + {KEY} - .\n\
         .popsection"
    );
    quote! {
        'enabled: {
            ::core::arch::asm!(
                #text,
                enabled = label { break 'enabled true },
                options(nomem, nostack, preserves_flags),
            );
            false
        }
    }
}

/// Leaves it to the compiler.
pub(super) fn do_trace_call(
    _name: &str,
    _site: &str,
    _operand: &TokenStream,
    _words: &[TokenStream],
) -> Option<TokenStream> {
    None
}

/// Returns.
pub(super) const RET: &str = "ret";

/// Jumps to a function of the same object.
pub(crate) fn jump(to: &str) -> String {
    format!("b {to}")
}

/// Lets ftrace hook a function compiled by rustc. `Kbuild.include` has rustc do it.
pub(crate) fn ftrace_nothing() -> TokenStream {
    TokenStream::new()
}

/// C: `CFI_NOSEAL()`, which is for x86.
pub(super) fn noseal(_func: &str) -> String {
    String::new()
}
