// SPDX-License-Identifier: GPL-2.0

//! The part of a print template that is evaluated at compile time, with the types that only the
//! compiler knows.

#![allow(dead_code)]

#[path = "../../tracepoint/base"]
mod base {
    pub mod text;

    pub mod event {
        pub mod errno;
        pub mod shape;
        pub mod show;
        pub mod spare;
        pub mod spec;
        pub mod symbols;
        pub mod template;

        pub mod values {
            pub mod number;
        }
    }
}

use base::event::{
    shape::Shape,
    show::{Kind, Pass, Show},
    spare::none_of,
    symbols::{symbol_value, table_of, text, text_len, Range, Symbol, Table},
    template::{How, Of, Part, Print, Shown},
    values::number::code,
};

const fn shown(name: &'static str, shape: Shape, spec: &'static str) -> Shown<'static> {
    base::event::template::shown("drv", name, Of::Recorded(shape), How::As(spec))
}

const fn named(name: &'static str, shape: Shape, table: &'static Table<'static>) -> Shown<'static> {
    base::event::template::shown(
        "drv",
        name,
        Of::Recorded(shape),
        How::Names(table, "", true),
    )
}

const fn shape(kind: Kind) -> Shape {
    Shape::new("type", kind, "")
}

const U32: Shape = shape(Kind::Int {
    size: 4,
    signed: false,
});
const U8: Shape = shape(Kind::Int {
    size: 1,
    signed: false,
});
const I8: Shape = shape(Kind::Int {
    size: 1,
    signed: true,
});

const OPS: Table<'_> = Table {
    symbols: &const { [Symbol::new(0, c"READ"), Symbol::new(-1i64 as u64, c"WRITE")] },
    delimiter: None,
    special: &[],
    other: None,
};
const FLAGS: Table<'_> = Table {
    symbols: &const { [Symbol::new(1, c"SYNC"), Symbol::new(0x80, c"META")] },
    delimiter: Some(c"|"),
    special: &[],
    other: None,
};
const FLAGS_TEXT: [u8; text_len(&FLAGS, 4)] = text(&FLAGS, 4);

const PRINT: Print = Print::new(
    0,
    &[
        named("op", I8, &OPS),
        shown(
            "flags",
            Shape {
                table: Some(&FLAGS),
                text: &FLAGS_TEXT,
                ..U32
            },
            "",
        ),
        shown("n", U32, "#x"),
        shown(
            "name",
            Shape {
                rel: true,
                ..shape(Kind::Str)
            },
            "8",
        ),
        shown("comm", I8.elements(Some(16)).chars(), ""),
    ],
    &[
        Part::Bytes(b"\""),
        Part::Format(0),
        Part::Bytes(b" "),
        Part::Format(1),
        Part::Format(2),
        Part::Format(3),
        Part::Format(4),
        Part::Bytes(b"\", "),
        Part::Argument(0),
        Part::Bytes(b", "),
        Part::Argument(1),
        Part::Bytes(b", "),
        Part::Argument(2),
        Part::Bytes(b", "),
        Part::Argument(3),
        Part::Bytes(b", "),
        Part::Argument(4),
        Part::Bytes(b"\0"),
    ],
    &[
        Part::KernelFormat(0),
        Part::Bytes(b" "),
        Part::KernelFormat(1),
        Part::KernelFormat(2),
        Part::KernelFormat(3),
        Part::KernelFormat(4),
        Part::Bytes(b"\n\0"),
    ],
);

const PRINT_FMT: [u8; PRINT.len(PRINT.print_fmt)] = PRINT.text(PRINT.print_fmt);
const FORMAT: [u8; PRINT.len(PRINT.format)] = PRINT.text(PRINT.format);

#[test]
fn print_fmt() {
    assert_eq!(
        std::str::from_utf8(&PRINT_FMT).unwrap(),
        "\"%s %s0x%x%-8s%s\", __print_symbolic(REC->op, { 0x0, \"READ\" }, { 0xff, \"WRITE\" }), \
         __print_flags(REC->flags, \"|\", { 0x1, \"SYNC\" }, { 0x80, \"META\" }), REC->n, \
         __get_rel_str(name), REC->comm\0"
    );
}

#[test]
fn format() {
    assert_eq!(FORMAT[..], b"%s %s0x%x%-8s%.16s\n\0"[..]);
}

