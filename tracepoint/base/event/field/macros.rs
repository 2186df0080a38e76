// SPDX-License-Identifier: GPL-2.0

//! What all implementations of the traits for fields have in common.
//!
//! Each row is an `unsafe impl`, and says so. What uses the macros says why it's safe.

/// Implements [`Field`](super::Field): the type, its slot, the name in C, whether it's signed, what it's made of, the
/// spec that shows it, the names of its values, and other constants.
macro_rules! field {
    ($(unsafe [$($generics:tt)*] $ty:ty, $slot:ty, $name:expr, $signed:expr, $kind:expr, $spec:expr, $table:expr
        $(, $const:ident: $const_ty:ty = $value:expr)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: By the user of the macro.
        unsafe impl<$($generics)*> Field for $ty {
            type Slot = $slot;
            type This = Self;
            const NAME: &'static str = $name;
            const SIGNED: bool = $signed;
            const KIND: Kind = $kind;
            const SPEC: &'static str = $spec;
            const TABLE: Option<TypeTable> = $table;
            $(const $const: $const_ty = $value;)*
        }
    )*};
}

/// Implements [`Assign`](super::Assign): the field, the type of the expression, the value that it becomes, and how.
macro_rules! assign {
    ($(unsafe [$($generics:tt)*] $field:ty, $from:ty => $value:ty, |$name:pat_param| $expr:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: By the user of the macro.
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
        // SAFETY: By the user of the macro.
        unsafe impl<$($generics)*> $trait for $ty {}
    )*)*};
}

pub(crate) use {assign, field, mark};
