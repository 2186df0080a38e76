// SPDX-License-Identifier: GPL-2.0

//! The macro.

/// Declares and defines trace events.
///
/// C: `TRACE_EVENT()`, `_CONDITION`, `_FN`, `_FN_COND`, `_SYSCALL`; with `class`
/// `DECLARE_EVENT_CLASS()`, `DEFINE_EVENT()`, `_CONDITION`, `_FN`, `_PRINT`.
///
/// An event is a tracepoint as [`tracepoint!`](super::super::tracepoint) has it: it is fired with
/// [`trace!`](super::super::trace), and can be probed and exported. ftrace shows it as
/// `events/SYSTEM/NAME`.
///
/// ```ignore
/// trace_event! {
///     system: "drv";
///
///     /// A request has been queued.
///     pub fn drv_queue(name: &CStr, sector: u64, flags: u32) if flags != 0 {
///         name: Str = name,
///         sector: u64 = sector,
///         flags: u32 as "unsigned int" = flags,
///     }
///     print "{name} at {sector}: {bits}",
///         bits = print_flags(flags, "|", { 1 => "SYNC", 2 => "META" });
///
///     /// What the events below have in common.
///     class drv_done(sector: u64, error: i32) {
///         sector: u64 = sector,
///         error: i32 = error,
///     }
///     print "{sector}: {error}"
///     events {
///         /// A request has been done.
///         pub fn drv_done;
///         /// It has failed.
///         pub fn drv_failed if error < 0;
///         /// Shown in another way, and counted while it is enabled.
///         pub fn drv_retried print "{sector} again" with { reg: begin, unreg: end };
///     }
/// }
/// ```
///
/// A field is a name, a type, and the expression that fills it, in which the event's arguments are
/// in scope: see [`field`](super::field). `as` gives the C type of the `format` file where it is
/// not what C would have for the Rust type. `#[filter(COMM)]` before it gives a filter type of C,
/// and `#[shown]` asks that the template shows it.
///
/// The template is described in [`template`](super::template).
///
/// `with` takes, in any order:
///
/// - `reg: function, unreg: function`: see [`define_trace!`](super::super::define_trace);
/// - `flags: CAP_ANY`: any user may have perf count the event. C: `TRACE_EVENT_FLAGS()`;
/// - `perf_perm: function`: a `fn(&PerfEvent) -> Result` that decides who may use the event with
///   perf; see [`PerfEvent`](super::perf::PerfEvent). C: `TRACE_EVENT_PERF_PERM()`.
macro_rules! trace_event {
    (system: $system:literal; $($items:tt)*) => {
        $crate::tracepoint::event::trace_event::items! { $system $($items)* }
    };
    ($($other:tt)*) => {
        ::core::compile_error!("trace_event!: expected `system: \"name\";` and then the events");
    };
}
pub(crate) use trace_event;

