// SPDX-License-Identifier: GPL-2.0

//! The destinations of a record: a trace buffer, or perf and the BPF programs attached to the
//! event.
//!
//! C headers: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h) (stage 6),
//! [`include/trace/perf.h`](srctree/include/trace/perf.h)

// `cast()` and `is_null()` are functions: see below.
#![allow(clippy::ptr_as_ptr)]

use crate::{
    arch,
    base::bindings::{self, generated},
};
use core::{
    mem::offset_of,
    ptr::{null_mut, read_volatile},
};
use kernel::ffi::{c_int, c_void};

// The macros know the offsets and types of the fields that a template can show.
const _: () = {
    use bindings::trace_entry;
    assert!(offset_of!(trace_entry, flags) == 2);
    assert!(offset_of!(trace_entry, preempt_count) == 3);
    assert!(offset_of!(trace_entry, pid) == 4);
    assert!(size_of::<trace_entry>() == 8 && align_of::<trace_entry>() == 4);
    let _: fn(&trace_entry) -> (&u8, &u8, &i32) = |e| (&e.flags, &e.preempt_count, &e.pid);
};

// `arch` doesn't use the generated bindings, so it has its own copy of this number.
#[cfg(CONFIG_X86_64)]
const _: () = assert!(arch::KERNEL_CS == generated::__KERNEL_CS as usize);

/// The bit in a probe's data that says where a record goes. If it's clear, the record goes to a
/// trace buffer, and the data is the `trace_event_file`. If it's set, the record goes to perf and
/// BPF, and the data is the `trace_event_call`.
///
/// One function fills records for both. The bit is free, since both structs are aligned to words.
pub(crate) const PERF: usize = 1;

/// The data that the kernel fills in while a record is being written.
// A pointer to it is cast to one of these.
#[allow(dead_code)]
pub union Scratch {
    /// Before that.
    pub empty: (),
    ring: generated::trace_event_buffer,
    perf: Perf,
}

/// A record for perf.
#[derive(Clone, Copy)]
struct Perf {
    size: c_int,
    /// The values that `perf_trace_buf_alloc()` sets.
    rctx: c_int,
    regs: *mut bindings::pt_regs,
}

// The code that follows is compiled into every event. A call of a function, even of one that is inlined, costs
// compile time, so there are few.

const NULL: *mut c_void = null_mut();

/// Turns the data of perf's probe into the data for the function that fills records. Returns NULL
/// if there's nothing to record: no BPF program, and no perf event on this CPU.
///
/// C: the first lines of `perf_trace_CLASS()`.
///
/// # Safety
///
/// `call` must be what `trace_event_reg()` (kernel/trace/trace_events.c) registered the probe with.
#[cfg(CONFIG_PERF_EVENTS)]
#[inline(always)]
pub unsafe fn for_perf(call: *mut c_void) -> *mut c_void {
    let event = call as *mut generated::trace_event_call;
    // SAFETY: The caller promises that `call` is a `trace_event_call`, whose list
    // `perf_trace_event_reg()` (kernel/trace/trace_event_perf.c) sets before it registers the
    // probe. `bpf_prog_array_valid()` (include/linux/trace_events.h) reads the array's pointer the
    // same way. If the task moves to another CPU afterwards, the event has happened before that, or
    // finds no perf event there.
    unsafe {
        if read_volatile(&raw const (*event).prog_array) as usize == 0
            && read_volatile(&raw const (*arch::this_cpu_ptr((*event).perf_events)).first) as usize
                == 0
        {
            return NULL;
        }
    }
    (call as usize | PERF) as *mut c_void
}

/// Where a record goes. A function that takes this, instead of a probe's data pointer, can be safe to call.
///
/// # Invariants
///
/// [`begin`] has returned `true` for the data, and [`end`] hasn't been called since.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Destination(*mut c_void);

impl Destination {
    /// Returns the destination of a record.
    ///
    /// # Safety
    ///
    /// [`begin`] must have returned `true` for `data`, and [`end`] must be called after the last use.
    #[inline(always)]
    pub const unsafe fn new(data: *mut c_void) -> Self {
        // INVARIANT: The caller promises that.
        Self(data)
    }
}

/// Returns whether a record goes to perf and BPF.
#[inline(always)]
pub fn is_for_perf(to: Destination) -> bool {
    has_perf_bit(to.0)
}

#[inline(always)]
fn has_perf_bit(data: *mut c_void) -> bool {
    cfg!(CONFIG_PERF_EVENTS) && data as usize & PERF != 0
}

