// SPDX-License-Identifier: GPL-2.0

//! The C type of a field, as printed in the event's `format` file.
//!
//! Filters, histograms and tools parse it, so it must be C: the same text that C's `#type` gives.

use super::super::text::{equal, Text};

/// The form of a type around its name.
#[derive(Clone, Copy)]
pub enum Form {
    /// `int`
    Plain,
    /// `int[4]`
    Array(usize),
    /// `__data_loc int[]`, or `__rel_loc int[]`
    Dynamic {
        /// Whether the offset counts from the end of the location itself.
        rel: bool,
        /// `[]`, or nothing if the type is an array by itself.
        suffix: &'static str,
    },
}

/// A C type.
#[derive(Clone, Copy)]
pub struct CType {
    name: &'static str,
    form: Form,
}

impl CType {
    /// Describes the type of a field.
    ///
    /// - `given`: the C type from the event's declaration, if any;
    /// - `tokens`: the Rust type as written in the source, to distinguish `c_int` and the like from
    ///   the types that they are aliases of;
    /// - `default`: the C name of the Rust type.
    pub const fn new(
        given: Option<&'static str>,
        tokens: &'static str,
        default: &'static str,
        form: Form,
    ) -> Self {
        let name = match given {
            Some(name) => name,
            None => match alias(tokens) {
                Some(name) => name,
                None => default,
            },
        };
        Self { name, form }
    }

    /// Returns whether the element type is `char`.
    pub const fn is_char(&self) -> bool {
        equal(self.name, "char")
    }

    /// Returns the form around the name.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Appends the type to `text`, as a C string.
    pub const fn write<const N: usize>(&self, text: Text<N>) -> Text<N> {
        match self.form {
            Form::Plain => text.str(self.name),
            Form::Array(len) => text.str(self.name).byte(b'[').number(len).byte(b']'),
            Form::Dynamic { rel, suffix } => text
                .str(if rel { "__rel_loc " } else { "__data_loc " })
                .str(self.name)
                .str(suffix),
        }
        .byte(0)
    }

    /// Returns the length of the C string.
    pub const fn len(&self) -> usize {
        self.write(Text::<0>::new()).len()
    }
}

/// Returns the C name of an alias such as `c_int`, if `tokens` is an alias or an array of one.
const fn alias(tokens: &str) -> Option<&'static str> {
    let bytes = tokens.as_bytes();
    // Find the innermost name: in `Rel<DynArray<c_int>>` the one after the last `<`, in
    // `[c_char; 16]` the one before the `;`.
    let mut from = 0;
    let mut to = bytes.len();
    let mut i = 0;
    while i < to {
        match bytes[i] {
            b'<' | b'[' | b':' | b' ' if i + 1 < to => from = i + 1,
            b';' | b'>' | b']' => to = i,
            _ => {}
        }
        i += 1;
    }
    const ALIASES: [(&str, &str); 9] = [
        ("c_char", "char"),
        ("c_uchar", "unsigned char"),
        ("c_short", "short"),
        ("c_ushort", "unsigned short"),
        ("c_int", "int"),
        ("c_uint", "unsigned int"),
        ("c_long", "long"),
        ("c_ulong", "unsigned long"),
        ("c_longlong", "long long"),
    ];
    if to < from + 2 || bytes[from] != b'c' || bytes[from + 1] != b'_' {
        return None;
    }
    let name = super::super::text::slice(tokens, from, to);
    let mut i = 0;
    while i < ALIASES.len() {
        if equal(name, ALIASES[i].0) {
            return Some(ALIASES[i].1);
        }
        i += 1;
    }
    None
}
