// SPDX-License-Identifier: GPL-2.0

//! Probes: functions attached to a tracepoint.
//!
//! C: `register_trace_NAME()` and the functions beneath it, in
//! [`kernel/tracepoint.c`](srctree/kernel/tracepoint.c).

use crate::{
    base::{
        guard::{in_faultable_probe, tracepoint_synchronize_unregister, Srcu, TasksTrace},
        lookup::Lookup,
        point::{Guard, Tracepoint, UseTraceMacro},
    },
    modules::{
        module::Module,
        unload::{Registered, ShutDown},
    },
};
use core::{
    any::TypeId,
    hash::{Hash, Hasher},
    mem::needs_drop,
    ptr::without_provenance_mut,
};
use kernel::{fmt, prelude::*};

/// The priority of a probe that is registered without one.
///
/// C: `TRACEPOINT_DEFAULT_PRIO`.
pub const DEFAULT_PRIO: i32 = 10;

/// Returns a number unique to the type and never zero.
fn type_number<T: 'static>() -> usize {
    struct Number(u64);

    impl Hasher for Number {
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
            }
        }

        fn finish(&self) -> u64 {
            self.0
        }
    }

    let mut number = Number(0);
    TypeId::of::<T>().hash(&mut number);
    number.finish() as usize | 1
}

/// A registered probe. Dropping it unregisters the probe and waits until all running calls of the
/// probe have returned.
///
/// Call `register` on a declared tracepoint to create one from a function or closure that takes the
/// declaration's arguments. The tracepoint is looked up by name, in the kernel and in all modules.
/// If the module that defines it isn't loaded yet, the probe is attached once it is. If the module
/// is reloaded, the probe is attached again. The probe holds no reference to the module, which can
/// be unloaded at any time.
///
/// ```
/// # tracepoint! { fn drv_probed(id: u32, data: &[u8]); }
/// let limit = 4096;
/// let probe = drv_probed.register(move |id, data| {
///     if data.len() > limit {
///         pr_info!("request {id} is large\n");
///     }
/// })?;
/// ```
///
/// A function can be registered only once on a tracepoint: the second registration returns
/// `EEXIST`. If the tracepoint's module is loaded later, the error is logged instead, and the
/// second registration has no effect until the module is loaded again. A closure that captures data
/// is distinct each time.
///
/// If a module defines the tracepoint with a different prototype, the probe is not attached and
/// both prototypes are logged. If that module is already loaded, `register` returns `EINVAL`.
///
/// A probe that's still registered when its own module is unloaded, because it's in a static or has
/// been forgotten, is unregistered then.
///
/// Probes run in the context of the call site, ordered by priority (higher first; the default is
/// 10). They must not sleep unless the tracepoint is `faultable`. Creating or dropping a `Probe`
/// may sleep; it needs process context and must not be done in a probe, in a hook (the `reg` and
/// `unreg` functions of [`define_trace!`](crate::define_trace)) or in an event's `perf_perm`
/// function. If a probe, or whoever keeps a probe from ending, drops a `Probe` nevertheless, that's
/// logged, and the `Probe` is unregistered and freed [later](Registered).
///
/// # Errors
///
/// `register` returns:
///
/// - `EDEADLK`: it's called by a hook, by an event's `perf_perm` function, by a task for which a hook waits,
///   or by a probe, or in a context in which nothing may sleep.
/// - `EEXIST`: this function is already registered on the tracepoint.
/// - `ENODEV`: the module is being unloaded.
/// - `EINVAL` (logged): the tracepoint's prototype differs, with CONFIG_CFI also if just its C types do; it's in
///   a module that was built with another version of this library's interface; or it's defined in C and has no
///   prototype.
/// - `ENOMEM`: there's not enough memory.
/// - Any error returned by the tracepoint's `reg` hook.
///
/// C: `register_trace_NAME()` and `unregister_trace_NAME()`, followed by
/// `tracepoint_synchronize_unregister()`.
#[must_use = "the probe is unregistered when it is dropped"]
pub struct Probe(Registered<Lookup>);