/// Disables preemption and returns whether anything is to be recorded. If the event is soft-disabled,
/// runs its triggers.
///
/// C: the first lines of `trace_event_raw_event_CLASS()`, with `trace_trigger_soft_disabled()`.
///
/// # Safety
///
/// `data` must be what `trace_event_reg()` (kernel/trace/trace_events.c) registered the probe with,
/// or for perf what [`for_perf`] returned. The caller must call [`end`].
#[inline(always)]
pub unsafe fn begin(data: *mut c_void) -> bool {
    const LOOK: u64 = (generated::EVENT_FILE_FL_TRIGGER_MODE
        | generated::EVENT_FILE_FL_SOFT_DISABLED
        | generated::EVENT_FILE_FL_PID_FILTER) as u64;
    arch::preempt_disable_notrace();
    let file = data as *mut generated::trace_event_file;
    // SAFETY: Unless it's for perf, `data` is a `trace_event_file`, as the caller promises. The
    // flags can change at any time: the slow path goes by what the second read returns.
    unsafe {
        has_perf_bit(data)
            || read_volatile(&raw const (*file).flags) as u64 & LOOK == 0
            // The rest is the slow path.
            || read_volatile(&raw const (*file).flags) as u32 & generated::EVENT_FILE_FL_TRIGGER_COND != 0
            || !generated::__trace_trigger_soft_disabled(file)
    }
}

/// Enables preemption.
///
/// # Safety
///
/// [`begin`] must have been called.
#[inline(always)]
pub unsafe fn end() {
    // SAFETY: The caller has called `begin`, which has disabled preemption.
    unsafe { arch::preempt_enable_notrace() };
}

/// The ring buffer rounds up the size of a record to a multiple of this one's.
///
/// C: `RB_ARCH_ALIGNMENT` (include/linux/ring_buffer_types.h).
#[cfg(CONFIG_HAVE_64BIT_ALIGNED_ACCESS)]
type Word = u64;
#[cfg(not(CONFIG_HAVE_64BIT_ALIGNED_ACCESS))]
type Word = u32;

/// Returns the size of a record, given C's struct for it. It's larger than the header, which the kernel fills in,
/// so that what [`reserve`] zeroes to round it up comes after that.
pub const fn record_size<T>() -> usize {
    let min = size_of::<bindings::trace_entry>() + size_of::<u32>();
    if size_of::<T>() < min {
        min
    } else {
        size_of::<T>()
    }
}

/// Whether there was room for a record. Only what fills records makes one.
pub struct Recorded(pub bool);

/// The largest offset and the largest length that a location can hold.
const LOCATION_MAX: usize = 0xffff;

/// Reserves `size` bytes, including the entry header. Returns NULL, so nothing is recorded, if there
/// is no room or if the record is larger than a location can express.
///
/// Bytes that round the size up are zeroed.
///
/// # Safety
///
/// The size must be at least [`record_size`]`::<()>()`. All of the record must be written, and [`commit`] must be
/// called with the same `scratch` and `to`.
#[inline(always)]
pub unsafe fn reserve(scratch: *mut Scratch, to: Destination, size: usize) -> *mut u8 {
    const REST: usize = size_of::<Word>() - 1;
    #[cfg(CONFIG_PERF_EVENTS)]
    if is_for_perf(to) {
        // SAFETY: The caller has promised what `reserve_for_perf` requires, since that's the same
        // as for this function.
        return unsafe { reserve_for_perf(scratch, size) };
    }
    let size = size.wrapping_add(REST) & !REST;
    if size > LOCATION_MAX {
        return NULL as *mut u8;
    }
    // SAFETY: `trace_event_buffer_reserve()` (kernel/trace/trace_events.c) initialises the buffer. By the
    // invariant of `Destination`, `to` is a `trace_event_file`, and preemption is disabled, as its call of
    // `tracing_gen_ctx_dec()` expects. The caller promises that there's a word after the header. The record begins
    // at a multiple of its alignment, after an event's header or its length (`rb_event_data()`).
    unsafe {
        let record = generated::trace_event_buffer_reserve(scratch as *mut _, to.0 as *mut _, size)
            as *mut u8;
        if record as usize != 0 {
            *(record.add(size.wrapping_sub(size_of::<Word>())) as *mut Word) = 0;
        }
        record
    }
}

