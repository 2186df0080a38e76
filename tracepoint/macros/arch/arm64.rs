// SPDX-License-Identifier: GPL-2.0

//! arm64.
//!
//! C headers: [`arch/arm64/include/asm/static_call.h`](srctree/arch/arm64/include/asm/static_call.h)

pub(crate) use super::generic::*;
use super::{global, section, text_if};

/// The trampoline of a static call.
///
/// C: `ARCH_DEFINE_STATIC_CALL_TRAMP()`. `arch_static_call_transform()` finds the literal through
/// the second and the third instruction.
pub(super) fn static_call_tramp(tramp: &str, func: &str) -> String {
    // The hint is BTI C.
    let text = "hint 34\n\
                adrp x16, 771f\n\
                ldr x16, [x16, :lo12:771f]\n\
                br x16";
    let function = global(tramp, "function", 16, text);
    section(".static_call.text, \"ax\"", &function)
        + &section(".rodata, \"a\"", &format!(".balign 8\n771: .quad {func}"))
}

/// The bytes before a function: room for the ops of CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS. ftrace
/// expects its address in `__patchable_function_entries`.
pub(super) const PADDING: &str = if cfg!(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) {
    ".balign 8; 771: nop; nop"
} else {
    ".balign 8"
};

/// The start of a function: where an indirect branch may land, and the NOPs that ftrace replaces, see
/// `ftrace_call_adjust()` (arch/arm64/kernel/ftrace.c). Without space before the function, ftrace
/// expects the address of the first of them. If ftrace replaces none, C's functions have none either.
///
/// The function neither has a frame nor stores its return address, so there's nothing to sign.
pub(super) fn start(entry: &str) -> String {
    let nops = if cfg!(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) {
        patchable(entry, "nop; nop")
    } else if cfg!(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) {
        patchable(entry, "771: nop; nop")
    } else {
        String::new()
    };
    let bti = text_if(cfg!(CONFIG_ARM64_BTI_KERNEL), "bti c\n");
    format!("{bti}{nops}")
}
