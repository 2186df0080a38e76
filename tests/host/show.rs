// SPDX-License-Identifier: GPL-2.0

//! How a field is shown: the conversion and the argument in the `print fmt`, and how the kernel reads it.

#![allow(dead_code)]

#[path = "../../tracepoint/base"]
mod base {
    pub mod text;

    pub mod event {
        pub mod errno;
        pub mod shape;
        pub mod show;
        pub mod spec;
        pub mod symbols;
        pub mod template;
    }
}

use base::event::{
    shape::Shape,
    show::{is_helper, Kind, Pass, Show, NO_HELPER},
    spec::Spec,
    symbols::{symbol_value, truncate},
    template::{How, Of, Shown},
};
use base::text::Text;

const fn int(size: usize, signed: bool) -> Kind {
    Kind::Int { size, signed }
}

const U8: Kind = int(1, false);
const U32: Kind = int(4, false);
const I32: Kind = int(4, true);
const U64: Kind = int(8, false);
const CHARS: Kind = U8.elements(Some(16)).chars();
const BYTES: Kind = U8.elements(Some(6));
const WORDS: Kind = U32.elements(Some(3));
const DYN_BYTES: Kind = U8.elements(None);
const DYN_WORDS: Kind = U32.elements(None);
const STRUCT: Kind = Kind::Bytes { len: 16, align: 8 };

/// Returns the conversion of a field and what follows the text.
fn shown(kind: Kind, rel: bool, spec: &str) -> Result<String, &'static str> {
    let shape = Shape {
        rel,
        ..Shape::new("", kind, "")
    };
    let shown = Shown::new("f", Of::Recorded(shape), How::As(spec))?;
    let format = shown.format(Text::<64>::new());
    let argument = shown.argument(Text::<200>::new());
    Ok(format!("{}, {}", format.as_str(), argument.as_str()))
}

