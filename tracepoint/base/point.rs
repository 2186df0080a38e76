// SPDX-License-Identifier: GPL-2.0

//! Declaring and firing tracepoints.
//!
//! C header: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h)

use crate::{
    arch::this_cpu_online,
    base::{
        guard::{Srcu, TasksTrace},
        identity::Identity,
    },
};
use core::{ffi::CStr, marker::PhantomData};

/// A read-side guard under which a tracepoint's probes run.
pub trait Guard {
    /// Whether the probes may fault and sleep.
    const FAULTABLE: bool;
}

impl Guard for Srcu {
    const FAULTABLE: bool = false;
}

impl Srcu {
    /// Enters the critical section, unless no probe may be called here: that's on online CPUs only, since RCU doesn't
    /// wait for the others.
    ///
    /// # Safety
    ///
    /// The guard must be dropped: unregistering a probe waits for that.
    #[inline(always)]
    pub unsafe fn enter() -> Option<Self> {
        // SAFETY: The caller promises that the guard will be dropped.
        this_cpu_online().then(|| unsafe { Self::new() })
    }
}

impl Guard for TasksTrace {
    const FAULTABLE: bool = true;
}

impl TasksTrace {
    /// Enters the critical section. A faultable tracepoint doesn't depend on the CPU in C either.
    ///
    /// # Safety
    ///
    /// As for [`Srcu::enter`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn enter() -> Option<Self> {
        might_fault();
        // SAFETY: The caller promises that the guard will be dropped.
        Some(unsafe { Self::new() })
    }
}

/// A tracepoint declared with [`tracepoint!`](macro@crate::tracepoint) or
/// [`kernel_tracepoint!`](crate::kernel_tracepoint!).
///
/// # Safety
///
/// `NAME` must be the tracepoint's name.
pub unsafe trait Tracepoint: Identity {
    /// The name, as used in C code and tracefs.
    const NAME: &'static CStr;

    /// The read-side guard that a call holds while it runs the probes.
    type Guard: Guard;
}

/// A tracepoint declared with [`tracepoint!`](macro@crate::tracepoint), which this module can define.
///
/// # Safety
///
/// The type must have an associated function `__iterator` of its own, which calls the probes of the
/// tracepoint with the C arguments that it's called with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a kernel tracepoint: a module cannot define it",
    label = "is not declared with `tracepoint!`"
)]
pub unsafe trait Declared: Tracepoint {
    /// Naming this constant requires the trait. If that's an error, the compiler shows it at the tracepoint's name.
    const OK: () = ();
}

/// A tracepoint whose static key this module can test.
pub trait Enabled: Tracepoint {
    /// `NAME::enabled`.
    fn is_enabled() -> bool;

    /// Warns if RCU wouldn't see a probe, even if there is none. That's an expansion since it has a static.
    #[cfg(CONFIG_LOCKDEP)]
    #[track_caller]
    fn check_watching();
}

/// `NAME::enabled` with the checks of [`trace!`](crate::trace!).
#[inline(always)]
#[track_caller]
pub fn enabled<T: Enabled>(_: PhantomData<T>) -> bool {
    if T::Guard::FAULTABLE {
        might_fault();
    }
    #[cfg(CONFIG_LOCKDEP)]
    T::check_watching();
    T::is_enabled()
}

/// A tracepoint that this module can fire: its own, or one that the kernel or another module exports.
///
/// # Safety
///
/// The function in `SITE` must be unsafe if its arguments don't guarantee what the probes rely on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be fired with `trace!`",
    label = "is a span, or a kernel tracepoint that isn't exported or has a condition in C",
    note = "a span is begun with `span!` or `async_span!`"
)]
pub unsafe trait Fired: Enabled + Sized {
    /// What [`enabled`] takes, and a function with the arguments of the declaration. If there's none, the compiler
    /// reports that, and nothing about what uses it.
    type Site;

    /// The start of [`trace!`](crate::trace!). The function is `NAME::call`, as a pointer: if its arguments are
    /// wrong, the error has no note about a function that the driver doesn't know.
    const SITE: Self::Site;
}

/// Says that this point may fault and sleep.
///
/// C: `might_fault()`.
#[inline(always)]
#[track_caller]
pub fn might_fault() {
    #[cfg(all(CONFIG_MMU, any(CONFIG_PROVE_LOCKING, CONFIG_DEBUG_ATOMIC_SLEEP)))]
    {
        let caller = core::panic::Location::caller();
        // SAFETY: `__might_fault()` (mm/memory.c) takes a string and a line number for its message.
        unsafe {
            crate::base::bindings::__might_fault(
                kernel::str::CStrExt::as_char_ptr(kernel::file_from_location(caller)),
                caller.line() as kernel::ffi::c_int,
            )
        }
    }
}

/// The argument of the function that a tracepoint's name is as a value. It has no value, so the function
/// can't be called: a tracepoint is fired by [`trace!`](crate::trace!)`(name(argument, …))`, and spans are
/// begun with [`span!`](crate::span).
pub enum UseTraceMacro {}

/// Calls the probes of a tracepoint.
///
/// C: `trace_NAME()`. While no probe is registered, this is one NOP, and the arguments aren't
/// evaluated.
///
/// Any context where RCU is watching, including NMI, unless the tracepoint is `faultable`: then
/// process context that may sleep. Probes run in the caller's context.
///
/// It takes the path of a tracepoint that [`tracepoint!`](macro@crate::tracepoint) or
/// [`trace_event!`](crate::event::trace_event) has declared, and its arguments. Spans are begun with
/// [`span!`](crate::span) instead. Firing a tracepoint that C defines is unsafe: see
/// [`kernel_tracepoint!`](macro@crate::kernel_tracepoint). The value is `()`; what probes do can't fail.
///
/// ```
/// # tracepoint! { fn drv_fired(id: u32, data: &[u8]); }
/// # define_trace!(drv_fired);
/// trace!(drv_fired(7, b"data"));
/// ```
#[macro_export]
macro_rules! trace {
    ($($tracepoint:ident)::+ ($($arg:expr),* $(,)?)) => {
        // The tracepoint is named only once, for one error if there's none.
        match <$($tracepoint)::+ as $crate::__private::Fired>::SITE {
            (__point, __call) => if $crate::__private::enabled(__point) {
                __call($($arg),*);
            }
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "trace!: expected `name(argument, …)`, found `",
            ::core::stringify!($($other)*),
            "`",
        ))
    };
}
