// SPDX-License-Identifier: GPL-2.0

//! Types that define once how their values are printed.

/// Declares an enum. A field of this type is printed by name.
///
/// C: `TRACE_DEFINE_ENUM()` for each value and `__print_symbolic()` in each event.
///
/// ```ignore
/// trace_enum! {
///     /// The direction of a request.
///     pub enum Direction: u32 {
///         Read = 0 => "READ",
///         Write = 1 => "WRITE",
///     }
/// }
/// ```
macro_rules! trace_enum {
    (
        $(#[$meta:meta])* $vis:vis enum $name:ident : $repr:ident {
            $( $(#[$value_meta:meta])* $variant:ident = $value:expr => $text:literal ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr($repr)]
        $vis enum $name {
            $( $(#[$value_meta])* $variant = $value, )+
        }

        $crate::tracepoint::event::symbols::symbol_field! {
            $name $repr [$($variant)+] [] [$( $name::$variant as $repr => $text, )+]
        }
    };
}
pub(crate) use trace_enum;

/// Declares a flags type. A field of this type is printed by the names of its flags.
///
/// C: `__print_flags()` in each event.
///
/// ```ignore
/// trace_flags! {
///     /// How a request is handled.
///     pub struct RequestFlags: u32, "|" {
///         SYNC = 1 => "SYNC",
///         META = 2 => "META",
///     }
/// }
/// ```
macro_rules! trace_flags {
    (
        $(#[$meta:meta])* $vis:vis struct $name:ident : $repr:ident, $delimiter:literal {
            $( $(#[$value_meta:meta])* $flag:ident = $value:expr => $text:literal ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(transparent)]
        $vis struct $name($vis $repr);

        #[allow(dead_code)]
        impl $name {
            $( $(#[$value_meta])* $vis const $flag: Self = Self($value); )+
        }

        impl ::core::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        $crate::tracepoint::event::symbols::symbol_field! {
            $name $repr [$($flag)+] [$delimiter] [$( $name::$flag.0 => $text, )+]
        }
    };
}
pub(crate) use trace_flags;

/// Implements the traits of arguments and fields for a type that prints by name.
macro_rules! symbol_field {
    (
        $name:ident $repr:ident [$($symbol:ident)+] [$($delimiter:literal)?]
        [$($value:expr => $text:literal,)+]
    ) => {
        const _: () = {
            // SAFETY: The value is passed as the integer, and `TYPE` contains the type's name and
            // values.
            unsafe impl $crate::tracepoint::args::Arg for $name {
                type C = $repr;
                type At<'a> = Self;
                const TYPE: $crate::tracepoint::prototype::Type =
                    $crate::tracepoint::prototype::Type::Enum {
                        name: ::core::stringify!($name),
                        repr: ::core::stringify!($repr),
                        values: &[$((::core::stringify!($symbol), ($value) as i128),)+],
                    };

                #[inline(always)]
                fn into_c(self) -> $repr {
                    // SAFETY: The type has the representation of the integer.
                    unsafe { ::core::mem::transmute::<$name, $repr>(self) }
                }

                #[inline(always)]
                unsafe fn from_c(c: &$repr) -> Self {
                    // SAFETY: The caller guarantees that it is a value of the type.
                    unsafe { ::core::mem::transmute::<$repr, $name>(*c) }
                }
            }

            // SAFETY: The type has the representation of the integer.
            unsafe impl $crate::tracepoint::event::field::Field for $name {
                type Slot = $name;
                const NAME: &'static str = <$repr as $crate::tracepoint::event::field::Field>::NAME;
                const SIGNED: bool = <$repr as $crate::tracepoint::event::field::Field>::SIGNED;
                const KIND: $crate::tracepoint::event::template::Kind =
                    <$repr as $crate::tracepoint::event::field::Field>::KIND;
                const TABLE: Option<$crate::tracepoint::event::template::Table> = Some(
                    $crate::tracepoint::event::symbols::table! {
                        [$($delimiter)?] [$($value => $text,)+]
                    }
                );
            }

            impl $crate::tracepoint::event::field::Assign<$name> for $name {
                type Value<F: FnOnce() -> $name> = $crate::tracepoint::event::field::AsIs<F>;

                #[inline(always)]
                fn value<F: FnOnce() -> $name>(
                    expression: F,
                ) -> $crate::tracepoint::event::field::AsIs<F> {
                    $crate::tracepoint::event::field::AsIs(expression)
                }
            }
        };
    };
}
pub(crate) use symbol_field;

/// Makes a table. With a delimiter, it is a table of flags.
macro_rules! table {
    (@) => {
        ::core::option::Option::None
    };
    (@ $delimiter:literal) => {
        ::core::option::Option::Some($delimiter)
    };
    ([$($delimiter:literal)?] [$($value:expr => $text:literal,)*]) => {
        $crate::tracepoint::event::template::Table {
            symbols: &[$(
                // `i128` can represent every integer, signed or unsigned.
                $crate::tracepoint::event::template::Symbol::new(
                    ($value) as i128 as u64,
                    ::core::concat!($text, "\0"),
                ),
            )*],
            delimiter: $crate::tracepoint::event::symbols::table!(@ $($delimiter)?),
        }
    };
}
pub(crate) use table;
