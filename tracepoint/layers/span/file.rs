// SPDX-License-Identifier: GPL-2.0

//! Where a span's event is recorded, and which of its ends are.
//!
//! # Pairing
//!
//! Every end in a trace has its begin and, within limits, every begin has its end:
//!
//! - A [`Span`] remembers, in a bit for each [`File`], where its begin has been recorded. Its end is
//!   recorded there and nowhere else.
//! - Before an event is disabled, new spans are no longer recorded, but for up to [`PATIENCE`],
//!   open ones can still record their end. See [`wait_for_ends`]. Not in perf: the kernel has already
//!   deactivated its event by then.
//!
//! That's why the class of a span has its own [`reg`], and its probes get a [`File`] as data where
//! others get the kernel's `trace_event_file`.

use super::{id::TraceId, Span};
#[cfg(CONFIG_PERF_EVENTS)]
use crate::base::event::record::{self, PERF};
use crate::{
    base::{
        bindings::{self, generated},
        event::class::{trace_event_call, trace_event_class, Class, Reg},
        guard::synchronize_srcu,
    },
    modules::{module_static::module_static, this_module::is_alive, window::window},
};
use core::{
    mem::{offset_of, transmute},
    ptr::null_mut,
    sync::atomic::{AtomicU32, Ordering},
};
use kernel::{
    error::code::ENOSPC,
    ffi::{c_int, c_void},
    time::{delay::fsleep, Delta},
};
/// The number of places where a span's event can be recorded at the same time: 15 trace instances, and
/// perf.
const SLOTS: usize = 16;

/// The slot for perf.
const PERF_SLOT: usize = 0;

/// How long disabling an event waits for open spans, in milliseconds. While the module is being
/// unloaded, it's how long disabling all of them waits.
const PATIENCE: u32 = 100;

/// A place where a span's event is recorded: the file of an event in a trace instance, or perf.
///
/// # Invariants
///
/// - `target` and `start` change only while no probe that has the file as its data is running.
/// - From the first use on, `target` is what [`record::begin`] takes: a `trace_event_file`, or in the
///   [`PERF_SLOT`] the tagged `trace_event_call`. A probe that's still running when the file is no longer
///   in use can use it, as in C.
#[repr(C)]
pub struct File {
    target: *mut c_void,
    /// A span with a smaller id began before this file was in use.
    start: u64,
    /// The number of spans whose begin has been recorded but whose end hasn't; and [`CLOSED`].
    open: AtomicU32,
    /// Its bit in `Span::recorded`.
    bit: u16,
    /// Whether a probe is registered. For [`reg`] only.
    in_use: bool,
}

/// The bit that says that no span may begin.
const CLOSED: u32 = 1 << 31;

impl File {
    const fn new(bit: u16) -> Self {
        Self {
            target: null_mut(),
            start: 0,
            open: AtomicU32::new(0),
            bit,
            in_use: false,
        }
    }

    /// Returns the file that a probe has as its data.
    ///
    /// # Safety
    ///
    /// `data` must be that of a probe which is running.
    #[inline(always)]
    unsafe fn of_probe<'a>(data: *mut c_void) -> &'a Self {
        // SAFETY: `register` registers nothing else, and the file is in a static.
        unsafe { &*data.cast() }
    }
}

/// The class of a span's event, and the files in which the event is recorded.
#[repr(C)]
pub struct SpanClass<const N: usize, P> {
    files: [File; SLOTS],
    class: Class<N, P>,
}

impl<const N: usize, P: Copy> SpanClass<N, P> {
    /// Adds what the class of a span has in addition.
    pub const fn new(class: Class<N, P>) -> Self {
        const { assert!(offset_of!(Self, class) == size_of::<[File; SLOTS]>()) };
        let mut files = [const { File::new(0) }; SLOTS];
        let mut i = 0;
        while i < SLOTS {
            files[i].bit = 1 << i;
            i += 1;
        }
        Self {
            files,
            // SAFETY: The struct of one integer is passed as the integer is.
            class: class.with_reg(unsafe { transmute::<RegOfSpan, Reg>(reg) }),
        }
    }

