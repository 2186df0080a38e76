// SPDX-License-Identifier: GPL-2.0

//! The types that an event's field can have, and how values are written to the record.
//!
//! | Field | Value | C |
//! |---|---|---|
//! | `bool`, `u8` … `i64`, `usize`, `isize` | the same | `__field()` |
//! | `*const T`, `*mut T` | the same | `__field()` |
//! | an enum declared with [`trace_enum!`](super::trace_enum) | the same | `__field()`, `TRACE_DEFINE_ENUM()` |
//! | [`Struct<T>`] | `T` | `__field_struct()` |
//! | `[T; N]` | the same, or `&[T; N]` | `__array()` |
//! | `[c_char; N]` | `&CStr`, `&str`: truncated to N - 1 bytes | `__array(char, …)`, `strscpy()` |
//! | [`Str`] | `&CStr`, `&str`, `&[u8]`, or an `Option` of these | `__string()`, `__string_len()` |
//! | [`DynArray<T>`] | `&[T]` | `__dynamic_array()` |
//! | [`Formatted`] | `fmt::Arguments` | `__vstring()` |
//! | [`Bitmask`] | [`Bits`] | `__bitmask()` |
//! | `Cpumask` | `&Cpumask` | `__cpumask()` |
//! | [`SockAddr`] | `&[u8]` | `__sockaddr()` |
//! | `Rel<…>` of the last six | the same | `__rel_…()` |

use super::{
    super::bindings,
    ctype::Form,
    template::{Kind, Table},
};
use core::{ffi::CStr, fmt, marker::PhantomData, ptr::copy_nonoverlapping};
use kernel::{cpumask::Cpumask, ffi::c_int, transmute::AsBytes};

/// A type that a field can have.
///
/// # Safety
///
/// `Slot` must have the size and alignment that C gives the field, and its content must match the
/// other constants.
#[diagnostic::on_unimplemented(
    message = "a field of an event cannot be a `{Self}`",
    label = "not a field type",
    note = "a field can be an integer, a pointer, an array, `Str`, `DynArray<T>`, `Formatted`, \
            `Bitmask`, `Cpumask`, `SockAddr`, `Rel<…>` of those, `Struct<T>`, or a type declared \
            with `trace_enum!` or `trace_flags!`"
)]
pub unsafe trait Field {
    /// The representation in the record.
    type Slot: Copy;

    /// The C name of the type, or of the element type.
    const NAME: &'static str;

    /// The form of the C type around the name.
    const FORM: Form = Form::Plain;

    /// Whether the type is signed.
    const SIGNED: bool = false;

    /// The filter type.
    const FILTER: c_int = bindings::generated::FILTER_OTHER as c_int;

    /// The number of elements of an array.
    const LEN: usize = 0;

    /// How the print template treats the field.
    const KIND: Kind;

    /// The table of names to print values with.
    const TABLE: Option<Table> = None;
}

/// A field that a `V` can be assigned to.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be assigned a `{V}`",
    label = "the expression has type `{V}`"
)]
pub trait Assign<V>: Field {
    /// A value to be written to the record.
    type Value<F: FnOnce() -> V>: Value;

    /// Makes a value from the field's expression.
    fn value<F: FnOnce() -> V>(expression: F) -> Self::Value<F>;
}

/// A value to be written to the record.
pub trait Value {
    /// Reserves space after the fields if the value needs it. `size` is the size of the record so
    /// far.
    #[inline(always)]
    fn place(&mut self, _size: &mut usize) {}

    /// Writes the field.
    ///
    /// # Safety
    ///
    /// `record` must be valid for writes of the final size after all calls of `place`, and must
    /// have the field at `offset`.
    unsafe fn write(self, record: *mut u8, offset: usize);
}

/// A value that is written unchanged. The expression is evaluated only when it is written.
pub struct AsIs<F>(pub F);

impl<T: Copy, F: FnOnce() -> T> Value for AsIs<F> {
    #[inline(always)]
    unsafe fn write(self, record: *mut u8, offset: usize) {
        // SAFETY: Guaranteed by the caller. A record is only four-byte aligned, hence the unaligned
        // write.
        unsafe { record.add(offset).cast::<T>().write_unaligned((self.0)()) };
    }
}

/// An element type of `DynArray` and arrays.
///
/// # Safety
///
/// As for [`Field`]. It must have no padding.
pub unsafe trait Scalar: Field<Slot = Self> + Copy {}

