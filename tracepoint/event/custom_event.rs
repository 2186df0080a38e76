// SPDX-License-Identifier: GPL-2.0

//! Custom events on the kernel's tracepoints.
//!
//! C header: [`include/trace/trace_custom_events.h`](srctree/include/trace/trace_custom_events.h)

use super::{
    super::{bindings::generated, lookup::kernel_tracepoint},
    table::flags,
};
use core::ffi::CStr;
use kernel::{error::code::ENOENT, ffi::c_int, str::CStrExt as _};

/// Declares events that record other data than the kernel's own events on the same tracepoints.
///
/// C: `TRACE_CUSTOM_EVENT()`, and the loop that calls `trace_custom_event_NAME_update()` for every
/// tracepoint of the kernel. Here, the event finds its tracepoint by itself, before it can be
/// enabled. If there is no such tracepoint, a message is logged and the event isn't created.
///
/// The name and the arguments must be those of the tracepoint.
/// [`kernel_tracepoint!`](super::super::kernel_tracepoint) describes how the compiler checks them,
/// and how calls with NULL are handled. The rest is the same as in
/// [`trace_event!`](super::trace_event). As in C, there is no perf event.
///
/// ```ignore
/// trace_custom_event! {
///     system: "my_sched";
///
///     /// A CPU switches to another task.
///     pub fn sched_switch(preempt: bool, prev: &Task, next: &Task, prev_state: u32) {
///         next_pid: i32 as "pid_t" = next.pid(),
///     }
///     print "next_pid={next_pid}";
/// }
/// ```
macro_rules! trace_custom_event {
    (
        system: $system:literal;
        $(
            $(#[$meta:meta])* $vis:vis fn $name:ident($($args:tt)*) $fields:tt
            print $template:literal $(, $table:ident = $helper:ident $helper_args:tt)*;
        )*
    ) => {$(
        $crate::tracepoint::kernel_tracepoint! {
            $(#[$meta])*
            #[allow(dead_code)]
            $vis fn $name($($args)*);
        }

        $crate::tracepoint::args::args_each! {
            [$crate::tracepoint::event::trace_event::tables]
            {
                custom_event $system $name Srcu $fields
                [$template $(, $table = $helper $helper_args)*]
                [$name [] []]
            }
            $($args)*
        }
    )*};
    ($($other:tt)*) => {
        ::core::compile_error!(
            "trace_custom_event!: expected `system: \"name\";`, then \
             `fn name(argument: Type, …) { field: Type = expression, … } print \"…\";`"
        );
    };
}
pub(crate) use trace_custom_event;

/// Finds the tracepoint of a custom event.
///
/// # Safety
///
/// Called by `event_init()` (kernel/trace/trace_events.c), with an event whose `name` is set.
pub unsafe extern "C" fn raw_init(call: *mut generated::trace_event_call) -> c_int {
    // SAFETY: By the safety contract. The event isn't in use yet.
    unsafe {
        let name = CStr::from_char_ptr((*call).__bindgen_anon_1.name);
        let Some(tp) = kernel_tracepoint(name) else {
            return ENOENT.to_errno();
        };
        (*call).__bindgen_anon_1.tp = tp.as_ptr();
        (*call).flags = flags::TRACEPOINT;
        generated::trace_event_raw_init(call)
    }
}
