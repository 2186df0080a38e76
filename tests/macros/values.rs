// SPDX-License-Identifier: GPL-2.0

//! Tests of the values after a template.

use super::*;
use crate::{shape::Shape, text::Text};

/// The `print fmt` of one argument.
fn argument(fields: &str, argument: &str) -> String {
    let text = print_fmt(fields, &format!("\"{{x}}\", x = {argument}"));
    text.strip_prefix("\"").unwrap().to_owned()
}

#[test]
fn computed_numbers() {
    let fields = "dev: u32, n: i32, a: [u16; 4], d: DynArray<u32>, p: *const u8, big: u64, \
                  ok: bool, t: u8";
    for (value, expected) in [
        ("dev >> 20", "%u\", REC->dev >> 20"),
        ("dev & 0xfffff", "%u\", REC->dev & 0xfffff"),
        ("a[3]", "%hu\", REC->a[3]"),
        ("a.len()", "%d\", 4"),
        ("d.len() * 4", "%llu\", (__get_dynamic_array_len(d) / 4) * 4"),
        ("p as usize & 0xfff", "%llu\", REC->p & 4095"),
        ("n as i64", "%lld\", (u64)(u32)(REC->n + 0x80000000) - 0x80000000"),
        ("dev as u64 << 12", "%llu\", (u64)REC->dev << 12"),
        ("-n", "%d\", 0 - REC->n"),
        ("!t", "%hhu\", 255 - REC->t"),
        ("if ok { dev } else { 0 }", "%u\", (REC->ok) ? REC->dev : 0"),
        (
            "match dev { 1 | 2 => 5u8, 4..=6 => 7, _ => 9 }",
            "%hhu\", ((REC->dev == 1) || (REC->dev == 2)) ? 5 : (((REC->dev >= 4) && (REC->dev <= 6)) ? 7 : 9)",
        ),
        ("1 + 2 * 3 - 10 / 2 % 3 << 1", "%d\", 10"),
        ("t + 255u8", "%hhu\", REC->t + 255"),
        ("127i8", "%hhd\", 127"),
        ("-128i8", "%hhd\", 0 - 128"),
        ("-9223372036854775808i64", "%lld\", 0 - (u64)0x8000000000000000"),
        ("18446744073709551615u64", "%llu\", (u64)0xffffffffffffffff"),
        ("big * (big + 1)", "%llu\", REC->big * (u64)(REC->big + 1)"),
    ] {
        assert_eq!(argument(fields, value), expected, "{value}");
    }
    assert_eq!(
        print_fmt(
            "dev: u32",
            r#""{major:#x} {major:5} {dev}", major = dev >> 20"#
        ),
        "\"0x%x %5u %u\", REC->dev >> 20, REC->dev >> 20, REC->dev"
    );
}

/// What has no type gets the same one as in `print fmt`, and any value can be compared.
#[test]
fn values_without_a_type() {
    for (value, expected) in [
        ("!(if ok { 1 } else { -1 })", "asi32"),
        ("(if ok { 1 } else { 2 }) + 0x7fff_ffff_ffff_ffff", "asi64"),
        ("-(if ok { 1 } else { -0x8000_0000_0000_0000 })", "asi64"),
        ("(if ok { 1 } else { 0xffff_ffff_ffff_ffff }) >> 1", "asu64"),
        (
            "0xffff_ffff_ffff_ffff > 1",
            "const{18446744073709551615i128}>const{1i128}",
        ),
        ("match 5 { 5 => 1, _ => 2 }", "const{5i128}==const{5i128}"),
    ] {
        let found = values("ok: bool", &format!("\"{{x}}\", x = {value}"));
        let found = found.replace("__p::", "");
        assert!(found.contains(expected), "{value}: {found}");
    }
    let value = "!(if n == 0 { FLAG } else { 2 })";
    let (_, errors) = output("n: u32", &format!("\"{{x}}\", x = {value}"));
    assert_eq!(
        errors,
        ["`drv`: write the type of the value, as in `(FLAG as u32) << n`"]
    );
}

