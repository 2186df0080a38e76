// SPDX-License-Identifier: GPL-2.0

//! What perf asks an event.
//!
//! C header: [`include/linux/perf_event.h`](srctree/include/linux/perf_event.h)

use super::super::bindings::generated;
use kernel::types::Opaque;

/// A perf event that somebody opens on a trace event. C: `struct perf_event`.
///
/// # Invariants
///
/// The event is valid as long as the reference to it.
#[repr(transparent)]
pub struct PerfEvent(Opaque<generated::perf_event>);

impl PerfEvent {
    /// Makes a reference of C's pointer, with the lifetime of the variable that it is in.
    ///
    /// # Safety
    ///
    /// `event` must be valid for that lifetime.
    pub unsafe fn from_raw(event: &*mut generated::perf_event) -> &Self {
        // SAFETY: By the caller's promise; the type is transparent.
        unsafe { &*event.cast() }
    }

    /// Returns whether it takes samples, rather than only counting. C: `is_sampling_event()`.
    pub fn is_sampling(&self) -> bool {
        // SAFETY: By the type's invariant; the attributes are copied in before anybody asks. The
        // period is a union of two words.
        unsafe {
            (&raw const (*self.0.get()).attr.__bindgen_anon_1)
                .cast::<u64>()
                .read()
                != 0
        }
    }
}
