// SPDX-License-Identifier: GPL-2.0

//! The operands of what a template computes, as the function that prints reads them.

use super::number::Type;
use crate::base::{
    arithmetic::{Int, Operand},
    event::{print, shape::Shape, show::Kind},
};
use core::num::Wrapping;

impl<T: Int> Operand for Wrapping<T> {
    #[inline(always)]
    fn bits(self) -> u128 {
        self.0.bits()
    }
}

impl Operand for bool {
    #[inline(always)]
    fn bits(self) -> u128 {
        self.into()
    }
}

/// A pointer, which can only be cast.
#[derive(Clone, Copy)]
pub struct Pointer(usize);

impl Operand for Pointer {
    #[inline(always)]
    fn bits(self) -> u128 {
        self.0 as u128
    }
}

/// Returns the type as C has it.
pub const fn type_of<T: Int>() -> Type {
    Type {
        bits: T::BITS,
        signed: T::SIGNED,
    }
}

/// Returns `n as T`.
#[inline(always)]
pub fn cast<T: Int>(n: impl Operand) -> Wrapping<T> {
    Wrapping(T::cast(n.bits()))
}

/// Stands for the type with this [`code`](super::number::code).
pub struct Code<const CODE: u8>;

/// The value in a record for a [`Code`].
pub trait Coded {
    /// An integer: it can have any bits.
    type Raw;
    /// The number.
    type Number: Operand;
    /// Returns the number.
    const NUMBER: fn(Self::Raw) -> Self::Number;
}

macro_rules! coded {
    ($($code:literal $raw:ty, $number:ty, $function:expr;)*) => {$(
        impl Coded for Code<$code> {
            type Raw = $raw;
            type Number = $number;
            const NUMBER: fn($raw) -> $number = $function;
        }
    )*};
}

coded! {
    0 usize, Pointer, Pointer;
    1 u8, bool, |n| n != 0;
    8 u8, Wrapping<u8>, Wrapping;
    16 u16, Wrapping<u16>, Wrapping;
    32 u32, Wrapping<u32>, Wrapping;
    64 u64, Wrapping<u64>, Wrapping;
    0x88 i8, Wrapping<i8>, Wrapping;
    0x90 i16, Wrapping<i16>, Wrapping;
    0xa0 i32, Wrapping<i32>, Wrapping;
    0xc0 i64, Wrapping<i64>, Wrapping;
}

/// Reads a number, or an element of an array, that's at an offset.
///
/// # Safety
///
/// The record must have one there.
#[inline(always)]
pub unsafe fn load<C: Coded>(record: *mut u8, offset: usize, index: usize) -> C::Number {
    // SAFETY: The caller promises that the record has the number there. It's read unaligned, and
    // can have any bits.
    let raw = unsafe {
        record
            .add(offset)
            .cast::<C::Raw>()
            .add(index)
            .read_unaligned()
    };
    (C::NUMBER)(raw)
}

/// Returns how many elements a field has.
///
/// # Safety
///
/// The record must have the field at this offset.
#[inline(always)]
pub unsafe fn len(record: *mut u8, offset: usize, shape: Shape) -> Wrapping<u64> {
    Wrapping(match shape.kind {
        Kind::Array { len, .. } | Kind::Chars { len } => len as u64,
        kind => {
            // SAFETY: The caller promises that the record has the field there, whose slot is a
            // location of four bytes.
            let location = unsafe { print::number(record, offset, 4) };
            (location >> 16).wrapping_shr(kind.element_size().trailing_zeros())
        }
    })
}
