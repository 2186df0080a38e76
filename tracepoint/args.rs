// SPDX-License-Identifier: GPL-2.0

//! How arguments are passed from a tracepoint's call site to its probes.
//!
//! Both sides use Rust types. In between, the arguments are passed as the words that C's `TP_PROTO`
//! would have, so a C module can probe and fire the same tracepoint.
//!
//! | Rust | C |
//! |---|---|
//! | `bool`, `u8` … `u64`, `i8` … `i64`, `usize`, `isize` | the same |
//! | `&CStr` | `const char *` |
//! | `&T` where `T` is a [`Pointee`], such as `&Task` | `struct task_struct *` |
//! | `T` declared with `trace_enum!` or `trace_flags!` | its integer |
//! | `Option<&T>`, `Option<&CStr>` | the same as without `Option`, but may be NULL |
//! | `*const T`, `*mut T`, `&[T; N]` | a pointer |
//! | `&fmt::Arguments<'_>` | a pointer that only Rust code can use |
//! | `&[T]`, `&str` (two words) | `const T *, size_t` |
//!
//! A tracepoint can have at most twelve words, the limit of raw BPF tracepoints.

use super::prototype::Type;
use kernel::{
    bindings,
    cpumask::Cpumask,
    cred::Credential,
    device::Device,
    ffi::{c_char, c_void},
    fs::{File, LocalFile},
    prelude::*,
    str::CStrExt as _,
    task::Task,
};

/// A value that a tracepoint passes in one word.
///
/// # Safety
///
/// `from_c(into_c(x))` must be `x`, and [`Arg::TYPE`] must differ from that of every type with
/// words that aren't valid for this type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tracepoint",
    label = "cannot be passed to C",
    note = "use an integer, `bool`, `&CStr`, `&str`, `&[T]`, a raw pointer, a reference to a \
            kernel object such as `&File`, or an `Option` of a reference; declare your own structs \
            with `tracepoint_struct!`"
)]
pub unsafe trait Arg: Copy {
    /// The C type.
    type C: Copy;

    /// The type that a probe receives: no reference in it lives longer than `'a`.
    type At<'a>;

    /// The type in the prototype.
    const TYPE: Type;

    /// Converts the value to the C type.
    fn into_c(self) -> Self::C;

    /// Converts the value back from the C type. A probe may use it only for the duration of the
    /// call: whatever lifetime the declaration claims, the object may be gone after that.
    ///
    /// # Safety
    ///
    /// `c` must come from [`Arg::into_c`] or satisfy the guarantees of the type, for as long as the
    /// result is used.
    unsafe fn from_c(c: &Self::C) -> Self::At<'_>;

    /// Returns whether `c` can be converted back. NULL can't become a reference.
    #[inline(always)]
    fn is_valid(_c: Self::C) -> bool {
        true
    }
}

/// The conversions of arguments. Public for the macros, which import this module as `__p`.
#[doc(hidden)]
pub mod parts {
    use super::Arg;
    pub use super::{super::prototype::Type, word};

    /// The C type of an argument.
    pub type C<T> = <T as Arg>::C;

    /// [`Arg::TYPE`].
    pub const fn type_of<T: Arg>() -> Type {
        T::TYPE
    }

    /// [`Arg::into_c`].
    #[inline(always)]
    pub fn into_c<T: Arg>(value: T) -> T::C {
        value.into_c()
    }

    /// [`Arg::from_c`].
    ///
    /// # Safety
    ///
    /// As for [`Arg::from_c`].
    #[inline(always)]
    pub unsafe fn from_c<T: Arg>(c: &T::C) -> T::At<'_> {
        // SAFETY: Guaranteed by the caller.
        unsafe { T::from_c(c) }
    }

    /// Makes a slice from its two words, with the lifetime of the first one.
    ///
    /// # Safety
    ///
    /// As for `slice::from_raw_parts()`.
    #[inline(always)]
    pub unsafe fn slice<'a, T>(data: &'a *const T, len: usize) -> &'a [T] {
        // SAFETY: Guaranteed by the caller.
        unsafe { core::slice::from_raw_parts(*data, len) }
    }

    /// Like [`slice`], for a `&str`.
    ///
    /// # Safety
    ///
    /// As for [`slice`], and the bytes must be UTF-8.
    #[inline(always)]
    pub unsafe fn str(data: &*const u8, len: usize) -> &str {
        // SAFETY: Guaranteed by the caller.
        unsafe { core::str::from_utf8_unchecked(slice(data, len)) }
    }

    /// [`Arg::is_valid`].
    #[inline(always)]
    pub fn is_valid<T: Arg>(c: T::C) -> bool {
        T::is_valid(c)
    }
}

