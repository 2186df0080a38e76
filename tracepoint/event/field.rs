// SPDX-License-Identifier: GPL-2.0

//! The types that an event's field can have, and how values are written to the record.
//!
//! | Field | Value | C |
//! |---|---|---|
//! | `bool`, `u8` … `i64`, `usize`, `isize` | the same | `__field()` |
//! | `*const T`, `*mut T` | the same | `__field()` |
//! | an enum declared with [`trace_enum!`](super::trace_enum) | the same | `__field()`, `TRACE_DEFINE_ENUM()` |
//! | `Option` of an enum, an `Error`, a `NonZero` and others: see [`option`](super::option) | the same | `__field()` |
//! | `Error`, `Result`, [`MacAddr`](crate::MacAddr), `Ipv4Addr` and others: see [`types`](super::types) | the same | |
//! | [`Struct<T>`] | `T` | `__field_struct()` |
//! | `[T; N]` | the same, or `&[T; N]` | `__array()` |
//! | `[c_char; N]` | `&CStr`, `&str`: truncated to N - 1 bytes | `__array(char, …)`, `strscpy()` |
//! | [`Str`] | `&CStr`, `&str`, `&[u8]`, or an `Option` of these | `__string()`, `__string_len()` |
//! | [`DynArray<T>`] | `&[T]`, such as `&elements(iterator)` | `__dynamic_array()` |
//! | [`Formatted`] | `fmt::Arguments` | `__vstring()` |
//! | [`Bitmask`] | [`Bits`] | `__bitmask()` |
//! | `Cpumask` | `&Cpumask` | `__cpumask()` |
//! | [`SockAddr`] | `&[u8]` | `__sockaddr()` |
//! | `Rel<…>` of the last six | the same | `__rel_…()` |

use super::{show::Kind, symbols::TypeTable, template::Shape};
use crate::bindings;
use core::{
    cell::{Cell, UnsafeCell},
    ffi::CStr,
    fmt,
    marker::PhantomData,
    mem::MaybeUninit,
    ptr::{copy_nonoverlapping, write_bytes},
};
use kernel::{cpumask::Cpumask, ffi::c_char, transmute::AsBytes};

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
            `Copy` and has `#[derive(TraceStruct)]`, a type declared with `trace_enum!` or `trace_flags!`, an \
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

/// A value at any address. A record is only 4-byte aligned.
#[repr(C, packed)]
#[doc(hidden)]
pub struct Unaligned<T>(pub T);

