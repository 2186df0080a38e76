// SPDX-License-Identifier: GPL-2.0

//! The operands of what a template computes, as the function that prints reads them.

use crate::base::{arithmetic::Int, event::print::number};
use core::num::Wrapping;

/// A number that a template computes with.
///
/// # Safety
///
/// Whatever bytes a record has for it, they are one.
pub unsafe trait Number: Copy {
    /// What a cast is for.
    type Inner;

    /// Reads one.
    ///
    /// # Safety
    ///
    /// There must be one at `at`, which needs no alignment.
    unsafe fn load(at: *const u8) -> Self;

    /// Returns what can be cast.
    fn get(self) -> Self::Inner;

    /// Returns its bits as an argument, with its sign.
    fn bits(self) -> u64;
}

// SAFETY: It's an integer.
unsafe impl<T: Int> Number for Wrapping<T> {
    type Inner = T;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: Guaranteed by the caller. Any bits are an integer.
        Wrapping(unsafe { at.cast::<T>().read_unaligned() })
    }

    #[inline(always)]
    fn get(self) -> T {
        self.0
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0.bits() as u64
    }
}

// SAFETY: It's read as a byte.
unsafe impl Number for bool {
    type Inner = Self;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: Guaranteed by the caller.
        unsafe { at.read() != 0 }
    }

    #[inline(always)]
    fn get(self) -> Self {
        self
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.into()
    }
}

/// A pointer, which can only be cast.
#[derive(Clone, Copy)]
pub struct Address(usize);

// SAFETY: It's an integer.
unsafe impl Number for Address {
    type Inner = usize;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: Guaranteed by the caller.
        Self(unsafe { at.cast::<usize>().read_unaligned() })
    }

    #[inline(always)]
    fn get(self) -> usize {
        self.0
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0 as u64
    }
}

/// Stands for the type with this [`Type::code`](super::number::Type::code).
pub struct Code<const CODE: u8>;

/// The number that a [`Code`] stands for.
pub trait Coded {
    /// The number.
    type Number: Number;
}

macro_rules! coded {
    ($($code:literal $number:ty;)*) => {$(
        impl Coded for Code<$code> {
            type Number = $number;
        }
    )*};
}

coded! {
    0 bool;
    1 Wrapping<u8>;
    2 Wrapping<u16>;
    4 Wrapping<u32>;
    8 Wrapping<u64>;
    9 Address;
    17 Wrapping<i8>;
    18 Wrapping<i16>;
    20 Wrapping<i32>;
    24 Wrapping<i64>;
}

/// Reads a number at an offset.
///
/// # Safety
///
/// The record must have one there.
#[inline(always)]
pub unsafe fn load<C: Coded>(record: *mut u8, offset: usize) -> C::Number {
    // SAFETY: By the caller's promise.
    unsafe { Number::load(record.add(offset)) }
}

/// Returns how many elements of `size` bytes are at a location. A size of 0 stands for a fixed length.
///
/// # Safety
///
/// The record must have one there.
#[inline(always)]
pub unsafe fn len(record: *mut u8, offset: usize, size: u8, fixed: usize) -> Wrapping<u64> {
    if size == 0 {
        return Wrapping(fixed as u64);
    }
    // SAFETY: By the caller's promise.
    let location = unsafe { number(record, offset, 4) };
    Wrapping((location >> 16).wrapping_shr(size.trailing_zeros()))
}