macro_rules! arg_as_is {
    ($($ty:ident)*) => {$(
        // SAFETY: The conversion is the identity, and the name is the type's own.
        unsafe impl Arg for $ty {
            type C = $ty;
            type At<'a> = Self;
            const TYPE: Type = Type::Name(stringify!($ty));

            #[inline(always)]
            fn into_c(self) -> $ty {
                self
            }

            #[inline(always)]
            unsafe fn from_c(c: &$ty) -> Self {
                *c
            }
        }

        // SAFETY: Any value that C passes is valid.
        unsafe impl FromKernel for $ty {}
    )*};
}

arg_as_is!(bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

/// A type that is passed by pointer.
///
/// # Safety
///
/// A `*mut C` made from a `&Self` must be a valid `*const Self`, and `TYPE` must differ from that
/// of every other such type, including those in other modules.
#[diagnostic::on_unimplemented(
    message = "a tracepoint cannot pass a pointer to `{Self}`",
    label = "has no corresponding C type",
    note = "references to kernel objects such as `File`, `Task` and `Inode` can be passed; declare \
            your own structs with `tracepoint_struct!`",
    note = "a slice must be written as `&[T]` or `&str`, not as an alias"
)]
pub unsafe trait Pointee {
    /// The C type that the pointer points to.
    type C;

    /// The type in the prototype.
    const TYPE: Type;
}

// SAFETY: `Pointee` guarantees it, and the reference is passed as the pointer.
unsafe impl<T: Pointee + 'static> Arg for &T {
    type C = *mut T::C;
    type At<'a> = &'a T;
    const TYPE: Type = Type::Ref(&T::TYPE);

    #[inline(always)]
    fn into_c(self) -> *mut T::C {
        core::ptr::from_ref(self).cast_mut().cast()
    }

    #[inline(always)]
    unsafe fn from_c<'a>(c: &'a *mut T::C) -> &'a T {
        // SAFETY: Guaranteed by the caller and by `Pointee`.
        unsafe { &*c.cast() }
    }

    #[inline(always)]
    fn is_valid(c: *mut T::C) -> bool {
        !c.is_null()
    }
}

// SAFETY: As above, with NULL for `None`.
unsafe impl<T: Pointee + 'static> Arg for Option<&T> {
    type C = *mut T::C;
    type At<'a> = Option<&'a T>;
    const TYPE: Type = Type::Optional(&Type::Ref(&T::TYPE));

    #[inline(always)]
    fn into_c(self) -> *mut T::C {
        self.map_or(core::ptr::null_mut(), Arg::into_c)
    }

    #[inline(always)]
    unsafe fn from_c<'a>(c: &'a *mut T::C) -> Option<&'a T> {
        // SAFETY: Guaranteed by the caller and by `Pointee`.
        unsafe { c.cast::<T>().as_ref() }
    }
}

/// C's `char`. The kernel crate defines it as `u8`, but a `const u8 *` doesn't point to a string.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Char(#[allow(dead_code)] c_char);

// SAFETY: The word is the pointer to the string, which is valid and NUL-terminated.
unsafe impl Arg for &CStr {
    type C = *const Char;
    type At<'a> = &'a CStr;
    const TYPE: Type = Type::Name("&CStr");

    #[inline(always)]
    fn into_c(self) -> *const Char {
        self.as_char_ptr().cast()
    }

    #[inline(always)]
    unsafe fn from_c(c: &*const Char) -> &CStr {
        // SAFETY: Guaranteed by the caller. `CStr::from_ptr()` would check the addition for
        // overflow.
        unsafe {
            let len = bindings::strlen((*c).cast()).wrapping_add(1);
            CStr::from_bytes_with_nul_unchecked(core::slice::from_raw_parts(c.cast(), len))
        }
    }

