// SPDX-License-Identifier: GPL-2.0

//! The print template of an event: what `cat trace` shows.
//!
//! A template is compiled to a program that [`print`](super::print) runs in the kernel, and to the
//! `print fmt` of the event's `format` file, with which tools decode binary records. Both give the
//! same output, so the kernel and the tools print the same text.
//!
//! ```text
//! template = { text | "{{" | "}}" | "{" name [ ":" spec ] "}" }
//! name     = a field, or the name of a table that follows the template
//! spec     = helper | [ "<" | ">" ] [ "+" ] [ "#" ] [ "0" ] [ width ] [ "." precision ] [ "x" | "X" | "o" ]
//! helper   = "print_hex" | "print_hex_str" | "print_hex_dump" | "print_array" | "print_ns_to_secs"
//!          | "print_ns_without_secs" | "list" | "len"
//! ```
//!
//! `print_hex_dump` shows lines of sixteen bytes, each with its offset and its characters. It only
//! works in the kernel's own `trace` file. Tools don't know it (as of libtraceevent 1.8.4) and
//! print the raw fields of such an event instead, as they do for C events that use it.
//!
use super::super::text::{equal, slice, starts_with, unraw, Text};

/// The kind of a field.
#[derive(Clone, Copy)]
pub enum Kind {
    /// An integer, or a type that C prints as one.
    Int {
        /// The size in bytes.
        size: usize,
        /// Whether the integer is signed.
        signed: bool,
    },
    /// A pointer. It is printed as a number, unhashed: a reader of the record can see the number
    /// anyway.
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
    /// Bytes that can only be printed with [`print_hex`](self).
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

/// An entry of a table: a value and its name. C: `struct trace_print_flags`.
#[derive(Clone, Copy)]
pub struct Symbol {
    value: u64,
    name: *const u8,
}

// SAFETY: The pointer is to static text.
unsafe impl Sync for Symbol {}

impl Symbol {
    /// Returns an entry that names a value. `name` must end with a NUL.
    pub const fn new(value: u64, name: &'static str) -> Self {
        assert!(!name.is_empty() && name.as_bytes()[name.len() - 1] == 0);
        plain(slice(name, 0, name.len() - 1));
        Self {
            value,
            name: name.as_ptr(),
        }
    }

    /// Returns the value truncated to a field of `size` bytes. Fields are read as unsigned.
    pub const fn value(&self, size: usize) -> u64 {
        self.value & (u64::MAX >> (64 - 8 * size))
    }

    /// Returns whether a field of `size` bytes, signed or unsigned, can have the value.
    const fn fits(&self, size: usize) -> bool {
        let above = 64 - 8 * size as u32;
        self.value(size) == self.value
            || ((self.value << above) as i64 >> above) as u64 == self.value
    }

    /// Returns the name, terminated by a NUL.
    pub const fn name(&self) -> *const u8 {
        self.name
    }
}

/// A table of names for values.
#[derive(Clone, Copy)]
pub struct Table {
    /// The names.
    pub symbols: &'static [Symbol],
    /// The text between the names of a value's bits (`__print_flags()`), or `None` if a value has a
    /// single name (`__print_symbolic()`).
    pub delimiter: Option<&'static str>,
}

impl Table {
    /// Returns the table, checked for a field of `size` bytes.
    #[track_caller]
    const fn checked(self, size: usize, field: &str) -> Self {
        if let Some(delimiter) = self.delimiter {
            plain(delimiter);
        }
        let mut i = 0;
        while i < self.symbols.len() {
            let symbol = self.symbols[i];
            if !symbol.fits(size) {
                fail("a value in the table does not fit in the field", field);
            }
            // The kernel and tools disagree on both: 0 is printed for every value or for none, and
            // tools parse bit 63 as a negative number.
            if self.delimiter.is_some() && matches!(symbol.value(size), 0 | 0x8000_0000_0000_0000..)
            {
                fail("`print_flags` cannot name 0 or bit 63 of the field", field);
            }
            i += 1;
        }
        self
    }
}

/// Checks a name or a delimiter. Tools print the text between the quotes verbatim.
#[track_caller]
const fn plain(text: &str) {
    let mut i = 0;
    while i < text.len() {
        if !matches!(text.as_bytes()[i], b' '..=b'~') || matches!(text.as_bytes()[i], b'"' | b'\\')
        {
            fail(
                "a name must be printable ASCII without quotes and backslashes",
                text,
            );
        }
        i += 1;
    }
}

/// A name in the template for a field that is printed with a table.
#[derive(Clone, Copy)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// The field.
    pub field: &'static str,
    /// The table.
    pub table: Table,
}

