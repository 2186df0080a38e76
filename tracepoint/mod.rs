// SPDX-License-Identifier: GPL-2.0

//! Kernel tracepoints in Rust.
//!
//! A tracepoint is a place in the code where others can have a function called: a *probe*. While
//! there is no probe it costs one NOP. These are the kernel's own tracepoints: what
//! [`define_trace!`] puts into the module is what C's `DEFINE_TRACE()` does, so that ftrace, perf,
//! BPF and C modules take it for one of theirs.
//!
//! C header: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h)
//!
//! A module takes the library in with one line at its root, under this name:
//!
//! ```ignore
//! #[path = "tracepoint/mod.rs"]
//! mod tracepoint;
//! ```
//!
//! Then:
//!
//! ```ignore
//! use tracepoint::*;
//!
//! // In the modules that define, fire and probe it.
//! tracepoint! {
//!     /// A request has been queued.
//!     pub fn drv_queue(sector: u64, len: u32);
//! }
//!
//! // In the module that it belongs to.
//! define_trace!(drv_queue);
//! export_tracepoint_symbol_gpl!(drv_queue);
//!
//! // Where it happens.
//! trace!(drv_queue(sector, len));
//!
//! // In any module, whether the former is loaded or not. Dropping the probe unregisters it.
//! let probe = drv_queue.register(|sector, len| pr_info!("{sector} {len}\n"))?;
//! ```
//!
//! A *trace event* is a tracepoint that also says what is recorded when it is fired, and how that is
//! shown. ftrace, perf and BPF then need no probe of the module's. `use tracepoint::event::*` brings
//! [`trace_event!`](event::trace_event) and what belongs to it; [`event`] has the parts, and
//! `docs/internals.md` draws them.
//!
//! ```ignore
//! trace_event! {
//!     system: "drv";
//!
//!     /// A request has been served. Shows in `events/drv/drv_done`.
//!     pub fn drv_done(sector: u64, error: i32) {
//!         sector: u64 = sector,
//!         error: i32 = error,
//!     }
//!     print "{sector:#x}: {error}";
//! }
//!
//! trace!(drv_done(sector, error));
//! ```
//!
//! # C's names and these
//!
//! | C | Rust |
//! |---|---|
//! | `DECLARE_TRACE_EVENT()`, `_CONDITION`, `_SYSCALL` | [`tracepoint!`], with `if`, with `faultable` |
//! | `DEFINE_TRACE()`, `DEFINE_TRACE_FN()` | [`define_trace!`], with hooks |
//! | `EXPORT_TRACEPOINT_SYMBOL()`, `_GPL` | [`export_tracepoint_symbol!`], [`export_tracepoint_symbol_gpl!`] |
//! | `trace_NAME()` | [`trace!`] |
//! | `trace_NAME_enabled()`, `trace_call__NAME()` | `NAME.enabled()`, `NAME.call()` |
//! | `register_trace_NAME()`, `register_trace_prio_NAME()` | `NAME.register()`, `NAME.register_prio()`, of the trait [`Register`] |
//! | `unregister_trace_NAME()` | the drop of the [`Probe`] |
//! | `tracepoint_synchronize_unregister()` | [`tracepoint_synchronize_unregister`], in that drop |
//! | `for_each_kernel_tracepoint()`, the module notifier | by name, in `register` |
//! | `#include <trace/events/…>` to probe the kernel's | [`kernel_tracepoint!`] |
//! | `TRACE_EVENT()`, `_CONDITION`, `_FN`, `_FN_COND`, `_SYSCALL` | [`trace_event!`](event::trace_event), with `if`, with `with { reg, unreg }`, with `faultable` |
//! | `DECLARE_EVENT_CLASS()`, `DEFINE_EVENT()`, `_CONDITION`, `_FN`, `_PRINT` | `class NAME(…) { … } … events { … }` in it |
//! | `TRACE_EVENT_FLAGS()`, `TRACE_EVENT_PERF_PERM()` | `with { flags, perf_perm }` in it |
//! | `TP_STRUCT__entry()`, `TP_fast_assign()` | `name: Type = expression`: see [`event::field`] |
//! | `TP_printk()` | `print "…"`: see [`event::template`] |
//! | `__print_flags()`, `__print_symbolic()` | `print_flags`, `print_symbolic` behind it, or a type by [`trace_flags!`](event::trace_flags), [`trace_enum!`](event::trace_enum) |
//! | `TRACE_DEFINE_ENUM()`, `TRACE_DEFINE_SIZEOF()` | nothing: the values are known at compile time |
//! | `TRACE_CUSTOM_EVENT()` | [`trace_custom_event!`](event::trace_custom_event) |
//! | a function without `notrace` | [`traceable!`] |
//!
//! # Not supported
//!
//! - Architectures other than x86-64, kernels before 7.2, kernels without CONFIG_SMP or static
//!   calls.
//! - `DECLARE_TRACE()` of C, whose names end in `_tp`: declare it with `DECLARE_TRACE_EVENT()`.
//! - Structs as arguments by value. C has them in two tracepoints; a reference does it.
//! - BTF, and so what needs it: `tp_btf` and `fentry` programs, arguments of a tprobe by name.
//! - `DEFINE_EVENT_WRITABLE()`, `__perf_count()`, `__perf_task()`.

// A module uses a part of this only.
#![allow(dead_code, unreachable_pub, unused_imports, unused_macros)]

pub mod arch;
pub mod args;
pub mod bindings;
pub mod define;
pub mod event;
pub mod guard;
pub mod kernel_tracepoint;
pub mod lookup;
pub mod point;
pub mod probe;
pub mod prototype;
pub mod text;
pub mod traceable;

pub(crate) use args::tracepoint_struct;
pub(crate) use define::{define_trace, export_tracepoint_symbol, export_tracepoint_symbol_gpl};
pub use guard::tracepoint_synchronize_unregister;
pub(crate) use kernel_tracepoint::kernel_tracepoint;
pub(crate) use point::{trace, tracepoint};
pub use probe::{Probe, ProbeGroup, Register, DEFAULT_PRIO};
pub(crate) use traceable::traceable;
