// SPDX-License-Identifier: GPL-2.0

//! Values that are shut down when they're dropped, or before their module is freed.
//!
//! # Who does it
//!
//! Starting a value and shutting it down can wait for others: for `tracepoints_mutex`, under which
//! a hook may be waiting for this task, or for a probe, which may be what this task runs. The
//! kernel's functions can't be told to give up. So a work item does both, and whoever needs it waits
//! for that item, but not forever: after ten seconds, the value is left to the item, which shuts it
//! down and drops it as soon as that's possible. Where nothing may sleep, that happens at once.
//!
//! A module is unloaded only when its work items have ended: see [`unload`](crate::unload).

use crate::{
    arch,
    modules::{
        list::{Entry, Node, ShutDown},
        log::err,
        module::Module,
        this_module::is_alive,
        window::window,
        work::{Work, PENDING},
    },
};
use core::{
    mem::forget,
    ops::Deref,
    ptr::{drop_in_place, NonNull},
    sync::atomic::Ordering,
};
use kernel::{
    alloc::{flags::GFP_KERNEL, KBox},
    bindings, container_of,
    error::{code::ENODEV, Error, Result},
    ffi::c_int,
    fmt,
    prelude::*,
    task::Task,
    time::msecs_to_jiffies,
};

/// How long to wait for a work item, in milliseconds. The second applies while a hook of this module is
/// running, since the hook may be waiting for this task.
const PATIENCE: u32 = 10_000;
const PATIENCE_IN_HOOK: u32 = 1_000;

/// A value in memory of its own that is shut down when this is dropped, or when its module is
/// unloaded, whichever comes first. That holds even if this is in a static or has been forgotten.
///
/// Dropping it may sleep, and waits until the value has been shut down and dropped. But if that takes
/// longer than ten seconds, or a second while a hook runs, or where nothing may sleep, a message is
/// logged, and the value is left to a work item.
///
/// # Examples
///
/// ```
/// use kernel::fmt;
/// use tracepoint::unload::{Registered, ShutDown};
///
/// struct Thread { /* … */ }
///
/// impl ShutDown for Thread {
///     fn shut_down(&self) {
///         // kthread_stop()
///     }
///
///     fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         f.write_str("a thread")
///     }
/// }
///
/// pub struct KThread(Registered<Thread>);
/// ```
///
/// # Invariants
///
/// It's the only owner of the entry, which comes from a [`KBox`] and is pinned.
pub struct Registered<T: ?Sized + ShutDown>(NonNull<Entry<T>>);

// SAFETY: `T` is `Send`; the node belongs to no thread.
unsafe impl<T: ?Sized + ShutDown> Send for Registered<T> {}

// SAFETY: `&Registered` gives access to `&T`, which is `Sync`.
unsafe impl<T: ?Sized + ShutDown> Sync for Registered<T> {}

impl<T: ShutDown> Registered<T> {
    /// Initialises a value, puts it into the module's list and starts it. May sleep; process context.
    ///
    /// From then on, the value can be shut down at any time. What registers it later must do nothing
    /// after [`ShutDown::shut_down`].
    ///
    /// # Errors
    ///
    /// - Any error of [`Registered::prepare`].
    /// - Any error of `value` and of [`ShutDown::start`].
    /// - `EDEADLK`: the value couldn't be started within ten seconds, or a second while a hook of this
    ///   module runs (logged), because a probe does this, or a task for which the hook waits, or one
    ///   that holds a lock that others wait for.
    #[inline]
    pub fn new<E>(value: impl PinInit<T, E>) -> Result<Self>
    where
        Error: From<E>,
    {
        Self::prepare()?;
        let module = Module::this();
        module.list.reap();
        let entry = pin_init!(Entry {
            // SAFETY: `work` takes the item of a node.
            node <- unsafe { Node::new(work) },
            value <- value,
        }? Error);
        let entry = KBox::into_raw(
            // SAFETY: It stays pinned, until it's dropped.
            unsafe { Pin::into_inner_unchecked(KBox::pin_init::<Error>(entry, GFP_KERNEL)?) },
        );
        // SAFETY: A box's pointer isn't NULL.
        let entry = unsafe { NonNull::new_unchecked(entry) };
        // INVARIANT: From a box, and pinned.
        let this = Self(entry);
        let node = this.node();
        // INVARIANT: The entry of the node.
        node.entry.set(Some(entry));
        if module.is_in_hook() {
            node.start(true);
        } else if !node.run(false) {
            // INVARIANT: It belongs to the work item.
            forget(this);
            return Err(edeadlk());
        }
        match node.error.load(Ordering::Relaxed) {
            0 => Ok(this),
            error => Err(Error::from_errno(error)),
        }
    }

