// SPDX-License-Identifier: GPL-2.0

//! The types of a tracepoint's arguments, and how they're passed to its probes.
//!
//! Both sides use Rust types. In between, each is passed as the C arguments of `TP_PROTO`.
//!
//! | Rust | C |
//! |---|---|
//! | `bool`, `u8` … `u64`, `i8` … `i64`, `usize`, `isize` | the same |
//! | `&CStr` | `const char *` |
//! | `&File`, `&LocalFile`, `&Task`, `&Device`, `&Credential`, `&Cpumask` | `struct file *`, … |
//! | `&T`, `T` with [`#[derive(TracepointArg)]`](macro@crate::trace::TracepointArg) | a pointer |
//! | `Option<&T>`, `Option<&CStr>` | the same as without `Option`, but may be NULL |
//! | `*const T`, `*mut T`, `&[T; N]` | a pointer |
//! | `&fmt::Arguments<'_>` | a pointer that only Rust code can use |
//! | `&[T]`, `&str` (two C arguments) | `const T *, size_t` |
//!
//! A tracepoint can have at most twelve C arguments, the limit of raw BPF tracepoints. What a reference in an argument
//! refers to is valid until the probe returns.
//!
//! C code that fires a tracepoint must uphold the same guarantees as Rust code for whatever a pointer points to. But a C
//! argument can have any value in C: see [`Arg::is_valid`]. If C passes NULL, a probe gets `None` for an `Option`, `"(null)"` for a
//! `&CStr`, and an empty slice or `&str`. For any other reference, the probe isn't called, and an event records
//! nothing.

use super::bindings::Char;
use crate::{
    bindings,
    cpumask::Cpumask,
    cred::Credential,
    device::Device,
    ffi::c_void,
    fs::{File, LocalFile},
    task::Task,
};
use core::ffi::CStr;

/// C types of arguments, each after a comma, for BTF.
#[doc(hidden)]
pub type CTypes = [u8; 24];

/// Returns C types, filled up with blanks.
const fn c_types(names: &str) -> CTypes {
    let mut text = [b' '; 24];
    text[0] = b',';
    let mut i = 0;
    while i < names.len() {
        text[i + 2] = names.as_bytes()[i];
        i += 1;
    }
    text
}

/// The C types of a `&str`.
#[doc(hidden)]
pub const TYPE_OF_STR: CTypes = c_types("const char *, size_t");

/// A type of argument that a tracepoint passes as one C argument.
///
/// # Safety
///
/// `from_c(into_c(x))` must be `x`, and [`Arg::At`] must be this type with shorter lifetimes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tracepoint",
    label = "cannot be passed to C",
    note = "use an integer, `bool`, `&CStr`, `&str`, `&[T]`, a raw pointer, a reference to a \
            kernel object such as `&File`, or an `Option` of a reference; for your own structs, use \
            `#[derive(TracepointArg)]`"
)]
pub unsafe trait Arg: Copy {
    /// The C type.
    type C: Copy;

    /// The type that a probe receives: no reference in it lives longer than `'a`.
    type At<'a>: 'a;

    /// The name of the C type.
    #[doc(hidden)]
    const TYPE: CTypes;

    /// For [`ArgIf`].
    #[doc(hidden)]
    const IS_ARG: bool = true;

    /// How many bytes a BPF program may change through this argument, if it's the first one.
    #[doc(hidden)]
    const WRITABLE: usize = 0;

    /// Converts the value to the C type.
    fn into_c(self) -> Self::C;

    /// Converts the value back from the C type. A probe may use it only for the duration of the call: whatever
    /// lifetime the declaration claims, the object may be gone after that.
    ///
    /// # Safety
    ///
    /// `c` must come from [`Arg::into_c`] or satisfy the type's guarantees while the result is used.
    unsafe fn from_c(c: &Self::C) -> Self::At<'_>;

