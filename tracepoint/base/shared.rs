// SPDX-License-Identifier: GPL-2.0

//! Statics that the kernel writes to.

use core::cell::UnsafeCell;

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
