// SPDX-License-Identifier: GPL-2.0

//! What is known of a field's type.
//!
//! Both the library and its procedural macros include this file. It doesn't need a kernel.

use super::{show::Kind, symbols::TypeTable};
use crate::base::text::equal;

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
    /// `Field::SPEC`.
    pub spec: &'static str,
}

impl Shape {
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
