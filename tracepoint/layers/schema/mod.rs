// SPDX-License-Identifier: GPL-2.0

//! What only the compiler knows of the descriptions that tools read.
//!
//! The macros write the descriptions with assembly, whose operands are numbers: see
//! `macros/schema.rs`. Nothing here is in a module's code or data.

use crate::{
    base::{
        args::{TYPE_OF_ARGUMENTS, WRITABLE},
        event::{class::write_c_type, template::Shape},
        prototype::Type,
        text::{equal, slice as part_of, starts_with, Text},
    },
    btf::{position, Hash, Id},
    c_types::{BASES, BYTES, BY_NAME, POINTER, POINTERS},
};

/// How many bytes the text of a C type can have.
const SIZE: usize = 64;

/// A C type as text.
pub struct Name(Text<SIZE>);

impl Name {
    /// Returns 16 bytes of the text. There are NULs after its end.
    pub const fn part(&self, part: usize) -> u128 {
        assert!(self.0.len() <= SIZE, "the name of a C type is too long");
        let text = self.0.as_bytes();
        let mut bytes = [0; 16];
        let mut i = 0;
        while i < bytes.len() && part * bytes.len() + i < text.len() {
            bytes[i] = text[part * bytes.len() + i];
            i += 1;
        }
        u128::from_le_bytes(bytes)
    }

    /// Returns the type of a constant pointer to this, or of one through which it can be changed.
    const fn pointer(self, constant: bool) -> Self {
        let text = self.0.as_str();
        let is_pointer = equal(part_of(text, text.len() - 1, text.len()), "*");
        Self(match (is_pointer, constant) {
            (true, true) => self.0.str("const *"),
            (true, false) => self.0.str("*"),
            (false, true) => Text::new().str("const ").str(text).str(" *"),
            (false, false) => self.0.str(" *"),
        })
    }
}

/// Returns C's name of an integer.
const fn integer<const N: usize>(text: Text<N>, rust: &str) -> Text<N> {
    if equal(rust, "usize") {
        text.str("size_t")
    } else if equal(rust, "isize") {
        text.str("ssize_t")
    } else if equal(rust, "i32") {
        text.str("int")
    } else if starts_with(rust, "i") {
        let (_, bits) = rust.as_bytes().split_at(1);
        text.byte(b's').part(bits, 0, bits.len())
    } else {
        text.str(rust)
    }
}

/// Returns the C type with this description in BTF.
const fn of_id(id: &Id) -> Name {
    let text = Text::new();
    Name(if id.id & POINTER != 0 && id.id & BY_NAME != 0 {
        text.str("struct ").str(id.name()).str(" *")
    } else if id.id & POINTER != 0 {
        text.str("struct @").number(id.id as usize).str(" *")
    } else if id.id & BY_NAME != 0 {
        text.str("struct ").str(id.name())
    } else if id.id & BYTES != 0 {
        text.str("u8[")
            .number((id.id & (BYTES - 1)) as usize)
            .byte(b']')
    } else {
        let base = if (id.id as usize) < BASES.len() {
            BASES[id.id as usize]
        } else {
            "*mut"
        };
        if equal(base, "&CStr") {
            text.str("const char *")
        } else if equal(base, "*mut") {
            text.str("void *")
        } else if equal(base, "*const") {
            text.str("const void *")
        } else if id.id as usize >= POINTERS {
            integer(text, BASES[id.id as usize + 1 - POINTERS]).str(" *")
        } else {
            integer(text, base)
        }
    })
}

/// Returns the C type of an argument, an element or a member: the `TYPE` and the `BTF` of its trait.
pub const fn word(ty: &Type, id: &Id) -> Name {
    match ty {
        Type::Enum { repr, .. } => Name(integer(Text::new(), repr)),
        Type::Optional(ty) => word(ty, id),
        Type::Name(name) if equal(name, TYPE_OF_ARGUMENTS) => Name(Text::new().str("const void *")),
        Type::Ref(Type::Array(of, _)) => match of {
            Type::Enum { .. } => word(of, id).pointer(false),
            Type::Name(name) if position(name) < POINTERS => of_id(&Id::of_arg(of)).pointer(false),
            _ => of_id(id),
        },
        // What `Writable` contains.
        Type::Ref(Type::Generic(name, Type::Array(of, _) | of)) if equal(name, WRITABLE) => {
            of_id(&Id::of_arg(of)).pointer(false)
        }
        _ => of_id(id),
    }
}

/// Returns the C type of the first word of a slice, whose elements have this type.
pub const fn slice(ty: &Type, id: &Id) -> Name {
    if id.id & BYTES != 0 {
        return Name(Text::new().str("const void *"));
    }
    word(ty, id).pointer(true)
}

/// Returns the C type of a field. `given` is C's name of the type, if it's given.
#[track_caller]
pub const fn field(shape: &Shape, given: Option<&str>) -> Name {
    Name(write_c_type(*shape, given))
}

/// Returns the number of a type of values with names.
pub const fn names_of(ty: &Type) -> u64 {
    Hash::new().ty(ty).finish()
}

#[doc(hidden)]
pub mod root {
    #[doc(hidden)]
    pub use crate::layers::schema;
}

#[doc(hidden)]
pub mod event {}

#[doc(hidden)]
pub mod private {
    pub use crate::layers::schema;
}
