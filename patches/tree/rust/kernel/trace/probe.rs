// SPDX-License-Identifier: GPL-2.0

//! Probes: functions and closures that are called when a tracepoint is fired.
//!
//! C: `register_trace_NAME()` and the functions beneath it, in
//! [`kernel/tracepoint.c`](srctree/kernel/tracepoint.c).

use super::{
    guard::tracepoint_synchronize_unregister,
    point::{Tracepoint, UseTraceMacro},
};
use crate::{
    alloc::{flags::GFP_KERNEL, KBox},
    bindings, container_of,
    error::{to_result, Error, Result},
    ffi::{c_int, c_ulong, c_void},
    prelude::*,
    sync::atomic::{
        ordering::{Full, Release},
        Atomic,
    },
    types::Opaque,
};
use core::{marker::PhantomPinned, ptr::NonNull};

/// The priority of a probe that is registered without one.
///
/// C: `TRACEPOINT_DEFAULT_PRIO`.
pub const DEFAULT_PRIO: i32 = 10;

/// A registered probe. Dropping it unregisters the probe and waits until all running calls of the
/// probe have returned.
///
/// A probe that's still registered when the module that it belongs to is unloaded, because it's in a static or
/// has been forgotten, is unregistered then. That's the module in which `register` has been compiled: a
/// pointer to a function of another module must not outlive that module.
///
/// Probes run in the context of the call site, ordered by priority (higher first). They must not sleep unless
/// the tracepoint is `faultable`. Creating or dropping a `Probe` may sleep; it needs process context and must not
/// be done in a probe.
///
/// C: `register_trace_NAME()` and `unregister_trace_NAME()`, followed by
/// `tracepoint_synchronize_unregister()`.
///
/// # Invariants
///
/// `link` is the first field of a pinned `Registration<F>` from a [`KBox`], which this owns. `free` is
/// `free::<F>`. If the link's `module` isn't NULL, its `notifier` is registered.
#[must_use = "the probe is unregistered when it is dropped"]
pub struct Probe {
    link: NonNull<Link>,
    /// Drops the registration, of whatever type it is.
    free: unsafe fn(NonNull<Link>),
}

// SAFETY: The probe is `Send` and `Sync`, and a registration belongs to no thread.
unsafe impl Send for Probe {}

// SAFETY: The probe is `Sync`, and nothing can be done with a reference to the registration.
unsafe impl Sync for Probe {}

/// The part of a registration that doesn't depend on the type of the probe.
///
/// # Invariants
///
/// While `attached` is set, `thunk` is registered with `data`.
#[pin_data]
struct Link {
    #[pin]
    notifier: Opaque<bindings::notifier_block>,
    /// The module with the code of the probe, if it isn't built in.
    module: *mut bindings::module,
    tracepoint: *mut bindings::tracepoint,
    thunk: *mut c_void,
    data: *mut c_void,
    attached: Atomic<bool>,
    #[pin]
    _pin: PhantomPinned,
}

/// A probe and its registration, in one allocation.
#[repr(C)]
#[pin_data]
struct Registration<F> {
    #[pin]
    link: Link,
    probe: F,
}

impl Link {
    /// Unregisters the probe, once, and waits for its calls to return.
    fn detach(&self) {
        if !self.attached.xchg(false, Full) {
            return;
        }
        // SAFETY: By the type's invariant, the probe is registered with these: `attached` was set
        // until the exchange, after which only one caller gets here.
        unsafe { bindings::tracepoint_probe_unregister(self.tracepoint, self.thunk, self.data) };
        tracepoint_synchronize_unregister();
    }

    /// Registers for the notification that the module with the probe is unloaded, which comes before
    /// the module is freed.
    fn listen(&self) -> Result {
        if self.module.is_null() {
            return Ok(());
        }
        // SAFETY: The notifier stays where it is, until `Probe::drop` has unregistered it. If
        // that's forgotten, it's never freed, and the function is part of vmlinux.
        to_result(unsafe { bindings::register_tracepoint_owner_notifier(self.notifier.get()) })
    }
}

/// Detaches a probe whose module is unloaded.
///
/// # Safety
///
/// Only kernel/notifier.c may call this, for the `notifier` of a [`Link`].
unsafe extern "C" fn notify(
    notifier: *mut bindings::notifier_block,
    state: c_ulong,
    module: *mut c_void,
) -> c_int {
    // SAFETY: The caller passes the notifier of a link, which is valid while its notifier is
    // registered.
    let link = unsafe { &*container_of!(Opaque::cast_from(notifier), Link, notifier) };
    if state == bindings::module_state_MODULE_STATE_GOING as c_ulong && module == link.module.cast()
    {
        link.detach();
    }
    0
}

