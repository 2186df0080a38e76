// SPDX-License-Identifier: GPL-2.0

//! Shutting down what is still registered when its module is unloaded.
//!
//! Rust drops no statics, and safe code may forget a value ([`core::mem::forget`], `KBox::leak`).
//! A probe, a timer or a thread that is never dropped would run code that has been freed with its
//! module. In C, the driver has to prevent that; in Rust, safe code must not be able to cause it.
//!
//! So a type that passes pointers into its module to the kernel puts its values into a
//! [`Registered`]. The module keeps a list of them. When the module is unloaded, or when its init
//! function fails, whatever is still in the list is shut down, newest first:
//!
//! - A module notifier of the highest priority does that at `MODULE_STATE_GOING`, before tracing and
//!   others release what belongs to the module. It's registered together with the first value.
//! - A notifier can't unregister itself. A module parameter does that: the kernel calls the `free`
//!   function of each parameter before it frees the module (`module_destroy_params()`). That is too
//!   late for everything else: on x86, `module_arch_cleanup()` has already freed thunks that the
//!   module's indirect calls may need (`its_free_mod()`), and the modules that this one uses can
//!   already be gone (`module_unload_free()`).
//!
//! # Hooks
//!
//! A tracepoint's hooks may register a value, too, for example start a thread. But they run under
//! `tracepoints_mutex` and, if a probe waits for the module, in the module notifier chain. So they
//! can't register the notifier: that waits until nobody runs the chain, in which others wait for
//! the mutex.
//!
//! If nothing else has registered the notifier, whatever the hooks have registered is shut down when
//! the last `unreg` returns. The kernel calls that one before it frees the module, even if the
//! module couldn't be loaded. Until then a thread that a hook has started can't register the
//! notifier either: `unreg` may be waiting for that thread, in the chain.

use crate::{lock::Lock, module_static::module_static};
use core::{
    arch::asm,
    cell::Cell,
    marker::PhantomPinned,
    mem::{offset_of, size_of},
    ops::Deref,
    ptr::{null, null_mut, NonNull},
    sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
};
use kernel::{
    bindings,
    error::{code::ENODEV, to_result, Error, Result},
    ffi::{c_int, c_ulong, c_void},
    prelude::*,
    task::Task,
    types::Opaque,
};

/// A value that has to be shut down before its module is freed.
pub trait ShutDown: Sync + 'static {
    /// Ends what the value has registered, and waits until the kernel calls no code of the module
    /// for it any more.
    ///
    /// Called once, when the [`Registered`] is dropped, when the module is unloaded, or after a
    /// hook. Unless it's dropped, others may still use the value, during the call and afterwards:
    /// they must find it valid, and must not be able to register it again. So this frees nothing
    /// that `&self` gives access to.
    ///
    /// Process context; may sleep. It must not load a module or register a module notifier, nor
    /// wait for another task that does.
    fn shut_down(&self);

    /// Returns whether a tracepoint's hook may register such a value. Then [`ShutDown::shut_down`]
    /// can be called under `tracepoints_mutex`: it must not register or unregister a probe, nor wait
    /// for another task that does.
    #[inline]
    fn allowed_in_hooks() -> bool
    where
        Self: Sized,
    {
        false
    }
}

/// A value that is shut down when it's dropped, or when its module is unloaded, whichever comes
/// first.
///
/// This holds even if the value is in a static or has been forgotten: memory that is pinned isn't
/// reused before its value is dropped.
///
/// # Examples
///
/// ```
/// use tracepoint::unload::{Registered, ShutDown};
///
/// struct Thread { /* … */ }
///
/// impl ShutDown for Thread {
///     fn shut_down(&self) {
///         // kthread_stop()
///     }
/// }
///
/// pub struct KThread(Pin<KBox<Registered<Thread>>>);
/// ```
///
/// # Invariants
///
/// While `node` is in the module's list, `node.value` is `value`.
#[pin_data(PinnedDrop)]
pub struct Registered<T: ShutDown> {
    node: Node,
    #[pin]
    value: T,
    #[pin]
    _pin: PhantomPinned,
}

