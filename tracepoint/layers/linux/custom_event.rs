// SPDX-License-Identifier: GPL-2.0

//! Custom events on the kernel's tracepoints.
//!
//! C header: [`include/trace/trace_custom_events.h`](srctree/include/trace/trace_custom_events.h)

use crate::{
    base::{
        bindings::generated,
        event::class::{
            call, trace_event_call, trace_event_class, Output, RawInit, Registers, TRACEPOINT,
        },
        guard::tracepoint_synchronize_unregister,
        lookup::kernel_tracepoint,
    },
    modules::{
        lock::Lock,
        unload::{Registered, ShutDown},
    },
};
use core::{ffi::CStr, ptr::null_mut};
use kernel::{error::to_result, ffi::c_void, fmt, prelude::*};

/// An event and a file of it, for which the event's probe is registered.
#[derive(PartialEq)]
struct File(*mut trace_event_call, *mut c_void);

// SAFETY: The pointers are only passed to the kernel.
unsafe impl Send for File {}

impl File {
    /// Registers or unregisters the probe. C: `trace_event_reg()`.
    ///
    /// # Safety
    ///
    /// As for that function.
    #[inline(never)]
    unsafe fn reg(&self, action: generated::trace_reg) -> Result {
        // SAFETY: By the safety contract.
        to_result(unsafe { generated::trace_event_reg(self.0, action, self.1) })
    }
}

/// The files for which the probes of a class are registered. `None` before the first one, and once the module is
/// going.
///
/// The tracepoints stay then. The kernel unregisters the probes of the module's events, but it neither waits for
/// them, nor does it unregister those of an event with a trigger (`__ftrace_event_enable_disable()`,
/// kernel/trace/trace_events.c).
pub struct Files(Lock<Option<KVec<File>>>);

impl Files {
    /// Registers the probe of an event for a file, but not while [`Registered::later`] refuses to watch it.
    ///
    /// # Safety
    ///
    /// As for [`Registers::reg`].
    unsafe fn register(&'static self, file: File) -> Result {
        let mut files = self.0.lock();
        if files.is_none() {
            Registered::later(self)?;
        }
        let files = files.get_or_insert_default();
        files.reserve(1, GFP_KERNEL)?;
        // SAFETY: By the safety contract.
        unsafe { file.reg(generated::trace_reg_TRACE_REG_REGISTER) }?;
        Ok(files.push(file, GFP_KERNEL)?)
    }

    /// Unregisters the probe of an event for a file, unless that was done because the module goes, and waits for the
    /// probe.
    ///
    /// # Safety
    ///
    /// As for [`Registers::reg`].
    unsafe fn unregister(&self, file: File) -> Result {
        let mut files = self.0.lock();
        let Some(list) = files.as_mut() else {
            return Ok(());
        };
        // It may have unregistered this one before another was registered.
        let Some(index) = list.iter().position(|other| *other == file) else {
            return Ok(());
        };
        let _ = list.remove(index);
        // SAFETY: By the safety contract.
        let result = unsafe { file.reg(generated::trace_reg_TRACE_REG_UNREGISTER) };
        drop(files);
        tracepoint_synchronize_unregister();
        result
    }
}

// SAFETY: Both functions call the kernel's. `reg` only unregisters probes earlier.
unsafe impl Registers for Files {
    const RAW_INIT: RawInit = raw_init;

    // Only the initial value of a static.
    #[allow(clippy::declare_interior_mutable_const)]
    const NEW: Self = Self(Lock::new(None));

    unsafe fn reg(
        &'static self,
        call: *mut trace_event_call,
        action: generated::trace_reg,
        data: *mut c_void,
    ) -> c_int {
        let file = File(call, data);
        // SAFETY: By the safety contract.
        let result = unsafe {
            match action {
                generated::trace_reg_TRACE_REG_REGISTER => self.register(file),
                generated::trace_reg_TRACE_REG_UNREGISTER => self.unregister(file),
                _ => file.reg(action),
            }
        };
        result.map_or_else(Error::to_errno, |()| 0)
    }
}

/// Unregisters the probes of a class when the module goes.
#[diagnostic::do_not_recommend]
impl ShutDown for &'static Files {
    fn shut_down(&self) {
        let mut files = self.0.lock();
        for file in files.take().into_iter().flatten() {
            // SAFETY: The probe is registered for the file, which is only compared, and the event is in a
            // static of this module.
            let _ = unsafe { file.reg(generated::trace_reg_TRACE_REG_UNREGISTER) };
        }
    }

    fn synchronize(&self) {
        tracepoint_synchronize_unregister();
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("custom events")
    }
}

/// Finds the tracepoint of a custom event.
///
/// # Safety
///
/// Only `event_init()` (kernel/trace/trace_events.c) may call this, with an event whose `name` is
/// set.
unsafe extern "C" fn raw_init(call: *mut trace_event_call) -> c_int {
    // SAFETY: By the safety contract, `call` is an event whose `name` is set. It isn't in use yet.
    unsafe {
        let name = CStr::from_char_ptr((*call).__bindgen_anon_1.name);
        let Some(tp) = kernel_tracepoint(name) else {
            return ENOENT.to_errno();
        };
        (*call).__bindgen_anon_1.tp = tp.as_ptr();
        (*call).flags = TRACEPOINT;
        generated::trace_event_raw_init(call)
    }
}

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