#[test]
fn computed_texts() {
    let fields = "n: i32, flags: u32, s: Str, c: [c_char; 8]";
    for (value, expected) in [
        ("\"on\"", "\"on\""),
        (
            r#"if n < 0 { "failed" } else { "ok" }"#,
            r#"(REC->n >= 0x80000000) ? "failed" : "ok""#,
        ),
        (
            r#"if n == 1 { s } else if n == 2 { c } else { "?" }"#,
            r#"(REC->n == 1) ? __get_str(s) : ((REC->n == 2) ? REC->c : "?")"#,
        ),
        (
            "if n == 1 { c } else { c }",
            r#"(0) ? "" : ((REC->n == 1) ? REC->c : REC->c)"#,
        ),
        (
            r#"print_symbolic(flags >> 4, { 1 => "one" })"#,
            r#"__print_symbolic(REC->flags >> 4, { 0x1, "one" })"#,
        ),
        (
            r#"print_symbolic(flags, { 1 => "one", _ => "other" })"#,
            r#"(REC->flags == 0x1) ? "one" : "other""#,
        ),
        (
            r#"print_symbolic(flags, { 1 => "one", 5..=9 => "some" })"#,
            r#"((u32)(REC->flags - 0x5) <= 0x4) ? "some" : __print_symbolic(REC->flags, { 0x1, "one" })"#,
        ),
        (
            r#"print_symbolic(flags, { 5..=9 => "some" })"#,
            r#"((u32)(REC->flags - 0x5) <= 0x4) ? "some" : __print_symbolic(REC->flags, { 0x5, "some" })"#,
        ),
        (
            r#"print_symbolic(n, { 1 => "one" })"#,
            r#"__print_symbolic(REC->n, { 0x1, "one" })"#,
        ),
        (
            r#"print_flags(flags & 0xff, "|", { 0 => "none", 1 => "A" })"#,
            r#"((REC->flags & 255) == 0x0) ? "none" : __print_flags(REC->flags & 255, "|", { 0x1, "A" })"#,
        ),
    ] {
        let expected = format!("%s\", {expected}");
        assert_eq!(argument(fields, value), expected, "{value}");
    }
    assert_eq!(
        known("n: u8", r#""{x:4}", x = print_symbolic(n, { 1 => "a" })"#),
        (
            r#""%-4s", __print_symbolic(REC->n, { 0x1, "a" })"#.into(),
            "%s".into()
        )
    );
    // Each of the branches is padded on its own: tools don't pad a number without a name.
    let choice = r#""{x:4}", x = if n == 1 { "a" } else { "b" }"#;
    let found = output("n: u8", choice).0.items.to_string();
    assert!(
        found.contains(r#"c"a   ""#) && found.contains(r#"c"b   ""#),
        "{found}"
    );
    let found = values("n: u8", r#""{x:4}", x = print_symbolic(n, { 1 => "a" })"#);
    assert!(
        found.contains(r#"print::name_with(__iter,__n,1usize,&__TABLE_drv_0,c"%-4s")"#),
        "{found}"
    );
}

#[test]
fn computed_errors() {
    let fields = "n: i32, m: u8, s: Str, a: [u8; 4], d: DynArray<u8>, p: *const u8";
    for (value, error) in [
        ("n + m", "`i32` and `u8` are different types: write `as i32`"),
        ("n / m",
            "a divisor must be a constant: compute this in a field's expression",
        ),
        ("n / n", "a divisor must be a constant: compute this in a field's expression"),
        ("n % 0", "a division by zero"),
        ("m + 256", "the value doesn't fit into the type `u8`"),
        ("m << 8", "the shift amount is too large for `u8`"),
        ("a[4]", "field `a` doesn't have that many elements"),
        ("d[0]", "field `d` has no fixed length: record the element in a field of its own"),
        ("s.len()", "field `s` isn't an array"),
        ("a + 1", "field `a` isn't a number"),
        ("p + 1", "a pointer is a number only after `as usize`"),
        ("if n { 1 } else { 2 }", "expected a `bool`, found `i32`: write `!= 0`"),
        ("if n == 0 { \"a\" } else { 2 }", "expected a string, like the other values: `\"…\"`, a `Str`, `print_symbolic(…)` or `print_flags(…)`"),
        ("\"a\" == s", "expected a number, found a string"),
        ("q + 1", "there is no field `q`\nhelp: the event has `n`, `m`, `s`, `a`, `d`, `p`"),
        ("print_hex(n)", "field `n`: `print_hex` is for arrays and structs"),
        ("print_symbolic(n, {})", "the table has no entries"),
        ("print_flags(n, \"|\", { 0 => \"none\" })", "the table has no flags"),
    ] {
        let print = format!("\"{{x}}\", x = {value}");
        assert_eq!(errors(fields, &print), [error], "{value}");
    }
    for spec in ["x:.3", "x:print_hex", "x:px"] {
        let print = format!("\"{{{spec}}}\", x = n + 1");
        assert_eq!(errors(fields, &print).len(), 1, "{spec}");
    }
}

#[test]
fn constants_are_left_to_the_compiler() {
    for (fields, value) in [
        ("n: u32", "n >> MINORBITS"),
        ("n: u32", "n & const { (1 << 20) - 1 }"),
        ("n: u32", "if n == Op::Write { 1 } else { 2 }"),
        ("n: Alias", "n + 1"),
        ("n: [Alias; 4]", "n[2]"),
        ("n: u32", r#"print_symbolic(n >> BITS, { 1 => "a" })"#),
        ("n: u32", r#"if n > MAX { "a" } else { "b" }"#),
        ("n: u32", "print_symbolic(n, Op)"),
        ("n: u32", "print_symbolic(n, ::drv::Op)"),
        ("n: u32", "print_symbolic(n, crate::Op)"),
        ("n: u32", "print_flags(n & 0xff, drv::Flags,)"),
        (
            "n: Alias",
            "if n == 0 { print_symbolic(n, Op) } else { \"b\" }",
        ),
    ] {
        let (output, errors) = output(fields, &format!("\"{{x}}\", x = {value}"));
        assert_eq!(errors, [""; 0], "{value}");
        let items = output.items.to_string();
        assert!(items.contains("__PRINT_drv"), "{value}");
    }
}

#[test]
fn conversions() {
    assert_eq!(
        print_fmt(
            "m: [u8; 6], i: [u8; 4], j: [u8; 16], s: [u8; 28], d: DynArray<u8>, \
             r: Rel<DynArray<u8>>, c: u8, b: u64",
            r#""{m:pM} {m:pmR} {i:pI4} {j:pI6c} {s:pISpc} {d:pISp} {j:pUl} {m:ph} {d:phN} {d:phC} {r:phD} {c:c} {b:pad}""#
        ),
        "\"%pM %pmR %pI4 %pI6c %pISpc %pISp %pUl %s %s %*phC %*phD %c 0x%016llx\", \
         REC->m, REC->m, REC->i, REC->j, REC->s, __get_dynamic_array(d), REC->j, \
         __print_hex(REC->m, 6), \
         __print_hex_str(__get_dynamic_array(d), __get_dynamic_array_len(d)), \
         __get_dynamic_array_len(d), __get_dynamic_array(d), \
         REC->r >> 16, __get_rel_dynamic_array(r), REC->c, REC->b"
    );
    assert_eq!(
        known("m: [c_char; 6]", r#""{m:pM}""#),
        (r#""%pM", REC->m"#.into(), "%pM".into())
    );
    // The kernel wants an `&` in front of a struct.
    for (spec, expected) in [
        ("pU", "&REC->id"),
        ("pIS", "&REC->id"),
        ("ph", "__print_hex(REC->id, 16)"),
    ] {
        let shape = Shape::of_template("", Kind::Bytes { len: 16 }, false, false);
        let shown = Shown::new("id", Of::Recorded(shape), How::As(spec)).unwrap();
        assert_eq!(shown.argument(Text::<64>::new()).as_str(), expected);
    }
    assert_eq!(error("[u8; 4]", "pM"), "a MAC address is a `[u8; 6]`");
    assert_eq!(error("[c_char; 8]", "pM"), "a MAC address is a `[u8; 6]`");
    assert_eq!(
        error("DynArray<u8>", "pI4"),
        "an IPv4 address is a `[u8; 4]`"
    );
    assert_eq!(error("[u8; 4]", "pI6"), "an IPv6 address is a `[u8; 16]`");
    assert_eq!(error("u32", "pUb"), "a UUID is a `[u8; 16]`");
    assert_eq!(
        error("[u8; 4]", "phC"),
        "tools show this only of a `DynArray<u8>`"
    );
    assert_eq!(
        error("u32", "px"),
        "an address is a pointer or a number of 64 bits"
    );
    assert_eq!(error("u64", "c"), "a character has at most 32 bits");
    assert_eq!(error("u64", "pQ"), show::NO_HELPER);
}

#[test]
fn parts_of_arrays() {
    let fields = "n: u8, a: [u16; 8], d: DynArray<u32>, r: Rel<DynArray<u8>>";
    for (value, expected) in [
        (
            "print_hex(a, n)",
            "__print_hex(REC->a, ((u64)REC->n < 16) ? (u64)REC->n : 16)",
        ),
        (
            "print_array(a, 3)",
            "__print_array(REC->a, ((u64)3 < 8) ? (u64)3 : 8, 2)",
        ),
        (
            "print_array(d, n)",
            "__print_array(__get_dynamic_array(d), \
             ((u64)REC->n < (__get_dynamic_array_len(d) / 4)) ? (u64)REC->n : (__get_dynamic_array_len(d) / 4), 4)",
        ),
        ("print_hex(a,)", "__print_hex(REC->a, 16)"),
        (
            "print_hex(a, n,)",
            "__print_hex(REC->a, ((u64)REC->n < 16) ? (u64)REC->n : 16)",
        ),
        (
            "print_hex_dump(a)",
            "__print_hex_dump(\"\", 2, 16, 1, REC->a, 16, 1)",
        ),
        (
            "print_array(a, 3, 2,)",
            "__print_array(REC->a, ((u64)3 < 8) ? (u64)3 : 8, 2)",
        ),
        (
            "print_hex_str(r, n)",
            "__print_hex_str(__get_rel_dynamic_array(r), \
             ((u64)REC->n < (REC->r >> 16)) ? (u64)REC->n : (REC->r >> 16))",
        ),
    ] {
        assert_eq!(argument(fields, value), format!("%s\", {expected}"), "{value}");
    }
    assert_eq!(
        argument(fields, "print_array(d, n, 8)"),
        "%s\", __print_array(__get_dynamic_array(d), \
         ((u64)REC->n < (__get_dynamic_array_len(d) / 8)) ? (u64)REC->n : (__get_dynamic_array_len(d) / 8), 8)"
    );
    assert_eq!(
        argument(fields, "print_array(a, n, 4)"),
        "%s\", __print_array(REC->a, ((u64)REC->n < 4) ? (u64)REC->n : 4, 4)"
    );
    let found = values(
        "n: u8, a: [u16; 8]",
        r#""{x}", x = print_hex_dump("a: ", DUMP_PREFIX_NONE, 32, 8, a, n, false)"#,
    );
    assert!(
        found.contains(r#"__limit,c"a:",[0u8,32u8,8u8,0u8]"#),
        "{found}"
    );
    assert_eq!(
        argument(fields, r#"print_hex_dump("a: ", DUMP_PREFIX_NONE, 32, 8, a, n, false)"#),
        "%s\", __print_hex_dump(\"a: \", 0, 32, 8, REC->a, ((u64)REC->n < 16) ? (u64)REC->n : 16, 0)"
    );
    assert_eq!(
        argument(
            fields,
            r#"print_hex_dump("", DUMP_PREFIX_OFFSET, 16, 1, r, true)"#
        ),
        "%s\", __print_hex_dump(\"\", 2, 16, 1, __get_rel_dynamic_array(r), REC->r >> 16, 1)"
    );
    assert_eq!(
        argument(fields, "phD(r, n)"),
        "%*phD\", ((u64)REC->n < (REC->r >> 16)) ? (u64)REC->n : (REC->r >> 16), \
         __get_rel_dynamic_array(r)"
    );
    let found = values("n: u8, a: [u16; 8]", r#""{x}", x = print_array(a, n)"#);
    assert!(
        found.contains("__limit=>unsafe{__p::print::show(__iter,&const{__p::Argument{"),
        "{found}"
    );
}

#[test]
fn error_numbers() {
    let text = print_fmt("n: i32", r#""{n:errno}""#);
    assert!(text.starts_with(
        r#""%s", __print_symbolic(REC->n, { 0x0, "0" }, { 0xffffffff, "EPERM" }, { 0xfffffffe, "ENOENT" }"#
    ));
    assert!(text.contains(r#"{ 0xfffffffb, "EIO" }"#));
    assert_eq!(
        error("u32", "errno"),
        "an error number is an `i16`, `i32`, `i64` or `isize`"
    );
}

#[test]
fn widths_in_fields() {
    assert_eq!(
        print_fmt(
            "n: u32, s: Str, w: u8",
            r#""{s:>w$} {s:.w$} {n:w$x} {n:0w$}""#
        ),
        "\"%*s %.*s %*x %0*u\", REC->w, __get_str(s), REC->w, __get_str(s), \
         REC->w, REC->n, REC->w, REC->n"
    );
    assert_eq!(known("n: u32, w: u16", r#""{n:w$}""#).1, "%*u");
    assert!(values("n: u32, w: u16", r#""{n:w$}""#)
        .contains("unsafe{__p::print::width(__record,offset_of(w),2usize)}"));
    assert_eq!(errors("n: u32, s: Str, w: u8", r#""{n:w$} {s}""#).len(), 1);
    assert_eq!(
        errors("n: u32, w: i32", r#""{n:w$}""#),
        ["field `w`: a width is a `u8` or a `u16`"]
    );
    assert_eq!(
        known("s: Str, p: i32", r#""{s:.p$}""#),
        (r#""%.*s", (u16)REC->p, __get_str(s)"#.into(), "%.*s".into())
    );
    assert_eq!(
        errors("n: u32", r#""{n:w$}""#),
        ["there is no field `w`\nhelp: the event has `n`"]
    );
}

#[test]
fn offsets_in_the_source() {
    let at = |source| source_offsets(source).unwrap();
    assert_eq!(at(r#""ab""#), [1, 2, 3]);
    assert_eq!(at(r#""\n\x41\u{e4}b""#), [1, 3, 7, 7, 13, 14]);
    assert_eq!(at("\"a\\\n  b\""), [1, 6, 7]);
    assert_eq!(at(r###"r#"a"b"#"###), [3, 4, 5, 6]);
    for source in [
        r##"r#"a"b"#"##,
        r#""\u{e4} \\ \0""#,
        "\"a\\\n  b\"",
        "r\"\"",
    ] {
        let literal: LitStr = syn::parse_str(source).unwrap();
        assert_eq!(at(source).len(), literal.value().len() + 1, "{source}");
    }
}
