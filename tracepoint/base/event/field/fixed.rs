// SPDX-License-Identifier: GPL-2.0

//! What a field is, and the fields that stand in the record themselves.

use super::{
    super::{shape::Shape, show::Kind, symbols::TypeTable},
    macros::{assign, field, mark},
    room::Room,
};
use core::{
    ffi::CStr,
    marker::PhantomData,
    ptr::{copy_nonoverlapping, write_bytes},
};
use kernel::{ffi::c_char, transmute::AsBytes};

/// A type that a field can have.
///
/// # Safety
///
/// `Slot` must have the size and alignment that C gives the field, and its content must match the
/// other constants. If `KIND` is one whose data follows the fields, `Slot` must be a `u32` that
/// `Value::write` fills through `Place`.
#[diagnostic::on_unimplemented(
    message = "a field of an event cannot be a `{Self}`",
    label = "not a field type",
    note = "a field can be an integer, a pointer, an array, `Str`, `DynArray<T>`, `Formatted`, \
            `Bitmask`, `Cpumask`, `SockAddr`, `Rel<…>` of those, `Struct<T>` if `T` is \
            `Copy` and has `#[derive(TraceStruct)]`, a type with `TraceEnum` or `TraceFlags`, an \
            `Error`, a `Result`, an address, a time, or an `Option` of some of these",
    note = "for an enum of your own, use `#[derive(Clone, Copy, TraceEnum)]` and `#[repr(u8)]`"
)]
pub unsafe trait Field {
    /// What the record contains among its fields.
    type Slot: Copy;

    /// The type itself. If it's no field, the compiler says nothing about what it's assigned.
    #[doc(hidden)]
    type This: ?Sized;

    /// The C name of the type, or of its elements.
    const NAME: &'static str;

    /// Whether it is signed, or its elements are.
    const SIGNED: bool = false;

    /// What it's made of.
    const KIND: Kind;

    /// Whether the location of its data is relative to its own end.
    const REL: bool = false;

    /// The names of its values, if the type has some.
    const TABLE: Option<TypeTable> = None;

    /// The number, in the descriptions for tools, of the type whose names it or its elements have, or 0.
    #[doc(hidden)]
    const NAMES: u64 = match Self::TABLE {
        Some(TypeTable { names, .. }) => names,
        None => 0,
    };

    /// Whether its value takes a share of the [`Room`].
    #[doc(hidden)]
    const COMPUTED: bool = false;

    /// How it's shown if the template doesn't say so: what follows the colon in `{field:spec}`.
    const SPEC: &'static str = "";

    /// All of the above.
    // The macros refer to the type only through this and `This`, so a type that isn't a field causes
    // one error.
    #[doc(hidden)]
    const SHAPE: Shape = Shape {
        name: Self::NAME,
        signed: Self::SIGNED,
        kind: Self::KIND,
        rel: Self::REL,
        size: size_of::<Self::Slot>(),
        align: align_of::<Self::Slot>(),
        table: Self::TABLE,
        names: Self::NAMES,
        computed: Self::COMPUTED,
        spec: Self::SPEC,
    };
}

/// A field that a `V` can be assigned to. Its implementations are the list of what each field takes.
///
/// # Safety
///
/// The value must write a valid `Slot` of the field. If the field has data that follows the fields,
/// the value must also return its length and write it.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be assigned a `{V}`",
    label = "the expression has type `{V}`"
)]
pub unsafe trait Assign<V> {
    /// The value once it has been computed.
    type Value: Value;

    /// Takes the value of the field's expression.
    fn value(value: V) -> Self::Value;
}

/// The value of a field. Neither the value nor anything in it is moved until it has been written.
/// Once `len` has been called, writing the value runs no code of the driver.
///
/// # Safety
///
/// `len` must return how many bytes `write_data` writes; `write` must write all of the slot and of that.
#[allow(clippy::len_without_is_empty)]
#[doc(hidden)]
pub unsafe trait Value {
    /// Returns how many bytes follow the fields of the record, at most 65535 if anything is to be
    /// recorded. Called once, before the record is reserved, so it may run code of the driver.
    #[inline(always)]
    fn len<const SIZE: usize>(&mut self, _room: &Room<SIZE>) -> usize {
        0
    }