// SAFETY: `&Registered` gives access to `&T`, which is `Sync` by its trait. The node changes under the
// list's lock only.
unsafe impl<T: ShutDown> Sync for Registered<T> {}

// SAFETY: As above; the node belongs to no thread.
unsafe impl<T: ShutDown + Send> Send for Registered<T> {}

impl<T: ShutDown> Registered<T> {
    /// Initialises a value, which registers it, and puts it into the module's list. Nothing can fail
    /// after the value has been initialised.
    ///
    /// From then on, the value can be shut down at any time. So its initialiser has to register it,
    /// for example with `pin_chain`. What registers it later must do nothing after
    /// [`ShutDown::shut_down`].
    ///
    /// May sleep; process context.
    ///
    /// # Errors
    ///
    /// - Any error of [`Registered::prepare`].
    /// - Any error of `value`.
    #[inline]
    pub fn new<E>(value: impl PinInit<T, E>) -> impl PinInit<Self, Error>
    where
        Error: From<E>,
    {
        let registered = pin_init!(Self {
            node: {
                Self::prepare()?;
                Node::new()
            },
            value <- value,
            _pin: PhantomPinned,
        }? Error);
        registered.pin_chain(|this| {
            let this = this.into_ref().get_ref();
            // INVARIANT: The node is that of the value.
            this.node.link(NonNull::<T>::from(&this.value));
            // The notifier may have been called before that: nothing waits for a hook.
            if !is_alive() && this.node.unlink() {
                this.value.shut_down();
            }
            Ok(())
        })
    }

    /// Checks whether this module may register a `T` now, and registers the module's notifier.
    /// [`Registered::new`] calls this; call it before that if you have to do something first.
    ///
    /// May sleep; process context.
    ///
    /// # Errors
    ///
    /// - `ENODEV`: the module is being unloaded.
    /// - `EDEADLK`: a tracepoint's hook runs this, and [`ShutDown::allowed_in_hooks`] is `false`. Or
    ///   a kernel thread does, which could be one that a hook has started, while a tracepoint with
    ///   hooks is enabled and nothing has been registered outside of hooks.
    #[inline]
    pub fn prepare() -> Result {
        if !is_alive() {
            return Err(ENODEV);
        }
        let module = Module::this();
        if module.is_in_hook() {
            return if T::allowed_in_hooks() {
                Ok(())
            } else {
                Err(edeadlk())
            };
        }
        module.listen()
    }

    /// Takes values out of the list, for an owner who shuts them down together, without
    /// [`ShutDown::shut_down`]. [`Registered::is_taken`] tells which: some may have been shut down
    /// already.
    ///
    /// May sleep; process context.
    ///
    /// # Safety
    ///
    /// The caller must do what [`ShutDown::shut_down`] does, for all that are taken, before the module
    /// is freed.
    #[inline]
    pub(crate) unsafe fn take<'a>(values: impl Iterator<Item = &'a Self>) {
        let mut list = Module::this().list.lock();
        for value in values {
            let taken = list.remove(&value.node);
            // INVARIANT: Nobody else shuts it down: it isn't in the list any more.
            value.node.taken.store(taken, Ordering::Relaxed);
        }
    }

    /// Returns whether the owner has taken the value out of the list.
    #[inline]
    pub(crate) fn is_taken(&self) -> bool {
        self.node.taken.load(Ordering::Relaxed)
    }
}

impl<T: ShutDown> Deref for Registered<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

#[pinned_drop]
impl<T: ShutDown> PinnedDrop for Registered<T> {
    #[inline]
    fn drop(self: Pin<&mut Self>) {
        if !self.is_taken() && self.node.unlink() {
            self.value.shut_down();
        }
    }
}

/// An entry of the module's list.
///
/// # Invariants
///
/// - `newer`, `older` and `value` are accessed under the list's lock only.
/// - `value` is `None` unless the node is in the list. A node is put into the list once.
/// - If `taken` is set, the value's owner has taken the node out of the list and shuts it down.
struct Node {
    newer: Cell<*const Node>,
    older: Cell<*const Node>,
    value: Cell<Option<NonNull<dyn ShutDown>>>,
    /// Held while the value is shut down by somebody other than its owner.
    busy: Lock<()>,
    taken: AtomicBool,
}

