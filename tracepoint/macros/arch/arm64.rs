// SPDX-License-Identifier: GPL-2.0

//! arm64.
//!
//! C headers: [`arch/arm64/include/asm/static_call.h`](srctree/arch/arm64/include/asm/static_call.h)

pub(crate) use super::generic::*;

/// The trampoline of a static call.
///
/// C: `ARCH_DEFINE_STATIC_CALL_TRAMP()`. `arch_static_call_transform()` finds the literal through
/// the second and the third instruction.
pub(super) fn static_call_tramp(tramp: &str, func: &str) -> String {
    // The hint is BTI C.
    format!(
        ".pushsection .static_call.text, \"ax\"\n\
         .balign 16\n\
         .globl {tramp}\n\
         {tramp}:\n\
         hint 34\n\
         adrp x16, 771f\n\
         ldr x16, [x16, :lo12:771f]\n\
         br x16\n\
         .type {tramp}, %function\n\
         .size {tramp}, . - {tramp}\n\
         .popsection\n\
         .pushsection .rodata, \"a\"\n\
         .balign 8\n\
         771: .quad {func}\n\
         .popsection"
    )
}

/// What comes before a function: room for the ops of CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS. ftrace
/// expects its address in `__patchable_function_entries`.
const PADDING: &str = if cfg!(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) {
    ".balign 8; 771: nop; nop"
} else {
    ".balign 8"
};

/// Where an indirect branch may land.
const BTI: &str = if cfg!(CONFIG_ARM64_BTI_KERNEL) {
    "bti c"
} else {
    ""
};

/// The NOPs that ftrace replaces: see `ftrace_call_adjust()` (arch/arm64/kernel/ftrace.c). Without
/// space before the function, ftrace expects the address of the first of them. If ftrace replaces none, C's
/// functions have none either.
const NOPS: &str = if cfg!(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) {
    "nop; nop"
} else if cfg!(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) {
    "771: nop; nop"
} else {
    ""
};

/// The entry through which ftrace finds a function. It's linked to the function's section, as in C.
fn location(entry: &str) -> String {
    if cfg!(not(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)) {
        return String::new();
    }
    format!(
        ".pushsection __patchable_function_entries, \"awo\", %progbits, {entry}\n\
         .balign 8\n\
         .quad 771b\n\
         .popsection"
    )
}

/// A function that ftrace can hook and that ends with `tail`.
///
/// C: what gcc generates with `$(CC_FLAGS_FTRACE)`. It neither has a frame nor stores its return
/// address, so there's nothing to sign.
pub(crate) fn ftrace_entry(entry: &str, tail: &str) -> String {
    let location = location(entry);
    format!(
        ".pushsection .text\n\
         {PADDING}\n\
         .type {entry}, %function\n\
         {entry}:\n\
         {BTI}\n\
         {NOPS}\n\
         {tail}\n\
         .size {entry}, . - {entry}\n\
         {location}\n\
         .popsection"
    )
}
