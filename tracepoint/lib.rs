// SPDX-License-Identifier: GPL-2.0

//! Kernel tracepoints and trace events in Rust.
//!
//! A tracepoint is a place in the code to which functions, called *probes*, can be attached. A *trace event* is
//! a tracepoint that also says what to record when it fires and how to print it, so ftrace, perf and BPF can
//! use it without a probe. The kernel and tools use those in Rust like those in C. While nothing is attached, a
//! tracepoint costs one NOP.
//!
//! A driver's Kbuild includes the library, from any directory:
//!
//! ```make
//! obj-m := driver.o
//! include PATH/tracepoint/Kbuild.include
//! ```
//!
//! Two `use` lines import everything:
//!
//! ```
//! use kernel::prelude::*;
//! use tracepoint::{event::*, *};
//!
//! trace_event! {
//!     system: "drv";
//!
//!     /// A request has been served. Appears as `events/drv/drv_done`.
//!     fn drv_done(sector: u64, error: i32) {
//!         sector: u64 = sector,
//!         error: i32 = error,
//!     }
//!     print "{sector:#x}: {error:errno}";
//! }
//!
//! fn done(sector: u64, error: i32) {
//!     trace!(drv_done(sector, error));
//! }
//!
//! /// Logs errors until the probe is dropped. It can also be in another module.
//! fn watch() -> Result<Probe> {
//!     drv_done.register(|_sector, error| {
//!         if error < 0 {
//!             pr_info!("error {error}\n");
//!         }
//!     })
//! }
//! ```
//!
//! # Safety
//!
//! Without `unsafe`, a driver can't corrupt memory through this library: its probes can't keep or forge
//! arguments, nothing of it is called after it's unloaded, and its events don't panic or record memory that
//! was never written. It can still hang or crash the machine in other ways, for example by sleeping where it
//! mustn't. `docs/safety.md` has the exact promise and its limits.
//!
//! # Where to look
//!
//! | To … | see |
//! |---|---|
//! | record something for ftrace, perf and BPF | [`trace_event!`](event::trace_event), with the grammar of events and templates |
//! | choose the type of a field, or of an argument | [`event::field`], [`args`] |
//! | show enums and flags by name | [`TraceEnum`](macro@event::TraceEnum), [`TraceFlags`](macro@event::TraceFlags) |
//! | record or pass a struct | [`TraceFields`](event::TraceFields), [`TracepointArg`](macro@TracepointArg), [`tracepoint_struct!`] |
//! | only let others attach functions | [`tracepoint!`], [`define_trace!`], [`export_tracepoint_symbol_gpl!`] |
//! | fire a tracepoint or an event | [`trace!`] |
//! | attach a function to one | [`Register::register`], [`Probe`], [`ProbeGroup`] |
//! | use the kernel's own tracepoints | [`linux`], [`trace_custom_event!`](event::trace_custom_event) |
//! | measure how long something takes | [`span!`], [`#[instrument]`](macro@instrument), [`async_span!`] |
//! | keep the latest events until something fails | [`FlightRecorder`] |
//! | let ftrace trace a function | [`#[traceable]`](macro@traceable) |
//!
//! The pages in `docs/` of the source tree explain the same by subject; `docs/internals.md` shows how an event
//! works.
//!
//! # Equivalents of the C macros
//!
//! C headers: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h),
//! [`include/trace/`](srctree/include/trace)
//!
//! In the source tree, `docs/c-to-rust.md` has a table of all their macros, with their counterparts.
//!
//! # Not supported
//!
//! - Architectures other than x86-64, arm64 and loong64; kernels before 7.2 or without CONFIG_SMP.
//! - C's `DECLARE_TRACE()`, whose names end in `_tp`: use `DECLARE_TRACE_EVENT()` in C instead.
//! - Structs passed by value; pass a reference instead.
//! - `__perf_task()`, `tracepoint_string()`: `docs/c-to-rust.md` says why.

// Whatever a module uses is compiled with the module.
#![allow(dead_code, unreachable_pub)]
// As in the kernel crate.
#![allow(clippy::new_without_default)]
#![deny(missing_docs)]

// The expansions of the macros refer to `::tracepoint`.
#[allow(unused_extern_crates)]
extern crate self as tracepoint;

use tracepoint_macros as macros;

mod arch;
mod base;
mod layers;
mod modules;

pub use arch::this_cpu_ptr;
#[doc(hidden)]
pub use base::arithmetic;
pub use base::{
    args::{self, Writable},
    declare::{
        define_trace, export_tracepoint_symbol, export_tracepoint_symbol_gpl, tracepoint,
        TracepointArg,
    },
    guard::tracepoint_synchronize_unregister,
    point::UseTraceMacro,
    probe::{Accepts, Probe, ProbeGroup, Register, DEFAULT_PRIO},
    types::{DevT, Guid, KernelSymbol, MacAddr, Uuid},
};
// Perhaps all layers that have some are left out.
#[allow(unused_imports)]
pub use layers::root::*;
pub use modules::{lock, unload};

pub mod event {
    //! Trace events: tracepoints that ftrace, perf and BPF can record by themselves.
    //!
    //! `use tracepoint::{event::*, *}` imports everything that [`trace_event!`] needs.
    //!
    //! - The types of fields: [`field`]; those that know how to print themselves: [`types`]; an `Option`
    //!   of some of these: [`option`].
    //! - The derives that name values: [`TraceEnum`](macro@TraceEnum), [`TraceFlags`](macro@TraceFlags).
    //! - What spans and ids are: [`Span`], [`SpanGuard`], [`AsyncSpan`], [`TraceId`].
    //!
    //! C header: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h), which reads an
    //! event's header nine times.

    #[doc(inline)]
    pub use crate::base::event::*;
    // Perhaps all layers that have some are left out.
    #[allow(unused_imports)]
    #[doc(inline)]
    pub use crate::layers::event::*;
}

/// The items that the expansions of the macros refer to. Not for drivers: they're unsafe, or harmless, or both.
#[doc(hidden)]
pub mod __private {
    #[allow(unused_imports)]
    pub use crate::layers::private::*;
    pub use crate::{base::private::*, modules::module::perf_perm};
    pub use ::tracepoint_macros as macros;
}
