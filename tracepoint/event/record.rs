// SPDX-License-Identifier: GPL-2.0

//! The destinations of a record: a trace buffer, or perf and the BPF programs attached to the
//! event.
//!
//! C headers: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h) (stage 6),
//! [`include/trace/perf.h`](srctree/include/trace/perf.h)

use crate::{
    arch,
    bindings::{self, generated},
    guard::Guard,
    point::might_fault_under,
};
use core::{
    mem::MaybeUninit,
    ptr::{addr_of, null_mut},
};
use kernel::{
    ffi::{c_int, c_void},
    types::NotThreadSafe,
};

// The macros know it: where there's no gap between two fields, they zero none.
const _: () = assert!(size_of::<bindings::trace_entry>() == 8);

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

/// A destination for a record.
///
/// # Safety
///
/// Preemption must be disabled while there is one.
pub unsafe trait Sink: Sized {
    /// What the kernel fills in. It isn't in the sink, so that the rest can be in registers.
    type Scratch;

    /// Returns whether anything is to be recorded.
    fn is_wanted(&self) -> bool;

    /// Reserves `size` bytes, including the entry header. Returns `None`, so nothing is recorded,
    /// if there is no room or if the record is larger than a location can express.
    ///
    /// Bytes that round the size up are zeroed.
    ///
    /// # Safety
    ///
    /// All of the buffer must be written, and `commit` must be called with the same `scratch`.
    unsafe fn reserve(
        &mut self,
        scratch: &mut MaybeUninit<Self::Scratch>,
        size: usize,
    ) -> Option<*mut u8>;

    /// Commits the record.
    ///
    /// # Safety
    ///
    /// `reserve` must have returned a buffer, and all of it must have been written.
    unsafe fn commit(&mut self, scratch: &mut MaybeUninit<Self::Scratch>);
}

/// The largest offset and the largest length that a location can hold.
const LOCATION_MAX: usize = 0xffff;

/// A record for a trace buffer. C: `trace_event_raw_event_CLASS()`.
///
/// # Invariants
///
/// `file` is valid.
pub struct Ring {
    file: *mut generated::trace_event_file,
    _preempt: PreemptNotrace,
}

/// The flags of an event in a trace instance. They can change at any time.
///
/// # Safety
///
/// `file` must be valid.
#[inline(always)]
unsafe fn flags(file: *mut generated::trace_event_file) -> u32 {
    // SAFETY: Guaranteed by the caller. C reads them with READ_ONCE()'s effect too.
    unsafe { addr_of!((*file).flags).read_volatile() as u32 }
}

impl Ring {
    /// Prepares a record for the trace instance of `file`.
    ///
    /// # Safety
    ///
    /// `file` must be the pointer that `trace_event_reg()` (kernel/trace/trace_events.c) registered
    /// the probe with.
    #[inline(always)]
    pub unsafe fn new<G: Guard>(file: *mut c_void) -> Self {
        might_fault_under::<G>();
        // INVARIANT: Guaranteed by the caller.
        Self {
            file: file.cast(),
            _preempt: PreemptNotrace::new(),
        }
    }

    /// The slow path of `trace_trigger_soft_disabled()`, for files with one of the flags set.
    ///
    /// # Safety
    ///
    /// `file` must be valid.
    #[cold]
    #[inline(never)]
    unsafe fn is_soft_disabled(file: *mut generated::trace_event_file) -> bool {
        // SAFETY: Guaranteed by the caller.
        unsafe {
            flags(file) & generated::EVENT_FILE_FL_TRIGGER_COND == 0
                && generated::__trace_trigger_soft_disabled(file)
        }
    }
}

// SAFETY: It has a `PreemptNotrace`.
unsafe impl Sink for Ring {
    type Scratch = generated::trace_event_buffer;

    /// If the event is soft-disabled, runs its triggers. C: `trace_trigger_soft_disabled()`.
    #[inline(always)]
    fn is_wanted(&self) -> bool {
        const LOOK: u32 = generated::EVENT_FILE_FL_TRIGGER_MODE
            | generated::EVENT_FILE_FL_SOFT_DISABLED
            | generated::EVENT_FILE_FL_PID_FILTER;
        // SAFETY: By the type's invariant.
        unsafe { flags(self.file) & LOOK == 0 || !Self::is_soft_disabled(self.file) }
    }

    #[inline(always)]
    unsafe fn reserve(
        &mut self,
        scratch: &mut MaybeUninit<generated::trace_event_buffer>,
        size: usize,
    ) -> Option<*mut u8> {
        let size = size.wrapping_add(3) & !3;
        if size > LOCATION_MAX {
            return None;
        }
        // SAFETY: `trace_event_buffer_reserve()` initialises the buffer. Preemption is disabled, as
        // its call of `tracing_gen_ctx_dec()` expects. A record has at least the header of the
        // entry, and so a last word.
        unsafe {
            let record =
                generated::trace_event_buffer_reserve(scratch.as_mut_ptr(), self.file, size)
                    .cast::<u8>();
            if record.is_null() {
                return None;
            }
            record
                .add(size.wrapping_sub(4))
                .cast::<u32>()
                .write_unaligned(0);
            Some(record)
        }
    }

