// SPDX-License-Identifier: GPL-2.0

//! What C implements in inline assembly, one file for each architecture.
//!
//! # Adding an architecture
//!
//! It needs a file here with these functions, all of them inlined and usable in any context:
//!
//! | Function | C | |
//! |---|---|---|
//! | `this_cpu_inc` | `this_cpu_inc()` of a word | atomic with respect to this CPU, NMIs included, and a compiler barrier |
//! | `this_cpu_ptr` | `this_cpu_ptr()` | |
//! | `this_cpu_read` | `raw_cpu_read()` of a pointer | |
//! | `this_cpu_online` | `cpu_online(raw_smp_processor_id())` | |
//! | `current_task` | `current` | |
//! | `preempt_disable_notrace`, `preempt_enable_notrace` | the same | with CONFIG_PREEMPT_DYNAMIC and without |
//! | `perf_fetch_regs` | `perf_arch_fetch_caller_regs()` | of a function that the probe calls, and that calls nothing before its end |
//!
//! and these macros:
//!
//! | Macro | C | |
//! |---|---|---|
//! | `__static_branch_unlikely!` | `arch_static_branch()` | a NOP, and its entry in `__jump_table` |
//! | `__ftrace_entry!` | what the compiler emits with `$(CC_FLAGS_FTRACE)` | a function that ftrace can hook; with it `__ret!` and `__jump!` |
//! | `__arch_asm!` | | `global_asm!` in the syntax that the file's macros are written in |
//!
//! If the architecture can select CONFIG_HAVE_STATIC_CALL, there are two more: `__static_call_tramp!`
//! for `ARCH_DEFINE_STATIC_CALL_TRAMP()`, and `__do_trace_call!` for `__DO_TRACE_CALL()`, which can
//! leave everything to [`__do_trace_call_static`](crate::__do_trace_call_static).
//!
//! If it can select CONFIG_CFI, there are `cfi_get_func_hash` and `__ftrace_nothing!`, which makes a
//! function compiled by rustc one that ftrace can hook.
//!
//! `generic.rs` has what architectures with a `thread_info` in the task and entries in `__jump_table`
//! like arm64's have in common. Two more places name the architecture:
//!
//! - `Kbuild.include` has the target that bindgen needs;
//! - `macros/btf.rs` has the DWARF numbers of the registers that arguments are passed in.
//!
//! Everything else follows from the configuration and the headers. An architecture needs neither
//! static calls nor PREL32 relocations; `CFI_NOSEAL()` is `__noseal!`, and empty unless the kernel has
//! CONFIG_X86_KERNEL_IBT. Words have 64 bits and are little-endian, as on all architectures for which
//! the kernel supports Rust in modules.

#[cfg(CONFIG_X86_64)]
mod x86_64;
#[cfg(CONFIG_X86_64)]
pub use x86_64::*;

#[cfg(any(CONFIG_ARM64, CONFIG_LOONGARCH))]
mod generic;
#[cfg(any(CONFIG_ARM64, CONFIG_LOONGARCH))]
pub use generic::this_cpu_online;

#[cfg(CONFIG_ARM64)]
mod arm64;
#[cfg(CONFIG_ARM64)]
pub use arm64::*;

#[cfg(CONFIG_LOONGARCH)]
mod loongarch64;
#[cfg(CONFIG_LOONGARCH)]
pub use loongarch64::*;

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
