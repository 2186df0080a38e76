// SPDX-License-Identifier: GPL-2.0

//! Where a span's event is recorded, and which of its ends are.
//!
//! # Pairing
//!
//! Every end in a trace has its begin and, within limits, every begin has its end:
//!
//! - A [`Span`] remembers, in a bit for each [`Slot`], where its begin has been recorded. Its end is
//!   recorded there and nowhere else.
//! - Before an event is disabled, new spans are no longer recorded, but for up to [`PATIENCE`],
//!   open ones can still record their end. See [`Slot::wait_for_ends`]. Not in perf: the kernel has
//!   already deactivated its event by then.
//!
//! That's why the class of a span has its own [`Registers`], and its probes get a [`Slot`] as data where
//! others get the kernel's `trace_event_file`.

use super::{id::TraceId, Span};
#[cfg(CONFIG_PERF_EVENTS)]
use crate::base::event::record::{for_perf, PERF};
use crate::{
    base::{
        bindings::{self, generated},
        event::{
            class::{trace_event_call, Registers},
            record::{begin, end, Destination, Recorded},
        },
        guard::synchronize_srcu,
    },
    modules::{module_static::module_static, this_module::is_alive, window::window},
};
use core::{
    ptr::{from_ref, null_mut},
    sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering},
};
use kernel::{
    prelude::*,
    time::{delay::fsleep, Delta},
};

/// The number of trace instances in which a span's event can be recorded at the same time.
const INSTANCES: usize = 15;

/// How long disabling an event waits for open spans, in milliseconds. While the module is being
/// unloaded, it's how long disabling all of them waits.
const PATIENCE: u32 = 100;

/// A place where a span's event is recorded: a trace instance, or perf.
///
/// # Invariants
///
/// - `target` and `start` change only while no probe that has the slot as its data is running.
/// - From the first use on, `target` is what [`begin`] takes: a `trace_event_file`, or in perf's slot the
///   tagged `trace_event_call`. A probe that's still running when the slot is no longer in use can use it,
///   as in C.
struct Slot {
    target: AtomicPtr<c_void>,
    /// A span with a smaller id began before this slot was in use.
    start: AtomicU64,
    /// The number of spans whose begin has been recorded but whose end hasn't; and [`CLOSED`].
    open: AtomicU32,
    /// Its bit in `Span::recorded`.
    bit: u16,
    /// How much a span adds to `open`: nothing in perf's, since nobody waits for the ends there, and perf doesn't
    /// record those in other tasks or on other CPUs than the ones it's for.
    one: u16,
}

/// The bit that says that no span may begin. Between two uses of a slot, it's set.
const CLOSED: u32 = 1 << 31;

/// With as many open spans, which must have been forgotten, no span may begin either: they would add up to [`CLOSED`].
const MOST: u32 = 1 << 30;

impl Slot {
    // Only the initial value of a static.
    #[allow(clippy::declare_interior_mutable_const)]
    const NEW: Self = Self {
        target: AtomicPtr::new(null_mut()),
        start: AtomicU64::new(0),
        open: AtomicU32::new(CLOSED),
        bit: 0,
        one: 0,
    };

    /// Returns the slot that a probe has as its data.
    ///
    /// # Safety
    ///
    /// `data` must be that of a probe which is running.
    #[inline(always)]
    unsafe fn of_probe<'a>(data: *mut c_void) -> &'a Self {
        // SAFETY: The caller promises that `data` is that of a probe. `register` registers only
        // slots, and they're in statics.
        unsafe { &*data.cast() }
    }

    /// Returns its target, or NULL if it isn't in use. For [`Registers::reg`] only.
    fn used_for(&self) -> *mut c_void {
        if self.open.load(Ordering::Relaxed) & CLOSED == 0 {
            self.target.load(Ordering::Relaxed)
        } else {
            null_mut()
        }
    }

