// SPDX-License-Identifier: GPL-2.0

//! The macros that declare, define and export tracepoints, with their documentation. Its links are
//! relative to a page of a macro.

/// Declares tracepoints, for the module that defines them and for those that probe or fire them.
///
/// C: `DECLARE_TRACE_EVENT()`, and with `if` or `faultable` its `_CONDITION` and `_SYSCALL` forms.
/// The name gets no `_tp` suffix.
///
/// ```
/// tracepoint! {
///     /// A request has been queued.
///     pub fn drv_queue(name: &CStr, sector: u64, data: &[u8]);
///
///     /// Called only for every tenth request.
///     pub fn drv_tenth(n: u32) if n % 10 == 0;
///
///     /// Probes may read user memory.
///     pub faultable fn drv_ioctl(cmd: u32, arg: usize);
/// }
/// ```
///
/// # Grammar
///
/// ```text
/// { attributes [visibility] ["faultable"] "fn" name "(" arguments ")"
///   ["if" condition] ";" }
/// ```
///
/// - The tracepoint and its arguments can have documentation, the tracepoint also `#[cfg(…)]`.
/// - The arguments have the types in [`tracepoint::args`] and pass at most twelve C arguments, two for a slice or a
///   `&str`. The name and the arguments can't be generic.
/// - The probes of a `faultable` tracepoint may fault and sleep. It must be fired in process context that may
///   sleep.
/// - A condition is evaluated only if a probe is registered, and must not have side effects. Its arithmetic
///   wraps, and anything in it that could panic is a build error.
///
/// # The tracepoint
///
/// Each declaration becomes a type with the tracepoint's name. [`trace!`] fires it. The type has these
/// functions:
///
/// - `NAME::enabled()` returns whether a probe is registered. C: `trace_NAME_enabled()`. Any
///   context where RCU is watching.
/// - `NAME::call(…)` calls the probes without testing the static key, for use after
///   `NAME::enabled()`. C: `trace_call__NAME()`. Same context as for [`trace!`].
///
/// The name is also a value, with the functions of the trait [`Register`]:
///
/// - `NAME.register(probe)`, `NAME.register_prio(probe, prio)` attach a [`Probe`]. C:
///   `register_trace_NAME()`, `register_trace_prio_NAME()`.
/// - `NAME.register_unchecked(probe, prio)` attaches one to a tracepoint that's defined in C. This is unsafe.
///
/// # Errors
///
/// Other arguments and a name declared twice are build errors. The prototypes of all modules are compared:
///
/// - A module that fires a tracepoint needs the same declaration as the module that defines it. Otherwise, or
///   if the tracepoint is defined in C, the build fails, and the module loader reports the missing symbol
///   `__prototype_NAME_HASH`.
/// - A probe with another declaration isn't attached: see [`Probe`].
///
/// [`tracepoint::args`]: ../tracepoint/args/index.html
/// [`trace!`]: ../tracepoint/macro.trace.html
/// [`Register`]: ../tracepoint/trait.Register.html
/// [`Probe`]: ../tracepoint/struct.Probe.html
pub use crate::macros::tracepoint;

/// Lets a reference to any struct or enum of the driver be an argument of its tracepoints and events.
///
/// The type may contain anything, such as a `KVec<T>`, an `ARef<T>` or an `Instant`, and it can have
/// lifetimes, but no other generics. Only the object that declares it can fire and probe these tracepoints: for
/// other objects and modules, use [`tracepoint_struct!`], whose fields are known to them and to BPF.
///
/// ```
/// use kernel::{
///     sync::aref::ARef,
///     time::{Instant, Monotonic},
/// };
///
/// #[derive(TracepointArg)]
/// struct Job<'a> {
///     owner: ARef<Task>,
///     data: KVec<u8>,
///     name: &'a CStr,
///     start: Instant<Monotonic>,
/// }
///
/// trace_event! {
///     system: "drv";
///
///     fn drv_job(job: &Job<'_>) {
///         name: Str = job.name,
///         data: DynArray<u8> = &job.data,
///         start: Instant<Monotonic> = job.start,
///     }
///     print "{name}: {data:print_hex} at {start}";
/// }
/// ```
///
/// C: a pointer to a struct of the driver.
///
/// [`tracepoint_struct!`]: ../tracepoint/macro.tracepoint_struct.html
pub use crate::macros::TracepointArg;

/// Defines tracepoints that [`tracepoint!`] declares. Each is defined only once, in one module.
///
/// C: `DEFINE_TRACE()`, with hooks `DEFINE_TRACE_FN()`, for a `faultable` tracepoint
/// `DEFINE_TRACE_SYSCALL()`.
///
/// ```
/// tracepoint! {
///     fn drv_start(queue: u32);
///     fn drv_stop(queue: u32);
/// }
///
/// define_trace!(drv_start);
/// define_trace!(drv_stop { reg: start_counting, unreg: stop_counting });
///
/// /// Runs before the first probe is registered.
/// fn start_counting() -> Result {
///     Ok(())
/// }
///
/// /// Runs after the last probe has been unregistered.
/// fn stop_counting() {}
/// ```
///
/// # Grammar
///
/// ```text
/// { path [ "{" "reg" ":" function "," "unreg" ":" function "}" ] "," }
/// ```
///
/// # Hooks
///
/// `reg` is a `fn() -> Result`. If it returns an error, the registration fails with it. `unreg` is a `fn()`.
///
/// They run in process context, under `tracepoints_mutex`: they may sleep, but must not register or unregister
/// a probe, nor wait for a module to be loaded or unloaded. The probe can still be called during `unreg` and
/// after it, as in C. A probe that waits for the module attaches before the module's `init`, so the hooks can
/// run before and after the module's lifetime.
///
/// All that hooks leave registered, such as a thread that has been forgotten, is shut down when the
/// module is unloaded. If the module has registered nothing outside of its hooks, that happens as
/// soon as the last of its tracepoints with hooks is disabled.
///
/// # Errors
///
/// Defining a tracepoint of the kernel, one that isn't declared, or one twice is a build error.
///
/// [`tracepoint!`]: ../tracepoint/macro.tracepoint.html
pub use crate::macros::define_trace;

/// Exports tracepoints that this module defines to modules with a GPL-compatible licence, in C too,
/// so that they can fire and probe them.
///
/// C: `EXPORT_TRACEPOINT_SYMBOL_GPL()`.
///
/// ```
/// tracepoint! { pub fn drv_reset(); }
///
/// define_trace!(drv_reset);
/// export_tracepoint_symbol_gpl!(drv_reset);
/// ```
///
/// It takes one path, or several that are separated by commas. A probe in Rust finds a tracepoint by its name,
/// exported or not.
pub use crate::macros::export_tracepoint_symbol_gpl;

/// Exports tracepoints that this module defines to every module.
///
/// C: `EXPORT_TRACEPOINT_SYMBOL()`. Otherwise like [`export_tracepoint_symbol_gpl!`].
///
/// [`export_tracepoint_symbol_gpl!`]: ../tracepoint/macro.export_tracepoint_symbol_gpl.html
pub use crate::macros::export_tracepoint_symbol;
