// SPDX-License-Identifier: GPL-2.0

//! The types of a tracepoint's arguments, and how they're passed to its probes.
//!
//! Both sides use Rust types. In between, each is passed as the C arguments that `TP_PROTO`
//! would have, so a C module can probe and fire the same tracepoint.
//!
//! A `&str` or a slice is passed as two, address and length, and everything else as one. The table in
//! `docs/field-types.md` has the types, and what they are in C.
//!
//! A tracepoint can have at most twelve C arguments, the limit of raw BPF tracepoints. What a reference in an
//! argument refers to is valid until the probe returns.
//!
//! With CONFIG_CFI, a probe in C needs exactly the types that the library passes, which differ for some of these: see
//! `docs/probes.md`.
//!
//! Rust code that fires a tracepoint has the same prototype as its probes, down to the values of an enum, so what a
//! probe gets is valid. C code that fires it promises that, too, for whatever a pointer points to. But a C argument can
//! have any value in C: see [`Arg::is_valid`].
//!
//! If C passes NULL, a probe gets `None` for an `Option`, `"(null)"` for a `&CStr`, and an empty slice or
//! `&str`. For any other reference, the probe isn't called, and an event records nothing. The same goes for a
//! value that the type can't have, such as a positive `Error`.
//!
//! To pass a reference to another type, implement [`Pointee`], and [`FromKernel`](crate::linux::FromKernel) if a tracepoint of the
//! kernel passes it. Both are unsafe.

use super::{
    bindings::Char,
    c_name::{Name, WRITABLE},
};
use core::{cell::UnsafeCell, ffi::CStr};
use kernel::{
    bindings,
    cpumask::Cpumask,
    cred::Credential,
    device::Device,
    ffi::c_void,
    fs::{File, LocalFile},
    task::Task,
    transmute::FromBytes,
};

pub use super::{c_name::CType, prototype::Type};

/// A type of argument that a tracepoint passes as one C argument.
///
/// # Safety
///
/// It must be `Copy`, `from_c(into_c(x))` must be `x`, [`Arg::TYPE`] must differ from that of every type with C
/// arguments that aren't valid for this type, and [`Arg::At`] must be this type with shorter lifetimes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tracepoint",
    label = "cannot be passed to C",
    note = "use an integer, `bool`, `&CStr`, `&str`, `&[T]`, a raw pointer, a reference to a \
            kernel object such as `&File`, or an `Option` of a reference; for your own structs, use \
            `#[derive(TracepointArg)]` or `tracepoint_struct!`, for your own enums `#[derive(TraceEnum)]`"
)]
pub unsafe trait Arg: Sized {
    /// The C type.
    type C: Copy;

    /// The type that a probe receives: no reference in it lives longer than `'a`.
    type At<'a>: 'a;

    /// The type in the prototype.
    const TYPE: Type;

    /// For [`ArgIf`].
    #[doc(hidden)]
    const IS_ARG: bool = true;

    /// The number of the type in the description, if its values have names.
    #[doc(hidden)]
    const NAMES: u64 = 0;

    /// The C type as text.
    #[doc(hidden)]
    const C_NAME: Name = Name::of_arg(&Self::TYPE, Self::NAMES);

    /// How many bytes a BPF program may change through this argument, if it's the first one.
    #[doc(hidden)]
    const WRITABLE: usize = 0;

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

    /// Returns whether `c` can be converted back, which C doesn't guarantee: NULL can't become a reference.
    #[inline(always)]
    fn is_valid(_c: Self::C) -> bool {
        true
    }
}

/// For derives: compiles only if the type is `Copy`. If that were a bound of [`Arg`], each use of the type would be
/// another error.
#[doc(hidden)]
pub const fn is_copy<T: Copy>() {}

/// The C type of an argument, for signatures. With `Arg::IS_ARG` as the constant, a type that isn't
/// an [`Arg`] is reported for the constant only, and not for each signature.
#[doc(hidden)]
pub trait ArgIf<const IS_ARG: bool> {
    /// As [`Arg::C`].
    type C: Copy;
}

impl<T: Arg> ArgIf<true> for T {
    type C = T::C;
}

/// The type of a `&str`.
#[doc(hidden)]
pub const TYPE_OF_STR: Type = Type::Name("&str");

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

