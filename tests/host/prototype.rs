// SPDX-License-Identifier: GPL-2.0

//! The text of prototypes.

#[allow(dead_code)]
#[path = "../../tracepoint/prototype.rs"]
mod prototype;
#[allow(dead_code)]
#[path = "../../tracepoint/text.rs"]
mod text;

use prototype::{hash, len, text, Type};

const U32: Type = Type::Name("u32");
const FILE: Type = Type::Name("File");

/// The text of the types, computed at compile time as in the library.
macro_rules! prototype {
    ($($ty:expr),*) => {{
        const TYPES: &[Type] = &[$($ty),*];
        const N: usize = len(TYPES);
        const TEXT: [u8; N] = text(TYPES);
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
    assert_eq!(prototype!(Type::Ref(&FILE)), "fn(&File)");
    assert_eq!(
        prototype!(Type::Optional(&Type::Ref(&FILE)), U32),
        "fn(Option<&File>, u32)"
    );
}

#[test]
fn slices() {
    assert_eq!(prototype!(Type::Slice(&U32)), "fn(&[u32])");
    assert_eq!(
        prototype!(Type::Slice(&Type::Optional(&Type::Ref(&FILE)))),
        "fn(&[Option<&File>])"
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
        "fn(&Request { sector: u64, len: u32 } of 16 bytes)"
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
    assert_eq!(sized!(0), "fn(S {  } of 0 bytes)");
    assert_eq!(sized!(9), "fn(S {  } of 9 bytes)");
    assert_eq!(sized!(10), "fn(S {  } of 10 bytes)");
    assert_eq!(
        sized!(18446744073709551615),
        "fn(S {  } of 18446744073709551615 bytes)"
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
    assert_eq!(text.matches("&Request").count(), 12);
    assert!(text.starts_with("fn(&Request {") && text.ends_with(" bytes)"));
}

#[test]
fn length_counts_the_nul() {
    assert_eq!(len(&[]), "fn()".len() + 1);
    assert_eq!(len(&[U32, U32]), "fn(u32, u32)".len() + 1);
}

#[test]
#[should_panic]
fn a_buffer_that_is_too_small() {
    text::<4>(&[]);
}

#[test]
#[should_panic]
fn a_buffer_that_is_too_large() {
    text::<6>(&[]);
}

// Values from draft-eastlake-fnv. Modules built with different hash functions can't be loaded
// together.
#[test]
fn hashes() {
    assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn enums_have_their_values() {
    const OP: Type = Type::Enum {
        name: "Op",
        repr: "i8",
        values: &[("Read", 0), ("Failed", -1)],
    };
    assert_eq!(prototype!(OP), "fn(Op: i8 { Read = 0, Failed = -1 })");
}

#[test]
fn a_struct_with_a_greater_alignment() {
    const ALIGNED: Type = Type::Struct {
        name: "S",
        fields: &[],
        size: 64,
        align: 64,
    };
    assert_eq!(prototype!(ALIGNED), "fn(S {  } of 64 bytes aligned to 64)");
}
