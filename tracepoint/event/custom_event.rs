// SPDX-License-Identifier: GPL-2.0

//! Custom events on the kernel's tracepoints.
//!
//! C header: [`include/trace/trace_custom_events.h`](srctree/include/trace/trace_custom_events.h)

use crate::{bindings::generated, lookup::kernel_tracepoint};
use core::ffi::CStr;
use kernel::{error::code::ENOENT, ffi::c_int, str::CStrExt as _};

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
        (*call).flags = generated::TRACE_EVENT_FL_TRACEPOINT as c_int;
        generated::trace_event_raw_init(call)
    }
}
