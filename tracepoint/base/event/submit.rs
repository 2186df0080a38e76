// SPDX-License-Identifier: GPL-2.0

//! Submitting a record to perf.

use crate::{
    arch,
    base::bindings::{generated, pt_regs},
};
use core::ptr::null_mut;
use kernel::ffi::{c_int, c_void};

// `arch` doesn't use the generated bindings, so it has its own copy of this number.
#[cfg(CONFIG_X86_64)]
const _: () = assert!(arch::KERNEL_CS == generated::__KERNEL_CS as usize);

/// Fills `regs` with the current stack frame and `probe` as the instruction pointer, and submits the record to BPF and
/// perf.
///
/// C: `perf_arch_fetch_caller_regs()`, then `perf_trace_run_bpf_submit()`.
///
/// # Safety
///
/// `record`, `rctx` and `regs` must come from one call of `perf_trace_buf_alloc()`
/// (kernel/trace/trace_event_perf.c) for `size` bytes, and `call` must be the record's event. The caller must stay on
/// this CPU.
#[inline(always)]
pub(super) unsafe fn submit(
    record: *mut c_void,
    size: c_int,
    rctx: c_int,
    call: *mut generated::trace_event_call,
    count: u64,
    regs: *mut pt_regs,
    probe: *const c_void,
) {
    // SAFETY: The caller promises that `regs` and `record` are those of `perf_trace_buf_alloc()`, so they belong to
    // this context alone, and that `call` is valid.
    unsafe {
        arch::perf_fetch_regs(regs, probe);
        let events = arch::this_cpu_ptr((*call).perf_events);
        generated::perf_trace_run_bpf_submit(
            record,
            size,
            rctx,
            call,
            count,
            regs,
            events,
            null_mut(),
        );
    }
}
