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

pub(crate) mod bindings;
pub(crate) mod custom_event;
pub(crate) mod kernel_tracepoint;
pub(crate) mod view;

use self::kernel_tracepoint::InHeader;
use crate::{View, __private as __p};
use core::ffi::CStr;
use kernel::{
    cpumask::Cpumask, cred::Credential, device::Device, ffi::c_void, fs::LocalFile, task::Task,
};

pub use self::kernel_tracepoint::{FromKernel, KernelTracepoint};

/// C's types, as far as the kernel crate or the headers of the tracepoints declare them.
#[doc(hidden)]
pub use self::bindings::prototypes as c;

crate::macros::header_tracepoints!();

#[doc(hidden)]
pub mod root {
    pub use super::view::View;
    pub use crate::{layers::linux, macros::kernel_tracepoint};
}

#[doc(hidden)]
pub mod event {
    pub use crate::macros::trace_custom_event;
}

#[doc(hidden)]
pub mod private {
    #[cfg(CONFIG_CFI)]
    pub use super::{bindings::exact_prototypes, kernel_tracepoint::same_word};
    pub use super::{
        bindings::prototypes,
        custom_event::{custom_call, CUSTOM_RAW_INIT},
        kernel_tracepoint::{FromKernel, SameInC},
    };
}
