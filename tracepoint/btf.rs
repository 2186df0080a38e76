// SPDX-License-Identifier: GPL-2.0

//! What BTF says about a type.
//!
//! Kbuild makes a module's BTF from DWARF. pahole ignores the DWARF of Rust code, so the macros
//! write DWARF that describes the module's tracepoints and types as C code. A macro sees only the
//! name of a type. For a type that isn't primitive, it uses a number that's computed here. The
//! number is part of the label at which the assembler finds the type.

use crate::{
    base::{
        event::{class::trace_entry, show::Kind, template::Shape},
        hash::Fnv,
        prototype::Type,
        text::equal,
    },
    c_types::{integer_name, BASES, BYTES, BY_NAME, NAME_SIZE, POINTER, POINTERS, VOID_POINTER},
};
use core::mem::offset_of;

/// What C has in place of a type.
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
    /// For the macros only: one of them has declared the type in this module, and describes it.
    Described,
}

/// Which type it is: a position in `BASES`, or a number that no other type has.
#[derive(Clone, Copy)]
pub struct Id {
    /// The number.
    pub id: u64,
    name: &'static str,
}

impl Id {
    /// Returns the name of a struct of the kernel.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    const fn base(position: usize) -> Self {
        Self {
            id: position as u64,
            name: "",
        }
    }

    const fn named(kind: u64, name: &'static str) -> Self {
        // Two more bytes: the NUL, and the length of the block that follows it.
        if name.len() + 2 > NAME_SIZE {
            return Self::base(VOID_POINTER);
        }
        Self {
            id: kind | BY_NAME | Hash::new().text(name).finish(),
            name,
        }
    }

    const fn declared(kind: u64, ty: &Type) -> Self {
        Self {
            id: kind | Hash::new().ty(ty).finish(),
            name: "",
        }
    }

    /// Returns 16 bytes of the name, in the form that the assembler needs. The bytes after the NUL
    /// are a block, which starts with its length.
    pub const fn part(&self, part: usize) -> u128 {
        let mut bytes = [0; 16];
        let mut i = 0;
        while i < bytes.len() {
            let at = part * bytes.len() + i;
            bytes[i] = if at < self.name.len() {
                self.name.as_bytes()[at]
            } else if at == self.name.len() + 1 {
                (NAME_SIZE - 1 - at) as u8
            } else {
                0
            };
            i += 1;
        }
        u128::from_le_bytes(bytes)
    }

    /// Returns what a tracepoint passes for a type of arguments.
    pub const fn of_arg(ty: &Type) -> Self {
        match ty {
            Type::Enum { repr, .. } => Self::base(position(repr)),
            Type::Optional(ty) => Self::of_arg(ty),
            Type::Name(name) => Self::base(position(name)),
            _ => Self::base(VOID_POINTER),
        }
    }

    /// Returns the type of values with names that a macro has declared.
    pub const fn of_declared(ty: &Type) -> Self {
        Self::declared(0, ty)
    }

    /// The same, for a number that the macro has computed.
    pub const fn of_enum(id: u64) -> Self {
        Self { id, name: "" }
    }

    /// Returns the type of a field in a record.
    pub const fn of_field(shape: &Shape) -> Self {
        match &shape.kind {
            Kind::Pointer => Self::base(VOID_POINTER),
            // A location.
            kind if kind.is_dynamic() => Self::base(position("u32")),
            Kind::Int { size, signed } => Self::base(position(integer_name(*size, *signed))),
            _ => Self::of_element(CType::Unknown, shape.size),
        }
    }

    /// Returns the pointer to a type.
    pub const fn of_pointer(ty: &Type, c: CType) -> Self {
        match c {
            CType::Described => Self::declared(POINTER, ty),
            CType::Struct(name) => Self::named(POINTER, name),
            CType::Unknown | CType::PointerTo(_) => Self::base(VOID_POINTER),
        }
    }

    /// Returns what a struct or an array contains.
    pub const fn of_element(c: CType, size: usize) -> Self {
        match c {
            CType::Struct(name) => Self::named(0, name),
            CType::PointerTo(name) => Self::pointer_to(name),
            CType::Unknown | CType::Described => Self {
                id: BYTES | size as u64,
                name: "",
            },
        }
    }

    const fn pointer_to(name: &str) -> Self {
        match position(name) {
            of @ 1..POINTERS => Self::base(of - 1 + POINTERS),
            _ => Self::base(VOID_POINTER),
        }
    }
}

/// Returns the position of a type in `BASES`. A name that isn't there is taken for a `void *`.
pub const fn position(name: &str) -> usize {
    let mut i = 1;
    while i < BASES.len() {
        if equal(name, BASES[i]) {
            return i;
        }
        i += 1;
    }
    VOID_POINTER
}

// The macros describe the start of a record like this.
const _: () = assert!(
    offset_of!(trace_entry, type_) == 0
        && offset_of!(trace_entry, flags) == 2
        && offset_of!(trace_entry, preempt_count) == 3
        && offset_of!(trace_entry, pid) == 4
        && size_of::<trace_entry>() == 8
);

/// The FNV-1a hash of a type with all that it consists of.
pub struct Hash(Fnv);

impl Hash {
    /// Returns the hash of nothing.
    pub const fn new() -> Self {
        Self(Fnv::new())
    }

    const fn number(self, number: u64) -> Self {
        Self(self.0.number(number))
    }

    const fn text(self, text: &str) -> Self {
        Self(self.0.bytes(text.as_bytes())).number(text.len() as u64)
    }

    /// Adds a type.
    pub const fn ty(mut self, ty: &Type) -> Self {
        match ty {
            Type::Name(name) | Type::Own(name) => self.text(name),
            Type::Generic(name, of) => self.text(name).ty(of),
            Type::Ref(ty) => self.number(1).ty(ty),
            Type::Optional(ty) => self.number(2).ty(ty),
            Type::Array(ty, len) => self.number(3).number(*len as u64).ty(ty),
            Type::Slice(ty) => self.number(4).ty(ty),
            Type::Enum {
                name,
                is_flags,
                repr,
                values,
            } => {
                self = self.text(name).number(*is_flags as u64).text(repr);
                let mut i = 0;
                while i < values.len() {
                    self = self.text(values[i].0).number(values[i].1 as u64);
                    i += 1;
                }
                self
            }
            Type::Struct {
                name,
                fields,
                size,
                align,
            } => {
                self = self.text(name).number(*size as u64).number(*align as u64);
                let mut i = 0;
                while i < fields.len() {
                    self = self.text(fields[i].0).ty(fields[i].1);
                    i += 1;
                }
                self
            }
        }
    }

    /// Returns the hash without the bits that say what kind of type it is. It's never a position in
    /// [`BASES`].
    pub const fn finish(&self) -> u64 {
        (self.0 .0 & (BYTES - 1)) | 1 << 59
    }
}
