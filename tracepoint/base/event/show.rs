// SPDX-License-Identifier: GPL-2.0

//! How a field is shown.
//!
//! This decides how `{field:spec}` prints, except for what [`template`](super::template) takes from the
//! field's type, and writes the parts of the result: the conversion and the argument in the `print fmt`, the
//! conversion in the kernel's own format, and what [`print`](super::print) passes for that.
//!
//! Both the crate and its procedural macros include this file, which doesn't need a kernel.

use super::spec::{ok, Spec};
use crate::base::text::{equal, Text};
use core::ffi::CStr;

/// The contents of a field. A `size` is that of a number or of an element, in bytes, and a `len` is the number of
/// elements.
#[allow(missing_docs)]
#[derive(Clone, Copy)]
pub enum Kind {
    /// An integer, or a type that C prints as one.
    Int { size: usize, signed: bool },
    /// A pointer.
    Pointer,
    /// A fixed number of characters, up to a NUL.
    Chars { signed: bool, len: usize },
    /// A fixed number of integers.
    Array {
        size: usize,
        signed: bool,
        len: usize,
    },
    /// Bytes that only `print_hex` can show.
    Bytes { len: usize, align: usize },
    /// A string of any length.
    Str,
    /// Any number of integers.
    DynArray { size: usize, signed: bool },
    /// A bit mask.
    Mask,
    /// A `struct sockaddr`.
    SockAddr,
}

impl Kind {
    /// Returns the kind of a field whose elements are `char` in C. In Rust they are bytes.
    pub const fn chars(self) -> Self {
        let (_, signed) = self.number();
        match self {
            Kind::Array { size: 1, len, .. } => Kind::Chars { signed, len },
            kind => kind,
        }
    }

    /// Returns the kind of an array whose elements are numbers of this kind: so many, or any number.
    pub const fn elements(&self, len: Option<usize>) -> Self {
        let (size, signed) = self.number();
        match len {
            Some(len) => Kind::Array { size, signed, len },
            None => Kind::DynArray { size, signed },
        }
    }

    /// Returns whether it is a number, which a table can name.
    pub const fn is_number(&self) -> bool {
        matches!(self, Kind::Int { .. } | Kind::Pointer)
    }

    /// Returns the size of a number or of an element, and whether it's signed.
    // Inlined so that a print function contains the result.
    #[inline(always)]
    pub const fn number(&self) -> (usize, bool) {
        match *self {
            Kind::Int { size, signed }
            | Kind::Array { size, signed, .. }
            | Kind::DynArray { size, signed } => (size, signed),
            Kind::Chars { signed, .. } => (1, signed),
            Kind::Pointer => (8, false),
            _ => (1, false),
        }
    }

    /// Returns the size of a number or of an element.
    #[inline(always)]
    pub const fn number_size(&self) -> usize {
        self.number().0
    }

    /// Returns the size of a field in the record, and its alignment.
    pub const fn layout(&self) -> (usize, usize) {
        match *self {
            Kind::Int { size, .. } => (size, size),
            Kind::Pointer => (8, 8),
            Kind::Chars { len, .. } => (len, 1),
            Kind::Array { size, len, .. } => (size.saturating_mul(len), size),
            Kind::Bytes { len, align } => (len, align),
            Kind::Str | Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr => (4, 4),
        }
    }

    /// Returns a number that no other kind of another size has, whatever the sign of its elements.
    pub const fn code(&self, rel: bool) -> u64 {
        let (tag, size, len) = match *self {
            Kind::Int { size, signed } => (signed as u64, size, 0),
            Kind::Pointer => (2, 0, 0),
            Kind::Chars { len, .. } => (3, 1, len),
            Kind::Array { size, len, .. } => (3, size, len),
            Kind::Bytes { len, .. } => (4, 1, len),
            Kind::Str => (5, 0, 0),
            Kind::DynArray { size, .. } => (6, size, 0),
            Kind::Mask => (7, 0, 0),
            Kind::SockAddr => (8, 0, 0),
        };
        tag | (rel as u64) << 4 | (size as u64) << 8 | (len as u64) << 16
    }

