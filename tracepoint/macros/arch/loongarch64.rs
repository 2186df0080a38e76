// SPDX-License-Identifier: GPL-2.0

//! LoongArch, 64 bits.
//!
//! C headers: [`arch/loongarch/include/asm/jump_label.h`](srctree/arch/loongarch/include/asm/jump_label.h)

pub(crate) use super::generic::*;

/// The kernel has no static calls on LoongArch.
pub(super) fn static_call_tramp(_tramp: &str, _func: &str) -> String {
    String::new()
}

/// The NOPs that ftrace replaces.
const NOPS: &str = if cfg!(CONFIG_DYNAMIC_FTRACE) {
    "nop; nop"
} else {
    ""
};

/// The entry through which ftrace finds a function. It's linked to the function's section, as in C.
fn location(entry: &str) -> String {
    if cfg!(not(CONFIG_DYNAMIC_FTRACE)) {
        return String::new();
    }
    format!(
        ".pushsection __patchable_function_entries, \"awo\", %progbits, {entry}\n\
         .balign 8\n\
         .quad {entry}\n\
         .popsection"
    )
}

/// A function that ftrace can hook and that ends with `tail`.
///
/// C: what gcc generates with `$(CC_FLAGS_FTRACE)`.
pub(crate) fn ftrace_entry(entry: &str, tail: &str) -> String {
    let location = location(entry);
    format!(
        ".pushsection .text\n\
         .balign 4\n\
         .type {entry}, %function\n\
         {entry}:\n\
         {NOPS}\n\
         {tail}\n\
         .size {entry}, . - {entry}\n\
         {location}\n\
         .popsection"
    )
}
