// SPDX-License-Identifier: GPL-2.0

//! A place for a value in a static.

use core::{marker::PhantomData, ptr::null_mut};
use kernel::{
    alloc::{flags::GFP_KERNEL, KBox},
    error::Result,
    sync::atomic::{Atomic, Full},
};

/// A place for a value, or none. Values go in and out whole.
///
/// # Invariants
///
/// `value` is NULL or from `KBox::into_raw`, and then owned by the slot.
pub struct Slot<T> {
    value: Atomic<*mut T>,
    _owns: PhantomData<T>,
}

// SAFETY: Whoever takes a value out has it alone.
unsafe impl<T: Send> Sync for Slot<T> {}

impl<T> Slot<T> {
    /// Makes an empty slot.
    pub const fn new() -> Self {
        // INVARIANT: NULL.
        Self {
            value: Atomic::new(null_mut()),
            _owns: PhantomData,
        }
    }

    /// Puts a value in and drops the one that was there. May sleep.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`: the value has been dropped.
    pub fn put(&self, value: T) -> Result {
        // INVARIANT: From a box, owned by the slot.
        self.swap(KBox::into_raw(KBox::new(value, GFP_KERNEL)?));
        Ok(())
    }

    /// Drops the value that is there. Returns whether there was one.
    pub fn clear(&self) -> bool {
        // INVARIANT: NULL.
        self.swap(null_mut())
    }

    /// Replaces the value, drops what was there, and returns whether something was.
    fn swap(&self, value: *mut T) -> bool {
        let old = self.value.xchg(value, Full);
        if old.is_null() {
            return false;
        }
        // SAFETY: By the type's invariant; nobody else has it.
        drop(unsafe { KBox::from_raw(old) });
        true
    }
}

// Not of a static: see `Probe`.
impl<T> Drop for Slot<T> {
    fn drop(&mut self) {
        self.clear();
    }
}