    /// Returns whether the field only says where its data is.
    pub const fn is_dynamic(&self) -> bool {
        matches!(
            self,
            Kind::Str | Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr
        )
    }
}

/// How a field is shown.
#[derive(Clone, Copy)]
pub struct Show {
    /// The contents of the field.
    pub kind: Kind,
    /// The layout of a number or a text, if it has one.
    pub spec: Option<Spec>,
    /// Otherwise, the conversion in the text of the `print fmt`.
    pub format: &'static CStr,
    /// The argument after that text: see [`Shown::part`](super::template::Shown::part).
    pub argument: &'static str,
    /// The kernel's argument for the conversion.
    pub pass: Pass,
}

/// The kernel's argument of `trace_output_call()` for a conversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pass {
    /// A number.
    Number,
    /// The name of a number.
    Name,
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
    /// The text of bytes, with blanks between them. C: `trace_print_hex_seq()`.
    Hex,
    /// The same without blanks.
    HexStr,
    /// The text of bytes in lines. C: `trace_print_hex_dump_seq()`.
    HexDump,
    /// The text of bytes with colons between them.
    Colons,
    /// The text of bytes with dashes between them.
    Dashes,
    /// The text of a mask.
    Mask,
    /// The text of a mask as a list.
    MaskList,
    /// The text of a socket address.
    SockAddr,
}

/// A field of a given number of bytes.
macro_rules! bytes {
    ($($len:pat)?) => {
        Kind::Bytes { $(len: $len,)? .. }
            | Kind::Chars { $(len: $len,)? .. }
            | Kind::Array { size: 1, $(len: $len,)? .. }
    };
}

/// A group has the kinds of fields that its helpers are for, and what's wrong with others. A row has the name, the
/// conversion and the argument in the `print fmt`, and what the kernel passes.
macro_rules! helpers {
    ($(
        for $kinds:pat => $error:literal
            $($name:literal $format:literal $argument:literal $pass:ident)*
    )*) => {
        /// Decides how `{field:name}` shows a field.
        const fn by_name(kind: Kind, name: &str) -> Result<Show, &'static str> {
            $($(
                if equal(name, $name) {
                    return match kind {
                        $kinds => Ok(Show {
                            kind,
                            spec: None,
                            format: $format,
                            argument: $argument,
                            pass: Pass::$pass,
                        }),
                        _ => Err($error),
                    };
                }
            )*)*
            Err(NO_HELPER)
        }
    };
}

