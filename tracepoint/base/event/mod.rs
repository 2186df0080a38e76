// SPDX-License-Identifier: GPL-2.0

//! Trace events: their fields, records, text and tables.

pub(crate) mod class;
pub(crate) mod errno;
pub mod field;
mod gfp;
pub mod option;
pub(crate) mod perf;
pub(crate) mod print;
pub(crate) mod record;
pub(crate) mod shape;
pub(crate) mod show;
mod spare;
pub(crate) mod spec;
pub(crate) mod symbols;
pub(crate) mod template;
pub mod types;

pub use field::{
    bytes_of, c_str_at, elements, num_possible_cpus, Bitmask, Bits, DynArray, Formatted, Rel,
    SockAddr, Str, Struct,
};
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

/// Numbers that templates compute: what a feature of the macros needs.
pub(crate) mod values;

/// The items that the expansions of the macros refer to.
pub(crate) mod private {
    /// The parts of computed values.
    pub mod values {
        pub use crate::base::event::values::*;
    }

    /// The functions that a print function calls.
    pub mod print {
        pub use crate::base::event::print::*;
    }

    pub use super::{
        class::*, errno::ERRNO_TABLE, field::*, option::Enum, record::*, shape::Shape, show::Kind,
        symbols::*, template::*, PerfEvent, TraceEvent,
    };
    pub use crate::base::bindings::generated as bindings;
}

