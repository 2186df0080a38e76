// SPDX-License-Identifier: GPL-2.0

//! Trace events: their fields, records, text and tables.

pub(crate) mod class;
pub(crate) mod errno;
pub mod field;
pub(crate) mod print;
pub(crate) mod record;
pub(crate) mod shape;
pub(crate) mod show;
pub(crate) mod spec;
pub(crate) mod symbols;
pub(crate) mod template;

pub use self::field::{Bitmask, DynArray, Formatted, Rel, SockAddr, Str, Struct};
pub use macros::trace_event;

/// An event declared with [`trace_event!`], as the type of its tracepoint.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a trace event",
    label = "is not declared with `trace_event!`"
)]
pub trait TraceEvent: super::point::Tracepoint {
    /// The name of its system, as in tracefs.
    const SYSTEM: &'static core::ffi::CStr;
}

/// The items that the expansions of the macros refer to.
pub(crate) mod private {
    /// The functions that a print function calls.
    pub mod print {
        pub use crate::trace::event::print::*;
    }

    pub use super::{
        class::*, errno::ERRNO_TABLE, field::*, record::*, shape::Shape, show::Kind, symbols::*,
        template::*, TraceEvent,
    };
    pub use crate::bindings;
}
