// SPDX-License-Identifier: GPL-2.0

//! Custom events on the kernel's tracepoints.
//!
//! C header: [`include/trace/trace_custom_events.h`](srctree/include/trace/trace_custom_events.h)

use crate::{
    base::{
        bindings::generated,
        event::class::{call, trace_event_call, trace_event_class, Output, RawInit, Reg},
        guard::tracepoint_synchronize_unregister,
        lookup::kernel_tracepoint,
    },
    modules::{
        lock::Lock,
        module_static::module_static,
        unload::{Registered, ShutDown},
    },
};
use core::{
    ffi::CStr,
    mem::transmute,
    ptr::{null_mut, NonNull},
};
use kernel::{error::to_result, ffi::c_void, fmt, prelude::*};

/// A file of an event, for which the event's probe is registered, unless there's none.
struct File {
    call: *mut trace_event_call,
    data: Option<NonNull<c_void>>,
    next: Option<KBox<File>>,
}

// SAFETY: The pointers are only passed to the kernel.
unsafe impl Send for File {}

/// The files for which probes of this module's custom events are registered.
///
/// The tracepoints stay when the module goes. The kernel unregisters the probes of its events then, but it neither
/// waits for them, nor does it unregister those of an event with a trigger (`__ftrace_event_enable_disable()`,
/// kernel/trace/trace_events.c).
///
/// All zeroes is its initial value.
struct Files {
    first: Option<KBox<File>>,
    /// Whether the probes will be unregistered when the module goes.
    is_watched: bool,
    /// Whether they have been.
    is_closed: bool,
}

// All zeroes is no file.
const _: () = {
    // SAFETY: A box is a pointer, which is as large as a `usize`.
    let none = unsafe { transmute::<Option<KBox<File>>, usize>(None) };
    assert!(none == 0);
};

impl Files {
    /// Returns those of this module.
    #[inline]
    fn this() -> &'static Lock<Self> {
        let this = module_static!("tracepoint.custom": Lock<Self>);
        // SAFETY: `this` points to a static of that type, for which all zeroes is valid.
        unsafe { &*this }
    }

    /// Returns the entry of a file of an event, or without `data` an unused one.
    #[inline]
    fn find(&mut self, call: *mut trace_event_call, data: *mut c_void) -> Option<&mut File> {
        let mut next = self.first.as_deref_mut();
        while let Some(file) = next {
            if file.data == NonNull::new(data) && (data.is_null() || file.call == call) {
                return Some(file);
            }
            next = file.next.as_deref_mut();
        }
        None
    }

    /// Adds a file.
    #[inline]
    fn add(&mut self, call: *mut trace_event_call, data: *mut c_void) -> Result {
        if self.find(null_mut(), null_mut()).is_none() {
            let unused = File {
                call,
                data: None,
                next: None,
            };
            let mut unused = KBox::new(unused, GFP_KERNEL)?;
            unused.next = self.first.take();
            self.first = Some(unused);
        }
        if let Some(file) = self.find(null_mut(), null_mut()) {
            (file.call, file.data) = (call, NonNull::new(data));
        }
        Ok(())
    }

    /// Removes a file. Returns whether it was there.
    #[inline]
    fn remove(&mut self, call: *mut trace_event_call, data: *mut c_void) -> bool {
        self.find(call, data).map(|file| file.data = None).is_some()
    }
}

/// Registers or unregisters the probe of an event for a file. C: `trace_event_reg()`.
///
/// # Safety
///
/// As for that function.
#[inline(never)]
unsafe fn trace_event_reg(
    call: *mut trace_event_call,
    action: generated::trace_reg,
    data: *mut c_void,
) -> Result {
    // SAFETY: By the safety contract.
    to_result(unsafe { generated::trace_event_reg(call, action, data) })
}

/// What unregisters them when the module goes.
struct Watch;

impl ShutDown for Watch {
    fn shut_down(&self) {
        let mut files = Files::this().lock();
        files.is_closed = true;
        while let Some(mut file) = files.first.take() {
            files.first = file.next.take();
            if let Some(data) = file.data {
                // SAFETY: The probe is registered for the file. The event still exists, since the notifier
                // that removes it has a lower priority.
                let _ = unsafe {
                    trace_event_reg(
                        file.call,
                        generated::trace_reg_TRACE_REG_UNREGISTER,
                        data.as_ptr(),
                    )
                };
            }
        }
    }

    fn synchronize(&self) {
        tracepoint_synchronize_unregister();
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("custom events")
    }
}

/// C's `enum trace_reg`. Its name is part of the type of [`reg`], which CONFIG_CFI compares.
#[allow(non_camel_case_types)]
#[repr(C)]
struct trace_reg(generated::trace_reg);

/// Registers the probe of an event for a file.
///
/// # Safety
///
/// As for [`reg`].
unsafe fn register(call: *mut trace_event_call, data: *mut c_void) -> Result {
    let mut files = Files::this().lock();
    if files.is_closed {
        return Err(ENODEV);
    }
    files.add(call, data)?;
    // SAFETY: By the safety contract.
    unsafe { trace_event_reg(call, generated::trace_reg_TRACE_REG_REGISTER, data) }.inspect_err(
        |_| {
            files.remove(call, data);
        },
    )
}

/// Unregisters the probe of an event for a file, unless the module is going and [`Watch`] has done it, and waits for
/// the probe.
///
/// # Safety
///
/// As for [`reg`].
unsafe fn unregister(call: *mut trace_event_call, data: *mut c_void) -> Result {
    let mut files = Files::this().lock();
    if !files.remove(call, data) {
        return Ok(());
    }
    // SAFETY: By the safety contract.
    let result = unsafe { trace_event_reg(call, generated::trace_reg_TRACE_REG_UNREGISTER, data) };
    drop(files);
    tracepoint_synchronize_unregister();
    result
}

/// Registers and unregisters the probes of an event.
///
/// # Safety
///
/// Only the kernel may call this, as `class->reg` of a custom event.
unsafe extern "C" fn reg(
    call: *mut trace_event_call,
    trace_reg(action): trace_reg,
    data: *mut c_void,
) -> c_int {
    // SAFETY: By the safety contract.
    let result = unsafe {
        match action {
            generated::trace_reg_TRACE_REG_REGISTER => register(call, data),
            generated::trace_reg_TRACE_REG_UNREGISTER => unregister(call, data),
            _ => trace_event_reg(call, action, data),
        }
    };
    result.map_or_else(Error::to_errno, |()| 0)
}

/// Has the probes unregistered when the module goes.
#[inline]
fn watch() -> Result {
    if core::mem::replace(&mut Files::this().lock().is_watched, true) {
        return Ok(());
    }
    Registered::later(Watch)
}

/// Finds the tracepoint of a custom event.
///
/// # Safety
///
/// Only `event_init()` (kernel/trace/trace_events.c) may call this, with an event whose `name` is
/// set.
unsafe extern "C" fn raw_init(call: *mut generated::trace_event_call) -> c_int {
    if let Err(error) = watch() {
        return error.to_errno();
    }
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
