// SPDX-License-Identifier: GPL-2.0

//! Elements of an array that are computed when an event fires.

use super::{fixed::Scalar, room::Room};

/// The values that an iterator will compute. See [`elements`].
#[must_use = "only a field can record it"]
pub struct Elements<I>(I);

/// Returns the elements that an iterator computes, to be assigned to a [`DynArray`](super::DynArray) as
/// `&elements(iterator)`, in the field or in a `let` before the fields. If they take more than 512 bytes, the
/// rest is left out, and also if there's less room in an event that has more than two of these or
/// [`Formatted`](super::Formatted).
///
/// Any context. C: a loop that fills `__get_dynamic_array()`.
#[inline(always)]
pub fn elements<I: IntoIterator<Item: Scalar>>(iter: I) -> Elements<I> {
    const { assert!(align_of::<I::Item>() <= align_of::<u64>()) };
    Elements(iter)
}

impl<I: IntoIterator<Item: Scalar>> Elements<I> {
    /// Computes the elements. The macro calls this.
    #[doc(hidden)]
    #[inline(always)]
    pub fn __computed<const SIZE: usize>(self, room: &Room<SIZE>) -> &[I::Item] {
        let share = room.take();
        let (to, mut len) = (share.0.cast::<I::Item>(), 0usize);
        let most = share.1 / size_of::<I::Item>();
        let mut elements = self.0.into_iter();
        // An iterator can have its own `take()`, so the elements are counted here.
        while len < most {
            let Some(element) = elements.next() else {
                break;
            };
            // SAFETY: The share has room for `most` elements, it's aligned, and nobody else has it.
            unsafe { to.add(len).write(element) };
            len = len.wrapping_add(1);
        }
        room.keep(share, len.wrapping_mul(size_of::<I::Item>()));
        // SAFETY: The loop has written `len` elements, and nobody else gets these words while the
        // room is borrowed.
        unsafe { core::slice::from_raw_parts(to, len) }
    }
}

/// The result of a driver's own function named `elements` stays as it is.
#[doc(hidden)]
pub trait Computed: Sized {
    /// Returns the same.
    #[inline(always)]
    fn __computed<const SIZE: usize>(self, _room: &Room<SIZE>) -> Self {
        self
    }
}

impl<T> Computed for T {}
