// SPDX-License-Identifier: GPL-2.0

//! The C types that each description of a module's types starts with. Shared with the macros.

/// Their names in Rust. The macros label each of them with its position.
pub const BASES: [&str; 26] = [
    "", "bool", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "*bool",
    "*u8", "*u16", "*u32", "*u64", "*usize", "*i8", "*i16", "*i32", "*i64", "*isize", "&CStr",
    "*mut", "*const",
];

/// The position of the first pointer: one to the type at 1.
pub const POINTERS: usize = 12;

/// The position of `void *`.
pub const VOID_POINTER: usize = 24;

/// The kinds of other types, as bits of their numbers.
///
/// A pointer to a struct.
pub const POINTER: u64 = 1 << 62;
/// The struct is one of the kernel's.
pub const BY_NAME: u64 = 1 << 61;
/// An array of bytes; the rest is its length.
pub const BYTES: u64 = 1 << 60;

/// How many bytes the name of a struct of the kernel takes.
pub const NAME_SIZE: usize = 48;

/// Returns Rust's name of an integer by what it is.
pub const fn integer_name(size: usize, signed: bool) -> &'static str {
    match (size, signed) {
        (1, false) => "u8",
        (2, false) => "u16",
        (4, false) => "u32",
        (8, false) => "u64",
        (1, true) => "i8",
        (2, true) => "i16",
        (4, true) => "i32",
        _ => "i64",
    }
}
