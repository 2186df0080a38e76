// SPDX-License-Identifier: GPL-2.0

//! The values that a template shows, from which its texts are made: the `print fmt` and the kernel's format.
//!
//! Both the crate and its procedural macros include this file. The macros write the texts of what they
//! know: fields of types that they know by their names, tables of literals. For an alias, an enum of the
//! driver's, or a constant in a table, the expansion contains a [`Print`], and the same functions write them
//! when it's compiled.

use super::{
    errno::ERRNO_TABLE,
    shape::Shape,
    show::{self, Kind, Pass, Show, COUNT_MAX},
    spec::{ok, Spec},
    symbols::{self, quoted, Range, Symbol, Table, HIGHEST},
};
use crate::base::text::{equal, fail, Text};

/// A value that's shown.
#[derive(Clone, Copy)]
pub enum Of<'a> {
    /// A field of this type.
    Recorded(Shape),
    /// A number that's computed, and its text in the `print fmt`.
    Computed(Kind, &'a str),
}

impl Of<'_> {
    /// Returns what it's made of.
    pub const fn kind(&self) -> Kind {
        match self {
            Of::Recorded(shape) => shape.kind,
            Of::Computed(kind, _) => *kind,
        }
    }
}

/// How it's shown.
#[derive(Clone, Copy)]
pub enum How<'a> {
    /// As what follows the colon in `{name:spec}` says.
    As(&'a str),
    /// By the names in a table, with a layout for the name. The flag says whether that's all that is shown, rather
    /// than a part of it.
    Names(&'a Table<'a>, &'a str, bool),
}

/// A field or a computed number in a template.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    name: &'a str,
    of: Of<'a>,
    /// How it's shown.
    pub show: Show,
    /// The names of a number.
    pub table: Option<&'a Table<'a>>,
    /// The text of the table, if its type brings it along.
    text: Option<&'static [u8]>,
}

impl<'a> Shown<'a> {
    /// Returns what's shown of `name`.
    pub const fn new(name: &'a str, of: Of<'a>, how: How<'a>) -> Result<Self, &'static str> {
        let kind = of.kind();
        let shown = match (how, of) {
            (How::Names(table, layout, is_all), _) => {
                let spec = ok!(Spec::of_name(layout));
                let has_highest = table.highest(kind.number_size()).is_some();
                match (kind.is_number(), spec.is_plain(), is_all) {
                    (false, ..) => Err("only a number can be looked up in a table"),
                    (_, _, false) if has_highest => Err(
                        "a table with the flag of the highest of 64 bits can't be a part of a value",
                    ),
                    // Tools would have it for each of the flags.
                    (_, false, _) if table.delimiter.is_some() => Err("flags have no width"),
                    // Tools show the number of a value without a name as it is.
                    (_, false, false) if table.other.is_none() => Err(
                        "a part of a value has a width only if its table names all others with `_`",
                    ),
                    _ => Ok((Show::table(kind, spec), Some(table), None)),
                }
            }
            (How::As(spec), _) if equal(spec, "errno") => match kind.number() {
                (2.., true) if kind.is_number() => {
                    Ok((ok!(Show::new(kind, true, "")), Some(&ERRNO_TABLE), None))
                }
                _ => Err("an error number is an `i16`, `i32`, `i64` or `isize`"),
            },
            (How::As(spec), Of::Computed(..)) => match ok!(Show::new(kind, false, spec)) {
                show if matches!(show.pass, Pass::Number) => Ok((show, None, None)),
                _ => Err("this is only for a field"),
            },
            (How::As(spec), Of::Recorded(shape)) => {
                let spec = if spec.is_empty() { shape.spec } else { spec };
                let show = ok!(Show::new(kind, shape.table.is_some(), spec));
                match show.pass {
                    Pass::Name => Ok((show, shape.table, Some(shape.text))),
                    _ => Ok((show, None, None)),
                }
            }
        };
        let (show, table, text) = ok!(shown);
        Ok(Self {
            name,
            of,
            show,
            table,
            text,
        })
    }

    /// Returns the flag that's shown by itself.
    const fn highest(&self) -> Option<&Symbol<'a>> {
        match self.table {
            Some(table) => table.highest(self.show.kind.number_size()),
            None => None,
        }
    }

