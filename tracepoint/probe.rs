// SPDX-License-Identifier: GPL-2.0

//! Probes: functions that a tracepoint calls.
//!
//! C: `register_trace_NAME()` and what it stands on,
//! [`kernel/tracepoint.c`](srctree/kernel/tracepoint.c).

use super::{
    guard::{tracepoint_synchronize_unregister, Srcu, TasksTrace},
    lookup::{Check, Lookup},
    point::Tracepoint,
};
use core::{
    any::TypeId,
    ffi::CStr,
    hash::{Hash, Hasher},
    mem::{align_of, needs_drop, size_of},
    ptr::{without_provenance_mut, NonNull},
};
use kernel::{
    alloc::{flags::GFP_KERNEL, KBox, KVec},
    bindings,
    error::{code::ENOENT, to_result, Result},
    ffi::c_void,
    prelude::*,
};

/// The priority of a probe that was given none.
///
/// C: `TRACEPOINT_DEFAULT_PRIO`.
pub const DEFAULT_PRIO: i32 = 10;

/// Registers a probe on a tracepoint.
///
/// C: `tracepoint_probe_register_prio_may_exist()`. May sleep; process context.
///
/// # Errors
///
/// - `EEXIST`: this pair of `func` and `data` is registered there already.
/// - `ENOMEM`.
/// - What the tracepoint's `reg` hook returned.
///
/// # Safety
///
/// `tp` must be valid, `func` must be a C function with the tracepoint's prototype, and both it and
/// `data` must stay until the probe has been unregistered and
/// [`tracepoint_synchronize_unregister`] has returned.
#[inline]
pub unsafe fn tracepoint_probe_register(
    tp: *mut bindings::tracepoint,
    func: *mut c_void,
    data: *mut c_void,
    prio: i32,
) -> Result {
    // SAFETY: By the caller's promise. The `may_exist` form is the one that does not warn.
    to_result(unsafe { bindings::tracepoint_probe_register_prio_may_exist(tp, func, data, prio) })
}

/// Unregisters a probe. It can still be running when this returns.
///
/// C: `tracepoint_probe_unregister()`, which warns where this returns an error. May sleep; process
/// context.
///
/// # Errors
///
/// - `ENOENT`: this pair of `func` and `data` is not registered there.
///
/// # Safety
///
/// `tp` must be valid, and nobody else may unregister the same pair at the same time.
pub unsafe fn tracepoint_probe_unregister(
    tp: *mut bindings::tracepoint,
    func: *mut c_void,
    data: *mut c_void,
) -> Result {
    // SAFETY: By the caller's promise.
    if !unsafe { is_registered(tp, func, data) } {
        return Err(ENOENT);
    }
    // SAFETY: By the caller's promise.
    to_result(unsafe { bindings::tracepoint_probe_unregister(tp, func, data) })
}

/// Returns whether a pair of function and data is among a tracepoint's probes.
///
/// # Safety
///
/// `tp` must be valid.
unsafe fn is_registered(
    tp: *const bindings::tracepoint,
    func: *mut c_void,
    data: *mut c_void,
) -> bool {
    // `release_probes()` (kernel/tracepoint.c) frees the array after a grace period of the one or
    // of the other.
    let _srcu = Srcu::new();
    let _tasks_trace = TasksTrace::new();
    // SAFETY: The guards keep the array, which ends with a NULL function.
    unsafe {
        let mut entry = (&raw const (*tp).funcs).read_volatile();
        if entry.is_null() {
            return false;
        }
        loop {
            let registered = (&raw const (*entry).func).read_volatile();
            if registered.is_null() {
                return false;
            }
            if registered == func && (*entry).data == data {
                return true;
            }
            entry = entry.add(1);
        }
    }
}

