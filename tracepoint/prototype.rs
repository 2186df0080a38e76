// SPDX-License-Identifier: GPL-2.0

//! The text of a tracepoint's prototype, which the definer's module carries and a probe's module
//! compares with its own.
//!
//! C has no counterpart: there the two sides agree because both include one header, and a stale
//! module calls with the wrong arguments.
//!
//! Nothing here needs a kernel; `tests/host/` runs it on the build machine.

use super::text::Text;

/// A type as a prototype names it.
///
/// Types are compared by this text, so it has to differ wherever passing one for the other would be
/// wrong: `&CStr` and `*const c_char` are one word in C, but only the second may be NULL.
#[derive(Clone, Copy)]
pub enum Type {
    /// A type that is the same in every module: an integer, or a type of the kernel crate.
    Name(&'static str),
    /// `&T`.
    Ref(&'static Type),
    /// `Option<T>`.
    Optional(&'static Type),
    /// `[T; N]`, behind a pointer.
    Array(&'static Type, usize),
    /// `&[T]`: two words, the pointer and the length.
    Slice(&'static Type),
    /// An enum or a type of flags of the module's own, with its values.
    Enum {
        /// Its name.
        name: &'static str,
        /// The integer that it is.
        repr: &'static str,
        /// Its values, by name.
        values: &'static [(&'static str, i128)],
    },
    /// A struct of the module's own. Two modules can be built from different versions of it, so its
    /// layout is part of the text.
    Struct {
        /// Its name.
        name: &'static str,
        /// Its fields and their types.
        fields: &'static [(&'static str, &'static Type)],
        /// Its size in bytes.
        size: usize,
    },
}

impl<const N: usize> Text<N> {
    const fn ty(self, ty: &Type) -> Self {
        match ty {
            Type::Name(name) => self.str(name),
            Type::Ref(to) => self.byte(b'&').ty(to),
            Type::Optional(some) => self.str("Option<").ty(some).byte(b'>'),
            Type::Array(of, len) => self.byte(b'[').ty(of).str("; ").number(*len).byte(b']'),
            Type::Slice(of) => self.str("&[").ty(of).byte(b']'),
            Type::Enum { name, repr, values } => {
                let mut text = self.str(name).str(": ").str(repr).str(" { ");
                let mut i = 0;
                while i < values.len() {
                    if i > 0 {
                        text = text.str(", ");
                    }
                    let (name, value) = values[i];
                    text = text.str(name).str(if value < 0 { " = -" } else { " = " });
                    text = text.number(value.unsigned_abs() as usize);
                    i += 1;
                }
                text.str(" }")
            }
            Type::Struct { name, fields, size } => {
                let mut text = self.str(name).str(" { ");
                let mut i = 0;
                while i < fields.len() {
                    if i > 0 {
                        text = text.str(", ");
                    }
                    text = text.str(fields[i].0).str(": ").ty(fields[i].1);
                    i += 1;
                }
                text.str(" } of ").number(*size).str(" bytes")
            }
        }
    }

    const fn prototype(mut self, arguments: &[Type]) -> Self {
        self = self.str("fn(");
        let mut i = 0;
        while i < arguments.len() {
            if i > 0 {
                self = self.str(", ");
            }
            self = self.ty(&arguments[i]);
            i += 1;
        }
        self.byte(b')').byte(0)
    }
}

/// Returns the length of [`text`] for `arguments`, its NUL included.
#[inline]
pub const fn len(arguments: &[Type]) -> usize {
    Text::<0>::new().prototype(arguments).len()
}

/// Returns the prototype of a tracepoint with these arguments, as a C string:
/// `fn(&Inode, &File)`.
///
/// `N` must be [`len`] of the same arguments.
pub const fn text<const N: usize>(arguments: &[Type]) -> [u8; N] {
    Text::new().prototype(arguments).bytes()
}

/// Returns a number for a prototype, FNV-1a of its text: what a symbol's name can have of it.
pub const fn hash(prototype: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut i = 0;
    while i < prototype.len() {
        hash = (hash ^ prototype[i] as u64).wrapping_mul(0x100_0000_01b3);
        i += 1;
    }
    hash
}

/// Returns `name` as a C string. `N` must be its length and one more.
pub const fn c_name<const N: usize>(name: &str) -> [u8; N] {
    Text::new().str(name).byte(0).bytes()
}