// The names that can follow the colon: helpers and C's `%p…`. Tools don't know `%px`.
helpers! {
    for Kind::Pointer | Kind::Int { size: 8, .. } => "an address is a pointer or a number of 64 bits"
        "p" c"%p" "REC->@" Number
        "px" c"%016llx" "REC->@" Number
        "pS" c"%pS" "REC->@" Number
        "ps" c"%ps" "REC->@" Number
    for Kind::Int { size: 8, signed: false } => "a bus or physical address is a number of 64 bits"
        "pad" c"0x%016llx" "REC->@" Number
        "pap" c"0x%016llx" "REC->@" Number
    for bytes!() | Kind::Array { .. } | Kind::DynArray { .. } => "`ph` is for arrays and structs"
        "ph" c"%s" "__print_hex($, #)" Hex
        "phN" c"%s" "__print_hex_str($, #)" HexStr
    for Kind::DynArray { .. } => "tools show this only of a `DynArray`"
        "phC" c"%*phC" "#, $" Colons
        "phD" c"%*phD" "#, $" Dashes
    for Kind::SockAddr | Kind::DynArray { size: 1, .. } | Kind::Bytes { len: 16.., .. }
        | Kind::Array { size: 1, len: 16.., .. }
        => "a socket address is a `SockAddr`, or an array of at least 16 bytes"
        "pIS" c"%pIS" "!" SockAddr
        "pISp" c"%pISp" "!" SockAddr
        "pISc" c"%pISc" "!" SockAddr
        "pISpc" c"%pISpc" "!" SockAddr
    for bytes!(6) => "a MAC address is a `[u8; 6]`"
        "pM" c"%pM" "^" Data
        "pMF" c"%pMF" "^" Data
        "pMR" c"%pMR" "^" Data
        "pm" c"%pm" "^" Data
        "pmR" c"%pmR" "^" Data
    for bytes!(4) => "an IPv4 address is a `[u8; 4]`"
        "pI4" c"%pI4" "^" Data
        "pi4" c"%pi4" "^" Data
    for bytes!(16) => "an IPv6 address is a `[u8; 16]`"
        "pI6" c"%pI6" "^" Data
        "pi6" c"%pi6" "^" Data
        "pI6c" c"%pI6c" "^" Data
    for bytes!(16) => "a UUID is a `[u8; 16]`"
        "pU" c"%pU" "^" Data
        "pUb" c"%pUb" "^" Data
        "pUB" c"%pUB" "^" Data
        "pUl" c"%pUl" "^" Data
        "pUL" c"%pUL" "^" Data
    for bytes!() | Kind::Array { .. } | Kind::DynArray { .. } => "`print_hex` is for arrays and structs"
        "print_hex" c"%s" "__print_hex($, #)" Hex
        "print_hex_str" c"%s" "__print_hex_str($, #)" HexStr
        "print_hex_dump" c"%s" "__print_hex_dump(\"\", 2, 16, 1, $, #, 1)" HexDump
    for Kind::Array { .. } | Kind::DynArray { .. } => "`print_array` is for arrays"
        "print_array" c"%s" "__print_array($, #, ~)" Array
    for Kind::Mask => "`list` is for bit masks"
        "list" c"%s" "__get_?cpumask(@)" MaskList
    for Kind::Str | Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr => "`len` is for fields without a fixed length"
        "len" c"%d" "#" Len
    for Kind::Int { size: 4, signed: false } => "a device number is a `DevT` or a `u32`"
        "dev_t" c"%u:%u" "REC->@ >> 20, REC->@ & 0xfffff" Dev
    // As for C's helpers, it's without a sign.
    for Kind::Int { size: 8, .. } => "a number of nanoseconds has 64 bits"
        "print_ns_to_secs" c"%llu" "REC->@ / 1000000000" Secs
        "print_ns_without_secs" c"%09llu" "REC->@ % 1000000000" Nanoseconds
}

impl Show {
    /// By the names in a table, with a layout for the name.
    pub const fn table(kind: Kind, spec: Spec) -> Self {
        Self::with(kind, spec, "REC->@", Pass::Name)
    }

    const fn with(kind: Kind, spec: Spec, argument: &'static str, pass: Pass) -> Self {
        Self {
            kind,
            spec: Some(spec),
            format: c"",
            argument,
            pass,
        }
    }

