// SPDX-License-Identifier: GPL-2.0

//! What a field is, what can be assigned to it, and how a value gets into the record.

use super::{
    super::{shape::Shape, show::Kind, symbols::TypeTable},
    room::Room,
};
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

macro_rules! words {
    ($($word:ident $align:literal)*) => {$(
        /// A word with this alignment and size.
        #[doc(hidden)]
        #[repr(C, align($align))]
        pub struct $word([u8; $align]);
    )*};
}

words!(Word16 16 Word32 32 Word64 64);
aligned!(u8 u16 u32 u64 Word16 Word32 Word64);

/// A value in a record, which is only 4-byte aligned.
#[repr(C, packed(4))]
#[doc(hidden)]
pub struct Packed<T>(pub T);

/// Returns the location of `len` bytes at the offset `data`, counted from `base`.
#[inline(always)]
#[doc(hidden)]
pub fn location(len: usize, data: usize, base: usize) -> u32 {
    // `reserve` rejects any record in which one of the halves would overflow.
    (len << 16 | data.wrapping_sub(base)) as u32
}

/// Where a value goes.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Place {
    pub(super) record: *mut u8,
    pub(super) offset: usize,
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
    pub(super) unsafe fn slot<T>(self, value: T) {
        // SAFETY: Guaranteed by the caller.
        unsafe {
            self.record
                .add(self.offset)
                .cast::<T>()
                .write_unaligned(value)
        };
    }
}
