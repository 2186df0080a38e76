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
        lock::Lock,
        log::err,
        unload::{edeadlk, is_alive, Module},
        window::window,
        work::{Work, PENDING},
    },
};
use core::{
    cell::Cell,
    iter::successors,
    mem::forget,
    ops::Deref,
    ptr::{drop_in_place, null, null_mut, NonNull},
    sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering},
};
use kernel::{
    alloc::{flags::GFP_KERNEL, KBox},
    bindings, container_of,
    error::{code::ENODEV, Error, Result},
    fmt,
    prelude::*,
    task::Task,
    time::msecs_to_jiffies,
};

/// How long to wait for a work item, in milliseconds. The second applies while a hook of this module is
/// running, since the hook may be waiting for this task.
const PATIENCE: u32 = 10_000;
const PATIENCE_IN_HOOK: u32 = 1_000;

/// A value that has to be shut down before its module is freed.
pub trait ShutDown: Send + Sync + 'static {
    /// Registers what can't be registered while the value is initialised, because that may wait for
    /// others.
    ///
    /// Called once, before [`Registered::new`] returns, in a work item or in a hook. If this fails,
    /// [`ShutDown::shut_down`] is called.
    fn start(&self) -> Result {
        Ok(())
    }

    /// Ends what the value has registered, and waits until the kernel calls no code of the module
    /// for it any more, unless [`ShutDown::synchronize`] does that.
    ///
    /// Called once: after the [`Registered`] has been dropped, when the module is unloaded, after a
    /// hook, or if the value couldn't be started. Unless it's dropped, others may still use the value,
    /// during the call and afterwards: they must find it valid, and must not be able to register it
    /// again. So this frees nothing that `&self` gives access to.
    ///
    /// Process context, usually of a work item; may sleep. It must not load a module or register a
    /// module notifier, nor wait for another task that does.
    fn shut_down(&self);

    /// Waits until the kernel calls no code of the module for any value of this type that has been
    /// shut down. Same context.
    fn synchronize(&self) {}

    /// Returns whether the current task keeps shutting down from ending, as far as that can be told. Any
    /// context.
    fn is_running(&self) -> bool {
        false
    }

    /// Writes what this is and its name, for a message in the log.
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Returns whether a tracepoint's hook may register such a value. Then its functions can be called
    /// under `tracepoints_mutex`: they must not register or unregister a probe, nor wait for another
    /// task that does.
    #[inline]
    fn allowed_in_hooks() -> bool
    where
        Self: Sized,
    {
        false
    }
}

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