/// A field, as a template sees it.
#[derive(Clone, Copy)]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// The kind.
    pub kind: Kind,
    /// The offset in the record.
    pub offset: usize,
    /// Whether the field is a location whose offset counts from the end of the field.
    pub rel: bool,
    /// The table of the field's type, if any.
    pub table: Option<Table>,
    /// Whether the template must show the field.
    pub shown: bool,
}

/// The format options of a number or a string.
#[derive(Clone, Copy)]
struct Spec {
    left: bool,
    right: bool,
    plus: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    conversion: u8,
}

/// The style in which bytes are printed.
#[derive(Clone, Copy)]
pub enum Hex {
    /// `00 01 02`
    Spaced,
    /// `000102`
    Concatenated,
    /// A hex dump, on separate lines.
    Dump,
}

impl Hex {
    /// Returns the style that an operand encodes.
    pub const fn from_operand(operand: u8) -> Self {
        match operand {
            0 => Hex::Spaced,
            1 => Hex::Concatenated,
            _ => Hex::Dump,
        }
    }
}

/// The way a field is printed.
#[derive(Clone, Copy)]
enum Show {
    Number(Spec),
    Chars(Spec),
    Str(Spec),
    Array,
    Hex(Hex),
    Groups,
    List,
    SockAddr,
    Len,
    Secs,
    Nanoseconds,
    Table(Table),
}

/// A piece of a template: some text, and the field that follows it.
#[derive(Clone, Copy)]
pub struct Piece {
    text: &'static [u8],
    show: Option<(Field, Show)>,
}

/// The opcodes of the program. The operands follow the opcode: first the offset of the field as two
/// bytes, little endian, then the operands listed for each opcode.
pub mod op {
    /// The end of the program.
    pub const END: u8 = 0;
    /// Text, terminated by a NUL. No offset.
    pub const TEXT: u8 = 1;
    /// A number: its size, plus 16 if it is signed; then a `printf` format, terminated by a NUL.
    pub const NUMBER: u8 = 2;
    /// A fixed number of characters: a `printf` format that limits them to the field's length.
    pub const CHARS: u8 = 3;
    /// A string: a `printf` format.
    pub const STR: u8 = 4;
    /// An array of integers: the size of an element, then the number of elements as two bytes.
    pub const ARRAY: u8 = 5;
    /// Bytes: their number as two bytes, then the [`Hex`](super::Hex).
    pub const HEX: u8 = 6;
    /// A location of an array of integers: the size of an element.
    pub const DYN_ARRAY: u8 = 7;
    /// A location of bytes: the [`Hex`](super::Hex).
    pub const DYN_HEX: u8 = 8;
    /// A mask, in groups.
    pub const GROUPS: u8 = 9;
    /// A mask, as a list.
    pub const LIST: u8 = 10;
    /// A socket address.
    pub const SOCKADDR: u8 = 11;
    /// The length of the data that a location points to.
    pub const LEN: u8 = 12;
    /// The seconds of a 64-bit time in nanoseconds.
    pub const SECS: u8 = 13;
    /// The nanoseconds of such a time that remain after the seconds.
    pub const NANOSECONDS: u8 = 14;
    /// A number printed with the next table: its size.
    pub const TABLE: u8 = 15;
    /// Flag: the offset in the location counts from the end of the location.
    pub const REL: u8 = 0x80;
}

/// A template, and the names that it can refer to.
#[derive(Clone, Copy)]
pub struct Template {
    text: &'static str,
    fields: &'static [Field],
    named: &'static [Named],
    len: usize,
}