    /// Decides how `{field:spec}` shows a field. `table` is whether its type has a table.
    ///
    /// `spec` is a layout, see [`Spec`], or the name of a helper or of a conversion.
    pub const fn new(kind: Kind, table: bool, spec: &str) -> Result<Self, &'static str> {
        if is_helper(spec) {
            return by_name(kind, spec);
        }
        let (parsed, is_plain) = (ok!(Spec::parse(spec)), spec.is_empty());
        let (layout, argument, pass) = match kind {
            Kind::Int { .. } if table && is_plain => return Ok(Self::table(kind, parsed)),
            Kind::Int { size, signed } => {
                ok!(parsed.check_integer(size, signed));
                (parsed, "REC->@", Pass::Number)
            }
            Kind::Chars { .. } => (ok!(parsed.of_text(true)), "REC->@", Pass::Data),
            Kind::Str => (ok!(parsed.of_text(false)), "__get_?str(@)", Pass::Data),
            Kind::Pointer if !is_plain => {
                return Err("a pointer can't be formatted as a number: use `:p`, \
                            `:px` for the bare address, or `as usize`")
            }
            _ if !is_plain => return Err("only numbers and strings have a layout"),
            Kind::Pointer => return by_name(kind, "p"),
            Kind::Array { .. } | Kind::DynArray { .. } => return by_name(kind, "print_array"),
            Kind::Mask => (parsed, "__get_?bitmask(@)", Pass::Mask),
            Kind::SockAddr => return by_name(kind, "pISpc"),
            Kind::Bytes { .. } => return Err("a struct needs `:print_hex`"),
        };
        Ok(Self::with(kind, layout, argument, pass))
    }

    /// Returns the size of what [`len`](Self::len) counts: elements of an array or, unless it's shown as one, bytes.
    pub const fn unit(&self) -> usize {
        match self.pass {
            Pass::Array => self.kind.number_size(),
            _ => 1,
        }
    }

    /// Returns how many elements or bytes a field has whose data is in the field itself.
    pub const fn len(&self) -> Option<usize> {
        let (size, _) = self.kind.layout();
        match self.kind.is_dynamic() {
            true => None,
            false => Some(size / self.unit()),
        }
    }

    /// Returns whether a letter or digit directly after the conversion would be part of it, such as in `%pA`.
    pub const fn is_open(&self) -> bool {
        let format = self.format.to_bytes();
        matches!(format, [b'%', b'p', ..] | [b'%', b'*', b'p', ..])
            || matches!(self.pass, Pass::Mask | Pass::MaskList)
    }

    /// Writes the conversion of a field in the text of the `print fmt`.
    pub const fn format<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match (&self.spec, self.pass) {
            (None, _) => text.part(self.format.to_bytes(), 0, self.format.count_bytes()),
            (Some(spec), Pass::Number) => spec.of_integer(text, self.kind.number()),
            (Some(spec), _) => spec.of_string(text),
        }
    }

    /// Writes the conversion of a field in the format that the kernel prints with. What it prints as a text
    /// of its own is a `%s` there.
    pub const fn kernel_format<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match (self.pass, self.spec, self.len()) {
            (Pass::Name | Pass::Colons | Pass::Dashes | Pass::SockAddr | Pass::Dev, ..) => {
                text.str("%s")
            }
            // The text must end with the field, whatever the record contains.
            (Pass::Data, Some(spec), Some(len)) => spec.limited(len).of_string(text),
            _ => self.format(text),
        }
    }
}

/// How many conversions a `print fmt` can have: `test_event_printk()` (kernel/trace/trace_events.c)
/// warns of more.
pub(crate) const COUNT_MAX: usize = 63;

/// The error for a helper that no kind of field has.
pub(crate) const NO_HELPER: &str = "there is no such helper, only `print_hex`, `print_hex_str`, \
                             `print_hex_dump`, `print_array`, `print_ns_to_secs`, \
                             `print_ns_without_secs`, `dev_t`, `list`, `len`, `errno` and C's `p…`";

/// Returns whether the part after the colon is the name of a helper or a conversion.
pub(crate) const fn is_helper(spec: &str) -> bool {
    let bytes = spec.as_bytes();
    !bytes.is_empty() && bytes[0].is_ascii_lowercase() && (bytes.len() > 1 || bytes[0] == b'p')
}

/// Writes the number of elements of `size` bytes at a location.
pub(crate) const fn len<const N: usize>(
    text: Text<N>,
    name: &str,
    rel: bool,
    size: usize,
) -> Text<N> {
    if rel {
        // Tools crash on `__get_rel_dynamic_array_len()` (libtraceevent 1.8.4). To them the field
        // is the location, which has the length in its upper half.
        let text = text.str("REC->").str(name).str(" >> ");
        return text.number(16 + size.trailing_zeros() as usize);
    }
    let text = text.str("__get_dynamic_array_len(").str(name).byte(b')');
    match size {
        1 => text,
        size => text.str(" / ").number(size),
    }
}
