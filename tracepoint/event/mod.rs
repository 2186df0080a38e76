// SPDX-License-Identifier: GPL-2.0

//! Trace events: tracepoints that ftrace, perf and BPF can record directly.
//!
//! C header: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h), which includes
//! an event's header nine times.

#[cfg(CONFIG_BPF_EVENTS)]
pub mod bpf;
pub mod ctype;
pub mod custom_event;
pub mod field;
pub mod layout;
pub mod perf;
pub mod print;
pub mod record;
pub mod symbols;
pub mod table;
pub mod template;
pub mod trace_event;

pub(crate) use custom_event::trace_custom_event;
pub use field::{
    num_possible_cpus, Bitmask, Bits, DynArray, Formatted, Rel, SockAddr, Str, Struct,
};
pub use perf::PerfEvent;
pub(crate) use symbols::{trace_enum, trace_flags};
pub(crate) use trace_event::trace_event;

/// The building blocks of an event's expansion. Public for the macros, which import this module as
/// `__p`.
#[doc(hidden)]
pub mod parts {
    pub use super::super::args::parts::*;
    #[cfg(CONFIG_BPF_EVENTS)]
    pub use super::bpf::bpf;
    pub use super::{
        super::{
            bindings::{
                generated::{perf_event, trace_event_call, trace_event_raw_init},
                tracepoint,
            },
            define::Shared,
            guard::{Srcu, TasksTrace},
        },
        field::{Assign, Value},
        layout::{
            desc, gaps_len, layout, offset, rest, size, template_fields, types, types_len, zero,
            Desc,
        },
        record::{perf, ring, Sink},
        table::{call, custom_call, BpfRawEventMap, Class, Output, RawInit},
        template::{
            print_fmt, print_fmt_len, program, program_len, tables, tables_len, Named, Piece,
            Template,
        },
        trace_event,
    };
    pub use kernel::ffi::{c_int, c_void};
}
