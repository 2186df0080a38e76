// SPDX-License-Identifier: GPL-2.0

//! The common part of all implementations of the traits for fields.
//!
//! Each row is an `unsafe impl`, and says so. What uses the macros says why it's safe.

/// Implements [`Field`](super::Field): the type, its slot, and the shape: the name in C, what it's made of, and the
/// spec that shows it; or an expression.
macro_rules! field {
    ($(unsafe [$($generics:tt)*] $ty:ty, $slot:ty, $name:expr, $kind:expr, $spec:expr;)*) => {
        field! {
            $(unsafe [$($generics)*] $ty, $slot => Shape::new($name, $kind, $spec);)*
        }
    };
    ($(unsafe [$($generics:tt)*] $ty:ty, $slot:ty => $shape:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: The comment where the macro is used says why the slot fits the shape.
        unsafe impl<$($generics)*> Field for $ty {
            type Slot = $slot;
            type This = Self;
            const SHAPE: Shape = Shape::with_slot::<$slot>($shape);
        }
    )*};
}

/// Implements [`Assign`](super::Assign): the field, the type of the expression, the value that it becomes, and how.
macro_rules! assign {
    ($(unsafe [$($generics:tt)*] $field:ty, $from:ty => $value:ty, |$name:pat_param| $expr:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: The comment where the macro is used says why the value writes what the field
        // requires.
        unsafe impl<$($generics)*> Assign<$from> for $field {
            type Value = $value;

            #[inline(always)]
            fn value($name: $from) -> $value {
                $expr
            }
        }
    )*};
}

/// Implements traits without functions.
macro_rules! mark {
    ($(unsafe $trait:path: $([$($generics:tt)*] $ty:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        // SAFETY: The comment where the macro is used says why the type fulfils what the trait
        // requires.
        unsafe impl<$($generics)*> $trait for $ty {}
    )*)*};
}

pub(crate) use {assign, field, mark};
