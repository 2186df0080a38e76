// SPDX-License-Identifier: GPL-2.0

//! A slot for an optional value, for use in a static.

use core::{marker::PhantomData, ptr::null_mut};
use kernel::{
    alloc::{flags::GFP_KERNEL, KBox},
    error::Result,
    sync::atomic::{Atomic, Full},
};

/// A slot that holds a value or is empty. Values are exchanged atomically.
///
/// Rust doesn't drop statics. A value that is still in a static slot when the module is unloaded is
/// leaked, so clear the slot before that, in the `drop` of the module's type. A
/// [`KThread`](super::KThread), a [`Timer`](super::Timer) or a probe is shut down in any case.
///
/// # Invariants
///
/// `value` is NULL, or comes from `KBox::into_raw` and is owned by the slot.
pub struct Slot<T> {
    value: Atomic<*mut T>,
    _owns: PhantomData<T>,
}

// SAFETY: Code that takes a value out of the slot has exclusive access to it.
unsafe impl<T: Send> Sync for Slot<T> {}

impl<T> Slot<T> {
    /// Creates an empty slot.
    pub const fn new() -> Self {
        // INVARIANT: `value` is NULL.
        Self {
            value: Atomic::new(null_mut()),
            _owns: PhantomData,
        }
    }

    /// Stores a value and drops the previous one, if any. May sleep.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`. The value has been dropped.
    pub fn put(&self, value: T) -> Result {
        // INVARIANT: The pointer comes from a box, and the slot now owns it.
        self.swap(KBox::into_raw(KBox::new(value, GFP_KERNEL)?));
        Ok(())
    }

    /// Drops the value, if any. Returns whether there was one.
    pub fn clear(&self) -> bool {
        // INVARIANT: `value` is NULL.
        self.swap(null_mut())
    }

    /// Replaces the value and drops the previous one, if any. Returns whether there was one.
    fn swap(&self, value: *mut T) -> bool {
        let old = self.value.xchg(value, Full);
        if old.is_null() {
            return false;
        }
        // SAFETY: By the type's invariant, `old` comes from `KBox::into_raw`. The exchange made
        // this its only owner.
        drop(unsafe { KBox::from_raw(old) });
        true
    }
}

// Never called for a static.
impl<T> Drop for Slot<T> {
    fn drop(&mut self) {
        self.clear();
    }
}
