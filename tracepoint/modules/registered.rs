// SPDX-License-Identifier: GPL-2.0

//! Values that are shut down when they're dropped, or before their module is freed.
//!
//! # Who does it
//!
//! Starting a value and shutting it down can wait for others: for `tracepoints_mutex`, under which
//! a hook may be waiting for this task, or for a probe, which may be what this task runs. The
//! kernel's functions can't be told to give up. So a work item does both, and whoever needs it waits
//! for that item, but not forever: after ten seconds (30 with lockdep), the value is left to the item,
//! which shuts it down and drops it as soon as that's possible. Where nothing may sleep, that happens at once.
//!
//! A module is unloaded only when its work items have ended: see [`unload`](crate::unload).

use crate::{
    arch,
    modules::{
        log::err,
        module::{Module, PATIENCE},
        node::{Node, ShutDown, NEW, NOBODY, WHO_MUST_NOT_SLEEP, WHO_SLEEPS},
        this_module::{is_alive, is_live, KobjectRef, ModuleRef},
        window::window,
    },
};
use core::{mem::forget, ops::Deref, ptr::NonNull, sync::atomic::Ordering};
use kernel::{
    bindings, container_of,
    error::to_result,
    prelude::*,
    sync::Arc,
    time::{delay::fsleep, msecs_to_jiffies, Delta},
    types::Opaque,
};

/// How long to wait for a work item while the same hook of this module is running, since the hook may be waiting
/// for this task, in milliseconds.
const PATIENCE_IN_HOOK: u32 = 1_000;

/// A value in memory of its own that is shut down when this is dropped, or when its module is
/// unloaded, whichever comes first. That holds even if this is in a static or has been forgotten.
///
/// Dropping it may sleep, and waits until the value has been shut down and dropped. But if that takes
/// longer than some ten seconds (30 with lockdep), or a hook runs for a second meanwhile, or where nothing may
/// sleep, a message is logged, and the value is left to a work item.
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
/// `value` is that of the node, or part of it. Only a value that's being dropped has no node.
pub struct Registered<T: ?Sized> {
    node: Option<Arc<Node>>,
    value: NonNull<T>,
}

// SAFETY: The whole value is `Send`, and this gives access to `&T`; the node belongs to no thread.
unsafe impl<T: ?Sized + Sync> Send for Registered<T> {}

// SAFETY: This gives access to `&T` only, and `T` is `Sync`; the node belongs to no thread.
unsafe impl<T: ?Sized + Sync> Sync for Registered<T> {}

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
    /// - `EDEADLK`: the value couldn't be started within ten seconds (30 with lockdep), or a hook of this module has
    ///   been running for a second meanwhile (logged), because a probe does this, or a task for which the hook waits,
    ///   or one that holds a lock that others wait for.
    pub fn new<E>(value: impl PinInit<T, E>) -> Result<Self>
    where
        Error: From<E>,
    {
        Self::prepare()?;
        // First, so that the value is shut down if anything fails after its initialisation.
        let node = Node::make()?;
        // SAFETY: The value stays pinned, since nobody moves it out of the box until it's dropped.
        let owned = unsafe { Pin::into_inner_unchecked(KBox::pin_init(value, GFP_KERNEL)?) };
        // INVARIANT: It's the value of the node.
        let value = NonNull::from(&*owned);
        node.value.set(Some(owned));
        let node = Some(Node::register(node)?);
        Ok(Self { node, value })
    }

    /// Registers a value for as long as the module is loaded, without waiting long until it has started, so also with
    /// `event_mutex` held, for which others in the module notifier chain may be waiting. May sleep.
    ///
    /// If it's the first one, the module can't be unloaded until it has started.
    ///
    /// # Errors
    ///
    /// - `ENODEV`: the module is being unloaded, or is still being loaded and has registered nothing else. If a
    ///   notifier refuses it then, `load_module()` (kernel/module/main.c) frees it without calling it
    ///   (`bug_cleanup`). That's over once the chain has let this module register its own notifier.
    pub(crate) fn later(value: T) -> Result {
        let node = Node::make()?;
        node.value.set(Some(KBox::new(value, GFP_KERNEL)?));
        let module = Module::this();
        module.leave(|gone| {
            if gone || !(is_live() || module.is_listening()) {
                return Err(ENODEV);
            }
            Node::queue(node);
            Ok(())
        })?;
        // Usually, nobody runs the chain now, and `rmmod` needn't find the module in use.
        let mut patience = 100;
        while !module.is_listening() && patience > 0 {
            fsleep(Delta::from_millis(1));
            patience -= 1;
        }
        Ok(())
    }

    /// Checks whether this module may register a `T` now. [`Registered::new`] calls this; call it
    /// before that if you have to do something first. Any context.
    ///
    /// # Errors
    ///
    /// - `ENODEV`: the module is being unloaded.
    /// - `EDEADLK`: a tracepoint's hook runs this, and [`ShutDown::allowed_in_hooks`] is `false`. Or
    ///   a `perf_perm` function does, or nothing may sleep here.
    pub fn prepare() -> Result {
        if !is_alive() {
            return Err(ENODEV);
        }
        let module = Module::this();
        let is_refused = module.is_in_hook() && !T::allowed_in_hooks();
        // Nothing shuts down what a `perf_perm` function has registered, as `unreg` does for `reg`.
        if !may_sleep() || is_refused || module.is_in_perf_perm() {
            return Err(edeadlk());
        }
        Ok(())
    }
}

