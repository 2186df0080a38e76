// SPDX-License-Identifier: GPL-2.0

//! The text of prototypes.

#[allow(dead_code)]
#[path = "../../tracepoint/base"]
mod base {
    pub mod hash;
    pub mod prototype;
    pub mod text;
}

use base::prototype::{len, text, Type};

const U32: Type = Type::Name("u32");
const FILE: Type = Type::Name("kernel::fs::File");

/// The text of the types, computed at compile time as in the library.
macro_rules! prototype {
    ($($ty:expr),*) => {{
        const TYPES: &[Type] = &[$($ty),*];
        const N: usize = len(false, TYPES);
        const TEXT: [u8; N] = text(false, TYPES);
        std::ffi::CStr::from_bytes_with_nul(&TEXT).unwrap().to_str().unwrap()
    }};
}

const REQUEST: Type = Type::Struct {
    name: "Request",
    fields: &[("sector", &Type::Name("u64")), ("len", &U32)],
    size: 16,
    align: 8,
};

#[test]
fn no_arguments() {
    assert_eq!(prototype!(), "fn()");
}

#[test]
fn names() {
    assert_eq!(prototype!(U32), "fn(u32)");
    assert_eq!(prototype!(U32, Type::Name("bool")), "fn(u32, bool)");
}

#[test]
fn references_and_options() {
    assert_eq!(prototype!(Type::Ref(&FILE)), "fn(&kernel::fs::File)");
    assert_eq!(
        prototype!(Type::Optional(&Type::Ref(&FILE)), U32),
        "fn(Option<&kernel::fs::File>, u32)"
    );
}

#[test]
fn slices() {
    assert_eq!(prototype!(Type::Slice(&U32)), "fn(&[u32])");
    assert_eq!(
        prototype!(Type::Slice(&Type::Optional(&Type::Ref(&FILE)))),
        "fn(&[Option<&kernel::fs::File>])"
    );
}

#[test]
fn arrays() {
    assert_eq!(
        prototype!(Type::Ref(&Type::Array(&U32, 12))),
        "fn(&[u32; 12])"
    );
}

#[test]
fn a_struct_has_its_fields_and_size() {
    assert_eq!(
        prototype!(Type::Ref(&REQUEST)),
        "fn(&struct Request { sector: u64, len: u32 } of 16 bytes)"
    );
}

#[test]
fn sizes_of_every_length() {
    macro_rules! sized {
        ($size:literal) => {
            prototype!(Type::Struct {
                name: "S",
                fields: &[],
                size: $size,
                align: 8,
            })
        };
    }
    assert_eq!(sized!(0), "fn(struct S {  } of 0 bytes)");
    assert_eq!(sized!(9), "fn(struct S {  } of 9 bytes)");
    assert_eq!(sized!(10), "fn(struct S {  } of 10 bytes)");
    assert_eq!(
        sized!(18446744073709551615),
        "fn(struct S {  } of 18446744073709551615 bytes)"
    );
}

/// Types that are not interchangeable as arguments have different texts.
#[test]
fn texts_differ() {
    let texts = [
        prototype!(),
        prototype!(U32),
        prototype!(U32, U32),
        prototype!(Type::Name("i32")),
        prototype!(Type::Name("&CStr")),
        prototype!(Type::Optional(&Type::Name("&CStr"))),
        prototype!(Type::Name("*const")),
        prototype!(Type::Ref(&FILE)),
        prototype!(Type::Optional(&Type::Ref(&FILE))),
        prototype!(Type::Ref(&REQUEST)),
        prototype!(Type::Slice(&U32)),
        prototype!(Type::Ref(&Type::Struct {
            name: "Request",
            fields: &[("sector", &Type::Name("u64")), ("len", &U32)],
            size: 12,
            align: 8,
        })),
        prototype!(Type::Ref(&Type::Struct {
            name: "Request",
            fields: &[("len", &U32), ("sector", &Type::Name("u64"))],
            size: 16,
            align: 8,
        })),
    ];
    for (i, a) in texts.iter().enumerate() {
        for b in &texts[..i] {
            assert_ne!(a, b);
        }
    }
}

/// Twelve arguments of the longest kind that is to be expected.
#[test]
fn twelve_arguments() {
    let text = prototype!(
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST),
        Type::Ref(&REQUEST)
    );
    assert_eq!(text.matches("&struct Request").count(), 12);
    assert!(text.starts_with("fn(&struct Request {") && text.ends_with(" bytes)"));
}

#[test]
fn length_counts_the_nul() {
    assert_eq!(len(false, &[]), "fn()".len() + 1);
    assert_eq!(len(false, &[U32, U32]), "fn(u32, u32)".len() + 1);
}

#[test]
#[should_panic]
fn a_buffer_that_is_too_small() {
    text::<4>(false, &[]);
}

#[test]
#[should_panic]
fn a_buffer_that_is_too_large() {
    text::<6>(false, &[]);
}

/// An enum or flags with these values.
const fn op(is_flags: bool, values: &'static [(&'static str, i128)]) -> Type {
    Type::Enum {
        name: "Op",
        is_flags,
        repr: "i8",
        values,
    }
}

#[test]
fn enums_have_their_values() {
    assert_eq!(
        prototype!(op(false, &[("Read", 0), ("Failed", -1)])),
        "fn(enum Op: i8 { Read = 0, Failed = -1 })"
    );
    assert_eq!(
        prototype!(op(
            true,
            &[("A", i64::MIN as i128), ("B", u64::MAX as i128)]
        )),
        "fn(flags Op: i8 { A = -9223372036854775808, B = 18446744073709551615 })"
    );
}

/// A value of more than 64 bits isn't cut.
#[test]
#[should_panic]
fn a_value_that_is_too_large() {
    len(false, &[op(false, &[("A", 1 << 64)])]);
}

/// What a driver declares never has the text of another type, whatever its name is.
#[test]
fn declared_types() {
    const WRITABLE: Type = Type::Generic("tracepoint::Writable", &U32);
    assert_eq!(
        prototype!(Type::Ref(&WRITABLE)),
        "fn(&tracepoint::Writable<u32>)"
    );
    const OWN: Type = Type::Own("x::Request#0 in a.rs, &b\"c\\d");
    assert_eq!(
        prototype!(Type::Ref(&OWN), U32),
        r#"fn(&"x::Request#0 in a.rs, &b\"c\\d", u32)"#
    );
}

#[test]
fn a_struct_with_a_greater_alignment() {
    const ALIGNED: Type = Type::Struct {
        name: "S",
        fields: &[],
        size: 64,
        align: 64,
    };
    assert_eq!(
        prototype!(ALIGNED),
        "fn(struct S {  } of 64 bytes aligned to 64)"
    );
}
