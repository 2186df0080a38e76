// SPDX-License-Identifier: GPL-2.0

//! How a field is shown.
//!
//! This is the one place that decides how `{field:spec}` prints, and that writes the three forms
//! of the result: the conversion in the `print fmt`, the argument of the `print fmt`, and the
//! instruction that [`print`](super::print) runs.
//!
//! Both the library and its procedural macros include this file. The macros call it for fields
//! whose type they know by name. For other types, such as an alias or an enum of the driver's, the
//! expansion calls it in a constant. It doesn't need a kernel.

use crate::text::{equal, starts_with, Text};

/// What a field is made of.
#[derive(Clone, Copy)]
pub enum Kind {
    /// An integer, or a type that C prints as one.
    Int {
        /// The size in bytes.
        size: usize,
        /// Whether it is signed.
        signed: bool,
    },
    /// A pointer. It is shown as a number, because the record contains the number.
    Pointer,
    /// A fixed number of characters, up to a NUL.
    Chars {
        /// The number of characters.
        len: usize,
    },
    /// A fixed number of integers.
    Array {
        /// The size of an element.
        size: usize,
        /// The number of elements.
        len: usize,
    },
    /// Bytes that only `print_hex` can show.
    Bytes {
        /// The number of bytes.
        len: usize,
    },
    /// A string of any length.
    Str,
    /// Any number of integers.
    DynArray {
        /// The size of an element.
        size: usize,
    },
    /// A bit mask.
    Mask,
    /// A `struct sockaddr`.
    SockAddr,
}

impl Kind {
    /// Returns the kind of a field whose elements are `char` in C. In Rust they are bytes.
    pub const fn chars(self) -> Self {
        match self {
            Kind::Array { size: 1, len } => Kind::Chars { len },
            kind => kind,
        }
    }

    /// Returns whether it is a number, which a table can name.
    pub const fn is_number(&self) -> bool {
        matches!(self, Kind::Int { .. } | Kind::Pointer)
    }

    /// Returns the size of a number.
    pub const fn number_size(&self) -> usize {
        match self {
            Kind::Int { size, .. } => *size,
            _ => 8,
        }
    }

    /// Returns a number that no other kind has. Arrays of bytes and of characters share one.
    pub const fn code(&self, rel: bool) -> u64 {
        let (tag, size, len) = match *self {
            Kind::Int { size, signed } => (signed as u64, size, 0),
            Kind::Pointer => (2, 0, 0),
            Kind::Chars { len } => (3, 1, len),
            Kind::Array { size, len } => (3, size, len),
            Kind::Bytes { len } => (4, 1, len),
            Kind::Str => (5, 0, 0),
            Kind::DynArray { size } => (6, size, 0),
            Kind::Mask => (7, 0, 0),
            Kind::SockAddr => (8, 0, 0),
        };
        tag | (rel as u64) << 4 | (size as u64) << 8 | (len as u64) << 16
    }

    /// Returns the size of an integer, and whether it's signed, from its [`Kind::code`].
    pub const fn integer_of(code: u64) -> (usize, bool) {
        ((code >> 8 & 0xff) as usize, code & 1 != 0)
    }

    /// Returns the size of a field whose data is in the field itself.
    const fn fixed_len(&self) -> Option<usize> {
        match *self {
            Kind::Bytes { len } | Kind::Chars { len } => Some(len),
            Kind::Array { size, len } => Some(size * len),
            _ => None,
        }
    }

    /// Returns whether the field only says where its data is.
    pub const fn is_dynamic(&self) -> bool {
        matches!(
            self,
            Kind::Str | Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr
        )
    }
}

/// The layout of a number or a string: the part of `{field:spec}` after the colon.
///
/// ```text
/// spec = [ "<" | ">" ] [ "+" ] [ "#" ] [ "0" ] [ width ] [ "." precision ] [ "x" | "X" | "o" ]
/// ```
#[derive(Clone, Copy)]
pub struct Spec {
    left: bool,
    right: bool,
    plus: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    conversion: u8,
}

