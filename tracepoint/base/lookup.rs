// SPDX-License-Identifier: GPL-2.0

//! Finding tracepoints by name, in the kernel or in a module, including modules that are loaded
//! later.
//!
//! C: `for_each_kernel_tracepoint()`, `register_tracepoint_module_notifier()`.

use crate::{
    base::{
        define::{Ext, Prototype},
        point::Tracepoint,
        prototype::VERSION,
    },
    modules::{log::err, module::Module, this_module::state_of},
};
use core::{
    ffi::CStr,
    ptr::{null_mut, NonNull},
    sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering},
};
use kernel::{bindings, container_of, error::to_result, fmt, prelude::*, types::Opaque};

/// Logs why a tracepoint doesn't qualify.
fn refuse(why: fmt::Arguments<'_>) -> Result {
    err(why);
    Err(EINVAL)
}

/// A probe, and the tracepoint that it is attached to, if any.
///
/// # Invariants
///
/// - While `attached` is not NULL, the probe is registered on that tracepoint.
/// - `notifier` is registered while `listening` is set, and briefly before and after. While it is
///   registered, its callback and all code that changes `attached` run under
///   `tracepoint_module_list_mutex`.
pub struct Lookup {
    /// The name of the tracepoint.
    pub(super) name: &'static CStr,
    /// The prototype of the probe. The tracepoint's must be the same.
    prototype: &'static CStr,
    /// Whether to accept a tracepoint that is defined in C and so carries no prototype.
    c: bool,
    func: *mut c_void,
    data: *mut c_void,
    prio: i32,
    attached: AtomicPtr<bindings::tracepoint>,
    listening: AtomicBool,
    /// The error of a callback, until `register` has returned.
    error: AtomicI32,
    notifier: Opaque<bindings::notifier_block>,
}

// SAFETY: `func` and `data` are only passed to the kernel, which locks the notifier; the other
// fields are atomic or never written.
unsafe impl Sync for Lookup {}

// SAFETY: `func` and `data` are only passed to the kernel, and nothing is tied to a thread.
unsafe impl Send for Lookup {}

impl Lookup {
    /// Returns a probe that [`Lookup::start`] registers.
    ///
    /// # Safety
    ///
    /// `func` must be a C function with the prototype of `T`, and if `c` is set, with that of any tracepoint of
    /// the same name that is defined in C. `func` and `data` must stay valid until the lookup has been [detached](Lookup::detach),
    /// and the caller has waited for the probe.
    pub unsafe fn new<T: Tracepoint>(
        func: *mut c_void,
        data: *mut c_void,
        prio: i32,
        c: bool,
    ) -> Self {
        // INVARIANT: Neither the probe nor the notifier is registered.
        Self {
            name: T::NAME,
            prototype: T::PROTOTYPE,
            c,
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
        }
    }

    /// Attaches the probe to the kernel's own tracepoint, or has it attached to a module's.
    ///
    /// May sleep; process context.
    ///
    /// # Errors
    ///
    /// See [`Probe`](super::probe::Probe). Even on an error, the probe may have run, and the lookup has to be
    /// detached: it may be attached for a moment before another tracepoint of the name refuses it.
    ///
    /// # Safety
    ///
    /// It must be pinned until it has been detached.
    pub unsafe fn start(&self) -> Result {
        if let Some(tp) = kernel_tracepoint(self.name) {
            // SAFETY: The kernel's own tracepoints stay valid forever. The notifier isn't
            // registered, so only the owner attaches and detaches the probe.
            return unsafe { self.attach(tp.as_ptr()) };
        }
        // SAFETY: `register_tracepoint_module_notifier()` (kernel/tracepoint.c) takes a
        // `notifier_block` that must stay valid until `detach` unregisters it. The caller guarantees that.
        to_result(unsafe { bindings::register_tracepoint_module_notifier(self.notifier.get()) })?;
        // INVARIANT: The notifier has just been registered.
        self.listening.store(true, Ordering::Relaxed);
        to_result(self.error.swap(0, Ordering::Relaxed))
    }

    /// Returns whether the probe is attached to a tracepoint.
    pub fn is_attached(&self) -> bool {
        !self.attached.load(Ordering::Relaxed).is_null()
    }

