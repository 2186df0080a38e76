// SPDX-License-Identifier: GPL-2.0

//! Tables that give values a name.
//!
//! Both the crate and its procedural macros include this file, which doesn't need a kernel.
//!
//! C header: [`include/linux/trace_events.h`](srctree/include/linux/trace_events.h)

use crate::base::text::{fail, Text};
use core::{ffi::CStr, marker::PhantomData};

/// A value and its name.
///
/// C: `struct trace_print_flags`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Symbol<'a> {
    value: u64,
    /// Points to a C string.
    name: *const u8,
    of: PhantomData<&'a CStr>,
}

impl<'a> Symbol<'a> {
    /// Names a value.
    pub const fn new(value: u64, name: &'a CStr) -> Self {
        Self {
            value,
            name: name.to_bytes_with_nul().as_ptr(),
            of: PhantomData,
        }
    }

    /// Returns the value as it is in a field of `size` bytes, without a sign.
    pub const fn value(&self, size: usize) -> u64 {
        truncate(self.value, size)
    }

    /// Returns the name, a C string.
    pub const fn name(&self) -> *const u8 {
        self.name
    }

    // The kernel crate's function isn't `const`.
    #[allow(clippy::disallowed_methods)]
    pub(super) const fn as_c_str(&self) -> &'a CStr {
        // SAFETY: `new` has made `name` of a `&'a CStr`.
        unsafe { CStr::from_ptr(self.name.cast()) }
    }

    /// Adds the symbol to a table in the `print fmt`, for a number of `size` bytes.
    const fn write<const N: usize>(&self, text: Text<N>, size: usize) -> Text<N> {
        let text = text.str(", { 0x").hex(self.value(size)).str(", ");
        quoted(text, self.as_c_str(), c"").str(" }")
    }
}

/// Several values with one name.
#[derive(Clone, Copy)]
pub struct Range<'a> {
    /// The first value, and the name of all.
    pub first: Symbol<'a>,
    /// How many values follow the first.
    pub more: u64,
}

impl<'a> Range<'a> {
    /// Returns a range of one value.
    pub const fn one(value: u64, name: &'a CStr) -> Self {
        Self {
            first: Symbol::new(value, name),
            more: 0,
        }
    }

    /// Returns whether a number of `size` bytes is one of the values. Runs in the kernel, so it must not panic.
    pub const fn contains(&self, n: u64, size: usize) -> bool {
        truncate(n.wrapping_sub(self.first.value), size) <= self.more
    }
}

/// The names by which a field is shown.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// The values and their names.
    pub symbols: &'a [Symbol<'a>],
    /// The text between two names of a value that consists of flags (`__print_flags()`), or `None`
    /// if a value has one name (`__print_symbolic()`).
    pub delimiter: Option<&'a CStr>,
    /// The names of whole values, which come first: of no flags, of `None`, of a range.
    pub special: &'a [Range<'a>],
    /// The name of all values that have no other.
    pub other: Option<&'a CStr>,
}

/// The highest of 64 bits. Tools take it for a negative number in a table of flags, and don't show its name
/// (`print_str_arg()` of libtraceevent). So it's shown by itself, before all others.
pub(super) const HIGHEST: u64 = 1 << 63;

impl Table<'_> {
    /// Returns the flag that is [`HIGHEST`] in a field of `size` bytes. It's the first one.
    pub const fn highest(&self, size: usize) -> Option<&Symbol<'_>> {
        match (self.delimiter, self.symbols) {
            (Some(_), [first, ..]) if first.value(size) == HIGHEST => Some(first),
            _ => None,
        }
    }
}

/// Returns the low `size` bytes of a value. Runs in the kernel, so it must not panic.
pub(crate) const fn truncate(value: u64, size: usize) -> u64 {
    let above = 64u32.wrapping_sub(8u32.wrapping_mul(size as u32));
    value & u64::MAX.wrapping_shr(above)
}

/// Fails the build because of `error`, which `about` introduces.
#[track_caller]
const fn refuse(about: &str, error: &str) -> ! {
    fail(&[about, ": ", error])
}