/// Returns the location of `len` bytes at the offset `data`, counted from `base`.
#[inline(always)]
#[doc(hidden)]
pub fn location(len: usize, data: usize, base: usize) -> Unaligned<u32> {
    // `reserve` rejects any record in which one of the halves would overflow.
    Unaligned((len << 16 | data.wrapping_sub(base)) as u32)
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
    pub(super) fn new(value: T) -> Self {
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

#[diagnostic::do_not_recommend]
// SAFETY: The slot is the value.
unsafe impl<T: AsIs> Assign<T> for T {
    type Value = Plain<T>;

    #[inline(always)]
    fn value(value: T) -> Plain<T> {
        Plain(value)
    }
}

/// A type that `DynArray` and arrays can have as an element.
///
/// # Safety
///
/// As for [`Field`]. It must not have padding.
pub unsafe trait Scalar: AsIs {}

macro_rules! scalar {
    ($($ty:ty, $name:literal, $signed:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: It is an integer.
        unsafe impl Field for $ty {
            type Slot = $ty;
            type This = Self;
            const NAME: &'static str = $name;
            const SIGNED: bool = $signed;
            const KIND: Kind = Kind::Int {
                size: size_of::<$ty>(),
                signed: $signed,
            };
        }

        #[diagnostic::do_not_recommend]
        // SAFETY: As above.
        unsafe impl AsIs for $ty {}

        #[diagnostic::do_not_recommend]
        // SAFETY: As above.
        unsafe impl Scalar for $ty {}
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

macro_rules! pointer {
    ($($ty:ty, $name:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: It is a pointer.
        unsafe impl<T> Field for $ty {
            type Slot = $ty;
            type This = Self;
            const NAME: &'static str = $name;
            const KIND: Kind = Kind::Pointer;
        }

        #[diagnostic::do_not_recommend]
        // SAFETY: As above.
        unsafe impl<T> AsIs for $ty {}
    )*};
}

pointer! {
    *const T, "const void *";
    *mut T, "void *";
}

/// A field that is a struct with [`#[derive(TraceStruct)]`](super::TraceStruct). It must not have
/// padding, which would leak old memory contents to the reader.
///
/// C: `__field_struct()`. Its C type is given after the Rust type: `Struct<Pair> as "struct pair"`.
pub struct Struct<T>(PhantomData<T>);

#[diagnostic::do_not_recommend]
// SAFETY: The slot is the struct itself. `AsBytes` guarantees that all of its bytes are
// initialised.
unsafe impl<T: AsBytes + Copy> Field for Struct<T> {
    type Slot = T;
    type This = Self;
    const NAME: &'static str = "struct";
    const KIND: Kind = Kind::Bytes {
        len: size_of::<T>(),
    };
}

#[diagnostic::do_not_recommend]
// SAFETY: The slot is the value.
unsafe impl<T: AsBytes + Copy> Assign<T> for Struct<T> {
    type Value = Plain<T>;

    #[inline(always)]
    fn value(value: T) -> Plain<T> {
        Plain(value)
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: The slot is a copy of the value.
unsafe impl<'a, T: AsBytes + Copy> Assign<&'a T> for Struct<T> {
    type Value = Copied<'a, T>;

    #[inline(always)]
    fn value(value: &'a T) -> Self::Value {
        Copied(value)
    }
}

/// A type that can be a member of a struct in the record.
///
/// # Safety
///
/// It must not have padding.
#[diagnostic::on_unimplemented(
    message = "a struct in the record cannot have a `{Self}` in it",
    label = "may have padding, or isn't just bytes",
    note = "a member can be a number, a type declared with `trace_enum!` or `trace_flags!`, an \
            array of these, or another struct with `#[derive(TraceStruct)]`"
)]
pub unsafe trait NoPadding {}

#[diagnostic::do_not_recommend]
// SAFETY: By `Scalar`.
unsafe impl<T: Scalar> NoPadding for T {}

#[diagnostic::do_not_recommend]
// SAFETY: An array adds none.
unsafe impl<T: NoPadding, const N: usize> NoPadding for [T; N] {}

/// Compiles if the type is one. For `#[derive(TraceStruct)]`.
#[doc(hidden)]
pub const fn no_padding<T: NoPadding>() {}

#[diagnostic::do_not_recommend]
// SAFETY: The slot is the array itself. The elements have no padding.
unsafe impl<T: Scalar, const N: usize> Field for [T; N] {
    type Slot = [T; N];
    type This = Self;
    const NAME: &'static str = T::NAME;
    const SIGNED: bool = T::SIGNED;
    const KIND: Kind = Kind::Array {
        size: size_of::<T>(),
        len: N,
    };
    const NAMES: u64 = T::NAMES;
}

#[diagnostic::do_not_recommend]
// SAFETY: As above.
unsafe impl<T: Scalar, const N: usize> AsIs for [T; N] {}

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

#[diagnostic::do_not_recommend]
// SAFETY: The slot is a copy of the array.
unsafe impl<'a, T: Scalar, const N: usize> Assign<&'a [T; N]> for [T; N] {
    type Value = Copied<'a, [T; N]>;

    #[inline(always)]
    fn value(value: &'a [T; N]) -> Self::Value {
        Copied(value)
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

macro_rules! truncated {
    ($($ty:ty, $bytes:path;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: The slot is text.
        unsafe impl<'a, const N: usize> Assign<&'a $ty> for [u8; N] {
            type Value = Truncated<'a, N>;

            #[inline(always)]
            fn value(value: &'a $ty) -> Self::Value {
                Truncated($bytes(value))
            }
        }
    )*};
}

truncated! {
    CStr, bytes_of;
    str, str::as_bytes;
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
    unsafe { crate::args::string(text.cast()) }
}

/// A field whose data follows the fields of the record.
///
/// # Safety
///
/// As for [`Field`], with a `u32` as the slot.
pub unsafe trait Dynamic: Field<Slot = u32> {}

/// A field whose location is relative to its own end. C: `__rel_loc`.
pub struct Rel<T>(PhantomData<T>);

#[diagnostic::do_not_recommend]
// SAFETY: As `T`, and `Place::new` says where the location counts from.
unsafe impl<T: Dynamic> Field for Rel<T> {
    type Slot = u32;
    type This = Self;
    const NAME: &'static str = T::NAME;
    const SIGNED: bool = T::SIGNED;
    const KIND: Kind = T::KIND;
    const REL: bool = true;
    const NAMES: u64 = T::NAMES;
    const COMPUTED: bool = T::COMPUTED;
}

#[diagnostic::do_not_recommend]
// SAFETY: As `T`.
unsafe impl<V, T: Dynamic + Assign<V>> Assign<V> for Rel<T> {
    type Value = T::Value;

    #[inline(always)]
    fn value(value: V) -> T::Value {
        T::value(value)
    }
}

macro_rules! dynamic {
    ($($(#[$doc:meta])* $ty:ident $(<$t:ident>)?, $name:expr, $signed:expr, $kind:expr $(, $computed:literal)?;)*) => {$(
        $(#[$doc])*
        pub struct $ty $(<$t>(PhantomData<$t>))?;

        #[diagnostic::do_not_recommend]
        // SAFETY: The data consists of numbers without padding.
        unsafe impl $(<$t: Scalar>)? Field for $ty $(<$t>)? {
            type Slot = u32;
            type This = Self;
            const NAME: &'static str = $name;
            const SIGNED: bool = $signed;
            const KIND: Kind = $kind;
            $(const NAMES: u64 = $t::NAMES;)?
            $(const COMPUTED: bool = $computed;)?
        }

        #[diagnostic::do_not_recommend]
        // SAFETY: As above.
        unsafe impl $(<$t: Scalar>)? Dynamic for $ty $(<$t>)? {}
    )*};
}

dynamic! {
    /// A string. Its data includes the NUL.
    ///
    /// Without a string, the record says `(null)`. C: `__string()`, `__string_len()`.
    Str, "char", false, Kind::Str;

    /// Text that is formatted when the event fires, up to 511 bytes, or less in an event that has
    /// more than two such fields or [`elements`].
    ///
    /// C: `__vstring()`, `__assign_vstr()`.
    Formatted, "char", false, Kind::Str, true;

    /// An array of any length. C: `__dynamic_array()`.
    DynArray<T>, T::NAME, T::SIGNED, Kind::DynArray { size: size_of::<T>() };

    /// A socket address. IPv4 and IPv6 addresses can be printed. A value too short to contain a
    /// family is recorded as `AF_UNSPEC`. C: `__sockaddr()`.
    SockAddr, "u8", false, Kind::SockAddr;

    /// A bit mask, of [`Bits`]. C: `__bitmask()`.
    Bitmask, "unsigned long", false, Kind::Mask;
}

#[diagnostic::do_not_recommend]
// SAFETY: The data is made of words.
unsafe impl Field for Cpumask {
    type Slot = u32;
    type This = Self;
    const NAME: &'static str = "cpumask_t";
    const KIND: Kind = Kind::Mask;
}

#[diagnostic::do_not_recommend]
// SAFETY: As above.
unsafe impl Dynamic for Cpumask {}

/// Bytes to be copied to the record.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Bytes<'a> {
    bytes: *const u8,
    len: usize,
    _bytes: PhantomData<&'a [u8]>,
}

impl<'a> Bytes<'a> {
    #[inline(always)]
    fn new<T: Scalar>(elements: &'a [T]) -> Self {
        Self {
            bytes: elements.as_ptr().cast(),
            len: size_of_val(elements),
            _bytes: PhantomData,
        }
    }
}

// SAFETY: As many bytes are copied as `len` returns.
unsafe impl Value for Bytes<'_> {
    #[inline(always)]
    fn len<const SIZE: usize>(&mut self, _room: &Room<SIZE>) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn write_data(&self, to: *mut u8) {
        // SAFETY: Guaranteed by the caller, and the bytes are valid for the lifetime.
        unsafe { copy_nonoverlapping(self.bytes, to, self.len) };
    }
}

macro_rules! assign_bytes {
    ($([$($generics:tt)*] $field:ty, $value:ty, |$name:ident| $bytes:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: The data is the bytes.
        unsafe impl<'a, $($generics)*> Assign<$value> for $field {
            type Value = Bytes<'a>;

            #[inline(always)]
            fn value($name: $value) -> Bytes<'a> {
                $bytes
            }
        }
    )*};
}

assign_bytes! {
    [T: Scalar] DynArray<T>, &'a [T], |value| Bytes::new(value);
    // Readers access the family regardless of the length, so record AF_UNSPEC.
    [] SockAddr, &'a [u8], |value| Bytes::new(if value.len() < 2 { &[0, 0] } else { value });
    [] Bitmask, Bits<'a>, |value| value.bytes;
    [] Cpumask, &'a Cpumask, |value| Bits::of_cpumask(value, usize::MAX).bytes;
}

/// What an event computes before there's a record: formatted text and elements. It's on the stack, so all
/// of an event's fields share it. Each gets an equal part of what those before it have left.
///
/// # Invariants
///
/// The last `left` words have not been given to anyone, and are at most `SIZE`.
#[doc(hidden)]
pub struct Room<const SIZE: usize> {
    words: UnsafeCell<MaybeUninit<[u64; SIZE]>>,
    left: Cell<usize>,
    users: Cell<usize>,
}

/// The most that a field gets, in words. C: `TRACE_EVENT_STR_MAX`.
const SHARE_MAX: usize = 512 / size_of::<u64>();

/// Returns the size of the room of a number of fields.
#[doc(hidden)]
pub const fn room_size(users: usize) -> usize {
    SHARE_MAX * if users < 2 { users } else { 2 }
}

impl<const SIZE: usize> Room<SIZE> {
    /// Returns room for a number of fields.
    #[inline(always)]
    pub const fn new(users: usize) -> Self {
        // INVARIANT: Nobody has got anything.
        Self {
            words: UnsafeCell::new(MaybeUninit::uninit()),
            left: Cell::new(SIZE),
            users: Cell::new(users),
        }
    }

    /// Gives a field its share: where it is, and how many bytes.
    #[inline(always)]
    fn take(&self) -> (*mut u8, usize) {
        let (left, users) = (self.left.get(), self.users.get().max(1));
        let words = left.checked_div(users).unwrap_or(0).min(SHARE_MAX);
        // INVARIANT: There are as many.
        self.left.set(left.wrapping_sub(words));
        self.users.set(users.wrapping_sub(1));
        let start = self.words.get().cast::<u64>();
        (
            start.wrapping_add(SIZE.wrapping_sub(left)).cast(),
            words * size_of::<u64>(),
        )
    }

    /// Takes back what a field hasn't used of the share at `to`, unless another one has got its own since.
    #[inline(always)]
    fn keep(&self, (to, size): (*mut u8, usize), used: usize) {
        let next = self.words.get().cast::<u64>();
        let next = next.wrapping_add(SIZE.wrapping_sub(self.left.get()));
        if next.cast() == to.wrapping_add(size) {
            // INVARIANT: The field gives the words back.
            let unused = size.wrapping_sub(used) / size_of::<u64>();
            self.left.set(self.left.get().wrapping_add(unused));
        }
    }
}

/// What an iterator will compute. See [`elements`].
#[must_use = "only a field can record it"]
pub struct Elements<I>(I);

/// Returns the elements that an iterator computes, to be assigned to a [`DynArray`] as
/// `&elements(iterator)`, in the field or in a `let` before the fields. If they take more than 512 bytes, the
/// rest is left out, and also if there's less room in an event that has more than two of these or
/// [`Formatted`].
///
/// Any context. C: a loop that fills `__get_dynamic_array()`.
#[inline(always)]
pub fn elements<I: IntoIterator<Item: Scalar>>(iter: I) -> Elements<I> {
    const { assert!(align_of::<I::Item>() <= align_of::<u64>()) };
    Elements(iter)
}

impl<I: IntoIterator<Item: Scalar>> Elements<I> {
    /// Computes the elements. The macro calls this.
    #[doc(hidden)]
    #[inline(always)]
    pub fn __computed<const SIZE: usize>(self, room: &Room<SIZE>) -> &[I::Item] {
        let share = room.take();
        let (to, mut len) = (share.0.cast::<I::Item>(), 0usize);
        for element in self.0.into_iter().take(share.1 / size_of::<I::Item>()) {
            // SAFETY: The share has room for as many elements as `take` lets through, it's aligned, and
            // nobody else has it.
            unsafe { to.add(len).write(element) };
            len = len.wrapping_add(1);
        }
        room.keep(share, len.wrapping_mul(size_of::<I::Item>()));
        // SAFETY: Initialised above. Nobody else gets these words while the room is borrowed.
        unsafe { core::slice::from_raw_parts(to, len) }
    }
}

/// What a driver's own function named `elements` returns stays as it is.
#[doc(hidden)]
pub trait Computed: Sized {
    /// Returns the same.
    #[inline(always)]
    fn __computed<const SIZE: usize>(self, _room: &Room<SIZE>) -> Self {
        self
    }
}

impl<T> Computed for T {}

/// Bytes to be copied to the record, and a NUL. It isn't copied: the text may have changed since it was
/// measured.
#[doc(hidden)]
pub struct Terminated<'a>(Bytes<'a>);

// SAFETY: The bytes and the NUL are what `len` returns.
unsafe impl Value for Terminated<'_> {
    #[inline(always)]
    fn len<const SIZE: usize>(&mut self, _room: &Room<SIZE>) -> usize {
        self.0.len.wrapping_add(1)
    }

    #[inline(always)]
    unsafe fn write_data(&self, to: *mut u8) {
        let Bytes { bytes, len, .. } = self.0;
        // SAFETY: Guaranteed by the caller, and the bytes are valid for the lifetime.
        unsafe {
            copy_nonoverlapping(bytes, to, len);
            to.add(len).write(0);
        }
    }
}

macro_rules! assign_str {
    ($($value:ty, |$name:ident| $bytes:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: The data is text with a NUL.
        unsafe impl<'a> Assign<$value> for Str {
            type Value = Terminated<'a>;

            #[inline(always)]
            fn value($name: $value) -> Terminated<'a> {
                Terminated(Bytes::new($bytes))
            }
        }
    )*};
}

/// C: `EVENT_NULL_STR`.
const NULL_STR: &[u8] = b"(null)";

assign_str! {
    &'a CStr, |value| bytes_of(value);
    &'a str, |value| value.as_bytes();
    &'a [u8], |value| value;
    Option<&'a CStr>, |value| value.map_or(NULL_STR, bytes_of);
    Option<&'a str>, |value| value.map_or(NULL_STR, str::as_bytes);
    Option<&'a [u8]>, |value| value.unwrap_or(NULL_STR);
}

/// The bits of a [`Bitmask`] field. Any context.
#[derive(Clone, Copy)]
pub struct Bits<'a> {
    bytes: Bytes<'a>,
}