    /// Ends the registration. The probe may still be running when this returns. Calling this again
    /// is harmless.
    ///
    /// May sleep; process context.
    pub fn detach(&self) {
        if self.listening.swap(false, Ordering::Relaxed) {
            // SAFETY: By the type's invariant, the notifier is registered. This calls `notify` with
            // MODULE_STATE_GOING for every module (kernel/tracepoint.c). It fails only if the notifier
            // isn't registered.
            let _ = unsafe { bindings::unregister_tracepoint_module_notifier(self.notifier.get()) };
        }
        // SAFETY: If the probe is still attached, the tracepoint is the kernel's own, and only the
        // owner calls this.
        unsafe { self.detach_now() };
    }

    /// Checks a tracepoint, and logs the reason if it doesn't qualify.
    ///
    /// With CONFIG_CFI, the C types of the probe must be the same, too, including what the prototype
    /// doesn't say of them, or the kernel doesn't let the tracepoint call it.
    ///
    /// # Safety
    ///
    /// `tp` and its module must be valid.
    unsafe fn check(&self, tp: *const bindings::tracepoint) -> Result {
        let (name, probe) = (self.name, self.prototype);
        // SAFETY: The caller promises that `tp` and its module are valid.
        match unsafe { Ext::prototype(tp) } {
            Prototype::Rust(prototype) if prototype == probe => Ok(()),
            Prototype::C if self.c => Ok(()),
            Prototype::Rust(prototype) => refuse(fmt!(
                "tracepoint {name}: is {prototype}, but the probe is {probe}\n"
            )),
            Prototype::C => refuse(fmt!(
                "tracepoint {name}: the first of this name is defined in C and has no prototype, but \
                 the probe is {probe}\n"
            )),
            Prototype::OtherVersion(version) => refuse(fmt!(
                "tracepoint {name}: its module has version {version} of the tracepoint library's interface, \
                 but the probe's has {VERSION}: build both with the same library\n"
            )),
        }?;
        #[cfg(CONFIG_CFI)]
        {
            use crate::arch::cfi_get_func_hash;

            // SAFETY: `func` is a C function.
            let have = unsafe { cfi_get_func_hash(self.func) };
            // SAFETY: Every tracepoint has a stub, a probe that the iterator may call.
            let want = unsafe { cfi_get_func_hash((*tp).probestub) };
            if have != want {
                return refuse(fmt!(
                    "tracepoint {name}: the probe has different C types (CONFIG_CFI: {have:#010x} instead \
                     of {want:#010x}): check `const`, what raw pointers point to, and enums\n"
                ));
            }
        }
        Ok(())
    }

    /// Checks `tp` and registers the probe on it.
    ///
    /// # Safety
    ///
    /// `tp` must stay valid until the probe is detached, and no other call may run concurrently.
    unsafe fn attach(&self, tp: *mut bindings::tracepoint) -> Result {
        // SAFETY: The caller promises that `tp` stays valid, and so its module does.
        unsafe { self.check(tp) }?;
        // SAFETY: The caller of `new` has promised that `func` and `data` are valid, and fit any
        // tracepoint that `check` accepts. The `may_exist` form is the one that doesn't warn.
        let registered = unsafe {
            bindings::tracepoint_probe_register_prio_may_exist(tp, self.func, self.data, self.prio)
        };
        to_result(registered).inspect_err(|error| {
            // The error can't be returned to a caller.
            if self.listening.load(Ordering::Relaxed) {
                let name = self.name;
                err(fmt!(
                    "tracepoint {name}: cannot attach the probe: {error:?}\n"
                ));
            }
        })?;
        // INVARIANT: The probe is now registered there.
        self.attached.store(tp, Ordering::Relaxed);
        Ok(())
    }

    /// # Safety
    ///
    /// The tracepoint must still be valid, and no other call may run concurrently.
    unsafe fn detach_now(&self) {
        // INVARIANT: The probe isn't registered anywhere once this returns.
        let tp = self.attached.swap(null_mut(), Ordering::Relaxed);
        if !tp.is_null() {
            // The probe is registered there, so there is no error and no warning.
            // SAFETY: The caller promises that the tracepoint is still valid, and only this
            // function unregisters the probe.
            unsafe { bindings::tracepoint_probe_unregister(tp, self.func, self.data) };
        }
    }