/// A value, and what shuts it down.
#[pin_data]
pub(crate) struct Entry<T: ?Sized> {
    node: Node,
    #[pin]
    value: T,
}

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
        module.reap();
        let entry = pin_init!(Entry {
            node: Node::new(),
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
        // SAFETY: It's pinned, and `work` takes the item of a node.
        unsafe { node.work.init(work) };
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
        let mut first: Option<&Node> = None;
        let mut last: Option<&Node> = None;
        for value in values {
            let node = value.node();
            // INVARIANT: They're dropped together.
            match last {
                Some(last) => last.next.set(node),
                None => first = Some(node),
            }
            last = Some(node);
        }
        first.is_none_or(|first| first.run(true))
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

/// An entry of the module's list.
///
/// # Invariants
///
/// - `entry` is the entry of which the node is a part.
/// - `newer`, `older` and `linked` are accessed under the list's lock only. A node is put into the list
///   once.
/// - `next` is NULL or the next one of those that are dropped together with this one; or of those that
///   are dead.
/// - `started` and `next` belong to the work item while it's pending, and otherwise to the owner.
pub(crate) struct Node {
    entry: Cell<Option<NonNull<Entry<dyn ShutDown>>>>,
    newer: Cell<*const Node>,
    older: Cell<*const Node>,
    next: Cell<*const Node>,
    linked: Cell<bool>,
    started: Cell<bool>,
    /// Held while the value is shut down because the module is unloaded, by the task `unloader`.
    busy: Lock<()>,
    unloader: AtomicPtr<bindings::task_struct>,
    /// It has been shut down, and whoever did it has waited.
    ended: AtomicBool,
    error: AtomicI32,
    work: Work,
}

impl Node {
    #[inline]
    fn new() -> Self {
        // INVARIANT: It isn't in the list.
        Self {
            entry: Cell::new(None),
            newer: Cell::new(null()),
            older: Cell::new(null()),
            next: Cell::new(null()),
            linked: Cell::new(false),
            started: Cell::new(false),
            busy: Lock::new(()),
            unloader: AtomicPtr::new(null_mut()),
            ended: AtomicBool::new(false),
            error: AtomicI32::new(0),
            work: Work::new(),
        }
    }

    /// Returns the entry.
    #[inline]
    fn entry(&self) -> NonNull<Entry<dyn ShutDown>> {
        // SAFETY: `Registered::new` has set it.
        unsafe { self.entry.get().unwrap_unchecked() }
    }

    /// Returns the value.
    #[inline]
    fn value(&self) -> &dyn ShutDown {
        // SAFETY: By the type's invariant, the entry is as valid as the node.
        unsafe { &(*self.entry().as_ptr()).value }
    }

    /// Returns this one, and those that are dropped together with it.
    #[inline]
    fn chain(&self) -> impl Iterator<Item = &Node> {
        // SAFETY: By the type's invariant. `next` is read before a node is returned.
        successors(Some(self), |node| unsafe { node.next.get().as_ref() })
    }

    /// Puts the node into the list.
    #[inline]
    fn link(&self) {
        let mut list = Module::this().list.lock();
        // INVARIANT: The list is locked, and the node stays valid: it's pinned, and leaves the list
        // before it's freed.
        self.linked.set(true);
        self.older.set(list.newest);
        // SAFETY: By the list's invariant.
        if let Some(older) = unsafe { list.newest.as_ref() } {
            older.newer.set(self);
        }
        list.newest = self;
    }

    /// Takes the node out of the list. If the module's unloading has done that, this waits until the
    /// value has been shut down, and returns `false`.
    #[inline]
    fn unlink(&self) -> bool {
        let linked = Module::this().list.lock().remove(self);
        if !linked {
            drop(self.busy.lock());
        }
        linked
    }

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
        self.link();
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
        let mut last = None;
        for node in self.chain() {
            if node.unlink() {
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
        Module::this().bury(self);
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

/// The nodes of a module, from the newest to the oldest.
///
/// # Invariants
///
/// - `newest` is NULL or valid, and so are the `newer` and the `older` of each node in the list, which
///   refer to its neighbours.
/// - `dead` is NULL or the first one of those whose value has been dropped by their work item. Nobody
///   else knows them.
pub(crate) struct List {
    newest: *const Node,
    dead: *const Node,
}

// SAFETY: The nodes belong to `Registered` values, which are `Sync`.
unsafe impl Send for List {}

impl List {
    /// Removes a node, unless that has been done before.
    #[inline]
    fn remove(&mut self, node: &Node) -> bool {
        if !node.linked.replace(false) {
            return false;
        }
        let (newer, older) = (node.newer.get(), node.older.get());
        // SAFETY: By the type's invariant; it was in the list.
        unsafe {
            // INVARIANT: The two neighbours are neighbours now.
            match newer.as_ref() {
                Some(newer) => newer.older.set(older),
                None => self.newest = older,
            }
            if let Some(older) = older.as_ref() {
                older.newer.set(newer);
            }
        }
        true
    }
}

impl Module {
    /// Shuts down the newest value in the list, unless `stop` returns `true`. Returns whether a
    /// value was shut down. May sleep.
    #[inline]
    pub(crate) fn shut_down_newest(&self, stop: impl FnOnce() -> bool) -> bool {
        let mut list = self.list.lock();
        if stop() {
            return false;
        }
        // SAFETY: By the type's invariant of `List`.
        let Some(node) = (unsafe { list.newest.as_ref() }) else {
            return false;
        };
        list.remove(node);
        window!("unlink");
        // The work item waits for this. Nobody else holds it: the node was in the list.
        let busy = node.busy.lock();
        // Whatever the value waits for may need the list.
        drop(list);
        node.unloader.store(Task::current_raw(), Ordering::Relaxed);
        node.value().shut_down();
        node.value().synchronize();
        node.unloader.store(null_mut(), Ordering::Relaxed);
        drop(busy);
        true
    }

    /// Keeps the memory of nodes until their work item has returned.
    #[inline]
    fn bury(&self, nodes: &Node) {
        let mut list = self.list.lock();
        for node in nodes.chain() {
            node.next.set(list.dead);
            // INVARIANT: Its value has been dropped.
            list.dead = node;
        }
        drop(list);
        self.abandoned.fetch_sub(1, Ordering::Release);
    }

    /// Frees the nodes whose value has been dropped by their work item. May sleep.
    #[inline]
    pub(crate) fn reap(&self) {
        loop {
            let mut list = self.list.lock();
            // SAFETY: By the type's invariant of `List`.
            let Some(node) = (unsafe { list.dead.as_ref() }) else {
                return;
            };
            list.dead = node.next.get();
            drop(list);
            node.work.flush();
            // SAFETY: `kfree()` (mm/slub.c) frees what a `KBox` has allocated. Nobody uses it any more,
            // and the value has been dropped.
            unsafe { bindings::kfree(core::ptr::from_ref(node).cast()) };
        }
    }
}
