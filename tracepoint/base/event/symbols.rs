// SPDX-License-Identifier: GPL-2.0

//! Tables that give values a name.
//!
//! Both the library and its procedural macros include this file. It doesn't need a kernel.
//!
//! C header: [`include/linux/trace_events.h`](srctree/include/linux/trace_events.h)

use crate::base::text::Text;
use core::{ffi::CStr, marker::PhantomData};

/// A value and its name.
///
/// C: `struct trace_print_flags`.
#[derive(Clone, Copy)]
pub struct Symbol<'a> {
    value: u64,
    /// Points to a C string.
    name: *const u8,
    of: PhantomData<&'a CStr>,
}

// SAFETY: As for `&CStr`, which `name` is a thin form of.
unsafe impl Sync for Symbol<'_> {}

// SAFETY: As above.
unsafe impl Send for Symbol<'_> {}

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
    const fn as_bytes(&self) -> &'a [u8] {
        // SAFETY: The C string lives for `'a` and is that long.
        unsafe { core::slice::from_raw_parts(self.name, self.len()) }
    }

    /// Adds the name to the `print fmt`, in quotes.
    pub(super) const fn write_name<const N: usize>(&self, text: Text<N>) -> Text<N> {
        let name = self.as_bytes();
        text.byte(b'"').part(name, 0, name.len()).byte(b'"')
    }

    /// Adds the symbol to a table in the `print fmt`.
    pub const fn write<const N: usize>(&self, text: Text<N>, size: usize) -> Text<N> {
        entry(text, self.value, size, self.as_bytes())
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

impl Range<'_> {
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
    pub delimiter: Option<&'a str>,
    /// The names of whole values, which come first: of no flags, of `None`, of a range.
    pub special: &'a [Range<'a>],
    /// The name of all values that have no other.
    pub other: Option<Symbol<'a>>,
}

/// The highest of 64 bits. Tools take a flag that includes it for a negative number, and don't show
/// it (`print_str_arg()` of libtraceevent).
pub(super) const HIGHEST: u64 = 1 << 63;

/// What stands for [`HIGHEST`] if there is no other flag. If it is set, too, the number is shown.
pub(super) const SECOND_HIGHEST: u64 = 1 << 62;

/// No symbol of a table.
const NONE: usize = usize::MAX;