    /// Returns where the class is in the one at `this`.
    pub const fn class(this: *mut Self) -> *mut Class<N, P> {
        this.cast::<u8>()
            .wrapping_add(offset_of!(Self, class))
            .cast()
    }
}

/// C's `enum trace_reg`. Its name is part of the type of [`reg`], which CONFIG_CFI compares.
#[allow(non_camel_case_types)]
#[repr(C)]
struct trace_reg(generated::trace_reg);

/// The type of [`reg`] as in C.
type RegOfSpan = unsafe extern "C" fn(*mut trace_event_call, trace_reg, *mut c_void) -> c_int;

/// Registers and unregisters the probes of a span's event.
///
/// C: `trace_event_reg()`.
///
/// # Safety
///
/// Called as `class->reg` of the class in a [`SpanClass`], under `event_mutex`
/// (kernel/trace/trace_events.c, kernel/trace/trace_event_perf.c).
unsafe extern "C" fn reg(
    call: *mut trace_event_call,
    trace_reg(action): trace_reg,
    data: *mut c_void,
) -> c_int {
    // SAFETY: The files precede the class. Only this function uses all of them, and `event_mutex` is
    // held. `call` is valid.
    let (class, files) = unsafe {
        let class: *mut trace_event_class = (*call).class;
        (class, class.cast::<[File; SLOTS]>().sub(1).cast::<File>())
    };
    // SAFETY: As above. The class doesn't change.
    unsafe {
        match action {
            generated::trace_reg_TRACE_REG_REGISTER => register(call, (*class).probe, data, || {
                (PERF_SLOT + 1..SLOTS)
                    .map(|slot| files.add(slot))
                    .find(|file| !(**file).in_use)
            }),
            generated::trace_reg_TRACE_REG_UNREGISTER => {
                let used = (PERF_SLOT + 1..SLOTS)
                    .map(|slot| files.add(slot))
                    .find(|file| (**file).in_use && (**file).target == data);
                if let Some(file) = used {
                    wait_for_ends(&(*file).open);
                    unregister(call, (*class).probe, file);
                }
                0
            }
            #[cfg(CONFIG_PERF_EVENTS)]
            generated::trace_reg_TRACE_REG_PERF_REGISTER => {
                let target = call.cast::<c_void>().wrapping_byte_add(PERF);
                register(call, (*class).perf_probe, target, || {
                    Some(files.add(PERF_SLOT))
                })
            }
            // The caller waits for the probes, but it has already closed what they write to.
            #[cfg(CONFIG_PERF_EVENTS)]
            generated::trace_reg_TRACE_REG_PERF_UNREGISTER => {
                unregister(call, (*class).perf_probe, files.add(PERF_SLOT));
                0
            }
            _ => generated::trace_event_reg(call, action, data),
        }
    }
}

/// Registers a probe with one of the files.
///
/// # Safety
///
/// As for [`reg`]. `probe` must take the words of the tracepoint, and a file that isn't in use.
unsafe fn register(
    call: *mut trace_event_call,
    probe: *mut c_void,
    target: *mut c_void,
    find: impl FnOnce() -> Option<*mut File>,
) -> c_int {
    let Some(file) = find() else {
        return ENOSPC.to_errno();
    };
    // SAFETY: Guaranteed by the caller. `tracepoint_probe_register()` (kernel/tracepoint.c) publishes
    // the file.
    unsafe {
        if !(*file).target.is_null() {
            // The probe that had the file before may still be running.
            synchronize_srcu();
        }
        // A span that has used the slot before has a smaller id.
        (*file).start = TraceId::next().get();
        (*file).open = AtomicU32::new(CLOSED);
        (*file).target = target;
        let tp = (*call).__bindgen_anon_1.tp;
        let error = bindings::tracepoint_probe_register(tp, probe, file.cast());
        if error == 0 {
            // Not earlier, since the places where spans begin and end aren't all enabled at once.
            (*file).open.fetch_and(!CLOSED, Ordering::SeqCst);
            (*file).in_use = true;
        }
        error
    }
}

