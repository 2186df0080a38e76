// SPDX-License-Identifier: GPL-2.0

//! The traits of fields, of the values that can be assigned to them, and of the way of a value into the record.

use super::super::shape::Shape;

/// A type that a field can have.
///
/// # Safety
///
/// `Slot` must be `Copy` and have the size and alignment that C gives the field, and its content must match the
/// shape. If that has a kind whose data follows the fields, `Slot` must be a `u32`.
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
    /// Its part of the record, among the other fields.
    type Slot;

    /// The type itself. If it's no field, the compiler says nothing about what it's assigned.
    #[doc(hidden)]
    type This: ?Sized;

    /// The contents of the slot, and how they're shown.
    // The macros refer to the type only through this and `This`, so a type that isn't a field causes
    // one error.
    #[doc(hidden)]
    const SHAPE: Shape;
}

/// A field that a `V` can be assigned to. Its implementations are the list of what each field takes.
///
/// # Safety
///
/// The value must write a valid `Slot` of the field, or if the field has data that follows the fields,
/// return the length of the data and write it.
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

/// The value of a field. Neither the value nor anything in it is moved until it has been written. Writing it runs
/// no code of the driver.
///
/// # Safety
///
/// `write` must write all of the slot, or as many bytes of data as `len` returns.
#[allow(clippy::len_without_is_empty)]
#[doc(hidden)]
pub unsafe trait Value {
    /// Returns how many bytes follow the fields of the record, at most 65535 if anything is to be recorded.
    #[inline(always)]
    fn len(&self) -> usize {
        0
    }

    /// Writes the field, or if its data follows the fields, the data.
    ///
    /// # Safety
    ///
    /// `to` must be what [`place`] returned for this field, in a record with room for what `len` returned.
    unsafe fn write(&self, to: *mut u8);
}

/// The alignment of a field, in bytes.
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

/// Returns where a value is written: to its field at the offset `start`, or to `data` if the field has the location
/// of `len` bytes there. In that case, writes the location, for which `rel` is `Shape::rel`.
///
/// # Safety
///
/// The record must have the field and the data there.
// A call of `cast()` in every event would cost compile time.
#[allow(clippy::ptr_as_ptr)]
#[inline(always)]
#[doc(hidden)]
pub unsafe fn place(
    record: *mut u8,
    start: usize,
    is_dynamic: bool,
    rel: bool,
    len: usize,
    data: usize,
) -> *mut u8 {
    let base = if rel { start.wrapping_add(4) } else { 0 };
    // SAFETY: The caller promises that the record has the field and the data at these offsets.
    unsafe {
        if !is_dynamic {
            return record.add(start);
        }
        // `reserve` rejects any record in which one of the halves would overflow.
        (*(record.add(start) as *mut Packed<u32>)).0 = (len << 16 | data.wrapping_sub(base)) as u32;
        record.add(data)
    }
}