impl<'a> Bits<'a> {
    /// Takes the first `bits` bits of `words`, rounded up to whole words; if `words` is shorter,
    /// all of it.
    #[inline(always)]
    pub fn new(words: &'a [usize], bits: usize) -> Self {
        let n = bits.div_ceil(usize::BITS as usize);
        Self {
            bytes: Bytes::new(words.get(..n).unwrap_or(words)),
        }
    }

    /// Takes the first `bits` bits of a CPU mask.
    #[inline(always)]
    pub fn of_cpumask(mask: &'a Cpumask, bits: usize) -> Self {
        let words = bits.min(nr_cpumask_bits()).div_ceil(usize::BITS as usize);
        Self {
            // A cpumask has at least this many words (include/linux/cpumask.h). Not a slice, since
            // the words can be modified while they are copied, as with the memcpy() in
            // `__assign_cpumask()` (include/trace/stages/stage6_event_callback.h).
            bytes: Bytes {
                bytes: core::ptr::from_ref(mask).cast(),
                len: words * size_of::<usize>(),
                _bytes: PhantomData,
            },
        }
    }
}

/// Returns the number of significant bits in a cpumask. Any context. C: `nr_cpumask_bits`.
#[inline(always)]
pub fn nr_cpumask_bits() -> usize {
    // SAFETY: Set at boot and constant from then on (kernel/smp.c).
    unsafe { bindings::nr_cpu_ids as usize }
}