/// Drops the registration of a link.
///
/// # Safety
///
/// The link must be that of a `Registration<F>` from a [`KBox`], which nothing else uses.
unsafe fn free<F>(link: NonNull<Link>) {
    // SAFETY: The link is the first field. The caller promises that it's that of a
    // `Registration<F>` from a box, which nothing else uses.
    drop(unsafe { KBox::from_raw(link.as_ptr().cast::<Registration<F>>()) });
}

/// Returns the module with the code at this address, or NULL if it's built in.
fn module_of(function: *mut c_void) -> *mut bindings::module {
    // SAFETY: The caller runs code of the module, so it stays loaded.
    unsafe { bindings::module_of_address(function) }
}

impl Probe {
    fn new<T: Accepts<F>, F: Send + Sync + 'static>(probe: F, prio: i32) -> Result<Self> {
        let registration = try_pin_init!(&this in Registration::<F> {
            link <- try_pin_init!(Link {
                notifier <- Opaque::ffi_init(|notifier: *mut bindings::notifier_block| {
                    // SAFETY: The memory is allocated.
                    unsafe {
                        notifier.write(bindings::notifier_block {
                            notifier_call: Some(notify),
                            ..pin_init::zeroed()
                        })
                    }
                }),
                module: module_of(T::THUNK),
                tracepoint: T::tracepoint(),
                thunk: T::THUNK,
                // SAFETY: The memory is allocated, and no reference is created.
                data: unsafe { (&raw mut (*this.as_ptr()).probe).cast() },
                attached: Atomic::new(false),
                _pin: PhantomPinned,
            }),
            probe,
        }? Error);
        let registration = KBox::pin_init(registration, GFP_KERNEL)?;
        let link = &registration.link;
        link.listen()?;
        // SAFETY: The thunk takes a pointer to an `F`, which is dropped after the probe has been unregistered and
        // waited for, and the C arguments of the declaration, which are those of the tracepoint.
        let result = to_result(unsafe {
            bindings::tracepoint_probe_register_prio(link.tracepoint, link.thunk, link.data, prio)
        });
        link.attached.store(result.is_ok(), Release);
        // SAFETY: The registration stays pinned: nothing moves it until `free` drops it.
        let registration = KBox::into_raw(unsafe { Pin::into_inner_unchecked(registration) });
        // INVARIANT: It's from a box and pinned.
        let this = Self {
            // SAFETY: A box's pointer isn't NULL.
            link: unsafe { NonNull::new_unchecked(registration.cast()) },
            free: free::<F>,
        };
        result.map(|()| this)
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // SAFETY: By the type's invariant, `link` is part of a registration that this owns.
        let link = unsafe { self.link.as_ref() };
        if !link.module.is_null() {
            // SAFETY: `listen` has registered it. Afterwards, `notify` doesn't run any more.
            unsafe { bindings::unregister_tracepoint_owner_notifier(link.notifier.get()) };
        }
        link.detach();
        // SAFETY: By the type's invariant, `free` is for the type of the registration, to which
        // nobody else refers any more.
        unsafe { (self.free)(self.link) };
    }
}

/// A tracepoint that accepts an `F` as a probe: a function or closure that takes its arguments.
///
/// The macros that declare a tracepoint implement it.
///
/// # Safety
///
/// `THUNK` must be a C function that takes a pointer to an `F`, followed by the C arguments of the tracepoint.
pub unsafe trait Accepts<F>: Tracepoint {
    /// The function that calls the `F`.
    #[doc(hidden)]
    const THUNK: *mut c_void;
}

/// The functions of a declared tracepoint that register a probe.
///
/// They are methods of the tracepoint's name. As a value, that's a function that returns the tracepoint's
/// type, and that can't be called, because there's no value of its argument's type.
pub trait Register<T: Tracepoint>: Sized {
    /// Registers a function or closure as a probe, with the priority [`DEFAULT_PRIO`]. May sleep, so it needs
    /// process context. It must not be called in a probe.
    ///
    /// C: `register_trace_NAME()`.
    ///
    /// # Errors
    ///
    /// `ENOMEM`: there's not enough memory.
    fn register<F: Send + Sync + 'static>(self, probe: F) -> Result<Probe>
    where
        T: Accepts<F>,
    {
        self.register_prio(probe, DEFAULT_PRIO)
    }

    /// Registers a probe with a priority. It runs before probes of lower priority. Same contexts and errors as
    /// for [`register`](Register::register).
    ///
    /// C: `register_trace_prio_NAME()`.
    fn register_prio<F: Send + Sync + 'static>(self, probe: F, prio: i32) -> Result<Probe>
    where
        T: Accepts<F>,
    {
        Probe::new::<T, F>(probe, prio)
    }
}

impl<N: FnOnce(UseTraceMacro) -> T, T: Tracepoint> Register<T> for N {}
