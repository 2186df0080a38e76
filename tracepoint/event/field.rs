// SPDX-License-Identifier: GPL-2.0

//! What an event's field can be, and how its value gets into the record.
//!
//! | Field | Value | C |
//! |---|---|---|
//! | `bool`, `u8` … `i64`, `usize`, `isize` | the same | `__field()` |
//! | `*const T`, `*mut T` | the same | `__field()` |
//! | an enum of [`trace_enum!`](super::trace_enum) | the same | `__field()`, `TRACE_DEFINE_ENUM()` |
//! | [`Struct<T>`] | `T` | `__field_struct()` |
//! | `[T; N]` | the same, or `&[T; N]` | `__array()` |
//! | `[c_char; N]` | `&CStr`, `&str`: cut to N - 1 bytes | `__array(char, …)`, `strscpy()` |
//! | [`Str`] | `&CStr`, `&str`, `&[u8]`, an `Option` of one | `__string()`, `__string_len()` |
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
/// `Slot` must have the size and alignment that C gives the field, and hold what the other
/// constants say.
#[diagnostic::on_unimplemented(
    message = "a field of an event cannot be a `{Self}`",
    label = "not a field's type",
    note = "fields are integers, pointers, arrays of them, `Str`, `DynArray<T>`, `Formatted`, \
            `Bitmask`, `Cpumask`, `SockAddr`, `Rel<…>` of those, `Struct<T>` and what \
            `trace_enum!` declares"
)]
pub unsafe trait Field {
    /// What stands in the record.
    type Slot: Copy;

    /// C's name of the type, or of the element's.
    const NAME: &'static str;

    /// What stands around the name.
    const FORM: Form = Form::Plain;

    /// Whether it has a sign.
    const SIGNED: bool = false;

    /// How filters take it.
    const FILTER: c_int = bindings::generated::FILTER_OTHER as c_int;

    /// The number of elements of an array.
    const LEN: usize = 0;

    /// What the print template makes of it.
    const KIND: Kind;

    /// The table by which it prints.
    const TABLE: Option<Table> = None;
}

/// A field that a `V` can be assigned to.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be assigned a `{V}`",
    label = "the expression has type `{V}`"
)]
pub trait Assign<V>: Field {
    /// A value that is yet to be written.
    type Value<F: FnOnce() -> V>: Value;

    /// Takes the expression of the field.
    fn value<F: FnOnce() -> V>(expression: F) -> Self::Value<F>;
}

/// A value on its way to the record.
pub trait Value {
    /// Takes its place behind the fields, if it needs one; `size` is that of the record so far.
    #[inline(always)]
    fn place(&mut self, _size: &mut usize) {}

    /// Writes the field.
    ///
    /// # Safety
    ///
    /// `record` must be valid for writes of the size that `place` left, and have the field at
    /// `offset`.
    unsafe fn write(self, record: *mut u8, offset: usize);
}

/// A value that is written as it is. The expression is evaluated only then.
pub struct AsIs<F>(pub F);

impl<T: Copy, F: FnOnce() -> T> Value for AsIs<F> {
    #[inline(always)]
    unsafe fn write(self, record: *mut u8, offset: usize) {
        // SAFETY: By the caller's promise. A record is aligned to four bytes only.
        unsafe { record.add(offset).cast::<T>().write_unaligned((self.0)()) };
    }
}

/// A type that `DynArray` and arrays can have as element.
///
/// # Safety
///
/// As for [`Field`]. It must have no padding.
pub unsafe trait Scalar: Field<Slot = Self> + Copy {}

