// SPDX-License-Identifier: GPL-2.0

//! The destinations of a record: a trace buffer, or perf and the BPF programs attached to the
//! event.
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

// `arch` doesn't use the generated bindings, so it has its own copy of this number.
const _: () = assert!(arch::KERNEL_CS == generated::__KERNEL_CS as usize);

/// Disables preemption without the preemption tracers noticing.
///
/// C: `guard(preempt_notrace)()`.
///
/// # Invariants
///
/// Preemption was disabled when the guard was created.
#[must_use = "preemption is enabled when the guard is dropped"]
pub struct PreemptNotrace(NotThreadSafe);

impl PreemptNotrace {
    /// Disables preemption.
    #[inline(always)]
    pub fn new() -> Self {
        arch::preempt_disable_notrace();
        // INVARIANT: Preemption has been disabled above.
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

/// The probe that records to a trace buffer. C: `trace_event_raw_event_CLASS()`.
///
/// # Safety
///
/// `file` must be the pointer that `trace_event_reg()` (kernel/trace/trace_events.c) registered the
/// probe with.
#[inline(always)]
pub unsafe fn ring<G: Guard>(file: *mut c_void, record: impl FnOnce(Ring)) {
    might_fault_with::<G>();
    let _preempt = PreemptNotrace::new();
    // SAFETY: Guaranteed by the caller.
    if let Some(sink) = unsafe { Ring::new(file) } {
        record(sink);
    }
}

/// The probe that records for perf. C: `perf_trace_CLASS()`.
///
/// # Safety
///
/// `call` must be the pointer that `trace_event_reg()` registered the probe with.
#[inline(always)]
pub unsafe fn perf<G: Guard>(call: *mut c_void, record: impl FnOnce(Perf)) {
    might_fault_with::<G>();
    let _preempt = PreemptNotrace::new();
    // SAFETY: Guaranteed by the caller. Preemption is disabled until `record` returns.
    if let Some(sink) = unsafe { Perf::new(call) } {
        record(sink);
    }
}

/// A destination for a record.
pub trait Sink: Sized {
    /// Reserves `size` bytes, including the entry header. Returns `None`, so nothing is recorded,
    /// if there is no room or if the record is larger than a location can express.
    ///
    /// Bytes that exist only for alignment are zeroed.
    ///
    /// # Safety
    ///
    /// Preemption must be disabled until `commit` has returned.
    unsafe fn reserve(&mut self, size: usize) -> Option<*mut u8>;

    /// Commits the record.
    ///
    /// # Safety
    ///
    /// `reserve` must have returned a buffer, and all of it must have been written.
    unsafe fn commit(&mut self);
}

/// The largest offset and the largest length that a location can hold.
const LOCATION_MAX: usize = 0xffff;

/// A record for a trace buffer. C: `trace_event_raw_event_CLASS()`.
pub struct Ring {
    buffer: MaybeUninit<generated::trace_event_buffer>,
    file: *mut generated::trace_event_file,
}

impl Ring {
    /// Prepares a record for the trace instance of `file`. If the event is soft-disabled there,
    /// runs its triggers and returns `None`.
    ///
    /// C: `trace_trigger_soft_disabled()`.
    ///
    /// # Safety
    ///
    /// `file` must be the pointer that `trace_event_reg()` (kernel/trace/trace_events.c) registered
    /// the probe with.
    #[inline(always)]
    pub unsafe fn new(file: *mut c_void) -> Option<Self> {
        let file = file.cast::<generated::trace_event_file>();
        // SAFETY: Guaranteed by the caller.
        let flags = unsafe { addr_of!((*file).flags).read() } as u32;
        const LOOK: u32 = generated::EVENT_FILE_FL_TRIGGER_MODE
            | generated::EVENT_FILE_FL_SOFT_DISABLED
            | generated::EVENT_FILE_FL_PID_FILTER;
        // SAFETY: Guaranteed by the caller.
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
    /// The slow path of `trace_trigger_soft_disabled()`, for files with one of the flags set.
    ///
    /// # Safety
    ///
    /// As for [`Ring::new`].
    #[cold]
    unsafe fn is_soft_disabled(file: *mut generated::trace_event_file) -> bool {
        // SAFETY: Guaranteed by the caller.
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
        // SAFETY: `trace_event_buffer_reserve()` initialises the buffer. Preemption is disabled, as
        // its call of `tracing_gen_ctx_dec()` expects.
        let record = unsafe {
            generated::trace_event_buffer_reserve(self.buffer.as_mut_ptr(), self.file, size)
        };
        (!record.is_null()).then_some(record.cast())
    }

    #[inline(always)]
    unsafe fn commit(&mut self) {
        // SAFETY: `reserve` has initialised the buffer.
        unsafe { generated::trace_event_buffer_commit(self.buffer.as_mut_ptr()) };
    }
}

/// A record for perf, and for BPF programs attached to the event. C: `perf_trace_CLASS()`.
pub struct Perf {
    call: *mut generated::trace_event_call,
    head: *mut bindings::hlist_head,
    record: *mut c_void,
    size: usize,
    regs: *mut bindings::pt_regs,
    rctx: c_int,
}

impl Perf {
    /// Prepares a record. Returns `None` if it has no consumer on this CPU.
    ///
    /// # Safety
    ///
    /// `call` must be the pointer that `trace_event_reg()` registered the probe with, and
    /// preemption must be disabled until the record is committed or dropped.
    #[inline(always)]
    pub unsafe fn new(call: *mut c_void) -> Option<Self> {
        let call = call.cast::<generated::trace_event_call>();
        // SAFETY: `perf_trace_event_reg()` (kernel/trace/trace_event_perf.c) sets the list before
        // it registers the probe. `bpf_prog_array_valid()` (include/linux/trace_events.h) reads the
        // array pointer the same way.
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
        // perf puts a `u32` with the size before the record.
        let size = (size.wrapping_add(11) & !7).wrapping_sub(4);
        // `perf_trace_buf_alloc()` would warn.
        if size > generated::PERF_MAX_TRACE_SIZE as usize {
            return None;
        }
        self.size = size;
        // SAFETY: `perf_trace_buf_alloc()` (kernel/trace/trace_event_perf.c) returns a buffer of
        // `size` bytes with the last eight zeroed, and sets `regs` and `rctx`. The registers belong
        // to this context alone.
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
        // SAFETY: All arguments come from `new` and `reserve`.
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
