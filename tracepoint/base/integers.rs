// SPDX-License-Identifier: GPL-2.0

//! The names of integers in C.
//!
//! Both the crate and its procedural macros include this file, which doesn't need a kernel.

use super::text::equal;

/// Rust's integers: the name, C's name, the size, and whether there's a sign.
pub(crate) const INTEGERS: [(&str, &str, usize, bool); 11] = [
    ("bool", "bool", 1, false),
    ("u8", "u8", 1, false),
    ("u16", "u16", 2, false),
    ("u32", "u32", 4, false),
    ("u64", "u64", 8, false),
    ("usize", "size_t", 8, false),
    ("i8", "s8", 1, true),
    ("i16", "s16", 2, true),
    ("i32", "int", 4, true),
    ("i64", "s64", 8, true),
    ("isize", "ssize_t", 8, true),
];

/// The integers of `core::ffi`, likewise.
pub(crate) const C_INTEGERS: [(&str, &str, usize, bool); 11] = [
    ("c_char", "char", 1, false),
    ("c_schar", "signed char", 1, true),
    ("c_uchar", "unsigned char", 1, false),
    ("c_short", "short", 2, true),
    ("c_ushort", "unsigned short", 2, false),
    ("c_int", "int", 4, true),
    ("c_uint", "unsigned int", 4, false),
    ("c_long", "long", 8, true),
    ("c_ulong", "unsigned long", 8, false),
    ("c_longlong", "long long", 8, true),
    ("c_ulonglong", "unsigned long long", 8, false),
];

/// Returns C's name of an integer.
pub(crate) const fn integer(rust: &str) -> Option<&'static str> {
    let mut i = 0;
    while i < INTEGERS.len() {
        if equal(INTEGERS[i].0, rust) {
            return Some(INTEGERS[i].1);
        }
        i += 1;
    }
    None
}
