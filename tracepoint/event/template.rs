// SPDX-License-Identifier: GPL-2.0

//! The parts of a print template that depend on a type.
//!
//! `trace_event!` compiles a template by itself if it knows the types of the shown fields by their
//! names and the values of its tables. For an alias, an enum of the driver's, or a constant in a
//! table, the expansion contains a [`Print`], which is evaluated at compile time.

use super::{
    show::{self, Kind, Show},
    symbols::{self, Table, TypeTable},
};
use crate::text::Text;

/// What the tables and the template have to know of a field's type: the constants of `Field`.
#[derive(Clone, Copy)]
pub struct Shape {
    /// `Field::NAME`.
    pub name: &'static str,
    /// `Field::SIGNED`.
    pub signed: bool,
    /// `Field::KIND`.
    pub kind: Kind,
    /// `Field::REL`.
    pub rel: bool,
    /// The size of the slot.
    pub size: usize,
    /// The alignment of the slot.
    pub align: usize,
    /// `Field::TABLE`.
    pub table: Option<TypeTable>,
}

impl Shape {
    /// Returns the shape of a field whose elements are `char` in C.
    pub const fn chars(mut self) -> Self {
        self.kind = self.kind.chars();
        self
    }

    /// Returns the size of a number.
    pub const fn number_size(&self) -> usize {
        self.kind.number_size()
    }
}

/// A field in a template.
#[derive(Clone, Copy)]
pub struct Shown {
    name: &'static str,
    kind: Kind,
    rel: bool,
    show: Show,
    table: Option<&'static Table>,
    /// The text of the table, if its type brings it along.
    text: Option<&'static str>,
    offset: usize,
}

/// Fails the build because of a field of an event.
#[track_caller]
const fn fail(event: &str, field: &str, error: &str) -> ! {
    let text = Text::<300>::new()
        .str("event `")
        .str(event)
        .str("`: field `")
        .str(field)
        .str("`: ")
        .str(error);
    panic!("{}", text.as_str());
}

impl Shown {
    /// Returns `{name:spec}` of an event. `shape` is that of the field's type, `offset` is its place in
    /// the record.
    #[track_caller]
    pub const fn new(
        event: &str,
        name: &'static str,
        shape: Shape,
        spec: &str,
        offset: usize,
    ) -> Self {
        let Shape {
            kind, rel, table, ..
        } = shape;
        let show = match Show::new(kind, table.is_some(), spec) {
            Ok(show) => show,
            Err(error) => fail(event, name, error),
        };
        let (table, text) = match table {
            Some(TypeTable { table, text }) if show.is_table() => (Some(table), Some(text)),
            _ => (None, None),
        };
        Self {
            name,
            kind,
            rel,
            show,
            table,
            text,
            offset,
        }
    }

    /// Returns a field that the template shows with a table of its own.
    #[track_caller]
    pub const fn named(
        event: &str,
        name: &'static str,
        shape: Shape,
        table: &'static Table,
        offset: usize,
    ) -> Self {
        let Shape { kind, rel, .. } = shape;
        if !kind.is_number() {
            fail(event, name, "only a number can be looked up in a table");
        }
        Self {
            name,
            kind,
            rel,
            show: Show::Table,
            table: Some(table),
            text: None,
            offset,
        }
    }

    const fn argument<const N: usize>(&self, text: Text<N>) -> Text<N> {
        let Some(table) = self.table else {
            return show::argument(text, self.name, &self.kind, self.rel, &self.show);
        };
        let head = show::symbols(text, self.name, table.delimiter.is_some());
        match self.text {
            Some(text) => head.str(text),
            None => symbols::write(head, table, self.kind.number_size()),
        }
        .byte(b')')
    }
}

/// A part of a `print fmt` or of a program.
#[derive(Clone, Copy)]
pub enum Part {
    /// Bytes that are known.
    Bytes(&'static [u8]),
    /// The offset of a field whose instruction is known.
    Offset(usize),
    /// The conversion of a shown field.
    Format(usize),
    /// The argument of a shown field.
    Argument(usize),
    /// The instruction of a shown field.
    Instruction(usize),
}

/// A print template.
#[derive(Clone, Copy)]
pub struct Print {
    /// The shown fields that the macro doesn't know all about.
    pub shown: &'static [Shown],
    /// The `print fmt`.
    pub print_fmt: &'static [Part],
    /// The program.
    pub program: &'static [Part],
}

impl Print {
    #[track_caller]
    const fn write<const N: usize>(&self, parts: &[Part]) -> Text<N> {
        let mut text = Text::new();
        let mut i = 0;
        while i < parts.len() {
            text = match parts[i] {
                Part::Bytes(bytes) => text.part(bytes, 0, bytes.len()),
                Part::Offset(offset) => show::word(text, offset),
                Part::Format(n) => {
                    let shown = &self.shown[n];
                    show::format(text, &shown.kind, &shown.show)
                }
                Part::Argument(n) => self.shown[n].argument(text),
                Part::Instruction(n) => {
                    let Shown {
                        kind,
                        rel,
                        show,
                        offset,
                        ..
                    } = &self.shown[n];
                    show::instruction(text, kind, *rel, show, *offset)
                }
            };
            i += 1;
        }
        text
    }

    /// Returns the length of [`Print::print_fmt`].
    pub const fn print_fmt_len(&self) -> usize {
        self.write::<0>(self.print_fmt).len()
    }

    /// Returns the event's `print fmt`, a C string. `N` must be its length.
    pub const fn print_fmt<const N: usize>(&self) -> [u8; N] {
        self.write(self.print_fmt).bytes()
    }

    /// Returns the length of [`Print::program`].
    #[track_caller]
    pub const fn program_len(&self) -> usize {
        self.write::<0>(self.program).len()
    }

    /// Returns the program that prints a record. `N` must be its length.
    pub const fn program<const N: usize>(&self) -> [u8; N] {
        self.write(self.program).bytes()
    }

    /// Returns the table of a shown field, if it is shown with one.
    pub const fn table(&self, n: usize) -> Option<&'static Table> {
        self.shown[n].table
    }
}

/// Returns a program in which only the offsets of the fields were missing. Each is given with the
/// place where it belongs.
#[track_caller]
pub const fn place_offsets<const N: usize, const M: usize>(
    mut code: [u8; N],
    offsets: [(usize, usize); M],
) -> [u8; N] {
    let mut i = 0;
    while i < M {
        let (at, offset) = offsets[i];
        assert!(offset <= 0xffff, "a field lies too far back in the record");
        code[at] = offset as u8;
        code[at + 1] = (offset >> 8) as u8;
        i += 1;
    }
    code
}