/// Unregisters the probe of a file. Doesn't wait until it no longer runs: as in C, those who free
/// what it uses do (`event_trace_del_tracer()`, `perf_trace_event_unreg()`).
///
/// # Safety
///
/// As for [`reg`].
unsafe fn unregister(call: *mut trace_event_call, probe: *mut c_void, file: *mut File) {
    // SAFETY: Guaranteed by the caller. `tracepoint_probe_unregister()` (kernel/tracepoint.c) fails
    // only if there's no such probe.
    unsafe {
        let tp = (*call).__bindgen_anon_1.tp;
        bindings::tracepoint_probe_unregister(tp, probe, file.cast());
        (*file).in_use = false;
    }
}

/// Lets no more spans begin, and waits for open ones to end. For [`reg`] only.
///
/// Spans that have been forgotten never end, and a module can have many. That's why there's a limit,
/// and why a module that's being unloaded has only one for all its events: when the kernel disables
/// them, no thread runs the module's code any more, so whatever is open has been forgotten. But while
/// its exit function runs, which may disable an event, as may a user, threads can still end their spans.
fn wait_for_ends(open: &AtomicU32) {
    let waited = module_static!("tracepoint.span_waited": AtomicU32);
    // SAFETY: It's a static of that type, and all zeroes is valid.
    let waited = unsafe { &*waited };
    if is_alive() {
        waited.store(0, Ordering::Relaxed);
    }
    // Both this and the counting in `span_begin` are full barriers: either this sees that the span is
    // open, or that sees the bit.
    let mut spans = open.fetch_or(CLOSED, Ordering::SeqCst);
    while spans & !CLOSED != 0 && waited.fetch_add(1, Ordering::Relaxed) < PATIENCE {
        fsleep(Delta::from_millis(1));
        spans = open.load(Ordering::SeqCst);
    }
}

/// Returns whether perf has anything to record.
///
/// # Safety
///
/// `data` must be that of perf's probe, which is running.
#[cfg(CONFIG_PERF_EVENTS)]
#[inline(always)]
pub unsafe fn span_for_perf(data: *mut c_void) -> bool {
    // SAFETY: Guaranteed by the caller. In the slot of perf, the target is the tagged event.
    unsafe {
        let call = File::of_probe(data).target.wrapping_byte_sub(PERF);
        !record::for_perf(call).is_null()
    }
}

/// Returns what [`record::begin`] takes if this end of the span is to be recorded, or NULL. The caller
/// must call [`span_end`] if it isn't NULL.
///
/// # Safety
///
/// `data` must be that of a probe which is running.
#[inline(always)]
pub unsafe fn span_begin(data: *mut c_void, span: &Span) -> *mut c_void {
    // SAFETY: Guaranteed by the caller.
    let file = unsafe { File::of_probe(data) };
    // A span may get its id before the file is in use, and begin afterwards. And another file may have
    // had the slot when the span began.
    if span.id < file.start {
        return null_mut();
    }
    if span.is_end() {
        if span.recorded.get() & file.bit == 0 {
            return null_mut();
        }
    } else if file.open.fetch_add(1, Ordering::SeqCst) & CLOSED != 0 {
        file.open.fetch_sub(1, Ordering::SeqCst);
        return null_mut();
    }
    window!("span");
    let target = file.target;
    // SAFETY: By the type's invariant, since the file is a probe's data.
    unsafe { core::hint::assert_unchecked(!target.is_null()) };
    target
}

/// Notes whether this end of the span has been recorded.
///
/// # Safety
///
/// As for [`span_begin`].
#[inline(always)]
pub unsafe fn span_end(data: *mut c_void, span: &Span, recorded: bool) {
    // SAFETY: Guaranteed by the caller.
    let file = unsafe { File::of_probe(data) };
    if recorded && !span.is_end() {
        span.recorded.set(span.recorded.get() | file.bit);
    } else {
        file.open.fetch_sub(1, Ordering::SeqCst);
    }
}
