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
        [
            $system:literal $class:ident $guard:ident [$($faultable:ident)?] ($($args:tt)*)
            $fields:tt $print:tt
        ]
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
        unsafe extern "C" fn __perf_perm(
            _: *mut __parts::table::trace_event_call,
            event: *mut __parts::bindings::generated::perf_event,
        ) -> ::kernel::ffi::c_int {
            // SAFETY: The event is being opened.
            let event = unsafe { $crate::tracepoint::event::perf::PerfEvent::from_raw(event) };
            ::kernel::error::from_result(|| $perm(event).map(|()| 0))
        }
        Some(__perf_perm)
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
            // Names that begin so, and paths from the root: what the user wrote is resolved here.
            use $crate::tracepoint::event::parts as __parts;

            #[repr(C)]
            struct __Record {
                __entry: __parts::bindings::trace_entry,
                $($field: __parts::trace_event::Slot<$field_ty>,)*
                __data: [u8; 0],
            }

            /// The ends of the fields, and of the record without what lies behind them.
            const __FIELDS_END: usize = ::core::mem::offset_of!(__Record, __data);
            const __OFFSETS: &[usize] =
                &[$(::core::mem::offset_of!(__Record, $field),)* __FIELDS_END];
            const __IS_DYNAMIC: bool = false $(|| __parts::trace_event::is_dynamic::<$field_ty>())*;
            const __SIZE: usize = if __IS_DYNAMIC {
                __FIELDS_END
            } else {
                ::core::mem::size_of::<__Record>()
            };

            const __DESCS: &[__parts::table::Desc] = &[$(
                __parts::trace_event::desc::<$field_ty>(
                    ::core::concat!(::core::stringify!($field), "\0"),
                    {
                        const TYPE: $crate::tracepoint::event::ctype::CType =
                            __parts::trace_event::ctype::<$field_ty>(
                                __parts::trace_event::given!($($ctype)?),
                                ::core::stringify!($field_ty),
                            );
                        const TEXT: [u8; TYPE.len()] = TYPE.text();
                        &TEXT
                    },
                    __parts::trace_event::filter!($field_ty; $([$($attr)*])*),
                    ::core::mem::offset_of!(__Record, $field),
                ),
            )*];
            const __FIELDS: &[__parts::template::Field] = &[$(
                __parts::trace_event::template_field::<$field_ty>(
                    ::core::stringify!($field),
                    ::core::mem::offset_of!(__Record, $field),
                    __parts::trace_event::ctype::<$field_ty>(
                        __parts::trace_event::given!($($ctype)?),
                        ::core::stringify!($field_ty),
                    ),
                ),
            )*];

            const __SHOWN: &[(&str, bool)] = &[$(
                (::core::stringify!($field), __parts::trace_event::is_shown!($([$($attr)*])*)),
            )*];

            /// Makes a record.
            ///
            /// # Safety
            ///
            /// The words must come from the tracepoint; preemption must be disabled.
            #[inline(always)]
            unsafe fn __record(mut sink: impl __parts::Sink $(, $word: $c)*) {
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
                let mut size = __SIZE;
                $(__parts::Value::place(&mut $field, &mut size);)*
                // SAFETY: Preemption is disabled, and all is written: the fields, what is between
                // them, what is behind them, and the bytes that round the size up.
                unsafe {
                    let Some(to) = __parts::Sink::reserve(&mut sink, size) else {
                        return;
                    };
                    if __IS_DYNAMIC {
                        __parts::trace_event::zero_last(to, size);
                    }
                    $(
                        __parts::Value::write($field, to, ::core::mem::offset_of!(__Record, $field));
                        __parts::trace_event::zero_gap::<
                            { ::core::mem::offset_of!(__Record, $field)
                                + ::core::mem::size_of::<__parts::trace_event::Slot<$field_ty>>() },
                            { __parts::trace_event::next(
                                __OFFSETS,
                                ::core::mem::offset_of!(__Record, $field),
                                __IS_DYNAMIC,
                                __SIZE,
                            ) },
                        >(to);
                    )*
                    __parts::Sink::commit(&mut sink);
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
            unsafe extern "C" fn __trace_event_raw_event(
                file: *mut ::kernel::ffi::c_void
                $(, $word: $c)*
            ) {
                $crate::tracepoint::point::before!($guard);
                let _preempt = __parts::PreemptNotrace::new();
                // SAFETY: `trace_event_reg()` (kernel/trace/trace_events.c) registers the
                // file as data.
                unsafe {
                    if let Some(sink) = __parts::Ring::new(file) {
                        __record(sink $(, $word)*);
                    }
                }
            }

            __parts::trace_event::other_probes! {
                $kind $class $guard __record __perf_trace __bpf_trace [$($word: $c,)*]
            }

            const __DESCS_LEN: usize = __DESCS.len() + 1;
            static __FIELDS_ARRAY: __parts::Shared<
                [__parts::table::trace_event_fields; __DESCS_LEN],
            > = __parts::Shared::new(__parts::table::fields(__DESCS));

            static __CLASS: __parts::Shared<__parts::table::trace_event_class> =
                __parts::Shared::new(__parts::table::class(
                    __CLASS.get(),
                    ::core::concat!($system, "\0"),
                    __FIELDS_ARRAY.get().cast(),
                    __trace_event_raw_event as *mut ::kernel::ffi::c_void,
                    __PERF_PROBE,
                    __RAW_INIT,
                ));

            __parts::trace_event::output! { __FUNCTIONS __PRINT_FMT __FIELDS __SHOWN $print }

            const __WORDS: usize = 0 $(+ { _ = ::core::stringify!($word); 1 })*;
            __parts::trace_event::calls! {
                $kind __CLASS __FUNCTIONS __PRINT_FMT __FIELDS __SHOWN __bpf_trace __WORDS
                $($name $own_print $with)*
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
        unsafe extern "C" fn $perf_trace(call: *mut ::kernel::ffi::c_void $(, $word: $c)*) {
            $crate::tracepoint::point::before!($guard);
            let _preempt = __parts::PreemptNotrace::new();
            // SAFETY: `trace_event_reg()` (kernel/trace/trace_events.c) registers the call as data.
            unsafe {
                if let Some(sink) = __parts::Perf::new(call) {
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
        unsafe extern "C" fn $bpf_trace(link: *mut ::kernel::ffi::c_void $(, $word: $c)*) {
            $crate::tracepoint::point::before!($guard);
            // SAFETY: `bpf_probe_register()` (kernel/trace/bpf_trace.c) registers the link as data.
            unsafe {
                __parts::BpfTraceRun::run(
                    [$($crate::tracepoint::args::Word::to_u64($word)),*],
                    link.cast(),
                );
            }
        }

        #[cfg(CONFIG_PERF_EVENTS)]
        const __PERF_PROBE: *mut ::kernel::ffi::c_void = $perf_trace as *mut ::kernel::ffi::c_void;
        #[cfg(not(CONFIG_PERF_EVENTS))]
        const __PERF_PROBE: *mut ::kernel::ffi::c_void = ::core::ptr::null_mut();

        const __RAW_INIT: __parts::table::RawInit =
            __parts::bindings::generated::trace_event_raw_init;
    };

    (custom_event $($other:tt)*) => {
        const __PERF_PROBE: *mut ::kernel::ffi::c_void = ::core::ptr::null_mut();
        const __RAW_INIT: __parts::table::RawInit =
            $crate::tracepoint::event::custom_event::raw_init;
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
        static __CALL: __parts::Shared<__parts::table::trace_event_call> =
            __parts::Shared::new(__parts::table::custom_call(
                $class.get(),
                ::core::concat!(::core::stringify!($name), "\0"),
                $functions.get(),
                $print_fmt.get().cast(),
            ));

        #[link_section = "_ftrace_events"]
        #[used]
        static __EVENT: __parts::Shared<*mut __parts::table::trace_event_call> =
            __parts::Shared::new(__CALL.get());
    };

    (
        event
        $class:ident $functions:ident $print_fmt:ident $fields:ident $shown:ident
        $bpf_trace:ident $words:ident
        $($name:ident $own_print:tt $with:tt)*
    ) => {$(
        const _: () = {
            // The structs that C leaves empty in some configurations.
            #[allow(improper_ctypes)]
            extern "C" {
                #[link_name = ::core::concat!("__tracepoint_", ::core::stringify!($name))]
                static mut __TRACEPOINT: __parts::bindings::tracepoint;
            }

            __parts::trace_event::own_output! { $functions $print_fmt $fields $shown $own_print }

            static __CALL: __parts::Shared<__parts::table::trace_event_call> =
                __parts::Shared::new(__parts::table::call(
                    $class.get(),
                    &raw mut __TRACEPOINT,
                    $functions.get(),
                    $print_fmt.get().cast(),
                    __parts::trace_event::flags!($with),
                    __parts::trace_event::perf_perm!($with),
                ));

            #[link_section = "_ftrace_events"]
            #[used]
            static __EVENT: __parts::Shared<*mut __parts::table::trace_event_call> =
                __parts::Shared::new(__CALL.get());

            #[cfg(CONFIG_BPF_EVENTS)]
            #[link_section = "__bpf_raw_tp_map"]
            #[used]
            static __BPF: __parts::Shared<__parts::table::BpfRawEventMap> =
                __parts::Shared::new(__parts::table::BpfRawEventMap::new(
                    &raw mut __TRACEPOINT,
                    $bpf_trace as *mut ::kernel::ffi::c_void,
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
        const __TEMPLATE: __parts::template::Template = __parts::template::Template {
            text: $template,
            fields: $fields,
            named: &[$(
                $crate::tracepoint::event::trace_event::named!($table $helper $helper_args),
            )*],
        };
        const _: () = __TEMPLATE.check($shown);
        const __CODE: [u8; __TEMPLATE.program_len()] = __TEMPLATE.program();
        static __TABLES: [__parts::template::Table; __TEMPLATE.tables_len()] = __TEMPLATE.tables();
        static $functions: __parts::Shared<__parts::table::Functions> =
            __parts::Shared::new(__parts::table::Functions::new(
                $crate::tracepoint::event::print::Program {
                    code: &__CODE,
                    tables: &__TABLES,
                },
            ));
        static $print_fmt: __parts::Shared<[u8; __TEMPLATE.print_fmt_len()]> =
            __parts::Shared::new(__TEMPLATE.print_fmt());
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
        __parts::template::Named {
            name: ::core::stringify!($name),
            field: ::core::stringify!($field),
            table: $crate::tracepoint::event::symbols::table! { [] [$($value => $text,)*] },
        }
    };
    ($name:ident print_flags (
        $field:ident, $delimiter:literal, { $($value:expr => $text:literal),* $(,)? } $(,)?
    )) => {
        __parts::template::Named {
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

use super::{
    super::text::unraw,
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
        name: unraw(name),
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
        name: unraw(name),
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