impl Template {
    /// Returns the template `text` of an event with these fields and these named tables, or fails
    /// the build if it is invalid. Functions that can fail are `#[track_caller]`, so the error
    /// points at the event.
    #[track_caller]
    pub const fn new(
        text: &'static str,
        fields: &'static [Field],
        named: &'static [Named],
    ) -> Self {
        let mut template = Self {
            text,
            fields,
            named,
            len: 0,
        };
        let mut shown = 0;
        let mut from = 0;
        while from < text.len() {
            let (piece, next) = template.piece(from);
            if piece.show.is_some() {
                shown += 1;
                // `test_event_printk()` (kernel/trace/trace_events.c) warns about more.
                if shown > 63 {
                    fail("more than 63 fields are shown", text);
                }
            }
            template.len += 1;
            from = next;
        }
        let mut i = 0;
        while i < fields.len() {
            if fields[i].shown && !template.shows(fields[i].name) {
                fail("the field is not shown", fields[i].name);
            }
            i += 1;
        }
        template
    }

    /// Returns the number of pieces.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the pieces. `N` must be [`Template::len`].
    pub const fn pieces<const N: usize>(&self) -> [Piece; N] {
        let mut pieces = [Piece {
            text: &[],
            show: None,
        }; N];
        let mut from = 0;
        let mut i = 0;
        while i < N {
            (pieces[i], from) = self.piece(from);
            i += 1;
        }
        pieces
    }

    const fn shows(&self, name: &str) -> bool {
        let mut from = 0;
        while from < self.text.len() {
            let (piece, next) = self.piece(from);
            if let Some((field, _)) = piece.show {
                if equal(field.name, name) {
                    return true;
                }
            }
            from = next;
        }
        false
    }

    /// Returns the piece that starts at `from`, and the start of the next one.
    #[track_caller]
    const fn piece(&self, from: usize) -> (Piece, usize) {
        let (_, bytes) = self.text.as_bytes().split_at(from);
        let mut i = 0;
        while i < bytes.len() {
            match bytes[i] {
                b'{' | b'}' if i + 1 < bytes.len() && bytes[i + 1] == bytes[i] => {
                    // One of the braces is part of the text.
                    let (text, _) = bytes.split_at(i + 1);
                    return (Piece { text, show: None }, from + i + 2);
                }
                b'}' => fail(
                    "unmatched `}`, write `}}` for a brace in the text",
                    self.text,
                ),
                b'{' => {
                    let mut end = i;
                    while end < bytes.len() && bytes[end] != b'}' {
                        end += 1;
                    }
                    if end == bytes.len() {
                        fail(
                            "unmatched `{`, write `{{` for a brace in the text",
                            self.text,
                        );
                    }
                    let (text, _) = bytes.split_at(i);
                    let show = Some(self.resolve(from + i + 1, from + end));
                    return (Piece { text, show }, from + end + 1);
                }
                b'\\' if i + 1 == bytes.len() => fail(
                    "a backslash at the end would escape the closing quote for tools",
                    self.text,
                ),
                b'\n' | b'\t' | b' '..=b'~' => i += 1,
                _ => fail(
                    "only printable ASCII, newlines and tabs are allowed",
                    self.text,
                ),
            }
        }
        let piece = Piece {
            text: bytes,
            show: None,
        };
        (piece, self.text.len())
    }

    /// Resolves the `name[:spec]` between two braces.
    #[track_caller]
    const fn resolve(&self, from: usize, to: usize) -> (Field, Show) {
        let bytes = self.text.as_bytes();
        let mut colon = from;
        while colon < to && bytes[colon] != b':' {
            colon += 1;
        }
        let name = slice(self.text, from, colon);
        let spec = if colon < to {
            slice(self.text, colon + 1, to)
        } else {
            ""
        };
        let mut i = 0;
        while i < self.named.len() {
            if equal(self.named[i].name, name) {
                if !spec.is_empty() {
                    fail("the name of a table takes no format spec", name);
                }
                let Some(field) = self.field(self.named[i].field) else {
                    fail("the event has no such field", self.named[i].field);
                };
                let (Kind::Int { .. } | Kind::Pointer) = field.kind else {
                    fail(
                        "a table works only on a number, not on the field",
                        field.name,
                    );
                };
                let table = self.named[i].table.checked(number_size(&field), field.name);
                return (field, Show::Table(table));
            }
            i += 1;
        }
        match self.field(name) {
            Some(field) => (field, show(&field, spec)),
            None => fail("the event has no such field", name),
        }
    }