/// The kernel's `vsnprintf()` takes no larger precision (`PRECISION_MAX`, lib/vsprintf.c).
const WIDTH_MAX: usize = 32767;

impl Spec {
    /// Parses a layout in Rust's syntax.
    pub const fn parse(text: &str) -> Result<Self, &'static str> {
        let bytes = text.as_bytes();
        let mut spec = Self {
            left: false,
            right: false,
            plus: false,
            alternate: false,
            zero: false,
            width: 0,
            precision: None,
            conversion: b'd',
        };
        let mut i = 0;
        if i < bytes.len() && (bytes[i] == b'<' || bytes[i] == b'>') {
            spec.left = bytes[i] == b'<';
            spec.right = !spec.left;
            i += 1;
        }
        if i < bytes.len() && bytes[i] == b'+' {
            spec.plus = true;
            i += 1;
        }
        if i < bytes.len() && bytes[i] == b'#' {
            spec.alternate = true;
            i += 1;
        }
        if i < bytes.len() && bytes[i] == b'0' {
            spec.zero = true;
            i += 1;
        }
        (spec.width, i) = digits(bytes, i);
        if i + 1 < bytes.len() && bytes[i] == b'.' {
            let precision;
            (precision, i) = digits(bytes, i + 1);
            spec.precision = Some(precision);
        }
        if i < bytes.len() && matches!(bytes[i], b'x' | b'X' | b'o') {
            spec.conversion = bytes[i];
            i += 1;
        }
        if i < bytes.len() {
            return Err("there is no such layout");
        }
        if spec.width > WIDTH_MAX || matches!(spec.precision, Some(WIDTH_MAX..)) {
            return Err("a width or a precision must be less than 32767");
        }
        if spec.alternate && !matches!(spec.conversion, b'x' | b'X') {
            return Err("`#` is for hexadecimal numbers");
        }
        if spec.plus && spec.conversion != b'd' {
            return Err("`+` is for decimal numbers");
        }
        if spec.left && spec.zero {
            return Err("a number on the left can't be padded with zeros");
        }
        Ok(spec)
    }
}

/// Reads a number at `i`. Returns it and where it ends.
const fn digits(bytes: &[u8], mut i: usize) -> (usize, usize) {
    let mut n = 0usize;
    while i < bytes.len() && bytes[i].is_ascii_digit() {
        n = n
            .saturating_mul(10)
            .saturating_add((bytes[i] - b'0') as usize);
        i += 1;
    }
    (n, i)
}

/// How bytes are shown.
#[derive(Clone, Copy)]
pub enum Hex {
    /// `00 01 02`
    Spaced,
    /// `000102`
    Concatenated,
    /// Lines of sixteen bytes, each with its offset and its characters.
    Dump,
}

impl Hex {
    /// Returns the style that the operand of an instruction stands for.
    pub const fn from_operand(operand: u8) -> Self {
        match operand {
            0 => Hex::Spaced,
            1 => Hex::Concatenated,
            _ => Hex::Dump,
        }
    }
}

/// How a field is shown.
#[derive(Clone, Copy)]
pub enum Show {
    /// As a number.
    Number(Spec),
    /// As the text in an array of characters.
    Chars(Spec),
    /// As a string.
    Str(Spec),
    /// As integers in braces.
    Array,
    /// As bytes.
    Hex(Hex),
    /// As a mask, in groups of 32 bits.
    Groups,
    /// As a mask, by the numbers of its bits.
    List,
    /// As a socket address.
    SockAddr,
    /// The length of its data.
    Len,
    /// The seconds of a number of nanoseconds.
    Secs,
    /// The nanoseconds without the seconds.
    Nanoseconds,
    /// By the names in a table.
    Table,
}