macro_rules! scalar {
    ($($ty:ty, $name:literal, $signed:literal;)*) => {$(
        // SAFETY: An integer.
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

        // SAFETY: An integer.
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
        // SAFETY: A pointer.
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

/// A field that is a struct. It may have no padding, which would show old memory to the reader.
///
/// C: `__field_struct()`. Its C type is written behind the Rust one: `Struct<Pair> as "struct
/// pair"`.
pub struct Struct<T>(PhantomData<T>);

// SAFETY: The struct itself; the trait says that every byte of it is initialised.
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

// SAFETY: The array itself. An element has no padding.
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

/// A value that is copied from where it is.
pub struct Copied<'a, T>(&'a T);

impl<T: Copy> Value for Copied<'_, T> {
    #[inline(always)]
    unsafe fn write(self, record: *mut u8, offset: usize) {
        // SAFETY: By the caller's promise.
        unsafe { record.add(offset).cast::<T>().write_unaligned(*self.0) };
    }
}

/// A string that is cut to what fits `N` characters with a NUL. The rest is zeroed.
///
/// C: `strscpy_pad()`.
pub struct Cut<'a, const N: usize>(&'a [u8]);

impl<const N: usize> Value for Cut<'_, N> {
    #[inline(always)]
    unsafe fn write(self, record: *mut u8, offset: usize) {
        let len = self.0.len().min(N.saturating_sub(1));
        // SAFETY: By the caller's promise; `len` is less than `N`, unless that is 0.
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

/// A field whose data lies behind the fields; the field itself says where, and how long it is.
///
/// # Safety
///
/// The constants must describe what a [`Source`] for it copies.
pub unsafe trait Dynamic {
    /// C's name of the type, or of the element's.
    const NAME: &'static str;
    /// What C adds to the name.
    const SUFFIX: &'static str = "[]";
    /// Whether the element has a sign.
    const SIGNED: bool = false;
    /// What the print template makes of it.
    const KIND: Kind;
}

/// A [`Dynamic`] field that a `V` can be assigned to.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be assigned a `{V}`",
    label = "the expression has type `{V}`"
)]
pub trait From<V>: Dynamic {
    /// Where the data comes from.
    type Source: Source;

    /// Takes the value.
    fn source(value: V) -> Self::Source;
}

/// Data on its way to the record.
pub trait Source {
    /// Returns how many bytes there will be.
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

/// A location that counts from behind itself. C: `__rel_loc`.
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

/// Data and where it goes.
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
        // `record` lets no record through in which one of the halves would overflow.
        let location = (self.source.len() << 16 | self.at.wrapping_sub(from)) as u32;
        // SAFETY: By the caller's promise.
        unsafe {
            record.add(offset).cast::<u32>().write_unaligned(location);
            self.source.copy(record.add(self.at));
        }
    }
}

/// A string, whose NUL is part of the data.
///
/// Without a string, the record says `(null)`.
pub struct Str;

// SAFETY: Characters.
unsafe impl Dynamic for Str {
    const NAME: &'static str = "char";
    const KIND: Kind = Kind::Str;
}

/// A string on its way to the record.
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
        // SAFETY: `new` took both from a slice, which outlives the call of the probe.
        unsafe {
            copy_nonoverlapping(self.str, to, self.len);
            to.add(self.len).write(0);
        }
    }
}

/// `CStr::to_bytes()`, without its check of the subtraction.
#[inline(always)]
fn bytes_of(str: &CStr) -> &[u8] {
    let bytes = str.to_bytes_with_nul();
    // SAFETY: One less than there are, since the NUL is one.
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

// SAFETY: Elements without padding.
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

/// Bytes on their way to the record.
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
        // SAFETY: Whoever made this took both from memory that outlives the call of the probe.
        unsafe { copy_nonoverlapping(self.bytes, to, self.len) };
    }
}

/// A socket address. IPv4 and IPv6 can be shown; without a family there is `AF_UNSPEC`.
pub struct SockAddr;

// SAFETY: Bytes.
unsafe impl Dynamic for SockAddr {
    const NAME: &'static str = "u8";
    const KIND: Kind = Kind::SockAddr;
}

impl From<&[u8]> for SockAddr {
    type Source = Bytes;