    const fn field(&self, name: &str) -> Option<Field> {
        let name = unraw(name);
        let mut i = 0;
        while i < self.fields.len() {
            if equal(self.fields[i].name, name) {
                return Some(self.fields[i]);
            }
            i += 1;
        }
        None
    }
}

const fn write_print_fmt<const N: usize>(pieces: &[Piece]) -> Text<N> {
    let mut text = Text::<N>::new().byte(b'"');
    let mut i = 0;
    while i < pieces.len() {
        text = quoted(text, pieces[i].text);
        if let Some((field, show)) = &pieces[i].show {
            text = format(text, field, show);
        }
        i += 1;
    }
    text = text.byte(b'"');
    i = 0;
    while i < pieces.len() {
        if let Some((field, show)) = &pieces[i].show {
            text = argument(text.str(", "), field, show);
        }
        i += 1;
    }
    text.byte(0)
}

/// Writes text escaped for the quotes of a `printf` format.
const fn quoted<const N: usize>(mut text: Text<N>, bytes: &[u8]) -> Text<N> {
    let mut plain = 0;
    let mut i = 0;
    while i < bytes.len() {
        let quoted = match bytes[i] {
            b'%' => "%%",
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\t' => "\\t",
            _ => {
                i += 1;
                continue;
            }
        };
        text = text.part(bytes, plain, i).str(quoted);
        i += 1;
        plain = i;
    }
    text.part(bytes, plain, i)
}

/// Returns the length of [`print_fmt`].
pub const fn print_fmt_len(pieces: &[Piece]) -> usize {
    write_print_fmt::<0>(pieces).len()
}

/// Returns the event's `print fmt`, as a C string.
pub const fn print_fmt<const N: usize>(pieces: &[Piece]) -> [u8; N] {
    write_print_fmt(pieces).bytes()
}

const fn write_program<const N: usize>(pieces: &[Piece]) -> Text<N> {
    let mut code = Text::<N>::new();
    let mut i = 0;
    while i < pieces.len() {
        let text = pieces[i].text;
        if !text.is_empty() {
            code = code.byte(op::TEXT).part(text, 0, text.len()).byte(0);
        }
        if let Some((field, show)) = &pieces[i].show {
            code = instruction(code, field, show);
        }
        i += 1;
    }
    code.byte(op::TEXT).byte(b'\n').byte(0).byte(op::END)
}

/// Returns the length of [`program`].
pub const fn program_len(pieces: &[Piece]) -> usize {
    write_program::<0>(pieces).len()
}

/// Returns the program that prints a record.
pub const fn program<const N: usize>(pieces: &[Piece]) -> [u8; N] {
    write_program(pieces).bytes()
}

/// Returns the number of tables that the program uses.
pub const fn tables_len(pieces: &[Piece]) -> usize {
    let mut n = 0;
    let mut i = 0;
    while i < pieces.len() {
        if let Some((_, Show::Table(_))) = pieces[i].show {
            n += 1;
        }
        i += 1;
    }
    n
}

/// Returns the tables in the order the program uses them.
pub const fn tables<const N: usize>(pieces: &[Piece]) -> [Table; N] {
    let mut tables = [Table {
        symbols: &[],
        delimiter: None,
    }; N];
    let mut n = 0;
    let mut i = 0;
    while i < pieces.len() {
        if let Some((_, Show::Table(table))) = pieces[i].show {
            tables[n] = table;
            n += 1;
        }
        i += 1;
    }
    tables
}

/// Fails the build with an error message.
#[track_caller]
const fn fail(what: &str, about: &str) -> ! {
    let text = Text::<200>::new()
        .str("print template: ")
        .str(what)
        .str(": `")
        .str(about)
        .byte(b'`');
    panic!("{}", text.as_str());
}

