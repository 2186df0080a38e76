// SPDX-License-Identifier: GPL-2.0

//! LoongArch, 64 bits.
//!
//! C headers: [`arch/loongarch/include/asm/jump_label.h`](srctree/arch/loongarch/include/asm/jump_label.h)

pub(crate) use super::generic::*;

/// The kernel has no static calls on LoongArch.
pub(super) fn static_call_tramp(_tramp: &str, _func: &str) -> String {
    String::new()
}

/// The bytes before a function.
pub(super) const PADDING: &str = ".balign 4";

/// The start of a function: the NOPs that ftrace replaces.
pub(super) fn start(entry: &str) -> String {
    if cfg!(CONFIG_DYNAMIC_FTRACE) {
        patchable(entry, "771: nop; nop")
    } else {
        String::new()
    }
}