    #[inline(always)]
    fn is_valid(c: *const Char) -> bool {
        !c.is_null()
    }
}

// SAFETY: As above, with NULL for `None`.
unsafe impl Arg for Option<&CStr> {
    type C = *const Char;
    type At<'a> = Option<&'a CStr>;
    const TYPE: Type = Type::Optional(&Type::Name("&CStr"));

    #[inline(always)]
    fn into_c(self) -> *const Char {
        self.map_or(core::ptr::null(), Arg::into_c)
    }

    #[inline(always)]
    unsafe fn from_c(c: &*const Char) -> Option<&CStr> {
        // SAFETY: Guaranteed by the caller if it is not NULL.
        (!c.is_null()).then(|| unsafe { <&CStr>::from_c(c) })
    }
}

macro_rules! arg_raw_pointer {
    ($($ptr:ty, $name:literal;)*) => {$(
        // SAFETY: The conversion is the identity, and any value is valid for a raw pointer.
        unsafe impl<T> Arg for $ptr {
            type C = $ptr;
            type At<'a> = Self;
            const TYPE: Type = Type::Name($name);

            #[inline(always)]
            fn into_c(self) -> $ptr {
                self
            }

            #[inline(always)]
            unsafe fn from_c(c: &$ptr) -> Self {
                *c
            }
        }

        // SAFETY: Any value that C passes is valid.
        unsafe impl<T> FromKernel for $ptr {}
    )*};
}

arg_raw_pointer! {
    *const T, "*const";
    *mut T, "*mut";
}

/// A value that is passed in one register.
pub trait Word: Copy {
    /// Returns the register's value, sign- or zero-extended as the C ABI and BPF require.
    fn to_u64(self) -> u64;
}

/// Returns the register's value for a word.
#[inline(always)]
pub fn word<W: Word>(word: W) -> u64 {
    word.to_u64()
}

macro_rules! word {
    ($($ty:ty)*) => {$(
        impl Word for $ty {
            #[inline(always)]
            #[allow(clippy::cast_lossless)]
            fn to_u64(self) -> u64 {
                self as u64
            }
        }
    )*};
}

word!(bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl<T> Word for *const T {
    #[inline(always)]
    fn to_u64(self) -> u64 {
        self as u64
    }
}

impl<T> Word for *mut T {
    #[inline(always)]
    fn to_u64(self) -> u64 {
        self as u64
    }
}

/// An element of a slice or a field of a struct, with the same representation in all modules.
///
/// # Safety
///
/// As for [`Arg`]: any value with this `TYPE` must be valid as a `Self`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of the data that a tracepoint passes by pointer",
    label = "may have another layout in another module",
    note = "use an integer, `bool`, an array or any argument type; for another type, \
            implement the unsafe trait `Element`"
)]
pub unsafe trait Element: 'static {
    /// The type in the prototype.
    const TYPE: Type;
}

// SAFETY: A type that is passed by value under this name has the same layout in all modules.
unsafe impl<T: Arg + 'static> Element for T {
    const TYPE: Type = <T as Arg>::TYPE;
}

// SAFETY: The word is the pointer to the first element.
unsafe impl<T: Element, const N: usize> Arg for &[T; N] {
    type C = *mut T;
    type At<'a> = &'a [T; N];
    const TYPE: Type = Type::Ref(&<[T; N] as Element>::TYPE);

    #[inline(always)]
    fn into_c(self) -> *mut T {
        self.as_ptr().cast_mut()
    }

    #[inline(always)]
    unsafe fn from_c<'a>(c: &'a *mut T) -> &'a [T; N] {
        // SAFETY: Guaranteed by the caller.
        unsafe { &*c.cast() }
    }

    #[inline(always)]
    fn is_valid(c: *mut T) -> bool {
        !c.is_null()
    }
}

// SAFETY: The word is the pointer to the arguments. The compiler chooses their layout, and all
// modules of a kernel are built with the same compiler.
unsafe impl Arg for &core::fmt::Arguments<'_> {
    type C = *const c_void;
    type At<'a> = &'a core::fmt::Arguments<'a>;
    const TYPE: Type = Type::Name("&fmt::Arguments");

    #[inline(always)]
    fn into_c(self) -> *const c_void {
        core::ptr::from_ref(self).cast()
    }

    #[inline(always)]
    unsafe fn from_c<'a>(c: &'a *const c_void) -> &'a core::fmt::Arguments<'a> {
        // SAFETY: Guaranteed by the caller.
        unsafe { &*c.cast() }
    }

    #[inline(always)]
    fn is_valid(c: *const c_void) -> bool {
        !c.is_null()
    }
}