macro_rules! scalar {
    ($($ty:ty, $name:literal, $signed:literal;)*) => {$(
        // SAFETY: The type is an integer.
        unsafe impl Field for $ty {
            type Slot = $ty;
            const NAME: &'static str = $name;
            const SIGNED: bool = $signed;
            const KIND: Kind = Kind::Int {
                size: size_of::<$ty>(),
                signed: $signed,
            };
        }

        impl Assign<$ty> for $ty {
            type Value<F: FnOnce() -> $ty> = AsIs<F>;

            #[inline(always)]
            fn value<F: FnOnce() -> $ty>(expression: F) -> AsIs<F> {
                AsIs(expression)
            }
        }

        // SAFETY: The type is an integer.
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
        // SAFETY: The type is a pointer.
        unsafe impl<T> Field for $ty {
            type Slot = $ty;
            const NAME: &'static str = $name;
            const KIND: Kind = Kind::Pointer;
        }

        impl<T> Assign<$ty> for $ty {
            type Value<F: FnOnce() -> $ty> = AsIs<F>;

            #[inline(always)]
            fn value<F: FnOnce() -> $ty>(expression: F) -> AsIs<F> {
                AsIs(expression)
            }
        }
    )*};
}

pointer! {
    *const T, "const void *";
    *mut T, "void *";
}

/// A field that is a struct. It must not have padding, which would leak old memory contents to the
/// reader.
///
/// C: `__field_struct()`. Its C type is given after the Rust type: `Struct<Pair> as "struct pair"`.
pub struct Struct<T>(PhantomData<T>);

// SAFETY: The slot is the struct itself. `AsBytes` guarantees that all of its bytes are
// initialised.
unsafe impl<T: AsBytes + Copy> Field for Struct<T> {
    type Slot = T;
    const NAME: &'static str = "struct";
    const KIND: Kind = Kind::Bytes {
        len: size_of::<T>(),
    };
}

impl<T: AsBytes + Copy> Assign<T> for Struct<T> {
    type Value<F: FnOnce() -> T> = AsIs<F>;

    #[inline(always)]
    fn value<F: FnOnce() -> T>(expression: F) -> AsIs<F> {
        AsIs(expression)
    }
}

// SAFETY: The slot is the array itself. The elements have no padding.
unsafe impl<T: Scalar, const N: usize> Field for [T; N] {
    type Slot = [T; N];
    const NAME: &'static str = T::NAME;
    const FORM: Form = Form::Array(N);
    const SIGNED: bool = T::SIGNED;
    const LEN: usize = N;
    const KIND: Kind = Kind::Array {
        size: size_of::<T>(),
        len: N,
    };
}

impl<T: Scalar, const N: usize> Assign<[T; N]> for [T; N] {
    type Value<F: FnOnce() -> [T; N]> = AsIs<F>;

    #[inline(always)]
    fn value<F: FnOnce() -> [T; N]>(expression: F) -> AsIs<F> {
        AsIs(expression)
    }
}

impl<'a, T: Scalar + 'a, const N: usize> Assign<&'a [T; N]> for [T; N] {
    type Value<F: FnOnce() -> &'a [T; N]> = Copied<'a, [T; N]>;

    #[inline(always)]
    fn value<F: FnOnce() -> &'a [T; N]>(expression: F) -> Copied<'a, [T; N]> {
        Copied(expression())
    }
}

/// A value that is copied from a reference.
pub struct Copied<'a, T>(&'a T);

impl<T: Copy> Value for Copied<'_, T> {
    #[inline(always)]
    unsafe fn write(self, record: *mut u8, offset: usize) {
        // SAFETY: Guaranteed by the caller.
        unsafe { record.add(offset).cast::<T>().write_unaligned(*self.0) };
    }
}

/// A string that is truncated to fit into `N` bytes including its NUL. The rest is zeroed.
///
/// C: `strscpy_pad()`.
pub struct Cut<'a, const N: usize>(&'a [u8]);

impl<const N: usize> Value for Cut<'_, N> {
    #[inline(always)]
    unsafe fn write(self, record: *mut u8, offset: usize) {
        let len = self.0.len().min(N.saturating_sub(1));
        // SAFETY: Guaranteed by the caller. `len` is less than `N`, or both are 0.
        unsafe {
            let to = record.add(offset);
            core::ptr::write_bytes(to, 0, N);
            copy_nonoverlapping(self.0.as_ptr(), to, len);
        }
    }
}

