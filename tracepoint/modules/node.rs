// SPDX-License-Identifier: GPL-2.0

//! A value that has to be shut down, and what is known about it.

use crate::modules::{
    lock::Lock,
    this_module::{KobjectRef, ModuleRef},
    work::{Function, Work},
};
use core::{
    cell::Cell,
    iter::successors,
    sync::atomic::{AtomicBool, AtomicI32, AtomicU8},
};
use kernel::{
    bindings, fmt,
    list::{impl_list_arc_safe, impl_list_item, AtomicTracker, ListLinks, TryNewListArc},
    prelude::*,
    sync::Arc,
    types::Opaque,
};

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
    fn allowed_in_hooks() -> bool
    where
        Self: Sized,
    {
        false
    }
}

impl fmt::Display for dyn ShutDown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(f)
    }
}

/// The error of a value that hasn't been started, which is none.
pub(super) const NEW: c_int = 1;

/// Who has left a value to the work item.
pub(super) const NOBODY: u8 = 0;
pub(super) const WHO_SLEEPS: u8 = 1;
pub(super) const WHO_MUST_NOT_SLEEP: u8 = 2;

/// A value that has to be shut down.
///
/// It belongs to all who use it: its `Registered`, the list, the work item while it's queued, and the
/// previous one of those that are dropped together.
///
/// # Invariants
///
/// - `value` is pinned. There's one, unless this hasn't been registered, or the work item keeps it.
/// - `next` belongs to the owner, and after [`Node::leave`] to the work item. `module` belongs to whoever starts
///   the value. `kobject` belongs to whoever sets `is_queued`, and then to the work item until that resets it.
#[pin_data]
pub(crate) struct Node {
    #[pin]
    pub(super) work: Work,
    pub(super) value: Cell<Option<KBox<dyn ShutDown>>>,
    #[pin]
    links: ListLinks,
    #[pin]
    tracker: AtomicTracker,
    /// The next one of those that are dropped together.
    pub(super) next: Cell<Option<Arc<Node>>>,
    /// [`NEW`], 0 or the error of the start.
    pub(super) error: AtomicI32,
    pub(super) left_by: AtomicU8,
    /// Whether the work item has a reference.
    pub(super) is_queued: AtomicBool,
    /// Until the notifier, which waits for the work item, has been registered.
    pub(super) module: Cell<Option<ModuleRef>>,
    /// If the notifier wasn't registered before: until the work item has run.
    pub(super) kobject: Cell<Option<KobjectRef>>,
    /// If the module wasn't in sysfs, either. It belongs to the same.
    pub(super) is_unkept: Cell<bool>,
    /// Completed whenever the work item has run.
    #[pin]
    pub(super) ran: Opaque<bindings::completion>,
    /// Whether the value has been shut down. Locked while that's done.
    is_down: Lock<bool>,
}

impl_list_arc_safe! {
    impl ListArcSafe<0> for Node { tracked_by tracker: AtomicTracker; }
}

impl_list_item! {
    impl ListItem<0> for Node { using ListLinks { self.links }; }
}

// SAFETY: The value is `Send` and `Sync`; the invariants say whom the rest belongs to.
unsafe impl Send for Node {}

// SAFETY: The value is `Send` and `Sync`; the invariants say whom the rest belongs to.
unsafe impl Sync for Node {}

impl Node {
    /// Returns a node for a work item with this function.
    ///
    /// # Safety
    ///
    /// As for [`Work::new`].
    pub(super) unsafe fn new(function: Function) -> Result<Arc<Self>> {
        let node = pin_init!(Self {
            // Not the queue on which a recorder's item runs, for which its node's item waits.
            // SAFETY: The caller promises what `Work::new` requires. The queue is a static that's set at boot.
            work <- unsafe { Work::new(function, bindings::system_dfl_long_wq) },
            value: Cell::new(None),
            links <- ListLinks::new(),
            tracker <- AtomicTracker::new(),
            next: Cell::new(None),
            error: AtomicI32::new(NEW),
            left_by: AtomicU8::new(NOBODY),
            is_queued: AtomicBool::new(false),
            module: Cell::new(None),
            kobject: Cell::new(None),
            is_unkept: Cell::new(false),
            // SAFETY: `init_completion()` (rust/helpers/completion.c) initialises it.
            ran <- Opaque::ffi_init(|ran| unsafe { bindings::init_completion(ran) }),
            is_down: Lock::new(false),
        });
        Arc::pin_init(node, GFP_KERNEL)
    }

    /// Returns the value.
    pub(super) fn value(&self) -> &dyn ShutDown {
        // SAFETY: By the type's invariant, a node that has been registered has a value, until only
        // the work item uses the node.
        unsafe { (*self.value.as_ptr()).as_deref().unwrap_unchecked() }
    }

    /// Returns this one, and those that are dropped together with it.
    pub(super) fn together(&self) -> impl Iterator<Item = &Node> {
        // SAFETY: By the type's invariant, `next` belongs to whoever runs this, so nobody else
        // changes it meanwhile.
        let next = |node: &Node| unsafe { &*node.next.as_ptr() };
        successors(Some(self), move |node| next(node).as_deref())
    }

    /// Shuts down the value, or waits until another task has. May sleep.
    pub(super) fn shut_down(&self) {
        let mut is_down = self.is_down.lock();
        if !*is_down {
            self.value().shut_down();
            *is_down = true;
        }
    }
}