    /// Returns how many arguments it has in the `print fmt` in addition to the first.
    pub const fn more(&self) -> usize {
        (matches!(self.show.pass, Pass::Dev | Pass::Colons | Pass::Dashes)
            || self.highest().is_some()) as usize
    }

    /// Writes its conversion in the `print fmt`.
    pub const fn format<const N: usize>(&self, text: Text<N>) -> Text<N> {
        let text = text.str(if self.highest().is_some() { "%s" } else { "" });
        self.show.format(text)
    }

    /// Writes its arguments in the `print fmt`.
    pub const fn argument<const N: usize>(&self, mut text: Text<N>) -> Text<N> {
        let Some(table) = self.table else {
            return self.value(text);
        };
        if let (Some(symbol), Some(delimiter)) = (self.highest(), table.delimiter) {
            text = self.operand(text.byte(b'(')).str(" & 0x").hex(HIGHEST);
            text = self.operand(text.str(") ? ((")).str(" & 0x").hex(!HIGHEST);
            let name = symbol.as_c_str();
            text = quoted(text.str(") ? "), name, delimiter);
            text = quoted(text.str(" : "), name, c"").str(") : \"\", ");
        }
        let mut i = 0;
        while i < table.special.len() {
            // Tools would take `a ? b : c ? d : e` for `(a ? b : c) ? d : e`.
            text = self.is_one_of(text.str(if i == 0 { "(" } else { "((" }), &table.special[i]);
            let name = table.special[i].first.as_c_str();
            text = quoted(text.str(") ? "), name, c"").str(" : ");
            i += 1;
        }
        text = match table.other {
            Some(other) => quoted(text, other, c""),
            None => self.helper(text, table),
        };
        while i > 1 {
            text = text.byte(b')');
            i -= 1;
        }
        text
    }

    /// Writes that the number is in a range. All are unsigned for tools.
    const fn is_one_of<const N: usize>(&self, text: Text<N>, range: &Range<'_>) -> Text<N> {
        let size = self.show.kind.number_size();
        let first = range.first.value(size);
        match range.more {
            0 => self.operand(text).str(" == 0x").hex(first),
            more => {
                let text = text.str("(u").number(8 * size).str(")(");
                let text = self.operand(text).str(" - 0x").hex(first);
                text.str(") <= 0x").hex(more)
            }
        }
    }

    /// Writes C's helper for a table.
    const fn helper<const N: usize>(&self, text: Text<N>, table: &Table<'_>) -> Text<N> {
        let text = text.str(match table.delimiter {
            Some(_) => "__print_flags(",
            None => "__print_symbolic(",
        });
        let text = match self.highest() {
            Some(_) => self.operand(text).str(" & 0x").hex(!HIGHEST),
            None => self.value(text),
        };
        match self.text {
            Some(names) => text.part(names, 0, names.len()),
            None => symbols::write(text, table, self.show.kind.number_size()),
        }
        .byte(b')')
    }

    /// Writes the number that's looked up in a table as an operand.
    const fn operand<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match self.of {
            Of::Recorded(_) => self.value(text),
            // It can be a comparison.
            Of::Computed(..) => self.value(text.byte(b'(')).byte(b')'),
        }
    }

    /// Writes the field or the number, without names.
    const fn value<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match self.of {
            Of::Recorded(_) => self.part(text, self.show.argument),
            Of::Computed(_, argument) => text.str(argument),
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
    pub const fn part<const N: usize>(&self, mut text: Text<N>, part: &str) -> Text<N> {
        let (name, rel, part) = (self.name, self.rel(), part.as_bytes());
        let (kind, size, len) = (self.show.kind, self.show.unit(), self.show.len());
        let is_struct = matches!(kind, Kind::Bytes { .. });
        let is_sockaddr = matches!(kind, Kind::SockAddr);
        let mut i = 0;
        while i < part.len() {
            text = match (part[i], len) {
                (b'@', _) => text.str(name),
                (b'?', _) => text.str(if rel { "rel_" } else { "" }),
                (b'~', _) => text.number(size),
                (b'#', Some(len)) => text.number(len),
                (b'#', None) => show::len(text, name, rel, size),
                // The kernel warns if what a conversion such as `%pU` shows is neither an array nor has an `&`
                // (`process_pointer()`, kernel/trace/trace_events.c). Tools only know it without the `&`.
                (b'^', _) | (b'!', Some(_)) if is_struct => text.str("&REC->").str(name),
                (b'^', _) | (b'!' | b'$', Some(_)) => text.str("REC->").str(name),
                // Tools know `__get_rel_sockaddr()` by a wrong name.
                (b'!', None) if is_sockaddr && !rel => self.part(text, "__get_sockaddr(@)"),
                (b'!' | b'$', None) => self.part(text, "__get_?dynamic_array(@)"),
                (byte, _) => text.byte(byte),
            };
            i += 1;
        }
        text
    }

    /// Returns whether the location of its data is relative to its own end.
    pub const fn rel(&self) -> bool {
        matches!(self.of, Of::Recorded(Shape { rel: true, .. }))
    }
}