impl<T: ?Sized> Registered<T> {
    /// Refers to a part of the value instead. It's still the whole value that's shut down and dropped.
    pub(crate) fn map<U: ?Sized>(mut self, part: impl FnOnce(&T) -> &U) -> Registered<U> {
        let value = NonNull::from(part(&self));
        // INVARIANT: It's a part of the value.
        Registered {
            node: self.node.take(),
            value,
        }
    }

    /// Drops several values of the same type, and waits only once for all.
    pub(crate) fn drop_together<'a>(values: impl Iterator<Item = &'a mut Self>)
    where
        T: 'a,
    {
        let nodes = values.filter_map(|value| value.node.take());
        let last = nodes.fold(None, |next, node| {
            node.next.set(next);
            Some(node)
        });
        if let Some(node) = last {
            Module::this().leave(|gone| Node::leave(node, gone));
        }
    }
}

impl<T: ?Sized> Deref for Registered<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: By the type's invariant, `value` is that of the node or part of it, and this has
        // a reference to the node.
        unsafe { self.value.as_ref() }
    }
}

impl<T: ?Sized> Drop for Registered<T> {
    fn drop(&mut self) {
        if let Some(node) = self.node.take() {
            Module::this().leave(|gone| Node::leave(node, gone));
        }
    }
}

impl Node {
    /// Returns a node, which keeps the module until the notifier waits for its work item.
    ///
    /// # Errors
    ///
    /// - `ENODEV`: the module is being unloaded, or it's so early in being loaded that only hooks run.
    fn make() -> Result<Arc<Self>> {
        // SAFETY: `work` is a function for the item of a node, which `Node::new` makes.
        let node = unsafe { Self::new(work) }?;
        let module = Module::this();
        if !module.is_listening() {
            node.module.set(Some(ModuleRef::new().ok_or(ENODEV)?));
            if !module.is_in_hook() {
                node.kobject.set(Some(KobjectRef::new().ok_or(ENODEV)?));
            }
        }
        Ok(node)
    }

    /// Starts the value of a new node.
    fn register(node: Arc<Self>) -> Result<Arc<Self>> {
        if Module::this().is_in_hook() {
            Self::start(&node);
        } else {
            Self::queue(node.clone());
            if !node.wait() {
                complain(
                    node.value(),
                    "can't be registered now, perhaps because a probe tried to, a task that a hook \
                     is waiting for, or one that holds a lock others need.",
                );
                node.left_by.store(WHO_SLEEPS, Ordering::SeqCst);
                Self::queue(node);
                return Err(edeadlk());
            }
        }
        to_result(node.error.load(Ordering::Relaxed)).map(|()| node)
    }

    /// Has the work item shut down a value that its owner drops, and those that are dropped together with
    /// it, and waits for that if possible. Once all values have been shut down because the module is
    /// going, nobody waits for an item any more, and they're only dropped.
    fn leave(node: Arc<Self>, gone: bool) {
        // The owner has waited for the start, so the item isn't queued.
        if !may_sleep() {
            if gone {
                // Nothing uses it, but dropping it may take something that sleeps.
                return forget(node);
            }
            node.left_by.store(WHO_MUST_NOT_SLEEP, Ordering::SeqCst);
            return Self::queue(node);
        }
        if gone {
            return node.drop_others();
        }
        node.left_by.store(WHO_SLEEPS, Ordering::SeqCst);
        if node.together().any(|node| node.value().is_running()) {
            complain(node.value(), "dropped where it would wait for itself.");
            return Self::queue(node);
        }
        Self::queue(node.clone());
        if !node.wait() {
            complain(
                node.value(),
                "still in use after being dropped, perhaps by a probe, by a task that a \
                 hook is waiting for, or with a lock held that it needs.",
            );
            // If it has run, but not returned, dropping the node would wait for that.
            Self::queue(node);
        }
    }

    /// Has the work item run, and gives it the reference, unless it has one already. Any context.
    #[inline(never)]
    fn queue(node: Arc<Self>) {
        if !node.is_queued.swap(true, Ordering::SeqCst) {
            let module = Module::this();
            // INVARIANT: Queued below.
            module.queued.fetch_add(1, Ordering::Relaxed);
            // A hook has registered it, and nobody else waits for the item before the kernel starts to free the
            // module. If that isn't in sysfs yet, the hook waits, or the next one.
            if !module.is_listening() {
                let kobject = node.kobject.take().or_else(KobjectRef::new);
                if kobject.is_none() {
                    node.is_unkept.set(true);
                    // INVARIANT: Queued below.
                    module.unkept.fetch_add(1, Ordering::Relaxed);
                }
                node.kobject.set(kobject);
            }
            // SAFETY: The node is valid, since the reference to it isn't dropped, but belongs to
            // the work item from now on.
            unsafe { (*Arc::into_raw(node)).work.queue() };
        }
    }

