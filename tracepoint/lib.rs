// SPDX-License-Identifier: GPL-2.0

//! Kernel tracepoints and trace events in Rust.
//!
//! A tracepoint is a hook in the code to which functions, called *probes*, can be attached. A *trace event* is
//! a tracepoint that also says what to record when it fires and how to print it, so ftrace, perf and BPF can
//! use it without a probe. To the kernel and to tools, those in Rust are the same as those in C. While nothing is
//! attached, a tracepoint costs one NOP.
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
//! | show enums and flags by name | [`trace_enum!`](event::trace_enum), [`trace_flags!`](event::trace_flags) |
//! | record or pass a struct | [`TraceFields`](event::TraceFields), [`TracepointArg`](macro@TracepointArg), [`tracepoint_struct!`] |
//! | only offer a hook to others | [`tracepoint!`], [`define_trace!`], [`export_tracepoint_symbol_gpl!`] |
//! | fire a tracepoint or an event | [`trace!`] |
//! | attach a function to one | [`Register::register`], [`Probe`], [`ProbeGroup`] |
//! | use the kernel's own tracepoints | [`linux`], [`trace_custom_event!`](event::trace_custom_event) |
//! | measure how long something takes | [`span!`], [`#[instrument]`](macro@instrument), [`async_span!`] |
//! | keep the latest events until something fails | [`FlightRecorder`] |
//! | let ftrace hook a function | [`#[traceable]`](macro@traceable) |
//!
//! The pages in `docs/` of the source tree explain the same by subject; `docs/internals.md` shows how an event
//! works.
//!
//! # Equivalents of the C macros
//!
//! C headers: [`include/linux/tracepoint.h`](srctree/include/linux/tracepoint.h),
//! [`include/trace/`](srctree/include/trace)
//!
//! In the source tree, `docs/c-to-rust.md` has a table of all their macros, with what takes their place.
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

// What the macros expand to refers to `::tracepoint`.
extern crate self as tracepoint;

use tracepoint_macros as macros;

mod arch;
pub mod args;
#[doc(hidden)]
pub mod arithmetic;
mod bindings;
mod btf;
mod c_types;
mod define;
pub mod event;
pub mod flight_recorder;
mod guard;
mod hash;
mod kernel_tracepoint;
pub mod linux;
pub mod lock;
mod log;
mod lookup;
mod module_static;
mod point;
mod probe;
mod prototype;
mod registered;
#[doc(hidden)]
pub mod schema;
mod tail;
mod text;
mod traceable;
mod types;
pub mod unload;
mod view;
mod window;
mod work;

pub use arch::this_cpu_ptr;
pub use args::Writable;
pub use flight_recorder::FlightRecorder;
pub use guard::tracepoint_synchronize_unregister;
pub use macros::{
    define_trace, export_tracepoint_symbol, export_tracepoint_symbol_gpl, instrument,
    kernel_tracepoint, traceable, tracepoint, tracepoint_struct, TracepointArg,
};
pub use point::UseTraceMacro;
pub use probe::{Accepts, Probe, ProbeGroup, Register, DEFAULT_PRIO};
pub use types::{DevT, Guid, KernelSymbol, MacAddr, Uuid};
pub use view::View;

/// What the macros expand to. Not for drivers: it's unsafe, or harmless, or both.
#[doc(hidden)]
pub mod __private {
    #[cfg(CONFIG_LOCKDEP)]
    pub use crate::point::rcu_is_not_watching;
    pub use crate::{
        arch::this_cpu_online,
        args::{bpf_word, str, word, Arg, ArgIf, Element, Integer, Pointee, TYPE_OF_STR},
        arithmetic,
        bindings::{prototypes, static_call_key, tracepoint},
        btf::{CType, Id},
        define::{
            errno, ext, ext_named, reg, tracepoint, unreg, Expect, Hooks, Reg, Shared, Unreg,
        },
        guard::{Srcu, TasksTrace},
        kernel_tracepoint::{FromKernel, SameInC},
        macros::{flattened, Configured},
        point::{c_str, might_fault, Declared, Fired, Site, Tracepoint},
        probe::Accepts,
        prototype::{
            faultable_len as faultable_prototype_len, faultable_text as faultable_prototype,
            len as prototype_len, text as prototype, Type,
        },
        schema,
        traceable::Return,
        unload::perf_perm,
    };
    #[cfg(CONFIG_CFI)]
    pub use crate::{bindings::exact_prototypes, kernel_tracepoint::same_word};
    pub use core::{
        arch::global_asm as only_outside_of_functions,
        ffi::CStr,
        marker::Copy,
        mem::MaybeUninit,
        num::NonZero,
        ops::Fn,
        option::Option::{self, None, Some},
        primitive::{
            bool, i16, i32, i64, i8, isize, str as primitive_str, u16, u32, u64, u8, usize,
        },
        ptr::read_volatile,
    };
    pub use kernel::{
        error::Result,
        ffi::{c_char, c_int, c_void},
        transmute::AsBytes,
    };

    #[cfg(CONFIG_BPF_EVENTS)]
    pub use crate::bindings::generated::{
        bpf_trace_run1, bpf_trace_run10, bpf_trace_run11, bpf_trace_run12, bpf_trace_run2,
        bpf_trace_run3, bpf_trace_run4, bpf_trace_run5, bpf_trace_run6, bpf_trace_run7,
        bpf_trace_run8, bpf_trace_run9,
    };
    #[cfg(CONFIG_PERF_EVENTS)]
    pub use crate::event::{record::for_perf, span::span_for_perf};
    pub use crate::{
        bindings::generated::{perf_event, FILTER_CPU, FILTER_PTR_STRING, FILTER_TRACE_FN},
        event::{
            class::{
                c_type, c_type_len, call, custom_call, filter_of_function, filter_of_number,
                filter_of_pointer, trace_event_call, trace_event_field, trace_event_integer,
                BpfRawEventMap, Class, Output, CAP_ANY, CUSTOM_RAW_INIT, END_OF_FIELDS,
                FILTER_OTHER, RAW_INIT,
            },
            field::{
                location, no_padding, room_size, AsIs, Assign, Computed, Field, NoPadding, Place,
                Room, Scalar, Unaligned, Value,
            },
            number::{Node, Op as NumberOp, Type as NumberType},
            option::Enum,
            print::Program,
            record::{
                begin, commit, commit_counted, end, is_for_perf, reserve, zero, Layout, Scratch,
            },
            show::Kind,
            span::{
                not_a_span, span_begin, span_end, AsyncSpan, Begins, BeginsAsync, Span, SpanClass,
                SpanGuard, SpanSite, Spanned,
            },
            symbols::{
                as_str, symbol_value, table_of, text, text_len, Symbol, Table, TypeTable,
                ERRNO_TABLE,
            },
            template::{
                element, elements, number_size, operand, place_offsets, Part, Print, Shape, Shown,
            },
            types::Member,
            PerfEvent, TraceEvent,
        },
    };
}
