// SPDX-License-Identifier: GPL-2.0

//! The library's data in each module: the list of its values, its notifier, and its hooks.
//!
//! [`unload`](crate::unload) says what this is for.

use crate::modules::{
    lock::Lock,
    module_static::module_static,
    node::Node,
    this_module::{this_module, KobjectRef},
    window::window,
    work::{init_work, queue_work},
};
use core::{
    arch::asm,
    mem::{offset_of, size_of, transmute},
    ptr::null_mut,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
};
use kernel::{
    bindings,
    error::to_result,
    list::{List, ListArc},
    prelude::*,
    sync::Arc,
    task::Task,
    time::{delay::fsleep, Delta},
    types::Opaque,
};

/// How long to wait for a work item, in milliseconds. On a debug kernel, creating a recorder's instance
/// alone can take longer than ten seconds.
pub(super) const PATIENCE: u32 = if cfg!(CONFIG_LOCKDEP) { 30_000 } else { 10_000 };

/// The library's data in each module that has hooks or registers something.
///
/// All zeroes is its initial value.
///
/// # Invariants
///
/// - `notifier` is registered while `listening` is set, and briefly before, until the module is going.
///   It's locked while that changes.
/// - `unlisten` has been set up if `listening` is set.
/// - `hook_task` is the task that runs a hook, or NULL; `perf_task` the one that runs a `perf_perm`
///   function.
/// - `hook_runs` is odd while a hook runs. It changes under `tracepoints_mutex`.
/// - `queued` is the number of nodes whose work item has been queued and hasn't done its work, and of
///   those that are being left.
/// - `unkept` is the number of those queued ones that keep neither the module nor its kobject.
/// - Once `gone` is set, all values have been shut down, and nobody waits for nodes that are left.
/// - `last` is the last node of which the work item was the only owner. The item may still be returning.
/// - `hooks` is the number of tracepoints whose `reg` has been called and has not failed, and whose
///   `unreg` hasn't returned. It changes under `tracepoints_mutex`.
#[repr(C)]
pub(crate) struct Module {
    list: Lock<List<Node>>,
    pub(super) queued: AtomicUsize,
    pub(super) unkept: AtomicUsize,
    last: Lock<Option<Arc<Node>>>,
    notifier: Lock<Opaque<bindings::notifier_block>>,
    unlisten: Opaque<bindings::work_struct>,
    /// For `unlisten`.
    kobject: Lock<Option<KobjectRef>>,
    /// Held while a probe is attached to another module, which waits for it before it releases anything.
    pub(crate) attaching: Lock<()>,
    hook_task: AtomicPtr<bindings::task_struct>,
    perf_task: AtomicPtr<bindings::task_struct>,
    hook_runs: AtomicUsize,
    hooks: AtomicUsize,
    listening: AtomicBool,
    gone: AtomicBool,
}

// All zeroes is an empty list.
const _: () = {
    // SAFETY: A list consists of a pointer, which is as large as a `usize`.
    let list = unsafe { transmute::<List<Node>, usize>(List::new()) };
    assert!(list == 0);
};

// SAFETY: The notifier chain locks the notifier; the rest is `Sync`.
unsafe impl Sync for Module {}

