// SPDX-License-Identifier: GPL-2.0

//! The list of a module's values that have to be shut down.

use crate::modules::{
    lock::Lock,
    window::window,
    work::{Function, Work},
};
use core::{
    cell::Cell,
    iter::successors,
    ptr::{null, null_mut, NonNull},
    sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering},
};
use kernel::{bindings, error::Result, fmt, prelude::*, task::Task};

/// A value that has to be shut down before its module is freed.
pub trait ShutDown: Send + Sync + 'static {
    /// Registers what can't be registered while the value is initialised, because that may wait for
    /// others.
    ///
    /// Called once, before [`Registered::new`](crate::unload::Registered::new) returns, in a work item or in a hook. If this fails,
    /// [`ShutDown::shut_down`] is called.
    fn start(&self) -> Result {
        Ok(())
    }

    /// Ends what the value has registered, and waits until the kernel calls no code of the module
    /// for it any more, unless [`ShutDown::synchronize`] does that.
    ///
    /// Called once: after the [`Registered`](crate::unload::Registered) has been dropped, when the module is unloaded, after a
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

/// A value, and what shuts it down.
#[pin_data]
pub(crate) struct Entry<T: ?Sized> {
    #[pin]
    pub(super) node: Node,
    #[pin]
    pub(super) value: T,
}

/// An entry of the module's list.
///
/// # Invariants
///
/// - `entry` is the entry of which the node is a part.
/// - `older` is accessed under the list's lock only. A node is put into the list once.
/// - `next` is NULL or the next one of those that are dropped together with this one; or of those that
///   are dead.
/// - `started` and `next` belong to the work item while it's pending, and otherwise to the owner.
#[pin_data]
pub(crate) struct Node {
    pub(super) entry: Cell<Option<NonNull<Entry<dyn ShutDown>>>>,
    older: Cell<*const Node>,
    pub(super) next: Cell<*const Node>,
    pub(super) started: Cell<bool>,
    /// Held while the value is shut down because the module is unloaded, by the task `unloader`.
    busy: Lock<()>,
    pub(super) unloader: AtomicPtr<bindings::task_struct>,
    /// It has been shut down, and whoever did it has waited.
    pub(super) ended: AtomicBool,
    pub(super) error: AtomicI32,
    #[pin]
    pub(super) work: Work,
}

impl Node {
    /// Returns a node for a work item with this function.
    ///
    /// # Safety
    ///
    /// As for [`Work::new`].
    #[inline]
    pub(super) unsafe fn new(function: Function) -> impl PinInit<Self> {
        // INVARIANT: It isn't in the list.
        pin_init!(Self {
            entry: Cell::new(None),
            older: Cell::new(null()),
            next: Cell::new(null()),
            started: Cell::new(false),
            busy: Lock::new(()),
            unloader: AtomicPtr::new(null_mut()),
            ended: AtomicBool::new(false),
            error: AtomicI32::new(0),
            // SAFETY: Guaranteed by the caller.
            work <- unsafe { Work::new(function) },
        })
    }

    /// Returns the entry.
    #[inline]
    pub(super) fn entry(&self) -> NonNull<Entry<dyn ShutDown>> {
        // SAFETY: `Registered::new` has set it.
        unsafe { self.entry.get().unwrap_unchecked() }
    }

    /// Returns the value.
    #[inline]
    pub(super) fn value(&self) -> &dyn ShutDown {
        // SAFETY: By the type's invariant, the entry is as valid as the node.
        unsafe { &(*self.entry().as_ptr()).value }
    }

    /// Returns this one, and those that are dropped together with it.
    #[inline]
    pub(super) fn chain(&self) -> impl Iterator<Item = &Node> {
        // SAFETY: By the type's invariant. `next` is read before a node is returned.
        successors(Some(self), |node| unsafe { node.next.get().as_ref() })
    }
}

/// The nodes of a module, from the newest to the oldest.
///
/// # Invariants
///
/// - `newest` is NULL or valid, and so is the `older` of each node in the list, which is the next one.
/// - `dead` is NULL or the first one of those whose value has been dropped by their work item. Nobody
///   else knows them.
pub(crate) struct List {
    newest: Cell<*const Node>,
    dead: *const Node,
}

// SAFETY: The nodes belong to `Registered` values, which are `Sync`.
unsafe impl Send for List {}

impl List {
    /// Removes a node, unless that has been done before. Passes those that are newer.
    #[inline]
    fn remove(&self, node: &Node) -> bool {
        let mut link = &self.newest;
        // SAFETY: By the type's invariant.
        while let Some(next) = unsafe { link.get().as_ref() } {
            if core::ptr::eq(next, node) {
                // INVARIANT: The one after it comes next now.
                link.set(node.older.get());
                return true;
            }
            link = &next.older;
        }
        false
    }
}

impl Lock<List> {
    /// Puts a node into the list.
    #[inline]
    pub(super) fn link(&self, node: &Node) {
        let list = self.lock();
        // INVARIANT: The list is locked, and the node stays valid: it's pinned, and leaves the list
        // before it's freed.
        node.older.set(list.newest.replace(node));
    }

    /// Takes a node out of the list. If the module's unloading has done that, this waits until the
    /// value has been shut down, and returns `false`.
    #[inline]
    pub(super) fn unlink(&self, node: &Node) -> bool {
        let linked = self.lock().remove(node);
        if !linked {
            drop(node.busy.lock());
        }
        linked
    }

    /// Shuts down the newest value in the list, unless `stop` returns `true`. Returns whether a
    /// value was shut down. May sleep.
    #[inline]
    pub(super) fn shut_down_newest(&self, stop: impl FnOnce() -> bool) -> bool {
        let list = self.lock();
        if stop() {
            return false;
        }
        // SAFETY: By the type's invariant of `List`.
        let Some(node) = (unsafe { list.newest.get().as_ref() }) else {
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
    pub(super) fn bury(&self, nodes: &Node) {
        let mut list = self.lock();
        for node in nodes.chain() {
            node.next.set(list.dead);
            // INVARIANT: Its value has been dropped.
            list.dead = node;
        }
    }

    /// Frees the nodes whose value has been dropped by their work item. May sleep.
    #[inline]
    pub(super) fn reap(&self) {
        loop {
            let mut list = self.lock();
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
