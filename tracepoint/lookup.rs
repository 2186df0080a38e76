// SPDX-License-Identifier: GPL-2.0

//! Finding a tracepoint by its name: in the kernel, or in a module whenever it is loaded.
//!
//! C: `for_each_kernel_tracepoint()`, `register_tracepoint_module_notifier()`.
//!
//! `#[inline]` keeps what is here, however long, out of a module that registers no probe.

use super::{define::Ext, probe::tracepoint_probe_register};
use core::{
    ffi::CStr,
    ptr::{null_mut, NonNull},
    sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering},
};
use kernel::{
    bindings, container_of,
    error::{code::EINVAL, to_result, Error, Result},
    ffi::{c_int, c_ulong, c_void},
    prelude::*,
    types::Opaque,
};

/// What a tracepoint has to be for a probe to be called by it.
#[derive(Clone, Copy)]
pub struct Check {
    /// The prototype of the probe, which has to be the tracepoint's.
    pub prototype: &'static CStr,
    /// Whether a tracepoint will do that C defines, which carries no prototype.
    pub c: bool,
}

impl Check {
    /// Checks a tracepoint, and says in the log why it will not do.
    ///
    /// # Safety
    ///
    /// `tp` and its module must be valid.
    #[inline]
    unsafe fn check(self, name: &CStr, tp: *const bindings::tracepoint) -> Result {
        // SAFETY: By the caller's promise.
        match unsafe { Ext::prototype(tp) } {
            Some(prototype) if prototype == self.prototype => return Ok(()),
            None if self.c => return Ok(()),
            Some(prototype) => pr_err!(
                "tracepoint {}: is {}, but the probe is {}\n",
                Text(name),
                Text(prototype),
                Text(self.prototype),
            ),
            None => pr_err!(
                "tracepoint {}: is defined in C, without a prototype, and the probe is {}\n",
                Text(name),
                Text(self.prototype),
            ),
        }
        Err(EINVAL)
    }
}

/// A C string, printed as it is.
struct Text<'a>(&'a CStr);

impl kernel::fmt::Display for Text<'_> {
    #[inline]
    fn fmt(&self, f: &mut kernel::fmt::Formatter<'_>) -> kernel::fmt::Result {
        f.write_str(self.0.to_str().unwrap_or("(not UTF-8)"))
    }
}

/// A probe, and the tracepoint that it is attached to while there is one.
///
/// # Invariants
///
/// - While `attached` is not NULL, the probe is registered there.
/// - `notifier` is registered while `listening` is set, and for some time before and after. Its
///   callback and whatever changes `attached` while it is registered run under
///   `tracepoint_module_list_mutex`.
#[pin_data]
pub struct Lookup {
    name: &'static CStr,
    check: Check,
    func: *mut c_void,
    data: *mut c_void,
    prio: i32,
    attached: AtomicPtr<bindings::tracepoint>,
    listening: AtomicBool,
    /// What went wrong in a callback, until `register` has returned.
    error: AtomicI32,
    #[pin]
    notifier: Opaque<bindings::notifier_block>,
}

// SAFETY: `func` and `data` are only handed to the kernel; the rest is atomic or not written to.
unsafe impl Sync for Lookup {}

// SAFETY: As above; nothing belongs to a thread.
unsafe impl Send for Lookup {}

impl Lookup {
    /// Returns a probe that is attached nowhere yet.
    #[inline]
    pub fn new(
        name: &'static CStr,
        func: *mut c_void,
        data: *mut c_void,
        prio: i32,
        check: Check,
    ) -> impl PinInit<Self> {
        // INVARIANT: Nothing is registered.
        pin_init!(Self {
            name,
            check,
            func,
            data,
            prio,
            attached: AtomicPtr::new(null_mut()),
            listening: AtomicBool::new(false),
            error: AtomicI32::new(0),
            notifier: Opaque::new(bindings::notifier_block {
                notifier_call: Some(Self::notify),
                ..Default::default()
            }),
        })
    }