/// Decides how `{field:spec}` is shown.
#[track_caller]
const fn show(field: &Field, spec: &str) -> Show {
    let bytes = spec.as_bytes();
    if bytes.len() > 1 && bytes[0].is_ascii_lowercase() {
        return helper(field, spec);
    }
    let mut parsed = parse(spec, field.name);
    match field.kind {
        Kind::Int { .. } | Kind::Pointer => match field.table {
            Some(table) if spec.is_empty() => {
                Show::Table(table.checked(number_size(field), field.name))
            }
            _ if parsed.precision.is_some() => fail("a number takes no precision", field.name),
            _ if parsed.plus && !matches!(field.kind, Kind::Int { signed: true, .. }) => fail(
                "`+` works only on a signed number, not on the field",
                field.name,
            ),
            _ => {
                // A prefix comes before the blanks with which `printf` pads to the width.
                let prefix = parsed.alternate
                    || matches!(field.kind, Kind::Pointer) && parsed.conversion == b'd';
                if prefix && parsed.width > 0 && !parsed.zero && !parsed.left {
                    fail(
                        "with a `0x` prefix, a width needs a `0` or a `<`",
                        field.name,
                    );
                }
                Show::Number(parsed)
            }
        },
        Kind::Chars { .. } | Kind::Str => {
            if parsed.conversion != b'd' || parsed.zero || parsed.plus || parsed.alternate {
                fail(
                    "a string takes only an alignment, a width and a precision",
                    field.name,
                );
            }
            // As in Rust, text is left-aligned and numbers are right-aligned.
            parsed.left = !parsed.right;
            if let Kind::Str = field.kind {
                Show::Str(parsed)
            } else {
                Show::Chars(parsed)
            }
        }
        _ if !spec.is_empty() => fail("the field takes no format spec", field.name),
        Kind::Array { .. } | Kind::DynArray { .. } => Show::Array,
        Kind::Mask => Show::Groups,
        Kind::SockAddr => Show::SockAddr,
        Kind::Bytes { .. } => fail("a struct needs a helper such as `:print_hex`", field.name),
    }
}

/// Decides how `{field:helper}` is shown.
#[track_caller]
const fn helper(field: &Field, name: &str) -> Show {
    let kind = field.kind;
    let is_dynamic = matches!(
        kind,
        Kind::Str | Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr
    );
    let is_bytes = matches!(
        kind,
        Kind::Bytes { .. } | Kind::Array { .. } | Kind::Chars { .. } | Kind::DynArray { .. }
    );
    if starts_with(name, "print_hex") {
        let hex = if equal(name, "print_hex") {
            Hex::Spaced
        } else if equal(name, "print_hex_str") {
            Hex::Concatenated
        } else if equal(name, "print_hex_dump") {
            Hex::Dump
        } else {
            fail("no such helper", name)
        };
        if !is_bytes {
            fail(
                "`print_hex` works only on arrays and structs, not on the field",
                field.name,
            );
        }
        return Show::Hex(hex);
    }
    if equal(name, "print_array") {
        if !matches!(kind, Kind::Array { .. } | Kind::DynArray { .. }) {
            fail(
                "`print_array` works only on arrays, not on the field",
                field.name,
            );
        }
        return Show::Array;
    }
    if equal(name, "list") {
        if !matches!(kind, Kind::Mask) {
            fail(
                "`list` works only on bit masks, not on the field",
                field.name,
            );
        }
        return Show::List;
    }
    if equal(name, "len") {
        if !is_dynamic {
            fail(
                "`len` works only on data of variable length, not on the field",
                field.name,
            );
        }
        return Show::Len;
    }
    if equal(name, "print_ns_to_secs") || equal(name, "print_ns_without_secs") {
        if !matches!(
            kind,
            Kind::Int {
                size: 8,
                signed: false
            }
        ) {
            fail(
                "nanoseconds must be a `u64`, not the type of the field",
                field.name,
            );
        }
        return if equal(name, "print_ns_to_secs") {
            Show::Secs
        } else {
            Show::Nanoseconds
        };
    }
    fail("no such helper", name)
}

