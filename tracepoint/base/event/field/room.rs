// SPDX-License-Identifier: GPL-2.0

//! The stack memory for what an event computes.

use core::{
    cell::{Cell, UnsafeCell},
    mem::MaybeUninit,
};

/// The room for all that an event computes before there's a record: formatted text and elements. It's on the stack, so
/// all of an event's fields share it. Each gets an equal part of the bytes that those before it have left.
///
/// # Invariants
///
/// The last `left` words have not been given to anyone, and are at most `SIZE`.
#[doc(hidden)]
pub struct Room<const SIZE: usize> {
    words: UnsafeCell<MaybeUninit<[u64; SIZE]>>,
    left: Cell<usize>,
    users: Cell<usize>,
}

/// The most that a field gets, in words. C: `TRACE_EVENT_STR_MAX`.
const SHARE_MAX: usize = 512 / size_of::<u64>();

/// Returns the size of the room of a number of fields.
#[doc(hidden)]
pub const fn room_size(users: usize) -> usize {
    SHARE_MAX * if users < 2 { users } else { 2 }
}

impl<const SIZE: usize> Room<SIZE> {
    /// Returns room for a number of fields.
    #[inline(always)]
    pub const fn new(users: usize) -> Self {
        // INVARIANT: Nobody has got anything.
        Self {
            words: UnsafeCell::new(MaybeUninit::uninit()),
            left: Cell::new(SIZE),
            users: Cell::new(users),
        }
    }

    /// Gives a field its share: where it is, and how many bytes.
    #[inline(always)]
    pub(super) fn take(&self) -> (*mut u8, usize) {
        let (left, users) = (self.left.get(), self.users.get().max(1));
        let words = left.checked_div(users).unwrap_or(0).min(SHARE_MAX);
        // INVARIANT: There are as many.
        self.left.set(left.wrapping_sub(words));
        self.users.set(users.wrapping_sub(1));
        let start = self.words.get().cast::<u64>();
        (
            start.wrapping_add(SIZE.wrapping_sub(left)).cast(),
            words * size_of::<u64>(),
        )
    }

    /// Takes back what a field hasn't used of the share at `to`, unless another one has got its own since.
    #[inline(always)]
    pub(super) fn keep(&self, (to, size): (*mut u8, usize), used: usize) {
        let next = self.words.get().cast::<u64>();
        let next = next.wrapping_add(SIZE.wrapping_sub(self.left.get()));
        if next.cast() == to.wrapping_add(size) {
            // INVARIANT: The field gives the words back.
            let unused = size.wrapping_sub(used) / size_of::<u64>();
            self.left.set(self.left.get().wrapping_add(unused));
        }
    }
}
