// SPDX-License-Identifier: GPL-2.0

//! Trace events: their fields, records, text and tables.

pub(crate) mod class;
mod dynamic;
pub(crate) mod errno;
pub mod field;
mod gfp;
pub(crate) mod number;
pub mod option;
pub(crate) mod perf;
pub(crate) mod print;
pub(crate) mod record;
mod room;
pub(crate) mod show;
pub(crate) mod symbols;
pub(crate) mod template;
pub mod types;

pub use crate::macros::{trace_event, TraceEnum, TraceFields, TraceFlags, TraceStruct};
pub use dynamic::{
    elements, num_possible_cpus, Bitmask, Bits, DynArray, Dynamic, Elements, Formatted, Rel,
    SockAddr, Str,
};
pub use field::{bytes_of, c_str_at, Struct};
pub use perf::PerfEvent;

/// An event declared with [`trace_event!`], as the type of its tracepoint.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a trace event",
    label = "is not declared with `trace_event!`"
)]
pub trait TraceEvent: crate::base::point::Tracepoint {
    /// The name of its system, as in tracefs.
    const SYSTEM: &'static core::ffi::CStr;
}

/// What the macros expand to.
pub(crate) mod private {
    /// What a print function calls.
    pub mod print {
        pub use crate::base::event::print::{
            dump, format, handled, len, load, name, name_with, prepare, print_line_t, show,
            trace_event, trace_event_printf, trace_iterator, width, Code, Number,
        };
    }

    #[cfg(CONFIG_PERF_EVENTS)]
    pub use super::record::for_perf;
    pub use super::{
        class::{
            c_type, c_type_len, call, filter_of_function, filter_of_number, filter_of_pointer,
            trace_event_call, trace_event_field, trace_event_integer, BpfRawEventMap, Class,
            Output, CAP_ANY, END_OF_FIELDS, FILTER_OTHER, RAW_INIT,
        },
        dynamic::Computed,
        field::{
            location, no_padding, AsIs, Assign, Field, NoPadding, Place, Scalar, Unaligned, Value,
        },
        number::{Node, Op as NumberOp, Type as NumberType},
        option::Enum,
        record::{begin, commit, commit_counted, end, is_for_perf, reserve, zero, Layout, Scratch},
        room::{room_size, Room},
        show::{Kind, Pass, Read},
        symbols::{
            as_str, symbol_value, table_of, text, text_len, Symbol, Table, TypeTable, ERRNO_TABLE,
        },
        template::{
            element, elements, number_size, operand, place, Argument, Part, Print, Shape, Shown,
        },
        types::Member,
        PerfEvent, TraceEvent,
    };
    #[cfg(CONFIG_BPF_EVENTS)]
    pub use crate::base::bindings::generated::{
        bpf_trace_run1, bpf_trace_run10, bpf_trace_run11, bpf_trace_run12, bpf_trace_run2,
        bpf_trace_run3, bpf_trace_run4, bpf_trace_run5, bpf_trace_run6, bpf_trace_run7,
        bpf_trace_run8, bpf_trace_run9,
    };
    pub use crate::base::bindings::generated::{
        perf_event, FILTER_CPU, FILTER_PTR_STRING, FILTER_TRACE_FN,
    };
}