/// Returns a number that no other type has. Not zero.
fn type_number<T: 'static>() -> usize {
    struct Number(u64);

    impl Hasher for Number {
        #[inline]
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

/// A registered probe. Dropping it unregisters the probe and waits until it has returned
/// everywhere.
///
/// `register` of a declared tracepoint makes it, from a function or a closure with the
/// declaration's arguments. The tracepoint is found by its name: in the kernel or in any module,
/// now or when the module that defines it is loaded, and again when that module is reloaded. The
/// probe holds no reference to the module, which can be unloaded at any time.
///
/// A function is registered once: a second registration of it on the same tracepoint returns
/// `EEXIST`, unless the module that defines it comes later: then the log says so, and the second
/// is not called before that module is loaded again. A closure that carries data is new each time.
///
/// Where a module defines the tracepoint with another prototype, the probe is not called; the log
/// shows both. `register` returns `EINVAL` then, unless the module comes later.
///
/// Rust drops no statics, and what is forgotten is not dropped either: a probe that is registered
/// when its module goes is called where there is no code any more. It belongs into the module's
/// type, or has to be taken out of its static in the `drop` of that.
///
/// Probes run in the context of the call site, in the order of their priority (higher first; 10
/// unless given), and must not sleep unless the tracepoint is `faultable`. Making and dropping one
/// may sleep; process context, and not in a probe or in a tracepoint's hooks.
///
/// # Errors
///
/// `register` returns:
///
/// - `EEXIST`: this function is registered there already.
/// - `EINVAL`: the tracepoint's prototype differs, or C defines it, without one.
/// - `ENOMEM`.
/// - What the tracepoint's `reg` hook returned.
///
/// # Invariants
///
/// `registration` is a pinned [`Registration`] in a box of its own, which `free` frees.
#[must_use = "the probe is unregistered when it is dropped"]
pub struct Probe {
    registration: NonNull<Registration<()>>,
    free: unsafe fn(NonNull<Registration<()>>),
    /// Cleared where the group has unregistered its probes and waited for all of them at once.
    waits: bool,
}

/// A probe and what it is registered with, in one piece of memory.
#[pin_data]
#[repr(C)]
struct Registration<F> {
    #[pin]
    lookup: Lookup,
    probe: F,
}

// SAFETY: `new` takes only values that may be dropped and called from any thread; the registration
// is the kernel's, which locks.
unsafe impl Send for Probe {}

// SAFETY: As above. `&Probe` gives no access to the value.
unsafe impl Sync for Probe {}

impl Probe {
    /// Registers `probe`, which `thunk` calls.
    ///
    /// # Safety
    ///
    /// `thunk` must be a C function that takes a pointer to an `F` and then the words of every
    /// tracepoint called `name` that `check` lets through. It must be in this module.
    pub unsafe fn new<F: Send + Sync + 'static>(
        name: &'static CStr,
        thunk: *mut c_void,
        probe: F,
        prio: i32,
        check: Check,
    ) -> Result<Self> {
        /// # Safety
        ///
        /// `registration` must come from a `KBox<Registration<F>>`, which ends here.
        unsafe fn free<F>(registration: NonNull<Registration<()>>) {
            // SAFETY: By the caller's promise.
            drop(unsafe { KBox::<Registration<F>>::from_raw(registration.as_ptr().cast()) });
        }

        let is_function = size_of::<F>() == 0 && align_of::<F>() == 1 && !needs_drop::<F>();
        let registration = KBox::pin_init(
            pin_init!(&this in Registration::<F> {
                lookup <- {
                    let data = if is_function {
                        // The pair that identifies it is `thunk` and its own type, since functions
                        // with equal bodies may share one thunk.
                        without_provenance_mut(type_number::<F>())
                    } else {
                        // SAFETY: The memory is there; no reference is made. An `F` without a size
                        // lies behind the lookup, so that this is its own all the same.
                        unsafe { (&raw mut (*this.as_ptr()).probe).cast() }
                    };
                    Lookup::new(name, thunk, data, prio, check)
                },
                probe,
            }),
            GFP_KERNEL,
        )?;
        // SAFETY: `thunk` takes `data`; the box stays until `drop` has waited, or this below.
        let registered = unsafe { Pin::new_unchecked(&registration.lookup).register() };
        if let Err(error) = registered {
            // It can have been attached for a moment, before another tracepoint of the same name
            // refused it.
            tracepoint_synchronize_unregister();
            return Err(error);
        }
        // SAFETY: It stays pinned: only `free` gets at it, to drop it.
        let registration = KBox::into_raw(unsafe { Pin::into_inner_unchecked(registration) });
        Ok(Self {
            // INVARIANT: A box's pointer, with the function that frees such a box.
            // SAFETY: A box's pointer is not NULL.
            registration: unsafe { NonNull::new_unchecked(registration) }.cast(),
            free: free::<F>,
            waits: true,
        })
    }

    #[inline]
    fn lookup(&self) -> &Lookup {
        // SAFETY: By the type's invariant; the lookup comes first, whatever `F` is.
        unsafe { &*self.registration.as_ptr().cast::<Lookup>() }
    }

    /// Returns whether the tracepoint has been found and calls the probe.
    pub fn is_attached(&self) -> bool {
        self.lookup().is_attached()
    }

    /// Unregisters the probe and waits, as dropping it does, and says whether it was attached.
    ///
    /// # Errors
    ///
    /// - `ENOENT`: the probe was not registered anywhere, since the tracepoint's module is not
    ///   loaded.
    pub fn unregister(self) -> Result {
        let attached = self.is_attached();
        drop(self);
        if attached {
            Ok(())
        } else {
            Err(ENOENT)
        }
    }
}

impl Drop for Probe {
    #[inline]
    fn drop(&mut self) {
        if self.waits {
            self.lookup().detach();
            tracepoint_synchronize_unregister();
        }
        // SAFETY: By the type's invariant; nobody runs the probe any more.
        unsafe { (self.free)(self.registration) };
    }
}

/// Probes that go together. Dropping the group unregisters all of them and waits once, where
/// dropping them one by one would wait for each.
///
/// ```ignore
/// let mut probes = ProbeGroup::new();
/// probes.push(drv_queue.register(on_queue)?)?;
/// probes.push(drv_done.register(on_done)?)?;
/// ```
#[must_use = "the probes are unregistered when the group is dropped"]
#[derive(Default)]
pub struct ProbeGroup {
    probes: KVec<Probe>,
}

