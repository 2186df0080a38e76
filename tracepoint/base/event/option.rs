// SPDX-License-Identifier: GPL-2.0

//! Fields that may have no value.
//!
//! The record only has room for the value, so `None` is recorded as a value that `Some` never has.
//! This way, filters and histograms can use it. In the source tree, `docs/field-types.md` has a table of
//! these values.
//!
//! Other types, such as integers, flags, `Delta`, `Ipv4Addr` and `MacAddr`, have no value to spare.

use super::{
    field::{macros::assign, Assign, Field, Plain},
    shape::Shape,
    spare::none_of,
    symbols::{Range, Table},
};
use crate::base::{args::Arg, arithmetic::Int};

/// A type with a value to spare for `None`.
///
/// # Safety
///
/// As for [`Field`]: what `slot` returns must be a number or bytes that `T`'s field can have.
#[diagnostic::on_unimplemented(
    message = "a field of an event cannot be an `Option<{Self}>`",
    label = "has no spare value for `None`",
    note = "record `x.unwrap_or(…)`, or the `Option` of an enum, an `Error`, a `NonZero`, an \
            `Instant`, a `KernelSymbol`, a `DevT`, a `Uuid` or a `SocketAddr`"
)]
pub unsafe trait Optional: Field + Sized {
    /// The recorded value.
    type Slot: Copy;

    /// The names of the values, with that of `None`.
    const TABLE: Option<&'static Table<'static>> = Self::SHAPE.table;

    /// Returns what's recorded.
    fn slot(value: Option<Self>) -> <Self as Optional>::Slot;
}

/// Implements [`Optional`]: the type, its slot, what's recorded of a value and for `None`, and the names of the values,
/// unless they're those of the type. What uses the macro says why it's safe.
macro_rules! optional {
    ($(unsafe [$($generics:tt)*] $ty:ty, $slot:ty, |$some:pat_param| $expr:expr, $none:expr $(, $table:expr)?;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: The comment where the macro is used says why the slot fits the type.
        unsafe impl<$($generics)*> Optional for $ty {
            type Slot = $slot;
            $(const TABLE: Option<&'static Table<'static>> = $table;)?

            #[inline(always)]
            fn slot(value: Option<Self>) -> $slot {
                match value {
                    Some($some) => $expr,
                    None => $none,
                }
            }
        }
    )*};
}
pub(super) use optional;

// The compiler names `Optional` if it isn't implemented.
// SAFETY: By `Optional`, the slot is one that the type can have.
unsafe impl<T: Optional> Field for Option<T> {
    type Slot = <T as Optional>::Slot;
    type This = Self;
    const SHAPE: Shape = Shape {
        table: T::TABLE,
        ..<T as Field>::SHAPE
    };
}

// SAFETY: `Plain` writes all of the slot, with what `Optional` returns.
assign! {
    unsafe [T: Optional] Option<T>, Option<T> => Plain<<T as Optional>::Slot>,
        |value| Plain(T::slot(value));
}

/// An enum whose values have names.
///
/// # Safety
///
/// As an argument, it must be its integer in C, and its table must have all of its values.
#[doc(hidden)]
pub unsafe trait Enum: Field + Arg<C: Int> {
    /// How an error describes it.
    const ABOUT: &'static str;

    /// The names of the values.
    const VALUES: &'static Table<'static> = Self::SHAPE.table.expect("an enum has names");

    /// The value that's recorded for `None`.
    const NONE: u64 = none_of(Self::ABOUT, Self::VALUES.symbols, size_of::<Self>());

    /// The names of the values, with that of `None`.
    const WITH_NONE: &'static Table<'static> = &Table {
        special: &[Range::one(Self::NONE, c"-")],
        ..*Self::VALUES
    };
}

// SAFETY: By `Enum`, `C` is the integer of the type, which is what its field has.
optional! {
    unsafe [T: Enum] T, T::C, |value| value.into_c(), Int::cast(T::NONE.into()), Some(T::WITH_NONE);
}
