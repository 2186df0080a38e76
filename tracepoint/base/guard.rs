// SPDX-License-Identifier: GPL-2.0

//! The read-side guards that keep a tracepoint's probes from being freed while they run, and the
//! function that waits for them.
//!
//! A call site holds a guard from the load of `tracepoint.funcs` until the last probe has returned:
//! [`Srcu`], or [`TasksTrace`] if the tracepoint is faultable. Code that removes a probe must call
//! [`tracepoint_synchronize_unregister`] before it frees the probe's data or code.
//!
//! C headers: [`include/linux/srcu.h`](srctree/include/linux/srcu.h),
//! [`include/linux/srcutree.h`](srctree/include/linux/srcutree.h),
//! [`include/linux/rcupdate_trace.h`](srctree/include/linux/rcupdate_trace.h)

use crate::arch;
use core::{
    mem::offset_of,
    ptr::read_volatile,
    sync::atomic::{compiler_fence, Ordering},
};
use kernel::{bindings, types::NotThreadSafe};

#[cfg(CONFIG_NEED_SRCU_NMI_SAFE)]
compile_error!("tracepoint: CONFIG_NEED_SRCU_NMI_SAFE is not supported");

/// Enters a read-side critical section of `srcu` and returns the counters to pass to
/// [`read_unlock_fast`].
///
/// C: `__srcu_read_lock_fast()`. Any context where RCU is watching. `this_cpu_inc` is also the barrier()
/// that keeps the critical section's accesses in it.
///
/// # Safety
///
/// `srcu` must point to a `struct srcu_struct` that is never freed and whose readers all use the
/// fast flavour.
#[inline(always)]
unsafe fn read_lock_fast(srcu: *mut bindings::srcu_struct) -> *mut bindings::srcu_ctr {
    // SAFETY: `srcu_ctrp` is read with READ_ONCE() in `__srcu_read_lock_fast()`
    // (include/linux/srcutree.h); a grace period can switch it at any time.
    let counters = unsafe { read_volatile(&raw const (*srcu).srcu_ctrp) };
    // SAFETY: `srcu_ctrp` is always a per-CPU pointer to a pair of counters;
    // `__srcu_read_lock_fast()` increments `srcu_locks`.
    unsafe { arch::this_cpu_inc::<{ offset_of!(bindings::srcu_ctr, srcu_locks) }, _>(counters) };
    counters
}

/// Leaves a read-side critical section.
///
/// C: `__srcu_read_unlock_fast()`.
///
/// # Safety
///
/// `counters` must be the pointer that the matching [`read_lock_fast`] returned.
#[inline(always)]
unsafe fn read_unlock_fast(counters: *mut bindings::srcu_ctr) {
    // SAFETY: `__srcu_read_unlock_fast()` (include/linux/srcutree.h) increments `srcu_unlocks` of
    // the same pair.
    unsafe { arch::this_cpu_inc::<{ offset_of!(bindings::srcu_ctr, srcu_unlocks) }, _>(counters) };
}

/// A read-side critical section of `tracepoint_srcu`. It doesn't disable preemption.
///
/// C: `guard(srcu_fast_notrace)(&tracepoint_srcu)`. Any context where RCU is watching.
///
/// # Invariants
///
/// `counters` was returned by `read_lock_fast(&tracepoint_srcu)`.
#[must_use = "the section ends when the guard is dropped"]
pub struct Srcu {
    // Not `Send`, since it's a pointer.
    counters: *mut bindings::srcu_ctr,
}

impl Srcu {
    /// Enters the critical section.
    ///
    /// # Safety
    ///
    /// The guard must be dropped: unregistering a probe waits for that.
    #[inline(always)]
    pub unsafe fn new() -> Self {
        let srcu = &raw mut bindings::tracepoint_srcu;
        // SAFETY: `__srcu_check_read_flavor()` (kernel/rcu/srcutree.c) takes `tracepoint_srcu`, which
        // is valid, and the flavour of its readers.
        #[cfg(CONFIG_PROVE_RCU)]
        unsafe {
            bindings::__srcu_check_read_flavor(srcu, bindings::SRCU_READ_FLAVOR_FAST as i32)
        };
        // INVARIANT: `counters` comes from `read_lock_fast()`.
        Self {
            // SAFETY: `tracepoint_srcu` is static and is defined with DEFINE_SRCU_FAST()
            // (kernel/tracepoint.c).
            counters: unsafe { read_lock_fast(srcu) },
        }
    }
}

impl Drop for Srcu {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: By the type's invariant, `counters` has been returned by `read_lock_fast()`, and
        // this is the only call that it's passed to.
        unsafe { read_unlock_fast(self.counters) };
    }
}

/// A read-side critical section of RCU tasks trace, in which a probe may fault and sleep.
///
/// C: `guard(rcu_tasks_trace)()`. Process context.
///
/// # Invariants
///
/// The task that created the guard has incremented its `trc_reader_nesting`.
#[must_use = "the section ends when the guard is dropped"]
pub struct TasksTrace(NotThreadSafe);

