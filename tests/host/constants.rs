// SPDX-License-Identifier: GPL-2.0

//! What builds texts at compile time.
//!
//! `tests/memory.sh` lets the compiler evaluate all of it (`cfg(by_compiler)`), so that it refuses
//! accesses out of bounds or of uninitialised bytes.

#![allow(dead_code)]

#[path = "../../tracepoint/base"]
mod base {
    pub mod hash;
    pub mod prototype;
    pub mod text;

    pub mod event {
        pub mod errno;
        pub mod shape;
        pub mod show;
        pub mod spec;
        pub mod symbols;
        pub mod template;

        pub mod values {
            pub mod number;
        }
    }
}

use base::event::{
    errno::ERRNO_TABLE,
    shape::Shape,
    show::Kind,
    symbols::{table_of, text as table_text, text_len, Symbol, Table},
    template::{shown, How, Of, Part, Print},
    values::number::Value,
};
use base::hash::ascon_128;
use base::prototype::{len, text, Type as Prototype};
use base::text::{bytes_start_with, equal, Text};

const fn same(a: &[u8], b: &[u8]) {
    assert!(a.len() == b.len());
    let mut i = 0;
    while i < a.len() {
        assert!(a[i] == b[i]);
        i += 1;
    }
}

/// Two parts of a text, with room for less, as much, or more.
const fn parts_with_room<const N: usize>() {
    let text = *b"abcdefghij";
    let (mut from, mut to) = (0, 0);
    while to <= text.len() {
        let part = Text::<N>::new().part(&text, from, to);
        assert!(part.len() == to - from);
        let (_, rest) = text.split_at(from);
        let (rest, _) = rest.split_at(if to - from < N { to - from } else { N });
        same(part.as_bytes(), rest);

        let both = part.part(&text, from, to);
        assert!(both.len() == 2 * (to - from));
        let mut i = 0;
        while i < both.as_bytes().len() {
            assert!(both.as_bytes()[i] == text[from + i % (to - from)]);
            i += 1;
        }
        if from == to {
            (from, to) = (0, to + 1);
        } else {
            from += 1;
        }
    }
}

#[cfg_attr(not(by_compiler), test)]
const fn parts() {
    parts_with_room::<0>();
    parts_with_room::<1>();
    parts_with_room::<5>();
    parts_with_room::<12>();
    parts_with_room::<20>();
}

#[cfg_attr(not(by_compiler), test)]
const fn numbers() {
    same(
        Text::<20>::new().number(usize::MAX).as_bytes(),
        b"18446744073709551615",
    );
    same(Text::<3>::new().number(1234).as_bytes(), b"123");
    same(
        Text::<9>::new().number(9).number(0).number(10).as_bytes(),
        b"9010",
    );
    same(
        Text::<16>::new().hex(u64::MAX).as_bytes(),
        b"ffffffffffffffff",
    );
    same(
        Text::<9>::new().hex(0).hex(15).hex(0x10).as_bytes(),
        b"0f10",
    );
    same(&Text::<2>::new().byte(b'a').byte(b'b').bytes(), b"ab");
    assert!(equal(Text::<4>::new().str("a\u{e4}").as_str(), "a\u{e4}"));
    // Cut in the middle of a character.
    assert!(equal(Text::<2>::new().str("a\u{e4}").as_str(), "?"));
}

#[cfg_attr(not(by_compiler), test)]
const fn comparisons() {
    assert!(equal("", "") && equal("ab", "ab"));
    assert!(!equal("ab", "a") && !equal("a", "ab") && !equal("ab", "ac") && !equal("ab", "bb"));
    assert!(bytes_start_with(b"abc", b"") && bytes_start_with(b"abc", b"ab"));
    assert!(bytes_start_with(b"abc", b"abc") && !bytes_start_with(b"abc", b"abcd"));
    assert!(!bytes_start_with(b"", b"a") && !bytes_start_with(b"abc", b"ac"));
    assert!(!bytes_start_with(b"abc", b"b"));
    assert!(bytes_start_with(b"\xff\0", b"\xff") && !bytes_start_with(b"\xff", b"\xfe"));
}

#[cfg_attr(not(by_compiler), test)]
const fn prototypes() {
    const U32: Prototype = Prototype::Name("u32");
    const TEXT: [u8; len(true, &[U32])] = text(true, &[U32]);
    same(&TEXT, b"faultable fn(u32)\0");
}