/// A part of a `print fmt` or of the kernel's format.
#[derive(Clone, Copy)]
pub enum Part {
    /// Bytes that are known.
    Bytes(&'static [u8]),
    /// The conversion of what's shown.
    Format(usize),
    /// The same for the kernel.
    KernelFormat(usize),
    /// Its argument.
    Argument(usize),
}

/// Why a text can't follow a value.
pub(crate) const OPEN: &str =
    "a letter or digit right after an address would be part of C's conversion: put something between them";

/// A print template.
pub struct Print {
    /// The values that the macro doesn't know all about.
    pub shown: &'static [Shown<'static>],
    /// The `print fmt`.
    pub print_fmt: &'static [Part],
    /// The kernel's format.
    pub format: &'static [Part],
}

impl Print {
    /// Returns a template, or fails the build if it shows too much.
    #[track_caller]
    pub const fn new(
        mut count: usize,
        shown: &'static [Shown<'static>],
        print_fmt: &'static [Part],
        format: &'static [Part],
    ) -> Self {
        let mut i = 0;
        while i < shown.len() {
            count += shown[i].more();
            i += 1;
        }
        assert!(
            count <= COUNT_MAX,
            "a template can't have more than 63 conversions, or 59 in a span"
        );
        i = 1;
        while i < print_fmt.len() {
            if let Part::Format(n) = print_fmt[i - 1] {
                let next = match print_fmt[i] {
                    Part::Format(n) => shown[n].format(Text::<64>::new()),
                    Part::Bytes(bytes) => Text::new().part(bytes, 0, 1),
                    _ => Text::new(),
                };
                let is_part = matches!(next.as_str().as_bytes(), [first, ..] if first.is_ascii_alphanumeric());
                assert!(!(shown[n].show.is_open() && is_part), "{}", OPEN);
            }
            i += 1;
        }
        Self {
            shown,
            print_fmt,
            format,
        }
    }

    const fn write<const N: usize>(&self, parts: &[Part]) -> Text<N> {
        let mut text = Text::new();
        let mut i = 0;
        while i < parts.len() {
            text = match parts[i] {
                Part::Bytes(bytes) => text.part(bytes, 0, bytes.len()),
                Part::Format(n) => self.shown[n].format(text),
                Part::KernelFormat(n) => self.shown[n].show.kernel_format(text),
                Part::Argument(n) => self.shown[n].argument(text),
            };
            i += 1;
        }
        text
    }

    /// Returns the length of a text.
    pub const fn len(&self, parts: &[Part]) -> usize {
        self.write::<0>(parts).len()
    }

    /// Returns a text. `N` must be its length.
    pub const fn text<const N: usize>(&self, parts: &[Part]) -> [u8; N] {
        self.write(parts).bytes()
    }
}

/// Returns what's shown of `name`, or fails the build.
#[track_caller]
pub const fn shown<'a>(event: &str, name: &'a str, of: Of<'a>, how: How<'a>) -> Shown<'a> {
    let about = match of {
        Of::Recorded(_) => "field ",
        Of::Computed(..) => "",
    };
    match Shown::new(name, of, how) {
        Ok(shown) => shown,
        Err(error) => fail(&["event `", event, "`: ", about, "`", name, "`: ", error]),
    }
}