    /// Checks whether this module may register a `T` now. [`Registered::new`] calls this; call it
    /// before that if you have to do something first. Any context.
    ///
    /// # Errors
    ///
    /// - `ENODEV`: the module is being unloaded.
    /// - `EDEADLK`: a tracepoint's hook runs this, and [`ShutDown::allowed_in_hooks`] is `false`. Or
    ///   nothing may sleep here.
    #[inline]
    pub fn prepare() -> Result {
        if !is_alive() {
            return Err(ENODEV);
        }
        if !may_sleep() || Module::this().is_in_hook() && !T::allowed_in_hooks() {
            return Err(edeadlk());
        }
        Ok(())
    }
}

impl<T: ?Sized + ShutDown> Registered<T> {
    /// Shuts down several values and waits once for all. Returns whether that's done; otherwise, they
    /// belong to a work item.
    ///
    /// # Safety
    ///
    /// The caller must own the values. If this returns `false`, it must forget them; otherwise it
    /// must drop them.
    #[inline]
    pub(crate) unsafe fn end_together<'a>(values: impl Iterator<Item = &'a Self>) -> bool {
        let mut nodes = values.map(Self::node);
        let Some(first) = nodes.next() else {
            return true;
        };
        // INVARIANT: They're dropped together.
        nodes.fold(first, |last, node| {
            last.next.set(node);
            node
        });
        first.run(true)
    }

    /// Gives up the ownership.
    #[inline]
    pub(crate) fn into_raw(self) -> NonNull<Entry<T>> {
        let entry = self.0;
        forget(self);
        entry
    }

    /// # Safety
    ///
    /// `entry` must come from [`Registered::into_raw`], and be passed only once.
    #[inline]
    pub(crate) unsafe fn from_raw(entry: NonNull<Entry<T>>) -> Self {
        // INVARIANT: Guaranteed by the caller.
        Self(entry)
    }

    #[inline]
    fn node(&self) -> &Node {
        // SAFETY: By the type's invariant.
        unsafe { &(*self.0.as_ptr()).node }
    }
}

impl<T: ?Sized + ShutDown> Deref for Registered<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: By the type's invariant.
        unsafe { &(*self.0.as_ptr()).value }
    }
}

impl<T: ?Sized + ShutDown> Drop for Registered<T> {
    #[inline]
    fn drop(&mut self) {
        let node = self.node();
        if node.ended.load(Ordering::Relaxed) || node.run(true) {
            // SAFETY: By the type's invariant. Nobody else uses it.
            drop(unsafe { KBox::from_raw(self.0.as_ptr()) });
        }
    }
}

/// The bit of a work item's word that says that the value belongs to it.
const ABANDONED: usize = 1 << 1;

/// The bit that says that it was dropped where nothing may sleep.
const ATOMIC: usize = 1 << 2;

impl Node {
    /// Has the work item start the value, or shut it down, and waits for it. Returns `false` if it goes
    /// on without the caller: then it also drops the value.
    #[inline]
    fn run(&self, end: bool) -> bool {
        let module = Module::this();
        let abandoned = &module.abandoned;
        let sleeps = may_sleep();
        if !sleeps || end && self.chain().any(Node::is_running) {
            if sleeps {
                complain(self.value(), "dropped where it would wait for itself.");
            }
            abandoned.fetch_add(1, Ordering::Relaxed);
            self.work.queue(ABANDONED | if sleeps { 0 } else { ATOMIC });
            return false;
        }
        self.work.queue(0);
        let wait = |time| self.work.wait(msecs_to_jiffies(time));
        let ended = wait(PATIENCE_IN_HOOK)
            || !module.is_another_in_hook() && wait(PATIENCE - PATIENCE_IN_HOOK);
        if !ended {
            complain(
                self.value(),
                if end {
                    "still in use after being dropped, perhaps by a probe, by a task that a \
                     hook is waiting for, or with a lock held that it needs."
                } else {
                    "can't be registered now, perhaps because a probe tried to, a task that a hook \
                     is waiting for, or one that holds a lock others need."
                },
            );
            abandoned.fetch_add(1, Ordering::Relaxed);
            if self.work.word.fetch_or(ABANDONED, Ordering::SeqCst) & PENDING != 0 {
                return false;
            }
            // It has ended after all.
            self.work.word.fetch_and(!ABANDONED, Ordering::Relaxed);
            abandoned.fetch_sub(1, Ordering::Relaxed);
        }
        self.work.flush();
        true
    }

