// SPDX-License-Identifier: GPL-2.0

//! The known properties of a field's type.
//!
//! Both the library and its procedural macros include this file. It doesn't need a kernel.

use super::{show::Kind, symbols::Table};
use crate::base::text::equal;

/// The properties of a field's type that the tables and the template need.
#[derive(Clone, Copy)]
pub struct Shape {
    /// The C name of the type, or of its elements.
    pub name: &'static str,
    /// Whether it is signed, or its elements are.
    pub signed: bool,
    /// The kind of its contents.
    pub kind: Kind,
    /// Whether the location of its data is relative to its own end.
    pub rel: bool,
    /// The size of the slot.
    pub size: usize,
    /// The alignment of the slot.
    pub align: usize,
    /// The names of its values, if the type has some.
    pub table: Option<&'static Table<'static>>,
    /// The table as the `print fmt` of an event contains it: what [`text`](super::symbols::text) returns. It is made
    /// once for the type, so that it can be copied for each event.
    pub text: &'static [u8],
    /// The number, in the description, of the type whose names it or its elements have, or 0.
    pub names: u64,
    /// How it's shown if the template doesn't say so: what follows the colon in `{field:spec}`.
    pub spec: &'static str,
}

impl Shape {
    /// Returns that of a type without names, with a slot of type `S`.
    pub const fn new<S>(name: &'static str, signed: bool, kind: Kind, spec: &'static str) -> Self {
        Self {
            size: size_of::<S>(),
            align: align_of::<S>(),
            spec,
            ..Self::of_template(name, kind, signed, false)
        }
    }

    /// Returns that of elements of this type, with a slot of type `S`.
    pub const fn elements<S>(self, kind: Kind) -> Self {
        Self {
            names: self.names,
            ..Self::new::<S>(self.name, self.signed, kind, "")
        }
    }

    /// Adds the names of the type's values. `names` is the number of the type in the description, or 0.
    pub const fn named(
        self,
        table: &'static Table<'static>,
        text: &'static [u8],
        names: u64,
    ) -> Self {
        Self {
            table: Some(table),
            text,
            names,
            ..self
        }
    }

    /// Returns what a template has to know of a type that has neither names nor a way of its own to be shown.
    pub const fn of_template(name: &'static str, kind: Kind, signed: bool, rel: bool) -> Self {
        Self {
            name,
            signed,
            kind,
            rel,
            size: 0,
            align: 1,
            table: None,
            text: b"",
            names: 0,
            spec: "",
        }
    }

    /// Returns the shape of a field whose elements are `char` in C.
    pub const fn chars(mut self) -> Self {
        self.kind = self.kind.chars();
        self
    }

    /// Whether it is a `bool`, or consists of some.
    pub const fn is_bool(&self) -> bool {
        equal(self.name, "bool")
    }
}
