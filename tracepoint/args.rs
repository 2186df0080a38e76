// SPDX-License-Identifier: GPL-2.0

//! How an argument crosses from a tracepoint's call site to its probes.
//!
//! Both sides are written in Rust types; between them stand the words that C's `TP_PROTO` would
//! have, so that a C module can probe and fire the same tracepoint.
//!
//! | Rust | C |
//! |---|---|
//! | `bool`, `u8` … `u64`, `i8` … `i64`, `usize`, `isize` | the same |
//! | `&CStr` | `const char *` |
//! | `&T` where `T` is a [`Pointee`], such as `&Task` | `struct task_struct *` |
//! | `T` where `trace_enum!` or `trace_flags!` declares it | its integer |
//! | `Option<&T>`, `Option<&CStr>` | the same, and may be NULL |
//! | `*const T`, `*mut T`, `&[T; N]` | the same, a pointer |
//! | `&fmt::Arguments<'_>` | a pointer that is for Rust only |
//! | `&[T]`, `&str` (two words) | `const T *, size_t` |
//!
//! A tracepoint has at most twelve words, raw BPF's limit.

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
/// `from_c(into_c(x))` must be `x`, and [`Arg::TYPE`] must differ from that of every type whose
/// words are not all good for this one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tracepoint",
    label = "not an argument that C can receive",
    note = "integers, `bool`, `&CStr`, `&str`, `&[T]`, raw pointers, references to kernel objects \
            such as `&File`, and `Option`s of references can; make a struct of your own one with \
            `tracepoint_struct!`"
)]
pub unsafe trait Arg: Copy {
    /// The type as C has it.
    type C: Copy;

    /// The type where the words came from C: no reference in it lives longer than `'a`.
    type At<'a>;

    /// The type as the prototype names it.
    const TYPE: Type;

    /// Turns the value into C's.
    fn into_c(self) -> Self::C;

    /// Turns C's value back. A probe has it only as long as the caller has the word: whatever
    /// lifetime the declaration claims, what the word points to may be gone after that.
    ///
    /// # Safety
    ///
    /// `c` must come from [`Arg::into_c`] or satisfy what the type promises, for as long as the
    /// result is used.
    unsafe fn from_c(c: &Self::C) -> Self::At<'_>;

    /// Returns whether `c` can be turned back. NULL cannot be a reference.
    #[inline(always)]
    fn is_valid(_c: Self::C) -> bool {
        true
    }
}

/// What an argument crosses with. Public for the macros, which take it in as `__p`.
#[doc(hidden)]
pub mod parts {
    use super::Arg;
    pub use super::{super::prototype::Type, word};

    /// C's type of an argument.
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
    /// As there.
    #[inline(always)]
    pub unsafe fn from_c<T: Arg>(c: &T::C) -> T::At<'_> {
        // SAFETY: By the caller's promise.
        unsafe { T::from_c(c) }
    }

    /// Makes a slice of its two words, with the first one's lifetime.
    ///
    /// # Safety
    ///
    /// As for `slice::from_raw_parts()`.
    #[inline(always)]
    pub unsafe fn slice<'a, T>(data: &'a *const T, len: usize) -> &'a [T] {
        // SAFETY: By the caller's promise.
        unsafe { core::slice::from_raw_parts(*data, len) }
    }

    /// The same for text.
    ///
    /// # Safety
    ///
    /// As above, and the bytes must be UTF-8.
    #[inline(always)]
    pub unsafe fn str(data: &*const u8, len: usize) -> &str {
        // SAFETY: By the caller's promise.
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
        // SAFETY: The identity, under its own name.
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

        // SAFETY: Any value of C's is one.
        unsafe impl FromKernel for $ty {}
    )*};
}

arg_as_is!(bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

/// A type that is passed as a pointer to it.
///
/// # Safety
///
/// A `*mut C` that was made of a `&Self` must be a valid `*const Self`, and `TYPE` must differ from
/// that of every other such type, in other modules too.
#[diagnostic::on_unimplemented(
    message = "a tracepoint cannot pass a pointer to `{Self}`",
    label = "has no C type",
    note = "references to kernel objects such as `File`, `Task` and `Inode` can be passed; declare \
            a struct of your own with `tracepoint_struct!`",
    note = "a slice has to be written out: `&[T]` or `&str`, not an alias of it"
)]
pub unsafe trait Pointee {
    /// What C points to.
    type C;

    /// The type as the prototype names it.
    const TYPE: Type;
}

// SAFETY: As `Pointee` demands, and the reference is the pointer.
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
        // SAFETY: By the caller's promise and that of `Pointee`.
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
        // SAFETY: By the caller's promise and that of `Pointee`.
        unsafe { c.cast::<T>().as_ref() }
    }
}

/// C's `char`. For the kernel crate it is a `u8`; but what a `const u8 *` points to is no string.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Char(#[allow(dead_code)] c_char);

// SAFETY: The pointer to the string, which is valid and ends in NUL.
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
        // SAFETY: By the caller's promise. `CStr::from_ptr()` would check the addition.
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
        // SAFETY: By the caller's promise, where it is not NULL.
        (!c.is_null()).then(|| unsafe { <&CStr>::from_c(c) })
    }
}

