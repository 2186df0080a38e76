// SPDX-License-Identifier: GPL-2.0

//! The parts of a print template that depend on a type.
//!
//! `trace_event!` compiles a template by itself if it knows the types of the shown fields by their
//! names and the values of its tables. For an alias, an enum of the driver's, or a constant in a
//! table, the expansion contains a [`Print`], which is evaluated at compile time.

use super::{
    number::{self, Node},
    show::{self, Kind, Read, Show},
    symbols::{self, Table, TypeTable},
};
use crate::base::text::{equal, Text};

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
    /// `Field::NAMES`.
    pub names: u64,
    /// `Field::COMPUTED`.
    pub computed: bool,
    /// `Field::SPEC`.
    pub spec: &'static str,
}

/// Fails the build because of an argument of a template.
#[track_caller]
const fn refuse(event: &str, argument: &str, error: &str) -> ! {
    let text = Text::<300>::new()
        .str("event `")
        .str(event)
        .str("`: `")
        .str(argument)
        .str("`: ")
        .str(error);
    panic!("{}", text.as_str());
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

    /// Whether it is a `bool`, or consists of some.
    const fn is_bool(&self) -> bool {
        equal(self.name, "bool")
    }
}

/// A field or a computed number in a template.
#[derive(Clone, Copy)]
pub struct Shown {
    name: &'static str,
    kind: Kind,
    from: From,
    role: Role,
    table: Option<&'static Table>,
    /// The text of the table, if its type brings it along.
    text: Option<&'static str>,
}

/// The longest number that is looked up in a table, as in the macros.
const NUMBER_MAX: usize = 2050;

/// Where a value comes from.
#[derive(Clone, Copy)]
enum From {
    /// A field, and where it is in the record.
    Field { rel: bool, offset: usize },
    /// An expression that has been checked.
    Number(&'static [Node<'static>]),
}

/// What a value is for.
#[derive(Clone, Copy)]
enum Role {
    Show(Show),
    /// Decides what's shown.
    Condition,
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

/// Returns a field as an operand of an expression.
#[track_caller]
pub const fn operand(
    event: &str,
    name: &'static str,
    shape: Shape,
    offset: usize,
) -> Node<'static> {
    match Node::field(name, shape.kind, shape.is_bool(), offset) {
        Ok(node) => node,
        Err(error) => fail(event, name, error),
    }
}

/// Returns an element of a field as an operand of an expression.
#[track_caller]
pub const fn element(
    event: &str,
    name: &'static str,
    shape: Shape,
    offset: usize,
    index: usize,
) -> Node<'static> {
    let Shape { kind, signed, .. } = shape;
    match Node::element(name, kind, signed, shape.is_bool(), offset, index) {
        Ok(node) => node,
        Err(error) => fail(event, name, error),
    }
}

/// Returns the number of a field's elements as an operand of an expression.
#[track_caller]
pub const fn elements(
    event: &str,
    name: &'static str,
    shape: Shape,
    offset: usize,
) -> Node<'static> {
    match Node::len(name, shape.kind, shape.rel, offset) {
        Ok(node) => node,
        Err(error) => fail(event, name, error),
    }
}

/// Returns the type of an operand and where it is, or how many elements a fixed length says.
pub const fn place(node: Node<'_>) -> (u8, usize) {
    match node {
        Node::Load { ty, offset, .. } => (ty.code(), offset),
        Node::Len { offset, size, .. } => (size as u8, offset),
        Node::Constant(n) => (0, n as usize),
        _ => panic!("not an operand"),
    }
}

