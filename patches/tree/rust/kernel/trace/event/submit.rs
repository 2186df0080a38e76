// SPDX-License-Identifier: GPL-2.0

//! The end of a record for perf.

use crate::{
    bindings::{self, pt_regs, trace_event_call},
    ffi::{c_int, c_void},
};

/// Hands a record to BPF and perf, with the registers of a caller in `regs`. The instruction pointer is `probe`.
///
/// C: `perf_arch_fetch_caller_regs()`, then `perf_trace_run_bpf_submit()`.
///
/// # Safety
///
/// `perf_trace_buf_alloc()` (kernel/trace/trace_event_perf.c) must have returned `record` and set `rctx` and `regs` for
/// a record of this size, and `call` must be the record's event. The caller must stay on this CPU.
#[inline(always)]
pub(super) unsafe fn submit(
    record: *mut c_void,
    size: c_int,
    rctx: c_int,
    call: *mut trace_event_call,
    count: u64,
    regs: *mut pt_regs,
    probe: *const c_void,
) {
    // SAFETY: The caller promises that `regs` and `record` are those of `perf_trace_buf_alloc()`, so they belong to
    // this context alone, and that `call` is valid.
    unsafe { bindings::perf_trace_submit(record, size, rctx, call, count, regs, probe as usize) };
}