impl Node {
    #[inline]
    fn new() -> Self {
        // INVARIANT: It isn't in the list.
        Self {
            newer: Cell::new(null()),
            older: Cell::new(null()),
            value: Cell::new(None),
            busy: Lock::new(()),
            taken: AtomicBool::new(false),
        }
    }

    /// Puts the node into the list. Only [`Registered::new`] does that, whose drop takes it out.
    #[inline]
    fn link(&self, value: NonNull<dyn ShutDown>) {
        let mut list = Module::this().list.lock();
        // INVARIANT: The list is locked.
        self.value.set(Some(value));
        self.newer.set(null());
        self.older.set(list.newest);
        // INVARIANT: The node stays valid: it's pinned.
        // SAFETY: By the list's invariant.
        if let Some(older) = unsafe { list.newest.as_ref() } {
            older.newer.set(self);
        }
        list.newest = self;
    }

    /// Takes the node out of the list. If it isn't there any more, this waits until its value has
    /// been shut down and returns `false`.
    #[inline]
    fn unlink(&self) -> bool {
        let linked = Module::this().list.lock().remove(self);
        if !linked {
            drop(self.busy.lock());
        }
        linked
    }
}

/// The nodes of a module, from the newest to the oldest.
///
/// # Invariants
///
/// `newest` is NULL or valid, and so are the `newer` and the `older` of each node in the list, which refer
/// to its neighbours: a [`Registered`] is pinned, and leaves the list when it's dropped.
struct List {
    newest: *const Node,
}

// SAFETY: The nodes belong to `Registered` values, which are `Sync`.
unsafe impl Send for List {}

