// SPDX-License-Identifier: GPL-2.0

//! How a field is shown.
//!
//! This is the one place that decides how `{field:spec}` prints, and that writes the parts of the
//! result: the conversion and the argument in the `print fmt`, the conversion in the kernel's own
//! format, and what [`print`](super::print) passes for that.
//!
//! Both the library and its procedural macros include this file. The macros call it for fields
//! whose type they know by name. For other types, such as an alias or an enum of the driver's, the
//! expansion calls it in a constant. It doesn't need a kernel.

use crate::base::text::equal;

#[path = "show_text.rs"]
mod text;

#[allow(unused_imports)]
pub use text::{argument, delimiter, format, helper_of_table, kernel_format, len, symbol};

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
    /// A pointer.
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

    /// Returns the size of an element of an array.
    pub const fn element_size(&self) -> usize {
        match self {
            Kind::Array { size, .. } | Kind::DynArray { size } => *size,
            _ => 1,
        }
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
/// spec = [ "<" | ">" ] [ "+" ] [ "#" ] [ "0" ] [ width ] [ "." precision ] [ "x" | "X" | "o" | "c" ]
/// ```
///
/// A `*` stands for a width or a precision that is in another field, as in C.
#[derive(Clone, Copy)]
pub struct Spec {
    left: bool,
    right: bool,
    plus: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    star: Option<Star>,
    conversion: u8,
}

/// What of a layout is in another field.
#[derive(Clone, Copy, PartialEq)]
enum Star {
    Width,
    Precision,
}

/// The kernel's `vsnprintf()` takes no larger precision (`PRECISION_MAX`, lib/vsprintf.c).
const WIDTH_MAX: usize = 32767;

impl Spec {
    /// A text as it is.
    pub const PLAIN: Self = Self {
        left: true,
        right: false,
        plus: false,
        alternate: false,
        zero: false,
        width: 0,
        precision: None,
        star: None,
        conversion: b'd',
    };

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
            star: None,
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
        if i < bytes.len() && bytes[i] == b'*' {
            spec.star = Some(Star::Width);
            i += 1;
        } else {
            (spec.width, i) = digits(bytes, i);
        }
        if i + 1 < bytes.len() && bytes[i] == b'.' {
            if bytes[i + 1] == b'*' {
                if spec.star.is_some() {
                    return Err("only one of width and precision can be in a field");
                }
                spec.star = Some(Star::Precision);
                i += 2;
            } else {
                let precision;
                (precision, i) = digits(bytes, i + 1);
                spec.precision = Some(precision);
            }
        }
        if i < bytes.len() && matches!(bytes[i], b'x' | b'X' | b'o' | b'c') {
            spec.conversion = bytes[i];
            i += 1;
        }
        if i < bytes.len() && bytes[i] == b'?' {
            return Err("`?` isn't supported: the type determines how the field is shown");
        }
        if i < bytes.len() {
            return Err("there is no such layout");
        }
        if spec.width >= WIDTH_MAX || matches!(spec.precision, Some(WIDTH_MAX..)) {
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
        if spec.conversion == b'c' && (spec.zero || spec.has_precision()) {
            return Err("a character has only a width");
        }
        Ok(spec)
    }

    /// Whether a text is shown as it is.
    pub const fn is_plain(&self) -> bool {
        !self.has_width() && !self.has_precision()
    }

    /// Returns the layout of a text: whether it is on the left, its width and its precision.
    pub const fn of_text(&self) -> (bool, usize, Option<usize>) {
        (self.left, self.width, self.precision)
    }

    const fn has_precision(&self) -> bool {
        self.precision.is_some() || matches!(self.star, Some(Star::Precision))
    }

    /// Whether the layout has a width, even one of 0 in a field.
    const fn has_width(&self) -> bool {
        self.width > 0 || matches!(self.star, Some(Star::Width))
    }

    /// Whether a field has the width or the precision.
    pub const fn has_star(&self) -> bool {
        self.star.is_some()
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
    /// Lines of bytes, each with its offset and its characters.
    Dump,
    /// `00:01:02`
    Colons,
    /// `00-01-02`
    Dashes,
}

/// How `print_hex_dump` shows bytes, apart from what each line starts with.
///
/// C: the arguments of `print_hex_dump()` (lib/hexdump.c).
#[derive(Clone, Copy)]
pub struct Dump {
    /// `DUMP_PREFIX_NONE`, `DUMP_PREFIX_ADDRESS` or `DUMP_PREFIX_OFFSET`.
    pub prefix: u8,
    /// The number of bytes in a line: 16 or 32.
    pub row: u8,
    /// The number of bytes in a group: 1, 2, 4 or 8.
    pub group: u8,
    /// Whether the characters follow.
    pub ascii: bool,
}

impl Dump {
    /// What `{field:print_hex_dump}` uses: `DUMP_PREFIX_OFFSET`, and lines of sixteen bytes.
    pub const DEFAULT: Self = Self {
        prefix: 2,
        row: 16,
        group: 1,
        ascii: true,
    };
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
    /// As a socket address, in one of the [`SOCKADDRS`].
    SockAddr(u8),
    /// The length of its data.
    Len,
    /// The seconds of a number of nanoseconds.
    Secs,
    /// The nanoseconds without the seconds.
    Nanoseconds,
    /// As the major and the minor number of a device.
    Dev,
    /// By the names in a table.
    Table,
    /// As an address that is hashed unless the option `hash-ptr` is off.
    Hashed,
    /// As the address that it is.
    Address,
    /// As a symbol, with the offset if the argument is set.
    Symbol(bool),
    /// As one of [`CONVERSIONS`].
    Conversion(&'static str),
}

/// The conversions of C for a socket address: with the port, with shorter IPv6 addresses, or both.
const SOCKADDRS: [&str; 4] = ["pIS", "pISp", "pISc", "pISpc"];

/// What can be shown by a name after the colon.
enum Takes {
    Address,
    Wide,
    /// Any bytes, and the error for others.
    Bytes(&'static str),
    DynBytes,
    SockAddr,
    /// So many bytes, and the error for others.
    Array(usize, &'static str),
    Elements,
    Mask,
    Dynamic,
    Device,
    Nanoseconds,
}

const PH: &str = "`ph` is for arrays and structs";
const HEX: &str = "`print_hex` is for arrays and structs";
const MAC: &str = "a MAC address is a `[u8; 6]`";
const IPV4: &str = "an IPv4 address is a `[u8; 4]`";
const IPV6: &str = "an IPv6 address is a `[u8; 16]`";
const UUID: &str = "a UUID is a `[u8; 16]`";

impl Takes {
    /// Returns what's wrong with a field of this kind.
    const fn refuses(&self, kind: Kind) -> Option<&'static str> {
        let fixed = kind.fixed_len();
        let is_dynamic = matches!(kind, Kind::DynArray { .. });
        let (takes, error) = match *self {
            Takes::Address => (
                matches!(kind, Kind::Pointer | Kind::Int { size: 8, .. }),
                "an address is a pointer or a number of 64 bits",
            ),
            Takes::Wide => (
                matches!(
                    kind,
                    Kind::Int {
                        size: 8,
                        signed: false
                    }
                ),
                "a bus or physical address is a number of 64 bits",
            ),
            Takes::Bytes(error) => (fixed.is_some() || is_dynamic, error),
            Takes::DynBytes if fixed.is_none() => (is_dynamic, PH),
            Takes::DynBytes => (false, "tools show this only of a `DynArray<u8>`"),
            Takes::SockAddr => (
                matches!(
                    kind,
                    Kind::DynArray { size: 1 }
                        | Kind::SockAddr
                        | Kind::Array { size: 1, len: 16.. }
                        | Kind::Bytes { len: 16.. }
                ),
                "a socket address is a `SockAddr`, or an array of at least 16 bytes",
            ),
            Takes::Array(n, error) => match (kind, fixed) {
                (Kind::Array { size: 2.., .. }, _) => (false, error),
                (_, Some(len)) => (len == n, error),
                _ => (false, error),
            },
            Takes::Elements => (
                matches!(kind, Kind::Array { .. } | Kind::DynArray { .. }),
                "`print_array` is for arrays",
            ),
            Takes::Mask => (matches!(kind, Kind::Mask), "`list` is for bit masks"),
            Takes::Dynamic => (
                kind.is_dynamic(),
                "`len` is for fields without a fixed length",
            ),
            Takes::Device => (
                matches!(
                    kind,
                    Kind::Int {
                        size: 4,
                        signed: false
                    }
                ),
                "a device number is a `DevT` or a `u32`",
            ),
            // As for C's helpers, it's without a sign.
            Takes::Nanoseconds => (
                matches!(kind, Kind::Int { size: 8, .. }),
                "a number of nanoseconds has 64 bits",
            ),
        };
        if takes {
            None
        } else {
            Some(error)
        }
    }
}

/// A bus or a physical address.
const BUS: Show = Show::Number(Spec {
    alternate: true,
    zero: true,
    width: 18,
    conversion: b'x',
    left: false,
    ..Spec::PLAIN
});

/// The names that can follow the colon: helpers and C's `%p…`.
const NAMES: [(&str, Takes, Show); 38] = [
    ("p", Takes::Address, Show::Hashed),
    ("px", Takes::Address, Show::Address),
    ("pS", Takes::Address, Show::Symbol(true)),
    ("ps", Takes::Address, Show::Symbol(false)),
    ("pad", Takes::Wide, BUS),
    ("pap", Takes::Wide, BUS),
    ("ph", Takes::Bytes(PH), Show::Hex(Hex::Spaced)),
    ("phN", Takes::Bytes(PH), Show::Hex(Hex::Concatenated)),
    ("phC", Takes::DynBytes, Show::Hex(Hex::Colons)),
    ("phD", Takes::DynBytes, Show::Hex(Hex::Dashes)),
    ("pIS", Takes::SockAddr, Show::SockAddr(0)),
    ("pISp", Takes::SockAddr, Show::SockAddr(1)),
    ("pISc", Takes::SockAddr, Show::SockAddr(2)),
    ("pISpc", Takes::SockAddr, Show::SockAddr(3)),
    ("pM", Takes::Array(6, MAC), Show::Conversion("pM")),
    ("pMF", Takes::Array(6, MAC), Show::Conversion("pMF")),
    ("pMR", Takes::Array(6, MAC), Show::Conversion("pMR")),
    ("pm", Takes::Array(6, MAC), Show::Conversion("pm")),
    ("pmR", Takes::Array(6, MAC), Show::Conversion("pmR")),
    ("pI4", Takes::Array(4, IPV4), Show::Conversion("pI4")),
    ("pi4", Takes::Array(4, IPV4), Show::Conversion("pi4")),
    ("pI6", Takes::Array(16, IPV6), Show::Conversion("pI6")),
    ("pi6", Takes::Array(16, IPV6), Show::Conversion("pi6")),
    ("pI6c", Takes::Array(16, IPV6), Show::Conversion("pI6c")),
    ("pU", Takes::Array(16, UUID), Show::Conversion("pU")),
    ("pUb", Takes::Array(16, UUID), Show::Conversion("pUb")),
    ("pUB", Takes::Array(16, UUID), Show::Conversion("pUB")),
    ("pUl", Takes::Array(16, UUID), Show::Conversion("pUl")),
    ("pUL", Takes::Array(16, UUID), Show::Conversion("pUL")),
    ("print_hex", Takes::Bytes(HEX), Show::Hex(Hex::Spaced)),
    (
        "print_hex_str",
        Takes::Bytes(HEX),
        Show::Hex(Hex::Concatenated),
    ),
    ("print_hex_dump", Takes::Bytes(HEX), Show::Hex(Hex::Dump)),
    ("print_array", Takes::Elements, Show::Array),
    ("list", Takes::Mask, Show::List),
    ("len", Takes::Dynamic, Show::Len),
    ("dev_t", Takes::Device, Show::Dev),
    ("print_ns_to_secs", Takes::Nanoseconds, Show::Secs),
    (
        "print_ns_without_secs",
        Takes::Nanoseconds,
        Show::Nanoseconds,
    ),
];

/// Decides how `{field:name}` shows a field.
const fn by_name(kind: Kind, name: &str) -> Result<Show, &'static str> {
    let mut i = 0;
    while i < NAMES.len() {
        let (other, takes, show) = &NAMES[i];
        if equal(name, other) {
            return match takes.refuses(kind) {
                Some(error) => Err(error),
                None => Ok(*show),
            };
        }
        i += 1;
    }
    Err(NO_HELPER)
}

impl Show {
    /// Decides how `{field:spec}` shows a field. `table` is whether its type has a table.
    ///
    /// `spec` is a layout, see [`Spec`], a conversion of C's `%p…`, or a helper: `print_hex`,
    /// `print_hex_str`, `print_hex_dump`, `print_array`, `print_ns_to_secs`,
    /// `print_ns_without_secs`, `dev_t`, `list` or `len`.
    pub const fn new(kind: Kind, table: bool, spec: &str) -> Result<Self, &'static str> {
        if is_helper(spec) {
            return by_name(kind, spec);
        }
        let mut parsed = match Spec::parse(spec) {
            Ok(spec) => spec,
            Err(error) => return Err(error),
        };
        match kind {
            Kind::Pointer if spec.is_empty() => Ok(Show::Hashed),
            Kind::Pointer => {
                Err("a pointer can't be formatted as a number: use `:p`, `:px` for the bare address, or `as usize`")
            }
            Kind::Int { size, signed } => {
                if table && spec.is_empty() {
                    return Ok(Show::Table);
                }
                if parsed.conversion == b'c' && size == 8 {
                    return Err("a character has at most 32 bits");
                }
                if parsed.has_precision() {
                    return Err("a number has no precision");
                }
                if parsed.plus && !signed {
                    return Err("`+` is for signed numbers");
                }
                // `printf` would put the spaces between the prefix and the number.
                if parsed.alternate && parsed.has_width() && !parsed.zero && !parsed.left {
                    return Err("a number with a `0x` needs a `0` or a `<` before its width");
                }
                if parsed.alternate && parsed.has_star() {
                    return Err("a number with a `0x` can't have its width in a field");
                }
                Ok(Show::Number(parsed))
            }
            Kind::Chars { .. } | Kind::Str => {
                if parsed.conversion != b'd' || parsed.zero || parsed.plus || parsed.alternate {
                    return Err("a string has only a width and a precision");
                }
                // The kernel limits it to the length of the field.
                if matches!(
                    (kind, parsed.star),
                    (Kind::Chars { .. }, Some(Star::Precision))
                ) {
                    return Err("only a `Str` can have its precision in a field");
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
            Kind::SockAddr => Ok(Show::SockAddr(3)),
            Kind::Bytes { .. } => Err("a struct needs `:print_hex`"),
        }
    }

    /// Decides how `{name:spec}` shows a computed number.
    pub const fn computed(kind: Kind, spec: &str) -> Result<Self, &'static str> {
        match Self::new(kind, false, spec) {
            Ok(Show::Secs | Show::Nanoseconds | Show::Dev) => Err("this is only for a field"),
            other => other,
        }
    }

    /// Returns whether the field is shown by the names in a table.
    pub const fn is_table(&self) -> bool {
        matches!(self, Show::Table)
    }

    /// Returns how many conversions it has in the `print fmt` in addition to the first.
    pub const fn more(&self) -> usize {
        match self {
            Show::Dev => 1,
            _ => 0,
        }
    }
}

/// How many conversions a `print fmt` can have: `test_event_printk()` (kernel/trace/trace_events.c)
/// warns of more.
pub const COUNT_MAX: usize = 63;

/// The error for a helper that no kind of field has.
pub const NO_HELPER: &str = "there is no such helper, only `print_hex`, `print_hex_str`, \
                             `print_hex_dump`, `print_array`, `print_ns_to_secs`, \
                             `print_ns_without_secs`, `dev_t`, `list`, `len` and C's `p…`";

/// Returns whether the part after the colon is the name of a helper or a conversion.
pub const fn is_helper(spec: &str) -> bool {
    let bytes = spec.as_bytes();
    !bytes.is_empty() && bytes[0].is_ascii_lowercase() && (bytes.len() > 1 || bytes[0] == b'p')
}

/// What the kernel passes to `trace_event_printf()` for a conversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pass {
    /// A number.
    Number,
    /// The seconds of a number of nanoseconds.
    Secs,
    /// The nanoseconds without the seconds.
    Nanoseconds,
    /// The length of the field's data.
    Len,
    /// The address of the field's data.
    Data,
    /// The text of a device's numbers.
    Dev,
    /// The text of an array. C: `trace_print_array_seq()`.
    Array,
    /// The text of bytes. C: `trace_print_hex_seq()`, `trace_print_hex_dump_seq()`.
    Hex,
    /// The text of a mask.
    Mask,
    /// The text of a socket address.
    SockAddr,
}

/// How the kernel reads a field for a conversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Read {
    /// What becomes of it.
    pub pass: Pass,
    /// The size of a number or of an element of an array. Otherwise the style.
    pub size: usize,
    /// How many elements or bytes a field with a fixed length has.
    pub len: Option<usize>,
}

/// Returns how the kernel reads a field that's shown in this way.
pub const fn read(kind: &Kind, show: &Show) -> Read {
    let (pass, size) = match show {
        Show::Number(_) | Show::Hashed | Show::Address | Show::Symbol(_) | Show::Table => {
            (Pass::Number, kind.number_size())
        }
        Show::Chars(_) | Show::Str(_) | Show::Conversion(_) => (Pass::Data, 1),
        Show::Array => (Pass::Array, kind.element_size()),
        Show::Hex(hex) => (Pass::Hex, *hex as usize),
        Show::Groups => (Pass::Mask, 0),
        Show::List => (Pass::Mask, 1),
        Show::SockAddr(style) => (Pass::SockAddr, *style as usize),
        Show::Len => (Pass::Len, 1),
        Show::Secs => (Pass::Secs, 8),
        Show::Nanoseconds => (Pass::Nanoseconds, 8),
        Show::Dev => (Pass::Dev, 4),
    };
    let len = match (kind, pass) {
        (Kind::Array { len, .. }, Pass::Array) => Some(*len),
        _ => kind.fixed_len(),
    };
    Read { pass, size, len }
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
    // The kernel shows the name of 0 with every value, tools with none.
    if flags && value == 0 {
        return Err("a flag can't be 0");
    }
    Ok(value as u64)
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