impl<'a, const N: usize> Assign<&'a CStr> for [u8; N] {
    type Value<F: FnOnce() -> &'a CStr> = Cut<'a, N>;

    #[inline(always)]
    fn value<F: FnOnce() -> &'a CStr>(expression: F) -> Cut<'a, N> {
        Cut(expression().to_bytes())
    }
}

impl<'a, const N: usize> Assign<&'a str> for [u8; N] {
    type Value<F: FnOnce() -> &'a str> = Cut<'a, N>;

    #[inline(always)]
    fn value<F: FnOnce() -> &'a str>(expression: F) -> Cut<'a, N> {
        Cut(expression().as_bytes())
    }
}

/// A field whose data is stored after the fields. The field itself contains the offset and the
/// length of the data.
///
/// # Safety
///
/// The constants must describe the data that a [`Source`] for the field copies.
pub unsafe trait Dynamic {
    /// The C name of the type, or of the element type.
    const NAME: &'static str;
    /// What C appends to the name.
    const SUFFIX: &'static str = "[]";
    /// Whether the element type is signed.
    const SIGNED: bool = false;
    /// How the print template treats the field.
    const KIND: Kind;
}

/// A [`Dynamic`] field that a `V` can be assigned to.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be assigned a `{V}`",
    label = "the expression has type `{V}`"
)]
pub trait From<V>: Dynamic {
    /// The source of the data.
    type Source: Source;

    /// Makes a source from the value.
    fn source(value: V) -> Self::Source;
}

/// Data to be copied to the record.
pub trait Source {
    /// Returns the length in bytes.
    fn len(&self) -> usize;

    /// Writes the data.
    ///
    /// # Safety
    ///
    /// `to` must be valid for writes of `len` bytes.
    unsafe fn copy(self, to: *mut u8);
}

// SAFETY: A location is a `u32` in C.
unsafe impl<T: Dynamic> Field for T {
    type Slot = u32;
    const NAME: &'static str = T::NAME;
    const FORM: Form = Form::Dynamic {
        rel: false,
        suffix: T::SUFFIX,
    };
    const SIGNED: bool = T::SIGNED;
    const KIND: Kind = T::KIND;
}

impl<V, T: From<V>> Assign<V> for T {
    type Value<F: FnOnce() -> V> = Located<T::Source, false>;

    #[inline(always)]
    fn value<F: FnOnce() -> V>(expression: F) -> Self::Value<F> {
        Located {
            source: T::source(expression()),
            at: 0,
        }
    }
}

/// A location whose offset counts from the end of the field itself. C: `__rel_loc`.
pub struct Rel<T>(PhantomData<T>);

// SAFETY: As above.
unsafe impl<T: Dynamic> Field for Rel<T> {
    type Slot = u32;
    const NAME: &'static str = T::NAME;
    const FORM: Form = Form::Dynamic {
        rel: true,
        suffix: T::SUFFIX,
    };
    const SIGNED: bool = T::SIGNED;
    const KIND: Kind = T::KIND;
}

impl<V, T: From<V>> Assign<V> for Rel<T> {
    type Value<F: FnOnce() -> V> = Located<T::Source, true>;

    #[inline(always)]
    fn value<F: FnOnce() -> V>(expression: F) -> Self::Value<F> {
        Located {
            source: T::source(expression()),
            at: 0,
        }
    }
}

/// Data and its offset in the record.
pub struct Located<S, const REL: bool> {
    source: S,
    at: usize,
}

impl<S: Source, const REL: bool> Value for Located<S, REL> {
    #[inline(always)]
    fn place(&mut self, size: &mut usize) {
        self.at = *size;
        *size = size.wrapping_add(self.source.len());
    }

    #[inline(always)]
    unsafe fn write(self, record: *mut u8, offset: usize) {
        let from = if REL { offset + size_of::<u32>() } else { 0 };
        // `record` rejects any record in which one of the halves would overflow.
        let location = (self.source.len() << 16 | self.at.wrapping_sub(from)) as u32;
        // SAFETY: Guaranteed by the caller.
        unsafe {
            record.add(offset).cast::<u32>().write_unaligned(location);
            self.source.copy(record.add(self.at));
        }
    }
}

/// A string. Its NUL is part of the data.
///
/// A missing string is recorded as `(null)`.
pub struct Str;

// SAFETY: The data is made of characters.
unsafe impl Dynamic for Str {
    const NAME: &'static str = "char";
    const KIND: Kind = Kind::Str;
}