    /// Writes the field and its data.
    ///
    /// # Safety
    ///
    /// `to` must be a place for this field in a record with room for what `len` returned.
    #[inline(always)]
    unsafe fn write(&self, to: Place)
    where
        Self: Sized,
    {
        // SAFETY: Guaranteed by the caller.
        unsafe {
            to.slot(location(to.len, to.data, to.base));
            self.write_data(to.record.add(to.data));
        }
    }

    /// Writes the data that follow the fields of the record.
    ///
    /// # Safety
    ///
    /// At `to`, there must be room for what `len` returned.
    #[inline(always)]
    unsafe fn write_data(&self, _to: *mut u8) {}
}

/// An alignment in bytes.
#[doc(hidden)]
pub struct Align<const N: usize>;

/// An alignment that a field can have.
#[doc(hidden)]
pub trait Aligned {
    /// A number with this alignment and size.
    type Word;
}

macro_rules! aligned {
    ($($word:ident)*) => {$(
        impl Aligned for Align<{ align_of::<$word>() }> {
            type Word = $word;
        }
    )*};
}

aligned!(u8 u16 u32 u64);

/// A value in a record, which is only 4-byte aligned.
#[repr(C, packed(4))]
#[doc(hidden)]
pub struct Packed<T>(pub T);

/// Returns the location of `len` bytes at the offset `data`, counted from `base`.
#[inline(always)]
#[doc(hidden)]
pub fn location(len: usize, data: usize, base: usize) -> Packed<u32> {
    // `reserve` rejects any record in which one of the halves would overflow.
    Packed((len << 16 | data.wrapping_sub(base)) as u32)
}

/// Where a value goes.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Place {
    record: *mut u8,
    offset: usize,
    /// What [`Value::len`] returned.
    len: usize,
    /// The offset of the data.
    data: usize,
    /// What the offset in a location counts from.
    base: usize,
}

impl Place {
    /// Returns the place of a field at `offset`, which has `len` bytes of data at the offset `data`.
    /// `rel` is its [`Field::REL`].
    #[inline(always)]
    pub const fn new(record: *mut u8, offset: usize, rel: bool, len: usize, data: usize) -> Self {
        Self {
            record,
            offset,
            len,
            data,
            base: if rel { offset + size_of::<u32>() } else { 0 },
        }
    }

    /// Writes the slot. A record is only 4-byte aligned.
    ///
    /// # Safety
    ///
    /// The slot must be a `T`.
    #[inline(always)]
    unsafe fn slot<T>(self, value: T) {
        // SAFETY: Guaranteed by the caller.
        unsafe {
            self.record
                .add(self.offset)
                .cast::<T>()
                .write_unaligned(value)
        };
    }
}

/// A type whose values are written to the record as they are.
///
/// # Safety
///
/// As for [`Field`].
#[doc(hidden)]
pub unsafe trait AsIs: Field<Slot = Self> + Copy {}

/// A value that's written as it is.
#[doc(hidden)]
pub struct Plain<T>(T);

impl<T> Plain<T> {
    /// Returns the value of a slot that is a `T`.
    #[inline(always)]
    pub(in crate::base::event) fn new(value: T) -> Self {
        Self(value)
    }
}

// SAFETY: The slot is the value.
unsafe impl<T> Value for Plain<T> {
    #[inline(always)]
    unsafe fn write(&self, to: Place) {
        // SAFETY: Guaranteed by the caller. The slot is `Copy`.
        unsafe { to.slot(core::ptr::from_ref(&self.0).read()) };
    }
}

// SAFETY: The slot is the value.
assign!([T: AsIs] T, T => Plain<T>, |value| Plain(value););

/// A type that `DynArray` and arrays can have as an element.
///
/// # Safety
///
/// As for [`Field`]. It must not have padding.
pub unsafe trait Scalar: AsIs {}

/// Returns the kind of an integer.
pub(in crate::base::event) const fn int(size: usize, signed: bool) -> Kind {
    Kind::Int { size, signed }
}

