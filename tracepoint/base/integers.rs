// SPDX-License-Identifier: GPL-2.0

//! What integers are called in C.
//!
//! Both the library and its procedural macros include this file. It doesn't need a kernel.

/// The names of Rust's integers in C.
pub(crate) const INTEGERS: [(&str, &str); 11] = [
    ("bool", "bool"),
    ("u8", "u8"),
    ("u16", "u16"),
    ("u32", "u32"),
    ("u64", "u64"),
    ("usize", "size_t"),
    ("i8", "s8"),
    ("i16", "s16"),
    ("i32", "int"),
    ("i64", "s64"),
    ("isize", "ssize_t"),
];

/// The names of the integers of `core::ffi` in C.
pub(crate) const C_INTEGERS: [(&str, &str); 11] = [
    ("c_char", "char"),
    ("c_schar", "signed char"),
    ("c_uchar", "unsigned char"),
    ("c_short", "short"),
    ("c_ushort", "unsigned short"),
    ("c_int", "int"),
    ("c_uint", "unsigned int"),
    ("c_long", "long"),
    ("c_ulong", "unsigned long"),
    ("c_longlong", "long long"),
    ("c_ulonglong", "unsigned long long"),
];
