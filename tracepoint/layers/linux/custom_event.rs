// SPDX-License-Identifier: GPL-2.0

//! Custom events on the kernel's tracepoints.
//!
//! C header: [`include/trace/trace_custom_events.h`](srctree/include/trace/trace_custom_events.h)

use crate::base::{
    bindings::generated,
    event::class::{call, trace_event_call, trace_event_class, Output, RawInit, Reg},
    guard::tracepoint_synchronize_unregister,
    lookup::kernel_tracepoint,
};
use core::{ffi::CStr, mem::transmute, ptr::null_mut};
use kernel::{ffi::c_void, prelude::*};

/// C's `enum trace_reg`. Its name is part of the type of [`reg`], which CONFIG_CFI compares.
#[allow(non_camel_case_types)]
#[repr(C)]
struct trace_reg(generated::trace_reg);

/// Registers and unregisters the probes of an event. Waits for one that's unregistered: the kernel may still be
/// running it when the module goes, and `trace_module_remove_events()` (kernel/trace/trace_events.c) doesn't wait.
///
/// C: `trace_event_reg()`.
///
/// # Safety
///
/// Only the kernel may call this, as `class->reg`.
unsafe extern "C" fn reg(
    call: *mut trace_event_call,
    trace_reg(action): trace_reg,
    data: *mut c_void,
) -> c_int {
    // SAFETY: By the safety contract.
    let result = unsafe { generated::trace_event_reg(call, action, data) };
    if action == generated::trace_reg_TRACE_REG_UNREGISTER {
        tracepoint_synchronize_unregister();
    }
    result
}

/// Finds the tracepoint of a custom event.
///
/// # Safety
///
/// Only `event_init()` (kernel/trace/trace_events.c) may call this, with an event whose `name` is
/// set.
unsafe extern "C" fn raw_init(call: *mut generated::trace_event_call) -> c_int {
    // SAFETY: By the safety contract, `call` is an event whose `name` is set. Neither the event nor its
    // class is in use yet. For `reg`, the struct of one integer is passed as the integer is.
    unsafe {
        let name = CStr::from_char_ptr((*call).__bindgen_anon_1.name);
        let Some(tp) = kernel_tracepoint(name) else {
            return ENOENT.to_errno();
        };
        (*call).__bindgen_anon_1.tp = tp.as_ptr();
        (*call).flags = generated::TRACE_EVENT_FL_TRACEPOINT as c_int;
        (*(*call).class).reg =
            Some(transmute::<unsafe extern "C" fn(_, trace_reg, _) -> _, Reg>(reg));
        generated::trace_event_raw_init(call)
    }
}

/// Initialises an event on a tracepoint of the kernel.
pub const CUSTOM_RAW_INIT: RawInit = raw_init;

/// Returns an event on a tracepoint of the kernel. The tracepoint is looked up when the event is
/// initialised.
///
/// C: `custom_event_NAME` (include/trace/trace_custom_events.h).
pub const fn custom_call<P>(
    class: *mut trace_event_class,
    name: &'static CStr,
    output: *mut Output<P>,
) -> trace_event_call {
    let mut event = call(class, null_mut(), output, 0, None);
    event.__bindgen_anon_1 = generated::trace_event_call__bindgen_ty_1 {
        name: name.to_bytes_with_nul().as_ptr().cast_mut(),
    };
    event.flags = generated::TRACE_EVENT_FL_CUSTOM as c_int;
    event
}
