// SPDX-License-Identifier: GPL-2.0

//! The prototype of a tracepoint as text. The defining module contains this text, and a module that
//! registers a probe compares it with its own.
//!
//! C has no counterpart. There, both sides agree because they include the same header, and a stale
//! module is called with the wrong arguments.
//!
//! Both the crate and its procedural macros include this file. It doesn't need a kernel, so
//! `tests/host/` runs it on the build machine.

use crate::base::{hash::ascon_128, text::Text};

/// The version of the interface between modules, which isn't the library's: how a tracepoint refers to its
/// prototype, the text of a prototype, and how arguments are passed and laid out. It must change with any of
/// these.
pub const VERSION: u8 = 5;

/// An argument type, as represented in a prototype.
///
/// Types are compared by their text, so it must differ whenever passing one for the other would be
/// wrong: `&CStr` and `*const c_char` are the same type in C, but only the second may be NULL.
///
/// A type that a driver declares starts with a keyword or is in quotes, and the name of any other type
/// consists of letters, `&`, `*` and `::`. So no driver can declare a type with the text of another one, and
/// the text can be read in one way only. The target of a raw pointer is left out, since using it is unsafe;
/// so are lifetimes, which are those of the call for every probe.
#[derive(Clone, Copy)]
pub enum Type {
    /// A type that is the same in every module: an integer, or the path of a type of the library or of
    /// another crate, such as `kernel::fs::File`.
    Name(&'static str),
    /// The same with a parameter: `tracepoint::Writable<u32>`.
    Generic(&'static str, &'static Type),
    /// A type that only one module knows.
    Own(&'static str),
    /// `&T`.
    Ref(&'static Type),
    /// `Option<T>`.
    Optional(&'static Type),
    /// `[T; N]`, passed by pointer.
    Array(&'static Type, usize),
    /// `&[T]`: two C arguments, the pointer and the length.
    Slice(&'static Type),
    /// An enum or flags type declared by the module, with its values.
    Enum {
        /// The name.
        name: &'static str,
        /// Whether it has values other than these.
        is_flags: bool,
        /// The underlying integer type.
        repr: &'static str,
        /// The names and their values.
        values: &'static [(&'static str, i128)],
    },
    /// A struct declared by the module. Two modules can be built with different versions of it, so
    /// its layout is part of the text.
    Struct {
        /// The name.
        name: &'static str,
        /// The fields and their types.
        fields: &'static [(&'static str, &'static Type)],
        /// The size in bytes.
        size: usize,
        /// Its alignment in bytes.
        align: usize,
    },
}

impl<const N: usize> Text<N> {
    const fn ty(self, ty: &Type) -> Self {
        match ty {
            Type::Name(name) => self.str(name),
            Type::Generic(name, of) => self.str(name).byte(b'<').ty(of).byte(b'>'),
            Type::Own(name) => self.quoted(name.as_bytes()),
            Type::Ref(to) => self.byte(b'&').ty(to),
            Type::Optional(some) => self.str("Option<").ty(some).byte(b'>'),
            Type::Array(of, len) => self.byte(b'[').ty(of).str("; ").number(*len).byte(b']'),
            Type::Slice(of) => self.str("&[").ty(of).byte(b']'),
            Type::Enum {
                name,
                is_flags,
                repr,
                values,
            } => {
                let keyword = if *is_flags { "flags " } else { "enum " };
                let mut text = self.str(keyword).str(name).str(": ").str(repr).str(" { ");
                let mut i = 0;
                while i < values.len() {
                    let (name, value) = values[i];
                    let equals = if value < 0 { " = -" } else { " = " };
                    text = text.comma(i).str(name).str(equals);
                    let value = value.unsigned_abs();
                    assert!(value <= usize::MAX as u128);
                    text = text.number(value as usize);
                    i += 1;
                }
                text.str(" }")
            }
            Type::Struct {
                name,
                fields,
                size,
                align,
            } => {
                let mut text = self.str("struct ").str(name).str(" { ");
                let mut i = 0;
                while i < fields.len() {
                    text = text.comma(i).str(fields[i].0).str(": ").ty(fields[i].1);
                    i += 1;
                }
                let text = text.str(" } of ").number(*size).str(" bytes");
                // Only an attribute makes it greater than that.
                if *align > 8 {
                    text.str(" aligned to ").number(*align)
                } else {
                    text
                }
            }
        }
    }

    /// Adds what comes before the item with this number.
    const fn comma(self, i: usize) -> Self {
        self.str(if i > 0 { ", " } else { "" })
    }

    const fn quoted(mut self, text: &[u8]) -> Self {
        self = self.byte(b'"');
        let mut i = 0;
        while i < text.len() {
            if matches!(text[i], b'"' | b'\\') {
                self = self.byte(b'\\');
            }
            self = self.byte(text[i]);
            i += 1;
        }
        self.byte(b'"')
    }

    const fn prototype(mut self, faultable: bool, arguments: &[Type]) -> Self {
        self = self.str(if faultable { FAULTABLE } else { "" }).str("fn(");
        let mut i = 0;
        while i < arguments.len() {
            self = self.comma(i).ty(&arguments[i]);
            i += 1;
        }
        self.byte(b')').byte(0)
    }
}

/// Returns the length of [`text`] for `arguments`, including its NUL.
pub const fn len(faultable: bool, arguments: &[Type]) -> usize {
    Text::<0>::new().prototype(faultable, arguments).len()
}

/// Returns the prototype of a tracepoint with these arguments as a C string, such as
/// `fn(&Inode, &File)`.
///
/// `N` must be the [`len`] of the same.
pub const fn text<const N: usize>(faultable: bool, arguments: &[Type]) -> [u8; N] {
    Text::new().prototype(faultable, arguments).bytes()
}

/// Returns the hash of a prototype and the interface's version.
pub const fn hash(prototype: &[u8]) -> u128 {
    ascon_128(prototype).wrapping_add(VERSION as u128)
}

/// The start of a faultable tracepoint's prototype. Call sites and the kernel have to agree
/// on the guard that keeps the probes: `release_probes()` (kernel/tracepoint.c) waits for one of them.
pub const FAULTABLE: &str = "faultable ";