/// Takes the items of [`trace_event!`] one by one.
macro_rules! items {
    ($system:literal) => {};

    (
        $system:literal $(#[$meta:meta])* class $name:ident $args:tt $fields:tt
        print $template:literal $(, $table:ident = $helper:ident $helper_args:tt)*
        events { $($events:tt)* }
        $($rest:tt)*
    ) => {
        $crate::tracepoint::event::trace_event::members! {
            [
                $system $name Srcu [] $args $fields
                [$template $(, $table = $helper $helper_args)*]
            ]
            [] $($events)*
        }
        $crate::tracepoint::event::trace_event::items! { $system $($rest)* }
    };

    (
        $system:literal $(#[$meta:meta])* faultable class $name:ident $args:tt $fields:tt
        print $template:literal $(, $table:ident = $helper:ident $helper_args:tt)*
        events { $($events:tt)* }
        $($rest:tt)*
    ) => {
        $crate::tracepoint::event::trace_event::members! {
            [
                $system $name TasksTrace [faultable] $args $fields
                [$template $(, $table = $helper $helper_args)*]
            ]
            [] $($events)*
        }
        $crate::tracepoint::event::trace_event::items! { $system $($rest)* }
    };

    (
        $system:literal $(#[$meta:meta])* $vis:vis faultable fn $name:ident $args:tt
        $($rest:tt)*
    ) => {
        $crate::tracepoint::event::trace_event::event! {
            [$system $name TasksTrace [faultable] $args] [$(#[$meta])* $vis] [] $($rest)*
        }
    };

    ($system:literal $(#[$meta:meta])* $vis:vis fn $name:ident $args:tt $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::event! {
            [$system $name Srcu [] $args] [$(#[$meta])* $vis] [] $($rest)*
        }
    };

    ($system:literal $($other:tt)+) => {
        ::core::compile_error!(::core::concat!(
            "trace_event!: expected `pub fn name(argument: Type, …) { field: Type = expression, … } \
             print \"…\";` or `class name(…) { … } print \"…\" events { … }`, found `",
            ::core::stringify!($($other)+),
            "`",
        ));
    };
}
pub(crate) use items;

/// Takes an event's condition, up to its fields.
macro_rules! event {
    (
        [$system:literal $name:ident $guard:ident $faultable:tt $args:tt] $head:tt
        [$($condition:tt)*] { $($fields:tt)* }
        print $template:literal $(, $table:ident = $helper:ident $helper_args:tt)*
        $(with { $($with:tt)* })? ;
        $($rest:tt)*
    ) => {
        $crate::tracepoint::event::trace_event::class! {
            [
                $system $name $guard $faultable $args { $($fields)* }
                [$template $(, $table = $helper $helper_args)*]
            ]
            [$head $name [$($condition)*] [] [$($($with)*)?]]
        }
        $crate::tracepoint::event::trace_event::items! { $system $($rest)* }
    };

    ($event:tt $head:tt [$($condition:tt)*] { $($fields:tt)* } $($other:tt)*) => {
        ::core::compile_error!(
            "trace_event!: expected `print \"…\"`, perhaps `, name = print_symbolic(field, { … })`, \
             perhaps `with { … }`, and `;` behind an event's fields"
        );
    };

    ($event:tt $head:tt [$($condition:tt)*] $token:tt $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::event! {
            $event $head [$($condition)* $token] $($rest)*
        }
    };

    ($event:tt $head:tt [$($condition:tt)*]) => {
        ::core::compile_error!("trace_event!: an event without `{ fields }`");
    };
}
pub(crate) use event;

/// Takes the events of a class one by one.
macro_rules! members {
    ($class:tt [$($members:tt)*]) => {
        $crate::tracepoint::event::trace_event::class! { $class $($members)* }
    };

    ($class:tt $members:tt $(#[$meta:meta])* $vis:vis fn $name:ident $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::member! {
            $class $members [$(#[$meta])* $vis] $name [] $($rest)*
        }
    };

    ($class:tt $members:tt $($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "trace_event!: expected `pub fn name;` in `events`, found `",
            ::core::stringify!($($other)*),
            "`",
        ));
    };
}
pub(crate) use members;

/// Takes one event of a class up to its semicolon.
macro_rules! member {
    (
        $class:tt [$($members:tt)*] $head:tt $name:ident [$($condition:tt)*]
        $(print $template:literal $(, $table:ident = $helper:ident $helper_args:tt)*)?
        $(with { $($with:tt)* })? ;
        $($rest:tt)*
    ) => {
        $crate::tracepoint::event::trace_event::members! {
            $class
            [
                $($members)*
                [
                    $head $name [$($condition)*]
                    [$($template $(, $table = $helper $helper_args)*)?]
                    [$($($with)*)?]
                ]
            ]
            $($rest)*
        }
    };

    ($class:tt $members:tt $head:tt $name:ident [$($condition:tt)*] $token:tt $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::member! {
            $class $members $head $name [$($condition)* $token] $($rest)*
        }
    };

    ($class:tt $members:tt $head:tt $name:ident $condition:tt) => {
        ::core::compile_error!(::core::concat!(
            "trace_event!: no `;` behind `fn ",
            ::core::stringify!($name),
            "`",
        ));
    };
}
pub(crate) use member;

/// Expands a class and its events.
macro_rules! class {
    (
        [$system:literal $class:ident $guard:ident [$($faultable:ident)?] ($($args:tt)*) $fields:tt $print:tt]
        $([[$($head:tt)*] $name:ident [$($condition:tt)*] $own_print:tt [$($with:tt)*]])*
    ) => {
        $crate::tracepoint::event::trace_event::tracepoints! {
            [$($faultable)?] ($($args)*)
            $([$($head)*] $name [$($condition)*] [$($with)*])*
        }

        $crate::tracepoint::args::args_each! {
            [$crate::tracepoint::event::trace_event::tables]
            { event $system $class $guard $fields $print [$($name $own_print [$($with)*])*] }
            $($args)*
        }
    };
}
pub(crate) use class;

/// Expands the tracepoints of a class.
macro_rules! tracepoints {
    ($faultable:tt $args:tt) => {};
    (
        [$($faultable:ident)?] $args:tt
        [$($head:tt)*] $name:ident [$($condition:tt)*] $with:tt
        $($rest:tt)*
    ) => {
        $crate::tracepoint::tracepoint! {
            $($head)* $($faultable)? fn $name $args $($condition)*;
        }
        $crate::tracepoint::event::trace_event::define! { $name $with }
        $crate::tracepoint::event::trace_event::tracepoints! { [$($faultable)?] $args $($rest)* }
    };
}
pub(crate) use tracepoints;

/// Defines the tracepoint of an event, with the hooks that `with` names.
macro_rules! define {
    ($name:ident []) => {
        $crate::tracepoint::define_trace!($name);
    };
    ($name:ident [reg: $reg:path, unreg: $unreg:path $(, $($rest:tt)*)?]) => {
        $crate::tracepoint::define_trace!($name { reg: $reg, unreg: $unreg });
    };
    ($name:ident [flags: $flags:ident $(, $($rest:tt)*)?]) => {
        $crate::tracepoint::event::trace_event::define! { $name [$($($rest)*)?] }
    };
    ($name:ident [perf_perm: $perm:path $(, $($rest:tt)*)?]) => {
        $crate::tracepoint::event::trace_event::define! { $name [$($($rest)*)?] }
    };
    ($name:ident [$($other:tt)*]) => {
        ::core::compile_error!(
            "trace_event!: `with` takes `reg: function, unreg: function`, `flags: CAP_ANY` and \
             `perf_perm: function`"
        );
    };
}
pub(crate) use define;

/// Returns the flags that `with` names.
macro_rules! flags {
    ([flags: $flags:ident $(, $($rest:tt)*)?]) => {
        $crate::tracepoint::event::table::flags::$flags
    };
    ([$key:ident: $value:path $(, $($rest:tt)*)?]) => {
        $crate::tracepoint::event::trace_event::flags!([$($($rest)*)?])
    };
    ($none:tt) => {
        0
    };
}
pub(crate) use flags;

/// Returns the function that `with` names to decide who may use an event with perf.
macro_rules! perf_perm {
    ([perf_perm: $perm:path $(, $($rest:tt)*)?]) => {{
        /// # Safety
        ///
        /// Called by kernel/trace/trace_event_perf.c.
        unsafe extern "C" fn perf_perm(
            _: *mut table::trace_event_call,
            event: *mut bindings::generated::perf_event,
        ) -> ::kernel::ffi::c_int {
            // SAFETY: The event is being opened.
            let event = unsafe { $crate::tracepoint::event::perf::PerfEvent::from_raw(event) };
            ::kernel::error::from_result(|| $perm(event).map(|()| 0))
        }
        Some(perf_perm)
    }};
    ([$key:ident: $value:path $(, $($rest:tt)*)?]) => {
        $crate::tracepoint::event::trace_event::perf_perm!([$($($rest)*)?])
    };
    ($none:tt) => {
        None
    };
}
pub(crate) use perf_perm;

/// Expands what the kernel knows of a class: its record, its probes, its tables and its events.
macro_rules! tables {
    (
        {
            $kind:ident $system:literal $class:ident $guard:ident
            {
                $(
                    $(#[$($attr:tt)*])*
                    $field:ident : $field_ty:ty $(as $ctype:literal)? = $expression:expr
                ),* $(,)?
            }
            $print:tt
            [$($name:ident $own_print:tt $with:tt)*]
        }
        args [$($arg:ident: $ty:ty,)*]
        words [$($word:ident: $c:ty = $lower:expr,)*]
        from [$($from:expr,)*]
        valid $valid:tt
        types $types:tt
    ) => {
        #[allow(clippy::too_many_arguments)]
        const _: () = {
            use ::core::mem::offset_of;
            use ::kernel::ffi::c_void;
            // A custom event has no need for all of them.
            #[allow(unused_imports)]
            use $crate::tracepoint::{
                bindings,
                define::Shared,
                event::{
                    field::Value as _,
                    record::{PreemptNotrace, Perf, Ring, Sink},
                    table, template, trace_event,
                },
            };

            #[repr(C)]
            struct Record {
                __entry: bindings::trace_entry,
                $($field: trace_event::Slot<$field_ty>,)*
                __data: [u8; 0],
            }

            /// The ends of the fields, and of the record without what lies behind them.
            const FIELDS_END: usize = offset_of!(Record, __data);
            const OFFSETS: &[usize] = &[$(offset_of!(Record, $field),)* FIELDS_END];
            const IS_DYNAMIC: bool = false $(|| trace_event::is_dynamic::<$field_ty>())*;
            const SIZE: usize = if IS_DYNAMIC {
                FIELDS_END
            } else {
                ::core::mem::size_of::<Record>()
            };

            const DESCS: &[table::Desc] = &[$(
                trace_event::desc::<$field_ty>(
                    ::core::concat!(::core::stringify!($field), "\0"),
                    {
                        const TYPE: $crate::tracepoint::event::ctype::CType =
                            trace_event::ctype::<$field_ty>(
                                trace_event::given!($($ctype)?),
                                ::core::stringify!($field_ty),
                            );
                        const TEXT: [u8; TYPE.len()] = TYPE.text();
                        &TEXT
                    },
                    trace_event::filter!($field_ty; $([$($attr)*])*),
                    offset_of!(Record, $field),
                ),
            )*];
            const FIELDS: &[template::Field] = &[$(
                trace_event::template_field::<$field_ty>(
                    ::core::stringify!($field),
                    offset_of!(Record, $field),
                    trace_event::ctype::<$field_ty>(
                        trace_event::given!($($ctype)?),
                        ::core::stringify!($field_ty),
                    ),
                ),
            )*];

            const SHOWN: &[(&str, bool)] = &[$(
                (::core::stringify!($field), trace_event::is_shown!($([$($attr)*])*)),
            )*];

            /// Makes a record.
            ///
            /// # Safety
            ///
            /// The words must come from the tracepoint; preemption must be disabled.
            #[inline(always)]
            unsafe fn record(mut sink: impl Sink $(, $word: $c)*) {
                #[allow(unused_unsafe, unused_variables)]
                // SAFETY: By the caller's promise.
                let ($($arg,)*) = unsafe { ($($from,)*) };
                // The names are the arguments' on the right, the fields' from here on.
                #[allow(unused_mut)]
                let ($(mut $field,)*) = (
                    $(<$field_ty as $crate::tracepoint::event::field::Assign<_>>::value(
                        || $expression
                    ),)*
                );
                #[allow(unused_mut)]
                let mut size = SIZE;
                $($field.place(&mut size);)*
                // SAFETY: Preemption is disabled, and all is written: the fields, what is between
                // them, what is behind them, and the bytes that round the size up.
                unsafe {
                    let Some(to) = sink.reserve(size) else {
                        return;
                    };
                    if IS_DYNAMIC {
                        trace_event::zero_last(to, size);
                    }
                    $(
                        $field.write(to, offset_of!(Record, $field));
                        trace_event::zero_gap::<
                            { offset_of!(Record, $field)
                                + ::core::mem::size_of::<trace_event::Slot<$field_ty>>() },
                            { trace_event::next(
                                OFFSETS,
                                offset_of!(Record, $field),
                                IS_DYNAMIC,
                                SIZE,
                            ) },
                        >(to);
                    )*
                    sink.commit();
                }
            }

            /// The probe of a trace buffer.
            ///
            /// # Safety
            ///
            /// Called by the tracepoint, with the `trace_event_file`.
            #[export_name = ::core::concat!(
                "trace_",
                ::core::stringify!($kind),
                "_raw_event_",
                ::core::stringify!($class),
            )]
            unsafe extern "C" fn trace_event_raw_event(file: *mut c_void $(, $word: $c)*) {
                $crate::tracepoint::point::before!($guard);
                let _preempt = PreemptNotrace::new();
                // SAFETY: `trace_event_reg()` (kernel/trace/trace_events.c) registers the
                // file as data.
                unsafe {
                    if let Some(sink) = Ring::new(file) {
                        record(sink $(, $word)*);
                    }
                }
            }

            trace_event::other_probes! {
                $kind $class $guard record perf_trace bpf_trace [$($word: $c,)*]
            }

            const DESCS_LEN: usize = DESCS.len() + 1;
            static FIELDS_ARRAY: Shared<[table::trace_event_fields; DESCS_LEN]> =
                Shared::new(table::fields(DESCS));

            static CLASS: Shared<table::trace_event_class> = Shared::new(table::class(
                CLASS.get(),
                ::core::concat!($system, "\0"),
                FIELDS_ARRAY.get().cast(),
                trace_event_raw_event as *mut c_void,
                PERF_PROBE,
                RAW_INIT,
            ));

            trace_event::output! { FUNCTIONS PRINT_FMT FIELDS SHOWN $print }

            const WORDS: usize = 0 $(+ { _ = ::core::stringify!($word); 1 })*;
            trace_event::calls! {
                $kind CLASS FUNCTIONS PRINT_FMT FIELDS SHOWN bpf_trace WORDS $($name $own_print $with)*
            }
        };
    };

    (
        { $kind:ident $system:literal $class:ident $guard:ident { $($fields:tt)* } $($rest:tt)* }
        $($parts:tt)*
    ) => {
        ::core::compile_error!(::core::concat!(
            "trace_event!: expected `field: Type = expression, …` in `",
            ::core::stringify!($class),
            "`, found `",
            ::core::stringify!($($fields)*),
            "`",
        ));
    };
}
pub(crate) use tables;

/// Expands the probes that an event has besides that of the trace buffers.
macro_rules! other_probes {
    (
        event $class:ident $guard:ident $record:ident $perf_trace:ident $bpf_trace:ident
        [$($word:ident: $c:ty,)*]
    ) => {
        /// The probe of perf.
        ///
        /// # Safety
        ///
        /// Called by the tracepoint, with the `trace_event_call`.
        #[cfg(CONFIG_PERF_EVENTS)]
        #[export_name = ::core::concat!("perf_trace_", ::core::stringify!($class))]
        unsafe extern "C" fn $perf_trace(call: *mut c_void $(, $word: $c)*) {
            $crate::tracepoint::point::before!($guard);
            let _preempt = PreemptNotrace::new();
            // SAFETY: `trace_event_reg()` (kernel/trace/trace_events.c) registers the call as data.
            unsafe {
                if let Some(sink) = Perf::new(call) {
                    $record(sink $(, $word)*);
                }
            }
        }

        /// The probe of a BPF program on the raw tracepoint.
        ///
        /// # Safety
        ///
        /// Called by the tracepoint, with the `bpf_raw_tp_link`.
        #[cfg(CONFIG_BPF_EVENTS)]
        #[export_name = ::core::concat!("__bpf_trace_", ::core::stringify!($class))]
        unsafe extern "C" fn $bpf_trace(link: *mut c_void $(, $word: $c)*) {
            $crate::tracepoint::point::before!($guard);
            // SAFETY: `bpf_probe_register()` (kernel/trace/bpf_trace.c) registers the link as data.
            unsafe {
                trace_event::bpf_trace_run!(link.cast(), [$($word)*]);
            }
        }

        #[cfg(CONFIG_PERF_EVENTS)]
        const PERF_PROBE: *mut c_void = $perf_trace as *mut c_void;
        #[cfg(not(CONFIG_PERF_EVENTS))]
        const PERF_PROBE: *mut c_void = ::core::ptr::null_mut();

        const RAW_INIT: table::RawInit = bindings::generated::trace_event_raw_init;
    };

    (custom_event $($other:tt)*) => {
        const PERF_PROBE: *mut c_void = ::core::ptr::null_mut();
        const RAW_INIT: table::RawInit = $crate::tracepoint::event::custom_event::raw_init;
    };
}
pub(crate) use other_probes;

/// Expands what the kernel knows of each event of a class.
macro_rules! calls {
    (
        custom_event
        $class:ident $functions:ident $print_fmt:ident $fields:ident $shown:ident $bpf_trace:ident
        $words:ident
        $name:ident [] []
    ) => {
        static CALL: Shared<table::trace_event_call> = Shared::new(table::custom_call(
            $class.get(),
            ::core::concat!(::core::stringify!($name), "\0"),
            $functions.get(),
            $print_fmt.get().cast(),
        ));

        #[link_section = "_ftrace_events"]
        #[used]
        static EVENT: Shared<*mut table::trace_event_call> = Shared::new(CALL.get());
    };

    (
        event $class:ident $functions:ident $print_fmt:ident $fields:ident $shown:ident $bpf_trace:ident
        $words:ident
        $($name:ident $own_print:tt $with:tt)*
    ) => {$(
        const _: () = {
            // The structs that C leaves empty in some configurations.
            #[allow(improper_ctypes)]
            extern "C" {
                #[link_name = ::core::concat!("__tracepoint_", ::core::stringify!($name))]
                static mut TRACEPOINT: bindings::tracepoint;
            }

            trace_event::own_output! { $functions $print_fmt $fields $shown $own_print }

            static CALL: Shared<table::trace_event_call> = Shared::new(table::call(
                $class.get(),
                &raw mut TRACEPOINT,
                $functions.get(),
                $print_fmt.get().cast(),
                trace_event::flags!($with),
                trace_event::perf_perm!($with),
            ));

            #[link_section = "_ftrace_events"]
            #[used]
            static EVENT: Shared<*mut table::trace_event_call> = Shared::new(CALL.get());

            #[cfg(CONFIG_BPF_EVENTS)]
            #[link_section = "__bpf_raw_tp_map"]
            #[used]
            static BPF: Shared<table::BpfRawEventMap> = Shared::new(table::BpfRawEventMap::new(
                &raw mut TRACEPOINT,
                $bpf_trace as *mut c_void,
                $words,
            ));
        };
    )*};
}
pub(crate) use calls;

/// Expands a print template.
macro_rules! output {
    (
        $functions:ident $print_fmt:ident $fields:ident $shown:ident
        [$template:literal $(, $table:ident = $helper:ident $helper_args:tt)*]
    ) => {
        const TEMPLATE: template::Template = template::Template {
            text: $template,
            fields: $fields,
            named: &[$(
                $crate::tracepoint::event::trace_event::named!($table $helper $helper_args),
            )*],
        };
        const _: () = TEMPLATE.check($shown);
        const CODE: [u8; TEMPLATE.program_len()] = TEMPLATE.program();
        static TABLES: [template::Table; TEMPLATE.tables_len()] = TEMPLATE.tables();
        static $functions: Shared<table::Functions> = Shared::new(table::Functions::new(
            $crate::tracepoint::event::print::Program {
                code: &CODE,
                tables: &TABLES,
            },
        ));
        static $print_fmt: Shared<[u8; TEMPLATE.print_fmt_len()]> =
            Shared::new(TEMPLATE.print_fmt());
    };
}
pub(crate) use output;

/// Expands the template of an event that has one of its own.
macro_rules! own_output {
    ($functions:ident $print_fmt:ident $fields:ident $shown:ident []) => {};
    ($functions:ident $print_fmt:ident $fields:ident $shown:ident $print:tt) => {
        $crate::tracepoint::event::trace_event::output! {
            $functions $print_fmt $fields $shown $print
        }
    };
}
pub(crate) use own_output;

/// Expands what stands behind a template.
macro_rules! named {
    ($name:ident print_symbolic (
        $field:ident, { $($value:expr => $text:literal),* $(,)? } $(,)?
    )) => {
        template::Named {
            name: ::core::stringify!($name),
            field: ::core::stringify!($field),
            table: $crate::tracepoint::event::symbols::table! { [] [$($value => $text,)*] },
        }
    };
    ($name:ident print_flags (
        $field:ident, $delimiter:literal, { $($value:expr => $text:literal),* $(,)? } $(,)?
    )) => {
        template::Named {
            name: ::core::stringify!($name),
            field: ::core::stringify!($field),
            table: $crate::tracepoint::event::symbols::table! {
                [$delimiter] [$($value => $text,)*]
            },
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "trace_event!: expected `name = print_symbolic(field, { value => \"text\", … })` or \
             `name = print_flags(field, \"delimiter\", { value => \"text\", … })`"
        )
    };
}
pub(crate) use named;

/// Returns the C type that was given, if any.
macro_rules! given {
    () => {
        None
    };
    ($ctype:literal) => {
        Some($ctype)
    };
}
pub(crate) use given;

/// Returns the filter type that an attribute gives, or the type's own.
macro_rules! filter {
    ($ty:ty;) => {
        <$ty as $crate::tracepoint::event::field::Field>::FILTER
    };
    ($ty:ty; [filter($filter:ident)] $($rest:tt)*) => {
        ::kernel::macros::paste! {
            $crate::tracepoint::bindings::generated::[<FILTER_ $filter>] as ::kernel::ffi::c_int
        }
    };
    ($ty:ty; [shown] $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::filter!($ty; $($rest)*)
    };
    ($ty:ty; [doc = $doc:literal] $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::filter!($ty; $($rest)*)
    };
    ($ty:ty; [$($other:tt)*] $($rest:tt)*) => {
        ::core::compile_error!(
            "trace_event!: a field takes `#[filter(TYPE)]` and `#[shown]`, nothing else"
        )
    };
}
pub(crate) use filter;

/// Returns whether an attribute says that the template has to show the field.
macro_rules! is_shown {
    () => {
        false
    };
    ([shown] $($rest:tt)*) => {
        true
    };
    ([$($other:tt)*] $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::is_shown!($($rest)*)
    };
}
pub(crate) use is_shown;

/// Calls `bpf_trace_runN()` with N words.
macro_rules! bpf_trace_run {
    (@ $link:expr, $run:ident [$($word:ident)*]) => {
        $crate::tracepoint::bindings::generated::$run(
            $link,
            $($crate::tracepoint::args::Word::to_u64($word)),*
        )
    };
    ($link:expr, []) => {
        // C has no event without an argument: it passes nothing where a word is expected.
        $crate::tracepoint::bindings::generated::bpf_trace_run1($link, 0)
    };
    ($link:expr, [$a:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run1 [$a]) };
    ($link:expr, [$a:ident $b:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run2 [$a $b]) };
    ($link:expr, [$a:ident $b:ident $c:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run3 [$a $b $c]) };
    ($link:expr, [$a:ident $b:ident $c:ident $d:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run4 [$a $b $c $d]) };
    ($link:expr, [$a:ident $b:ident $c:ident $d:ident $e:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run5 [$a $b $c $d $e]) };
    ($link:expr, [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run6 [$a $b $c $d $e $f]) };
    ($link:expr, [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run7 [$a $b $c $d $e $f $g]) };
    ($link:expr, [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run8 [$a $b $c $d $e $f $g $h]) };
    ($link:expr, [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run9 [$a $b $c $d $e $f $g $h $i]) };
    ($link:expr, [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:ident $j:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run10 [$a $b $c $d $e $f $g $h $i $j]) };
    ($link:expr, [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:ident $j:ident $k:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run11 [$a $b $c $d $e $f $g $h $i $j $k]) };
    ($link:expr, [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:ident $j:ident $k:ident $l:ident]) => { $crate::tracepoint::event::trace_event::bpf_trace_run!(@ $link, bpf_trace_run12 [$a $b $c $d $e $f $g $h $i $j $k $l]) };
}
pub(crate) use bpf_trace_run;

use super::{
    ctype::{CType, Form},
    field::Field,
    table::Desc,
    template,
};
use kernel::ffi::c_int;

/// What stands in the record for a field.
pub type Slot<T> = <T as Field>::Slot;

/// Returns whether a field's data lies behind the fields.
pub const fn is_dynamic<T: Field>() -> bool {
    matches!(T::FORM, Form::Dynamic { .. })
}

/// Returns the C type of a field.
pub const fn ctype<T: Field>(given: Option<&'static str>, tokens: &'static str) -> CType {
    CType::new(given, tokens, T::NAME, T::FORM)
}

/// Describes a field for the kernel.
pub const fn desc<T: Field>(
    name: &'static str,
    ctype: &'static [u8],
    filter: c_int,
    offset: usize,
) -> Desc {
    Desc {
        name,
        ctype,
        size: size_of::<T::Slot>(),
        align: align_of::<T::Slot>(),
        signed: T::SIGNED,
        filter,
        len: T::LEN,
        offset,
    }
}

/// Describes a field for the print template.
pub const fn template_field<T: Field>(
    name: &'static str,
    offset: usize,
    ctype: CType,
) -> template::Field {
    template::Field {
        name,
        kind: match T::KIND {
            // In Rust a `c_char` is a `u8`.
            template::Kind::Array { size: 1, len } if ctype.is_char() => {
                template::Kind::Chars { len }
            }
            kind => kind,
        },
        offset,
        rel: matches!(T::FORM, Form::Dynamic { rel: true, .. }),
        table: T::TABLE,
    }
}

/// Returns where the field behind the one at `offset` begins. The last is followed by what lies
/// behind the fields, or else by the end of the record.
pub const fn next(offsets: &[usize], offset: usize, is_dynamic: bool, size: usize) -> usize {
    let mut i = 0;
    while i < offsets.len() {
        if offsets[i] > offset {
            if i + 1 == offsets.len() && !is_dynamic {
                return size;
            }
            return offsets[i];
        }
        i += 1;
    }
    size
}

/// Zeroes what alignment leaves between two fields.
///
/// # Safety
///
/// `record` must be valid for writes up to `TO`.
#[inline(always)]
pub unsafe fn zero_gap<const FROM: usize, const TO: usize>(record: *mut u8) {
    // SAFETY: By the caller's promise.
    unsafe { core::ptr::write_bytes(record.add(FROM), 0, const { TO.saturating_sub(FROM) }) };
}

/// Zeroes the last bytes of a record whose size is rounded up to four.
///
/// # Safety
///
/// `record` must be valid for writes of `size` bytes, rounded up to four, at least four.
#[inline(always)]
pub unsafe fn zero_last(record: *mut u8, size: usize) {
    let last = (size.wrapping_add(3) & !3).wrapping_sub(4);
    // SAFETY: By the caller's promise.
    unsafe { record.add(last).cast::<u32>().write_unaligned(0) };
}
