// SPDX-License-Identifier: GPL-2.0

//! The [`trace_event!`] macro.

/// Declares and defines trace events.
///
/// C: `TRACE_EVENT()`, `_CONDITION`, `_FN`, `_FN_COND`, `_SYSCALL`; for `class`,
/// `DECLARE_EVENT_CLASS()`, `DEFINE_EVENT()`, `_CONDITION`, `_FN`, `_PRINT`.
///
/// An event is also a tracepoint, as if declared with [`tracepoint!`](super::super::tracepoint):
/// [`trace!`](super::super::trace) fires it, and it can be probed and exported. Another module that
/// fires or probes it declares it with [`tracepoint!`](super::super::tracepoint). In tracefs, the
/// event appears as `events/SYSTEM/NAME`.
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
///     /// The arguments, fields and output format that the events below share.
///     class drv_done(sector: u64, error: i32) {
///         sector: u64 = sector,
///         error: i32 = error,
///     }
///     print "{sector}: {error}"
///     events {
///         /// A request has been completed.
///         pub fn drv_done;
///         /// A request has failed.
///         pub fn drv_failed if error < 0;
///         /// Has its own output format, and hooks that run when it is enabled and disabled.
///         pub fn drv_retried print "{sector} again" with { reg: begin, unreg: end };
///     }
/// }
/// ```
///
/// A field has a name, a type, and an expression that gives its value and can use the event's
/// arguments: see [`field`](super::field). The expression is evaluated separately for each trace
/// buffer and for perf, with preemption disabled. It must not sleep and must not take a `SpinLock`
/// or a `Mutex`, not even in the `Display` implementation of a value that it formats. Expressions
/// for numbers and structs are evaluated after space in the buffer has been reserved, all others
/// before that.
///
/// `as` sets the C type in the `format` file, if it should differ from the default for the Rust
/// type. `#[filter(COMM)]` before a field sets one of C's filter types. `#[shown]` requires that
/// the template shows the field.
///
/// [`template`](super::template) describes the print template.
///
/// `with` accepts, in any order:
///
/// - `reg: function, unreg: function`: see [`define_trace!`](super::super::define_trace);
/// - `flags: CAP_ANY`: any user may count the event with perf. C: `TRACE_EVENT_FLAGS()`;
/// - `perf_perm: function`: a `fn(&PerfEvent) -> Result` that decides who may use the event with
///   perf; see [`PerfEvent`](super::perf::PerfEvent). C: `TRACE_EVENT_PERF_PERM()`.
macro_rules! trace_event {
    (system: $system:literal; $($items:tt)*) => {
        $crate::tracepoint::event::trace_event::items! { $system $($items)* }
    };
    ($($other:tt)*) => {
        ::core::compile_error!("trace_event!: expected `system: \"name\";`, then the events");
    };
}
pub(crate) use trace_event;

/// Processes the items of [`trace_event!`] one by one.
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
            "trace_event!: expected `pub fn name(argument: Type, …) \
             { field: Type = expression, … } print \"…\";` or \
             `class name(…) { … } print \"…\" events { … }`, found `",
            ::core::stringify!($($other)+),
            "`",
        ));
    };
}
pub(crate) use items;

/// Processes an event's condition, up to its fields.
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
            "trace_event!: expected `print \"…\"`, optionally \
             `, name = print_symbolic(field, { … })`, optionally `with { … }`, and `;` \
             after an event's fields"
        );
    };

    ($event:tt $head:tt [$($condition:tt)*] $token:tt $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::event! {
            $event $head [$($condition)* $token] $($rest)*
        }
    };

    ($event:tt $head:tt [$($condition:tt)*]) => {
        ::core::compile_error!("trace_event!: the event has no `{ fields }`");
    };
}
pub(crate) use event;

/// Processes the events of a class one by one.
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

/// Processes one event of a class, up to its semicolon.
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
            "trace_event!: missing `;` after `fn ",
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
            "trace_event!: `with` accepts `reg: function, unreg: function`, `flags: CAP_ANY` and \
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

