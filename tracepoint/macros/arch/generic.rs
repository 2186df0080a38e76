// SPDX-License-Identifier: GPL-2.0

//! The common part of arm64 and LoongArch.

use super::section;
use proc_macro2::{Ident, TokenStream};

/// There's only one syntax.
pub(super) fn syntax() -> TokenStream {
    TokenStream::new()
}

/// A NOP that a static key replaces by a branch.
pub(super) const NOP: &str = "nop";

/// The data before an entry of `__jump_table`.
pub(super) const ANNOTATION: &str = "";

/// Leaves it to the compiler.
pub(super) fn do_trace_call(
    _name: &str,
    _site: &str,
    _operand: &TokenStream,
    _c_args: &[Ident],
) -> Option<TokenStream> {
    None
}

/// Returns.
pub(super) const RET: &str = "ret";

/// Jumps to a function of the same object.
pub(super) const JUMP: &str = "b";

/// Lets ftrace trace a function compiled by rustc. `Kbuild.include` has rustc do it.
pub(crate) fn ftrace_nothing() -> TokenStream {
    TokenStream::new()
}

/// The NOPs that ftrace replaces, and the entry through which it finds them, by the label `771`. The entry
/// is linked to the function's section, as in C.
pub(super) fn patchable(entry: &str, nops: &str) -> String {
    let entry = format!("__patchable_function_entries, \"awo\", %progbits, {entry}");
    format!("{nops}\n{}", section(&entry, ".balign 8\n.quad 771b"))
}
