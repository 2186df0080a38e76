// SPDX-License-Identifier: GPL-2.0

//! The hooks of a tracepoint, and statics that the kernel writes to.

use core::cell::UnsafeCell;
use kernel::{error::Result, ffi::c_int};

/// A static that the kernel writes to.
///
/// The cell puts it in a writable section. A module's rodata is already read-only when the kernel
/// processes its tracepoints and events.
#[repr(transparent)]
pub struct Shared<T>(UnsafeCell<T>);

// SAFETY: Rust code only takes the address, and the kernel's C code does its own locking
// (`tracepoints_mutex`, `jump_label_mutex`, `static_call_mutex`, `event_mutex`, `trace_event_sem`).
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Returns the address, to be passed to C.
    pub const fn get(&self) -> *mut T {
        self.0.get()
    }
}

/// A function of the driver's or the kernel's that must be an `F`.
// A field of a struct gives the shortest error if it isn't.
pub struct Expect<F> {
    /// The function.
    pub function: F,
}

/// The hooks of a tracepoint, if it has any.
pub trait Hooks {
    /// Whether it has.
    const EXIST: bool = false;

    /// Called before the first probe is registered.
    fn reg() -> Result {
        Ok(())
    }

    /// Called when the last probe is unregistered.
    fn unreg() {}
}

/// Returns a result as C does.
#[inline]
pub fn errno(result: Result) -> c_int {
    match result {
        Ok(()) => 0,
        Err(error) => error.to_errno(),
    }
}