    /// Registers the probe, now or when the tracepoint's module comes.
    ///
    /// May sleep; process context.
    ///
    /// # Errors
    ///
    /// As [`Probe`](super::Probe) has them. The probe may have run all the same.
    ///
    /// # Safety
    ///
    /// `func` must be a C function with the prototype of every tracepoint called `name` that
    /// `check` lets through. It, `data` and this must stay until [`Lookup::detach`] and a
    /// `tracepoint_synchronize_unregister()` have returned, or this fails and the same has. Only
    /// once.
    #[inline]
    pub unsafe fn register(self: Pin<&Self>) -> Result {
        if let Some(tp) = kernel_tracepoint(self.name) {
            // SAFETY: A tracepoint of the kernel itself is there for ever.
            return unsafe { self.attach(tp.as_ptr()) };
        }
        // SAFETY: `register_tracepoint_module_notifier()` (kernel/tracepoint.c) takes a
        // `notifier_block` that stays until it is unregistered, which `detach` does.
        to_result(unsafe { bindings::register_tracepoint_module_notifier(self.notifier.get()) })?;
        // INVARIANT: Registered now.
        self.listening.store(true, Ordering::Relaxed);
        match self.error.swap(0, Ordering::Relaxed) {
            0 => Ok(()),
            error => {
                self.detach();
                Err(Error::from_errno(error))
            }
        }
    }

    /// Returns whether the probe is registered somewhere.
    #[inline]
    pub fn is_attached(&self) -> bool {
        !self.attached.load(Ordering::Relaxed).is_null()
    }

    /// Ends the registration. The probe can still be running when this returns. Doing it again is
    /// harmless.
    ///
    /// May sleep; process context.
    #[inline]
    pub fn detach(&self) {
        if self.listening.swap(false, Ordering::Relaxed) {
            // It fails only for what is not registered.
            let _ =
                // SAFETY: Registered, by the type's invariant. This calls `notify` with
                // MODULE_STATE_GOING for every module (kernel/tracepoint.c).
                unsafe { bindings::unregister_tracepoint_module_notifier(self.notifier.get()) };
        }
        // SAFETY: What is still attached is the kernel's own, and this is the owner's.
        unsafe { self.detach_now() };
    }

    /// Registers the probe on `tp`, unless it is registered already.
    ///
    /// # Safety
    ///
    /// `tp` must be valid until the probe is detached, and no other call may run.
    #[inline]
    unsafe fn attach(&self, tp: *mut bindings::tracepoint) -> Result {
        // SAFETY: By the caller's promise.
        unsafe { self.check.check(self.name, tp) }?;
        let registered =
            // SAFETY: `register`'s caller promised the rest for what `check` lets through.
            unsafe { tracepoint_probe_register(tp, self.func, self.data, self.prio) };
        if let Err(error) = registered {
            // There is nobody to return it to.
            if self.listening.load(Ordering::Relaxed) {
                pr_err!("tracepoint {}: no probe: {:?}\n", Text(self.name), error);
            }
            return Err(error);
        }
        // INVARIANT: Registered there.
        self.attached.store(tp, Ordering::Relaxed);
        Ok(())
    }

    /// # Safety
    ///
    /// The tracepoint must still be valid, and no other call may run.
    #[inline]
    unsafe fn detach_now(&self) {
        // INVARIANT: Registered nowhere once this returns.
        let tp = self.attached.swap(null_mut(), Ordering::Relaxed);
        if !tp.is_null() {
            // No error and no warning, since it is registered there.
            // SAFETY: Only this unregisters it.
            unsafe { bindings::tracepoint_probe_unregister(tp, self.func, self.data) };
        }
    }