/// A string to be copied to the record.
pub struct StrSource {
    str: *const u8,
    len: usize,
}

impl StrSource {
    #[inline(always)]
    fn new(str: &[u8]) -> Self {
        Self {
            str: str.as_ptr(),
            len: str.len(),
        }
    }
}

impl Source for StrSource {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len.wrapping_add(1)
    }

    #[inline(always)]
    unsafe fn copy(self, to: *mut u8) {
        // SAFETY: `new` took the pointer and the length from a slice that outlives the call of the
        // probe.
        unsafe {
            copy_nonoverlapping(self.str, to, self.len);
            to.add(self.len).write(0);
        }
    }
}

/// Like `CStr::to_bytes()`, but without the overflow check.
#[inline(always)]
fn bytes_of(str: &CStr) -> &[u8] {
    let bytes = str.to_bytes_with_nul();
    // SAFETY: The length is one less than that of the slice, which includes the NUL.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr(), bytes.len().wrapping_sub(1)) }
}

macro_rules! from_str {
    ($($ty:ty, $bytes:path;)*) => {$(
        impl From<$ty> for Str {
            type Source = StrSource;

            #[inline(always)]
            fn source(value: $ty) -> StrSource {
                StrSource::new($bytes(value))
            }
        }

        impl From<Option<$ty>> for Str {
            type Source = StrSource;

            #[inline(always)]
            fn source(value: Option<$ty>) -> StrSource {
                StrSource::new(match value {
                    Some(value) => $bytes(value),
                    // EVENT_NULL_STR
                    None => b"(null)",
                })
            }
        }
    )*};
}

from_str! {
    &CStr, bytes_of;
    &str, str::as_bytes;
    &[u8], core::convert::identity;
}

/// An array of any length.
pub struct DynArray<T>(PhantomData<T>);

// SAFETY: The elements have no padding.
unsafe impl<T: Scalar> Dynamic for DynArray<T> {
    const NAME: &'static str = T::NAME;
    const SIGNED: bool = T::SIGNED;
    const KIND: Kind = Kind::DynArray {
        size: size_of::<T>(),
    };
}

impl<T: Scalar> From<&[T]> for DynArray<T> {
    type Source = Bytes;

    #[inline(always)]
    fn source(value: &[T]) -> Bytes {
        Bytes {
            bytes: value.as_ptr().cast(),
            len: size_of_val(value),
        }
    }
}

/// Bytes to be copied to the record.
#[derive(Clone, Copy)]
pub struct Bytes {
    bytes: *const u8,
    len: usize,
}

impl Source for Bytes {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn copy(self, to: *mut u8) {
        // SAFETY: The pointer and the length come from memory that outlives the call of the probe.
        unsafe { copy_nonoverlapping(self.bytes, to, self.len) };
    }
}

/// A socket address. IPv4 and IPv6 addresses can be printed. A value too short to contain a family
/// is recorded as `AF_UNSPEC`.
pub struct SockAddr;

// SAFETY: The data is made of bytes.
unsafe impl Dynamic for SockAddr {
    const NAME: &'static str = "u8";
    const KIND: Kind = Kind::SockAddr;
}

impl From<&[u8]> for SockAddr {
    type Source = Bytes;

    #[inline(always)]
    fn source(value: &[u8]) -> Bytes {
        // Readers access the family regardless of the length, so record AF_UNSPEC.
        let value = if value.len() < 2 { &[0, 0] } else { value };
        Bytes {
            bytes: value.as_ptr(),
            len: value.len(),
        }
    }
}

/// A bit mask.
pub struct Bitmask;

/// The bits of a [`Bitmask`] field.
#[derive(Clone, Copy)]
pub struct Bits<'a> {
    bytes: Bytes,
    _words: PhantomData<&'a [usize]>,
}

impl<'a> Bits<'a> {
    /// Takes the first `bits` bits of `words`, rounded up to whole words; if `words` is shorter,
    /// all of it.
    #[inline(always)]
    pub fn new(words: &'a [usize], bits: usize) -> Self {
        let n = bits.div_ceil(usize::BITS as usize);
        Self {
            bytes: DynArray::source(words.get(..n).unwrap_or(words)),
            _words: PhantomData,
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
            },
            _words: PhantomData,
        }
    }
}

// SAFETY: The data is made of words.
unsafe impl Dynamic for Bitmask {
    const NAME: &'static str = "unsigned long";
    const KIND: Kind = Kind::Mask;
}

