// SPDX-License-Identifier: GPL-2.0

//! The destinations of a record: a trace buffer, or perf and the BPF programs attached to the
//! event.
//!
//! C headers: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h) (stage 6),
//! [`include/trace/perf.h`](srctree/include/trace/perf.h)

use super::template::Shape;
use crate::{
    arch,
    bindings::{self, generated},
};
use core::{
    mem::MaybeUninit,
    ptr::{addr_of, null_mut, NonNull},
};
use kernel::ffi::{c_int, c_void};

// The macros know it: where there's no gap between two fields, they zero none.
const _: () = assert!(size_of::<bindings::trace_entry>() == 8);

// `arch` doesn't use the generated bindings, so it has its own copy of this number.
const _: () = assert!(arch::KERNEL_CS == generated::__KERNEL_CS as usize);

/// Where a record goes: to a trace buffer, whose data is the `trace_event_file`, or with the lowest
/// bit set to perf and BPF, whose data is the `trace_event_call`.
///
/// One function fills records for both. Both structs are aligned to words.
const PERF: usize = 1;

/// Returns the data of perf's probe as that of the function that fills records.
#[inline(always)]
pub fn for_perf(call: *mut c_void) -> *mut c_void {
    call.wrapping_byte_add(PERF)
}

/// What the kernel fills in while a record is being written.
#[derive(Clone, Copy)]
pub union Scratch {
    ring: generated::trace_event_buffer,
    perf: Perf,
}

