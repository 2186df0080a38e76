// SPDX-License-Identifier: GPL-2.0

//! Tables that give values a name.
//!
//! C header: [`include/linux/trace_events.h`](srctree/include/linux/trace_events.h)

use super::{errno::ERRNO, show};
use crate::text::Text;
use core::ffi::CStr;

/// A value and its name.
///
/// C: `struct trace_print_flags`.
#[derive(Clone, Copy)]
pub struct Symbol {
    value: u64,
    /// Points to a C string that lives forever.
    name: *const u8,
}

// SAFETY: `name` points to constant text.
unsafe impl Sync for Symbol {}

// SAFETY: As above.
unsafe impl Send for Symbol {}

impl Symbol {
    /// Names a value.
    pub const fn new(value: u64, name: &'static CStr) -> Self {
        Self {
            value,
            name: name.to_bytes_with_nul().as_ptr(),
        }
    }

    /// Returns the value as it is in a field of `size` bytes, without a sign.
    pub const fn value(&self, size: usize) -> u64 {
        show::truncate(self.value, size)
    }

    /// Returns the name, a C string.
    pub const fn name(&self) -> *const u8 {
        self.name
    }

    /// Adds the symbol to a table in the `print fmt`.
    const fn write<const N: usize>(&self, text: Text<N>, size: usize) -> Text<N> {
        let mut len = 0;
        // SAFETY: `name` is a C string, and its NUL isn't passed.
        while unsafe { *self.name.add(len) } != 0 {
            len += 1;
        }
        // SAFETY: The C string lives forever and is that long.
        let name = unsafe { core::slice::from_raw_parts(self.name, len) };
        show::symbol(text, self.value, size, name)
    }
}

/// The names by which a field is shown.
#[derive(Clone, Copy)]
pub struct Table {
    /// The values and their names.
    pub symbols: &'static [Symbol],
    /// The text between two names of a value that consists of flags (`__print_flags()`), or `None`
    /// if a value has one name (`__print_symbolic()`).
    pub delimiter: Option<&'static str>,
}

/// The table that comes with a type, an enum or a type of flags.
#[derive(Clone, Copy)]
pub struct TypeTable {
    /// The table.
    pub table: &'static Table,
    /// The table as the `print fmt` of an event contains it: what [`text`] returns. It is made once
    /// for the type, so that it can be copied for each event.
    pub text: &'static str,
}

/// The names of 0 and of negative error numbers.
const ERRNO_SYMBOLS: [Symbol; ERRNO.len() + 1] = {
    let mut symbols = [Symbol::new(0, c"0"); ERRNO.len() + 1];
    let mut i = 0;
    while i < ERRNO.len() {
        let (n, name) = ERRNO[i];
        symbols[i + 1] = Symbol::new((n as u64).wrapping_neg(), name);
        i += 1;
    }
    symbols
};

/// The table of `{field:errno}`, for fields of any size.
pub const ERRNO_TABLE: Table = Table {
    symbols: &ERRNO_SYMBOLS,
    delimiter: None,
};

/// Returns a value for a table of a field of `size` bytes. Fails the build if the field can't have
/// it; `about` says which field that is.
#[track_caller]
pub const fn symbol_value(about: &str, value: i128, size: usize, flags: bool) -> u64 {
    match show::check_value(value, size, flags) {
        Ok(value) => value,
        Err(error) => {
            let text = Text::<300>::new().str(about).str(": ").str(error);
            panic!("{}", text.as_str());
        }
    }
}

/// Writes a table for a field of `size` bytes as the `print fmt` contains it.
pub(super) const fn write<const N: usize>(
    mut text: Text<N>,
    table: &Table,
    size: usize,
) -> Text<N> {
    text = show::delimiter(text, table.delimiter);
    let mut i = 0;
    while i < table.symbols.len() {
        text = table.symbols[i].write(text, size);
        i += 1;
    }
    text
}

/// Returns the length of [`text`].
pub const fn text_len(table: &Table, size: usize) -> usize {
    write(Text::<0>::new(), table, size).len()
}

/// Returns a table as the `print fmt` contains it, for [`TypeTable::text`]. `N` must be
/// [`text_len`].
pub const fn text<const N: usize>(table: &Table, size: usize) -> [u8; N] {
    write(Text::new(), table, size).bytes()
}

/// Returns what [`text`] made as a string.
pub const fn as_str(text: &'static [u8]) -> &'static str {
    match core::str::from_utf8(text) {
        Ok(text) => text,
        Err(_) => panic!("a name isn't ASCII"),
    }
}
