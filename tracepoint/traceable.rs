// SPDX-License-Identifier: GPL-2.0

//! Functions that ftrace can hook, for the function tracers, fprobe events and ftrace-based
//! kprobes.
//!
//! In C, every function is traceable unless it is marked `notrace`. Functions compiled by rustc are
//! not, so each function chosen here gets an entry point in assembly.

use kernel::{
    error::{to_result, Result},
    ffi::c_int,
};

/// A type that a traceable function can return.
pub trait Return {
    /// The C type.
    type C;

    /// Converts the value to the C type.
    fn into_c(self) -> Self::C;

    /// Converts the value back from the C type.
    ///
    /// # Safety
    ///
    /// `c` must come from [`Return::into_c`].
    unsafe fn from_c(c: Self::C) -> Self;
}

impl Return for () {
    type C = ();

    fn into_c(self) {}

    unsafe fn from_c((): ()) {}
}

impl Return for Result {
    type C = c_int;

    fn into_c(self) -> c_int {
        match self {
            Ok(()) => 0,
            Err(error) => error.to_errno(),
        }
    }

    #[inline]
    unsafe fn from_c(c: c_int) -> Self {
        to_result(c)
    }
}

macro_rules! return_as_is {
    ($($ty:ident)*) => {$(
        impl Return for $ty {
            type C = $ty;

            fn into_c(self) -> $ty {
                self
            }

            unsafe fn from_c(c: $ty) -> $ty {
                c
            }
        }
    )*};
}

return_as_is!(bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

/// Makes functions visible to ftrace, under their names.
///
/// Arguments can have the types that a tracepoint argument can have. The result can be nothing, an
/// integer, a `bool`, or a `Result`, which becomes an errno. All are passed as in C.
///
/// ```ignore
/// traceable! {
///     /// Starts the queue.
///     fn drv_start(queue: u32) -> Result {
///         …
///     }
/// }
/// ```
macro_rules! traceable {
    ($(
        $(#[$meta:meta])* $vis:vis fn $name:ident($($args:tt)*) $(-> $ret:ty)? $body:block
    )*) => {$(
        $crate::tracepoint::args::args_each! {
            [$crate::tracepoint::traceable::traceable_one]
            { [$(#[$meta])* $vis] $name [$($ret)?] $body }
            $($args)*
        }
    )*};
}
pub(crate) use traceable;

/// Expands one function of [`traceable!`].
macro_rules! traceable_one {
    (
        { $head:tt $name:ident [] $body:block } $($parts:tt)*
    ) => {
        $crate::tracepoint::traceable::traceable_one! {
            { $head $name [()] $body } $($parts)*
        }
    };
    (
        { [$(#[$meta:meta])* $vis:vis] $name:ident [$ret:ty] $body:block }
        args [$($arg:ident: $ty:ty,)*]
        words [$($word:ident: $c:ty = $lower:expr,)*]
        from [$($from:expr,)*]
        valid $valid:tt
        types $types:tt
    ) => {
        $(#[$meta])*
        $vis fn $name($($arg: $ty),*) -> $ret {
            #[allow(unused_imports)]
            use $crate::tracepoint::args::parts as __p;

            // Some structs are empty in C in some configurations.
            #[allow(improper_ctypes)]
            extern "C" {
                #[link_name = ::core::stringify!($name)]
                fn __entry($($word: $c),*) -> <$ret as $crate::tracepoint::traceable::Return>::C;
            }

            /// # Safety
            ///
            /// Called by `__entry`.
            #[export_name = ::core::concat!("__traceable_", ::core::stringify!($name))]
            #[allow(improper_ctypes_definitions)]
            unsafe extern "C" fn __body(
                $($word: $c),*
            ) -> <$ret as $crate::tracepoint::traceable::Return>::C {
                #[allow(clippy::unused_unit, unused_unsafe)]
                // SAFETY: The words come from the call below.
                let ($($arg,)*) = unsafe { ($($from,)*) };
                #[allow(clippy::redundant_closure_call)]
                $crate::tracepoint::traceable::Return::into_c((move || -> $ret { $body })())
            }

            // SAFETY: `__entry` takes these arguments, which are valid for the types they are
            // converted from, and jumps to `__body`.
            unsafe { <$ret as $crate::tracepoint::traceable::Return>::from_c(__entry($($lower),*)) }
        }

        $crate::tracepoint::arch::fentry!(
            ::core::stringify!($name),
            ::core::concat!("jmp __traceable_", ::core::stringify!($name))
        );
    };
}
pub(crate) use traceable_one;