    /// Handles the loading or unloading of a module.
    ///
    /// # Safety
    ///
    /// Only kernel/tracepoint.c may call this, under `tracepoint_module_list_mutex`, with the
    /// notifier of a `Lookup` and a `struct tp_module`.
    unsafe extern "C" fn notify(
        notifier: *mut bindings::notifier_block,
        state: c_ulong,
        data: *mut c_void,
    ) -> c_int {
        // SAFETY: By the safety contract, the notifier belongs to a `Lookup`, which is pinned.
        let this = unsafe { &*container_of!(notifier.cast::<Opaque<_>>(), Self, notifier) };
        // SAFETY: By the safety contract, `data` is a `struct tp_module`, whose module is loaded.
        let module = unsafe { (*data.cast::<bindings::tp_module>()).mod_ };
        // SAFETY: A module is freed only after `tracepoint_module_going()` (kernel/tracepoint.c),
        // which needs the mutex that's held here.
        let mut tracepoints = unsafe { module_tracepoints(module) };
        let attached = this.attached.load(Ordering::Relaxed);
        if state == bindings::module_state_MODULE_STATE_GOING as c_ulong {
            if !attached.is_null() && tracepoints.any(|tp| tp == attached) {
                // SAFETY: The module's memory is freed only after this, and the mutex is held.
                unsafe { this.detach_now() };
            }
        } else if attached.is_null() {
            // SAFETY: The tracepoint is one of a loaded module's, and so valid.
            if let Some(tp) = tracepoints.find(|tp| unsafe { is_named(*tp, this.name) }) {
                // Not to a module that's being unloaded: its calls may have been forgotten already, so they'd pass
                // the data of the first probe to another one (`static_call_del_module()`,
                // kernel/static_call_inline.c). If it's going to be now, that waits for the lock. If another
                // notifier refuses the module, its state is still COMING (`prepare_coming_module()`,
                // kernel/module/main.c), but then its `init` isn't called, so nothing fires this.
                let _lock = Module::this().attaching.lock();
                // SAFETY: The module isn't freed before this has been called for it.
                if unsafe { state_of(module) } == bindings::module_state_MODULE_STATE_GOING {
                    return bindings::NOTIFY_OK as c_int;
                }
                // SAFETY: As above, and the mutex is held.
                if let Err(error) = unsafe { this.attach(tp) } {
                    this.error.store(error.to_errno(), Ordering::Relaxed);
                }
            }
        }
        bindings::NOTIFY_OK as c_int
    }
}

/// Returns whether a tracepoint has this name.
///
/// # Safety
///
/// `tp` must be valid.
#[inline(always)]
unsafe fn is_named(tp: *const bindings::tracepoint, name: &CStr) -> bool {
    // SAFETY: `strcmp()` (lib/string.c) takes two C strings. That of `tp` is static.
    unsafe { bindings::strcmp((*tp).name, name.as_char_ptr()) == 0 }
}

/// Returns the tracepoint with this name in the kernel itself.
pub fn kernel_tracepoint(name: &CStr) -> Option<NonNull<bindings::tracepoint>> {
    type Search<'a> = (&'a CStr, Option<NonNull<bindings::tracepoint>>);

    /// # Safety
    ///
    /// `search` must point to a `Search`, and `tp` must be valid.
    unsafe extern "C" fn look(tp: *mut bindings::tracepoint, search: *mut c_void) {
        // SAFETY: By the safety contract, `search` points to a `Search`, which only this uses
        // meanwhile.
        let (name, found) = unsafe { &mut *search.cast::<Search<'_>>() };
        // SAFETY: By the safety contract, `tp` is valid.
        if unsafe { is_named(tp, name) } {
            *found = NonNull::new(tp);
        }
    }

    let mut search: Search<'_> = (name, None);
    // SAFETY: `for_each_kernel_tracepoint()` (kernel/tracepoint.c) calls `look` with each
    // tracepoint and the search, and not after it has returned.
    unsafe { bindings::for_each_kernel_tracepoint(Some(look), (&raw mut search).cast()) };
    search.1
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
        // C: `tracepoint_ptr_deref()` (include/linux/tracepoint.h).
        // SAFETY: The array has `len` entries, so `first.add(i)` points to one of them. It holds the tracepoint's
        // offset from itself, or a pointer to the tracepoint.
        unsafe {
            let entry = first.add(i);
            if cfg!(CONFIG_HAVE_ARCH_PREL32_RELOCATIONS) {
                let offset = entry.cast::<i32>().read() as isize;
                entry.byte_offset(offset).cast_mut().cast()
            } else {
                entry.cast::<*mut bindings::tracepoint>().read()
            }
        }
    })
}