    /// Looks at a module that comes or goes.
    ///
    /// # Safety
    ///
    /// Called by kernel/tracepoint.c under `tracepoint_module_list_mutex`, with the notifier of a
    /// `Lookup` and a `struct tp_module`.
    #[inline]
    unsafe extern "C" fn notify(
        notifier: *mut bindings::notifier_block,
        state: c_ulong,
        data: *mut c_void,
    ) -> c_int {
        let notifier: *mut Opaque<bindings::notifier_block> = notifier.cast();
        // SAFETY: By the contract, the notifier is that of a `Lookup`, which is pinned.
        let this = unsafe { &*container_of!(notifier, Self, notifier) };
        // SAFETY: By the contract; the module is loaded.
        let module = unsafe { (*data.cast::<bindings::tp_module>()).mod_ };
        // SAFETY: As above.
        let mut tracepoints = unsafe { module_tracepoints(module) };
        let attached = this.attached.load(Ordering::Relaxed);
        if state == bindings::module_state_MODULE_STATE_GOING as c_ulong {
            if !attached.is_null() && tracepoints.any(|tp| tp == attached) {
                // SAFETY: The module's memory is freed after this, and the mutex is held.
                unsafe { this.detach_now() };
            }
        } else if attached.is_null() {
            // SAFETY: A module's tracepoint is valid.
            if let Some(tp) = tracepoints.find(|tp| unsafe { is_named(*tp, this.name) }) {
                // SAFETY: The module does not go before this has been called for it, and the mutex
                // is held.
                if let Err(error) = unsafe { this.attach(tp) } {
                    this.error.store(error.to_errno(), Ordering::Relaxed);
                }
            }
        }
        bindings::NOTIFY_OK as c_int
    }
}

/// Returns whether a tracepoint has this name. There are some thousand to ask, most of which differ
/// in the first character or two.
///
/// # Safety
///
/// `tp` must be valid.
#[inline(always)]
unsafe fn is_named(tp: *const bindings::tracepoint, name: &CStr) -> bool {
    // SAFETY: By the caller's promise, and a tracepoint's name is a static C string: none of it is
    // read behind the first difference, which the NUL is at the latest.
    unsafe {
        let other = (*tp).name;
        name.to_bytes_with_nul()
            .iter()
            .enumerate()
            .all(|(i, byte)| *other.add(i) == *byte)
    }
}

/// Returns the tracepoint of the kernel itself with this name.
#[inline]
pub fn kernel_tracepoint(name: &CStr) -> Option<NonNull<bindings::tracepoint>> {
    struct Search<'a> {
        name: &'a CStr,
        found: Option<NonNull<bindings::tracepoint>>,
    }

    /// # Safety
    ///
    /// `search` must point to a `Search`, `tp` must be valid.
    #[inline]
    unsafe extern "C" fn look(tp: *mut bindings::tracepoint, search: *mut c_void) {
        // SAFETY: By the contract.
        let search = unsafe { &mut *search.cast::<Search<'_>>() };
        // SAFETY: By the contract.
        if unsafe { is_named(tp, search.name) } {
            search.found = NonNull::new(tp);
        }
    }

    let mut search = Search { name, found: None };
    // SAFETY: `for_each_kernel_tracepoint()` (kernel/tracepoint.c) calls `look` with every
    // tracepoint and the search, and not after it has returned.
    unsafe {
        bindings::for_each_kernel_tracepoint(Some(look), (&raw mut search).cast::<c_void>());
    }
    search.found
}

/// Returns the tracepoints of a module.
///
/// C: `for_each_tracepoint_range()` over `mod->tracepoints_ptrs`.
///
/// # Safety
///
/// `module` must be valid while the result is used.
unsafe fn module_tracepoints(
    module: *mut bindings::module,
) -> impl Iterator<Item = *mut bindings::tracepoint> {
    // SAFETY: `find_module_sections()` (kernel/module/main.c) sets both before the module's
    // notifiers are called.
    let (first, len) = unsafe { ((*module).tracepoints_ptrs, (*module).num_tracepoints) };
    (0..len as usize).map(move |i| {
        // SAFETY: `tracepoint_ptr_deref()`: with CONFIG_HAVE_ARCH_PREL32_RELOCATIONS each entry is
        // the distance from itself to the tracepoint. There are `len`.
        unsafe {
            let entry = first.add(i);
            entry.byte_offset(*entry as isize).cast_mut().cast()
        }
    })
}
