// SPDX-License-Identifier: GPL-2.0

//! The read-side guards under which the probes of a tracepoint run.

#[cfg(CONFIG_LOCKDEP)]
use super::arch::this_cpu_online;
use crate::{bindings, ffi::c_void, types::NotThreadSafe};

/// A read-side critical section of `tracepoint_srcu`. It doesn't disable preemption.
///
/// C: `guard(srcu_fast_notrace)(&tracepoint_srcu)`. Any context where RCU is watching.
///
/// # Invariants
///
/// The counters were returned by `srcu_read_lock_fast_notrace(&tracepoint_srcu)`.
#[must_use = "the section ends when the guard is dropped"]
pub struct Srcu {
    counters: *mut c_void,
    _not_send: NotThreadSafe,
}

impl Srcu {
    /// Enters the critical section.
    ///
    /// # Safety
    ///
    /// The guard must be dropped: unregistering a probe waits for that.
    #[inline(always)]
    pub unsafe fn new() -> Self {
        // INVARIANT: They come from that function.
        Self {
            // SAFETY: `tracepoint_srcu` is static (kernel/tracepoint.c).
            counters: unsafe { bindings::tracepoint_srcu_read_lock() },
            _not_send: NotThreadSafe,
        }
    }
}

impl Drop for Srcu {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: By the type's invariant, the counters come from the function that enters the
        // section, and they're passed to no other call.
        unsafe { bindings::tracepoint_srcu_read_unlock(self.counters) };
    }
}

/// A read-side critical section of RCU tasks trace, in which a probe may fault and sleep.
///
/// C: `guard(rcu_tasks_trace)()`. Process context.
#[must_use = "the section ends when the guard is dropped"]
pub struct TasksTrace {
    _not_send: NotThreadSafe,
}

impl TasksTrace {
    /// Enters the critical section.
    ///
    /// # Safety
    ///
    /// Process context. The guard must be dropped: unregistering a probe waits for that.
    #[inline(always)]
    pub unsafe fn new() -> Self {
        // SAFETY: The caller promises process context, and to drop the guard, which ends the
        // section.
        unsafe { bindings::rcu_read_lock_trace() };
        Self {
            _not_send: NotThreadSafe,
        }
    }
}

impl Drop for TasksTrace {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: `new` has entered the section, in this task.
        unsafe { bindings::rcu_read_unlock_trace() };
    }
}

/// Waits until all probes that are running now, on any tracepoint, have returned.
///
/// C: `tracepoint_synchronize_unregister()`. May sleep; process context. Must not be called from a probe, which
/// would wait for itself.
#[inline]
pub fn tracepoint_synchronize_unregister() {
    // SAFETY: The function has no other requirement than its context, which is the caller's.
    unsafe { bindings::tracepoint_synchronize_unregister() }
}

/// Returns whether RCU wouldn't see a probe here, but only the first time.
///
/// C: the condition of the `WARN_ONCE()` in `trace_NAME()`. Unlike here, C has a flag for each
/// tracepoint and, except for faultable ones, also looks at the tracepoint's own condition.
#[cfg(CONFIG_LOCKDEP)]
#[inline]
pub fn rcu_is_not_watching() -> bool {
    use crate::sync::atomic::{ordering::Relaxed, Atomic};

    static WARNED: Atomic<i32> = Atomic::new(0);
    // SAFETY: `rcu_is_watching()` (kernel/rcu/tree.c) can be called from anywhere.
    let is_watching = unsafe { bindings::rcu_is_watching() };
    this_cpu_online() && !is_watching && WARNED.xchg(1, Relaxed) == 0
}
