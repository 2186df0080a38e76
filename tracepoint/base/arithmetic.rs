// SPDX-License-Identifier: GPL-2.0

//! Arithmetic that wraps, as in C, for the expressions of fields and for conditions.
//!
//! The kernel can be built with checks for overflow (`CONFIG_RUST_OVERFLOW_CHECKS`), which panic. A
//! panic in a field's expression would take the machine down when the event is enabled. So the macros
//! replace `l + r` with
//!
//! ```text
//! if false { l + r } else { Add::wrapping(l, r) }
//! ```
//!
//! The first branch is never executed. It makes the compiler infer types and report type errors as usual.
//! The traits are implemented for the type of the result, so that they add no errors of their own.

use super::types::nanos;
use kernel::time::{ClockSource, Delta, Instant};

/// An integer, a reference to one, a time, or an operand after a template.
pub trait Operand: Copy {
    /// Returns the value, which can be cast back to its type.
    fn bits(self) -> u128;
}

/// An integer, or a type that consists of one.
///
/// # Safety
///
/// Any bits must be a value.
#[allow(missing_docs)]
pub unsafe trait Int: Operand {
    const BITS: u32 = 8 * size_of::<Self>() as u32;
    const SIGNED: bool;
    fn cast(bits: u128) -> Self;
}

/// Implements [`Operand`].
macro_rules! operand {
    ($([$($of:tt)*] $ty:ty, |$value:ident| $bits:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($of)*> Operand for $ty {
            #[inline(always)]
            #[allow(clippy::cast_lossless)]
            fn bits(self) -> u128 {
                let $value = self;
                $bits
            }
        }
    )*};
}
pub(crate) use operand;

macro_rules! integers {
    ($($int:ident)*) => {$(
        operand! {
            [] $int, |n| n as u128;
            [] &$int, |n| (*n).bits();
        }

        #[diagnostic::do_not_recommend]
        // SAFETY: The type is a primitive integer.
        unsafe impl Int for $int {
            const SIGNED: bool = <$int>::MIN != 0;

            #[inline(always)]
            fn cast(bits: u128) -> $int {
                bits as $int
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// Returns `bits` shifted to the right as those of a `T`.
#[inline(always)]
fn shr<T: Int>(bits: u128, by: u32) -> u128 {
    if T::SIGNED {
        (bits as i128).wrapping_shr(by) as u128
    } else {
        bits.wrapping_shr(by)
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $trait:ident<$($N:ident),+>, $message:literal, |$($n:ident),+| $value:expr;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "not integer arithmetic",
            note = "compute it in a function that can't panic"
        )]
        pub trait $trait<$($N),+> {
            /// Returns the result, wrapped.
            fn wrapping($($n: $N),+) -> Self;
        }

        // The builtin operator checks that the operands have the same type. The lower bits of the result don't
        // depend on how many the operands have.
        #[diagnostic::do_not_recommend]
        impl<T: Int, $($N: Operand),+> $trait<$($N),+> for T {
            #[inline(always)]
            fn wrapping($($n: $N),+) -> T {
                $(let $n = $n.bits();)+
                T::cast($value)
            }
        }
    )*};
}

operators! {
    /// `l + r`.
    Add<L, R>, "`+` on `{L}` and `{R}` could panic in an event", |l, r| l.wrapping_add(r);
    /// `l - r`.
    Sub<L, R>, "`-` on `{L}` and `{R}` could panic in an event", |l, r| l.wrapping_sub(r);
    /// `l * r`.
    Mul<L, R>, "`*` on `{L}` and `{R}` could panic in an event", |l, r| l.wrapping_mul(r);
    /// `l << r`, where `r` is taken modulo the number of bits.
    Shl<L, R>, "`<<` on `{L}` and `{R}` could panic in an event", |l, r| l.wrapping_shl(r as u32 & (T::BITS - 1));
    /// `l >> r`, likewise.
    Shr<L, R>, "`>>` on `{L}` and `{R}` could panic in an event", |l, r| shr::<T>(l, r as u32 & (T::BITS - 1));
    /// `-n`.
    Neg<N>, "`-` on `{N}` could panic in an event", |n| n.wrapping_neg();
}

// The builtin operator checks which operands there are, and so which of these can be combined.
operand! {
    [] Delta, |delta| delta.as_nanos().bits();
    [C: ClockSource] Instant<C>, |instant| nanos(instant).bits();
}

#[diagnostic::do_not_recommend]
// SAFETY: A `Delta` can be made of any number of nanoseconds.
unsafe impl Int for Delta {
    const SIGNED: bool = true;

    #[inline(always)]
    fn cast(bits: u128) -> Delta {
        Delta::from_nanos(bits as i64)
    }
}