/// Declares and defines trace events, which ftrace, perf and BPF can record.
///
/// C: `TRACE_EVENT()`, `_CONDITION`, `_FN`, `_FN_COND`, `_SYSCALL`; with `class`
/// `DECLARE_EVENT_CLASS()`, `DEFINE_EVENT()`, `_CONDITION`, `_FN`, `_PRINT`.
///
/// An event is a tracepoint as declared by [`tracepoint!`]. [`trace!`] fires it, and it can be probed and
/// exported; another module that does so declares it with [`tracepoint!`]. ftrace shows it as
/// `events/SYSTEM/NAME`.
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// A request has been queued.
///     pub fn drv_queued(name: &CStr, sector: u64, flags: u32) if flags != 0 {
///         name: Str = name,
///         sector: u64 = sector,
///         flags: u32 as "unsigned int" = flags,
///     }
///     print "{name} at {sector:#x}: {bits}",
///         bits = print_flags(flags, "|", { 1 => "SYNC", 2 => "META" });
/// }
///
/// trace!(drv_queued(c"sda", 0x800, 3));
/// ```
///
/// # Grammar
///
/// ```text
/// "system" ":" string ";" { event | class }
///
/// event  = attributes [visibility] ["faultable" | kind] "fn" name "(" arguments ")"
///          ["if" condition] fields "print" print ["with" with] ";"
/// kind   = ["async"] "span" | "instant" | "counter"
/// class  = attributes ["faultable"] "class" name "(" arguments ")"
///          fields "print" print ["with" with] "events" "{" { member } "}"
/// member = attributes [visibility] "fn" name ["if" condition]
///          ["print" print] ["with" with] ";"
/// fields = "{" { "let" pattern "=" expression ";" }
///              { attributes name ":" type ["as" string] "=" expression "," } "}"
/// print  = string { "," name "=" value } [","]
/// with   = "{" { option ":" value "," } "}"
/// ```
///
/// - The name of a system consists of ASCII letters, digits, `_`, `-` and `.`.
/// - The arguments, `faultable` and the condition are those of [`tracepoint!`].
/// - Events, classes, fields and arguments can have documentation, events and classes also `#[cfg(…)]`.
/// - Events and classes can have `#[stable]` or `#[stable(append)]`: the build then fails if the format changes
///   (`docs/schema.md`).
///
/// # Fields
///
/// A field is a name, a [type], and the expression that computes its value, which can use the event's
/// arguments. A `let` statement before the first field is evaluated once, for all fields.
///
/// The expressions run once for each trace buffer and once for perf, with preemption disabled and before space
/// is reserved in the buffer. They must not sleep, nor lock a `SpinLock` or a `Mutex`, not even in the `Display`
/// implementation of what they format. Their arithmetic wraps, and anything that could panic is a build error.
///
/// | | Meaning |
/// |---|---|
/// | `flags: u32 as "unsigned int" = flags` | the C type in the `format` file, if it should differ from the default for the Rust type |
/// | `#[filter(CPU)]` | the filter type, as in C: `CPU` for the number of the current CPU, which filters use instead of the value, `TRACE_FN` for an address, `PTR_STRING` for a pointer to a string |
/// | `#[shown]` | makes it an error if the template doesn't show the field |
/// | `#[flatten]` | makes a field of each member of a struct with [`#[derive(TraceFields)]`][TraceFields] |
///
/// # The template
///
/// The kernel prints a record with this template, and tools such as trace-cmd decode it with the `print fmt`
/// that's made from it. It consists of text and placeholders: `{name}` or `{name:spec}`. In the text, `{{`,
/// `}}` and `%%` stand for `{`, `}` and `%`. Without a spec, the type determines how a value is shown.
///
/// A spec is Rust's where Rust has one, and otherwise C's or the name of one of C's helpers: `{sector:#x}`,
/// `{mac:pM}`, `{data:print_hex}`. `docs/field-types.md` has the table of all specs and helpers.
///
/// A value that isn't a field is defined after the template and computed when someone reads the trace:
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// A transfer has ended.
///     fn drv_transfer(dev: u32, sector: u64, error: i32, data: &[u8]) {
///         dev: u32 = dev,
///         sector: u64 = sector,
///         error: i32 = error,
///         data: DynArray<u8> = data,
///     }
///     print "{major}:{minor} at {offset:#x}: {state}, {result}, {data:print_hex}",
///         major = dev >> 20,
///         minor = dev & 0xfffff,
///         offset = sector << 9,
///         state = if error < 0 { "failed" } else { "ok" },
///         result = print_symbolic(error, { 0 => "ok", -20..=-1 => "old", _ => "other" });
/// }
/// ```
///
/// Such a value is an expression of fields, literals and constants, with the operators and `as` of Rust, `if`
/// and `match`; a string; or one of C's helpers, such as `print_symbolic`, `print_flags`, `print_hex` and
/// `print_array`. In place of a table of names, a type that has [`TraceEnum`] or [`TraceFlags`] is accepted.
///
/// # Options
///
/// `with { … }` accepts, in any order:
///
/// - `reg: function, unreg: function`: the hooks of [`define_trace!`];
/// - `flags: CAP_ANY`: any user may record the event in tasks of their own with perf. C: `TRACE_EVENT_FLAGS()`;
/// - `perf_perm: function`: a `fn(&`[`PerfEvent`]`) -> Result` that decides who may use the event with perf. It
///   runs in process context, under `event_mutex`; its error is that of `perf_event_open()`.
///   C: `TRACE_EVENT_PERF_PERM()`;
/// - `perf_count: expression`: a `u64`, how often perf counts the event. C: `__perf_count()`.
///
/// # Classes
///
/// Events with the same arguments and fields can share them, and the code that records them. An event of a class
/// can have its own condition, template and hooks; `perf_count` belongs to the class:
///
/// ```
/// trace_event! {
///     system: "drv";
///
///     /// The common part of the events below.
///     class drv_end(sector: u64, error: i32) {
///         sector: u64 = sector,
///         error: i32 = error,
///     }
///     print "{sector}: {error:errno}"
///     events {
///         /// A request has ended.
///         pub fn drv_end;
///         /// It has failed.
///         pub fn drv_failed if error < 0;
///         /// Shown in another way.
///         pub fn drv_retried print "{sector} again";
///     }
/// }
/// ```
///
/// # Kinds
///
/// | | | begun or fired with |
/// |---|---|---|
/// | `span fn` | has a begin and an end | [`span!`], [`#[instrument]`][instrument] |
/// | `async span fn` | can end elsewhere | [`async_span!`] |
/// | `instant fn` | a moment on the track of the spans | [`trace!`] |
/// | `counter fn` | a number that changes, in the field `counter_value` | [`trace!`] |
///
/// The record of a span starts with the fields `track_event_type`, `slice_name`, `id`, `duration` and `result`,
/// by Perfetto's convention. A span has no condition and isn't `faultable`. `docs/spans.md` has the details.
///
/// # Errors
///
/// All errors are found when the module is built, at the place in question: a placeholder that isn't a field, a
/// spec that doesn't suit its type, a value that could panic, a field with padding, fields that take more than a
/// page of the trace buffer (some 4 KiB). After compilation, the build also checks the object code: it fails if a
/// field or a condition calls a function that can panic.
///
/// When the event fires, a record of more than 65532 bytes, or one that doesn't fit into the buffer, is dropped.
/// Nothing is recorded if C passes NULL for a reference other than a `&CStr`, a `&str` or a slice.
///
/// [type]: ../tracepoint/event/field/index.html
/// [TraceFields]: ../tracepoint/event/derive.TraceFields.html
/// [instrument]: ../tracepoint/attr.instrument.html
/// [`PerfEvent`]: ../tracepoint/event/struct.PerfEvent.html
/// [`TraceEnum`]: ../tracepoint/event/derive.TraceEnum.html
/// [`TraceFlags`]: ../tracepoint/event/derive.TraceFlags.html
/// [`define_trace!`]: ../tracepoint/macro.define_trace.html
/// [`tracepoint!`]: ../tracepoint/macro.tracepoint.html
/// [`trace!`]: ../tracepoint/macro.trace.html
/// [`span!`]: ../tracepoint/macro.span.html
/// [`async_span!`]: ../tracepoint/macro.async_span.html
pub use crate::macros::trace_event;