impl Module {
    /// Returns that of this module.
    pub(crate) fn this() -> &'static Self {
        let this = module_static!("tracepoint.module": Self);
        // For modinfo.
        module_static!(@define "tracepoint.version", (), ".modinfo, \"a\"",
            concat!(".asciz \"rust_tracepoint=", env!("TRACEPOINT_VERSION"), "\""));
        // SAFETY: `this` points to a static of that type, for which all zeroes is valid.
        unsafe { &*this }
    }

    /// Returns whether this task runs a hook or a `perf_perm` function.
    pub(crate) fn is_in_hook(&self) -> bool {
        self.hook_task.load(Ordering::Relaxed) == Task::current_raw() || self.is_in_perf_perm()
    }

    /// Returns whether this task runs a `perf_perm` function.
    pub(super) fn is_in_perf_perm(&self) -> bool {
        self.perf_task.load(Ordering::Relaxed) == Task::current_raw()
    }

    /// Runs a function that leaves nodes to their work item, or is told that all values have been shut down.
    pub(super) fn leave<R>(&self, function: impl FnOnce(bool) -> R) -> R {
        // INVARIANT: From now on, `shut_down` waits for this, or this sees that it doesn't.
        self.queued.fetch_add(1, Ordering::SeqCst);
        let result = function(self.gone.load(Ordering::SeqCst));
        // INVARIANT: They have been left.
        self.queued.fetch_sub(1, Ordering::Release);
        result
    }

    /// Returns whether the notifier has been registered.
    pub(super) fn is_listening(&self) -> bool {
        self.listening.load(Ordering::Relaxed)
    }

    /// Returns the number of the hook that another task runs, if any.
    pub(super) fn others_hook(&self) -> Option<usize> {
        let n = self.hook_runs.load(Ordering::Relaxed);
        (n % 2 == 1 && !self.is_in_hook()).then_some(n)
    }

    /// Registers the notifier, unless it is registered or a hook runs this. May sleep until nobody runs the
    /// chain; so outside of hooks, only a work item may call this, and nobody in the chain may wait for that.
    pub(crate) fn listen(&self) -> Result {
        if self.is_in_hook() {
            return Ok(());
        }
        parameter();
        let notifier = self.notifier.lock();
        if self.is_listening() {
            return Ok(());
        }
        window!("listen");
        // SAFETY: The notifier is locked, and isn't registered yet, so nobody uses the item.
        // `register_module_notifier()` (kernel/module/main.c) takes a `notifier_block` that stays until
        // `free` has unregistered it.
        to_result(unsafe {
            init_work(self.unlisten.get(), unlisten);
            notifier.get().write(bindings::notifier_block {
                notifier_call: Some(notify),
                next: null_mut(),
                priority: c_int::MAX,
            });
            bindings::register_module_notifier(notifier.get())
        })?;
        // INVARIANT: Registered above.
        self.listening.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Unregisters the notifier, unless that has been done. May sleep until nobody runs the chain.
    fn unlisten(&self) {
        // SAFETY: `unregister_module_notifier()` (kernel/module/main.c) waits until no notifier runs. It
        // fails only if the notifier isn't registered.
        let _ = unsafe { bindings::unregister_module_notifier(self.notifier.lock().get()) };
    }

    /// Puts a node into the list.
    #[inline(never)]
    pub(super) fn link(&self, node: Arc<Node>) {
        // There's only one `ListArc` of a node.
        if let Ok(node) = ListArc::try_from_arc(node) {
            self.list.lock().push_back(node);
        }
    }

    /// Takes a node out of the list, unless that has been done before.
    pub(super) fn unlink(&self, node: &Node) {
        // SAFETY: A node is in this list or in none, as `remove` requires.
        unsafe { self.list.lock().remove(node) };
    }

    /// Keeps the memory of a node until its work item, which calls this, has returned.
    pub(super) fn keep(&self, node: Arc<Node>) {
        let previous = self.last.lock().replace(node);
        drop(previous);
    }

    /// Shuts down whatever is in the list, newest first, and waits for the work items; after a hook, only if
    /// the notifier isn't going to.
    ///
    /// Process context, may sleep.
    fn shut_down(&self, after_hook: bool) {
        // `listening` is set before anything outside of hooks is put into the list.
        let is_left = || after_hook && self.is_listening();
        loop {
            let mut list = self.list.lock();
            if is_left() {
                return;
            }
            let Some(node) = list.pop_back() else { break };
            // Whatever the value waits for may need the list.
            drop(list);
            window!("unlink");
            node.shut_down();
            node.value().synchronize();
        }
        if !after_hook {
            // INVARIANT: The list is empty, and nothing can be put into it.
            self.gone.store(true, Ordering::SeqCst);
        }
        // After a hook, not forever: a work item may need the lock under which the hook runs.
        let mut patience = PATIENCE;
        while self.queued.load(Ordering::SeqCst) != 0 && !is_left() && patience > 0 {
            fsleep(Delta::from_millis(1));
            patience -= u32::from(after_hook);
        }
        if !after_hook {
            let last = self.last.lock().take();
            drop(last);
        }
    }

    /// Runs a hook, under `tracepoints_mutex`.
    fn run_hook<R>(&self, hook: impl FnOnce() -> R) -> R {
        // INVARIANT: `tracepoints_mutex` keeps other hooks away.
        self.hook_runs.fetch_add(1, Ordering::Relaxed);
        let result = run(&self.hook_task, hook);
        // Nobody else waits for these before the module is freed. They're for values of hooks, which don't need
        // the mutex.
        let mut has_waited = false;
        while self.unkept.load(Ordering::SeqCst) != 0 {
            has_waited = true;
            fsleep(Delta::from_millis(1));
        }
        if has_waited {
            let last = self.last.lock().take();
            drop(last);
        }
        self.hook_runs.fetch_add(1, Ordering::Relaxed);
        result
    }

    /// Counts a tracepoint that isn't enabled any more.
    fn disabled(&self) {
        if self.hooks.load(Ordering::Relaxed) == 1 {
            self.shut_down(true);
        }
        self.hooks.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs a function, and meanwhile has `running` refer to this task. Other tasks only compare it with
/// themselves.
fn run<R>(running: &AtomicPtr<bindings::task_struct>, function: impl FnOnce() -> R) -> R {
    running.store(Task::current_raw(), Ordering::Relaxed);
    let result = function();
    running.store(null_mut(), Ordering::Relaxed);
    result
}

/// Runs the `perf_perm` function of an event.
///
/// # Safety
///
/// The caller must be kernel/trace/trace_event_perf.c, which holds `event_mutex`.
pub unsafe fn perf_perm(function: impl FnOnce() -> Result) -> Result {
    // INVARIANT: `event_mutex` keeps other such functions away.
    run(&Module::this().perf_task, function)
}

/// Runs a tracepoint's `reg` hook.
///
/// # Safety
///
/// The caller must be `tracepoint_add_func()` (kernel/tracepoint.c), which holds
/// `tracepoints_mutex`. If this succeeds, [`unreg`] must be called later.
pub(crate) unsafe fn reg(hook: impl FnOnce() -> Result) -> Result {
    let module = Module::this();
    // Before the hook: it may wait for a thread that it starts.
    module.hooks.fetch_add(1, Ordering::Relaxed);
    module.run_hook(|| hook().inspect_err(|_| module.disabled()))
}

/// Runs a tracepoint's `unreg` hook.
///
/// # Safety
///
/// The caller must be kernel/tracepoint.c, which holds `tracepoints_mutex` and has called [`reg`].
pub(crate) unsafe fn unreg(hook: impl FnOnce()) {
    let module = Module::this();
    module.run_hook(|| {
        hook();
        module.disabled();
    });
}

/// Shuts down what is still registered when this module is going.
///
/// # Safety
///
/// Only the module notifier chain may call this.
unsafe extern "C" fn notify(
    _: *mut bindings::notifier_block,
    state: c_ulong,
    module: *mut c_void,
) -> c_int {
    if state != bindings::module_state_MODULE_STATE_GOING as c_ulong {
        return bindings::NOTIFY_OK as c_int;
    }
    // Whoever gets the lock after this sees the module's state.
    drop(Module::this().attaching.lock());
    if module == this_module().cast() {
        let module = Module::this();
        module.shut_down(false);
        // This can't unregister itself. The kernel waits for the item before it frees the module:
        // afterwards, CONFIG_DEBUG_NOTIFIERS complains about the notifier.
        *module.kobject.lock() = KobjectRef::new();
        // SAFETY: The notifier is registered, so the item has been set up. `free` waits for it.
        unsafe { queue_work(module.unlisten.get(), bindings::system_dfl_wq) };
    }
    bindings::NOTIFY_OK as c_int
}

/// # Safety
///
/// Only kernel/workqueue.c may call this, for what `notify` has queued.
unsafe extern "C" fn unlisten(_: *mut bindings::work_struct) {
    let module = Module::this();
    module.unlisten();
    // `free` waits until this has returned.
    let kobject = module.kobject.lock().take();
    drop(kobject);
}

/// Emits the parameter whose `free` function makes sure that the notifier is unregistered.
///
/// C: `module_param_cb()`, without permissions, so that sysfs doesn't show it
/// (`module_param_sysfs_setup()`, kernel/params.c), and without a `set` function: nobody can give a
/// parameter whose name contains a `=`, at which the kernel splits arguments (`next_arg()`,
/// lib/cmdline.c).
#[allow(named_asm_labels)] // `.ifndef` leaves one definition per object.
fn parameter() {
    /// `ops->free`. Harmless if called again, by the parameter of another object of the module.
    ///
    /// # Safety
    ///
    /// Only `module_destroy_params()` (kernel/params.c) may call this, when the module has ended or
    /// before its init function has been called.
    unsafe extern "C" fn free(_: *mut c_void) {
        let module = Module::this();
        // `load_module()` calls this before the notifiers if it fails before the init function, when
        // only hooks and their threads can have registered something. Otherwise the list is empty, except
        // after the warning about a trigger that has kept `unreg` from being called.
        module.shut_down(false);
        // INVARIANT: Unregistered below.
        if module.listening.swap(false, Ordering::Relaxed) {
            // SAFETY: `flush_work()` (kernel/workqueue.c) takes an item that has been set up, as this one
            // was, because `listening` was set.
            unsafe { bindings::flush_work(module.unlisten.get()) };
            module.unlisten();
        }
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

    // SAFETY: This emits data and no instructions. Because of `.ifndef`, it does so once, though it
    // can be inlined several times.
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