/// Returns the number of possible CPUs. Any context. C: `num_possible_cpus()`.
#[inline(always)]
pub fn num_possible_cpus() -> usize {
    // SAFETY: Set at boot and constant from then on (kernel/cpu.c).
    unsafe { bindings::__num_possible_cpus as usize }
}

/// Text to be formatted. That's done before the record is reserved, since it runs code of the driver.
#[doc(hidden)]
pub struct Text<'a> {
    text: fmt::Arguments<'a>,
    bytes: *const u8,
    len: usize,
}

// SAFETY: The text and the NUL are what `len` returns.
unsafe impl Value for Text<'_> {
    #[inline(always)]
    fn len<const SIZE: usize>(&mut self, room: &Room<SIZE>) -> usize {
        (self.bytes, self.len) = format(room, &self.text);
        self.len.wrapping_add(1)
    }

    #[inline(always)]
    unsafe fn write_data(&self, to: *mut u8) {
        // SAFETY: Guaranteed by the caller. `format` has initialised as many bytes.
        unsafe {
            copy_nonoverlapping(self.bytes, to, self.len);
            to.add(self.len).write(0);
        }
    }
}

/// Writes text to a buffer, as much as fits.
///
/// # Invariants
///
/// `to` is valid for writes of `left` bytes.
struct Formatter {
    to: *mut u8,
    left: usize,
}

