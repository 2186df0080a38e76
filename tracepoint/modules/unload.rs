// SPDX-License-Identifier: GPL-2.0

//! Shutting down what is still registered when its module is unloaded.
//!
//! Rust drops no statics, and safe code may forget a value ([`core::mem::forget`], `KBox::leak`).
//! A probe, a timer or a thread that is never dropped would run code that has been freed with its
//! module. In C, the driver has to prevent that; in Rust, safe code must not be able to cause it.
//!
//! So a type that passes pointers into its module to the kernel puts its values into a
//! [`Registered`]. The module keeps a list of them. When the module is unloaded, or when its init
//! function fails, whatever is still in the list is shut down, newest first. Then this waits for the
//! work items to which values have been left.
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
//! module couldn't be loaded.

pub use crate::modules::registered::{Registered, ShutDown};

use crate::modules::{lock::Lock, module_static::module_static, registered::List};
use core::{
    arch::asm,
    mem::{offset_of, size_of},
    ptr::null_mut,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
};
use kernel::{
    bindings,
    error::{to_result, Error, Result},
    ffi::{c_int, c_ulong, c_void},
    task::Task,
    time::{delay::fsleep, Delta},
    types::Opaque,
};

/// What the library keeps in each module that has hooks or registers something.
///
/// All zeroes is its initial value.
///
/// # Invariants
///
/// - `notifier` is registered while `listening` is set, and briefly before and after. It's locked while
///   that changes.
/// - `hook_task` is the task that runs a hook, or NULL; `perf_task` the one that runs a `perf_perm`
///   function.
/// - `abandoned` is the number of work items, pending or running, to which values have been left.
/// - `hooks` is the number of tracepoints whose `reg` has been called and has not failed, and whose
///   `unreg` hasn't returned. It changes under `tracepoints_mutex`.
#[repr(C)]
pub(crate) struct Module {
    pub(crate) list: Lock<List>,
    pub(crate) abandoned: AtomicUsize,
    notifier: Lock<Opaque<bindings::notifier_block>>,
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
    pub(crate) fn this() -> &'static Self {
        let this = module_static!("tracepoint.module": Self);
        // SAFETY: It's a static of that type. All zeroes is valid.
        unsafe { &*this }
    }

    /// Returns whether this task runs a hook or a `perf_perm` function.
    #[inline]
    pub(crate) fn is_in_hook(&self) -> bool {
        let task = Task::current_raw();
        [&self.hook_task, &self.perf_task]
            .iter()
            .any(|running| running.load(Ordering::Relaxed) == task)
    }

    /// Returns whether another task runs a hook.
    #[inline]
    pub(crate) fn is_another_in_hook(&self) -> bool {
        let task = self.hook_task.load(Ordering::Relaxed);
        !task.is_null() && task != Task::current_raw()
    }

    /// Registers the notifier, unless it is registered. May sleep, until nobody runs the chain; so only
    /// in a work item, which nobody waits for in it.
    #[inline]
    pub(crate) fn listen(&self) -> Result {
        parameter();
        let notifier = self.notifier.lock();
        if self.listening.load(Ordering::Relaxed) {
            return Ok(());
        }
        // SAFETY: It's locked. `register_module_notifier()` (kernel/module/main.c) takes a
        // `notifier_block` that stays until `free` unregisters it.
        to_result(unsafe {
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

    /// Shuts down whatever is in the list; after a hook, only if the notifier isn't going to.
    ///
    /// Process context, may sleep.
    #[inline]
    fn shut_down(&self, after_hook: bool) {
        // `listening` is set before anything outside of hooks is put into the list.
        while self.shut_down_newest(|| after_hook && self.listening.load(Ordering::Relaxed)) {}
        // A work item may need the lock under which a hook runs.
        if after_hook {
            return;
        }
        while self.abandoned.load(Ordering::Acquire) != 0 {
            fsleep(Delta::from_millis(1));
        }
        self.reap();
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
            self.shut_down(true);
        }
        self.hooks.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns `EDEADLK`, for which the kernel crate has a constant since 7.3.
#[inline]
pub(crate) fn edeadlk() -> Error {
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
        // `load_module()` calls this before the notifiers if it fails before the init function, when
        // only hooks and their threads can have registered something. Otherwise the list is empty.
        module.shut_down(false);
        // INVARIANT: Unregistered below.
        if module.listening.swap(false, Ordering::Relaxed) {
            // SAFETY: `unregister_module_notifier()` (kernel/module/main.c) waits until no notifier
            // runs. It fails only if the notifier isn't registered.
            let _ = unsafe { bindings::unregister_module_notifier(module.notifier.lock().get()) };
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