impl Table<'_> {
    /// Whether C's helper shows all of it.
    pub const fn is_plain(&self, size: usize) -> bool {
        self.special.is_empty() && self.other.is_none() && !self.has_highest(size)
    }

    /// Whether a flag includes [`HIGHEST`].
    pub const fn has_highest(&self, size: usize) -> bool {
        let mut i = 0;
        while i < self.symbols.len() {
            if self.delimiter.is_some() && self.symbols[i].value(size) & HIGHEST != 0 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Writes the names of `number` as the `print fmt` contains them, if a flag includes [`HIGHEST`]:
    /// tells tools apart whether that flag is set, and if so, shows it as another bit.
    pub(super) const fn write_highest<const N: usize>(
        &self,
        mut text: Text<N>,
        number: &str,
    ) -> Result<Text<N>, &'static str> {
        let (mut i, mut choices) = (0, 0);
        while i < self.symbols.len() {
            let mask = self.symbols[i].value;
            if mask & HIGHEST != 0 {
                let alone = mask == HIGHEST && self.symbols.len() == 1;
                let looked_at = mask | if alone { SECOND_HIGHEST } else { 0 };
                text = text.str("((").str(number).str(" & 0x").hex(looked_at);
                text = text.str(") == 0x").hex(mask).str(") ? ");
                text = if alone {
                    self.write_flags(text, number, SECOND_HIGHEST, (i, SECOND_HIGHEST), NONE)
                } else if mask != HIGHEST {
                    if self.overlaps(mask & !HIGHEST, i, NONE) {
                        return Err("a flag that includes the highest of 64 bits must come before those that it overlaps");
                    }
                    self.write_flags(text, number, 0, (i, mask & !HIGHEST), NONE)
                } else {
                    // Only a bit that's certain can stand for it, and so its neighbor's does: where
                    // both are set, both names are that bit's.
                    let next = self.neighbor(i);
                    if next == NONE {
                        return Err("the flag of the highest of 64 bits needs a flag of only one other bit beside it");
                    }
                    let bit = self.symbols[next].value;
                    text = text.str("((").str(number).str(" & 0x").hex(bit).str(") ? ");
                    text = self.write_flags(text, number, 0, (i, 0), next).str(" : ");
                    self.write_flags(text, number, bit, (i, bit), next).byte(b')')
                }
                .str(" : (");
                choices += 1;
            }
            i += 1;
        }
        text = self.write_flags(text, number, 0, (NONE, 0), NONE);
        while choices > 0 {
            text = text.byte(b')');
            choices -= 1;
        }
        Ok(text)
    }

    /// Whether one of the first `count` flags without [`HIGHEST`] has one of the bits. `except` is
    /// another one.
    const fn overlaps(&self, bits: u64, count: usize, except: usize) -> bool {
        let mut i = 0;
        while i < count {
            let mask = self.symbols[i].value;
            if i != except && mask & HIGHEST == 0 && mask & bits != 0 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Returns a flag beside another one that has only one bit, which no other has.
    const fn neighbor(&self, i: usize) -> usize {
        let mut n = i.saturating_sub(1);
        while n <= i + 1 && n < self.symbols.len() {
            let mask = self.symbols[n].value;
            let is_alone = !self.overlaps(mask, self.symbols.len(), n);
            if mask != HIGHEST && mask.is_power_of_two() && is_alone {
                return n;
            }
            n += 1;
        }
        NONE
    }

    /// Writes the flags of `number`, with the bits `set`, to the `print fmt`. Of those that include
    /// [`HIGHEST`], only `shown.0` is set. It is shown as the bits `shown.1`, and its neighbor isn't
    /// then; or if there are none, together with its neighbor.
    const fn write_flags<const N: usize>(
        &self,
        text: Text<N>,
        number: &str,
        set: u64,
        shown: (usize, u64),
        neighbor: usize,
    ) -> Text<N> {
        let (first, bits) = shown;
        // Without any flag, tools have only the number to show.
        let is_empty = bits == 0 && !self.overlaps(!HIGHEST, self.symbols.len(), NONE);
        let mut text = helper_of_table(text, !is_empty);
        text = match (first, set) {
            (NONE, _) => text.str(number),
            (_, 0) => text.str(number).str(" & 0x").hex(!HIGHEST),
            _ => text
                .byte(b'(')
                .str(number)
                .str(" & 0x")
                .hex(!HIGHEST)
                .str(") | 0x")
                .hex(set),
        };
        if is_empty {
            return text.str(", { 0x0, \"\" })");
        }
        text = delimiter(text, self.delimiter);
        let between = match self.delimiter {
            Some(delimiter) => delimiter,
            None => "",
        };
        let mut i = 0;
        while i < self.symbols.len() {
            let symbol = &self.symbols[i];
            if i == first && bits != 0 {
                text = entry(text, bits, 8, symbol.as_bytes());
            } else if i == neighbor && bits == 0 {
                let (a, b) = if i < first { (i, first) } else { (first, i) };
                let (a, b) = (self.symbols[a].as_bytes(), self.symbols[b].as_bytes());
                text = text.str(", { 0x").hex(symbol.value).str(", \"");
                text = text.part(a, 0, a.len()).str(between);
                text = text.part(b, 0, b.len()).str("\" }");
            } else if i != neighbor && symbol.value & HIGHEST == 0 {
                text = symbol.write(text, 8);
            }
            i += 1;
        }
        text.byte(b')')
    }
}

/// The table that comes with a type, an enum or a type of flags.
#[derive(Clone, Copy)]
pub struct TypeTable {
    /// The table.
    pub table: &'static Table<'static>,
    /// The table as the `print fmt` of an event contains it: what [`text`] returns. It is made once
    /// for the type, so that it can be copied for each event.
    pub text: &'static str,
    /// The number of the type in the descriptions for tools, or 0.
    pub names: u64,
}

/// Writes the helper that shows a number with a table, up to the number. The table's
/// [`delimiter`], its [symbols](Symbol::write) and a `)` follow the number.
pub(crate) const fn helper_of_table<const N: usize>(text: Text<N>, flags: bool) -> Text<N> {
    text.str(if flags {
        "__print_flags("
    } else {
        "__print_symbolic("
    })
}

/// Writes the delimiter of a table of flags.
pub(crate) const fn delimiter<const N: usize>(text: Text<N>, delimiter: Option<&str>) -> Text<N> {
    match delimiter {
        Some(delimiter) => text.str(", \"").str(delimiter).byte(b'"'),
        None => text,
    }
}

/// Writes a name in a table.
const fn entry<const N: usize>(text: Text<N>, value: u64, size: usize, name: &[u8]) -> Text<N> {
    text.str(", { 0x")
        .hex(truncate(value, size))
        .str(", \"")
        .part(name, 0, name.len())
        .str("\" }")
}

/// Returns the low `size` bytes of a value. Runs in the kernel, so it must not panic.
pub(crate) const fn truncate(value: u64, size: usize) -> u64 {
    let above = 64u32.wrapping_sub(8u32.wrapping_mul(size as u32));
    value & u64::MAX.wrapping_shr(above)
}

/// Checks a value in a table for a field of `size` bytes.
pub(crate) const fn check_value(
    value: i128,
    size: usize,
    flags: bool,
) -> Result<u64, &'static str> {
    let bits = 8 * size as u32;
    if value < -(1i128 << (bits - 1)) || value >= 1i128 << bits {
        return Err("the value doesn't fit into the field");
    }
    // The kernel shows the name of 0 with every value, tools with none.
    if flags && value == 0 {
        return Err("a flag can't be 0");
    }
    Ok(value as u64)
}

/// Returns a value for a table of a field of `size` bytes. Fails the build if the field can't have
/// it; `about` says which field that is.
#[track_caller]
pub const fn symbol_value(about: &str, value: i128, size: usize, flags: bool) -> u64 {
    match check_value(value, size, flags) {
        Ok(value) => value,
        Err(error) => {
            let text = Text::<300>::new().str(about).str(": ").str(error);
            panic!("{}", text.as_str());
        }
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
    symbol_value(about, last, size, false);
    if first > last {
        let text = Text::<300>::new().str(about).str(": ").str(EMPTY_RANGE);
        panic!("{}", text.as_str());
    }
    Range {
        first: Symbol::new(symbol_value(about, first, size, false), name),
        more: (last - first) as u64,
    }
}

/// What's wrong with a range without a value.
pub(crate) const EMPTY_RANGE: &str = "there's no value in the range";

/// Writes a table for a field of `size` bytes as the `print fmt` contains it.
pub(super) const fn write<const N: usize>(
    mut text: Text<N>,
    table: &Table<'_>,
    size: usize,
) -> Text<N> {
    text = delimiter(text, table.delimiter);
    let mut i = 0;
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

/// Returns a table as the `print fmt` contains it, for [`TypeTable::text`]. `N` must be
/// [`text_len`].
pub const fn text<const N: usize>(table: &Table<'_>, size: usize) -> [u8; N] {
    write(Text::new(), table, size).bytes()
}

/// Returns what [`text`] made as a string.
pub const fn as_str(text: &'static [u8]) -> &'static str {
    match core::str::from_utf8(text) {
        Ok(text) => text,
        Err(_) => panic!("a name isn't ASCII"),
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
) -> &'static Table<'static> {
    let error = match table {
        None => "the type has no names: derive `TraceEnum` or `TraceFlags`",
        Some(TypeTable { table, .. }) => {
            let mut fits = true;
            let mut i = 0;
            while i < table.symbols.len() {
                let value = table.symbols[i].value;
                let shift = 64 - 8 * size as u32;
                let extended = ((value << shift) as i64 >> shift) as u64;
                fits &= value == truncate(value, size) || value == extended;
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