impl Show {
    /// Decides how `{field:spec}` shows a field. `table` is whether its type has a table.
    ///
    /// `spec` is a layout, see [`Spec`], or a helper: `print_hex`, `print_hex_str`,
    /// `print_hex_dump`, `print_array`, `print_ns_to_secs`, `print_ns_without_secs`, `list` or
    /// `len`.
    pub const fn new(kind: Kind, table: bool, spec: &str) -> Result<Self, &'static str> {
        let bytes = spec.as_bytes();
        if bytes.len() > 1 && bytes[0].is_ascii_lowercase() {
            return helper(kind, spec);
        }
        let mut parsed = match Spec::parse(spec) {
            Ok(spec) => spec,
            Err(error) => return Err(error),
        };
        match kind {
            Kind::Int { .. } | Kind::Pointer => {
                if table && spec.is_empty() {
                    return Ok(Show::Table);
                }
                if parsed.precision.is_some() {
                    return Err("a number has no precision");
                }
                if parsed.plus && !matches!(kind, Kind::Int { signed: true, .. }) {
                    return Err("`+` is for signed numbers");
                }
                // `printf` would put the spaces between the prefix and the number.
                let prefix =
                    parsed.alternate || matches!(kind, Kind::Pointer) && parsed.conversion == b'd';
                if prefix && parsed.width > 0 && !parsed.zero && !parsed.left {
                    return Err("a number with a `0x` needs a `0` or a `<` before its width");
                }
                Ok(Show::Number(parsed))
            }
            Kind::Chars { .. } | Kind::Str => {
                if parsed.conversion != b'd' || parsed.zero || parsed.plus || parsed.alternate {
                    return Err("a string has only a width and a precision");
                }
                // As in Rust, text is on the left and numbers are on the right.
                parsed.left = !parsed.right;
                Ok(if matches!(kind, Kind::Str) {
                    Show::Str(parsed)
                } else {
                    Show::Chars(parsed)
                })
            }
            _ if !spec.is_empty() => Err("only numbers and strings have a layout"),
            Kind::Array { .. } | Kind::DynArray { .. } => Ok(Show::Array),
            Kind::Mask => Ok(Show::Groups),
            Kind::SockAddr => Ok(Show::SockAddr),
            Kind::Bytes { .. } => Err("a struct needs `:print_hex`"),
        }
    }

    /// Returns whether the field is shown by the names in a table.
    pub const fn is_table(&self) -> bool {
        matches!(self, Show::Table)
    }
}

/// The error for a helper that no kind of field has.
pub const NO_HELPER: &str = "there is no such helper, only `print_hex`, `print_hex_str`, \
                             `print_hex_dump`, `print_array`, `print_ns_to_secs`, \
                             `print_ns_without_secs`, `list` and `len`";

/// Decides how `{field:helper}` shows a field.
const fn helper(kind: Kind, name: &str) -> Result<Show, &'static str> {
    if starts_with(name, "print_hex") {
        let hex = if equal(name, "print_hex") {
            Hex::Spaced
        } else if equal(name, "print_hex_str") {
            Hex::Concatenated
        } else if equal(name, "print_hex_dump") {
            Hex::Dump
        } else {
            return Err(NO_HELPER);
        };
        let is_bytes = kind.fixed_len().is_some() || matches!(kind, Kind::DynArray { .. });
        return if is_bytes {
            Ok(Show::Hex(hex))
        } else {
            Err("`print_hex` is for arrays and structs")
        };
    }
    if equal(name, "print_array") {
        return if matches!(kind, Kind::Array { .. } | Kind::DynArray { .. }) {
            Ok(Show::Array)
        } else {
            Err("`print_array` is for arrays")
        };
    }
    if equal(name, "list") {
        return if matches!(kind, Kind::Mask) {
            Ok(Show::List)
        } else {
            Err("`list` is for bit masks")
        };
    }
    if equal(name, "len") {
        return if kind.is_dynamic() {
            Ok(Show::Len)
        } else {
            Err("`len` is for fields without a fixed length")
        };
    }
    let is_secs = equal(name, "print_ns_to_secs");
    if is_secs || equal(name, "print_ns_without_secs") {
        let Kind::Int {
            size: 8,
            signed: false,
        } = kind
        else {
            return Err("a number of nanoseconds is a `u64`");
        };
        return Ok(if is_secs {
            Show::Secs
        } else {
            Show::Nanoseconds
        });
    }
    Err(NO_HELPER)
}

