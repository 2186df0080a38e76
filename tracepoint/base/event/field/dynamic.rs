// SPDX-License-Identifier: GPL-2.0

//! The fields whose data follows the others in the record.

use super::{
    super::{shape::Shape, show::Kind},
    fixed::{bytes_of, Scalar},
    macros::{assign, field, mark},
    room::Room,
    traits::{Assign, Field, Value},
};
use crate::base::bindings;
use core::{borrow::Borrow, ffi::CStr, fmt, marker::PhantomData, ptr::copy_nonoverlapping};
use kernel::cpumask::Cpumask;

/// A field whose data follows the fields of the record.
///
/// # Safety
///
/// As for [`Field`], with a `u32` as the slot.
pub unsafe trait Dynamic: Field<Slot = u32> {}

/// A field whose location is relative to its own end. C: `__rel_loc`.
pub struct Rel<T>(PhantomData<T>);

// SAFETY: The slot is a `u32` with a location, as that of `T`, and `place` knows where a relative
// one counts from.
field!(unsafe [T: Dynamic] Rel<T>, u32 => Shape { rel: true, ..T::SHAPE };);

// SAFETY: The value writes the data of a `T`. Only the location differs, which `place` writes.
assign!(unsafe [V, T: Dynamic + Assign<V>] Rel<T>, V => T::Value, |value| T::value(value););

macro_rules! dynamic {
    ($($(#[$doc:meta])* $ty:ident $(<$t:ident>)? => $shape:expr;)*) => {$(
        $(#[$doc])*
        pub struct $ty $(<$t>(PhantomData<$t>))?;

        // SAFETY: The slot is a `u32`, as these kinds require, and the data consists of numbers
        // without padding.
        field!(unsafe [$($t: Scalar)?] $ty $(<$t>)?, u32 => $shape;);
        // SAFETY: The slot is a `u32`: that of the implementation of `Field` above.
        mark!(unsafe Dynamic: [$($t: Scalar)?] $ty $(<$t>)?;);
    )*};
}

dynamic! {
    /// A string. Its data includes the NUL.
    ///
    /// Without a string, the record says `(null)`. C: `__string()`, `__string_len()`.
    Str => Shape::new("char", Kind::Str, "");

    /// Text that is formatted when the event fires, up to 511 bytes, or less in an event that computes
    /// more than two fields. The macro knows it by this name only.
    ///
    /// C: `__vstring()`, `__assign_vstr()`.
    Formatted => Shape::new("char", Kind::Str, "");

    /// An array of any length. C: `__dynamic_array()`.
    DynArray<T> => T::SHAPE.elements(None);

    /// A socket address. IPv4 and IPv6 addresses can be printed. A value too short to contain a
    /// family is recorded as `AF_UNSPEC`. C: `__sockaddr()`.
    SockAddr => Shape::new("u8", Kind::SockAddr, "");

    /// A bit mask, of [`Bits`]. C: `__bitmask()`.
    Bitmask => Shape::new("unsigned long", Kind::Mask, "");
}

// SAFETY: The slot is a `u32`, as the kind requires, and the data is made of words.
field!(unsafe [] Cpumask, u32, "cpumask_t", Kind::Mask, "";);

// SAFETY: The slot is a `u32`: that of the implementation of `Field` above.
mark!(unsafe Dynamic: [] Cpumask;);

/// Bytes to be copied to the record.
///
/// # Invariants
///
/// `bytes` is valid for reads of `len` bytes for `'a`.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Bytes<'a> {
    bytes: *const u8,
    len: usize,
    /// Whether a NUL follows. It isn't copied: the text may have changed since it was measured.
    is_text: bool,
    _bytes: PhantomData<&'a [u8]>,
}

impl<'a> Bytes<'a> {
    /// The caller must keep the type's invariant.
    #[inline(always)]
    fn raw(bytes: *const u8, len: usize, is_text: bool) -> Self {
        Self {
            bytes,
            len,
            is_text,
            _bytes: PhantomData,
        }
    }

    #[inline(always)]
    fn new<T: Scalar>(elements: &'a [T]) -> Self {
        Self::raw(elements.as_ptr().cast(), size_of_val(elements), false)
    }

    #[inline(always)]
    fn text(text: &'a [u8]) -> Self {
        Self::raw(text.as_ptr(), text.len(), true)
    }
}

// SAFETY: As many bytes are written as `len` returns.
unsafe impl Value for Bytes<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len.wrapping_add(usize::from(self.is_text))
    }

    #[inline(always)]
    unsafe fn write(&self, to: *mut u8) {
        // SAFETY: The caller promises room for as many bytes as `len` returns. By the type's
        // invariant, `self.len` bytes can be read.
        unsafe {
            copy_nonoverlapping(self.bytes, to, self.len);
            if self.is_text {
                *to.add(self.len) = 0;
            }
        }
    }
}