/// A probe and its registration data, in one allocation.
///
/// # Invariants
///
/// `lookup` is pinned.
#[repr(C)]
#[pin_data]
struct Registration<F> {
    lookup: Lookup,
    probe: F,
}

impl<F: Send + Sync + 'static> ShutDown for Registration<F> {
    fn start(&self) -> Result {
        // SAFETY: By the type's invariant, `lookup` is pinned, and it's freed only after
        // `shut_down` has detached it.
        unsafe { self.lookup.start() }
    }

    fn shut_down(&self) {
        self.lookup.detach();
    }

    fn synchronize(&self) {
        tracepoint_synchronize_unregister();
    }

    fn is_running(&self) -> bool {
        in_faultable_probe() || Module::this().is_in_hook()
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(fmt!("a probe of {}", self.lookup.name))
    }
}

impl Probe {
    /// Registers a probe.
    ///
    /// # Safety
    ///
    /// If `c` is set, any tracepoint of this name that is defined in C must have the arguments of `T`.
    unsafe fn new<T: Accepts<F>, F: Send + Sync + 'static>(
        probe: F,
        prio: i32,
        c: bool,
    ) -> Result<Self> {
        let is_function = size_of::<F>() == 0 && align_of::<F>() == 1 && !needs_drop::<F>();
        // INVARIANT: It's initialised where it stays.
        let registration = pin_init!(&this in Registration::<F> {
            probe,
            lookup: {
                let data = if is_function {
                    // Identify it by the thunk and its type, since functions with identical bodies may
                    // share one thunk.
                    without_provenance_mut(type_number::<F>())
                } else {
                    // SAFETY: The memory is allocated, and no reference is created. A zero-sized `F`
                    // comes after the lookup, so the address is unique to it all the same.
                    unsafe { (&raw mut (*this.as_ptr()).probe).cast() }
                };
                // SAFETY: The thunk takes a pointer to an `F`, which is dropped after the probe has been
                // unregistered and waited for, and the C arguments of the declaration. The caller guarantees that
                // those in C have them, too.
                unsafe { Lookup::new::<T>(T::THUNK, data, prio, c) }
            },
        }? Error);
        let registered = Registered::new::<Error>(registration)?;
        Ok(Self(registered.map(|registration| &registration.lookup)))
    }

    /// Returns whether the tracepoint has been found and the probe attached to it. Any context.
    pub fn is_attached(&self) -> bool {
        self.0.is_attached()
    }

    /// Unregisters the probe and waits, like dropping it, and reports whether it was attached. May sleep;
    /// process context.
    ///
    /// C: `unregister_trace_NAME()`, followed by `tracepoint_synchronize_unregister()`.
    ///
    /// # Errors
    ///
    /// - `ENOENT`: the probe was not attached: the tracepoint's module isn't loaded, or attaching
    ///   the probe failed when it was loaded, which has been logged.
    pub fn unregister(self) -> Result {
        let attached = self.is_attached();
        drop(self);
        attached.then_some(()).ok_or(ENOENT)
    }
}

/// A group of probes. Dropping the group unregisters all of them and waits only once; dropping the
/// probes one by one would wait for each. Dropping it may sleep; process context.
///
/// C: several calls of `unregister_trace_NAME()`, followed by one of `tracepoint_synchronize_unregister()`.
///
/// ```
/// use tracepoint::linux::sched::{sched_switch, sched_waking};
///
/// let mut probes = ProbeGroup::new();
/// probes.push(sched_switch.register(|_, _, _, _| { /* … */ })?)?;
/// probes.push(sched_waking.register(|_| { /* … */ })?)?;
/// ```
#[must_use = "the probes are unregistered when the group is dropped"]
#[derive(Default)]
pub struct ProbeGroup(KVec<Probe>);

impl ProbeGroup {
    /// Creates an empty group.
    pub const fn new() -> Self {
        Self(KVec::new())
    }

    /// Adds a probe. May sleep; process context.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`: there's not enough memory. The probe has been unregistered.
    pub fn push(&mut self, probe: Probe) -> Result {
        Ok(self.0.push(probe, GFP_KERNEL)?)
    }

