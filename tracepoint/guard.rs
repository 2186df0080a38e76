// SPDX-License-Identifier: GPL-2.0

//! The read side that keeps a tracepoint's probes from being freed while they run, and the wait for
//! it.
//!
//! A call site holds a guard from the load of `tracepoint.funcs` to the return of the last probe:
//! [`Srcu`], or [`TasksTrace`] where the tracepoint is faultable. Whoever removes a probe calls
//! [`tracepoint_synchronize_unregister`] before the probe's data or code goes.
//!
//! C headers: [`include/linux/srcu.h`](srctree/include/linux/srcu.h),
//! [`include/linux/srcutree.h`](srctree/include/linux/srcutree.h),
//! [`include/linux/rcupdate_trace.h`](srctree/include/linux/rcupdate_trace.h)

use super::arch;
use core::{
    mem::offset_of,
    ptr::{addr_of, addr_of_mut},
    sync::atomic::{compiler_fence, Ordering},
};
use kernel::{bindings, types::NotThreadSafe};

#[cfg(CONFIG_NEED_SRCU_NMI_SAFE)]
compile_error!("tracepoint: CONFIG_NEED_SRCU_NMI_SAFE is not supported");

/// Enters a read section of `srcu` and returns the counters that the exit takes.
///
/// C: `__srcu_read_lock_fast()`. Any context where RCU is watching.
///
/// # Safety
///
/// `srcu` must point to a `struct srcu_struct` that is never freed and is read in the fast flavour
/// only.
#[inline(always)]
unsafe fn read_lock_fast(srcu: *mut bindings::srcu_struct) -> *mut bindings::srcu_ctr {
    // SAFETY: `srcu_ctrp` is read with READ_ONCE() in `__srcu_read_lock_fast()`
    // (include/linux/srcutree.h); the grace period switches it at any time.
    let counters = unsafe { addr_of!((*srcu).srcu_ctrp).read_volatile() };
    // SAFETY: `srcu_ctrp` always is a per-CPU pointer to a pair of counters, of which
    // `__srcu_read_lock_fast()` counts up `srcu_locks`.
    unsafe { arch::this_cpu_inc::<{ offset_of!(bindings::srcu_ctr, srcu_locks) }, _>(counters) };
    compiler_fence(Ordering::SeqCst);
    counters
}

/// Leaves a read section.
///
/// C: `__srcu_read_unlock_fast()`.
///
/// # Safety
///
/// `counters` must be what the matching [`read_lock_fast`] returned.
#[inline(always)]
unsafe fn read_unlock_fast(counters: *mut bindings::srcu_ctr) {
    compiler_fence(Ordering::SeqCst);
    // SAFETY: `__srcu_read_unlock_fast()` (include/linux/srcutree.h) counts up `srcu_unlocks` of
    // the pair that the entry counted in.
    unsafe { arch::this_cpu_inc::<{ offset_of!(bindings::srcu_ctr, srcu_unlocks) }, _>(counters) };
}

/// What a tracepoint's probes run under.
pub trait Guard {
    /// Whether they may fault and sleep.
    const FAULTABLE: bool;
}

impl Guard for Srcu {
    const FAULTABLE: bool = false;
}

impl Guard for TasksTrace {
    const FAULTABLE: bool = true;
}

/// A read section of `tracepoint_srcu`. It does not disable preemption.
///
/// C: `guard(srcu_fast_notrace)(&tracepoint_srcu)`. Any context where RCU is watching.
///
/// # Invariants
///
/// `counters` is what `read_lock_fast(&tracepoint_srcu)` returned.
#[must_use = "the section ends when the guard is dropped"]
pub struct Srcu {
    counters: *mut bindings::srcu_ctr,
    _not_send: NotThreadSafe,
}

impl Srcu {
    /// Enters the section.
    #[inline(always)]
    pub fn new() -> Self {
        let srcu = addr_of_mut!(bindings::tracepoint_srcu);
        // SAFETY: `srcu_check_read_flavor()` (include/linux/srcu.h) takes the valid
        // `tracepoint_srcu` and the flavour that it is read in.
        #[cfg(CONFIG_PROVE_RCU)]
        unsafe {
            bindings::__srcu_check_read_flavor(
                srcu,
                bindings::SRCU_READ_FLAVOR_FAST as kernel::ffi::c_int,
            )
        };
        // INVARIANT: As the type says.
        Self {
            // SAFETY: `tracepoint_srcu` is static and defined with DEFINE_SRCU_FAST()
            // (kernel/tracepoint.c).
            counters: unsafe { read_lock_fast(srcu) },
            _not_send: NotThreadSafe,
        }
    }
}

