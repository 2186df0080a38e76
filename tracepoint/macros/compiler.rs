// SPDX-License-Identifier: GPL-2.0

//! The state of a template on its way to both forms.

use crate::{print::Print, tables::Table, text::Text, types::Field};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Error;

/// Returns the bytes of a short text.
pub(crate) fn bytes(text: &Text<4096>) -> &[u8] {
    // Identifiers are shorter, and `Table::check` limits the names.
    assert!(text.len() <= 4096, "a name is too long");
    text.as_bytes()
}

/// A part of the `print fmt` or of the kernel's format.
pub(crate) enum Part {
    Bytes(Vec<u8>),
    /// A variant of `__p::Part`, for a field in `__p::Print::shown`.
    Shown(&'static str, usize),
}

/// The parts of the `print fmt` or of the kernel's format.
#[derive(Default)]
pub(crate) struct Parts(Vec<Part>);

impl Parts {
    pub(crate) fn push(&mut self, part: Part) {
        self.0.push(part);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if let Some(Part::Bytes(last)) = self.0.last_mut() {
            last.extend(bytes);
        } else if !bytes.is_empty() {
            self.0.push(Part::Bytes(bytes.into()));
        }
    }

    pub(crate) fn append(&mut self, other: Self) {
        for part in other.0 {
            match part {
                Part::Bytes(bytes) => self.bytes(&bytes),
                part => self.0.push(part),
            }
        }
    }

    /// Returns the parts as a slice of `__p::Part`.
    pub(crate) fn tokens(&self) -> TokenStream {
        let parts = self.0.iter().map(|part| match part {
            Part::Bytes(bytes) => {
                let bytes = Literal::byte_string(bytes);
                quote!(__p::Part::Bytes(#bytes))
            }
            Part::Shown(variant, n) => {
                let variant = format_ident!("{variant}");
                quote!(__p::Part::#variant(#n))
            }
        });
        quote!(&[#(#parts),*])
    }

    /// Returns the bytes if there's nothing else.
    pub(crate) fn known(&self) -> Option<&[u8]> {
        match &self.0[..] {
            [Part::Bytes(bytes)] => Some(bytes),
            _ => None,
        }
    }
}

/// Returns what helps with the spec of Rust that has no equivalent here.
pub(crate) fn help_of(name: &str, spec: &str) -> String {
    if spec.ends_with('?') {
        format!("\nhelp: write `{{{name}}}`")
    } else {
        String::new()
    }
}

/// A template on its way to both forms.
pub(crate) struct Compiler<'a> {
    pub(crate) event: &'a str,
    pub(crate) symbol: String,
    pub(crate) print: &'a Print,
    pub(crate) fields: &'a [Field<'a>],
    pub(crate) errors: Vec<Error>,
    /// For each name whether the template has it.
    pub(crate) used: Vec<bool>,
    pub(crate) meanings: Vec<Option<Meaning>>,
    /// For each field whether the template shows it.
    pub(crate) shows: Vec<bool>,
    pub(crate) count: usize,
    /// Whether `test_event_printk()` (kernel/trace/trace_events.c) takes the arguments after this
    /// one for the wrong ones: it doesn't count the width that comes before a number.
    pub(crate) is_miscounted: bool,
    pub(crate) format: Parts,
    pub(crate) arguments: Parts,
    /// The kernel's format.
    pub(crate) kernel: Parts,
    /// The arguments that the kernel prints.
    pub(crate) values: Vec<TokenStream>,
    pub(crate) shown: Vec<TokenStream>,
    pub(crate) tables: Vec<TokenStream>,
    /// The arguments of the function that prints.
    pub(crate) iter: Ident,
    pub(crate) record: Ident,
}

/// The field and the table that a name in the template stands for.
pub(crate) struct Lookup {
    pub(crate) field: usize,
    pub(crate) table: Table,
}

/// What a name in the template stands for.
pub(crate) enum Meaning {
    /// A field that is shown with a table.
    Lookup(Lookup),
    /// What has to be computed.
    Value,
    /// Something that has an error.
    Error,
}