    /// Returns the probes in the order they were added.
    pub fn probes(&self) -> &[Probe] {
        &self.0
    }
}

impl Drop for ProbeGroup {
    fn drop(&mut self) {
        Registered::drop_together(self.0.iter_mut().map(|probe| &mut probe.0));
    }
}

/// A tracepoint that accepts an `F` as a probe: a function or closure that takes its arguments.
///
/// The macros that declare a tracepoint implement it.
///
/// # Safety
///
/// `THUNK` must be a C function in this module that takes a pointer to an `F`, followed by the
/// C arguments of the tracepoint. If `CHECKED` is set, the declaration must come from the C header, or
/// the compiler must have compared both.
pub unsafe trait Accepts<F>: Tracepoint {
    /// The function that calls the `F`.
    #[doc(hidden)]
    const THUNK: *mut c_void;

    /// Whether a tracepoint defined in C is acceptable.
    #[doc(hidden)]
    const CHECKED: bool;
}

/// A guard for whose readers the kernel waits before it calls another probe.
#[diagnostic::on_unimplemented(
    message = "the kernel can call this probe with another one's data",
    label = "only `register_unchecked` registers it: see docs/safety.md"
)]
pub trait Awaited: Guard {}

impl Awaited for Srcu {}
impl Awaited for TasksTrace {}

/// The functions of a declared tracepoint that register a probe.
///
/// They belong to the tracepoint's name, which as a value is a function that returns its type and
/// that nobody can call.
pub trait Register<T: Tracepoint>: Sized {
    /// Registers a function or closure as a probe, with the priority [`DEFAULT_PRIO`]. May sleep;
    /// process context, but not in a probe or in a tracepoint's hook. See [`Probe`].
    ///
    /// A faultable tracepoint of C's, such as `sys_enter`, accepts only
    /// [`register_unchecked`](Register::register_unchecked) if the kernel has static calls.
    ///
    /// C: `register_trace_NAME()`.
    ///
    /// # Errors
    ///
    /// See [`Probe`].
    fn register<F: Send + Sync + 'static>(self, probe: F) -> Result<Probe>
    where
        T: Accepts<F, Guard: Awaited>,
    {
        self.register_prio(probe, DEFAULT_PRIO)
    }

    /// Registers a probe with a priority. It runs before probes of lower priority. Same contexts as for
    /// [`register`](Register::register).
    ///
    /// C: `register_trace_prio_NAME()`.
    ///
    /// # Errors
    ///
    /// See [`Probe`].
    fn register_prio<F: Send + Sync + 'static>(self, probe: F, prio: i32) -> Result<Probe>
    where
        T: Accepts<F, Guard: Awaited>,
    {
        // SAFETY: If `CHECKED` is set, so that C may define the tracepoint, the compiler has
        // checked the declaration against the header.
        unsafe { Probe::new::<T, F>(probe, prio, T::CHECKED) }
    }

    /// Registers a probe on a tracepoint that is defined in C and carries no prototype, or is faultable. Same
    /// contexts as for [`register`](Register::register).
    ///
    /// # Errors
    ///
    /// See [`Probe`].
    ///
    /// # Safety
    ///
    /// The C declaration must have the same arguments as this one. If it's faultable, and static calls are
    /// enabled (`CONFIG_HAVE_STATIC_CALL`), no other probe may be registered or removed, not even by tracing
    /// itself, until a grace period of RCU Tasks Trace after this one has been dropped, nor during such a
    /// grace period before: the kernel doesn't wait for one when it calls another function directly.
    unsafe fn register_unchecked<F: Send + Sync + 'static>(
        self,
        probe: F,
        prio: i32,
    ) -> Result<Probe>
    where
        T: Accepts<F>,
    {
        // SAFETY: The caller promises that the C declaration has the same arguments.
        unsafe { Probe::new::<T, F>(probe, prio, true) }
    }
}

impl<N: FnOnce(UseTraceMacro) -> T, T: Tracepoint> Register<T> for N {}