/// An instruction of the program. All but `END` and `TEXT` are followed by the offset of the field
/// in two bytes, low byte first, and then by the operands listed here.
pub mod op {
    /// The end.
    pub const END: u8 = 0;
    /// Text up to a NUL.
    pub const TEXT: u8 = 1;
    /// A number: its size, plus 16 if it is signed; a `printf` format up to a NUL.
    pub const NUMBER: u8 = 2;
    /// Characters: a `printf` format whose precision is at most the field's length.
    pub const CHARS: u8 = 3;
    /// A string: a `printf` format.
    pub const STR: u8 = 4;
    /// Integers: the size of one, their number in two bytes.
    pub const ARRAY: u8 = 5;
    /// Bytes: their number in two bytes, the [`Hex`](super::Hex).
    pub const HEX: u8 = 6;
    /// A location of integers: the size of one.
    pub const DYN_ARRAY: u8 = 7;
    /// A location of bytes: the [`Hex`](super::Hex).
    pub const DYN_HEX: u8 = 8;
    /// A mask, in groups.
    pub const GROUPS: u8 = 9;
    /// A mask, as a list.
    pub const LIST: u8 = 10;
    /// A socket address.
    pub const SOCKADDR: u8 = 11;
    /// The length of the data at a location.
    pub const LEN: u8 = 12;
    /// The seconds in 64 bits of nanoseconds.
    pub const SECS: u8 = 13;
    /// The nanoseconds without the seconds.
    pub const NANOSECONDS: u8 = 14;
    /// A number by its name in the next table: its size.
    pub const TABLE: u8 = 15;
    /// Set if a location is relative to its own end.
    pub const REL: u8 = 0x80;
}

/// Writes a `printf` format up to its conversion.
const fn layout<const N: usize>(mut text: Text<N>, spec: &Spec, width: usize) -> Text<N> {
    text = text.byte(b'%');
    if spec.left && width > 0 {
        text = text.byte(b'-');
    }
    if spec.plus {
        text = text.byte(b'+');
    }
    if spec.zero {
        text = text.byte(b'0');
    }
    if width > 0 {
        text = text.number(width);
    }
    if let Some(precision) = spec.precision {
        text = text.byte(b'.').number(precision);
    }
    text
}

/// Writes the `printf` format of a number.
const fn number<const N: usize>(mut text: Text<N>, kind: &Kind, spec: &Spec) -> Text<N> {
    let (size, signed) = match *kind {
        Kind::Int { size, signed } => (size, signed),
        _ => (8, false),
    };
    let mut conversion = spec.conversion;
    let mut width = spec.width;
    let is_pointer = matches!(kind, Kind::Pointer) && conversion == b'd';
    if is_pointer {
        conversion = b'x';
    }
    // Tools omit the prefix of `%#x` for a zero, the kernel doesn't.
    if spec.alternate || is_pointer {
        text = text.str("0x");
        width = width.saturating_sub(2);
    }
    if conversion == b'd' && !signed {
        conversion = b'u';
    }
    layout(text, spec, width)
        .str(match size {
            1 => "hh",
            2 => "h",
            4 => "",
            _ => "ll",
        })
        .byte(conversion)
}

/// Writes the conversion of a field in the text of the `print fmt`.
pub const fn format<const N: usize>(text: Text<N>, kind: &Kind, show: &Show) -> Text<N> {
    match show {
        Show::Number(spec) => number(text, kind, spec),
        Show::Chars(spec) | Show::Str(spec) => layout(text, spec, spec.width).byte(b's'),
        Show::Array | Show::Hex(_) | Show::Groups | Show::List | Show::Table => text.str("%s"),
        Show::SockAddr => text.str("%pISpc"),
        Show::Len => text.str("%d"),
        Show::Secs => text.str("%llu"),
        Show::Nanoseconds => text.str("%09llu"),
    }
}

/// Writes `__get_HELPER(field)`, or its form for a location that is relative to its own end.
const fn get<const N: usize>(text: Text<N>, helper: &str, name: &str, rel: bool) -> Text<N> {
    text.str(if rel { "__get_rel_" } else { "__get_" })
        .str(helper)
        .byte(b'(')
        .str(name)
        .byte(b')')
}