    /// Registers a probe with the slot as its data. Returns 0 or an errno.
    ///
    /// # Safety
    ///
    /// As for [`Registers::reg`]. `probe` must take the C arguments of the tracepoint, and the slot must not be in use.
    unsafe fn register(
        &self,
        tp: *mut bindings::tracepoint,
        probe: *mut c_void,
        target: *mut c_void,
    ) -> c_int {
        if !self.target.load(Ordering::Relaxed).is_null() {
            // The probe that had the slot before may still be running.
            synchronize_srcu();
        }
        // A span that has used the slot before has a smaller id.
        self.start.store(TraceId::next().get(), Ordering::Relaxed);
        self.open.store(CLOSED, Ordering::Relaxed);
        self.target.store(target, Ordering::Relaxed);
        // SAFETY: The caller promises that `tp` is valid and that `probe` takes its C arguments.
        // `tracepoint_probe_register()` (kernel/tracepoint.c) publishes the slot.
        let error = unsafe {
            bindings::tracepoint_probe_register(tp, probe, from_ref(self).cast_mut().cast())
        };
        if error == 0 {
            // Not earlier, since the places where spans begin and end aren't all enabled at once.
            self.open.fetch_and(!CLOSED, Ordering::SeqCst);
        }
        error
    }

    /// Unregisters the probe. Doesn't wait until it no longer runs: as in C, those who free what it uses
    /// do (`event_trace_del_tracer()`, `perf_trace_event_unreg()`).
    ///
    /// # Safety
    ///
    /// As for [`Registers::reg`].
    unsafe fn unregister(&self, tp: *mut bindings::tracepoint, probe: *mut c_void) {
        // SAFETY: The caller promises that `tp` is valid. `tracepoint_probe_unregister()`
        // (kernel/tracepoint.c) fails only if there's no such probe.
        unsafe {
            bindings::tracepoint_probe_unregister(tp, probe, from_ref(self).cast_mut().cast())
        };
    }

    /// Lets no more spans begin, and waits for open ones to end. For [`Registers::reg`] only.
    ///
    /// Spans that have been forgotten never end, and a module can have many. That's why there's a limit,
    /// and why a module that's being unloaded has only one for all its events: when the kernel disables
    /// them, no thread runs the module's code any more, so whatever is open has been forgotten. But while
    /// its exit function runs, which may disable an event, as may a user, threads can still end their spans.
    fn wait_for_ends(&self) {
        let waited = module_static!("tracepoint.span_waited": AtomicU32);
        // SAFETY: `waited` points to a static of that type, for which all zeroes is valid.
        let waited = unsafe { &*waited };
        if is_alive() {
            waited.store(0, Ordering::Relaxed);
        }
        // Both this and the counting in `record_span` are full barriers: either this sees that the span is
        // open, or that sees the bit.
        let mut spans = self.open.fetch_or(CLOSED, Ordering::SeqCst);
        while spans & !CLOSED != 0 && waited.fetch_add(1, Ordering::Relaxed) < PATIENCE {
            fsleep(Delta::from_millis(1));
            spans = self.open.load(Ordering::SeqCst);
        }
    }
}

/// The slots of a span's event: perf's, and those of instances.
pub struct Slots([Slot; 1 + INSTANCES]);

impl Slots {
    /// Returns the slot of the event's file in an instance, or with NULL one that isn't in use.
    fn find(&self, file: *mut c_void) -> Option<&Slot> {
        let [_, instances @ ..] = &self.0;
        instances.iter().find(|slot| slot.used_for() == file)
    }
}

// SAFETY: `reg` registers the same probes as C's function, with a slot as their data, which they take.
unsafe impl Registers for Slots {
    // Only the initial value of a static.
    #[allow(clippy::declare_interior_mutable_const)]
    const NEW: Self = {
        let mut slots = [Slot::NEW; 1 + INSTANCES];
        let mut i = 0;
        while i < slots.len() {
            slots[i].bit = 1 << i;
            slots[i].one = (i > 0) as u16;
            i += 1;
        }
        Self(slots)
    };

