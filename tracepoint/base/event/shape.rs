// SPDX-License-Identifier: GPL-2.0

//! The known properties of a field's type.
//!
//! Both the crate and its procedural macros include this file, which doesn't need a kernel.

use super::{show::Kind, symbols::Table};
use crate::base::text::{equal, Text};

/// The properties of a field's type that the tables and the template need.
#[derive(Clone, Copy)]
pub struct Shape {
    /// The C name of the type, or of its elements.
    pub name: &'static str,
    /// The kind of its contents.
    pub kind: Kind,
    /// Whether the location of its data is relative to its own end.
    pub rel: bool,
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
    /// Returns that of a type without names.
    pub const fn new(name: &'static str, kind: Kind, spec: &'static str) -> Self {
        Self {
            name,
            kind,
            rel: false,
            table: None,
            text: b"",
            names: 0,
            spec,
        }
    }

    /// Returns the shape of an array of this type, as [`Kind::elements`].
    #[track_caller]
    pub const fn elements(self, len: Option<usize>) -> Self {
        // The kernel's filter takes 0 `char`s for a string that ends with a NUL.
        assert!(
            !matches!(len, Some(0)),
            "a field can't be an array without elements"
        );
        Self {
            names: self.names,
            ..Self::new(self.name, self.kind.elements(len), "")
        }
    }

    /// Returns the shape, if a slot of type `S` has its layout.
    pub const fn with_slot<S>(self) -> Self {
        let (size, align) = self.kind.layout();
        assert!(size_of::<S>() == size && align_of::<S>() == align);
        self
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

    /// Writes the type that the kernel and tools see. `given` is C's name of the type or of the elements, if it's given.
    pub const fn write_c_type<const N: usize>(&self, given: Option<&str>) -> Text<N> {
        let name = match given {
            Some(name) => name,
            None => self.name,
        };
        let text = Text::new();
        match self.kind {
            Kind::Int { .. } | Kind::Pointer | Kind::Bytes { .. } => text.str(name),
            Kind::Chars { len, .. } | Kind::Array { len, .. } => {
                text.str(name).byte(b'[').number(len).byte(b']')
            }
            _ => {
                let location = ["__data_loc ", "__rel_loc "][self.rel as usize];
                let end = if equal(name, "cpumask_t") { "" } else { "[]" };
                text.str(location).str(name).str(end)
            }
        }
    }

    /// Returns the shape of a field whose elements are `char` in C.
    pub const fn chars(mut self) -> Self {
        self.kind = self.kind.chars();
        self
    }

    /// Returns the shape of the same bytes as an array with elements of another size.
    pub const fn resized(mut self, size: usize) -> Self {
        let (all, (_, signed)) = (self.kind.layout().0, self.kind.number());
        let element = Kind::Int { size, signed };
        self.kind = match self.kind {
            Kind::Array { .. } => element.elements(Some(all / size)),
            Kind::DynArray { .. } => element.elements(None),
            kind => kind,
        };
        self
    }

    /// Returns a number that no other shape has, as far as the macros know one. They don't know the sign of a
    /// `c_char`, whose name the type has if `is_char`.
    pub const fn code(&self, is_char: bool) -> u64 {
        let signed = !is_char && self.kind.number().1;
        self.kind.code(self.rel) | (signed as u64) << 5 | (self.is_bool() as u64) << 6
    }

    /// Whether it is a `bool`, or consists of some.
    pub const fn is_bool(&self) -> bool {
        equal(self.name, "bool")
    }
}