/// Writes the number of elements of `size` bytes at a location.
const fn len<const N: usize>(text: Text<N>, name: &str, rel: bool, size: usize) -> Text<N> {
    if rel {
        // Tools crash on `__get_rel_dynamic_array_len()` (libtraceevent 1.8.4). To them the field
        // is the location, which has the length in its upper half.
        return text
            .str("REC->")
            .str(name)
            .str(" >> ")
            .number(16 + size.trailing_zeros() as usize);
    }
    let text = get(text, "dynamic_array_len", name, rel);
    if size == 1 {
        text
    } else {
        text.str(" / ").number(size)
    }
}

/// Writes the argument of a field after the text of the `print fmt`. [`symbols`] writes that of a
/// field shown with a table.
pub const fn argument<const N: usize>(
    text: Text<N>,
    name: &str,
    kind: &Kind,
    rel: bool,
    show: &Show,
) -> Text<N> {
    match show {
        Show::Str(_) => get(text, "str", name, rel),
        Show::Groups => get(text, "bitmask", name, rel),
        // Tools print a list for this, whatever the kernel does with it in C.
        Show::List => get(text, "cpumask", name, rel),
        // Tools know `__get_rel_sockaddr()` by a wrong name.
        Show::SockAddr if rel => get(text, "dynamic_array", name, rel),
        Show::SockAddr => get(text, "sockaddr", name, rel),
        Show::Len => len(text, name, rel, 1),
        Show::Secs => text.str("REC->").str(name).str(" / 1000000000"),
        Show::Nanoseconds => text.str("REC->").str(name).str(" % 1000000000"),
        Show::Number(_) | Show::Chars(_) | Show::Table => text.str("REC->").str(name),
        Show::Array => match *kind {
            Kind::Array { size, len } => text
                .str("__print_array(REC->")
                .str(name)
                .str(", ")
                .number(len)
                .str(", ")
                .number(size),
            _ => {
                let size = match *kind {
                    Kind::DynArray { size } => size,
                    _ => 1,
                };
                let text = text.str("__print_array(");
                let text = get(text, "dynamic_array", name, rel).str(", ");
                len(text, name, rel, size).str(", ").number(size)
            }
        }
        .byte(b')'),
        Show::Hex(hex) => {
            let text = text.str(match hex {
                Hex::Spaced => "__print_hex(",
                Hex::Concatenated => "__print_hex_str(",
                // No prefix, DUMP_PREFIX_OFFSET, the bytes in a row and in a group.
                Hex::Dump => "__print_hex_dump(\"\", 2, 16, 1, ",
            });
            let text = match kind.fixed_len() {
                Some(len) => text.str("REC->").str(name).str(", ").number(len),
                None => {
                    let text = get(text, "dynamic_array", name, rel).str(", ");
                    len(text, name, rel, 1)
                }
            };
            text.str(if matches!(hex, Hex::Dump) {
                ", 1)"
            } else {
                ")"
            })
        }
    }
}

/// Writes the argument of a field that is shown with a table, up to the table's
/// [`delimiter`] and [`symbol`]s. A `)` follows those.
pub const fn symbols<const N: usize>(text: Text<N>, name: &str, flags: bool) -> Text<N> {
    text.str(if flags {
        "__print_flags(REC->"
    } else {
        "__print_symbolic(REC->"
    })
    .str(name)
}

/// Writes the delimiter of a table of flags.
pub const fn delimiter<const N: usize>(text: Text<N>, delimiter: Option<&str>) -> Text<N> {
    match delimiter {
        Some(delimiter) => text.str(", \"").str(delimiter).byte(b'"'),
        None => text,
    }
}

/// Writes a name in a table.
pub const fn symbol<const N: usize>(
    text: Text<N>,
    value: u64,
    size: usize,
    name: &[u8],
) -> Text<N> {
    text.str(", { 0x")
        .hex(truncate(value, size))
        .str(", \"")
        .part(name, 0, name.len())
        .str("\" }")
}