impl Drop for Srcu {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: By the type's invariant.
        unsafe { read_unlock_fast(self.counters) };
    }
}

/// A read section of tasks-trace RCU, in which a probe may fault and sleep.
///
/// C: `guard(rcu_tasks_trace)()`. Process context.
///
/// # Invariants
///
/// The task that made it has counted itself into `trc_reader_nesting`.
#[must_use = "the section ends when the guard is dropped"]
pub struct TasksTrace {
    _not_send: NotThreadSafe,
}

impl TasksTrace {
    /// Enters the section.
    ///
    /// C: `rcu_read_lock_trace()`.
    #[inline(always)]
    pub fn new() -> Self {
        let srcu = addr_of_mut!(bindings::rcu_tasks_trace_srcu_struct);
        let task = arch::current_task();
        // SAFETY: `rcu_try_lock_acquire()` (include/linux/rcupdate.h) tells lockdep of the section.
        #[cfg(CONFIG_DEBUG_LOCK_ALLOC)]
        unsafe {
            let map = addr_of_mut!((*srcu).dep_map);
            bindings::lock_acquire(map, 0, 1, 2, 0, core::ptr::null_mut(), 0)
        };
        // SAFETY: `rcu_read_lock_trace()` (include/linux/rcupdate_trace.h): a task alone reads and
        // writes its own nesting and counters, and an interrupt puts back what it finds. The fence
        // keeps the order that the interrupt relies on.
        unsafe {
            let nesting = addr_of_mut!((*task).trc_reader_nesting);
            let outer = nesting.read_volatile();
            nesting.write_volatile(outer + 1);
            if outer == 0 {
                compiler_fence(Ordering::SeqCst);
                let counters = read_lock_fast(srcu);
                addr_of_mut!((*task).trc_reader_scp).write_volatile(counters);
                #[cfg(not(CONFIG_TASKS_TRACE_RCU_NO_MB))]
                bindings::smp_mb();
            }
        }
        // INVARIANT: Counted above.
        Self {
            _not_send: NotThreadSafe,
        }
    }
}

impl Drop for TasksTrace {
    /// C: `rcu_read_unlock_trace()`.
    #[inline(always)]
    fn drop(&mut self) {
        let task = arch::current_task();
        // SAFETY: `rcu_read_unlock_trace()` (include/linux/rcupdate_trace.h), the reverse of `new`;
        // the guard cannot have left its task.
        unsafe {
            let counters = addr_of!((*task).trc_reader_scp).read_volatile();
            compiler_fence(Ordering::SeqCst);
            let nesting = addr_of_mut!((*task).trc_reader_nesting);
            let outer = nesting.read_volatile() - 1;
            nesting.write_volatile(outer);
            if outer == 0 {
                #[cfg(not(CONFIG_TASKS_TRACE_RCU_NO_MB))]
                bindings::smp_mb();
                read_unlock_fast(counters);
            }
            #[cfg(CONFIG_DEBUG_LOCK_ALLOC)]
            bindings::lock_release(
                addr_of_mut!(bindings::rcu_tasks_trace_srcu_struct.dep_map),
                0,
            );
        }
    }
}

/// Waits until every probe that was running when it was called has returned, whatever its
/// tracepoint.
///
/// C: `tracepoint_synchronize_unregister()`. May sleep; process context. Not to be called from a
/// probe, which would wait for itself.
#[inline]
pub fn tracepoint_synchronize_unregister() {
    // SAFETY: `synchronize_srcu()` (kernel/rcu/srcutree.c) takes an initialised `srcu_struct`; both
    // are static. The order is that of include/linux/tracepoint.h.
    unsafe {
        bindings::synchronize_srcu(addr_of_mut!(bindings::rcu_tasks_trace_srcu_struct));
        bindings::synchronize_srcu(addr_of_mut!(bindings::tracepoint_srcu));
    }
}