impl From<Bits<'_>> for Bitmask {
    type Source = Bytes;

    #[inline(always)]
    fn source(value: Bits<'_>) -> Bytes {
        value.bytes
    }
}

/// Returns the number of significant bits in a cpumask. C: `nr_cpumask_bits`.
#[inline(always)]
pub fn nr_cpumask_bits() -> usize {
    // SAFETY: Set at boot and constant from then on (kernel/smp.c).
    unsafe { bindings::nr_cpu_ids as usize }
}

/// Returns the number of possible CPUs. C: `num_possible_cpus()`.
#[inline(always)]
pub fn num_possible_cpus() -> usize {
    // SAFETY: Set at boot and constant from then on (kernel/cpu.c).
    unsafe { bindings::__num_possible_cpus as usize }
}

// SAFETY: The data is made of words.
unsafe impl Dynamic for Cpumask {
    const NAME: &'static str = "cpumask_t";
    const SUFFIX: &'static str = "";
    const KIND: Kind = Kind::Mask;
}

impl From<&Cpumask> for Cpumask {
    type Source = Bytes;

    #[inline(always)]
    fn source(value: &Cpumask) -> Bytes {
        Bitmask::source(Bits::of_cpumask(value, usize::MAX))
    }
}

/// Text that is formatted when the event fires, up to 511 bytes.
///
/// C: `__vstring()`, `__assign_vstr()`.
pub struct Formatted;

// SAFETY: The data is made of characters.
unsafe impl Dynamic for Formatted {
    const NAME: &'static str = "char";
    const KIND: Kind = Kind::Str;
}

/// C: `TRACE_EVENT_STR_MAX`.
const STR_MAX: usize = 512;

/// Text to be formatted.
pub struct FormattedSource<'a> {
    text: fmt::Arguments<'a>,
    len: usize,
}

/// A writer that only counts the bytes.
struct Count(usize);

impl fmt::Write for Count {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.saturating_add(text.len());
        Ok(())
    }
}

/// A writer that stops when the space is full.
///
/// # Invariants
///
/// `to` is valid for writes of `left` bytes.
struct Write {
    to: *mut u8,
    left: usize,
}

impl fmt::Write for Write {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let n = text.len().min(self.left);
        // SAFETY: By the type's invariant.
        unsafe {
            copy_nonoverlapping(text.as_ptr(), self.to, n);
            // INVARIANT: `to` advances by `n` bytes, and `left` decreases by `n`.
            self.to = self.to.add(n);
        }
        self.left -= n;
        Ok(())
    }
}

/// Returns the size of the text including its NUL, at most `MAX` bytes.
// This function and the next are generic so that modules without such a field don't contain them.
#[inline(never)]
fn text_len<const MAX: usize>(text: fmt::Arguments<'_>) -> usize {
    let mut count = Count(0);
    _ = fmt::write(&mut count, text);
    count.0.min(MAX - 1) + 1
}

/// Writes the text to a buffer of `len` bytes, at most `MAX`, and terminates it with a NUL.
///
/// # Safety
///
/// `to` must be valid for writes of `len` bytes, and `len` must not be 0.
#[inline(never)]
unsafe fn write_text<const MAX: usize>(text: fmt::Arguments<'_>, to: *mut u8, len: usize) {
    debug_assert!((1..=MAX).contains(&len));
    // INVARIANT: Guaranteed by the caller.
    let mut write = Write { to, left: len - 1 };
    _ = fmt::write(&mut write, text);
    // The text is formatted twice, and the second time it may be shorter.
    // SAFETY: The buffer has one byte more than `left`.
    unsafe { core::ptr::write_bytes(write.to, 0, write.left + 1) };
}

impl<'a> From<fmt::Arguments<'a>> for Formatted {
    type Source = FormattedSource<'a>;

    #[inline(always)]
    fn source(text: fmt::Arguments<'a>) -> FormattedSource<'a> {
        FormattedSource {
            text,
            len: text_len::<STR_MAX>(text),
        }
    }
}

impl<'a> From<&fmt::Arguments<'a>> for Formatted {
    type Source = FormattedSource<'a>;

    #[inline(always)]
    fn source(text: &fmt::Arguments<'a>) -> FormattedSource<'a> {
        Self::source(*text)
    }
}

impl Source for FormattedSource<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn copy(self, to: *mut u8) {
        // SAFETY: Guaranteed by the caller.
        unsafe { write_text::<STR_MAX>(self.text, to, self.len) }
    }
}