/// Returns the low `size` bytes of a value. Runs in the kernel, so it must not panic.
pub const fn truncate(value: u64, size: usize) -> u64 {
    let above = 64u32.wrapping_sub(8u32.wrapping_mul(size as u32));
    value & u64::MAX.wrapping_shr(above)
}

/// Checks a value in a table for a field of `size` bytes.
pub const fn check_value(value: i128, size: usize, flags: bool) -> Result<u64, &'static str> {
    let bits = 8 * size as u32;
    if value < -(1i128 << (bits - 1)) || value >= 1i128 << bits {
        return Err("the value doesn't fit into the field");
    }
    let value = value as u64;
    // The kernel and tools disagree about both. The kernel shows the name of 0 with every value,
    // tools with none, and tools take the highest bit of 64 for a negative number.
    if flags && matches!(truncate(value, size), 0 | 0x8000_0000_0000_0000..) {
        return Err("a flag can't be 0 or include the highest of 64 bits");
    }
    Ok(value)
}

/// Checks a name or a delimiter of a table. Tools don't interpret escapes in them.
pub const fn check_name(name: &str) -> Result<(), &'static str> {
    let name = name.as_bytes();
    let mut i = 0;
    while i < name.len() {
        if !matches!(name[i], b' '..=b'~') || matches!(name[i], b'"' | b'\\') {
            return Err("a name consists of ASCII characters other than quotes and backslashes");
        }
        i += 1;
    }
    Ok(())
}

/// Writes the instruction that shows the field at `offset`. The offset is in its second and third
/// byte.
pub const fn instruction<const N: usize>(
    code: Text<N>,
    kind: &Kind,
    rel: bool,
    show: &Show,
    offset: usize,
) -> Text<N> {
    let op = match show {
        Show::Number(_) => op::NUMBER,
        Show::Chars(_) => op::CHARS,
        Show::Str(_) => op::STR,
        Show::Array => match kind {
            Kind::Array { .. } => op::ARRAY,
            _ => op::DYN_ARRAY,
        },
        Show::Hex(_) => match kind.fixed_len() {
            Some(_) => op::HEX,
            None => op::DYN_HEX,
        },
        Show::Groups => op::GROUPS,
        Show::List => op::LIST,
        Show::SockAddr => op::SOCKADDR,
        Show::Len => op::LEN,
        Show::Secs => op::SECS,
        Show::Nanoseconds => op::NANOSECONDS,
        Show::Table => op::TABLE,
    };
    let code = word(code.byte(if rel { op | op::REL } else { op }), offset);
    match show {
        Show::Number(spec) => {
            let size = match *kind {
                Kind::Int { size, signed: true } => size + 16,
                Kind::Int { size, .. } => size,
                _ => 8,
            };
            number(code.byte(size as u8), kind, spec).byte(0)
        }
        Show::Chars(spec) => {
            // The text must end with the field, whatever the record contains.
            let mut spec = *spec;
            if let Some(len) = kind.fixed_len() {
                spec.precision = match spec.precision {
                    Some(precision) if precision < len => Some(precision),
                    _ => Some(len),
                };
            }
            layout(code, &spec, spec.width).byte(b's').byte(0)
        }
        Show::Str(spec) => layout(code, spec, spec.width).byte(b's').byte(0),
        Show::Array => match *kind {
            Kind::Array { size, len } => word(code.byte(size as u8), len),
            Kind::DynArray { size } => code.byte(size as u8),
            _ => code.byte(1),
        },
        Show::Hex(hex) => match kind.fixed_len() {
            Some(len) => word(code, len),
            None => code,
        }
        .byte(*hex as u8),
        Show::Table => code.byte(kind.number_size() as u8),
        Show::Groups | Show::List | Show::SockAddr | Show::Len | Show::Secs | Show::Nanoseconds => {
            code
        }
    }
}

/// Writes the offset of a field, or the number of its elements.
#[track_caller]
pub const fn word<const N: usize>(code: Text<N>, n: usize) -> Text<N> {
    assert!(n <= 0xffff, "a field lies too far back in the record");
    code.byte(n as u8).byte((n >> 8) as u8)
}
