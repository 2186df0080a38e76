// SPDX-License-Identifier: GPL-2.0

//! The fields that stand in the record themselves.

use super::{
    super::{shape::Shape, show::Kind},
    macros::{assign, field, mark},
    traits::{Assign, Field, Value},
};
use core::{
    ffi::CStr,
    marker::PhantomData,
    ptr::{copy_nonoverlapping, from_ref, write_bytes},
};
use kernel::{ffi::c_char, transmute::AsBytes};

/// A type whose values are written to the record as they are.
///
/// # Safety
///
/// As for [`Field`]. It must be `Copy`.
#[doc(hidden)]
pub unsafe trait AsIs: Field<Slot = Self> {}

/// A value that's written as it is.
#[doc(hidden)]
pub struct Plain<T>(pub(in crate::base::event) T);

// SAFETY: `write` writes all of the slot, which is the value.
unsafe impl<T> Value for Plain<T> {
    #[inline(always)]
    unsafe fn write(&self, to: *mut u8) {
        // SAFETY: As the caller promises. `Plain` is made only of types that are `Copy`; as a bound, that
        // would be another error about a type that isn't.
        unsafe { (&self.0).write(to) };
    }
}

// SAFETY: By `AsIs`, the slot has the type of the value, and `Plain` writes all of it.
assign!(unsafe [T: AsIs] T, T => Plain<T>, |value| Plain(value););

/// A type that `DynArray` and arrays can have as an element.
///
/// # Safety
///
/// As for [`Field`]. It must be `Copy`, and not have padding.
pub unsafe trait Scalar: Field<Slot = Self> {}

// SAFETY: By `Scalar`, the slot has the type itself.
mark!(unsafe AsIs: [T: Scalar] T;);

/// Returns the kind of an integer.
pub(in crate::base::event) const fn int(size: usize, signed: bool) -> Kind {
    Kind::Int { size, signed }
}

macro_rules! scalar {
    ($($ty:ty, $name:literal, $signed:literal;)*) => {$(
        // SAFETY: The slot has the type itself, an integer or a `bool`, as the kind says.
        field!(unsafe [] $ty, Self, $name, int(size_of::<$ty>(), $signed), "";);
        // SAFETY: The slot has the type itself. It's an integer or a `bool`, and so without
        // padding.
        mark!(unsafe Scalar: [] $ty;);
    )*};
}

scalar! {
    bool, "bool", false;
    u8, "u8", false;
    u16, "u16", false;
    u32, "u32", false;
    u64, "u64", false;
    usize, "size_t", false;
    i8, "s8", true;
    i16, "s16", true;
    i32, "int", true;
    i64, "s64", true;
    isize, "ssize_t", true;
}

// SAFETY: The slot is the pointer itself, as the kind says.
field! {
    unsafe [T] *const T, Self, "const void *", Kind::Pointer, "";
    unsafe [T] *mut T, Self, "void *", Kind::Pointer, "";
}

// SAFETY: The slot is the pointer itself, which is written as it is.
mark!(unsafe AsIs: [T] *const T, [T] *mut T;);

/// A field that is a struct with [`#[derive(TraceStruct)]`](crate::event::TraceStruct). It must not have
/// padding, which would leak old memory contents to the reader.
///
/// C: `__field_struct()`. Its C type is given after the Rust type: `Struct<Pair> as "struct pair"`.
pub struct Struct<T>(PhantomData<T>);

// SAFETY: The slot is the struct itself. `AsBytes` guarantees that all of its bytes are
// initialised.
field! {
    unsafe [T: AsBytes + Copy] Struct<T>, T, "struct", Kind::Bytes { len: size_of::<T>(), align: align_of::<T>() }, "";
}

