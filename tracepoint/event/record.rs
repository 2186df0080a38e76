// SPDX-License-Identifier: GPL-2.0

//! Where a record goes: into a trace buffer, or to perf and the BPF programs on it.
//!
//! C headers: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h) (stage 6),
//! [`include/trace/perf.h`](srctree/include/trace/perf.h)

use super::super::{
    arch,
    bindings::{self, generated},
    guard::Guard,
    point::might_fault_with,
};
use core::{
    mem::MaybeUninit,
    ptr::{addr_of, null_mut},
};
use kernel::{
    ffi::{c_int, c_void},
    types::NotThreadSafe,
};

// The architecture imports nothing, so it has the number itself.
const _: () = assert!(arch::KERNEL_CS == generated::__KERNEL_CS as usize);

/// Keeps the task on its CPU, unseen by the preemption tracers.
///
/// C: `guard(preempt_notrace)()`.
///
/// # Invariants
///
/// Whoever made it has disabled preemption.
#[must_use = "preemption is enabled when the guard is dropped"]
pub struct PreemptNotrace(NotThreadSafe);

impl PreemptNotrace {
    /// Disables preemption.
    #[inline(always)]
    pub fn new() -> Self {
        arch::preempt_disable_notrace();
        // INVARIANT: Disabled above.
        Self(NotThreadSafe)
    }
}

impl Drop for PreemptNotrace {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: By the type's invariant.
        unsafe { arch::preempt_enable_notrace() };
    }
}

/// The probe of a trace buffer. C: `trace_event_raw_event_CLASS()`.
///
/// # Safety
///
/// `file` must be what `trace_event_reg()` (kernel/trace/trace_events.c) registered the probe with.
#[inline(always)]
pub unsafe fn ring<G: Guard>(file: *mut c_void, record: impl FnOnce(Ring)) {
    might_fault_with::<G>();
    let _preempt = PreemptNotrace::new();
    // SAFETY: By the caller's promise.
    if let Some(sink) = unsafe { Ring::new(file) } {
        record(sink);
    }
}

/// The probe of perf. C: `perf_trace_CLASS()`.
///
/// # Safety
///
/// `call` must be what `trace_event_reg()` registered the probe with.
#[inline(always)]
pub unsafe fn perf<G: Guard>(call: *mut c_void, record: impl FnOnce(Perf)) {
    might_fault_with::<G>();
    let _preempt = PreemptNotrace::new();
    // SAFETY: By the caller's promise; preemption is disabled until `record` returns.
    if let Some(sink) = unsafe { Perf::new(call) } {
        record(sink);
    }
}

/// A record that is being made.
pub trait Sink: Sized {
    /// Makes room for `size` bytes, the entry's head included. Without room, or for more than a
    /// location can express, there will be no record.
    ///
    /// Bytes that are there only for the sake of alignment are zeroed.
    ///
    /// # Safety
    ///
    /// Preemption must be disabled until `commit` has returned.
    unsafe fn reserve(&mut self, size: usize) -> Option<*mut u8>;

    /// Hands the record over.
    ///
    /// # Safety
    ///
    /// `reserve` must have returned room, and all of it must have been written.
    unsafe fn commit(&mut self);
}

/// The last byte that a location can point to, and the most bytes that it can count.
const LOCATION_MAX: usize = 0xffff;

/// A trace buffer. C: `trace_event_raw_event_CLASS()`.
pub struct Ring {
    buffer: MaybeUninit<generated::trace_event_buffer>,
    file: *mut generated::trace_event_file,
}

impl Ring {
    /// Prepares a record for the instance behind `file`. `None` where the event is soft-disabled
    /// there; its triggers have run then.
    ///
    /// C: `trace_trigger_soft_disabled()`.
    ///
    /// # Safety
    ///
    /// `file` must be what `trace_event_reg()` (kernel/trace/trace_events.c) registered the probe
    /// with.
    #[inline(always)]
    pub unsafe fn new(file: *mut c_void) -> Option<Self> {
        let file = file.cast::<generated::trace_event_file>();
        // SAFETY: By the caller's promise.
        let flags = unsafe { addr_of!((*file).flags).read() } as u32;
        const LOOK: u32 = generated::EVENT_FILE_FL_TRIGGER_MODE
            | generated::EVENT_FILE_FL_SOFT_DISABLED
            | generated::EVENT_FILE_FL_PID_FILTER;
        // SAFETY: By the caller's promise.
        if flags & LOOK != 0 && unsafe { Self::is_soft_disabled(file) } {
            return None;
        }
        Some(Self {
            buffer: MaybeUninit::uninit(),
            file,
        })
    }
}

