// SPDX-License-Identifier: GPL-2.0

//! The operands of what a template computes, as the function that prints reads them.

use super::number::Type;
use crate::base::{
    arithmetic::{operand, Int, Operand},
    event::{print, shape::Shape},
};
use core::num::Wrapping;

operand! {
    [T: Int] Wrapping<T>, |n| n.0.bits();
    [] bool, |is| is.into();
}

/// Returns the type as C has it.
pub const fn type_of<T: Int>() -> Type {
    Type::new(T::BITS, T::SIGNED)
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
    /// The number.
    type Number: Operand;
    /// Returns the number with these bits.
    fn number(bits: u64) -> Self::Number;
}

macro_rules! coded {
    ($($code:literal $number:ty, |$bits:ident| $value:expr;)*) => {$(
        impl Coded for Code<$code> {
            type Number = $number;

            #[inline(always)]
            fn number($bits: u64) -> $number {
                $value
            }
        }
    )*};
}

coded! {
    // A pointer, which can only be cast.
    0 usize, |n| n as usize;
    1 bool, |n| n != 0;
    8 Wrapping<u8>, |n| Wrapping(n as u8);
    16 Wrapping<u16>, |n| Wrapping(n as u16);
    32 Wrapping<u32>, |n| Wrapping(n as u32);
    64 Wrapping<u64>, |n| Wrapping(n);
    0x88 Wrapping<i8>, |n| Wrapping(n as i8);
    0x90 Wrapping<i16>, |n| Wrapping(n as i16);
    0xa0 Wrapping<i32>, |n| Wrapping(n as i32);
    0xc0 Wrapping<i64>, |n| Wrapping(n as i64);
}

/// Reads a number, or an element of an array, that's at an offset.
///
/// # Safety
///
/// The record must have one there.
#[inline(always)]
pub unsafe fn load<C: Coded>(record: *mut u8, offset: usize, index: usize) -> C::Number {
    let size = size_of::<C::Number>();
    // SAFETY: The caller promises that the record has the number there, which is aligned as all fields are.
    C::number(unsafe { print::number(record, offset + index * size, size) })
}

/// Returns how many elements a field has.
///
/// # Safety
///
/// The record must have the field at this offset.
#[inline(always)]
pub unsafe fn len(record: *mut u8, offset: usize, shape: Shape) -> Wrapping<u64> {
    // SAFETY: The caller promises that the record has the field there.
    let (_, size) = unsafe { print::contents(record, offset, shape.kind, shape.rel) };
    Wrapping(size.wrapping_shr(shape.kind.number_size().trailing_zeros()) as u64)
}