    #[inline(always)]
    unsafe fn commit(&mut self, scratch: &mut MaybeUninit<generated::trace_event_buffer>) {
        // SAFETY: `reserve` has initialised the buffer.
        unsafe { generated::trace_event_buffer_commit(scratch.as_mut_ptr()) };
    }
}

/// A record for perf, and for BPF programs attached to the event. C: `perf_trace_CLASS()`.
///
/// # Invariants
///
/// `call` is valid, and `head` is its list of events on this CPU.
pub struct Perf {
    call: *mut generated::trace_event_call,
    head: *mut bindings::hlist_head,
    record: *mut c_void,
    size: usize,
    _preempt: PreemptNotrace,
}

/// What `perf_trace_buf_alloc()` sets.
pub struct PerfContext {
    regs: *mut bindings::pt_regs,
    rctx: c_int,
}

impl Perf {
    /// Prepares a record.
    ///
    /// # Safety
    ///
    /// `call` must be the pointer that `trace_event_reg()` registered the probe with.
    #[inline(always)]
    pub unsafe fn new<G: Guard>(call: *mut c_void) -> Self {
        might_fault_under::<G>();
        let preempt = PreemptNotrace::new();
        let call = call.cast::<generated::trace_event_call>();
        // INVARIANT: Guaranteed by the caller; preemption is disabled.
        Self {
            call,
            // SAFETY: `perf_trace_event_reg()` (kernel/trace/trace_event_perf.c) sets the list
            // before it registers the probe.
            head: arch::this_cpu_ptr(unsafe { addr_of!((*call).perf_events).read() }),
            record: null_mut(),
            size: 0,
            _preempt: preempt,
        }
    }
}

// SAFETY: It has a `PreemptNotrace`.
unsafe impl Sink for Perf {
    type Scratch = PerfContext;

    /// C: the first lines of `perf_trace_CLASS()`.
    #[inline(always)]
    fn is_wanted(&self) -> bool {
        // SAFETY: By the type's invariants. `bpf_prog_array_valid()` (include/linux/trace_events.h)
        // reads the array pointer the same way.
        unsafe {
            !addr_of!((*self.call).prog_array).read_volatile().is_null()
                || !addr_of!((*self.head).first).read_volatile().is_null()
        }
    }

    #[inline(always)]
    unsafe fn reserve(
        &mut self,
        scratch: &mut MaybeUninit<PerfContext>,
        size: usize,
    ) -> Option<*mut u8> {
        // perf puts a `u32` with the size before the record.
        let size = (size.wrapping_add(11) & !7).wrapping_sub(4);
        // `perf_trace_buf_alloc()` would warn.
        if size > generated::PERF_MAX_TRACE_SIZE as usize {
            return None;
        }
        self.size = size;
        let context = scratch.as_mut_ptr();
        // SAFETY: `perf_trace_buf_alloc()` (kernel/trace/trace_event_perf.c) returns a buffer of
        // `size` bytes with the last eight zeroed, and sets `regs` and `rctx`. The registers belong
        // to this context alone.
        unsafe {
            self.record = generated::perf_trace_buf_alloc(
                size as c_int,
                &raw mut (*context).regs,
                &raw mut (*context).rctx,
            );
            if self.record.is_null() {
                return None;
            }
            arch::perf_fetch_regs((*context).regs);
        }
        Some(self.record.cast())
    }

    #[inline(always)]
    unsafe fn commit(&mut self, scratch: &mut MaybeUninit<PerfContext>) {
        let context = scratch.as_mut_ptr();
        // SAFETY: All arguments come from `new` and `reserve`.
        unsafe {
            generated::perf_trace_run_bpf_submit(
                self.record,
                self.size as c_int,
                (*context).rctx,
                self.call,
                1,
                (*context).regs,
                self.head,
                null_mut(),
            )
        };
    }
}

/// The largest record in a trace buffer with sub-buffers of the default size, a page.
///
/// C: `rb_subbuf_max_data_size()` (kernel/trace/ring_buffer.c): the page without the sub-buffer's
/// header, the event's header, and the word with the length of a long record.
const RECORD_MAX: usize = 4096 - 16 - 4 - 4;

/// The fixed part of a record, checked: its size, if it can be recorded by default. What's larger would
/// be dropped without a message.
pub const fn checked_size(size: usize) -> usize {
    assert!(
        size <= RECORD_MAX,
        "the fields of the event take more than 4072 bytes, for which a trace buffer has no room"
    );
    size
}

/// Zeroes the bytes of a record from `from` to `to`, both constants.
///
/// # Safety
///
/// `record` must be valid for writes of `to` bytes.
#[inline(always)]
pub unsafe fn zero(record: *mut u8, from: usize, to: usize) {
    if from < to {
        // SAFETY: Guaranteed by the caller.
        unsafe { core::ptr::write_bytes(record.add(from), 0, to.wrapping_sub(from)) };
    }
}