    /// Returns whether the current task would wait for itself.
    #[inline]
    fn is_running(&self) -> bool {
        self.unloader.load(Ordering::Relaxed) == Task::current_raw() || self.value().is_running()
    }

    /// Starts the value. If that fails, shuts it down.
    #[inline]
    fn start(&self, in_hook: bool) {
        self.started.set(true);
        let result = if in_hook {
            Ok(())
        } else {
            Module::this().listen()
        };
        let result = result.and_then(|()| self.value().start());
        window!("link");
        Module::this().list.link(self);
        // The module may have been told to go before that: then nobody looks at the list any more.
        let result = result.and_then(|()| is_alive().then_some(()).ok_or(ENODEV));
        if let Err(error) = result {
            self.end();
            self.error.store(error.to_errno(), Ordering::Relaxed);
        }
    }

    /// Shuts down the value, and those that are dropped together with it. Calling this again is
    /// harmless.
    #[inline]
    fn end(&self) {
        let list = &Module::this().list;
        let mut last = None;
        for node in self.chain() {
            if list.unlink(node) {
                node.value().shut_down();
                last = Some(node);
            }
        }
        if let Some(node) = last {
            node.value().synchronize();
        }
        for node in self.chain() {
            node.ended.store(true, Ordering::Relaxed);
        }
    }

    /// What the work item does.
    #[inline]
    fn work(&self) {
        if self.work.word.load(Ordering::Relaxed) & ATOMIC != 0 {
            complain(self.value(), "dropped where nothing may sleep.");
        }
        if self.started.get() {
            self.end();
        } else {
            self.start(false);
        }
        if self.work.done() & ABANDONED == 0 {
            window!("done");
            return;
        }
        self.end();
        for node in self.chain() {
            // SAFETY: It belongs to this function, and nobody uses it any more.
            unsafe { drop_in_place(&raw mut (*node.entry().as_ptr()).value) };
        }
        let module = Module::this();
        module.list.bury(self);
        module.abandoned.fetch_sub(1, Ordering::Release);
    }
}

/// # Safety
///
/// Called by kernel/workqueue.c for the work item of a [`Node`].
#[inline]
unsafe extern "C" fn work(work: *mut bindings::work_struct) {
    // SAFETY: A node is valid until its work item has been flushed.
    let node = unsafe { &*container_of!(core::ptr::from_ref(Work::from_raw(work)), Node, work) };
    node.work();
}

/// Logs what is wrong with a value, and what happens to it.
#[inline(never)]
fn complain(value: &dyn ShutDown, what: &str) {
    struct Described<'a>(&'a dyn ShutDown);

    impl fmt::Display for Described<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.describe(f)
        }
    }

    err(fmt!(
        "{}: {} A work item will clean up later\n",
        Described(value),
        what
    ));
}

/// Returns whether the current context may sleep, as far as that can be told.
///
/// C: `preemptible()`, and what `__might_sleep()` checks.
#[inline]
fn may_sleep() -> bool {
    #[cfg(CONFIG_PREEMPT_RCU)]
    // SAFETY: Only the task itself changes it (include/linux/rcupdate.h).
    if unsafe { (&raw const (*Task::current_raw()).rcu_read_lock_nesting).read_volatile() } != 0 {
        return false;
    }
    arch::preempt_count() == 0 && !arch::irqs_disabled()
}

/// Returns `EDEADLK`, for which the kernel crate has a constant since 7.3.
#[inline]
fn edeadlk() -> Error {
    Error::from_errno(-(bindings::EDEADLK as c_int))
}
