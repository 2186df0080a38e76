// SPDX-License-Identifier: GPL-2.0

//! The fields whose data follows the others in the record.

use super::{
    super::show::Kind,
    fixed::{bytes_of, Assign, Field, Scalar, Value},
    room::Room,
};
use crate::base::bindings;
use core::{ffi::CStr, fmt, marker::PhantomData, ptr::copy_nonoverlapping};
use kernel::cpumask::Cpumask;
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
