// SPDX-License-Identifier: GPL-2.0

//! Trace events: tracepoints that ftrace, perf and BPF can record by themselves.
//!
//! `use tracepoint::{event::*, *}` imports everything that [`trace_event!`] needs.
//!
//! - The types of fields: [`field`]; those that know how to print themselves: [`types`]; an `Option`
//!   of some of these: [`option`].
//! - The types that name their values: [`trace_enum!`], [`trace_flags!`].
//! - What spans and ids are: [`Span`], [`SpanGuard`], [`AsyncSpan`], [`TraceId`].
//!
//! C header: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h), which reads an
//! event's header nine times.

pub(crate) mod class;
pub(crate) mod custom_event;
pub(crate) mod errno;
pub mod field;
mod gfp;
mod id;
pub(crate) mod number;
pub mod option;
pub(crate) mod perf;
pub(crate) mod print;
pub(crate) mod record;
pub(crate) mod show;
pub(crate) mod span;
pub(crate) mod symbols;
pub(crate) mod template;
pub mod types;

pub use crate::macros::{
    trace_custom_event, trace_enum, trace_event, trace_flags, TraceEnum, TraceFields, TraceFlags,
    TraceStruct,
};
pub use field::{
    bytes_of, c_str_at, elements, num_possible_cpus, Bitmask, Bits, DynArray, Formatted, Rel,
    SockAddr, Str, Struct,
};
pub use id::TraceId;
pub use perf::PerfEvent;
pub use span::{AsyncSpan, Span, SpanGuard};

/// An event declared with [`trace_event!`], as the type of its tracepoint.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a trace event",
    label = "is not declared with `trace_event!`"
)]
pub trait TraceEvent: crate::point::Tracepoint {
    /// The name of its system, as in tracefs.
    const SYSTEM: &'static core::ffi::CStr;
}