    /// Returns whether `c` can be converted back: C may pass NULL, which no reference can be.
    #[inline(always)]
    fn is_valid(_c: Self::C) -> bool {
        true
    }
}

/// The C type of an argument, for signatures. With `Arg::IS_ARG` as the constant, a type that isn't an [`Arg`] is
/// reported for the constant only, and not for each signature.
#[doc(hidden)]
pub trait ArgIf<const IS_ARG: bool> {
    /// As [`Arg::C`].
    type C: Copy;
}

impl<T: Arg> ArgIf<true> for T {
    type C = T::C;
}

/// Makes a string from its two C arguments. See [`Element::slice`].
///
/// # Safety
///
/// As there, and the bytes must be UTF-8.
#[inline(always)]
#[doc(hidden)]
pub unsafe fn str(data: *const u8, len: &usize) -> &str {
    // SAFETY: The caller promises that `data` is NULL or points to `len` bytes, and that these are
    // UTF-8.
    unsafe { core::str::from_utf8_unchecked(<u8 as Element>::slice(data, len)) }
}

/// Implements [`Arg`]: the type, what a probe receives in a lifetime, the C type and its name, the conversion to it, and
/// the one back.
macro_rules! arg {
    ($([$($of:tt)*] $ty:ty, [$a:lifetime] $at:ty, $c:ty, $name:expr,
        |$value:ident| $into:expr, |$from:ident| $back:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: `$back` is the inverse of `$into` for whatever is valid.
        unsafe impl<$($of)*> Arg for $ty {
            type C = $c;
            type At<$a> = $at;
            const TYPE: CTypes = c_types($name);

            #[inline(always)]
            fn into_c(self) -> $c {
                let $value = self;
                $into
            }

            #[inline(always)]
            unsafe fn from_c(c: &$c) -> Self::At<'_> {
                let $from = *c;
                $back
            }
        }
    )*};
}

