// SPDX-License-Identifier: GPL-2.0

//! perf events, as passed to an event's `perf_perm` function.
//!
//! C header: [`include/linux/perf_event.h`](srctree/include/linux/perf_event.h)

use crate::base::bindings::generated;
use kernel::types::Opaque;

/// A perf event that is being opened on a trace event. C: `struct perf_event`.
///
/// # Invariants
///
/// The event is valid as long as the reference to it.
#[repr(transparent)]
pub struct PerfEvent(Opaque<generated::perf_event>);

impl PerfEvent {
    /// Converts a C pointer to a reference, with the lifetime of the variable that holds the
    /// pointer.
    ///
    /// # Safety
    ///
    /// `event` must be valid for that lifetime.
    #[doc(hidden)]
    pub unsafe fn from_raw(event: &*mut generated::perf_event) -> &Self {
        // SAFETY: The caller promises that `event` is valid as long as the result, and the type is
        // transparent.
        unsafe { &*event.cast() }
    }

    /// Returns whether the event takes samples instead of only counting. Any context.
    ///
    /// C: `is_sampling_event()`.
    pub fn is_sampling(&self) -> bool {
        #[cfg(CONFIG_PERF_EVENTS)]
        // SAFETY: By the type's invariant, the event is valid. Its attributes are set before
        // `perf_perm` is called, and the period is in a union of two words.
        return unsafe {
            (&raw const (*self.0.get()).attr.__bindgen_anon_1)
                .cast::<u64>()
                .read()
                != 0
        };
        // There is no such event.
        #[cfg(not(CONFIG_PERF_EVENTS))]
        false
    }
}
