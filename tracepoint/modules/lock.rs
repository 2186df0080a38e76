// SPDX-License-Identifier: GPL-2.0

//! A sleeping lock that can be in a static.
//!
//! A `struct mutex` can't be initialised in a Rust static. This is a bit lock (`wait_on_bit_lock()`),
//! which lockdep doesn't check.
//!
//! C header: [`include/linux/wait_bit.h`](srctree/include/linux/wait_bit.h)

use core::{
    cell::UnsafeCell,
    ops::{Deref, DerefMut},
    sync::atomic::{fence, AtomicUsize, Ordering},
};
use kernel::{bindings, types::NotThreadSafe};

/// A value and its lock. If both are all zeroes, the lock is free.
#[repr(C)]
pub struct Lock<T> {
    /// 1 if it's locked.
    word: AtomicUsize,
    value: UnsafeCell<T>,
}

// SAFETY: Only the task that holds the lock accesses the value.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Self {
            word: AtomicUsize::new(0),
            value: UnsafeCell::new(value),
        }
    }

    /// Acquires the lock. Sleeps if necessary; process context.
    pub fn lock(&self) -> LockGuard<'_, T> {
        acquire(&self.word);
        LockGuard {
            lock: self,
            _not_send: NotThreadSafe,
        }
    }
}

/// Access to the value of a [`Lock`]. Dropping it releases the lock, which can be freed as soon as
/// another task acquires it.
///
/// # Invariants
///
/// The task holds the lock.
#[must_use = "the lock is released when the guard is dropped"]
pub struct LockGuard<'a, T> {
    lock: &'a Lock<T>,
    _not_send: NotThreadSafe,
}

impl<T> Deref for LockGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: By the type's invariant, this task holds the lock, so no other task accesses the
        // value.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for LockGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: By the type's invariant, this task holds the lock, and it has the only guard,
        // which is borrowed here.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for LockGuard<'_, T> {
    fn drop(&mut self) {
        release(&self.lock.word);
    }
}

#[inline(never)]
fn acquire(word: &AtomicUsize) {
    if word.swap(1, Ordering::Acquire) != 0 {
        // SAFETY: `out_of_line_wait_on_bit_lock()` (kernel/sched/wait_bit.c) takes a valid word. It can't
        // fail: in this mode, `bit_wait()` returns no error.
        unsafe {
            bindings::out_of_line_wait_on_bit_lock(
                word.as_ptr(),
                0,
                Some(bindings::bit_wait),
                bindings::TASK_UNINTERRUPTIBLE,
            )
        };
    }
}

/// C: `clear_and_wake_up_bit()`.
#[inline(never)]
fn release(word: &AtomicUsize) {
    let address = word.as_ptr();
    word.store(0, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    // SAFETY: `wake_up_bit()` (kernel/sched/wait_bit.c) comes after a full barrier, and accesses the word
    // only if another task waits for it.
    unsafe { bindings::wake_up_bit(address, 0) };
}