// SAFETY: The elements guarantee it.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    const TYPE: Type = Type::Array(&T::TYPE, N);
}

macro_rules! pointee {
    ($($ty:ty, $c:ident;)*) => {$(
        // SAFETY: In the kernel crate, the type is a transparent wrapper of the C struct.
        unsafe impl Pointee for $ty {
            type C = bindings::$c;
            const TYPE: Type = Type::Name(stringify!($ty));
        }
    )*};
}

pointee! {
    File, file;
    LocalFile, file;
    Task, task_struct;
    Credential, cred;
    Device, device;
    Cpumask, cpumask;
}

macro_rules! from_kernel {
    ($($ty:ty)*) => {$(
        // SAFETY: C tracepoints pass objects that are alive for the duration of the call, and the
        // type guarantees no more than that.
        unsafe impl FromKernel for &$ty {}
    )*};
}

// Not `File`, since its position may be used only under its lock: C's `fdget_pos()` doesn't take
// the lock for a file that isn't shared, and C passes such a file on.
from_kernel!(LocalFile Task Credential Device Cpumask);

/// Declares a struct that a tracepoint can take by reference.
///
/// The struct has C layout. Its fields are part of the prototype, so a probe built with a different
/// version of the struct is refused.
///
/// ```ignore
/// tracepoint_struct! {
///     /// One request, as the driver sees it.
///     pub struct Request {
///         pub sector: u64,
///         pub len: u32,
///     }
/// }
/// ```
macro_rules! tracepoint_struct {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $( $(#[$field_meta:meta])* $field_vis:vis $field:ident : $ty:ty ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[repr(C)]
        $vis struct $name {
            $( $(#[$field_meta])* $field_vis $field: $ty, )*
        }

        // SAFETY: C and Rust see the same struct, and `TYPE` contains its name, fields and size.
        unsafe impl $crate::tracepoint::args::Pointee for $name {
            type C = $name;
            const TYPE: $crate::tracepoint::prototype::Type =
                $crate::tracepoint::prototype::Type::Struct {
                    name: ::core::stringify!($name),
                    fields: &[$(
                        (
                            ::core::stringify!($field),
                            &<$ty as $crate::tracepoint::args::Element>::TYPE,
                        ),
                    )*],
                    size: ::core::mem::size_of::<$name>(),
                };
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "tracepoint_struct!: expected `pub struct Name { field: Type, … }`, found `",
            ::core::stringify!($($other)*),
            "`",
        ));
    };
}
pub(crate) use tracepoint_struct;

/// A type whose guarantees follow from the C type of an argument, in a tracepoint that carries no
/// prototype: a string, a live object, a number. A C pointer carries no length, so a slice or an
/// array doesn't qualify. A C integer doesn't tell which values are valid, so an enum doesn't
/// qualify either.
///
/// # Safety
///
/// Any value that C passes with the type [`Arg::C`] must be valid for `Self`, unless
/// [`Arg::is_valid`] rejects it.
#[diagnostic::on_unimplemented(
    message = "the C type of this argument does not guarantee a `{Self}`",
    label = "promises more than C does",
    note = "use what C passes: a pointer, and perhaps a `usize`, for a slice, an array or a \
            `&str`; an integer for an enum; a `&LocalFile` for a `&File`; for a reference to your \
            own type, implement the unsafe trait `FromKernel`"
)]
pub unsafe trait FromKernel {}

// SAFETY: A `const char *` is a string in the headers that `bindings/prototypes.h` includes, even
// if its length is passed along, as in `console` (include/trace/events/printk.h). For other
// headers, their users assert it by adding them in the Kbuild file.
unsafe impl FromKernel for &CStr {}

// SAFETY: As for `T`, or NULL.
unsafe impl<T: FromKernel> FromKernel for Option<T> {}

/// Compiles only if the C type of an argument guarantees a `T`.
pub const fn vouched_for<T: FromKernel>() {}