/// Implements [`Arg`]: the type, that in the prototype, C's, its name, the conversion to C's, the one back, and
/// whether it can be converted, unless it always can. With `at`, what a probe receives in a lifetime comes after the
/// type, and for an argument that a BPF program may change, the number of bytes comes last.
macro_rules! arg {
    ($([$($of:tt)*] $ty:ty, $type:expr, $c:ty, $name:expr,
        |$value:ident| $into:expr, |$from:ident| $back:expr $(, |$valid:ident| $is_valid:expr)?;)*) => {
        arg! {
            at $([$($of)*] $ty, ['a] Self, $type, $c, $name,
                |$value| $into, |$from| $back $(, |$valid| $is_valid)?;)*
        }
    };
    (at $([$($of:tt)*] $ty:ty, [$a:lifetime] $at:ty, $type:expr, $c:ty, $name:expr,
        |$value:ident| $into:expr, |$from:ident| $back:expr $(, |$valid:ident| $is_valid:expr)?
        $(, writable: $writable:expr)?;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: `$back` is the inverse of `$into` for whatever is valid, and the name is the
        // type's own.
        unsafe impl<$($of)*> Arg for $ty {
            type C = $c;
            type At<$a> = $at;
            const TYPE: Type = $type;
            #[doc(hidden)]
            const C_NAME: Name = $name;
            $(#[doc(hidden)]
            const WRITABLE: usize = $writable;)?

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

            $(#[inline(always)]
            fn is_valid($valid: $c) -> bool {
                $is_valid
            })?
        }
    )*};
}

// To use a pointer is unsafe. C can make a `bool` that's neither 0 nor 1.
arg! {
    [T: 'static] *const T, Type::Name("*const"), Self, Name::of("*const"), |pointer| pointer, |c| c;
    [T: 'static] *mut T, Type::Name("*mut"), Self, Name::of("*mut"), |pointer| pointer, |c| c;
    [T: 'static] Option<unsafe extern "C" fn(*mut T)>, Type::Name("fn"), Self, Name::of("fn"),
        |function| function, |c| c;
    [] bool, Type::Name("bool"), Bool, Name::of("bool"), |value| Bool(u8::from(value)), |c| c.0 != 0;
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
    ($([$($of:tt)*] $ty:ty, |$c:ident| $number:expr;)*) => {$(
        // SAFETY: The type is an integer, a pointer, or a transparent wrapper of an integer. C passes these in
        // an integer register.
        unsafe impl<$($of)*> CArg for $ty {
            #[inline(always)]
            #[allow(clippy::cast_lossless)]
            fn to_u64(self) -> u64 {
                let $c = self;
                $number as u64
            }
        }
    )*};
}

c_arg! {
    [T] *const T, |c| c;
    [T] *mut T, |c| c;
    [] Bool, |c| c.0;
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
    ($($ty:ident)*) => {$(
        arg!([] $ty, Type::Name(stringify!($ty)), Self, Name::of(stringify!($ty)), |n| n, |c| c;);
        c_arg!([] $ty, |n| n;);
    )*};
}

integer!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

/// A `bool` as C passes it.
#[derive(Clone, Copy)]
#[repr(transparent)]
#[doc(hidden)]
pub struct Bool(u8);

/// A type that is passed by pointer.
///
/// # Safety
///
/// A `*mut C` made from a `&Self` must be a valid `*const Self`, `TYPE` must differ from that of every
/// other such type, including those in other modules, and `At` must be this type with shorter
/// lifetimes. If there's a `C_TYPE`, the pointer must be a valid one to that.
#[diagnostic::on_unimplemented(
    message = "a tracepoint cannot pass a pointer to `{Self}`",
    label = "has no corresponding C type",
    note = "references to kernel objects such as `File`, `Task` and `Inode` can be passed; use \
            `#[derive(TracepointArg)]` or `tracepoint_struct!` for your own structs",
    note = "a slice must be written as `&[T]` or `&str`, not as an alias"
)]
pub unsafe trait Pointee {
    /// The C type that the pointer points to.
    type C;

    /// The type that a probe receives a reference to: no reference in it lives longer than `'a`. It's
    /// `Self` for a type without lifetimes.
    type At<'a>: 'a;

    /// The type in the prototype.
    const TYPE: Type;

    /// The type in BTF. BPF programs may use the pointer as one to this.
    const C_TYPE: CType = CType::Unknown;

    /// The pointer as text.
    #[doc(hidden)]
    const C_NAME: Name = Name::of_pointer(&Self::TYPE, Self::C_TYPE);

    /// How many bytes a BPF program may change.
    #[doc(hidden)]
    const WRITABLE: usize = 0;
}

arg! {
    at
    // `Pointee` guarantees that the pointer is valid as a reference again, and that `TYPE` and `At` are what `Arg`
    // requires.
    [T: Pointee] &T, ['a] &'a T::At<'a>, Type::Ref(&T::TYPE), *mut T::C, T::C_NAME,
        |reference| core::ptr::from_ref(reference).cast_mut().cast(),
        // SAFETY: The caller promises that `c` comes from a reference or fulfils its guarantees. By
        // `Pointee`, it points to a `T`, whose `At` has only other lifetimes.
        |c| unsafe { &*c.cast() },
        |c| !c.is_null(),
        writable: T::WRITABLE;
    [T: Pointee] Option<&T>, ['a] Option<&'a T::At<'a>>, Type::Optional(&Type::Ref(&T::TYPE)), *mut T::C, T::C_NAME,
        |reference| reference.map_or(core::ptr::null_mut(), Arg::into_c),
        // SAFETY: The caller promises that `c` is NULL, or fulfils the guarantees of a reference.
        // By `Pointee`, it then points to a `T`, whose `At` has only other lifetimes.
        |c| unsafe { c.cast::<T::At<'_>>().as_ref() };
    // A string in C may be NULL.
    [] &CStr, ['a] &'a CStr, Type::Name("&CStr"), *const Char, Name::of("&CStr"),
        |text| text.to_bytes_with_nul().as_ptr().cast(),
        // SAFETY: The literal is a C string, and the caller promises that `c` is NULL or one, too, for as
        // long as the result is used.
        |c| unsafe { string(if c.is_null() { NULL } else { c }) };
    [] Option<&CStr>, ['a] Option<&'a CStr>, Type::Optional(&Type::Name("&CStr")), *const Char, Name::of("&CStr"),
        |text| text.map_or(core::ptr::null(), Arg::into_c),
        // SAFETY: The caller promises that `c`, if it isn't NULL, is a C string for as long as the
        // result is used.
        |c| (!c.is_null()).then(|| unsafe { string(c) });
    // The compiler chooses the layout, and all modules of a kernel are built with the same compiler.
    [] &core::fmt::Arguments<'_>, ['a] &'a core::fmt::Arguments<'a>,
        Type::Ref(&Type::Name("core::fmt::Arguments")), *const c_void, Name::of("*const"),
        |arguments| core::ptr::from_ref(arguments).cast(),
        // SAFETY: The caller promises that `c` points to `Arguments`, for as long as the result is
        // used.
        |c| unsafe { &*c.cast() },
        |c| !c.is_null();
}

/// What stands for the string if C passes NULL.
const NULL: *const Char = c"(null)".to_bytes_with_nul().as_ptr().cast();

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

/// An element of a slice or a field of a struct, with the same representation in all modules.
///
/// # Safety
///
/// Any value with this `TYPE` must be valid as a `Self`, and `At` must be this type with shorter
/// lifetimes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of the data that a tracepoint passes by pointer",
    label = "may have another layout in another module",
    note = "use an integer, `bool`, an array or any argument type; for another type, \
            implement the unsafe trait `Element`"
)]
pub unsafe trait Element: Sized {
    /// The type that a probe receives: no reference in it lives longer than `'a`.
    type At<'a>: 'a;

    /// The type in the prototype.
    const TYPE: Type;

    /// The type in BTF.
    const C_TYPE: CType = CType::Unknown;

    /// The same as text.
    #[doc(hidden)]
    const C_NAME: Name = Name::of_element(Self::C_TYPE, size_of::<Self>());

    /// The type of a slice in the prototype.
    #[doc(hidden)]
    const SLICE: Type = Type::Slice(&Self::TYPE);

    /// Compiles only if the type doesn't outlive `'a`. For the fields of a `tracepoint_struct!`.
    #[doc(hidden)]
    fn same_at<'a>()
    where
        Self: Element<At<'a> = Self>,
    {
    }

    /// Makes a slice from its two C arguments, with the lifetime of the second one. C passes NULL for an
    /// empty one.
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
// SAFETY: A type that is passed by value under this name has the same layout in all modules.
unsafe impl<T: Arg> Element for T {
    type At<'a> = <T as Arg>::At<'a>;
    const TYPE: Type = <T as Arg>::TYPE;
    #[doc(hidden)]
    const C_NAME: Name = <T as Arg>::C_NAME;
}

#[diagnostic::do_not_recommend]
// SAFETY: The pointer to an array is that to its first element. `TYPE` and `At` follow from those
// of the element, for which `Element` guarantees the same.
unsafe impl<T: Element, const N: usize> Pointee for [T; N] {
    type C = T;
    type At<'a> = [T::At<'a>; N];
    const TYPE: Type = <Self as Element>::TYPE;
    #[doc(hidden)]
    const C_NAME: Name = Name::of_arg(&Type::Ref(&<Self as Pointee>::TYPE), 0);
}

#[diagnostic::do_not_recommend]
// SAFETY: An array contains nothing but its elements, for which `T: Element` guarantees the same.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    type At<'a> = [T::At<'a>; N];
    const TYPE: Type = Type::Array(&T::TYPE, N);
    #[doc(hidden)]
    const C_NAME: Name = T::C_NAME.array(N);
}

/// Implements [`Pointee`]: the path in the prototype, the type, C's, and that in BTF.
macro_rules! pointee {
    ($($path:literal, $ty:ty, $c:ty, $btf:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: The comment where the macro is used says why a pointer to the type is one to C's.
        unsafe impl Pointee for $ty {
            type C = $c;
            type At<'a> = Self;
            const TYPE: Type = Type::Name($path);
            const C_TYPE: CType = $btf;
        }
    )*};
}

// SAFETY: In the kernel crate, the type is a transparent wrapper of the C struct.
pointee! {
    "kernel::fs::File", File, bindings::file, CType::Struct("file");
    "kernel::fs::LocalFile", LocalFile, bindings::file, CType::Struct("file");
    "kernel::task::Task", Task, bindings::task_struct, CType::Struct("task_struct");
    "kernel::cred::Credential", Credential, bindings::cred, CType::Struct("cred");
    "kernel::device::Device", Device, bindings::device, CType::Struct("device");
    "kernel::cpumask::Cpumask", Cpumask, bindings::cpumask, CType::Struct("cpumask");
}

/// A value that probes can change while a tracepoint is being fired. As the first argument, `&Writable<T>`
/// also lets BPF programs of the type BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE change it
/// (`SEC("raw_tp.w/…")` in libbpf).
///
/// `T` is an integer or an array of integers. Like a `Cell`, it can't be shared with another thread. Its
/// functions can be called in any context.
///
/// C: the first argument of `DEFINE_EVENT_WRITABLE()` and `DECLARE_TRACE_WRITABLE()`.
#[repr(transparent)]
pub struct Writable<T>(UnsafeCell<T>);

impl<T: Copy> Writable<T> {
    /// Makes one with this value.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Returns the value.
    #[inline(always)]
    pub fn get(&self) -> T {
        // SAFETY: It isn't `Sync`, so nothing else uses it now. A BPF program runs only while the
        // tracepoint is being fired.
        unsafe { *self.0.get() }
    }

    /// Changes the value.
    #[inline(always)]
    pub fn set(&self, value: T) {
        // SAFETY: A `Writable` isn't `Sync`, so nothing else uses it now, and nothing refers to the
        // value itself, of which `get` returns a copy.
        unsafe { *self.0.get() = value };
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: A pointer to a `Writable` is one to its value. By `FromBytes`, whatever a BPF program writes is valid. The
// text has the type.
unsafe impl<T: FromBytes + Element + 'static> Pointee for Writable<T> {
    type C = T;
    type At<'a> = Self;
    const TYPE: Type = Type::Generic(WRITABLE, &T::TYPE);
    // `check_tp_buffer_access()` (kernel/bpf/verifier.c) notes how far a program goes, and
    // `bpf_probe_register()` (kernel/trace/bpf_trace.c) refuses it if that's farther than this.
    #[doc(hidden)]
    const WRITABLE: usize = size_of::<T>();
}

pub(crate) use {arg, pointee};