// Modules built with different hash functions can't be loaded together.
#[cfg_attr(not(by_compiler), test)]
const fn hashes() {
    // From crypto_hash/asconhash256/LWC_HASH_KAT_128_256.txt of ascon-c, of the bytes 0, 1, 2, …
    let bytes = &[
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29, 30, 31,
    ];
    assert!(ascon_128(b"") == 0x0b3be5850f2f6b98caf29f8fdea89b64);
    assert!(ascon_128(bytes.split_at(1).0) == 0x0728621035af3ed2bca03bf6fde900f9);
    assert!(ascon_128(bytes.split_at(7).0) == 0x3e4d273ba69b3b9c53216107e88b75cd);
    assert!(ascon_128(bytes.split_at(8).0) == 0xb88e497ae8e6fb641b87ef622eb8f2fc);
    assert!(ascon_128(bytes.split_at(15).0) == 0x6421330df99c05eb715415ee17b455f2);
    assert!(ascon_128(bytes) == 0xbd9d3d60a66b53868eab2a5c74539a51);
}

const fn shape(name: &'static str, kind: Kind) -> Shape {
    Shape::new(name, kind, "")
}

const BYTE: Kind = Kind::Int {
    size: 1,
    signed: false,
};
const WORD: Kind = Kind::Int {
    size: 4,
    signed: false,
};

/// Operands of a computed number keep their types.
#[cfg_attr(not(by_compiler), test)]
const fn operands() {
    let is = Value::field("is", shape("bool", BYTE));
    same(is.not().text().as_bytes(), b"1 - REC->is");
    let n = Value::field("n", shape("u8", BYTE));
    same(n.not().text().as_bytes(), b"255 - REC->n");
    assert!(n.of().kind().number_size() == 1);
    let array = shape("bool", BYTE.elements(Some(4)));
    let is = Value::item("is", array, 3).not();
    same(is.text().as_bytes(), b"1 - (u8)(REC->is[3])");
    let n = Value::field("n", shape("u32", WORD));
    assert!(n.of().kind().number_size() == 4);
}

const IS_ODD: Value = Value::field("n", shape("u32", WORD))
    .binary("&", Value::constant(1))
    .binary("==", Value::constant(1));

#[cfg_attr(not(by_compiler), test)]
const fn computed_numbers() {
    same(IS_ODD.text().as_bytes(), b"(u32)(REC->n & 1) == 1");
    const PRINT: Print = Print::new(
        0,
        &[shown(
            "drv",
            "odd",
            Of::Computed(BYTE, "REC->n == 1"),
            How::As(""),
        )],
        &[Part::Format(0), Part::Argument(0)],
        &[],
    );
    const TEXT: [u8; PRINT.len(PRINT.print_fmt)] = PRINT.text(PRINT.print_fmt);
    same(&TEXT, b"%hhuREC->n == 1");
}

/// As many conversions as there can be.
#[test]
fn conversions() {
    let print = |count| {
        Print::new(
            count,
            Box::leak(Box::new([shown(
                "drv",
                "n",
                Of::Recorded(shape("u32", WORD)),
                How::As(""),
            )])),
            &[],
            &[],
        )
    };
    assert_eq!(print(63).len(&[]), 0);
}

#[cfg_attr(not(by_compiler), test)]
const fn errors_have_names() {
    const TEXT: [u8; text_len(&ERRNO_TABLE, 4)] = table_text(&ERRNO_TABLE, 4);
    const START: &[u8] = b", { 0x0, \"0\" }, { 0xffffffff, \"EPERM\" }, { 0xfffffffe, \"ENOENT\" }";
    assert!(bytes_start_with(&TEXT, START));
}

/// A table fits if each of its values is one of the number's, with or without a sign.
#[test]
fn tables_that_fit() {
    let fits = |value: i64, size| {
        let symbols = Box::leak(Box::new([Symbol::new(value as u64, c"name")]));
        let table = Box::leak(Box::new(Table {
            symbols,
            delimiter: None,
            special: &[],
            other: None,
        }));
        std::panic::catch_unwind(|| _ = table_of("x", Some(table), false, size)).is_ok()
    };
    for size in [1, 2, 4] {
        let bits = 8 * size as u32;
        for (value, is) in [
            (0, true),
            ((1 << bits) - 1, true),
            (1 << bits, false),
            (-(1 << (bits - 1)), true),
            (-(1 << (bits - 1)) - 1, false),
        ] {
            assert_eq!(fits(value, size), is, "{value} in {size} bytes");
        }
    }
    assert!(fits(i64::MIN, 8) && fits(i64::MAX, 8) && fits(-1, 8));
}

#[cfg(by_compiler)]
const _: () = {
    parts();
    numbers();
    comparisons();
    prototypes();
    operands();
    computed_numbers();
    errors_have_names();
};