impl ProbeGroup {
    /// Makes a group without probes.
    pub const fn new() -> Self {
        Self {
            probes: KVec::new(),
        }
    }

    /// Adds a probe. May sleep; process context.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`: the probe has been unregistered.
    pub fn push(&mut self, probe: Probe) -> Result {
        Ok(self.probes.push(probe, GFP_KERNEL)?)
    }

    /// Returns the probes, in the order in which they were added.
    pub fn probes(&self) -> &[Probe] {
        &self.probes
    }
}

impl Drop for ProbeGroup {
    #[inline]
    fn drop(&mut self) {
        if self.probes.is_empty() {
            return;
        }
        for probe in &self.probes {
            probe.lookup().detach();
        }
        tracepoint_synchronize_unregister();
        for probe in &mut self.probes {
            probe.waits = false;
        }
    }
}

/// A tracepoint that takes an `F` as probe: a function or a closure with its arguments.
///
/// # Safety
///
/// `THUNK` must be a C function, in this module, that takes a pointer to an `F` and then the words
/// of the tracepoint. Where `CHECKED` is set, the compiler must have held the declaration against
/// the header in C.
pub unsafe trait Accepts<F>: Tracepoint {
    /// Calls the `F`.
    const THUNK: *mut c_void;

    /// Whether a tracepoint will do that C defines.
    const CHECKED: bool;
}

/// The functions of a declared tracepoint that register a probe.
pub trait Register: Tracepoint + Sized {
    /// Registers a probe, a function or a closure. See [`Probe`].
    ///
    /// C: `register_trace_NAME()`.
    ///
    /// # Errors
    ///
    /// As [`Probe`] has them.
    fn register<F: Send + Sync + 'static>(self, probe: F) -> Result<Probe>
    where
        Self: Accepts<F>,
    {
        self.register_prio(probe, DEFAULT_PRIO)
    }

    /// Registers a probe that runs before those of lower priority.
    ///
    /// C: `register_trace_prio_NAME()`.
    ///
    /// # Errors
    ///
    /// As [`Probe`] has them.
    fn register_prio<F: Send + Sync + 'static>(self, probe: F, prio: i32) -> Result<Probe>
    where
        Self: Accepts<F>,
    {
        // SAFETY: Where C defines the tracepoint, the compiler has held the declaration against
        // the header.
        unsafe { register(self, probe, prio, Self::CHECKED) }
    }

    /// Registers a probe on a tracepoint that C defines and that carries no prototype.
    ///
    /// # Errors
    ///
    /// As [`Probe`] has them.
    ///
    /// # Safety
    ///
    /// The C declaration must have the arguments that this one has.
    unsafe fn register_unchecked<F: Send + Sync + 'static>(
        self,
        probe: F,
        prio: i32,
    ) -> Result<Probe>
    where
        Self: Accepts<F>,
    {
        // SAFETY: By the caller's promise.
        unsafe { register(self, probe, prio, true) }
    }
}

impl<T: Tracepoint> Register for T {}

/// # Safety
///
/// If `c` is set, a tracepoint of this name that C defines must have the arguments of `T`.
unsafe fn register<T: Accepts<F>, F: Send + Sync + 'static>(
    _tracepoint: T,
    probe: F,
    prio: i32,
    c: bool,
) -> Result<Probe> {
    let check = Check {
        prototype: T::PROTOTYPE,
        c,
    };
    // SAFETY: The thunk takes the data of an `F` and the words of the declaration, which `check`
    // and the caller say are the tracepoint's.
    unsafe { Probe::new(T::NAME, T::THUNK, probe, prio, check) }
}

/// Implements [`Accepts`] for a declaration.
///
/// `$valid` is whether the words can be turned into the arguments; a call where they cannot is not
/// for the probe.
macro_rules! impl_accepts {
    (
        $name:ident [$($ty:ty,)*] [$($word:ident: $c:ty,)*] [$($from:expr,)*]
        [$($valid:expr)?] [$checked:literal]
    ) => {
        // SAFETY: As `thunk` says, and where the tracepoint is the kernel's, its declaration was
        // held against the header.
        unsafe impl<__F: Fn($($ty),*)> $crate::tracepoint::probe::Accepts<__F> for $name {
            const THUNK: *mut __p::c_void = {
                /// Calls the probe at `data` with the words of the tracepoint.
                #[allow(unused_unsafe, clippy::missing_safety_doc)]
                unsafe extern "C" fn thunk<__F: Fn($($ty),*)>(
                    data: *mut __p::c_void
                    $(, $word: $c)*
                ) {
                    $(if !($valid) {
                        return;
                    })?
                    // SAFETY: `Probe` registers the thunk with an `__F` that outlives the
                    // registration. The words come from `call` with the same declaration, or from
                    // C that keeps to it.
                    unsafe { (*data.cast::<__F>())($($from),*) }
                }
                thunk::<__F> as *mut __p::c_void
            };
            const CHECKED: bool = $checked;
        }
    };
}
pub(crate) use impl_accepts;
