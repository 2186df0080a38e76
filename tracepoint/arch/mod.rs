// SPDX-License-Identifier: GPL-2.0

//! The counterpart of C's inline assembly, one file for each architecture.
//!
//! # Adding an architecture
//!
//! It needs a file here with these functions, all of them inlined and usable in any context:
//!
//! | Function | C | |
//! |---|---|---|
//! | `this_cpu_inc` | `this_cpu_inc()` of a word | atomic with respect to this CPU, NMIs included, and a compiler barrier |
//! | `my_cpu_offset` | `__my_cpu_offset` | |
//! | `this_cpu_online` | `cpu_online(raw_smp_processor_id())` | |
//! | `current_task` | `current` | |
//! | `preempt_disable_notrace`, `preempt_enable_notrace` | the same | with CONFIG_PREEMPT_DYNAMIC and without |
//! | `preempt_count`, `irqs_disabled` | the same | |
//! | `perf_fetch_regs` | `perf_arch_fetch_caller_regs()` | of a function that the probe calls, and that calls nothing before its end |
//!
//! C's `perf_fetch_caller_regs()` records the address the probe was called from. A Rust function can't find
//! that out, so the instruction pointer is the probe itself; a call chain lists its callers.
//!
//! If it can select CONFIG_CFI, there's `cfi_get_func_hash`.
//!
//! `generic.rs` has what architectures with a `thread_info` in the task have in common: instead of `this_cpu_inc`
//! and the functions of the preemption count, these need `increment`, `preempt_count_ptr` and
//! `preempt_count_dec_and_test`, and `this_cpu_online` comes for free. Other places name the architecture, too:
//!
//! - `Kbuild.include` has the target that bindgen needs;
//! - `macros/arch/` has the assembly that the macros expand to;
//! - `check-events` reads disassembly, `check-kdir` refuses other architectures, and `Makefile.driver` knows
//!   the names of compilers.
//!
//! Everything else follows from the configuration and the headers. An architecture needs neither
//! static calls nor PREL32 relocations. Words have 64 bits and are little-endian: any other architecture, such as
//! 32-bit Arm, needs more changes than these.

/// Returns what an instruction writes to the register `{0}`. For a symbol, that's `{1}`.
macro_rules! read {
    ($instruction:literal $(, sym $symbol:path)? $(; $($option:ident),+)?) => {{
        let value;
        ::core::arch::asm!(
            $instruction,
            out(reg) value,
            $(sym $symbol,)?
            options(nostack, preserves_flags $($(, $option)+)?),
        );
        value
    }};
}

#[cfg(any(CONFIG_ARM64, CONFIG_LOONGARCH))]
mod generic;
#[cfg_attr(CONFIG_X86_64, path = "x86_64.rs")]
#[cfg_attr(CONFIG_ARM64, path = "arm64.rs")]
#[cfg_attr(CONFIG_LOONGARCH, path = "loongarch64.rs")]
mod target;

#[cfg(any(CONFIG_ARM64, CONFIG_LOONGARCH))]
pub use generic::*;
pub use target::*;

#[cfg(not(any(CONFIG_X86_64, CONFIG_ARM64, CONFIG_LOONGARCH)))]
compile_error!("tracepoint: this architecture is not supported; add it to tracepoint/arch/");

// Without it, a static key is a plain counter and the NOP is never patched.
#[cfg(not(CONFIG_JUMP_LABEL))]
compile_error!("tracepoint: kernels without CONFIG_JUMP_LABEL are not supported");

// The hash of a function's type is in a place of its own on each architecture.
#[cfg(all(CONFIG_CFI, not(any(CONFIG_X86_64, CONFIG_ARM64))))]
compile_error!("tracepoint: kernels with CONFIG_CFI are supported on x86-64 and arm64 only");

#[cfg(not(CONFIG_SMP))]
compile_error!("tracepoint: kernels without CONFIG_SMP are not supported");

/// Returns the calling CPU's copy of a per-CPU variable.
///
/// C: `this_cpu_ptr()`. Meaningful only while the caller stays on the CPU.
#[inline(always)]
pub fn this_cpu_ptr<T>(variable: *mut T) -> *mut T {
    variable.wrapping_byte_add(my_cpu_offset())
}
