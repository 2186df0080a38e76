// SPDX-License-Identifier: GPL-2.0

//! The kernel's own tracepoints, with a module for each system, named as in tracefs.
//!
//! They are declared as [`kernel_tracepoint!`](crate::kernel_tracepoint!) would, from the headers in
//! `bindings/prototypes.h` and in `tracepoint-headers`. So what's here depends on the kernel's version and
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
//! `&Task`, a `struct device *` is a `&`[`View`]`<Device>`, and so on; a `const char *` is a `&CStr`; other pointers are raw, to types in
//! `tracepoint::linux::c`, which are those of the headers.

// `improper_ctypes`: structs that C leaves empty in some configurations.
#![allow(
    clashing_extern_declarations,
    improper_ctypes,
    missing_docs,
    non_camel_case_types,
    unused_imports,
    clippy::missing_safety_doc,
    clippy::too_many_arguments,
    clippy::undocumented_unsafe_blocks
)]

use crate::{__private as __p, kernel_tracepoint::InHeader, View};
use core::ffi::CStr;
use kernel::{
    cpumask::Cpumask, cred::Credential, device::Device, ffi::c_void, fs::LocalFile, task::Task,
};

pub use crate::kernel_tracepoint::KernelTracepoint;

/// C's types, as far as the kernel crate or the headers of the tracepoints declare them.
#[doc(hidden)]
pub use crate::bindings::prototypes as c;

crate::macros::header_tracepoints!();