/// A record for perf.
#[derive(Clone, Copy)]
struct Perf {
    record: *mut c_void,
    size: c_int,
    /// What `perf_trace_buf_alloc()` sets.
    rctx: c_int,
    regs: *mut bindings::pt_regs,
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

/// Disables preemption and returns whether anything is to be recorded. If the event is soft-disabled,
/// runs its triggers.
///
/// C: the first lines of `trace_event_raw_event_CLASS()` and `perf_trace_CLASS()`, with
/// `trace_trigger_soft_disabled()`.
///
/// # Safety
///
/// `data` must be what `trace_event_reg()` (kernel/trace/trace_events.c) registered the probe with,
/// for perf through [`for_perf`]. The caller must call [`end`].
#[inline(always)]
pub unsafe fn begin(data: *mut c_void) -> bool {
    const LOOK: u32 = generated::EVENT_FILE_FL_TRIGGER_MODE
        | generated::EVENT_FILE_FL_SOFT_DISABLED
        | generated::EVENT_FILE_FL_PID_FILTER;
    arch::preempt_disable_notrace();
    // SAFETY: Guaranteed by the caller.
    unsafe { data.addr() & PERF == 0 && flags(data.cast()) & LOOK == 0 || is_wanted(data) }
}

/// The slow path of [`begin`]: perf, and files with one of the flags set.
///
/// # Safety
///
/// As there, and preemption must be disabled.
#[cold]
#[inline(never)]
unsafe fn is_wanted(data: *mut c_void) -> bool {
    // SAFETY: Guaranteed by the caller. `bpf_prog_array_valid()` (include/linux/trace_events.h) reads
    // the array's pointer the same way.
    unsafe {
        if data.addr() & PERF == 0 {
            let file = data.cast::<generated::trace_event_file>();
            return flags(file) & generated::EVENT_FILE_FL_TRIGGER_COND != 0
                || !generated::__trace_trigger_soft_disabled(file);
        }
        let call = call_of(data);
        !addr_of!((*call).prog_array).read_volatile().is_null()
            || !addr_of!((*perf_events(call)).first)
                .read_volatile()
                .is_null()
    }
}

/// Returns the event of perf's data.
fn call_of(data: *mut c_void) -> *mut generated::trace_event_call {
    data.wrapping_byte_sub(PERF).cast()
}

/// Returns the list of an event's perf events on this CPU.
///
/// # Safety
///
/// `call` must be valid, and perf must have registered its probe.
unsafe fn perf_events(call: *mut generated::trace_event_call) -> *mut bindings::hlist_head {
    // SAFETY: `perf_trace_event_reg()` (kernel/trace/trace_event_perf.c) sets the list before it
    // registers the probe.
    arch::this_cpu_ptr(unsafe { addr_of!((*call).perf_events).read() })
}

/// Enables preemption.
///
/// # Safety
///
/// [`begin`] must have been called.
#[inline(always)]
pub unsafe fn end() {
    // SAFETY: `begin` has disabled it.
    unsafe { arch::preempt_enable_notrace() };
}

/// The largest offset and the largest length that a location can hold.
const LOCATION_MAX: usize = 0xffff;

/// Reserves `size` bytes, including the entry header. Returns `None`, so nothing is recorded, if there
/// is no room or if the record is larger than a location can express.
///
/// Bytes that round the size up are zeroed. `probe` is the function that perf shows as the place of
/// the event.
///
/// # Safety
///
/// Must be called after [`begin`] has returned `true` for `data`. All of the record must be written,
/// and [`commit`] must be called with the same `scratch` and `data`.
#[inline(never)]
pub unsafe fn reserve(
    scratch: &mut MaybeUninit<Scratch>,
    data: *mut c_void,
    size: usize,
    probe: *const c_void,
) -> Option<NonNull<u8>> {
    if data.addr() & PERF != 0 {
        // SAFETY: Guaranteed by the caller.
        return unsafe { reserve_for_perf(scratch, size, probe) };
    }
    let size = size.wrapping_add(3) & !3;
    if size > LOCATION_MAX {
        return None;
    }
    // SAFETY: `trace_event_buffer_reserve()` (kernel/trace/trace_events.c) initialises the buffer.
    // Preemption is disabled, as its call of `tracing_gen_ctx_dec()` expects. A record has at least
    // the header of the entry, and so a last word.
    unsafe {
        let record =
            generated::trace_event_buffer_reserve(scratch.as_mut_ptr().cast(), data.cast(), size);
        let record = NonNull::new(record.cast::<u8>())?;
        record
            .add(size.wrapping_sub(4))
            .cast::<u32>()
            .write_unaligned(0);
        Some(record)
    }
}

/// Reserves a record for perf.
///
/// # Safety
///
/// As for [`reserve`].
#[cold]
#[inline(never)]
unsafe fn reserve_for_perf(
    scratch: &mut MaybeUninit<Scratch>,
    size: usize,
    probe: *const c_void,
) -> Option<NonNull<u8>> {
    // perf puts a `u32` with the size before the record.
    let size = (size.wrapping_add(11) & !7).wrapping_sub(4);
    // `perf_trace_buf_alloc()` would warn.
    if size > generated::PERF_MAX_TRACE_SIZE as usize {
        return None;
    }
    let perf = scratch.as_mut_ptr().cast::<Perf>();
    // SAFETY: `perf_trace_buf_alloc()` (kernel/trace/trace_event_perf.c) returns a buffer of `size`
    // bytes with the last eight zeroed, and sets `regs` and `rctx`. The registers belong to this
    // context alone.
    unsafe {
        let record = generated::perf_trace_buf_alloc(
            size as c_int,
            &raw mut (*perf).regs,
            &raw mut (*perf).rctx,
        );
        (*perf).record = record;
        (*perf).size = size as c_int;
        let record = NonNull::new(record.cast())?;
        arch::perf_fetch_regs((*perf).regs, probe);
        Some(record)
    }
}

/// Commits a record.
///
/// # Safety
///
/// [`reserve`] must have returned a record for `data`, and all of it must have been written.
#[inline(never)]
pub unsafe fn commit(scratch: &mut MaybeUninit<Scratch>, data: *mut c_void) {
    // SAFETY: `reserve` has initialised `scratch`, and `data` is valid.
    unsafe {
        if data.addr() & PERF == 0 {
            generated::trace_event_buffer_commit(scratch.as_mut_ptr().cast());
            return;
        }
        let perf = scratch.as_ptr().cast::<Perf>().read();
        let call = call_of(data);
        generated::perf_trace_run_bpf_submit(
            perf.record,
            perf.size,
            perf.rctx,
            call,
            1,
            perf.regs,
            perf_events(call),
            null_mut(),
        );
    }
}

/// The largest record in a trace buffer with sub-buffers of the default size, a page.
///
/// C: `rb_subbuf_max_data_size()` (kernel/trace/ring_buffer.c): the page without the sub-buffer's
/// header, the event's header, and the word with the length of a long record.
const RECORD_MAX: usize = 4096 - 16 - 4 - 4;

/// Where the fields of a record are, for types that the macro doesn't know by their names.
pub struct Layout<const N: usize> {
    shapes: [Shape; N],
    offsets: [usize; N],
}

impl<const N: usize> Layout<N> {
    /// Lays out the fields as C does.
    pub const fn new(shapes: [Shape; N]) -> Self {
        let mut offsets = [0; N];
        let (mut i, mut end) = (0, size_of::<bindings::trace_entry>());
        while i < N {
            offsets[i] = end.next_multiple_of(shapes[i].align);
            end = offsets[i] + shapes[i].size;
            i += 1;
        }
        Self { shapes, offsets }
    }

    /// Returns where a field is.
    pub const fn start(&self, n: usize) -> usize {
        self.offsets[n]
    }

    /// Returns where a field ends.
    pub const fn end(&self, n: usize) -> usize {
        self.offsets[n] + self.shapes[n].size
    }

    /// Returns the size of C's struct.
    pub const fn struct_size(&self) -> usize {
        let mut i = 0;
        let mut align = align_of::<bindings::trace_entry>();
        while i < N {
            if self.shapes[i].align > align {
                align = self.shapes[i].align;
            }
            i += 1;
        }
        self.end(N - 1).next_multiple_of(align)
    }

    /// Returns the size of a record up to the data after its fields, or of C's whole struct if there's
    /// no such data.
    pub const fn size(&self) -> usize {
        let mut i = 0;
        while i < N {
            if self.shapes[i].kind.is_dynamic() {
                return checked_size(self.end(N - 1));
            }
            i += 1;
        }
        checked_size(self.struct_size())
    }
}

/// The fixed part of a record, checked: its size, if it can be recorded by default. What's larger would
/// be dropped without a message.
const fn checked_size(size: usize) -> usize {
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