#[test]
fn arguments() {
    let expected = [
        (false, Pass::Name, 1, Some(1), true),
        (false, Pass::Name, 4, Some(4), true),
        (false, Pass::Number, 4, Some(4), false),
        (true, Pass::Data, 1, None, false),
        (false, Pass::Data, 1, Some(16), false),
    ];
    for (shown, (rel, pass, size, len, table)) in PRINT.shown.iter().zip(expected) {
        let Show { kind, .. } = shown.show;
        assert_eq!((shown.rel(), shown.show.pass), (rel, pass));
        assert_eq!((kind.number_size(), shown.show.len()), (size, len));
        assert_eq!(shown.table.is_some(), table);
    }
    // What a computed number takes from a field, or from an element of it.
    assert_eq!(code(I8), 0x88);
    assert_eq!(code(U32.elements(Some(2))), 32);
    assert_eq!(code(shape(Kind::Pointer)), 0);
}

#[test]
fn a_layout_shows_the_number() {
    let shown = [shown(
        "flags",
        Shape {
            table: Some(&FLAGS),
            ..U32
        },
        "x",
    )];
    let print = Print::new(
        1,
        &*Box::leak(Box::new(shown)),
        &[Part::Format(0), Part::Argument(0)],
        &[],
    );
    assert_eq!(&print.text::<12>(print.print_fmt), b"%xREC->flags");
    assert!(print.shown[0].table.is_none());
}

/// Returns the `print fmt` of one field.
fn text_of<const N: usize>(shown: Shown<'static>) -> String {
    let print = Print::new(
        1,
        Box::leak(Box::new([shown])),
        &[Part::Format(0), Part::Bytes(b" "), Part::Argument(0)],
        &[],
    );
    assert_eq!(print.len(print.print_fmt), N);
    String::from_utf8(print.text::<N>(print.print_fmt).to_vec()).unwrap()
}

#[test]
fn a_type_says_how_it_is_shown() {
    let dev = Shape {
        spec: "dev_t",
        ..U32
    };
    assert_eq!(
        text_of::<40>(shown("dev", dev, "")),
        "%u:%u REC->dev >> 20, REC->dev & 0xfffff"
    );
    assert_eq!(text_of::<11>(shown("dev", dev, "x")), "%x REC->dev");
}

#[test]
fn a_whole_value_has_a_name() {
    const NONE: Table<'_> = Table {
        special: &const {
            [Range {
                first: Symbol::new(0, c"none"),
                more: 0,
            }]
        },
        ..FLAGS
    };
    assert_eq!(
        text_of::<91>(named("n", U32, &NONE)),
        "%s (REC->n == 0x0) ? \"none\" : __print_flags(REC->n, \"|\", { 0x1, \"SYNC\" }, \
         { 0x80, \"META\" })"
    );
}

#[test]
fn the_highest_bit_has_a_conversion_of_its_own() {
    const TOP: Table<'_> = Table {
        symbols: &const { [Symbol::new(1 << 63, c"top"), Symbol::new(1, c"a")] },
        ..FLAGS
    };
    const ALONE: Table<'_> = Table {
        symbols: &const { [Symbol::new(1 << 63, c"top")] },
        ..FLAGS
    };
    const U64: Shape = shape(Kind::Int {
        size: 8,
        signed: false,
    });
    assert_eq!(
        text_of::<153>(named("n", U64, &TOP)),
        "%s%s (REC->n & 0x8000000000000000) ? ((REC->n & 0x7fffffffffffffff) ? \"top|\" : \"top\") : \"\", \
         __print_flags(REC->n & 0x7fffffffffffffff, \"|\", { 0x1, \"a\" })"
    );
    assert!(text_of::<152>(named("n", U64, &ALONE)).ends_with("{ 0x0, \"\" })"));
    // In a smaller number, it's one like others.
    assert!(text_of::<45>(named("n", U32, &ALONE)).starts_with("%s __print_flags"));
    let part = Shown::new("n", Of::Recorded(U64), How::Names(&TOP, "", false));
    assert_eq!(
        part.err(),
        Some("a table with the flag of the highest of 64 bits can't be a part of a value")
    );
}

#[test]
fn computed_numbers() {
    let error = |size, spec| {
        let kind = Kind::Int {
            size,
            signed: false,
        };
        let shown = Shown::new("n", Of::Computed(kind, "1"), How::As(spec));
        shown.err()
    };
    for (size, spec) in [
        (8, "print_ns_to_secs"),
        (8, "print_ns_without_secs"),
        (4, "dev_t"),
    ] {
        assert_eq!(error(size, spec), Some("this is only for a field"));
    }
    assert_eq!(error(4, "5."), Some("there is no such layout"));
}

#[test]
fn a_name_has_a_width() {
    const ALL: Table<'_> = Table {
        other: Some(c"other"),
        symbols: &[],
        ..OPS
    };
    let shown = |table, is_all| Shown::new("n", Of::Recorded(U32), How::Names(table, "8", is_all));
    assert_eq!(text_of::<12>(shown(&ALL, false).unwrap()), "%-8s \"other\"");
    assert!(shown(&OPS, true).is_ok());
    assert_eq!(
        shown(&OPS, false).err(),
        Some("a part of a value has a width only if its table names all others with `_`")
    );
    assert_eq!(shown(&FLAGS, true).err(), Some("flags have no width"));
}

