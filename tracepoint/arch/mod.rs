// SPDX-License-Identifier: GPL-2.0

//! What C implements in inline assembly, one file for each architecture.
//!
//! An architecture provides:
//!
//! - `this_cpu_inc`: `this_cpu_inc()` on a word;
//! - `this_cpu_online`: `cpu_online(raw_smp_processor_id())`;
//! - `current_task`: `current`;
//! - `this_cpu_ptr`: `this_cpu_ptr()`;
//! - `preempt_disable_notrace`, `preempt_enable_notrace`: the C macros of the same names;
//! - `perf_fetch_regs`: `perf_fetch_caller_regs()`;
//! - `static_branch_unlikely!`: the macro of that name, on a field of a static;
//! - `do_trace_call!`: `__DO_TRACE_CALL()`;
//! - `static_call_tramp!`: `ARCH_DEFINE_STATIC_CALL_TRAMP()`;
//! - `fentry!`: a function that starts with `call __fentry__`;
//! - `ret!`: `RET`, as assembly text;
//! - `noseal!`: `CFI_NOSEAL()`.

#[cfg(CONFIG_X86_64)]
mod x86_64;
#[cfg(CONFIG_X86_64)]
pub use x86_64::*;

#[cfg(not(CONFIG_X86_64))]
compile_error!("tracepoint: this architecture is not supported; add it to tracepoint/arch/");

#[cfg(not(CONFIG_HAVE_STATIC_CALL))]
compile_error!("tracepoint: the kernel has no static calls (CONFIG_HAVE_STATIC_CALL)");

// Without it, a static key is a plain counter and the NOP is never patched.
#[cfg(not(CONFIG_JUMP_LABEL))]
compile_error!("tracepoint: kernels without CONFIG_JUMP_LABEL are not supported");

// The assembly functions aren't preceded by a CFI type hash.
#[cfg(CONFIG_CFI)]
compile_error!("tracepoint: kernels with CONFIG_CFI are not supported");

#[cfg(not(CONFIG_SMP))]
compile_error!("tracepoint: kernels without CONFIG_SMP are not supported");
