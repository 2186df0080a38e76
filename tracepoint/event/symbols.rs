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

    /// Returns the length of the name.
    const fn len(&self) -> usize {
        let mut len = 0;
        // SAFETY: `name` is a C string, and its NUL isn't passed.
        while unsafe { *self.name.add(len) } != 0 {
            len += 1;
        }
        len
    }

    /// Returns the name.
    const fn as_bytes(&self) -> &'static [u8] {
        // SAFETY: The C string lives forever and is that long.
        unsafe { core::slice::from_raw_parts(self.name, self.len()) }
    }

    /// Adds the condition that a value is this one, and the name, to the `print fmt`.
    pub(super) const fn write_special<const N: usize>(
        &self,
        text: Text<N>,
        size: usize,
    ) -> Text<N> {
        let name = self.as_bytes();
        text.str(" == 0x")
            .hex(self.value(size))
            .str(") ? \"")
            .part(name, 0, name.len())
            .str("\" : ")
    }

    /// Adds the symbol to a table in the `print fmt`.
    const fn write<const N: usize>(&self, text: Text<N>, size: usize) -> Text<N> {
        show::symbol(text, self.value, size, self.as_bytes())
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
    /// The name of a whole value, whatever the others are: of no flags, or of `None`.
    pub special: Option<Symbol>,
}

/// The table that comes with a type, an enum or a type of flags.
#[derive(Clone, Copy)]
pub struct TypeTable {
    /// The table.
    pub table: &'static Table,
    /// The table as the `print fmt` of an event contains it: what [`text`] returns. It is made once
    /// for the type, so that it can be copied for each event.
    pub text: &'static str,
    /// The number of the type in the descriptions for tools, or 0.
    pub names: u64,
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
    special: None,
};

/// The table of [`ERRNO_TABLE`] as a type's own, for a field of four bytes.
pub(super) const ERRNO_TYPE: TypeTable = {
    const TEXT: [u8; text_len(&ERRNO_TABLE, 4)] = text(&ERRNO_TABLE, 4);
    TypeTable {
        table: &ERRNO_TABLE,
        text: as_str(&TEXT),
        names: 0,
    }
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

/// Returns a value that an enum of `size` bytes doesn't have, for `None`.
#[track_caller]
pub const fn none_of(about: &str, symbols: &[Symbol], size: usize) -> u64 {
    let mut none = show::truncate(u64::MAX, size);
    loop {
        let mut i = 0;
        while i < symbols.len() && symbols[i].value(size) != none {
            i += 1;
        }
        if i == symbols.len() {
            return none;
        }
        if none == 0 {
            let text = Text::<300>::new().str(about);
            let text = text.str(" has all values of its integer: none is left for `None`");
            panic!("{}", text.as_str());
        }
        none -= 1;
    }
}

/// Returns the table of a type, for a number of `size` bytes that an argument of a template looks up
/// in it.
#[track_caller]
pub const fn table_of(
    about: &str,
    table: Option<TypeTable>,
    flags: bool,
    size: usize,
) -> &'static Table {
    let error = match table {
        None => "the type has no names: declare it with `trace_enum!` or `trace_flags!`",
        Some(TypeTable { table, .. }) => {
            let mut fits = true;
            let mut i = 0;
            while i < table.symbols.len() {
                let value = table.symbols[i].value;
                let shift = 64 - 8 * size as u32;
                let extended = ((value << shift) as i64 >> shift) as u64;
                fits &= value == show::truncate(value, size) || value == extended;
                i += 1;
            }
            match (flags, table.delimiter) {
                (true, None) => "the type is an enum: use `print_symbolic`",
                (false, Some(_)) => "the type has flags: use `print_flags`",
                _ if !fits => "the number has fewer bits than the values of the type",
                _ => return table,
            }
        }
    };
    let text = Text::<300>::new().str(about).str(": ").str(error);
    panic!("{}", text.as_str());
}