macro_rules! scalar {
    ($($ty:ty, $name:literal, $signed:literal;)*) => {$(
        // SAFETY: It is an integer.
        field!([] $ty, Self, $name, $signed, int(size_of::<$ty>(), $signed), "", None;);
        mark! {
            AsIs: [] $ty;
            Scalar: [] $ty;
        }
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

// SAFETY: It is a pointer.
field! {
    [T] *const T, Self, "const void *", false, Kind::Pointer, "", None;
    [T] *mut T, Self, "void *", false, Kind::Pointer, "", None;
}

// SAFETY: As above.
mark!(AsIs: [T] *const T, [T] *mut T;);

/// A field that is a struct with [`#[derive(TraceStruct)]`](crate::event::TraceStruct). It must not have
/// padding, which would leak old memory contents to the reader.
///
/// C: `__field_struct()`. Its C type is given after the Rust type: `Struct<Pair> as "struct pair"`.
pub struct Struct<T>(PhantomData<T>);

// SAFETY: The slot is the struct itself. `AsBytes` guarantees that all of its bytes are
// initialised.
field! {
    [T: AsBytes + Copy] Struct<T>, T, "struct", false, Kind::Bytes { len: size_of::<T>() }, "", None;
}

// SAFETY: The slot is the value, or a copy of it.
assign! {
    [T: AsBytes + Copy] Struct<T>, T => Plain<T>, |value| Plain(value);
    ['a, T: AsBytes + Copy] Struct<T>, &'a T => Copied<'a, T>, |value| Copied(value);
    ['a, T: Scalar, const N: usize] [T; N], &'a [T; N] => Copied<'a, [T; N]>, |value| Copied(value);
}

/// A type that can be a member of a struct in the record.
///
/// # Safety
///
/// It must not have padding.
#[diagnostic::on_unimplemented(
    message = "a struct in the record cannot have a `{Self}` in it",
    label = "may have padding, or isn't just bytes",
    note = "a member can be a number, a type with `TraceEnum` or `TraceFlags`, an \
            array of these, or another struct with `#[derive(TraceStruct)]`"
)]
pub unsafe trait NoPadding {}

// SAFETY: By `Scalar`, and an array adds none.
mark!(NoPadding: [T: Scalar] T, [T: NoPadding, const N: usize] [T; N];);

/// Compiles if the type is one. For `#[derive(TraceStruct)]`.
#[doc(hidden)]
pub const fn no_padding<T: NoPadding>() {}

// SAFETY: The slot is the array itself. The elements have no padding.
field! {
    [T: Scalar, const N: usize] [T; N], Self, T::NAME, T::SIGNED,
        Kind::Array { size: size_of::<T>(), len: N }, "", None, NAMES: u64 = T::NAMES;
}

// SAFETY: As above.
mark!(AsIs: [T: Scalar, const N: usize] [T; N];);

/// A value that's written as it is, from where it is.
#[doc(hidden)]
pub struct Copied<'a, T>(&'a T);

// SAFETY: The slot is a copy of the value.
unsafe impl<T: Copy> Value for Copied<'_, T> {
    #[inline(always)]
    unsafe fn write(&self, to: Place) {
        // SAFETY: Guaranteed by the caller.
        unsafe { to.slot(*self.0) };
    }
}

/// Text that's truncated to fit `N` characters with a NUL. The rest is zeroed.
///
/// C: `strscpy_pad()`.
#[doc(hidden)]
pub struct Truncated<'a, const N: usize>(&'a [u8]);

// SAFETY: All of the slot is written.
unsafe impl<const N: usize> Value for Truncated<'_, N> {
    #[inline(always)]
    unsafe fn write(&self, to: Place) {
        let len = self.0.len().min(N.saturating_sub(1));
        // SAFETY: Guaranteed by the caller. `len` is less than `N`, or both are 0.
        unsafe {
            let to = to.record.add(to.offset);
            write_bytes(to, 0, N);
            copy_nonoverlapping(self.0.as_ptr(), to, len);
        }
    }
}

// SAFETY: The slot is text.
assign! {
    ['a, const N: usize] [u8; N], &'a CStr => Truncated<'a, N>, |value| Truncated(bytes_of(value));
    ['a, const N: usize] [u8; N], &'a str => Truncated<'a, N>, |value| Truncated(value.as_bytes());
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
    // SAFETY: Guaranteed by the caller.
    unsafe { crate::base::args::string(text.cast()) }
}