arg! {
    // To use a pointer is unsafe.
    [T: 'static] *const T, ['a] Self, Self, "const void *", |pointer| pointer, |c| c;
    [T: 'static] *mut T, ['a] Self, Self, "void *", |pointer| pointer, |c| c;
    // C can make a `bool` that's neither 0 nor 1.
    [] bool, ['a] Self, Bool, "bool", |value| Bool(u8::from(value)), |c| c.0 != 0;
    // A string in C may be NULL.
    [] &CStr, ['a] &'a CStr, *const Char, "const char *",
        |text| text.to_bytes_with_nul().as_ptr().cast(),
        // SAFETY: The caller promises that `c` is NULL or a C string, for as long as the result is
        // used.
        |c| unsafe { string_or_null(c) };
    [] Option<&CStr>, ['a] Option<&'a CStr>, *const Char, "const char *",
        |text| text.map_or(core::ptr::null(), Arg::into_c),
        // SAFETY: The caller promises that `c`, if it isn't NULL, is a C string for as long as the
        // result is used.
        |c| (!c.is_null()).then(|| unsafe { string(c) });
}

/// A value that is passed in one register.
///
/// # Safety
///
/// It must be what C passes in an integer register.
#[doc(hidden)]
pub unsafe trait CArg: Copy {
    /// Returns the register's value, sign- or zero-extended as the C ABI requires.
    fn to_u64(self) -> u64;
}

macro_rules! c_arg {
    ($([$($of:tt)*] $ty:ty;)*) => {$(
        // SAFETY: The type is an integer or a pointer, which C passes in an integer register.
        unsafe impl<$($of)*> CArg for $ty {
            #[inline(always)]
            #[allow(clippy::cast_lossless)]
            fn to_u64(self) -> u64 {
                self as u64
            }
        }
    )*};
}

c_arg! {
    [T] *const T;
    [T] *mut T;
}

/// Returns a C argument as a BPF program gets it: zero-extended, whether it has a sign or not.
///
/// C: `__CAST_TO_U64()` (include/trace/bpf_probe.h).
#[inline(always)]
#[doc(hidden)]
pub fn bpf_arg<C: CArg>(c_arg: C) -> u64 {
    c_arg.to_u64() & (u64::MAX >> (64 - 8 * size_of::<C>()))
}

macro_rules! integer {
    ($($ty:ident $name:literal,)*) => {$(
        arg!([] $ty, ['a] Self, Self, $name, |n| n, |c| c;);
        c_arg!([] $ty;);
    )*};
}

integer! {
    u8 "u8", u16 "u16", u32 "u32", u64 "u64", usize "size_t",
    i8 "s8", i16 "s16", i32 "s32", i64 "s64", isize "ssize_t",
}

/// A `bool` as C passes it.
#[derive(Clone, Copy)]
#[repr(transparent)]
#[doc(hidden)]
pub struct Bool(u8);

// SAFETY: `Bool` is a transparent `u8`, which C passes in an integer register.
unsafe impl CArg for Bool {
    #[inline(always)]
    fn to_u64(self) -> u64 {
        self.0.into()
    }
}

/// A type that is passed by pointer.
///
/// # Safety
///
/// A `*mut C` made from a `&Self` must be a valid `*const Self`, and `At` must be this type with shorter lifetimes.
#[diagnostic::on_unimplemented(
    message = "a tracepoint cannot pass a pointer to `{Self}`",
    label = "has no corresponding C type",
    note = "references to kernel objects such as `File` and `Task` can be passed; use \
            `#[derive(TracepointArg)]` for your own structs",
    note = "a slice must be written as `&[T]` or `&str`, not as an alias"
)]
pub unsafe trait Pointee {
    /// The C type that the pointer points to.
    type C;

    /// The name of the pointer's C type.
    #[doc(hidden)]
    const TYPE: CTypes = c_types("void *");

    /// The type that a probe receives a reference to: no reference in it lives longer than `'a`. It's `Self` for a
    /// type without lifetimes.
    type At<'a>: 'a;
}

#[diagnostic::do_not_recommend]
// SAFETY: The reference is passed as a pointer. `Pointee` guarantees that this is valid as a
// reference again, and that `At` is what `Arg` requires.
unsafe impl<T: Pointee> Arg for &T {
    type C = *mut T::C;
    type At<'a> = &'a T::At<'a>;
    const TYPE: CTypes = T::TYPE;

    #[inline(always)]
    fn into_c(self) -> *mut T::C {
        core::ptr::from_ref(self).cast_mut().cast()
    }

    #[inline(always)]
    unsafe fn from_c<'a>(c: &'a *mut T::C) -> &'a T::At<'a> {
        // SAFETY: The caller promises that `c` comes from a reference or fulfils its guarantees. By
        // `Pointee`, it points to a `T`, whose `At` has only other lifetimes.
        unsafe { &*c.cast() }
    }

    #[inline(always)]
    fn is_valid(c: *mut T::C) -> bool {
        !c.is_null()
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: `None` is passed as NULL, and a reference as a pointer, for which `Pointee` guarantees
// what `Arg` requires.
unsafe impl<T: Pointee> Arg for Option<&T> {
    type C = *mut T::C;
    type At<'a> = Option<&'a T::At<'a>>;
    // If it had a name, the BPF verifier would take it for a pointer that isn't NULL.
    const TYPE: CTypes = c_types("void *");

    #[inline(always)]
    fn into_c(self) -> *mut T::C {
        self.map_or(core::ptr::null_mut(), Arg::into_c)
    }

    #[inline(always)]
    unsafe fn from_c<'a>(c: &'a *mut T::C) -> Option<&'a T::At<'a>> {
        // SAFETY: The caller promises that `c` is NULL, or fulfils the guarantees of a reference.
        // By `Pointee`, it then points to a `T`, whose `At` has only other lifetimes.
        unsafe { c.cast::<T::At<'a>>().as_ref() }
    }
}

/// Returns the string that C points to, or `(null)`.
///
/// # Safety
///
/// As for [`string`], unless it's NULL.
#[inline(always)]
unsafe fn string_or_null<'a>(c: *const Char) -> &'a CStr {
    if c.is_null() {
        return c"(null)";
    }
    // SAFETY: The caller promises that `c` is a C string unless it's NULL, which it isn't here.
    unsafe { string(c) }
}

/// Returns the string that C points to.
///
/// # Safety
///
/// As for `CStr::from_ptr()`, which would check the addition for overflow.
#[inline(always)]
#[allow(clippy::ptr_as_ptr)]
pub(crate) unsafe fn string<'a>(c: *const Char) -> &'a CStr {
    // SAFETY: The caller promises that `c` is a C string, whose size can't overflow, since it's in
    // memory. That it isn't zero keeps the compiler from adding a panic to `CStr::to_bytes()`.
    unsafe {
        let len = bindings::strlen(c as *const _).unchecked_add(1);
        CStr::from_bytes_with_nul_unchecked(core::slice::from_raw_parts(c as *const u8, len))
    }
}

/// An element of a slice or of an array.
///
/// # Safety
///
/// `At` must be this type with shorter lifetimes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of the data that a tracepoint passes by pointer",
    note = "use an integer, `bool`, an array or any argument type"
)]
pub unsafe trait Element: Sized {
    /// The type that a probe receives: no reference in it lives longer than `'a`.
    type At<'a>: 'a;

    /// The names of a slice's C types.
    #[doc(hidden)]
    const SLICE: CTypes = c_types("const void *, size_t");

    /// Makes a slice from its two C arguments, with the lifetime of the second one. C passes NULL for an empty one.
    ///
    /// # Safety
    ///
    /// `data` must be NULL or point to `len` elements.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn slice<'a>(data: *const Self, len: &'a usize) -> &'a [Self::At<'a>] {
        if data.is_null() {
            return &[];
        }
        // SAFETY: The caller promises that `data`, which isn't NULL here, points to `len` elements.
        // By the trait, `At` is the same type with other lifetimes.
        unsafe { core::slice::from_raw_parts(data.cast(), *len) }
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: `Arg` guarantees that `At` is this type with shorter lifetimes.
unsafe impl<T: Arg> Element for T {
    type At<'a> = <T as Arg>::At<'a>;
}

#[diagnostic::do_not_recommend]
// SAFETY: An array contains nothing but its elements, for which `T: Element` guarantees the same.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    type At<'a> = [T::At<'a>; N];
}

/// Implements [`Pointee`]: the type, what a probe receives in a lifetime, the C type, and the name of the pointer's.
macro_rules! pointee {
    ($([$($of:tt)*] $ty:ty, [$a:lifetime] $at:ty, $c:ty, $name:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: In the kernel crate, the type is a transparent wrapper of the C struct. The pointer to an array is
        // that to its first element, and the one to `fmt::Arguments` is used by Rust code only.
        unsafe impl<$($of)*> Pointee for $ty {
            type C = $c;
            type At<$a> = $at;
            const TYPE: CTypes = c_types($name);
        }
    )*};
}

pointee! {
    [] File, ['a] Self, bindings::file, "struct file *";
    [] LocalFile, ['a] Self, bindings::file, "struct file *";
    [] Task, ['a] Self, bindings::task_struct, "struct task_struct *";
    [] Credential, ['a] Self, bindings::cred, "const struct cred *";
    [] Device, ['a] Self, bindings::device, "struct device *";
    [] Cpumask, ['a] Self, bindings::cpumask, "const struct cpumask *";
    [] core::fmt::Arguments<'_>, ['a] core::fmt::Arguments<'a>, c_void, "void *";
    [T: Element, const N: usize] [T; N], ['a] [T::At<'a>; N], T, "void *";
}