/// Checks conversions of one kind of field.
fn conversions(kind: Kind, expected: &[(&str, &str)]) {
    for (spec, expected) in expected {
        let show = Show::new(kind, false, spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let format = show.format(Text::<64>::new());
        assert_eq!(format.as_str(), *expected, "{spec}");
    }
}

fn refused(kind: Kind, expected: &[(&str, &str)]) {
    for (spec, expected) in expected {
        let error = Show::new(kind, false, spec).err();
        assert_eq!(error, Some(*expected), "{spec}");
    }
}

/// C's conversion depends on the size and the sign.
#[test]
fn integers() {
    for (size, d, u, x) in [
        (1, "%hhd", "%hhu", "%hhx"),
        (2, "%hd", "%hu", "%hx"),
        (4, "%d", "%u", "%x"),
        (8, "%lld", "%llu", "%llx"),
    ] {
        conversions(int(size, true), &[("", d), ("x", x)]);
        conversions(int(size, false), &[("", u), ("x", x)]);
    }
}

#[test]
fn layouts_of_numbers() {
    conversions(
        I32,
        &[
            ("X", "%X"),
            ("o", "%o"),
            ("c", "%c"),
            ("5", "%5d"),
            (">5", "%5d"),
            ("<5", "%-5d"),
            // There's nothing to put on the left.
            ("<", "%d"),
            (">", "%d"),
            ("0", "%0d"),
            ("05", "%05d"),
            ("050", "%050d"),
            ("+", "%+d"),
            ("+05", "%+05d"),
            ("<+5", "%-+5d"),
            (">+012", "%+012d"),
            ("<5c", "%-5c"),
            ("12x", "%12x"),
            ("32766", "%32766d"),
            // The kernel's `%#x` shows `0x0`, that of tools `0`.
            ("#x", "0x%x"),
            ("#X", "0x%X"),
            ("#010x", "0x%08x"),
            ("<#10x", "0x%-8x"),
            ("#01x", "0x%0x"),
            ("#0x", "0x%0x"),
        ],
    );
}

#[test]
fn refused_layouts() {
    let none = "there is no such layout";
    let wide = "a width or a precision must be less than 32767";
    let prefix = "a number with a `0x` needs a `0` or a `<` before its width";
    refused(
        I32,
        &[
            ("d", none),
            ("5.", none),
            ("5x5", none),
            ("5 x", none),
            ("<>5", none),
            ("++", none),
            ("##x", none),
            ("**", none),
            (
                "?",
                "`?` isn't supported: the type determines how the field is shown",
            ),
            (
                "5x?",
                "`?` isn't supported: the type determines how the field is shown",
            ),
            ("32767", wide),
            ("99999999999999999999999", wide),
            (".32767", wide),
            ("#", "`#` is for hexadecimal numbers"),
            ("#o", "`#` is for hexadecimal numbers"),
            ("+x", "`+` is for decimal numbers"),
            ("<05", "a number on the left can't be padded with zeros"),
            ("05c", "a character has only a width"),
            (".3c", "a character has only a width"),
            (".$c", "a character has only a width"),
            (".3", "a number has no precision"),
            (".0", "a number has no precision"),
            (".$", "a number has no precision"),
            ("#10x", prefix),
            (">#10x", prefix),
        ],
    );
    refused(U32, &[("+", "`+` is for signed numbers")]);
    refused(U64, &[("c", "a character has at most 32 bits")]);
    refused(
        Kind::Pointer,
        &[(
            "x",
            "a pointer can't be formatted as a number: use `:p`, `:px` for the bare address, or \
             `as usize`",
        )],
    );
    for kind in [WORDS, DYN_WORDS, Kind::Mask, Kind::SockAddr, STRUCT] {
        refused(kind, &[("5", "only numbers and strings have a layout")]);
    }
    refused(STRUCT, &[("", "a struct needs `:print_hex`")]);
}

/// As in Rust, text is on the left.
#[test]
fn texts() {
    for (kind, argument) in [(CHARS, "REC->f"), (Kind::Str, "__get_str(f)")] {
        for (spec, format) in [
            ("", "%s"),
            ("8", "%-8s"),
            ("<8", "%-8s"),
            (">8", "%8s"),
            (">", "%s"),
            (".3", "%.3s"),
            (".0", "%.0s"),
            ("8.3", "%-8.3s"),
            (">12.34", "%12.34s"),
            (".32766", "%.32766s"),
        ] {
            assert_eq!(
                shown(kind, false, spec),
                Ok(format!("{format}, {argument}")),
                "{spec}"
            );
        }
        for spec in ["x", "c", "05", "+5", "#x"] {
            refused(kind, &[(spec, "a string has only a width and a precision")]);
        }
    }
    conversions(Kind::Str, &[(".$", "%.*s"), (">8.$", "%8.*s")]);
    refused(
        CHARS,
        &[(".$", "only a `Str` can have its precision in a field")],
    );
    refused(
        Kind::Str,
        &[(
            "8.$",
            "a string with its precision in a field can't be padded on the right: use `>`",
        )],
    );
}

/// What the templates ask of the layout of a text.
#[test]
fn layouts_of_texts() {
    for (spec, format, is_plain) in [
        ("", "%s", true),
        ("8", "%-8s", false),
        ("<8.3", "%-8.3s", false),
        (">.0", "%.0s", false),
    ] {
        let parsed = Spec::of_name(spec).unwrap();
        let text = parsed.of_string(Text::<64>::new());
        assert_eq!(text.as_str(), format, "{spec}");
        assert_eq!(parsed.is_plain(), is_plain, "{spec}");
    }
    assert!(Spec::of_name(".$").is_err());
}

/// The kinds of fields that have no layout, and helpers.
#[test]
fn helpers() {
    for (kind, rel, spec, expected) in [
        (WORDS, false, "", "%s, __print_array(REC->f, 3, 4)"),
        (
            WORDS,
            false,
            "print_array",
            "%s, __print_array(REC->f, 3, 4)",
        ),
        (
            DYN_WORDS,
            false,
            "",
            "%s, __print_array(__get_dynamic_array(f), __get_dynamic_array_len(f) / 4, 4)",
        ),
        (
            DYN_BYTES,
            false,
            "print_array",
            "%s, __print_array(__get_dynamic_array(f), __get_dynamic_array_len(f), 1)",
        ),
        // libtraceevent reads the location as a number.
        (
            DYN_WORDS,
            true,
            "",
            "%s, __print_array(__get_rel_dynamic_array(f), REC->f >> 18, 4)",
        ),
        (Kind::Mask, false, "", "%s, __get_bitmask(f)"),
        (Kind::Mask, true, "", "%s, __get_rel_bitmask(f)"),
        (Kind::Mask, false, "list", "%s, __get_cpumask(f)"),
        (Kind::SockAddr, false, "", "%pISpc, __get_sockaddr(f)"),
        (Kind::SockAddr, false, "pIS", "%pIS, __get_sockaddr(f)"),
        (
            Kind::SockAddr,
            true,
            "pISp",
            "%pISp, __get_rel_dynamic_array(f)",
        ),
        (DYN_BYTES, false, "pISc", "%pISc, __get_dynamic_array(f)"),
        (U8.elements(Some(16)), false, "pISpc", "%pISpc, REC->f"),
        (STRUCT, false, "pISpc", "%pISpc, &REC->f"),
        (Kind::Str, false, "len", "%d, __get_dynamic_array_len(f)"),
        (Kind::Str, true, "len", "%d, REC->f >> 16"),
        (Kind::Mask, false, "len", "%d, __get_dynamic_array_len(f)"),
        (DYN_WORDS, false, "len", "%d, __get_dynamic_array_len(f)"),
        (
            Kind::SockAddr,
            false,
            "len",
            "%d, __get_dynamic_array_len(f)",
        ),
        (U64, false, "print_ns_to_secs", "%llu, REC->f / 1000000000"),
        (
            U64,
            false,
            "print_ns_without_secs",
            "%09llu, REC->f % 1000000000",
        ),
        (U32, false, "dev_t", "%u:%u, REC->f >> 20, REC->f & 0xfffff"),
        (BYTES, false, "print_hex", "%s, __print_hex(REC->f, 6)"),
        (WORDS, false, "print_hex", "%s, __print_hex(REC->f, 12)"),
        (
            CHARS,
            false,
            "print_hex_str",
            "%s, __print_hex_str(REC->f, 16)",
        ),
        (
            STRUCT,
            false,
            "print_hex_dump",
            "%s, __print_hex_dump(\"\", 2, 16, 1, REC->f, 16, 1)",
        ),
        (
            DYN_WORDS,
            false,
            "print_hex",
            "%s, __print_hex(__get_dynamic_array(f), __get_dynamic_array_len(f))",
        ),
        (BYTES, false, "ph", "%s, __print_hex(REC->f, 6)"),
        (BYTES, false, "phN", "%s, __print_hex_str(REC->f, 6)"),
        (
            DYN_BYTES,
            false,
            "phC",
            "%*phC, __get_dynamic_array_len(f), __get_dynamic_array(f)",
        ),
        (
            DYN_BYTES,
            true,
            "phD",
            "%*phD, REC->f >> 16, __get_rel_dynamic_array(f)",
        ),
        (BYTES, false, "pM", "%pM, REC->f"),
        (U8.elements(Some(4)).chars(), false, "pI4", "%pI4, REC->f"),
        (STRUCT, false, "pUb", "%pUb, &REC->f"),
        (Kind::Pointer, false, "", "%p, REC->f"),
        (Kind::Pointer, false, "p", "%p, REC->f"),
        (U64, false, "px", "%016llx, REC->f"),
        (int(8, true), false, "pS", "%pS, REC->f"),
        (Kind::Pointer, false, "ps", "%ps, REC->f"),
        // As C's `%pad` (special_hex_number(), lib/vsprintf.c).
        (U64, false, "pad", "0x%016llx, REC->f"),
        (U64, false, "pap", "0x%016llx, REC->f"),
    ] {
        assert_eq!(shown(kind, rel, spec), Ok(expected.to_owned()), "{spec}");
    }
}

/// Each conversion of an array has its length.
#[test]
fn arrays_of_bytes() {
    for (names, len) in [
        (&["pM", "pMF", "pMR", "pm", "pmR"][..], 6),
        (&["pI4", "pi4"], 4),
        (
            &["pI6", "pi6", "pI6c", "pU", "pUb", "pUB", "pUl", "pUL"],
            16,
        ),
    ] {
        for name in names {
            let is =
                |size, len| Show::new(int(size, false).elements(Some(len)), false, name).is_ok();
            assert!(is(1, len), "{name}");
            assert!(
                !is(1, len - 1) && !is(1, len + 1) && !is(2, len / 2),
                "{name}"
            );
            assert!(Show::new(DYN_BYTES, false, name).is_err(), "{name}");
        }
    }
}

#[test]
fn refused_helpers() {
    let address = "an address is a pointer or a number of 64 bits";
    let bus = "a bus or physical address is a number of 64 bits";
    let uuid = "a UUID is a `[u8; 16]`";
    let bytes = "`ph` is for arrays and structs";
    let socket = "a socket address is a `SockAddr`, or an array of at least 16 bytes";
    refused(
        U32,
        &[
            ("p", address),
            ("px", address),
            ("pS", address),
            ("ps", address),
            ("pad", bus),
            ("pap", bus),
            ("ph", bytes),
            ("phC", "tools show this only of a `DynArray`"),
            ("pM", "a MAC address is a `[u8; 6]`"),
            ("pI4", "an IPv4 address is a `[u8; 4]`"),
            ("pI6c", "an IPv6 address is a `[u8; 16]`"),
            ("pUl", uuid),
            ("pISpc", socket),
            ("print_hex", "`print_hex` is for arrays and structs"),
            ("print_hex_dumb", NO_HELPER),
            ("print_array", "`print_array` is for arrays"),
            ("list", "`list` is for bit masks"),
            ("len", "`len` is for fields without a fixed length"),
            ("print_ns_to_secs", "a number of nanoseconds has 64 bits"),
            (
                "print_ns_without_secs",
                "a number of nanoseconds has 64 bits",
            ),
            ("pK", NO_HELPER),
            ("pI", NO_HELPER),
            ("printf", NO_HELPER),
            ("xx", NO_HELPER),
        ],
    );
    for kind in [I32, U64, BYTES] {
        refused(kind, &[("dev_t", "a device number is a `DevT` or a `u32`")]);
    }
    refused(int(8, true), &[("pad", bus)]);
    for kind in [Kind::Str, Kind::Mask, Kind::SockAddr] {
        refused(
            kind,
            &[
                ("ph", bytes),
                ("print_hex", "`print_hex` is for arrays and structs"),
            ],
        );
    }
    for kind in [BYTES, STRUCT] {
        refused(
            kind,
            &[
                ("phC", "tools show this only of a `DynArray`"),
                ("phD", "tools show this only of a `DynArray`"),
                ("len", "`len` is for fields without a fixed length"),
            ],
        );
    }
    refused(DYN_BYTES, &[("phX", NO_HELPER)]);
    for kind in [U8.elements(Some(15)), WORDS, DYN_WORDS, CHARS] {
        refused(kind, &[("pIS", socket)]);
    }
    refused(STRUCT, &[("print_array", "`print_array` is for arrays")]);
}

/// A lower-case letter alone is a layout, but `p` isn't.
#[test]
fn names_of_helpers() {
    for name in ["p", "px", "pS", "list", "no"] {
        assert!(is_helper(name), "{name}");
    }
    for spec in ["", "x", "c", "X", "5", "05x", "P", "Px", "<p"] {
        assert!(!is_helper(spec), "{spec}");
    }
}

#[test]
fn tables() {
    let show = Show::new(U32, true, "").unwrap();
    assert_eq!(show.pass, Pass::Name);
    let format = |show: &Show| show.format(Text::<9>::new()).as_str().to_owned();
    assert_eq!(format(&show), "%s");
    assert_eq!(show.argument, "REC->@");
    // A layout shows the number.
    let number = Show::new(U32, true, "x").unwrap();
    assert_eq!(number.pass, Pass::Number);
    assert_eq!(format(&number), "%x");
}

#[test]
fn values_of_tables() {
    for (size, all) in [(1, 0xff), (2, 0xffff), (4, 0xffff_ffff), (8, u64::MAX)] {
        assert_eq!(truncate(u64::MAX, size), all);
        assert_eq!(truncate(1, size), 1);
        let all = i128::from(all);
        let low = -(all + 1) / 2;
        let value = |value, flag| symbol_value("x", value, size, flag);
        let error = |of, flag| {
            let error = std::panic::catch_unwind(|| value(of, flag)).unwrap_err();
            *error.downcast::<String>().unwrap()
        };
        let misfit = "x: the value doesn't fit into the field";
        for flag in [None, Some(0), Some(1)] {
            assert_eq!(error(low - 1, flag), misfit);
            assert_eq!(error(all + 1, flag), misfit);
        }
        for of in [low, -1, 0, all] {
            assert_eq!(value(of, None), of as u64);
        }
        assert_eq!(
            error(0, Some(0)),
            "x: a flag can't be 0: to name the absence of flags, write the literal 0"
        );
        // A flag has no sign.
        assert_eq!(value(low, Some(0)), truncate(low as u64, size));
        // Tools couldn't show the others.
        for (of, n) in [(all, 0), (-low - 1, 1), (low, 1)] {
            match size {
                8 if of as u64 >= 1 << 63 => assert_eq!(
                    error(of, Some(n)),
                    "x: a flag with the highest of 64 bits must be the first, and have no other bit"
                ),
                _ => assert_eq!(value(of, Some(n)), truncate(of as u64, size)),
            }
        }
    }
}

/// The kernel's conversions that differ from those of tools.
#[test]
fn kernel_formats() {
    for (kind, spec, expected) in [
        (U32, "#x", "0x%x"),
        (Kind::Pointer, "", "%p"),
        (Kind::Pointer, "px", "%016llx"),
        // No more than the field, even if there is no NUL in it.
        (CHARS, "", "%.16s"),
        (CHARS, "20", "%-20.16s"),
        (CHARS, ".15", "%.15s"),
        (CHARS, ".16", "%.16s"),
        (CHARS, ".17", "%.16s"),
        (Kind::Str, ">8", "%8s"),
        (BYTES, "pM", "%pM"),
        (WORDS, "", "%s"),
        (DYN_BYTES, "phC", "%s"),
        (Kind::SockAddr, "", "%s"),
        (Kind::Mask, "list", "%s"),
        (U32, "dev_t", "%s"),
        (U64, "print_ns_without_secs", "%09llu"),
    ] {
        let show = Show::new(kind, false, spec).unwrap();
        let format = show.kernel_format(Text::<64>::new());
        assert_eq!(format.as_str(), expected, "{spec}");
    }
}

#[test]
fn reads() {
    for (kind, spec, pass, unit, len) in [
        (U32, "", Pass::Number, 1, Some(4)),
        (int(8, true), "x", Pass::Number, 1, Some(8)),
        (Kind::Pointer, "", Pass::Number, 1, Some(8)),
        (CHARS, "", Pass::Data, 1, Some(16)),
        (Kind::Str, "", Pass::Data, 1, None),
        (BYTES, "pM", Pass::Data, 1, Some(6)),
        (WORDS, "", Pass::Array, 4, Some(3)),
        (DYN_WORDS, "", Pass::Array, 4, None),
        (BYTES, "print_hex", Pass::Hex, 1, Some(6)),
        (WORDS, "print_hex_str", Pass::HexStr, 1, Some(12)),
        (STRUCT, "print_hex_dump", Pass::HexDump, 1, Some(16)),
        (DYN_BYTES, "phC", Pass::Colons, 1, None),
        (DYN_BYTES, "phD", Pass::Dashes, 1, None),
        (Kind::Mask, "", Pass::Mask, 1, None),
        (Kind::Mask, "list", Pass::MaskList, 1, None),
        (Kind::SockAddr, "", Pass::SockAddr, 1, None),
        (STRUCT, "pIS", Pass::SockAddr, 1, Some(16)),
        (Kind::Str, "len", Pass::Len, 1, None),
        (U64, "print_ns_to_secs", Pass::Secs, 1, Some(8)),
        (U64, "print_ns_without_secs", Pass::Nanoseconds, 1, Some(8)),
        (U32, "dev_t", Pass::Dev, 1, Some(4)),
    ] {
        let show = Show::new(kind, false, spec).unwrap();
        assert_eq!(
            (show.pass, show.unit(), show.len()),
            (pass, unit, len),
            "{spec}"
        );
    }
}

#[test]
fn kinds() {
    for (kind, size) in [
        (WORDS, 4),
        (DYN_WORDS, 4),
        (BYTES, 1),
        (Kind::Str, 1),
        (STRUCT, 1),
    ] {
        assert_eq!(kind.number_size(), size);
    }
    assert!(U32.number_size() == 4 && Kind::Pointer.number_size() == 8);
    for kind in [Kind::Str, DYN_WORDS, Kind::Mask, Kind::SockAddr] {
        assert!(kind.is_dynamic() && !kind.is_number());
    }
    for kind in [U32, Kind::Pointer] {
        assert!(!kind.is_dynamic() && kind.is_number());
    }
    for kind in [CHARS, WORDS, STRUCT] {
        assert!(!kind.is_dynamic() && !kind.is_number());
    }
    assert!(matches!(
        U8.elements(Some(9)).chars(),
        Kind::Chars { len: 9, .. }
    ));
    assert!(matches!(WORDS.chars(), Kind::Array { len: 3, .. }));
    // Each has a code of its own.
    let code = |len, rel| U8.elements(Some(len)).code(rel);
    assert!(code(8, false) != code(9, false) && code(0x100, false) != code(0x200, false));
    assert!(code(8, false) != code(8, true));
}