impl List {
    /// Removes a node, unless that has been done before.
    #[inline]
    fn remove(&mut self, node: &Node) -> bool {
        if node.value.take().is_none() {
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

/// What the library keeps in each module that has hooks or registers something.
///
/// All zeroes is its initial value.
///
/// # Invariants
///
/// - `notifier` is registered while `listening` is set, and briefly before and after.
/// - `hook_task` is the task that runs a hook, or NULL; `perf_task` the one that runs a `perf_perm`
///   function.
/// - `hooks` is the number of tracepoints whose `reg` has been called and has not failed, and whose
///   `unreg` hasn't returned. It changes under `tracepoints_mutex`.
#[repr(C)]
struct Module {
    list: Lock<List>,
    notifier: Opaque<bindings::notifier_block>,
    hook_task: AtomicPtr<bindings::task_struct>,
    perf_task: AtomicPtr<bindings::task_struct>,
    hooks: AtomicUsize,
    listening: AtomicBool,
}

// SAFETY: The notifier chain locks the notifier; the rest is `Sync`.
unsafe impl Sync for Module {}

impl Module {
    /// Returns that of this module.
    #[inline]
    fn this() -> &'static Self {
        let this = module_static!("tracepoint.module": Self);
        // SAFETY: It's a static of that type. All zeroes is valid.
        unsafe { &*this }
    }

    /// Returns whether this task runs a hook or a `perf_perm` function.
    #[inline]
    fn is_in_hook(&self) -> bool {
        let task = Task::current_raw();
        [&self.hook_task, &self.perf_task]
            .iter()
            .any(|running| running.load(Ordering::Relaxed) == task)
    }

    /// Registers the notifier, unless it is registered.
    ///
    /// # Errors
    ///
    /// - `EDEADLK`: this could be a thread that a hook has started and waits for.
    #[inline]
    fn listen(&self) -> Result {
        if self.listening.load(Ordering::Relaxed) {
            return Ok(());
        }
        // SAFETY: A task's `flags` change only in the task itself.
        let flags = unsafe { (&raw const (*Task::current_raw()).flags).read_volatile() };
        if flags & bindings::PF_KTHREAD != 0 && self.hooks.load(Ordering::Relaxed) != 0 {
            return Err(edeadlk());
        }
        parameter();
        // INVARIANT: Registered below.
        if self.listening.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        // SAFETY: This is the only task that has set `listening`. `register_module_notifier()`
        // (kernel/module/main.c) takes a `notifier_block` that stays until `free` unregisters it.
        to_result(unsafe {
            self.notifier.get().write(bindings::notifier_block {
                notifier_call: Some(notify),
                next: null_mut(),
                priority: c_int::MAX,
            });
            bindings::register_module_notifier(self.notifier.get())
        })
        // INVARIANT: It isn't registered.
        .inspect_err(|_| self.listening.store(false, Ordering::Relaxed))
    }

    /// Shuts down whatever is in the list; after a hook, only if the notifier isn't going to.
    ///
    /// Process context, may sleep.
    #[inline]
    fn shut_down(&self, after_hook: bool) {
        loop {
            let mut list = self.list.lock();
            // Set before anything outside of hooks is put into the list.
            if after_hook && self.listening.load(Ordering::Relaxed) {
                return;
            }
            // SAFETY: By the type's invariant of `List`.
            let Some(node) = (unsafe { list.newest.as_ref() }) else {
                return;
            };
            let value = node.value.get();
            list.remove(node);
            // Its owner waits for this. Nobody else holds it: the node was in the list.
            let busy = node.busy.lock();
            // Whatever the value waits for may need the list.
            drop(list);
            if let Some(value) = value {
                // SAFETY: By the invariant of `Registered`. It isn't dropped while it's busy.
                unsafe { value.as_ref() }.shut_down();
            }
            drop(busy);
        }
    }

    /// Runs a hook.
    #[inline]
    fn in_hook<R>(&self, hook: impl FnOnce() -> R) -> R {
        // INVARIANT: `tracepoints_mutex` keeps other hooks away. Other tasks only compare this with
        // themselves.
        self.hook_task.store(Task::current_raw(), Ordering::Relaxed);
        let result = hook();
        self.hook_task.store(null_mut(), Ordering::Relaxed);
        result
    }

    /// Counts a tracepoint that isn't enabled any more.
    #[inline]
    fn disabled(&self) {
        if self.hooks.load(Ordering::Relaxed) == 1 {
            // Until it returns, this may wait for a thread: see `listen`.
            self.shut_down(true);
        }
        self.hooks.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns `EDEADLK`, for which the kernel crate has a constant since 7.3.
#[inline]
fn edeadlk() -> Error {
    Error::from_errno(-(bindings::EDEADLK as c_int))
}

/// Runs the `perf_perm` function of an event.
///
/// # Safety
///
/// The caller must be kernel/trace/trace_event_perf.c, which holds `event_mutex`.
#[inline]
#[doc(hidden)]
pub unsafe fn perf_perm(function: impl FnOnce() -> Result) -> Result {
    let running = &Module::this().perf_task;
    // INVARIANT: `event_mutex` keeps other such functions away.
    running.store(Task::current_raw(), Ordering::Relaxed);
    let result = function();
    running.store(null_mut(), Ordering::Relaxed);
    result
}

/// Runs a tracepoint's `reg` hook.
///
/// # Safety
///
/// The caller must be `tracepoint_add_func()` (kernel/tracepoint.c), which holds
/// `tracepoints_mutex`. If this succeeds, [`unreg`] must be called later.
#[inline]
pub(crate) unsafe fn reg(hook: impl FnOnce() -> Result) -> Result {
    let module = Module::this();
    // Before the hook: it may wait for a thread that it starts.
    module.hooks.fetch_add(1, Ordering::Relaxed);
    module.in_hook(|| hook().inspect_err(|_| module.disabled()))
}

/// Runs a tracepoint's `unreg` hook.
///
/// # Safety
///
/// The caller must be kernel/tracepoint.c, which holds `tracepoints_mutex` and has called [`reg`].
#[inline]
pub(crate) unsafe fn unreg(hook: impl FnOnce()) {
    let module = Module::this();
    module.in_hook(|| {
        hook();
        module.disabled();
    });
}

/// Shuts down what is still registered when this module is going.
///
/// # Safety
///
/// Called by the module notifier chain.
#[inline]
unsafe extern "C" fn notify(
    _: *mut bindings::notifier_block,
    state: c_ulong,
    module: *mut c_void,
) -> c_int {
    if state == bindings::module_state_MODULE_STATE_GOING as c_ulong
        && module == this_module().cast()
    {
        Module::this().shut_down(false);
    }
    bindings::NOTIFY_OK as c_int
}

/// Emits the parameter whose `free` function unregisters the notifier.
///
/// C: `module_param_cb()`, without permissions, so that sysfs doesn't show it
/// (`module_param_sysfs_setup()`, kernel/params.c), and without a `set` function: nobody can give a
/// parameter whose name contains a `=`, at which the kernel splits arguments (`next_arg()`,
/// lib/cmdline.c).
#[allow(named_asm_labels)] // `.ifndef` leaves one definition per object.
#[inline]
fn parameter() {
    /// `ops->free`. Harmless if called again, by the parameter of another object of the module.
    ///
    /// # Safety
    ///
    /// Called by `module_destroy_params()` (kernel/params.c), when the module has ended or before
    /// its init function has been called.
    #[inline]
    unsafe extern "C" fn free(_: *mut c_void) {
        let module = Module::this();
        // INVARIANT: Unregistered below.
        if module.listening.swap(false, Ordering::Relaxed) {
            // SAFETY: `unregister_module_notifier()` (kernel/module/main.c) waits until no notifier
            // runs. It fails only if the notifier isn't registered.
            let _ = unsafe { bindings::unregister_module_notifier(module.notifier.get()) };
        }
        // `load_module()` calls this before the notifiers if it fails before the init function, when
        // only hooks can have registered something. Otherwise the list is empty.
        module.shut_down(false);
    }

    // `struct kernel_param` and `struct kernel_param_ops` (include/linux/moduleparam.h), as below. The
    // kernel takes `__param` for an array of them.
    const {
        use bindings::{kernel_param as P, kernel_param_ops as O};
        assert!(size_of::<P>() == 40 && align_of::<P>() == 8);
        assert!(offset_of!(P, mod_) == 8 && offset_of!(P, ops) == 16 && offset_of!(P, perm) == 24);
        assert!(offset_of!(P, level) == 26 && offset_of!(P, flags) == 27);
        assert!(size_of::<O>() == 32 && offset_of!(O, free) == 24);
    };

    // SAFETY: Only data, and no instructions. `.ifndef`: this can be inlined several times.
    unsafe {
        asm!(
            ".ifndef .Ltracepoint_param",
            ".pushsection .rodata, \"a\", @progbits",
            ".balign 8",
            ".Ltracepoint_param:",
            ".quad 0, 0, 0, {free}",
            "771: .asciz \"tracepoint=unload\"",
            ".popsection",
            ".pushsection __param, \"a\", @progbits",
            ".balign 8",
            ".quad 771b, __this_module, .Ltracepoint_param",
            ".short 0",
            ".byte -1, 0",
            ".long 0",
            ".quad 0",
            ".popsection",
            ".endif",
            free = sym free,
            options(nomem, nostack, preserves_flags),
        )
    };
}

/// Returns whether this module isn't being unloaded.
#[inline]
pub(crate) fn is_alive() -> bool {
    // SAFETY: The module is valid as long as its code runs. `try_stop_module()` and
    // `do_init_module()` (kernel/module/main.c) set the state before the notifiers are called.
    let state = unsafe { (&raw const (*this_module()).state).read_volatile() };
    state == bindings::module_state_MODULE_STATE_LIVE
        || state == bindings::module_state_MODULE_STATE_COMING
}

/// Returns this module. C: `THIS_MODULE`.
#[inline]
pub(crate) fn this_module() -> *mut bindings::module {
    extern "C" {
        static mut __this_module: u8;
    }
    (&raw mut __this_module).cast()
}