/// Returns the `perf_perm` function that `with` names.
macro_rules! perf_perm {
    ([perf_perm: $perm:path $(, $($rest:tt)*)?]) => {{
        /// # Safety
        ///
        /// Called by kernel/trace/trace_event_perf.c.
        unsafe extern "C" fn __perf_perm(
            _: *mut __p::trace_event_call,
            event: *mut __p::perf_event,
        ) -> __p::c_int {
            // SAFETY: The event is being opened, so it is valid.
            let event = unsafe { $crate::tracepoint::event::perf::PerfEvent::from_raw(&event) };
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

/// Expands everything that a class needs: its record, its probes, its tables and its events.
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
        // `improper_ctypes`: some structs are empty in C in some configurations.
        #[allow(improper_ctypes, clippy::missing_safety_doc, clippy::too_many_arguments)]
        const _: () = {
            // Only names starting with `__` and absolute paths are used: the user's types and
            // expressions are resolved in this scope.
            use $crate::tracepoint::event::parts as __p;

            /// The fields, with their offsets in the record.
            const __FIELDS: &[__p::Desc] = &__p::layout([$(
                __p::desc::<$field_ty>(
                    ::core::concat!(::core::stringify!($field), "\0"),
                    __p::trace_event::given!($($ctype)?),
                    ::core::stringify!($field_ty),
                    __p::trace_event::filter!($([$($attr)*])*),
                    __p::trace_event::is_shown!($([$($attr)*])*),
                ),
            )*]);

            /// Makes a record from the tracepoint's words. Preemption is disabled.
            #[inline(always)]
            unsafe fn __record(mut sink: impl __p::Sink $(, $word: $c)*) {
                #[allow(unused_unsafe, unused_variables)]
                // SAFETY: By the safety contract: the words are the tracepoint's.
                let ($($arg,)*) = unsafe { ($($from,)*) };
                // On the right, the names refer to the arguments; from here on, to the fields.
                #[allow(unused_mut)]
                let ($(mut $field,)*) =
                    ($(<$field_ty as __p::Assign<_>>::value(|| $expression),)*);
                #[allow(unused_mut)]
                let mut size = const { __p::size(__FIELDS) };
                $(__p::Value::place(&mut $field, &mut size);)*
                // SAFETY: Preemption is disabled, and everything is written: the fields, the gaps
                // between them, the data after them, and the bytes that round up the size.
                unsafe {
                    let Some(to) = __p::Sink::reserve(&mut sink, size) else {
                        return;
                    };
                    __p::zero(to, size, const {
                        __p::rest::<{ __p::gaps_len(__FIELDS) }>(__FIELDS)
                    });
                    $(__p::Value::write($field, to, const {
                        __p::offset(__FIELDS, ::core::stringify!($field))
                    });)*
                    __p::Sink::commit(&mut sink);
                }
            }

            /// The probe that records to a trace buffer. Its data is the `trace_event_file`.
            #[export_name = ::core::concat!(
                "trace_",
                ::core::stringify!($kind),
                "_raw_event_",
                ::core::stringify!($class),
            )]
            unsafe extern "C" fn __trace_event_raw_event(
                file: *mut __p::c_void
                $(, $word: $c)*
            ) {
                __p::trace_event::check_words! { $kind $valid }
                // SAFETY: `trace_event_reg()` (kernel/trace/trace_events.c) registers the
                // file as data.
                unsafe {
                    __p::ring::<__p::$guard>(file, |sink| __record(sink $(, $word)*))
                }
            }

            __p::trace_event::other_probes! { $kind $class $guard [$($word: $c,)*] }

            static __CLASS: __p::Shared<__p::Class<{ __FIELDS.len() + 1 }>> =
                __p::Shared::new(__p::Class::new(
                    __CLASS.get(),
                    ::core::concat!($system, "\0"),
                    __FIELDS,
                    &const { __p::types::<{ __p::types_len(__FIELDS) }>(__FIELDS) },
                    __trace_event_raw_event as *mut __p::c_void,
                    __PERF_PROBE,
                    __RAW_INIT,
                ));

            __p::trace_event::output! { $print }
            __p::trace_event::calls! { $kind $($name $own_print $with)* }
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

/// Returns from the probe if the words can't be converted to the arguments: C can pass NULL for a
/// reference. The words of the module's own events come from `call()` and are always valid.
macro_rules! check_words {
    (event $valid:tt) => {};
    (custom_event [$($valid:expr,)*]) => {
        if !(true $(&& $valid)*) {
            return;
        }
    };
}
pub(crate) use check_words;

/// Expands the probes of an event other than the one for trace buffers.
macro_rules! other_probes {
    (event $class:ident $guard:ident [$($word:ident: $c:ty,)*]) => {
        /// The probe that records for perf. Its data is the `trace_event_call`.
        #[cfg(CONFIG_PERF_EVENTS)]
        #[export_name = ::core::concat!("perf_trace_", ::core::stringify!($class))]
        unsafe extern "C" fn __perf_trace(call: *mut __p::c_void $(, $word: $c)*) {
            // SAFETY: `trace_event_reg()` (kernel/trace/trace_events.c) registers the call as data.
            unsafe { __p::perf::<__p::$guard>(call, |sink| __record(sink $(, $word)*)) }
        }

        /// The probe that runs a BPF program. Its data is the `bpf_raw_tp_link`.
        #[cfg(CONFIG_BPF_EVENTS)]
        #[export_name = ::core::concat!("__bpf_trace_", ::core::stringify!($class))]
        unsafe extern "C" fn __bpf_trace(link: *mut __p::c_void $(, $word: $c)*) {
            // SAFETY: `bpf_probe_register()` (kernel/trace/bpf_trace.c) registers the link as data.
            unsafe { __p::bpf::<__p::$guard, _>(link, [$(__p::word($word)),*]) }
        }

        #[cfg(CONFIG_PERF_EVENTS)]
        const __PERF_PROBE: *mut __p::c_void = __perf_trace as *mut __p::c_void;
        #[cfg(not(CONFIG_PERF_EVENTS))]
        const __PERF_PROBE: *mut __p::c_void = ::core::ptr::null_mut();

        const __RAW_INIT: __p::RawInit = __p::trace_event_raw_init;
    };

    (custom_event $($other:tt)*) => {
        const __PERF_PROBE: *mut __p::c_void = ::core::ptr::null_mut();
        const __RAW_INIT: __p::RawInit = $crate::tracepoint::event::custom_event::raw_init;
    };
}
pub(crate) use other_probes;

/// Expands the tables of each event of a class.
macro_rules! calls {
    (custom_event $name:ident [] []) => {
        static __CALL: __p::Shared<__p::trace_event_call> =
            __p::Shared::new(__p::custom_call(
                __CLASS.get(),
                ::core::concat!(::core::stringify!($name), "\0"),
                __OUTPUT.get(),
            ));

        #[link_section = "_ftrace_events"]
        #[used(compiler)]
        static __EVENT: __p::Shared<*mut __p::trace_event_call> =
            __p::Shared::new(__CALL.get());
    };

    (event $($name:ident $own_print:tt $with:tt)*) => {$(
        const _: () = {
            extern "C" {
                #[link_name = ::core::concat!("__tracepoint_", ::core::stringify!($name))]
                static mut __TRACEPOINT: __p::tracepoint;
            }

            __p::trace_event::own_output! { $own_print }

            static __CALL: __p::Shared<__p::trace_event_call> =
                __p::Shared::new(__p::call(
                    __CLASS.get(),
                    &raw mut __TRACEPOINT,
                    __OUTPUT.get(),
                    __p::trace_event::flags!($with),
                    __p::trace_event::perf_perm!($with),
                ));

            #[link_section = "_ftrace_events"]
            #[used(compiler)]
            static __EVENT: __p::Shared<*mut __p::trace_event_call> =
                __p::Shared::new(__CALL.get());

            #[cfg(CONFIG_BPF_EVENTS)]
            #[link_section = "__bpf_raw_tp_map"]
            #[used(compiler)]
            static __BPF: __p::Shared<__p::BpfRawEventMap> =
                __p::Shared::new(__p::BpfRawEventMap::new::<$name>(
                    &raw mut __TRACEPOINT,
                    __bpf_trace as *mut __p::c_void,
                ));
        };
    )*};
}
pub(crate) use calls;

/// Expands a print template.
macro_rules! output {
    ([$template:literal $(, $table:ident = $helper:ident $helper_args:tt)*]) => {
        const __TEMPLATE: __p::Template = __p::Template::new(
            $template,
            &const { __p::template_fields::<{ __FIELDS.len() }>(__FIELDS) },
            &[$(
                $crate::tracepoint::event::trace_event::named!($table $helper $helper_args),
            )*],
        );
        const __PIECES: &[__p::Piece] = &__TEMPLATE.pieces::<{ __TEMPLATE.len() }>();

        static __OUTPUT: __p::Shared<__p::Output<{ __p::print_fmt_len(__PIECES) }>> =
            __p::Shared::new(__p::Output::new(
                __p::print_fmt(__PIECES),
                &const { __p::program::<{ __p::program_len(__PIECES) }>(__PIECES) },
                &const { __p::tables::<{ __p::tables_len(__PIECES) }>(__PIECES) },
            ));
    };
}
pub(crate) use output;

/// Expands the template of an event that has its own.
macro_rules! own_output {
    ([]) => {};
    ($print:tt) => {
        $crate::tracepoint::event::trace_event::output! { $print }
    };
}
pub(crate) use own_output;

/// Expands a table after a template.
macro_rules! named {
    ($name:ident print_symbolic (
        $field:ident, { $($value:expr => $text:literal),* $(,)? } $(,)?
    )) => {
        __p::Named {
            name: ::core::stringify!($name),
            field: ::core::stringify!($field),
            table: $crate::tracepoint::event::symbols::table! { [] [$($value => $text,)*] },
        }
    };
    ($name:ident print_flags (
        $field:ident, $delimiter:literal, { $($value:expr => $text:literal),* $(,)? } $(,)?
    )) => {
        __p::Named {
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

/// Returns the C type given with `as`, if any.
macro_rules! given {
    () => {
        None
    };
    ($ctype:literal) => {
        Some($ctype)
    };
}
pub(crate) use given;

/// Returns the filter type given by an attribute, if any.
macro_rules! filter {
    () => {
        None
    };
    ([filter($filter:ident)] $($rest:tt)*) => {
        ::kernel::macros::paste! {
            Some($crate::tracepoint::bindings::generated::[<FILTER_ $filter>] as __p::c_int)
        }
    };
    ([shown] $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::filter!($($rest)*)
    };
    ([doc = $doc:literal] $($rest:tt)*) => {
        $crate::tracepoint::event::trace_event::filter!($($rest)*)
    };
    ([$($other:tt)*] $($rest:tt)*) => {
        ::core::compile_error!(
            "trace_event!: a field accepts only the attributes `#[filter(TYPE)]` and `#[shown]`"
        )
    };
}
pub(crate) use filter;

/// Returns whether an attribute requires that the template shows the field.
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