    /// Waits until the work item has run and has returned. Returns `false` if that takes too long, or if
    /// another task has been running the same hook for a second.
    fn wait(&self) -> bool {
        let module = Module::this();
        for _ in 0..PATIENCE / PATIENCE_IN_HOOK {
            let hook = module.others_hook();
            let time = msecs_to_jiffies(PATIENCE_IN_HOOK);
            // SAFETY: `wait_for_completion_timeout()` (kernel/sched/completion.c) takes an initialised
            // completion, which `Node::new` has made.
            if unsafe { bindings::wait_for_completion_timeout(self.ran.get(), time) } != 0 {
                return self.work.has_returned(PATIENCE);
            }
            if hook.is_some() && module.others_hook() == hook {
                break;
            }
        }
        false
    }

    /// Starts the value. If that fails, shuts it down.
    #[inline(never)]
    fn start(node: &Arc<Self>) {
        let module = Module::this();
        let listens = module.listen();
        drop(node.module.take());
        let result = listens.and_then(|()| node.value().start());
        window!("link");
        module.link(node.clone());
        // The module may have been told to go before that: then nobody looks at the list any more.
        let result = result.and_then(|()| is_alive().then_some(()).ok_or(ENODEV));
        if result.is_err() {
            node.end();
        }
        let error = result.map_or_else(Error::to_errno, |()| 0);
        node.error.store(error, Ordering::Relaxed);
    }

    /// Shuts down the value, and those that are dropped together with it. Drops all but this one.
    #[inline(never)]
    fn end(&self) {
        for node in self.together() {
            Module::this().unlink(node);
            node.shut_down();
        }
        // They're of the same type.
        self.value().synchronize();
        self.drop_others();
    }

    /// Drops those that are dropped together with this one, one after another: if each dropped the next one,
    /// that would take too much stack.
    fn drop_others(&self) {
        let mut next = self.next.take();
        while let Some(node) = next {
            next = node.next.take();
        }
    }
}

/// # Safety
///
/// Only kernel/workqueue.c may call this, for the work item of a [`Node`].
unsafe extern "C" fn work(work: *mut bindings::work_struct) {
    // SAFETY: By the safety contract, this is the work item of a node, and `Node::queue` has given
    // it a reference.
    let node = unsafe { Arc::from_raw(container_of!(work.cast::<Opaque<_>>(), Node, work.work)) };
    let (kobject, is_unkept) = (node.kobject.take(), node.is_unkept.take());
    // Whoever wants something from now on queues it again.
    node.is_queued.store(false, Ordering::SeqCst);
    if node.error.load(Ordering::Relaxed) == NEW {
        Node::start(&node);
    }
    let left_by = node.left_by.load(Ordering::SeqCst);
    if left_by == WHO_MUST_NOT_SLEEP {
        complain(node.value(), "dropped where nothing may sleep.");
    }
    if left_by != NOBODY {
        node.end();
    }
    // SAFETY: `complete()` (kernel/sched/completion.c) takes an initialised completion, which
    // `Node::new` has made.
    unsafe { bindings::complete(node.ran.get()) };
    window!("done");
    let module = Module::this();
    if let Some(node) = Arc::into_unique_or_drop(node) {
        // INVARIANT: It's kept below.
        drop(node.value.take());
        module.keep(node.into());
    }
    drop(kobject);
    // INVARIANT: It has done its work.
    module
        .unkept
        .fetch_sub(usize::from(is_unkept), Ordering::Release);
    module.queued.fetch_sub(1, Ordering::Release);
}

/// Logs what is wrong with a value, and what happens to it.
#[inline(never)]
fn complain(value: &dyn ShutDown, what: &str) {
    err(fmt!("{value}: {what} A work item will clean up later\n"));
}

/// Returns whether the current context may sleep, as far as that can be told.
///
/// C: `preemptible()`, and what `__might_sleep()` checks.
fn may_sleep() -> bool {
    #[cfg(CONFIG_PREEMPT_RCU)]
    {
        let task = kernel::task::Task::current_raw();
        // SAFETY: The current task is valid, and only it changes what `rcu_preempt_depth()`
        // (include/linux/rcupdate.h) reads.
        if unsafe { (&raw const (*task).rcu_read_lock_nesting).read_volatile() } != 0 {
            return false;
        }
    }
    arch::preempt_count() == 0 && !arch::irqs_disabled()
}

/// Returns `EDEADLK`, for which the kernel crate has a constant since 7.3.
fn edeadlk() -> Error {
    Error::from_errno(-(bindings::EDEADLK as c_int))
}