/// Parses format options with the syntax of Rust's format strings.
#[track_caller]
const fn parse(text: &str, name: &str) -> Spec {
    let bytes = text.as_bytes();
    let mut spec = Spec {
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
    while i < bytes.len() && bytes[i].is_ascii_digit() {
        spec.width = spec.width * 10 + (bytes[i] - b'0') as usize;
        i += 1;
    }
    if i + 1 < bytes.len() && bytes[i] == b'.' {
        i += 1;
        let mut precision = 0;
        while i < bytes.len() && bytes[i].is_ascii_digit() {
            precision = precision * 10 + (bytes[i] - b'0') as usize;
            i += 1;
        }
        spec.precision = Some(precision);
    }
    if i < bytes.len() && matches!(bytes[i], b'x' | b'X' | b'o') {
        spec.conversion = bytes[i];
        i += 1;
    }
    if i < bytes.len() {
        fail("invalid format spec", text);
    }
    let is_hex = matches!(spec.conversion, b'x' | b'X');
    if spec.alternate && !is_hex {
        fail("`#` works only with `x` or `X`, in the field", name);
    }
    if spec.plus && spec.conversion != b'd' || spec.left && spec.zero {
        fail("invalid format spec", text);
    }
    spec
}

/// Writes the part of a `printf` format before the conversion.
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
    // For zero, C's `#` omits the prefix, but the kernel's doesn't.
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

/// Writes the conversion for a field in the format string of the `print fmt`.
const fn format<const N: usize>(text: Text<N>, field: &Field, show: &Show) -> Text<N> {
    match show {
        Show::Number(spec) => number(text, &field.kind, spec),
        Show::Chars(spec) | Show::Str(spec) => layout(text, spec, spec.width).byte(b's'),
        Show::Array | Show::Hex(_) | Show::Groups | Show::List | Show::Table(_) => text.str("%s"),
        Show::SockAddr => text.str("%pISpc"),
        Show::Len => text.str("%d"),
        Show::Secs => text.str("%llu"),
        Show::Nanoseconds => text.str("%09llu"),
    }
}

/// Writes `__get_NAME(field)`, or `__get_rel_NAME(field)` for a `__rel_loc` field.
const fn get<const N: usize>(text: Text<N>, name: &str, field: &Field) -> Text<N> {
    text.str(if field.rel { "__get_rel_" } else { "__get_" })
        .str(name)
        .byte(b'(')
        .str(field.name)
        .byte(b')')
}

/// Writes an expression for the number of elements of `size` bytes that a location points to.
const fn len<const N: usize>(text: Text<N>, field: &Field, size: usize) -> Text<N> {
    if field.rel {
        // Tools crash on `__get_rel_dynamic_array_len()` (libtraceevent 1.8.4). For the field
        // itself, they return the location, which has the length in its upper half.
        return text
            .str("REC->")
            .str(field.name)
            .str(" >> ")
            .number(16 + size.trailing_zeros() as usize);
    }
    let text = get(text, "dynamic_array_len", field);
    if size == 1 {
        text
    } else {
        text.str(" / ").number(size)
    }
}

/// Writes the argument for a field, after the format string of the `print fmt`.
const fn argument<const N: usize>(text: Text<N>, field: &Field, show: &Show) -> Text<N> {
    match show {
        Show::Str(_) => get(text, "str", field),
        Show::Groups => get(text, "bitmask", field),
        // Tools print a list for this, regardless of how the kernel prints it in C.
        Show::List => get(text, "cpumask", field),
        // Tools have a wrong name for `__get_rel_sockaddr()`.
        Show::SockAddr if field.rel => get(text, "dynamic_array", field),
        Show::SockAddr => get(text, "sockaddr", field),
        Show::Len => len(text, field, 1),
        Show::Secs => text.str("REC->").str(field.name).str(" / 1000000000"),
        Show::Nanoseconds => text.str("REC->").str(field.name).str(" % 1000000000"),
        Show::Number(_) | Show::Chars(_) => text.str("REC->").str(field.name),
        Show::Array => match field.kind {
            Kind::DynArray { size } => {
                let text = get(text.str("__print_array("), "dynamic_array", field).str(", ");
                len(text, field, size).str(", ").number(size)
            }
            Kind::Array { size, len } => text
                .str("__print_array(REC->")
                .str(field.name)
                .str(", ")
                .number(len)
                .str(", ")
                .number(size),
            _ => text,
        }
        .byte(b')'),
        Show::Hex(hex) => {
            let text = text.str(match hex {
                Hex::Spaced => "__print_hex(",
                Hex::Concatenated => "__print_hex_str(",
                // Prefix string, DUMP_PREFIX_OFFSET, bytes per line, bytes per group.
                Hex::Dump => "__print_hex_dump(\"\", 2, 16, 1, ",
            });
            let text = match fixed_len(field) {
                Some(len) => text.str("REC->").str(field.name).str(", ").number(len),
                None => {
                    let text = get(text, "dynamic_array", field).str(", ");
                    len(text, field, 1)
                }
            };
            text.str(if matches!(hex, Hex::Dump) {
                ", 1)"
            } else {
                ")"
            })
        }
        Show::Table(table) => {
            let mut text = match table.delimiter {
                None => text.str("__print_symbolic(REC->").str(field.name),
                Some(delimiter) => text
                    .str("__print_flags(REC->")
                    .str(field.name)
                    .str(", \"")
                    .str(delimiter)
                    .byte(b'"'),
            };
            let mut i = 0;
            while i < table.symbols.len() {
                let symbol = &table.symbols[i];
                text = hex(text.str(", { 0x"), symbol.value(number_size(field))).str(", \"");
                let mut name = symbol.name;
                // SAFETY: `Symbol::new` has checked that the name ends with a NUL.
                unsafe {
                    while *name != 0 {
                        text = text.byte(*name);
                        name = name.add(1);
                    }
                }
                text = text.str("\" }");
                i += 1;
            }
            text.byte(b')')
        }
    }
}

const fn hex<const N: usize>(text: Text<N>, n: u64) -> Text<N> {
    let more = if n >= 16 { hex(text, n / 16) } else { text };
    more.byte(b"0123456789abcdef"[(n % 16) as usize])
}

/// Returns the size of a number.
const fn number_size(field: &Field) -> usize {
    match field.kind {
        Kind::Int { size, .. } => size,
        _ => 8,
    }
}

/// Returns the size of a field whose data is in the record itself, without a location.
const fn fixed_len(field: &Field) -> Option<usize> {
    match field.kind {
        Kind::Bytes { len } | Kind::Chars { len } => Some(len),
        Kind::Array { size, len } => Some(size * len),
        _ => None,
    }
}

/// Writes the instruction that prints a field.
const fn instruction<const N: usize>(code: Text<N>, field: &Field, show: &Show) -> Text<N> {
    let rel = if field.rel { op::REL } else { 0 };
    let at = field.offset;
    match show {
        Show::Number(spec) => {
            let size = match field.kind {
                Kind::Int { size, signed: true } => size + 16,
                Kind::Int { size, .. } => size,
                _ => 8,
            };
            number(
                begin(code, op::NUMBER, at).byte(size as u8),
                &field.kind,
                spec,
            )
            .byte(0)
        }
        Show::Chars(spec) => {
            // Never print past the end of the field, whatever the record contains.
            let mut spec = *spec;
            if let Some(len) = fixed_len(field) {
                spec.precision = match spec.precision {
                    Some(precision) if precision < len => Some(precision),
                    _ => Some(len),
                };
            }
            layout(begin(code, op::CHARS, at), &spec, spec.width)
                .byte(b's')
                .byte(0)
        }
        Show::Str(spec) => layout(begin(code, op::STR | rel, at), spec, spec.width)
            .byte(b's')
            .byte(0),
        Show::Array => match field.kind {
            Kind::Array { size, len } => word(begin(code, op::ARRAY, at).byte(size as u8), len),
            Kind::DynArray { size } => begin(code, op::DYN_ARRAY | rel, at).byte(size as u8),
            _ => code,
        },
        Show::Hex(hex) => match fixed_len(field) {
            Some(len) => word(begin(code, op::HEX, at), len).byte(*hex as u8),
            None => begin(code, op::DYN_HEX | rel, at).byte(*hex as u8),
        },
        Show::Groups => begin(code, op::GROUPS | rel, at),
        Show::List => begin(code, op::LIST | rel, at),
        Show::SockAddr => begin(code, op::SOCKADDR | rel, at),
        Show::Len => begin(code, op::LEN | rel, at),
        Show::Secs => begin(code, op::SECS, at),
        Show::Nanoseconds => begin(code, op::NANOSECONDS, at),
        Show::Table(_) => begin(code, op::TABLE, at).byte(number_size(field) as u8),
    }
}

const fn begin<const N: usize>(code: Text<N>, op: u8, offset: usize) -> Text<N> {
    word(code.byte(op), offset)
}

const fn word<const N: usize>(code: Text<N>, n: usize) -> Text<N> {
    assert!(n <= 0xffff, "a field's offset or length exceeds 65535");
    code.byte(n as u8).byte((n >> 8) as u8)
}