impl fmt::Write for Formatter {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let n = text.len().min(self.left);
        // SAFETY: By the type's invariants, there's room for `n` bytes.
        unsafe { copy_nonoverlapping(text.as_ptr(), self.to, n) };
        // INVARIANT: These are used.
        self.to = self.to.wrapping_add(n);
        self.left = self.left.wrapping_sub(n);
        // An error ends the formatting, which could go on for long.
        if n < text.len() {
            return Err(fmt::Error);
        }
        Ok(())
    }
}

/// Formats a text and returns where it is and its length. With its NUL, it takes a share of the room.
// A module without such a field doesn't contain it.
#[inline(never)]
fn format<const SIZE: usize>(room: &Room<SIZE>, text: &fmt::Arguments<'_>) -> (*const u8, usize) {
    let share = room.take();
    let size = share.1.saturating_sub(1);
    // INVARIANT: Nobody else has these bytes.
    let mut formatter = Formatter {
        to: share.0,
        left: size,
    };
    // If it fails, what has been written is recorded.
    _ = fmt::write(&mut formatter, *text);
    let len = size.wrapping_sub(formatter.left);
    room.keep(share, len);
    (share.0, len)
}

macro_rules! assign_formatted {
    ($($value:ty, |$name:ident| $text:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        // SAFETY: The data is text with a NUL.
        unsafe impl<'a> Assign<$value> for Formatted {
            type Value = Text<'a>;

            #[inline(always)]
            fn value($name: $value) -> Text<'a> {
                Text {
                    text: $text,
                    bytes: core::ptr::null(),
                    len: 0,
                }
            }
        }
    )*};
}

assign_formatted! {
    fmt::Arguments<'a>, |value| value;
    &'a fmt::Arguments<'a>, |value| *value;
}