macro_rules! arg_raw_pointer {
    ($($ptr:ty, $name:literal;)*) => {$(
        // SAFETY: The identity. Any value is good for a raw pointer.
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

        // SAFETY: Any value of C's is one.
        unsafe impl<T> FromKernel for $ptr {}
    )*};
}

arg_raw_pointer! {
    *const T, "*const";
    *mut T, "*mut";
}

/// What crosses in one register.
pub trait Word: Copy {
    /// Returns the register's value: extended by the type's sign, as the C ABI and BPF want it.
    fn to_u64(self) -> u64;
}

/// Returns the register's value.
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

/// An element of a slice or a field of a struct, which two modules see alike.
///
/// # Safety
///
/// As for [`Arg`]: a value with this `TYPE` must be good for a `Self`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in what a tracepoint passes a pointer to",
    label = "not known to be the same in another module",
    note = "integers, `bool`, arrays of them and whatever can be an argument can; for another type \
            implement the unsafe trait `Element`"
)]
pub unsafe trait Element: 'static {
    /// The type as the prototype names it.
    const TYPE: Type;
}

// SAFETY: What is passed by value under this name has one layout in all modules.
unsafe impl<T: Arg + 'static> Element for T {
    const TYPE: Type = <T as Arg>::TYPE;
}

// SAFETY: The pointer to the first element.
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
        // SAFETY: By the caller's promise.
        unsafe { &*c.cast() }
    }

    #[inline(always)]
    fn is_valid(c: *mut T) -> bool {
        !c.is_null()
    }
}

// SAFETY: The pointer to the arguments. Their layout is the compiler's, and that is the same for
// all modules of a kernel.
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
        // SAFETY: By the caller's promise.
        unsafe { &*c.cast() }
    }

    #[inline(always)]
    fn is_valid(c: *const c_void) -> bool {
        !c.is_null()
    }
}

// SAFETY: As its elements.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    const TYPE: Type = Type::Array(&T::TYPE, N);
}

macro_rules! pointee {
    ($($ty:ty, $c:ident;)*) => {$(
        // SAFETY: The type is a transparent wrapper of the C struct, in the kernel crate.
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
        // SAFETY: C's tracepoints pass objects that are alive for the call, and the type promises
        // no more.
        unsafe impl FromKernel for &$ty {}
    )*};
}

// Not `File`, of which nobody may use the position without its lock: C's `fdget_pos()` takes none
// for a file that is not shared, and passes it on.
from_kernel!(LocalFile Task Credential Device Cpumask);

/// Declares a struct of a module's own whose reference can be an argument of a tracepoint.
///
/// The struct gets C's layout. Its fields are part of the prototype, so that a probe that was built
/// with another version of it is refused.
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

        // SAFETY: C and Rust see the same struct, and its name, fields and size stand in `TYPE`.
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

/// What C's type of an argument vouches for, in a tracepoint that carries no prototype: a string, a
/// live object, a number. C's type does not say how many there are behind a pointer, nor which
/// values of a number have a name.
///
/// # Safety
///
/// What C passes under the type [`Arg::C`] must be good for `Self`, unless [`Arg::is_valid`] says no.
#[diagnostic::on_unimplemented(
    message = "C's type of this argument does not vouch for a `{Self}`",
    label = "promises more than C does",
    note = "take what C passes: a pointer and perhaps a `usize` for a slice, an array or a `&str`, \
            an integer for an enum, a `&LocalFile` for a `&File`; a reference to a type of your own \
            can implement the unsafe trait `FromKernel`"
)]
pub unsafe trait FromKernel {}

// SAFETY: A `const char *` is a string in the headers that `bindings/prototypes.h` names, also where
// its length stands beside it, as in `console` (include/trace/events/printk.h). Of other headers
// those say so who name them in the Kbuild.
unsafe impl FromKernel for &CStr {}

// SAFETY: As `T`, or NULL.
unsafe impl<T: FromKernel> FromKernel for Option<T> {}

/// Compiles if C's type of an argument vouches for it.
pub const fn vouched_for<T: FromKernel>() {}

/// Stands for what C passes as `value`, to have its type. Never called.
pub fn in_c<T: Arg<C: SameInC<C>>, C>(_value: T) -> C {
    unreachable!()
}

/// A type that stands for C's `T`, whether C says `const` or not, and whether Rust says `u8` for
/// `char`.
///
/// `kernel_tracepoint!` holds a declared prototype against the kernel's headers with it.
#[diagnostic::on_unimplemented(
    message = "the kernel's headers give this argument another type: `{T}`",
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

/// Takes a declaration's arguments apart and hands the parts, in which `__p` stands for
/// [`parts`], to `$callback`:
///
/// - `args`: the arguments as declared;
/// - `words`: the words that cross, with their types and how to get them from the arguments;
/// - `from`: how to get the arguments back, with `unsafe`;
/// - `valid`: whether that can be done;
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
        ::core::compile_error!("a tracepoint's arguments are written `name: Type, …`");
    };

    ([$callback:path] $state:tt $($args:tt)*) => {
        $crate::tracepoint::args::args_each! {
            @next [$callback] $state [] [] [] [] [] $($args)*
        }
    };
}
pub(crate) use args_each;
