// SPDX-License-Identifier: GPL-2.0

//! The names of types in C: in the table of fields, in the description for tools, and in BTF.
//!
//! Both the crate and its procedural macros include this file, which doesn't need a kernel.

use super::{
    integers::integer,
    prototype::Type,
    text::{equal, Text},
};

/// The name of a `Writable` in a prototype.
pub(crate) const WRITABLE: &str = "tracepoint::Writable";

/// Returns what C writes before and after a type for a pointer to it, which may be `const`.
pub const fn around_pointer(to: &str, constant: bool) -> (&'static str, &'static str) {
    match (to.as_bytes(), constant) {
        ([.., b'*'], true) => ("", "const *"),
        ([.., b'*'], false) => ("", "*"),
        (_, true) => ("const ", " *"),
        (_, false) => ("", " *"),
    }
}

/// How many bytes the text of a C type can have.
const SIZE: usize = 64;

/// The counterpart of a type in C.
#[derive(Clone, Copy)]
pub enum CType {
    /// Nothing with a name: a pointer to it is a `void *`, and in a struct it's an array of bytes.
    Unknown,
    /// A struct of the kernel. An [`Element`](crate::args::Element) contains it by value, so it must
    /// be in the kernel's own BTF. Otherwise the kernel doesn't accept the module's BTF, and without
    /// CONFIG_MODULE_ALLOW_BTF_MISMATCH it refuses the module.
    Struct(&'static str),
    /// A pointer to an integer, by its name in Rust.
    PointerTo(&'static str),
    /// For the macros only: one of them has declared the type in this module, and describes it with this
    /// number.
    Described(u64),
}

/// A C type as text.
#[derive(Clone, Copy)]
pub struct Name(pub(crate) Text<SIZE>);

impl Name {
    /// Returns the text.
    pub const fn as_bytes(&self) -> &[u8] {
        assert!(self.0.len() <= SIZE, "the name of a C type is too long");
        self.0.as_bytes()
    }

    const fn new(text: &str) -> Self {
        Self(Text::new().str(text))
    }

    /// Returns C's type for no value.
    pub const fn void() -> Self {
        Self::new("void")
    }

    /// Returns C's name of an integer, or of any other basic type.
    pub const fn of(rust: &str) -> Self {
        Self::new(match (integer(rust), rust.as_bytes()) {
            (Some(name), _) => name,
            (None, b"&CStr") => "const char *",
            (None, b"*const") => "const void *",
            _ => "void *",
        })
    }

    /// Returns what a tracepoint passes for a type of arguments. `names` is its number, if its values
    /// have names.
    pub const fn of_arg(ty: &Type, names: u64) -> Self {
        match ty {
            Type::Enum { repr, .. } if names != 0 => {
                Self(Self::of(repr).0.byte(b'@').number(names as usize))
            }
            Type::Enum { repr, .. } => Self::of(repr),
            Type::Optional(ty) => Self::of_arg(ty, names),
            Type::Name(name) => Self::of(name),
            Type::Ref(Type::Array(of, _)) => Self::to_integer(of),
            _ => Self::new("void *"),
        }
    }

    /// Returns a pointer to integers, or a `void *`.
    const fn to_integer(of: &Type) -> Self {
        let name = Self::of_arg(of, 0);
        match name.0.as_bytes() {
            [.., b'*'] => Self::new("void *"),
            _ => Self(name.0.str(" *")),
        }
    }

    /// Returns the pointer to a type.
    pub const fn of_pointer(ty: &Type, c: CType) -> Self {
        let text = Text::new().str("struct ");
        match (c, ty) {
            (CType::Described(id), _) => Self(text.byte(b'@').number(id as usize).str(" *")),
            (CType::Struct(name), _) => Self(text.str(name).str(" *")),
            // The contents of a `Writable`.
            (_, Type::Generic(name, Type::Array(of, _) | of)) if equal(name, WRITABLE) => {
                Self::to_integer(of)
            }
            _ => Self::new("void *"),
        }
    }

    /// Returns what a struct or an array contains.
    pub const fn of_element(c: CType, size: usize) -> Self {
        match c {
            CType::Struct(name) => Self(Text::new().str("struct ").str(name)),
            CType::PointerTo(name) => Self::to_integer(&Type::Name(name)),
            CType::Unknown | CType::Described(_) => {
                Self(Text::new().str("u8[").number(size).byte(b']'))
            }
        }
    }

    /// Returns an array of these.
    pub(crate) const fn array(self, len: usize) -> Self {
        let text = self.0.as_bytes();
        let mut at = 0;
        while at < text.len() && text[at] != b'[' {
            at += 1;
        }
        let array = Text::new().part(text, 0, at).byte(b'[').number(len);
        Self(array.byte(b']').part(text, at, text.len()))
    }
}