/// Converts the type of `value` to the type that C passes. Never called.
pub fn in_c<T: Arg<C: SameInC<C>>, C>(_value: T) -> C {
    unreachable!()
}

/// A type that corresponds to C's `T`, regardless of `const`, and of Rust using `u8` for `char`.
///
/// `kernel_tracepoint!` uses this to check a declared prototype against the kernel's headers.
#[diagnostic::on_unimplemented(
    message = "the kernel's headers declare this argument with another type: `{T}`",
    label = "is passed as `{Self}`"
)]
pub trait SameInC<T> {}

impl<T> SameInC<T> for T {}
impl<T> SameInC<*const T> for *mut T {}
impl<T> SameInC<*mut T> for *const T {}
impl SameInC<Char> for c_char {}
impl SameInC<*const Char> for *const c_char {}
impl SameInC<*mut Char> for *const c_char {}
impl SameInC<*const Char> for *mut c_char {}
impl SameInC<*mut Char> for *mut c_char {}

/// Splits a declaration's arguments into parts and passes these to `$callback`. In the parts, `__p`
/// stands for [`parts`]:
///
/// - `args`: the arguments as declared;
/// - `words`: the words that are passed, with their types and the conversions from the arguments;
/// - `from`: the conversions back to the arguments, which need `unsafe`;
/// - `valid`: the checks that these conversions are possible;
/// - `types`: the [`Type`]s.
macro_rules! args_each {
    (
        @next [$callback:path] $state:tt
        $args:tt $words:tt $from:tt $valid:tt $types:tt
    ) => {
        $callback! {
            $state args $args words $words from $from valid $valid types $types
        }
    };

    (
        @next [$callback:path] $state:tt
        [$($args:tt)*] [$($words:tt)*] [$($from:tt)*] [$($valid:tt)*] [$($types:tt)*]
        $arg:ident: &str $(, $($rest:tt)*)?
    ) => {
        $crate::tracepoint::args::args_each! {
            @next [$callback] $state
            [$($args)* $arg: &str,]
            [$($words)* $arg: *const u8 = $arg.as_ptr(), len: usize = $arg.len(),]
            [$($from)* __p::str(&$arg, len),]
            [$($valid)* !$arg.is_null(),]
            [$($types)* __p::Type::Name("&str"),]
            $($($rest)*)?
        }
    };

    (
        @next [$callback:path] $state:tt
        [$($args:tt)*] [$($words:tt)*] [$($from:tt)*] [$($valid:tt)*] [$($types:tt)*]
        $arg:ident: &[$element:ty] $(, $($rest:tt)*)?
    ) => {
        $crate::tracepoint::args::args_each! {
            @next [$callback] $state
            [$($args)* $arg: &[$element],]
            [$($words)* $arg: *const $element = $arg.as_ptr(), len: usize = $arg.len(),]
            [$($from)* __p::slice(&$arg, len),]
            [$($valid)* !$arg.is_null(),]
            [
                $($types)*
                __p::Type::Slice(&<$element as $crate::tracepoint::args::Element>::TYPE),
            ]
            $($($rest)*)?
        }
    };

    (
        @next [$callback:path] $state:tt
        [$($args:tt)*] [$($words:tt)*] [$($from:tt)*] [$($valid:tt)*] [$($types:tt)*]
        $arg:ident: $ty:ty $(, $($rest:tt)*)?
    ) => {
        $crate::tracepoint::args::args_each! {
            @next [$callback] $state
            [$($args)* $arg: $ty,]
            [
                $($words)*
                $arg: __p::C<$ty> = __p::into_c($arg),
            ]
            [$($from)* __p::from_c::<$ty>(&$arg),]
            [$($valid)* __p::is_valid::<$ty>($arg),]
            [$($types)* __p::type_of::<$ty>(),]
            $($($rest)*)?
        }
    };

    (@next $($other:tt)*) => {
        ::core::compile_error!("expected arguments of the form `name: Type, …`");
    };

    ([$callback:path] $state:tt $($args:tt)*) => {
        $crate::tracepoint::args::args_each! {
            @next [$callback] $state [] [] [] [] [] $($args)*
        }
    };
}
pub(crate) use args_each;
