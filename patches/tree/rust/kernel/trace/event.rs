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

/// What the macros expand to.
pub(crate) mod private {
    /// What a print function calls.
    pub mod print {
        pub use crate::trace::event::print::{
            address, bits, dump, format, handled, name, name_of_event, name_with, number, prepare,
            print_line_t, show, string, trace_event, trace_iterator, trace_output_call, width,
        };
    }

    #[cfg(CONFIG_PERF_EVENTS)]
    pub use super::record::for_perf;
    pub use super::{
        class::{
            c_type, c_type_len, call, filter_type, trace_event_call, trace_event_field,
            trace_event_integer, BpfRawEventMap, Class, Output, CAP_ANY, END_OF_FIELDS,
            FILTER_OTHER, RAW_INIT,
        },
        errno::ERRNO_TABLE,
        field::{
            location, no_padding, room_size, Align, Aligned, AsIs, Assign, Computed, Field,
            NoPadding, Packed, Place, Room, Scalar, Value,
        },
        record::{begin, commit, end, is_for_perf, record_size, reserve, zero, Scratch},
        shape::Shape,
        show::{Kind, Pass, Read},
        symbols::{
            as_str, range, symbol_value, table_of, text, text_len, Symbol, Table, TypeTable,
        },
        template::{shown, Argument, How, Of, Part, Print},
        TraceEvent,
    };
    #[cfg(CONFIG_BPF_EVENTS)]
    pub use crate::bindings::{
        bpf_trace_run1, bpf_trace_run10, bpf_trace_run11, bpf_trace_run12, bpf_trace_run2,
        bpf_trace_run3, bpf_trace_run4, bpf_trace_run5, bpf_trace_run6, bpf_trace_run7,
        bpf_trace_run8, bpf_trace_run9,
    };
    pub use crate::bindings::{
        perf_event, trace_entry, FILTER_CPU, FILTER_PTR_STRING, FILTER_TRACE_FN,
    };
}