    unsafe fn reg(
        &'static self,
        call: *mut trace_event_call,
        action: generated::trace_reg,
        data: *mut c_void,
    ) -> c_int {
        // SAFETY: `call` is valid, and so is its class.
        let (tp, class) = unsafe { ((*call).__bindgen_anon_1.tp, (*call).class) };
        #[cfg(CONFIG_PERF_EVENTS)]
        let [perf, ..] = &self.0;
        // SAFETY: The caller holds `event_mutex` when it registers or unregisters a probe. The class
        // has the probes of the tracepoint.
        unsafe {
            match action {
                generated::trace_reg_TRACE_REG_REGISTER => match self.find(null_mut()) {
                    Some(slot) => slot.register(tp, (*class).probe, data),
                    None => ENOSPC.to_errno(),
                },
                generated::trace_reg_TRACE_REG_UNREGISTER => {
                    if let Some(slot) = self.find(data) {
                        slot.wait_for_ends();
                        slot.unregister(tp, (*class).probe);
                    }
                    0
                }
                #[cfg(CONFIG_PERF_EVENTS)]
                generated::trace_reg_TRACE_REG_PERF_REGISTER => {
                    let target = call.cast::<c_void>().wrapping_byte_add(PERF);
                    perf.register(tp, (*class).perf_probe, target)
                }
                // The caller waits for the probes, but it has already closed what they write to.
                #[cfg(CONFIG_PERF_EVENTS)]
                generated::trace_reg_TRACE_REG_PERF_UNREGISTER => {
                    perf.unregister(tp, (*class).perf_probe);
                    0
                }
                _ => generated::trace_event_reg(call, action, data),
            }
        }
    }
}

/// Returns the data of perf's probe, or NULL if perf has nothing to record.
///
/// # Safety
///
/// `data` must be that of perf's probe, which is running.
#[cfg(CONFIG_PERF_EVENTS)]
#[inline(always)]
pub unsafe fn span_for_perf(data: *mut c_void) -> *mut c_void {
    // SAFETY: The caller promises that `data` is that of perf's probe, which is running. In perf's
    // slot, the target is the tagged event.
    let target = unsafe {
        let call = Slot::of_probe(data).target.load(Ordering::Relaxed);
        for_perf(call.wrapping_byte_sub(PERF))
    };
    if target.is_null() {
        null_mut()
    } else {
        data
    }
}

/// Records this end of a span, if it's to be recorded where the probe does. `record` fills a record.
///
/// # Safety
///
/// `data` must be that of a probe which is running.
#[inline(always)]
pub unsafe fn record_span(
    data: *mut c_void,
    span: &Span,
    record: impl FnOnce(Destination) -> Recorded,
) {
    // SAFETY: The caller promises that `data` is that of a probe which is running.
    let slot = unsafe { Slot::of_probe(data) };
    // A span may get its id before the slot is in use, and begin afterwards. And the slot may have had
    // another use when the span began.
    if span.id.get() < slot.start.load(Ordering::Relaxed) {
        return;
    }
    if span.is_end() {
        if span.recorded.get() & slot.bit == 0 {
            return;
        }
    } else if slot.open.fetch_add(slot.one.into(), Ordering::SeqCst) >= MOST {
        slot.open.fetch_sub(slot.one.into(), Ordering::SeqCst);
        return;
    }
    window!("span");
    let target = slot.target.load(Ordering::Relaxed);
    // SAFETY: By the type's invariant, `target` is what `begin` takes, since the slot is the data
    // of a running probe. `end` is called below.
    let recorded = unsafe { begin(target) && record(Destination::new(target)).0 };
    if recorded && !span.is_end() {
        span.recorded.set(span.recorded.get() | slot.bit);
    } else {
        slot.open.fetch_sub(slot.one.into(), Ordering::SeqCst);
    }
    // SAFETY: `begin` has been called above.
    unsafe { end() };
}
