// SPDX-License-Identifier: GPL-2.0

//! What layers add to the macros.

use crate::{
    args::Args,
    field::Known,
    model::{Class, Kind, Tracepoint, PLAIN},
    tables::Variant,
    LAYERS,
};
use proc_macro2::{Ident, TokenStream};
use syn::{parse::ParseStream, Attribute, LitStr, Result, ReturnType, Type};

/// What a layer adds to the expansions.
pub(crate) struct Layer {
    /// The kinds of events that it has.
    pub(crate) kinds: &'static [&'static dyn Kind],
    /// Expands what it has beside a declaration.
    pub(crate) beside: fn(&Declared<'_>) -> TokenStream,
}

impl Layer {
    /// One that only has macros of its own.
    pub(crate) const NONE: Self = Self {
        kinds: &[],
        beside: |_| TokenStream::new(),
    };
}

/// Something that's declared.
pub(crate) enum Declared<'a> {
    /// A function that C could call, by its name in C.
    Function(&'a str, &'a Args, &'a ReturnType),
    /// A tracepoint that's no event.
    Tracepoint(&'a Tracepoint),
    /// A class with its events.
    Class {
        class: &'a Class,
        fields: &'a [Known<'a>],
        origin: &'a str,
        system: &'a str,
    },
    /// A type of values that have names.
    Enum {
        name: &'a Ident,
        attrs: &'a [Attribute],
        /// The integer, and its size.
        repr: (&'a Ident, usize),
        delimiter: Option<&'a LitStr>,
        variants: &'a [Variant],
        /// Its `Arg::NAMES`, unless only the compiler knows it.
        id: Option<u64>,
    },
    /// A `tracepoint_struct!`.
    Struct {
        name: &'a Ident,
        c_name: &'a str,
        attrs: &'a [Attribute],
        /// The type, without lifetimes of its own.
        this: &'a TokenStream,
        fields: &'a [(&'a Ident, Type)],
    },
}

/// Expands what the layers have beside a declaration.
pub(crate) fn beside(declared: &Declared<'_>) -> TokenStream {
    let layers = LAYERS.iter();
    layers.map(|layer| (layer.beside)(declared)).collect()
}

/// Parses the kind of an event.
pub(crate) fn kind(input: ParseStream<'_>) -> Result<&'static dyn Kind> {
    for kind in LAYERS.iter().flat_map(|layer| layer.kinds) {
        if kind.parse(input)? {
            return Ok(*kind);
        }
    }
    Ok(PLAIN)
}