    #[inline(always)]
    fn source(value: &[u8]) -> Bytes {
        // Readers look at the family whatever the length: AF_UNSPEC.
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
    /// Takes the first `bits` bits, rounded up to words, of which there are no more than in `words`.
    #[inline(always)]
    pub fn new(words: &'a [usize], bits: usize) -> Self {
        let n = bits.div_ceil(usize::BITS as usize);
        Self {
            bytes: DynArray::source(words.get(..n).unwrap_or(words)),
            _words: PhantomData,
        }
    }

    /// Takes the first `bits` bits of a mask of CPUs.
    #[inline(always)]
    pub fn of_cpumask(mask: &'a Cpumask, bits: usize) -> Self {
        let words = bits.min(nr_cpumask_bits()).div_ceil(usize::BITS as usize);
        Self {
            // As many words as a cpumask has at least (include/linux/cpumask.h). No slice of them:
            // others may write to them while they are copied, as in `__assign_cpumask()`
            // (include/trace/stages/stage6_event_callback.h), which is a memcpy().
            bytes: Bytes {
                bytes: core::ptr::from_ref(mask).cast(),
                len: words * size_of::<usize>(),
            },
            _words: PhantomData,
        }
    }
}

// SAFETY: Words.
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

/// Returns how many bits of a cpumask count. C: `nr_cpumask_bits`.
#[inline(always)]
pub fn nr_cpumask_bits() -> usize {
    // SAFETY: Set at boot and constant since (kernel/smp.c).
    unsafe { bindings::nr_cpu_ids as usize }
}

/// Returns how many CPUs there can be. C: `num_possible_cpus()`.
#[inline(always)]
pub fn num_possible_cpus() -> usize {
    // SAFETY: Set at boot and constant since (kernel/cpu.c).
    unsafe { bindings::__num_possible_cpus as usize }
}

// SAFETY: Words.
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

/// Text that is formatted when the event happens, up to 511 bytes.
///
/// C: `__vstring()`, `__assign_vstr()`.
pub struct Formatted;

// SAFETY: Characters.
unsafe impl Dynamic for Formatted {
    const NAME: &'static str = "char";
    const KIND: Kind = Kind::Str;
}

/// C: `TRACE_EVENT_STR_MAX`.
const STR_MAX: usize = 512;

/// Text that is to be formatted.
pub struct FormattedSource<'a> {
    text: fmt::Arguments<'a>,
    len: usize,
}

/// Counts what is written to it.
struct Count(usize);

impl fmt::Write for Count {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.saturating_add(text.len());
        Ok(())
    }
}

/// Writes until the space is full.
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
            // INVARIANT: `n` bytes less, `n` bytes on.
            self.to = self.to.add(n);
        }
        self.left -= n;
        Ok(())
    }
}

/// Returns the space that the text needs with its NUL, up to `MAX` bytes.
// Generic, as is the next: a module that has no such field has neither.
#[inline(never)]
fn text_len<const MAX: usize>(text: fmt::Arguments<'_>) -> usize {
    let mut count = Count(0);
    _ = fmt::write(&mut count, text);
    count.0.min(MAX - 1) + 1
}

/// Writes the text to `len` bytes, which are at most `MAX`, and ends it there.
///
/// # Safety
///
/// `to` must be valid for writes of `len` bytes, and there must be one.
#[inline(never)]
unsafe fn write_text<const MAX: usize>(text: fmt::Arguments<'_>, to: *mut u8, len: usize) {
    debug_assert!((1..=MAX).contains(&len));
    // INVARIANT: By the caller's promise.
    let mut write = Write { to, left: len - 1 };
    _ = fmt::write(&mut write, text);
    // What is formatted twice can come out shorter.
    // SAFETY: One byte more than `left`.
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
        // SAFETY: By the caller's promise.
        unsafe { write_text::<STR_MAX>(self.text, to, self.len) }
    }
}