impl Ring {
    /// The rest of `trace_trigger_soft_disabled()`, for a file with a flag that calls for it.
    ///
    /// # Safety
    ///
    /// As for [`Ring::new`].
    #[cold]
    unsafe fn is_soft_disabled(file: *mut generated::trace_event_file) -> bool {
        // SAFETY: By the caller's promise.
        unsafe {
            addr_of!((*file).flags).read() as u32 & generated::EVENT_FILE_FL_TRIGGER_COND == 0
                && generated::__trace_trigger_soft_disabled(file)
        }
    }
}

impl Sink for Ring {
    #[inline(always)]
    unsafe fn reserve(&mut self, size: usize) -> Option<*mut u8> {
        let size = size.wrapping_add(3) & !3;
        if size > LOCATION_MAX {
            return None;
        }
        // SAFETY: `trace_event_buffer_reserve()` fills in the buffer; preemption is disabled, as
        // `tracing_gen_ctx_dec()` in it expects.
        let record = unsafe {
            generated::trace_event_buffer_reserve(self.buffer.as_mut_ptr(), self.file, size)
        };
        (!record.is_null()).then_some(record.cast())
    }

    #[inline(always)]
    unsafe fn commit(&mut self) {
        // SAFETY: `reserve` filled it in.
        unsafe { generated::trace_event_buffer_commit(self.buffer.as_mut_ptr()) };
    }
}

/// perf, and BPF programs attached to the event. C: `perf_trace_CLASS()`.
pub struct Perf {
    call: *mut generated::trace_event_call,
    head: *mut bindings::hlist_head,
    record: *mut c_void,
    size: usize,
    regs: *mut bindings::pt_regs,
    rctx: c_int,
}

impl Perf {
    /// Prepares a record. `None` where nobody on this CPU wants it.
    ///
    /// # Safety
    ///
    /// `call` must be what `trace_event_reg()` registered the probe with, and preemption must be
    /// disabled until the record is committed or dropped.
    #[inline(always)]
    pub unsafe fn new(call: *mut c_void) -> Option<Self> {
        let call = call.cast::<generated::trace_event_call>();
        // SAFETY: `perf_trace_event_reg()` (kernel/trace/trace_event_perf.c) sets the list before it
        // registers the probe. `bpf_prog_array_valid()` (include/linux/trace_events.h) reads the
        // array's pointer like this.
        unsafe {
            let head = arch::this_cpu_ptr(addr_of!((*call).perf_events).read());
            if addr_of!((*call).prog_array).read_volatile().is_null()
                && addr_of!((*head).first).read_volatile().is_null()
            {
                return None;
            }
            Some(Self {
                call,
                head,
                record: null_mut(),
                size: 0,
                regs: null_mut(),
                rctx: 0,
            })
        }
    }
}

impl Sink for Perf {
    #[inline(always)]
    unsafe fn reserve(&mut self, size: usize) -> Option<*mut u8> {
        // A `u32` with the size precedes it.
        let size = (size.wrapping_add(11) & !7).wrapping_sub(4);
        // `perf_trace_buf_alloc()` would warn.
        if size > generated::PERF_MAX_TRACE_SIZE as usize {
            return None;
        }
        self.size = size;
        // SAFETY: `perf_trace_buf_alloc()` (kernel/trace/trace_event_perf.c) returns room for
        // `size` bytes, of which it zeroes the last eight, and sets the other two. The registers
        // are this context's own.
        unsafe {
            self.record =
                generated::perf_trace_buf_alloc(size as c_int, &mut self.regs, &mut self.rctx);
            if self.record.is_null() {
                return None;
            }
            arch::perf_fetch_regs(self.regs);
        }
        Some(self.record.cast())
    }

    #[inline(always)]
    unsafe fn commit(&mut self) {
        // SAFETY: All of it is from `new` and `reserve`.
        unsafe {
            generated::perf_trace_run_bpf_submit(
                self.record,
                self.size as c_int,
                self.rctx,
                self.call,
                1,
                self.regs,
                self.head,
                null_mut(),
            )
        };
    }
}