#[test]
#[should_panic(expected = "a template can't have more than 63 conversions, or 59 in a span")]
fn a_device_counts_twice() {
    let shown = shown("dev", U32, "dev_t");
    Print::new(63, Box::leak(Box::new([shown])), &[], &[]);
}

#[test]
fn a_value_is_left_for_none() {
    let symbol = |n| Symbol::new(n, c"name");
    assert_eq!(none_of("E", &[symbol(0), symbol(1)], 1), 255);
    assert_eq!(none_of("E", &[symbol(u64::MAX), symbol(0xfffe)], 2), 0xfffd);
}

#[test]
#[should_panic(expected = "E has all values of its integer: none is left for `None`")]
fn no_value_is_left_for_none() {
    let all: Vec<_> = (0..256).map(|n| Symbol::new(n, c"name")).collect();
    none_of("E", &all, 1);
}

#[test]
fn a_type_is_a_table() {
    let table = |delimiter, value| {
        let symbols = Box::leak(Box::new([Symbol::new(value, c"name")]));
        let table = Table {
            symbols,
            delimiter,
            special: &[],
            other: None,
        };
        Some(&*Box::leak(Box::new(table)))
    };
    let error = |table, flags, size| {
        let error = std::panic::catch_unwind(|| _ = table_of("x", table, flags, size));
        *error.unwrap_err().downcast::<String>().unwrap()
    };
    table_of("x", table(None, -1i64 as u64), false, 1);
    table_of("x", table(None, 0xff), false, 1);
    table_of("x", table(Some(c"|"), 0x8000), true, 2);
    assert_eq!(
        error(table(None, 0x100), false, 1),
        "x: the number has fewer bits than the values of the type"
    );
    assert_eq!(
        error(table(None, 1), true, 1),
        "x: the type is an enum: use `print_symbolic`"
    );
    assert_eq!(
        error(table(Some(c"|"), 1), false, 1),
        "x: the type has flags: use `print_flags`"
    );
    assert_eq!(
        error(None, true, 1),
        "x: the type has no names: derive `TraceEnum` or `TraceFlags`"
    );
}

#[test]
#[should_panic(expected = "event `drv`: field `flags`: `list` is for bit masks")]
fn a_helper_needs_its_kind() {
    shown("flags", U32, "list");
}

#[test]
#[should_panic(expected = "event `drv`: field `name`: only a number can be looked up in a table")]
fn a_table_needs_a_number() {
    named("name", shape(Kind::Str), &OPS);
}

#[test]
fn values() {
    for (value, size) in [
        (255, 1),
        (-128, 1),
        (1 << 63, 8),
        (-1, 8),
        ((1 << 64) - 1, 8),
    ] {
        assert_eq!(symbol_value("", value, size, None), value as u64);
    }
    assert_eq!(symbol_value("", 1 << 31, 4, Some(0)), 1 << 31);
}

#[test]
#[should_panic(expected = "a: the value doesn't fit into the field")]
fn a_value_fits() {
    symbol_value("a", 256, 1, None);
}

#[test]
#[should_panic(
    expected = "a: a flag can't be 0: to name the absence of flags, write the literal 0"
)]
fn a_flag_is_a_bit() {
    symbol_value("a", 0, 8, Some(1));
}

#[test]
fn assumptions() {
    let code = |shape: Shape| shape.elements(Some(4)).kind.code(false);
    // Characters are bytes to Rust, and `c_char` can have a sign.
    assert_eq!(code(I8), I8.elements(Some(4)).chars().kind.code(false));
    assert_eq!(code(I8), code(U8));
}

#[test]
fn kinds_have_codes_of_their_own() {
    let int = |size, signed| Kind::Int { size, signed };
    let mut codes = Vec::new();
    for kind in [
        int(1, false),
        int(1, true),
        int(8, false),
        int(8, true),
        Kind::Pointer,
        int(1, false).elements(Some(8)),
        int(8, false).elements(Some(1)),
        int(8, true).elements(Some(1)),
        Kind::Bytes { len: 8, align: 1 },
        Kind::Str,
        int(1, false).elements(None),
        int(8, false).elements(None),
        int(8, true).elements(None),
        Kind::Mask,
        Kind::SockAddr,
    ] {
        for (name, rel) in [("", false), ("", true), ("bool", false)] {
            codes.push(
                Shape {
                    rel,
                    ..Shape::new(name, kind, "")
                }
                .code(false),
            );
        }
    }
    let len = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), len);
}
