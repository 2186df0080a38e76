// SPDX-License-Identifier: GPL-2.0

//! How a field is shown.
//!
//! This decides how `{field:spec}` prints, except for what [`template`](super::template) takes from the
//! field's type, and writes the parts of the result: the conversion and the argument in the `print fmt`, the
//! conversion in the kernel's own format, and what [`print`](super::print) passes for that.
//!
//! Both the library and its procedural macros include this file. It doesn't need a kernel.

use super::spec::{ok, Spec};
use crate::base::text::{equal, Text};

/// The contents of a field.
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

    /// Returns the size of a number, and whether it's signed.
    pub(super) const fn integer(&self) -> (usize, bool) {
        match *self {
            Kind::Int { size, signed } => (size, signed),
            Kind::Pointer => (8, false),
            _ => (0, false),
        }
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

    /// Writes the type that the kernel and tools see, given that in C, or that of the elements.
    pub const fn write_c_type<const N: usize>(&self, name: &str, rel: bool) -> Text<N> {
        let text = Text::new();
        match *self {
            Kind::Int { .. } | Kind::Pointer | Kind::Bytes { .. } => text.str(name),
            Kind::Chars { len } | Kind::Array { len, .. } => {
                text.str(name).byte(b'[').number(len).byte(b']')
            }
            _ => text
                .str(if rel { "__rel_loc " } else { "__data_loc " })
                .str(name)
                .str(if equal(name, "cpumask_t") { "" } else { "[]" }),
        }
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

/// How a field is shown.
#[derive(Clone, Copy)]
pub struct Show {
    /// The contents of the field.
    pub kind: Kind,
    /// The layout of a number or a text, if it has one.
    pub spec: Option<Spec>,
    /// Otherwise, the conversion in the text of the `print fmt`.
    format: &'static str,
    /// The argument after that text: see [`Show::part`].
    pub argument: &'static str,
    /// The kernel's argument for the conversion.
    pub pass: Pass,
    /// The style in which [`print`](super::print) shows it, if there are several.
    style: usize,
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
    /// The argument that it becomes.
    pub pass: Pass,
    /// The size of a number or of an element of an array. Otherwise the style.
    pub size: usize,
    /// How many elements or bytes a field with a fixed length has.
    pub len: Option<usize>,
}

/// A row has what a name after the colon can be for, the kinds of fields, and what's wrong with others.
macro_rules! takes {
    ($($name:ident: $kinds:pat => $error:literal)*) => {
        /// The fields that a name after the colon can be for.
        enum Takes {
            $($name,)*
        }

        impl Takes {
            /// Returns what's wrong with a field of this kind.
            const fn refuses(&self, kind: Kind) -> Option<&'static str> {
                match (self, kind) {
                    $((Takes::$name, $kinds) => None,)*
                    $((Takes::$name, _) => Some($error),)*
                }
            }
        }
    };
}

/// So many bytes in the field.
macro_rules! bytes {
    ($len:pat) => {
        Kind::Bytes { len: $len } | Kind::Chars { len: $len } | Kind::Array { size: 1, len: $len }
    };
}

takes! {
    Address: Kind::Pointer | Kind::Int { size: 8, .. } => "an address is a pointer or a number of 64 bits"
    Wide: Kind::Int { size: 8, signed: false } => "a bus or physical address is a number of 64 bits"
    Bytes: bytes!(_) | Kind::Array { .. } | Kind::DynArray { .. } => "`ph` is for arrays and structs"
    Hex: bytes!(_) | Kind::Array { .. } | Kind::DynArray { .. } => "`print_hex` is for arrays and structs"
    DynBytes: Kind::DynArray { .. } => "tools show this only of a `DynArray<u8>`"
    SockAddr: Kind::SockAddr | Kind::DynArray { size: 1 } | Kind::Bytes { len: 16.. } | Kind::Array { size: 1, len: 16.. }
        => "a socket address is a `SockAddr`, or an array of at least 16 bytes"
    Mac: bytes!(6) => "a MAC address is a `[u8; 6]`"
    Ipv4: bytes!(4) => "an IPv4 address is a `[u8; 4]`"
    Ipv6: bytes!(16) => "an IPv6 address is a `[u8; 16]`"
    Uuid: bytes!(16) => "a UUID is a `[u8; 16]`"
    Elements: Kind::Array { .. } | Kind::DynArray { .. } => "`print_array` is for arrays"
    Mask: Kind::Mask => "`list` is for bit masks"
    Dynamic: Kind::Str | Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr => "`len` is for fields without a fixed length"
    Device: Kind::Int { size: 4, signed: false } => "a device number is a `DevT` or a `u32`"
    // As for C's helpers, it's without a sign.
    Nanoseconds: Kind::Int { size: 8, .. } => "a number of nanoseconds has 64 bits"
}

/// A row has the name, what it takes, the conversion and the argument in the `print fmt`, what the kernel passes, and
/// the style if that has several.
macro_rules! rows {
    ($($name:literal $takes:ident $format:literal $argument:literal $pass:ident $style:literal)*) => {
        &[$(($name, Takes::$takes, $format, $argument, Pass::$pass, $style)),*]
    };
}

/// The names that can follow the colon: helpers and C's `%p…`. Tools don't know `%px`.
const NAMES: &[(&str, Takes, &str, &str, Pass, usize)] = rows! {
    "p" Address "%p" "REC->@" Number 0
    "px" Address "%016llx" "REC->@" Number 0
    "pS" Address "%pS" "REC->@" Number 0
    "ps" Address "%ps" "REC->@" Number 0
    "pad" Wide "0x%016llx" "REC->@" Number 0
    "pap" Wide "0x%016llx" "REC->@" Number 0
    "ph" Bytes "%s" "__print_hex($, #)" Hex 0
    "phN" Bytes "%s" "__print_hex_str($, #)" Hex 1
    "phC" DynBytes "%*phC" "#, $" Hex 3
    "phD" DynBytes "%*phD" "#, $" Hex 4
    "pIS" SockAddr "%pIS" "!" SockAddr 0
    "pISp" SockAddr "%pISp" "!" SockAddr 1
    "pISc" SockAddr "%pISc" "!" SockAddr 2
    "pISpc" SockAddr "%pISpc" "!" SockAddr 3
    "pM" Mac "%pM" "^" Data 0
    "pMF" Mac "%pMF" "^" Data 0
    "pMR" Mac "%pMR" "^" Data 0
    "pm" Mac "%pm" "^" Data 0
    "pmR" Mac "%pmR" "^" Data 0
    "pI4" Ipv4 "%pI4" "^" Data 0
    "pi4" Ipv4 "%pi4" "^" Data 0
    "pI6" Ipv6 "%pI6" "^" Data 0
    "pi6" Ipv6 "%pi6" "^" Data 0
    "pI6c" Ipv6 "%pI6c" "^" Data 0
    "pU" Uuid "%pU" "^" Data 0
    "pUb" Uuid "%pUb" "^" Data 0
    "pUB" Uuid "%pUB" "^" Data 0
    "pUl" Uuid "%pUl" "^" Data 0
    "pUL" Uuid "%pUL" "^" Data 0
    "print_hex" Hex "%s" "__print_hex($, #)" Hex 0
    "print_hex_str" Hex "%s" "__print_hex_str($, #)" Hex 1
    "print_hex_dump" Hex "%s" "__print_hex_dump(\"\", 2, 16, 1, $, #, 1)" Hex 2
    "print_array" Elements "%s" "__print_array($, #, ~)" Array 0
    "list" Mask "%s" "__get_?cpumask(@)" Mask 1
    "len" Dynamic "%d" "#" Len 0
    "dev_t" Device "%u:%u" "REC->@ >> 20, REC->@ & 0xfffff" Dev 0
    "print_ns_to_secs" Nanoseconds "%llu" "REC->@ / 1000000000" Secs 0
    "print_ns_without_secs" Nanoseconds "%09llu" "REC->@ % 1000000000" Nanoseconds 0
};

/// Decides how `{field:name}` shows a field.
const fn by_name(kind: Kind, name: &str) -> Result<Show, &'static str> {
    let mut i = 0;
    while i < NAMES.len() {
        let (other, takes, format, argument, pass, style) = &NAMES[i];
        if equal(name, other) {
            return match takes.refuses(kind) {
                Some(error) => Err(error),
                None => Ok(Show {
                    kind,
                    spec: None,
                    format,
                    argument,
                    pass: *pass,
                    style: *style,
                }),
            };
        }
        i += 1;
    }
    Err(NO_HELPER)
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
            format: "",
            argument,
            pass,
            style: 0,
        }
    }

    /// Decides how `{field:spec}` shows a field. `table` is whether its type has a table.
    ///
    /// `spec` is a layout, see [`Spec`], or one of [`NAMES`].
    pub const fn new(kind: Kind, table: bool, spec: &str) -> Result<Self, &'static str> {
        if is_helper(spec) {
            return by_name(kind, spec);
        }
        let parsed = ok!(Spec::parse(spec));
        match kind {
            Kind::Pointer if !spec.is_empty() => {
                Err("a pointer can't be formatted as a number: use `:p`, \
                     `:px` for the bare address, or `as usize`")
            }
            Kind::Int { .. } if table && spec.is_empty() => Ok(Self::table(kind, parsed)),
            Kind::Int { size, signed } => {
                ok!(parsed.check_integer(size, signed));
                Ok(Self::with(kind, parsed, "REC->@", Pass::Number))
            }
            Kind::Chars { .. } => Ok(Self::with(
                kind,
                ok!(parsed.of_text(true)),
                "REC->@",
                Pass::Data,
            )),
            Kind::Str => Ok(Self::with(
                kind,
                ok!(parsed.of_text(false)),
                "__get_?str(@)",
                Pass::Data,
            )),
            _ if !spec.is_empty() && !matches!(kind, Kind::Pointer) => {
                Err("only numbers and strings have a layout")
            }
            Kind::Pointer => by_name(kind, "p"),
            Kind::Array { .. } | Kind::DynArray { .. } => by_name(kind, "print_array"),
            Kind::Mask => Ok(Self::with(kind, parsed, "__get_?bitmask(@)", Pass::Mask)),
            Kind::SockAddr => by_name(kind, "pISpc"),
            Kind::Bytes { .. } => Err("a struct needs `:print_hex`"),
        }
    }

    /// Returns how the kernel reads a field that's shown in this way.
    pub const fn read(&self) -> Read {
        let (pass, size) = match self.pass {
            pass @ (Pass::Number | Pass::Name) => (pass, self.kind.number_size()),
            Pass::Array => (Pass::Array, self.kind.element_size()),
            pass => (pass, self.style),
        };
        let len = match (self.kind, pass) {
            (Kind::Array { len, .. }, Pass::Array) => Some(len),
            _ => self.kind.fixed_len(),
        };
        Read { pass, size, len }
    }

    /// Writes the conversion of a field in the text of the `print fmt`.
    pub const fn format<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match (&self.spec, self.pass) {
            (None, _) => text.str(self.format),
            (Some(spec), Pass::Number) => {
                let (size, signed) = self.kind.integer();
                spec.of_integer(text, size, signed)
            }
            (Some(spec), _) => spec.of_string(text),
        }
    }

    /// Writes the conversion of a field in the format that the kernel prints with. What it prints as a text
    /// of its own is a `%s` there.
    pub const fn kernel_format<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match (self.pass, self.spec, self.kind.fixed_len()) {
            (Pass::Name | Pass::Hex | Pass::SockAddr | Pass::Dev, ..) => text.str("%s"),
            // The text must end with the field, whatever the record contains.
            (Pass::Data, Some(spec), Some(len)) => spec.limited(len).of_string(text),
            _ => self.format(text),
        }
    }

    /// Writes a part of [`Show::argument`], in which these stand for something:
    ///
    /// | | |
    /// | --- | --- |
    /// | `@` | the name of the field |
    /// | `?` | `rel_`, if the location of the data is relative to its own end |
    /// | `$` | the data |
    /// | `#` | how many elements or bytes there are |
    /// | `~` | the size of an element |
    /// | `^` | a field with a fixed length, by its address |
    /// | `!` | a socket address |
    pub const fn part<const N: usize>(
        &self,
        mut text: Text<N>,
        part: &str,
        name: &str,
        rel: bool,
    ) -> Text<N> {
        let Read { pass, size, len } = self.read();
        let size = if matches!(pass, Pass::Array) { size } else { 1 };
        let part = part.as_bytes();
        let mut i = 0;
        while i < part.len() {
            let of = match (part[i], len) {
                (b'$', Some(_)) => "REC->@",
                // The kernel warns if what a conversion such as `%pU` shows is neither an array nor has an `&`
                // (`process_pointer()`, kernel/trace/trace_events.c). Tools only know it without the `&`.
                (b'^', _) if matches!(self.kind, Kind::Bytes { .. }) => "&REC->@",
                (b'^', _) => "REC->@",
                (b'!', Some(_)) => "^",
                // Tools know `__get_rel_sockaddr()` by a wrong name.
                (b'!', None) if !rel && matches!(self.kind, Kind::SockAddr) => "__get_sockaddr(@)",
                (b'$' | b'!', None) => "__get_?dynamic_array(@)",
                _ => "",
            };
            text = match (part[i], len) {
                (b'@', _) => text.str(name),
                (b'?', _) => text.str(if rel { "rel_" } else { "" }),
                (b'~', _) => text.number(size),
                (b'#', Some(len)) => text.number(len),
                (b'#', None) => self::len(text, name, rel, size),
                (byte, _) if of.is_empty() => text.byte(byte),
                _ => self.part(text, of, name, rel),
            };
            i += 1;
        }
        text
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
        return text
            .str("REC->")
            .str(name)
            .str(" >> ")
            .number(16 + size.trailing_zeros() as usize);
    }
    let text = text.str("__get_dynamic_array_len(").str(name).byte(b')');
    match size {
        1 => text,
        size => text.str(" / ").number(size),
    }
}
