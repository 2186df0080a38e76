// SPDX-License-Identifier: GPL-2.0

//! A work item that can be queued in any context, and that others can wait for.
//!
//! C headers: [`include/linux/irq_work.h`](srctree/include/linux/irq_work.h),
//! [`include/linux/workqueue.h`](srctree/include/linux/workqueue.h)

use core::{
    mem::zeroed,
    sync::atomic::{AtomicUsize, Ordering},
};
use kernel::{
    bindings, container_of,
    prelude::*,
    time::{delay::fsleep, Delta, Instant, Monotonic},
    types::Opaque,
};

/// The function of a work item.
pub type Function = unsafe extern "C" fn(*mut bindings::work_struct);

/// A work item. Dropping it waits until its function has returned, and may sleep.
///
/// # Invariants
///
/// Both kinds of work have been set up, and are pinned. `wq` is valid.
#[pin_data(PinnedDrop)]
pub struct Work {
    /// Queues `work`, which isn't possible in all contexts.
    #[pin]
    irq_work: Opaque<bindings::irq_work>,
    /// What its function gets the address of, for `container_of!`.
    #[pin]
    pub(crate) work: Opaque<bindings::work_struct>,
    wq: *mut bindings::workqueue_struct,
    /// With PREEMPT_RT, the state of RCU when `irq_work` ran.
    ran_at: AtomicUsize,
}

// SAFETY: The kernel does the locking for both kinds of work.
unsafe impl Send for Work {}

// SAFETY: The kernel does the locking for both kinds of work.
unsafe impl Sync for Work {}

impl Work {
    /// Returns an item for one of the kernel's queues.
    ///
    /// # Safety
    ///
    /// `function` gets the address of the item's `work`. `wq` must be valid.
    pub unsafe fn new(
        function: Function,
        wq: *mut bindings::workqueue_struct,
    ) -> impl PinInit<Self> {
        // INVARIANT: Set up here, in their place.
        pin_init!(Self {
            // With PREEMPT_RT, a thread of the CPU would run it otherwise, which may be parked or never get
            // its turn.
            // SAFETY: A function and this flag are `IRQ_WORK_INIT_HARD()` (include/linux/irq_work.h).
            irq_work <- Opaque::ffi_init(|irq_work: *mut bindings::irq_work| unsafe {
                irq_work.write(bindings::irq_work {
                    func: Some(queue),
                    ..zeroed()
                });
                (*irq_work).node.__bindgen_anon_1.u_flags = bindings::IRQ_WORK_HARD_IRQ;
            }),
            // SAFETY: `work` is memory for it.
            work <- Opaque::ffi_init(|work| unsafe { init_work(work, function) }),
            wq,
            ran_at: AtomicUsize::new(0),
        })
    }

    /// Queues the item, unless it's queued. If it's running, it runs again. Any context.
    pub fn queue(&self) {
        // SAFETY: By the type's invariant, the work has been set up. `irq_work_queue()`
        // (kernel/irq_work.c) is for any context.
        unsafe { bindings::irq_work_queue(self.irq_work.get()) };
    }

    /// Waits until its function has returned, but not much longer than `time` milliseconds, and returns whether
    /// it has. May sleep.
    ///
    /// `flush()` waits for the probes of `workqueue_execute_end` as well, which may be waiting for this task.
    pub(super) fn has_returned(&self, time: u32) -> bool {
        let start = Instant::<Monotonic>::now();
        // SAFETY: By the type's invariant, the work has been set up, as `work_busy()` (kernel/workqueue.c)
        // requires.
        while unsafe { bindings::work_busy(self.work.get()) } != 0 {
            if start.elapsed() > Delta::from_millis(time.into()) {
                return false;
            }
            fsleep(Delta::from_micros(50));
        }
        true
    }

    /// Waits until its function has returned. May sleep.
    pub fn flush(&self) {
        // SAFETY: By the type's invariant, both kinds of work have been set up. `irq_work_sync()`
        // (kernel/irq_work.c) and `flush_work()` (kernel/workqueue.c) wait for them.
        unsafe {
            bindings::irq_work_sync(self.irq_work.get());
            bindings::flush_work(self.work.get());
        }
    }
}

#[pinned_drop]
impl PinnedDrop for Work {
    fn drop(self: Pin<&mut Self>) {
        self.flush();
        if cfg!(CONFIG_PREEMPT_RT) {
            // There, `irq_work_single()` reads the item's flags once more after it has cleared the busy bit, and
            // `irq_work_sync()` doesn't wait for that if it's a hard one.
            // SAFETY: `cond_synchronize_rcu()` (kernel/rcu/tree.c) takes what `get_state_synchronize_rcu()` has
            // returned. For 0, it returns at once, or at worst waits for a grace period that nobody needs.
            unsafe {
                bindings::cond_synchronize_rcu(self.ran_at.load(Ordering::Relaxed) as c_ulong)
            };
        }
    }
}

/// # Safety
///
/// Only kernel/irq_work.c may call this, for the `irq_work` of a [`Work`].
unsafe extern "C" fn queue(irq_work: *mut bindings::irq_work) {
    // SAFETY: The item is valid until it has been flushed, for which this must have returned. By its
    // invariant, the queue is, too. `get_state_synchronize_rcu()` (kernel/rcu/tree.c) is for any context.
    unsafe {
        let work = &*container_of!(irq_work.cast::<Opaque<_>>(), Work, irq_work);
        if cfg!(CONFIG_PREEMPT_RT) {
            // No grace period that begins now ends before this interrupt.
            let state = bindings::get_state_synchronize_rcu();
            work.ran_at.fetch_max(state as usize, Ordering::Relaxed);
        }
        queue_work(work.work.get(), work.wq);
    };
}

/// Sets up a kernel's work item. C: `INIT_WORK()`.
///
/// lockdep ignores it. The items of different drivers run under unrelated locks, and waits for them have a time
/// limit unless the module is unloaded, so reports would be false. With `__lockdep_no_validate__`, lockdep would
/// still check the context of a wait, by what it knows of the first lock that has this class.
///
/// # Safety
///
/// It must be valid memory, and not in use.
pub(super) unsafe fn init_work(work: *mut bindings::work_struct, function: Function) {
    let name = c"tracepoint".as_char_ptr();
    #[cfg(CONFIG_LOCKDEP)]
    let class = &raw mut bindings::__lockdep_no_track__;
    #[cfg(not(CONFIG_LOCKDEP))]
    let class = core::ptr::null_mut();
    // SAFETY: The caller promises what `init_work_with_key()` (rust/helpers/workqueue.c), which is
    // `INIT_WORK()`, requires.
    unsafe { bindings::init_work_with_key(work, Some(function), false, name, class) };
}

/// Queues a kernel's work item, unless it's queued. In any context but NMI. C: `queue_work()`.
///
/// # Safety
///
/// It must have been set up, and be valid until its function has returned. `wq` must be valid.
pub(super) unsafe fn queue_work(
    work: *mut bindings::work_struct,
    wq: *mut bindings::workqueue_struct,
) {
    let cpu = bindings::wq_misc_consts_WORK_CPU_UNBOUND as c_int;
    // SAFETY: The caller promises what `queue_work_on()` (kernel/workqueue.c) requires.
    unsafe { bindings::queue_work_on(cpu, wq, work) };
}