/// Checks an expression and returns its type.
#[track_caller]
const fn type_of(event: &str, name: &str, nodes: &[Node<'_>]) -> number::Type {
    match number::check(nodes) {
        Ok(ty) => ty,
        Err(error) => refuse(event, name, error.problem.text().as_str()),
    }
}

/// Returns the size of a computed number.
#[track_caller]
pub const fn number_size(event: &str, name: &str, nodes: &[Node<'_>]) -> usize {
    type_of(event, name, nodes).kind().number_size()
}

impl Shown {
    /// Returns the computed number `name` of an event, shown as `{name:spec}`.
    #[track_caller]
    pub const fn computed(
        event: &str,
        name: &'static str,
        nodes: &'static [Node<'static>],
        spec: &str,
    ) -> Self {
        let kind = type_of(event, name, nodes).kind();
        let show = match Show::computed(kind, spec) {
            Ok(show) => show,
            Err(error) => refuse(event, name, error),
        };
        Self {
            name,
            kind,
            from: From::Number(nodes),
            role: Role::Show(show),
            table: None,
            text: None,
        }
    }

    /// Returns a computed number that is shown with a table.
    #[track_caller]
    pub const fn computed_named(
        event: &str,
        name: &'static str,
        nodes: &'static [Node<'static>],
        table: &'static Table,
    ) -> Self {
        let kind = type_of(event, name, nodes).kind();
        Self {
            name,
            kind,
            from: From::Number(nodes),
            role: Role::Show(Show::Table),
            table: Some(table),
            text: None,
        }
        .checked(event)
    }

    /// Returns a condition.
    #[track_caller]
    pub const fn condition(
        event: &str,
        name: &'static str,
        nodes: &'static [Node<'static>],
    ) -> Self {
        let ty = type_of(event, name, nodes);
        if !matches!(ty, number::Type::Bool) {
            refuse(event, name, number::Problem::NotBool(ty).text().as_str());
        }
        Self {
            name,
            kind: ty.kind(),
            from: From::Number(nodes),
            role: Role::Condition,
            table: None,
            text: None,
        }
    }

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
        let spec = if spec.is_empty() { shape.spec } else { spec };
        let show = match Show::new(kind, table.is_some(), spec) {
            Ok(show) => show,
            Err(error) => fail(event, name, error),
        };
        let (table, text) = match table {
            Some(TypeTable { table, text, .. }) if show.is_table() => (Some(table), Some(text)),
            _ => (None, None),
        };
        Self {
            name,
            kind,
            from: From::Field { rel, offset },
            role: Role::Show(show),
            table,
            text,
        }
        .checked(event)
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
            from: From::Field { rel, offset },
            role: Role::Show(Show::Table),
            table: Some(table),
            text: None,
        }
        .checked(event)
    }

    /// Returns the argument of the kernel's format.
    const fn value(&self) -> Argument {
        match (self.from, &self.role) {
            (From::Field { rel, offset }, Role::Show(show)) => Argument {
                offset,
                rel,
                read: show::read(&self.kind, show),
                table: self.table,
            },
            _ => panic!("the macro computes it"),
        }
    }

    /// Returns how many conversions it has in addition to the first.
    const fn more(&self) -> usize {
        match &self.role {
            Role::Show(show) => show.more(),
            Role::Condition => 0,
        }
    }

    const fn format<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match &self.role {
            Role::Show(show) => show::format(text, &self.kind, show),
            Role::Condition => text,
        }
    }

    const fn kernel_format<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match &self.role {
            Role::Show(show) => show::kernel_format(text, &self.kind, show),
            Role::Condition => text,
        }
    }

    const fn argument<const N: usize>(&self, text: Text<N>) -> Text<N> {
        let Some(table) = self.table else {
            return match (&self.from, &self.role) {
                (From::Field { rel, .. }, Role::Show(show)) => {
                    show::argument(text, self.name, &self.kind, *rel, show)
                }
                (From::Field { .. }, Role::Condition) => text,
                (From::Number(nodes), Role::Show(_)) => number::argument(text, nodes, false),
                (From::Number(nodes), Role::Condition) => number::argument(text, nodes, true),
            };
        };
        let size = self.kind.number_size();
        let text = match table.special {
            Some(special) => {
                let text = match self.from {
                    From::Field { .. } => self.looked_up(text.byte(b'(')),
                    // The number can be a comparison.
                    From::Number(_) => self.looked_up(text.str("((")).byte(b')'),
                };
                special.write_special(text, size)
            }
            None => text,
        };
        if table.has_highest(size) {
            let number = self.operand();
            assert!(number.len() <= NUMBER_MAX, "a number is too long");
            // `Shown::checked` has refused an error.
            return match table.write_highest(text.byte(b'('), number.as_str()) {
                Ok(text) => text.byte(b')'),
                Err(_) => text,
            };
        }
        let head = show::helper_of_table(text, table.delimiter.is_some());
        let head = self.looked_up(head);
        match self.text {
            Some(text) => head.str(text),
            None => symbols::write(head, table, size),
        }
        .byte(b')')
    }

    /// Checks the table.
    #[track_caller]
    const fn checked(self, event: &str) -> Self {
        if let Some(table) = self.table {
            if table.has_highest(self.kind.number_size()) {
                if let Err(error) = table.write_highest(Text::<0>::new(), "") {
                    fail(event, self.name, error);
                }
            }
        }
        self
    }

    /// Returns the number that is looked up in a table, as an operand.
    const fn operand(&self) -> Text<NUMBER_MAX> {
        match self.from {
            From::Field { .. } => self.looked_up(Text::new()),
            // It can be a comparison.
            From::Number(_) => self.looked_up(Text::new().byte(b'(')).byte(b')'),
        }
    }

    /// Writes the number that is looked up in a table.
    const fn looked_up<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match self.from {
            From::Field { .. } => text.str("REC->").str(self.name),
            From::Number(nodes) => number::argument(text, nodes, true),
        }
    }
}