/// Reserves a record for perf.
///
/// # Safety
///
/// As for [`reserve`].
#[cfg(CONFIG_PERF_EVENTS)]
#[cold]
#[inline(never)]
unsafe fn reserve_for_perf(scratch: *mut Scratch, size: usize) -> *mut u8 {
    // perf puts a `u32` with the size before the record.
    let size = (size.wrapping_add(11) & !7).wrapping_sub(4);
    // `perf_trace_buf_alloc()` would warn.
    if size > generated::PERF_MAX_TRACE_SIZE as usize {
        return null_mut();
    }
    let perf = scratch.cast::<Perf>();
    // SAFETY: `perf_trace_buf_alloc()` (kernel/trace/trace_event_perf.c) returns a buffer of `size`
    // bytes with the last eight zeroed, and sets `regs` and `rctx`.
    unsafe {
        (*perf).size = size as c_int;
        let (regs, rctx) = (&raw mut (*perf).regs, &raw mut (*perf).rctx);
        generated::perf_trace_buf_alloc(size as c_int, regs, rctx).cast()
    }
}

/// Commits a record of an event that has happened `count` times. `probe` is the function that perf shows as
/// the place of the event.
///
/// # Safety
///
/// [`reserve`] must have returned `record` for `to`, and all of it must have been written.
#[inline(always)]
#[cfg_attr(not(CONFIG_PERF_EVENTS), allow(unused_variables))]
pub unsafe fn commit(
    scratch: *mut Scratch,
    to: Destination,
    record: *mut u8,
    probe: *const c_void,
    count: u64,
) {
    #[cfg(CONFIG_PERF_EVENTS)]
    if is_for_perf(to) {
        // SAFETY: The caller has promised what `commit_for_perf` requires, since that's the same as
        // for this function.
        return unsafe { commit_for_perf(record, scratch, to, probe, count) };
    }
    // SAFETY: The caller promises that `reserve` has returned the record, and so has initialised
    // `scratch`.
    unsafe { generated::trace_event_buffer_commit(scratch as *mut _) };
}

/// Fills the registers with the current stack frame and `probe` as the instruction pointer, and hands a record to BPF
/// and perf.
///
/// C: `perf_arch_fetch_caller_regs()`, then `perf_trace_run_bpf_submit()`.
///
/// # Safety
///
/// As for [`commit`].
// `record` comes first, as in `perf_trace_run_bpf_submit()`, so it can stay in its register.
#[cfg(CONFIG_PERF_EVENTS)]
#[cold]
#[inline(never)]
unsafe fn commit_for_perf(
    record: *mut u8,
    scratch: *const Scratch,
    to: Destination,
    probe: *const c_void,
    count: u64,
) {
    let call = (to.0)
        .wrapping_byte_sub(PERF)
        .cast::<generated::trace_event_call>();
    // SAFETY: `reserve` has filled `scratch` and returned `record`: both are from one call of
    // `perf_trace_buf_alloc()` (kernel/trace/trace_event_perf.c), so the registers belong to this
    // context alone. By the invariant of `Destination`, `call` is the record's event, and preemption
    // is disabled, so this stays on the CPU.
    unsafe {
        let Perf { size, rctx, regs } = scratch.cast::<Perf>().read();
        arch::perf_fetch_regs(regs, probe);
        let events = arch::this_cpu_ptr((*call).perf_events);
        generated::perf_trace_run_bpf_submit(
            record.cast(),
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

/// The largest record in a trace buffer with sub-buffers of the default size, a page. An event has to
/// fit on every kernel, so this is for pages of 4 KB.
///
/// C: `rb_subbuf_max_data_size()` (kernel/trace/ring_buffer.c): the page without the sub-buffer's
/// header, the event's header, and the word with the length of a long record.
const RECORD_MAX: usize = 4096 - 16 - 4 - 4;

const _: () = assert!(RECORD_MAX == 4072);

/// Fails the build if the fixed part of a record doesn't fit into a trace buffer with sub-buffers of the default
/// size: such a record would be dropped silently.
#[track_caller]
pub const fn check_size(size: usize) {
    assert!(
        size <= RECORD_MAX,
        "a trace buffer has room for no more than 4072 bytes, and the fields of the event take more"
    );
}

/// Zeroes the bytes of a record from `from` to `to`, both constants.
///
/// # Safety
///
/// `record` must be valid for writes of `to` bytes.
#[inline(always)]
pub unsafe fn zero(record: *mut u8, from: usize, to: usize) {
    if from < to {
        // SAFETY: The caller promises that `record` is valid for writes of `to` bytes.
        unsafe { core::ptr::write_bytes(record.add(from), 0, to.wrapping_sub(from)) };
    }
}