// SAFETY: The data is the bytes.
assign! {
    unsafe ['a, T: Scalar] DynArray<T>, &'a [T] => Bytes<'a>, |value| Bytes::new(value);
    // Readers access the family regardless of the length, so record AF_UNSPEC.
    unsafe ['a] SockAddr, &'a [u8] => Bytes<'a>,
        |value| Bytes::new(if value.len() < 2 { &[0, 0] } else { value });
    unsafe ['a] Bitmask, Bits<'a> => Bytes<'a>, |value| value.0;
    unsafe ['a] Cpumask, &'a Cpumask => Bytes<'a>, |value| Bits::of_cpumask(value, usize::MAX).0;
}

/// C: `EVENT_NULL_STR`.
const NULL_STR: &[u8] = b"(null)";

// SAFETY: The data is text with a NUL.
assign! {
    unsafe ['a] Str, &'a CStr => Bytes<'a>, |value| Bytes::text(bytes_of(value));
    unsafe ['a] Str, &'a str => Bytes<'a>, |value| Bytes::text(value.as_bytes());
    unsafe ['a] Str, &'a [u8] => Bytes<'a>, |value| Bytes::text(value);
    unsafe ['a] Str, Option<&'a CStr> => Bytes<'a>,
        |value| Bytes::text(value.map_or(NULL_STR, bytes_of));
    unsafe ['a] Str, Option<&'a str> => Bytes<'a>,
        |value| Bytes::text(value.map_or(NULL_STR, str::as_bytes));
    unsafe ['a] Str, Option<&'a [u8]> => Bytes<'a>, |value| Bytes::text(value.unwrap_or(NULL_STR));
}

/// The bits of a [`Bitmask`] field. Any context.
#[derive(Clone, Copy)]
pub struct Bits<'a>(Bytes<'a>);

impl<'a> Bits<'a> {
    /// Takes the first `bits` bits of `words`, rounded up to whole words; if `words` is shorter,
    /// all of it.
    #[inline(always)]
    pub fn new(words: &'a [usize], bits: usize) -> Self {
        let n = bits.div_ceil(usize::BITS as usize);
        Self(Bytes::new(words.get(..n).unwrap_or(words)))
    }

    /// Takes the first `bits` bits of a CPU mask.
    #[inline(always)]
    pub fn of_cpumask(mask: &'a Cpumask, bits: usize) -> Self {
        // INVARIANT: A cpumask has at least this many words (include/linux/cpumask.h). Not a slice, since
        // the words can be modified while they are copied, as with the memcpy() in
        // `__assign_cpumask()` (include/trace/stages/stage6_event_callback.h).
        let words = bits.min(nr_cpumask_bits()).div_ceil(usize::BITS as usize);
        let mask = core::ptr::from_ref(mask).cast();
        Self(Bytes::raw(mask, words * size_of::<usize>(), false))
    }
}

/// Returns the number of significant bits in a cpumask. Any context. C: `nr_cpumask_bits`.
#[inline(always)]
pub fn nr_cpumask_bits() -> usize {
    kernel::cpu::nr_cpu_ids() as usize
}

/// Returns the number of possible CPUs. Any context. C: `num_possible_cpus()`.
#[inline(always)]
pub fn num_possible_cpus() -> usize {
    // SAFETY: `__num_possible_cpus` (kernel/cpu.c) is set at boot, and constant from then on.
    unsafe { bindings::__num_possible_cpus as usize }
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

impl<const SIZE: usize> Room<SIZE> {
    /// Formats the text of a [`Formatted`]. The macro calls this before the record is reserved, since it runs code of
    /// the driver.
    #[inline(always)]
    pub fn format<'a>(&self, text: impl Borrow<fmt::Arguments<'a>>) -> Bytes<'_> {
        let (bytes, len) = self.write(text.borrow());
        // INVARIANT: Written there, and nobody else gets these bytes while the room is borrowed.
        Bytes::raw(bytes, len, true)
    }

    /// Formats a text and returns where it is and its length. With its NUL, it takes a share of the room.
    // A module without such a field doesn't contain it.
    #[inline(never)]
    fn write(&self, text: &fmt::Arguments<'_>) -> (*const u8, usize) {
        let share = self.take();
        let size = share.1.saturating_sub(1);
        // INVARIANT: Nobody else has these bytes.
        let mut formatter = Formatter {
            to: share.0,
            left: size,
        };
        // If it fails, what has been written is recorded.
        _ = fmt::write(&mut formatter, *text);
        let len = size.wrapping_sub(formatter.left);
        self.keep(share, len);
        (share.0, len)
    }
}

// SAFETY: The data is text with a NUL.
assign!(unsafe ['a] Formatted, Bytes<'a> => Bytes<'a>, |value| Bytes { is_text: true, ..value };);
