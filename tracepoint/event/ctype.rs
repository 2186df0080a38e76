// SPDX-License-Identifier: GPL-2.0

//! The C type of a field, as it stands in the event's `format` file.
//!
//! Filters, histograms and tools read it: it has to be C, and it is what C's `#type` would be.

use super::super::text::{equal, Text};

/// What stands around the name of the type.
#[derive(Clone, Copy)]
pub enum Form {
    /// `int`
    Plain,
    /// `int[4]`
    Array(usize),
    /// `__data_loc int[]`, or `__rel_loc int[]`
    Dynamic {
        /// Whether the location counts from behind itself.
        rel: bool,
        /// `[]`, or nothing where the type is an array by itself.
        suffix: &'static str,
    },
}

/// The text of a type.
#[derive(Clone, Copy)]
pub struct CType {
    name: &'static str,
    form: Form,
}

impl CType {
    /// Describes the type of a field.
    ///
    /// - `given`: the C type that the event's author wrote, if any;
    /// - `tokens`: the Rust type as it was written, in which `c_int` and the like can be told from
    ///   what they are aliases of;
    /// - `default`: C's name for the Rust type.
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

    /// Returns whether the field is made of characters.
    pub const fn is_char(&self) -> bool {
        equal(self.name, "char")
    }

    /// Returns what stands around the name.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Adds the type to `text`, as a C string.
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

/// Returns C's name of an alias such as `c_int`, where `tokens` is one, or an array of one.
const fn alias(tokens: &str) -> Option<&'static str> {
    let bytes = tokens.as_bytes();
    // The innermost name: in `Rel<DynArray<c_int>>` what stands behind the last `<`, in
    // `[c_char; 16]` what stands before the `;`.
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
