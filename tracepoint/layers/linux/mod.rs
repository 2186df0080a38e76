// SPDX-License-Identifier: GPL-2.0

//! The kernel's own tracepoints, with a module for each system, named as in tracefs.
//!
//! They are declared as [`kernel_tracepoint!`](crate::kernel_tracepoint!) would, from the headers in
//! `layers/linux/prototypes.h` and in `tracepoint-headers`. So what's here depends on the kernel's version and
//! configuration.
//!
//! ```
//! use tracepoint::linux::sched::sched_switch;
//!
//! let probe = sched_switch.register(move |_preempt, _prev, next, _state| {
//!     if next.pid() == pid {
//!         SWITCHES.fetch_add(1, Relaxed);
//!     }
//! })?;
//! ```
//!
//! The arguments have the names and the order of C's `TP_PROTO()`. A `struct task_struct *` is a
//! `&Task`, a `struct device *` is a `&`[`View`](crate::View)`<Device>`, and so on; a `const char *` is a `&CStr`; other pointers are raw, to types in
//! `tracepoint::linux::c`, which are those of the headers.

// The tracepoints of a system need only some of the names here.
#![allow(unused_imports)]

pub(crate) mod bindings;
pub(crate) mod custom_event;
pub(crate) mod kernel_tracepoint;
pub(crate) mod view;

use core::ffi::CStr;
use kernel::ffi::c_void;

pub use self::kernel_tracepoint::FromKernel;

/// C's types, as far as the kernel crate or the headers of the tracepoints declare them.
#[doc(hidden)]
pub use self::bindings::prototypes as c;

crate::macros::header_tracepoints!();

#[doc(hidden)]
pub mod root {
    pub use super::view::View;
    pub use crate::layers::linux;

    /// Declares tracepoints of the kernel, so that a module can probe them, and fire those that are exported.
    ///
    /// [`tracepoint::linux`] already declares those in most of the kernel's headers. Use this macro for the others,
    /// and for arguments of other types, such as `Option<&Task>` instead of `&Task`.
    ///
    /// C: `#include <trace/events/….h>`.
    ///
    /// ```
    /// kernel_tracepoint! {
    ///     /// A CPU goes from one task to another.
    ///     pub fn sched_switch(preempt: bool, prev: &Task, next: Option<&Task>, prev_state: u32);
    /// }
    ///
    /// let probe = sched_switch.register(|_preempt, prev, _next, _state| {
    ///     pr_info!("from {}\n", prev.pid());
    /// })?;
    /// ```
    ///
    /// # Grammar
    ///
    /// ```text
    /// { attributes [visibility] "fn" name "(" arguments ")" ";" }
    /// ```
    ///
    /// The declaration is C's `TP_PROTO()` in Rust types. The compiler checks it against the kernel's
    /// headers in `include/trace/events/`, and accepts no type that promises more than C's: see
    /// [`FromKernel`]. The default headers are listed in `tracepoint/layers/linux/prototypes.h`. To use other
    /// headers, name them in `tracepoint-headers` in the Kbuild file. By naming a header you vouch that
    /// each `const char *` in its tracepoints is a string that nobody changes during the call, and that no
    /// tracepoint passes a task whose reference count is zero already.
    ///
    /// # The tracepoint
    ///
    /// Each declaration becomes a type whose name is also a value with the functions of the trait [`Register`],
    /// which attach a [`Probe`]. If C passes NULL for a `&CStr`, the probe gets `"(null)"`. For any other
    /// reference, it isn't called: use `Option<&T>` to receive such calls. On a kernel with static calls, a
    /// faultable tracepoint, such as `sys_enter`, accepts only the unsafe `register_unchecked`.
    ///
    /// The tracepoint is found by its name. A module that defines a tracepoint of that name with other arguments
    /// breaks the rules, just like one that exports a function under the name of one of the kernel's.
    ///
    /// A tracepoint that the kernel or a module exports (`EXPORT_TRACEPOINT_SYMBOL()`) also has the functions
    /// of [`tracepoint!`], and [`trace!`] fires it. `call` and `trace!` are
    /// unsafe: C's probes may rely on more than the types guarantee.
    ///
    /// # Errors
    ///
    /// It's a build error if none of the headers declares the tracepoint, or if it's declared with other arguments.
    /// Firing a tracepoint that isn't exported, or that has a condition in C, is also a build error: the condition
    /// is part of an inline function in the header.
    ///
    /// [`tracepoint::linux`]: ../tracepoint/linux/index.html
    /// [`FromKernel`]: ../tracepoint/linux/trait.FromKernel.html
    /// [`Register`]: ../tracepoint/trait.Register.html
    /// [`Probe`]: ../tracepoint/struct.Probe.html
    /// [`tracepoint!`]: ../tracepoint/macro.tracepoint.html
    /// [`trace!`]: ../tracepoint/macro.trace.html
    pub use crate::macros::kernel_tracepoint;
}

#[doc(hidden)]
pub mod event {
    /// Declares events on tracepoints of the kernel that record something other than the kernel's own
    /// events do.
    ///
    /// C: `TRACE_CUSTOM_EVENT()`, and with `class` `DECLARE_CUSTOM_EVENT_CLASS()`, `DEFINE_CUSTOM_EVENT()`.
    ///
    /// ```
    /// trace_custom_event! {
    ///     system: "drv_sched";
    ///
    ///     /// A task moves to another CPU.
    ///     pub fn sched_migrate_task(task: &Task, dest_cpu: i32) {
    ///         pid: i32 as "pid_t" = task.pid(),
    ///         cpu: i32 = dest_cpu,
    ///     }
    ///     print "pid={pid} cpu={cpu}";
    /// }
    /// ```
    ///
    /// The grammar is that of [`trace_event!`], without `faultable`, kinds, conditions and `with`. The name and the
    /// arguments are those of the tracepoint, which the compiler checks: see [`kernel_tracepoint!`], also for calls
    /// with NULL. There is no perf event, as in C.
    ///
    /// The event finds its tracepoint by itself, before it can be enabled. In C, the module has to call
    /// `trace_custom_event_NAME_update()` for each tracepoint of the kernel. If there is no such tracepoint, the
    /// event isn't created and a message is logged.
    ///
    /// [`trace_event!`]: ../tracepoint/event/macro.trace_event.html
    /// [`kernel_tracepoint!`]: ../tracepoint/macro.kernel_tracepoint.html
    pub use crate::macros::trace_custom_event;
}

#[doc(hidden)]
pub mod private {
    #[cfg(CONFIG_CFI)]
    pub use super::{bindings::exact_prototypes, kernel_tracepoint::same_c_arg};
    pub use super::{
        bindings::prototypes,
        custom_event::{custom_call, Files},
        kernel_tracepoint::{FromKernel, SameInC, TasksTraceInC, Unsteady},
    };
}
