// SPDX-License-Identifier: GPL-2.0

//! Trace events: tracepoints that ftrace, perf and BPF record by themselves.
//!
//! C header: [`include/trace/trace_events.h`](srctree/include/trace/trace_events.h), which reads an
//! event's header nine times.

#[cfg(CONFIG_BPF_EVENTS)]
pub mod bpf;
pub mod ctype;
pub mod custom_event;
pub mod field;
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

/// What the expansion of an event is made of. Public for the macros.
#[doc(hidden)]
pub mod parts {
    #[cfg(CONFIG_BPF_EVENTS)]
    pub use super::bpf::BpfTraceRun;
    pub use super::{
        super::{bindings, define::Shared},
        field::Value,
        record::{Perf, PreemptNotrace, Ring, Sink},
        table, template, trace_event,
    };
}