// SAFETY: The slot is the value, or a copy of it.
assign! {
    unsafe [T: AsBytes + Copy] Struct<T>, T => Plain<T>, |value| Plain(value);
    unsafe ['a, T: AsBytes + Copy] Struct<T>, &'a T => &'a T, |value| value;
    unsafe ['a, T: Scalar, const N: usize] [T; N], &'a [T; N] => &'a [T; N], |value| value;
}

/// A type that can be a member of a struct in the record.
///
/// # Safety
///
/// It must not have padding or interior mutability.
#[diagnostic::on_unimplemented(
    message = "a struct in the record cannot have a `{Self}` in it",
    label = "may have padding, or isn't just bytes",
    note = "a member can be a number, a type with `TraceEnum` or `TraceFlags`, an \
            array of these, or another struct with `#[derive(TraceStruct)]`"
)]
pub unsafe trait NoPadding {}

// SAFETY: A `Scalar` has no padding and is `Copy`, as the trait says, so it has no interior mutability. An array adds
// no padding.
mark!(unsafe NoPadding: [T: Scalar] T, [T: NoPadding, const N: usize] [T; N];);

/// Compiles if the type is one. For `#[derive(TraceStruct)]`.
#[doc(hidden)]
pub const fn no_padding<T: NoPadding>() {}

// SAFETY: The slot is the array itself. The elements have no padding.
field!(unsafe [T: Scalar, const N: usize] [T; N], Self => T::SHAPE.elements(Some(N)););

// SAFETY: The slot is the array itself, which is written as it is.
mark!(unsafe AsIs: [T: Scalar, const N: usize] [T; N];);

// SAFETY: `write` writes all of the slot, which is a copy of the value. Only the implementations of `Assign` above
// make a reference the value of a field, for types that are `Copy`.
unsafe impl<T> Value for &T {
    #[inline(always)]
    unsafe fn write(&self, to: *mut u8) {
        // SAFETY: The caller promises that the slot is at `to`, which is aligned to 4 bytes only.
        unsafe { copy_nonoverlapping(from_ref(*self).cast(), to, size_of::<T>()) };
    }
}

/// Text that's truncated to fit `N` characters with a NUL. The rest is zeroed.
///
/// C: `strscpy_pad()`.
#[doc(hidden)]
pub struct Truncated<'a, const N: usize>(&'a [u8]);

// SAFETY: `write` writes all of the slot, which has `N` bytes.
unsafe impl<const N: usize> Value for Truncated<'_, N> {
    #[inline(always)]
    unsafe fn write(&self, to: *mut u8) {
        let len = self.0.len().min(N.saturating_sub(1));
        // SAFETY: The caller promises that the slot is at `to`, with room for `N` bytes. `len` is
        // less than `N`, or both are 0.
        unsafe {
            write_bytes(to, 0, N);
            copy_nonoverlapping(self.0.as_ptr(), to, len);
        }
    }
}

// SAFETY: The slot is text, and `Truncated` writes all of its `N` bytes.
assign! {
    unsafe ['a, const N: usize] [u8; N], &'a CStr => Truncated<'a, N>, |value| Truncated(bytes_of(value));
    unsafe ['a, const N: usize] [u8; N], &'a str => Truncated<'a, N>, |value| Truncated(value.as_bytes());
}

/// Returns the bytes of a string without its NUL. Any context.
///
/// In a kernel with overflow checks, `CStr::to_bytes()` contains a panic that never happens.
#[inline(always)]
pub fn bytes_of(str: &CStr) -> &[u8] {
    let bytes = str.to_bytes_with_nul();
    // SAFETY: The length is one less than that of the slice, which includes the NUL.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr(), bytes.len().wrapping_sub(1)) }
}

/// Returns the string at an address, for a field that records it. Any context.
///
/// In a kernel with overflow checks, `CStr::from_char_ptr()` contains a panic that never happens.
///
/// # Safety
///
/// As for `CStr::from_ptr()`: `text` must point to a string that ends with a NUL and doesn't change
/// while the result is used.
#[inline(always)]
pub unsafe fn c_str_at<'a>(text: *const c_char) -> &'a CStr {
    // SAFETY: The caller promises that `text` is a C string which doesn't change while the result
    // is used.
    unsafe { crate::base::args::string(text.cast()) }
}