impl TasksTrace {
    /// Enters the critical section.
    ///
    /// C: `rcu_read_lock_trace()`.
    ///
    /// # Safety
    ///
    /// The guard must be dropped: unregistering a probe waits for that.
    #[inline(always)]
    pub unsafe fn new() -> Self {
        let srcu = &raw mut bindings::rcu_tasks_trace_srcu_struct;
        let task = arch::current_task();
        // SAFETY: `rcu_try_lock_acquire()` (include/linux/rcupdate.h) tells lockdep about the
        // critical section.
        #[cfg(CONFIG_DEBUG_LOCK_ALLOC)]
        unsafe {
            let map = &raw mut (*srcu).dep_map;
            bindings::lock_acquire(map, 0, 1, 2, 0, core::ptr::null_mut(), 0)
        };
        // SAFETY: `rcu_read_lock_trace()` (include/linux/rcupdate_trace.h): only the task itself
        // accesses its nesting count and counters, and an interrupt restores what it finds. The
        // fence keeps the order that an interrupt relies on.
        unsafe {
            let nesting = &raw mut (*task).trc_reader_nesting;
            let outer = nesting.read_volatile();
            nesting.write_volatile(outer + 1);
            if outer == 0 {
                compiler_fence(Ordering::SeqCst);
                let counters = read_lock_fast(srcu);
                (&raw mut (*task).trc_reader_scp).write_volatile(counters);
                #[cfg(not(CONFIG_TASKS_TRACE_RCU_NO_MB))]
                bindings::smp_mb();
            }
        }
        // INVARIANT: Incremented above.
        Self(NotThreadSafe)
    }
}

impl Drop for TasksTrace {
    /// C: `rcu_read_unlock_trace()`.
    #[inline(always)]
    fn drop(&mut self) {
        let task = arch::current_task();
        // SAFETY: `rcu_read_unlock_trace()` (include/linux/rcupdate_trace.h), the reverse of `new`;
        // the guard is not `Send`, so this is the task that created it.
        unsafe {
            let counters = (&raw const (*task).trc_reader_scp).read_volatile();
            compiler_fence(Ordering::SeqCst);
            let nesting = &raw mut (*task).trc_reader_nesting;
            let outer = nesting.read_volatile() - 1;
            nesting.write_volatile(outer);
            if outer == 0 {
                #[cfg(not(CONFIG_TASKS_TRACE_RCU_NO_MB))]
                bindings::smp_mb();
                read_unlock_fast(counters);
            }
            #[cfg(CONFIG_DEBUG_LOCK_ALLOC)]
            bindings::lock_release(&raw mut bindings::rcu_tasks_trace_srcu_struct.dep_map, 0);
        }
    }
}

/// Returns whether the current task is in a faultable probe, for which
/// [`tracepoint_synchronize_unregister`] would wait. Any context.
pub(crate) fn in_faultable_probe() -> bool {
    // SAFETY: Only the task itself changes it, in `rcu_read_lock_trace()`
    // (include/linux/rcupdate_trace.h).
    unsafe { (&raw const (*arch::current_task()).trc_reader_nesting).read_volatile() != 0 }
}

/// Waits until every probe that was running at the time of the call, on any tracepoint, has
/// returned.
///
/// C: `tracepoint_synchronize_unregister()`. May sleep; process context. Must not be called from a
/// probe, which would wait for itself.
pub fn tracepoint_synchronize_unregister() {
    // SAFETY: `synchronize_srcu()` (kernel/rcu/srcutree.c) takes an initialised `srcu_struct`, which is
    // static. The order is the same as in include/linux/tracepoint.h.
    unsafe { bindings::synchronize_srcu(&raw mut bindings::rcu_tasks_trace_srcu_struct) };
    synchronize_srcu();
}

/// The same for tracepoints that aren't faultable.
pub fn synchronize_srcu() {
    // SAFETY: `synchronize_srcu()` (kernel/rcu/srcutree.c) takes an initialised `srcu_struct`,
    // which `tracepoint_srcu` is, a static.
    unsafe { bindings::synchronize_srcu(&raw mut bindings::tracepoint_srcu) };
}

/// Returns whether RCU wouldn't see a probe here, but only the first time in a module.
///
/// C: the condition of the `WARN_ONCE()` in `trace_NAME()`. Unlike here, C has a flag for each tracepoint
/// and, except for faultable ones, also looks at the tracepoint's own condition.
#[cfg(CONFIG_LOCKDEP)]
pub fn rcu_is_not_watching() -> bool {
    use kernel::sync::atomic::{Atomic, Relaxed};

    // The library declares the kernel's tracepoints, so a static of theirs would be its own.
    let warned = crate::modules::module_static::module_static!("tracepoint.warned": Atomic<i32>);
    // SAFETY: `rcu_is_watching()` (kernel/rcu/tree.c) can be called from anywhere. The flag is a static,
    // and all zeroes is valid.
    unsafe {
        arch::this_cpu_online() && !bindings::rcu_is_watching() && (*warned).xchg(1, Relaxed) == 0
    }
}