/// Returns whether a number of `size` bytes, with or without a sign, can have a value.
const fn fits(value: i128, size: usize) -> bool {
    let bits = 8 * size as u32;
    -(1i128 << (bits - 1)) <= value && value < 1i128 << bits
}

/// Returns a value for a table of a field of `size` bytes. Fails the build if the field can't have
/// it; `about` says which field that is. `flag` is the number of a flag.
#[track_caller]
pub const fn symbol_value(about: &str, value: i128, size: usize, flag: Option<usize>) -> u64 {
    if !fits(value, size) {
        refuse(about, "the value doesn't fit into the field");
    }
    let value = value as u64;
    match (flag, value, size) {
        // The kernel shows the name of 0 with every value, tools with none.
        (Some(_), 0, _) => refuse(
            about,
            "a flag can't be 0: to name the absence of flags, write the literal 0",
        ),
        (Some(0), HIGHEST, 8) => value,
        (Some(_), HIGHEST.., 8) => refuse(
            about,
            "a flag with the highest of 64 bits must be the first, and have no other bit",
        ),
        // C's helper for flags compares all bits.
        (Some(_), ..) => truncate(value, size),
        _ => value,
    }
}

/// Returns a range for a table of a field of `size` bytes. Fails the build if the field can't have all of it.
#[track_caller]
pub const fn range<'a>(
    about: &str,
    first: i128,
    last: i128,
    size: usize,
    name: &'a CStr,
) -> Range<'a> {
    symbol_value(about, last, size, None);
    if first > last {
        refuse(about, "there's no value in the range");
    }
    Range {
        first: Symbol::new(symbol_value(about, first, size, None), name),
        more: (last - first) as u64,
    }
}

/// Writes a name in quotes, and with what follows it.
pub(super) const fn quoted<const N: usize>(text: Text<N>, name: &CStr, end: &CStr) -> Text<N> {
    let (name, end) = (name.to_bytes(), end.to_bytes());
    let text = text.byte(b'"').part(name, 0, name.len());
    text.part(end, 0, end.len()).byte(b'"')
}

/// Writes a table for a field of `size` bytes as the `print fmt` contains it.
pub(super) const fn write<const N: usize>(
    mut text: Text<N>,
    table: &Table<'_>,
    size: usize,
) -> Text<N> {
    if let Some(delimiter) = table.delimiter {
        text = quoted(text.str(", "), delimiter, c"");
    }
    let mut i = table.highest(size).is_some() as usize;
    if i == table.symbols.len() {
        // Tools need an entry.
        return Symbol::new(0, c"").write(text, size);
    }
    while i < table.symbols.len() {
        text = table.symbols[i].write(text, size);
        i += 1;
    }
    text
}

/// Returns the length of [`text`].
pub const fn text_len(table: &Table<'_>, size: usize) -> usize {
    write(Text::<0>::new(), table, size).len()
}

/// Returns a table as the `print fmt` contains it, for `Shape::text`. `N` must be
/// [`text_len`].
pub const fn text<const N: usize>(table: &Table<'_>, size: usize) -> [u8; N] {
    write(Text::new(), table, size).bytes()
}

/// Returns the table of a type, for a number of `size` bytes that an argument of a template looks up
/// in it.
#[track_caller]
pub const fn table_of(
    about: &str,
    table: Option<&'static Table<'static>>,
    flags: bool,
    size: usize,
) -> &'static Table<'static> {
    let table = match table {
        None => refuse(
            about,
            "the type has no names: derive `TraceEnum` or `TraceFlags`",
        ),
        Some(table) if table.delimiter.is_some() == flags => table,
        Some(_) if flags => refuse(about, "the type is an enum: use `print_symbolic`"),
        Some(_) => refuse(about, "the type has flags: use `print_flags`"),
    };
    let mut i = 0;
    while i < table.symbols.len() {
        if !fits(table.symbols[i].value as i64 as i128, size) {
            refuse(
                about,
                "the number has fewer bits than the values of the type",
            );
        }
        i += 1;
    }
    table
}