/// An argument of the kernel's format: a field and how it's shown.
#[derive(Clone, Copy)]
pub struct Argument {
    /// Where the field is in the record.
    pub offset: usize,
    /// Whether its location is relative to its own end.
    pub rel: bool,
    /// How it's read.
    pub read: Read,
    /// The names of a number.
    pub table: Option<&'static Table>,
}

/// A part of a `print fmt` or of the kernel's format.
#[derive(Clone, Copy)]
pub enum Part {
    /// Bytes that are known.
    Bytes(&'static [u8]),
    /// The conversion of a shown field.
    Format(usize),
    /// The same for the kernel.
    KernelFormat(usize),
    /// The argument of a shown field.
    Argument(usize),
}

/// A print template.
#[derive(Clone, Copy)]
pub struct Print {
    /// How many values the template shows, as far as the macro can tell.
    pub count: usize,
    /// The shown fields that the macro doesn't know all about.
    pub shown: &'static [Shown],
    /// The `print fmt`.
    pub print_fmt: &'static [Part],
    /// The kernel's format.
    pub format: &'static [Part],
}

impl Print {
    #[track_caller]
    const fn write<const N: usize>(&self, parts: &[Part]) -> Text<N> {
        let mut text = Text::new();
        let mut i = 0;
        while i < parts.len() {
            text = match parts[i] {
                Part::Bytes(bytes) => text.part(bytes, 0, bytes.len()),
                Part::Format(n) => self.shown[n].format(text),
                Part::KernelFormat(n) => self.shown[n].kernel_format(text),
                Part::Argument(n) => self.shown[n].argument(text),
            };
            i += 1;
        }
        text
    }

    /// Returns the length of [`Print::print_fmt`].
    #[track_caller]
    pub const fn print_fmt_len(&self) -> usize {
        let mut count = self.count;
        let mut i = 0;
        while i < self.shown.len() {
            count += self.shown[i].more();
            i += 1;
        }
        assert!(
            count <= show::COUNT_MAX,
            "a template can't show more than 63 fields"
        );
        self.write::<0>(self.print_fmt).len()
    }

    /// Returns the event's `print fmt`, a C string. `N` must be its length.
    pub const fn print_fmt<const N: usize>(&self) -> [u8; N] {
        self.write(self.print_fmt).bytes()
    }

    /// Returns the length of [`Print::format`].
    #[track_caller]
    pub const fn format_len(&self) -> usize {
        self.write::<0>(self.format).len()
    }

    /// Returns the kernel's format, a C string. `N` must be its length.
    pub const fn format<const N: usize>(&self) -> [u8; N] {
        self.write(self.format).bytes()
    }

    /// Returns the argument for a shown field.
    pub const fn argument(&self, n: usize) -> Argument {
        self.shown[n].value()
    }
}
