// SPDX-License-Identifier: GPL-2.0

/// C: `preempt_disable_notrace()`. Any context.
#[inline(always)]
pub(crate) fn preempt_disable_notrace() {
    // SAFETY: The function can be called in any context.
    unsafe { bindings::preempt_disable_notrace() }
}

/// C: `preempt_enable_notrace()`.
///
/// # Safety
///
/// The matching [`preempt_disable_notrace`] must have been called.
#[inline(always)]
pub(crate) unsafe fn preempt_enable_notrace() {
    // SAFETY: The caller has called the matching `preempt_disable_notrace()`.
    unsafe { bindings::preempt_enable_notrace() }
}

/// C: `raw_cpu_ptr()`, of the perf events of a trace event.
#[allow(clippy::not_unsafe_ptr_arg_deref)]
#[cfg(CONFIG_PERF_EVENTS)]
#[inline(always)]
pub(crate) fn this_cpu_ptr(events: *mut bindings::hlist_head) -> *mut bindings::hlist_head {
    // SAFETY: The function only computes an address.
    unsafe { bindings::this_cpu_perf_events(events) }
}
