// SPDX-License-Identifier: GPL-2.0

//! Tests of the values after a template.

use super::*;
use crate::{shape::Shape, text::Text};
use proc_macro2::TokenStream;

/// The argument of `{x}`, in which `<0>` stands for the first number that's computed, and `@` for what the compiler
/// adds besides.
fn argument(fields: &str, argument: &str) -> String {
    let (output, errors) = output(fields, &format!("\"{{x}}\", x = {argument}"));
    assert_eq!(errors, [""; 0], "{argument}");
    let items = output.items.to_string();
    let Some((_, print)) = items.split_once("Print :: new (") else {
        return known(fields, &format!("\"{{x}}\", x = {argument}")).0[1..].into();
    };
    // The third of its arguments has the parts.
    let parts = print.split("& [").nth(2).unwrap();
    let parts: TokenStream = parts.rsplit_once("] ,").unwrap().0.parse().unwrap();
    let mut text = String::new();
    for token in flat(parts) {
        if let Ok(bytes) = syn::parse_str::<syn::LitByteStr>(&token) {
            text += &String::from_utf8(bytes.value()).unwrap();
        } else if let Some(n) = token.strip_prefix("__VALUE_drv_") {
            text += &format!("<{n}>");
        } else if token == "Argument" || token == "Format" {
            text += "@";
        }
    }
    text[1..].trim_end_matches('\0').into()
}

/// All tokens, also those in groups.
fn flat(tokens: TokenStream) -> Vec<String> {
    let tokens = tokens.into_iter().map(|token| match token {
        proc_macro2::TokenTree::Group(group) => flat(group.stream()),
        token => vec![token.to_string()],
    });
    tokens.flatten().collect()
}

/// What's computed at compile time, and in the function that prints.
fn lowered(fields: &str, value: &str) -> (String, String) {
    let (output, errors) = output(fields, &format!("\"{{x}}\", x = {value}"));
    assert_eq!(errors, [""; 0], "{value}");
    let items = output.items.to_string().replace(' ', "");
    let items = ["__p::", "values::", "Value::", "::core::primitive::"]
        .iter()
        .fold(items, |items, path| items.replace(path, ""));
    let (_, c) = items.split_once("=whole(").unwrap();
    let (c, rust) = c.split_once(",false);").unwrap();
    let (_, rust) = rust.split_once("(Operand::bits(").unwrap();
    let (rust, _) = rust.split_once(")asu64);").unwrap();
    (c.into(), rust.into())
}

#[test]
fn computed_numbers() {
    let fields = "dev: u32, n: i32, a: [u16; 4], d: DynArray<u32>, ok: bool, t: u8";
    let load = |name: &str| {
        format!("(unsafe{{load::<Code<{{code(SHAPE)}}>>(__record,offset_of({name}),0)}})")
    };
    let (dev, ok) = (load("dev"), load("ok"));
    for (value, c, rust) in [
        (
            "dev >> 20",
            r#"binary(field("dev",SHAPE),">>",constant(((20)asi128)))"#,
            format!("({dev}>>(Operand::bits(::core::convert::identity::<Wrapping<i32>>(Wrapping(const{{((20)asi128)}}as_)))asusize))"),
        ),
        (
            "dev + 1 * 2",
            r#"binary(field("dev",SHAPE),"+",constant((((1)asi128)*((2)asi128))))"#,
            format!("({dev}+Wrapping(const{{(((1)asi128)*((2)asi128))}}as_))"),
        ),
        (
            "a[3]",
            r#"item("a",SHAPE,3usize)"#,
            "(unsafe{load::<Code<{code(SHAPE)}>>(__record,offset_of(a),3usize)})".into(),
        ),
        (
            "d.len()",
            r#"len("d",SHAPE)"#,
            "(unsafe{len(__record,offset_of(d),const{SHAPE})})".into(),
        ),
        (
            "dev as i64",
            r#"cast(field("dev",SHAPE),type_of::<i64>())"#,
            format!("cast::<i64>({dev})"),
        ),
        (
            "dev >> t",
            r#"binary(field("dev",SHAPE),">>",field("t",SHAPE))"#,
            format!("({dev}>>(Operand::bits({})asusize))", load("t")),
        ),
        (
            "!ok",
            r#"not(field("ok",SHAPE))"#,
            format!("(!{ok})"),
        ),
        (
            "-128i8",
            "cast(constant(((-128i8)asi128)asi8asi128),type_of::<i8>())",
            "cast::<i8>(const{((-128i8)asi128)})".into(),
        ),
        (
            "0xffff > MAX",
            "boolean((((0xffff)asi128)>((MAX)asi128)))",
            "const{(((0xffff)asi128)>((MAX)asi128))}".into(),
        ),
        (
            "match dev { 1 | 2 => 5, _ => 9 }",
            r#"choice(binary(binary(field("dev",SHAPE),"==",constant(((1)asi128))),"||",binary(field("dev",SHAPE),"==",constant(((2)asi128)))),constant(((5)asi128)),constant(((9)asi128)))"#,
            format!("::core::convert::identity::<Wrapping<i32>>((if(({dev}==Wrapping(const{{((1)asi128)}}as_))||({dev}==Wrapping(const{{((2)asi128)}}as_))){{Wrapping(const{{((5)asi128)}}as_)}}else{{Wrapping(const{{((9)asi128)}}as_)}}))"),
        ),
    ] {
        assert_eq!(lowered(fields, value), (c.into(), rust), "{value}");
    }
    assert_eq!(argument(fields, "dev >> 20"), r#"@", @"#);
    // Whether it has 64 bits and no sign is for the compiler to say.
    let (_, errors) = output(fields, "\"{x:pad}\", x = dev as u64 + 1");
    assert_eq!(errors, [""; 0]);
}

#[test]
fn computed_texts() {
    let fields = "n: i32, flags: u32, s: Str, c: [c_char; 8]";
    for (value, expected) in [
        ("\"on\"", "\"on\""),
        (
            r#"if n < 0 { "failed" } else { "ok" }"#,
            r#"(<0>) ? "failed" : "ok""#,
        ),
        (
            r#"if n == 1 { s } else if n == 2 { c } else { "?" }"#,
            r#"(<0>) ? __get_str(s) : ((<1>) ? REC->c : "?")"#,
        ),
        (
            "if n == 1 { c } else { c }",
            r#"(0) ? "" : ((<0>) ? REC->c : REC->c)"#,
        ),
        (r#"print_symbolic(flags >> 4, { 1 => "one" })"#, "@"),
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
            "@",
        ),
    ] {
        // Of a table for what's computed, only the compiler knows the conversion, too.
        let conversion = if expected == "@" { "@" } else { "%s" };
        let expected = format!("{conversion}\", {expected}");
        assert_eq!(argument(fields, value), expected, "{value}");
    }
    assert_eq!(
        known("n: u8", r#""{x:4}", x = print_symbolic(n, { 1 => "a" })"#),
        (
            r#""%-4s", __print_symbolic(REC->n, { 0x1, "a" })"#.into(),
            "%s".into()
        )
    );
    // As with tools, a number without a name isn't padded.
    let found = values("n: u8", r#""{x:4}", x = print_symbolic(n, { 1 => "a" })"#);
    assert!(
        found.contains(r#"print::name_with(__iter,__n,1usize,&__TABLE_drv_0,c"%-4s")"#),
        "{found}"
    );
    assert_eq!(
        errors(
            "n: u8",
            r#""{x:4}", x = if n > 2 { print_symbolic(n, { 3 => "a" }) } else { "b" }"#
        ),
        ["`x`: a part of a value has a width only if its table names all others with `_`"]
    );
}

#[test]
fn computed_errors() {
    let fields = "n: i32, m: u8, s: Str, a: [u8; 4], d: DynArray<u8>, p: *const u8";
    for (value, error) in [
        ("n += 1", "this can't be computed when the record is shown: compute it in a field's expression"),
        ("a[n]", "an index must be a literal, so that it can be checked"),
        ("match n { m => 1, _ => 2 }", "expected a constant"),
        ("match n { 1 => 1 }", "a `match` needs a final arm, `_ => …`, for all other values"),
        ("n as Foo", "expected an integer type, such as `u32`"),
        ("if n == 0 { \"a\" } else { 2 }", "expected a string, like the other values: `\"…\"`, a `Str`, `print_symbolic(…)` or `print_flags(…)`"),
        ("\"a\" == s", "expected a number, found a string"),
        ("q + 1", "there is no field `q`\nhelp: the event has `n`, `m`, `s`, `a`, `d`, `p`"),
        ("print_hex(n)", "field `n`: `print_hex` is for arrays and structs"),
        ("print_symbolic(n, {})", "the table has no entries"),
        ("print_flags(n, \"|\", { 0 => \"none\" })", "the table has no entries"),
    ] {
        let print = format!("\"{{x}}\", x = {value}");
        assert_eq!(errors(fields, &print), [error], "{value}");
    }
    for spec in ["x:.3", "x:print_hex", "x:pM"] {
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
        let shape = Shape::new("", Kind::Bytes { len: 16, align: 1 }, "");
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
        "tools show this only of a `DynArray`"
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
        ("print_hex(a, n)", "__print_hex(REC->a, <0>)"),
        ("print_array(a, 3)", "__print_array(REC->a, <0>, 2)"),
        (
            "print_array(d, n)",
            "__print_array(__get_dynamic_array(d), <0>, 4)",
        ),
        ("print_hex(a,)", "__print_hex(REC->a, 16)"),
        ("print_hex(a, n,)", "__print_hex(REC->a, <0>)"),
        (
            "print_hex_dump(a)",
            "__print_hex_dump(\"\", 2, 16, 1, REC->a, 16, 1)",
        ),
        ("print_array(a, 3, 2,)", "__print_array(REC->a, <0>, 2)"),
        (
            "print_hex_str(r, n)",
            "__print_hex_str(__get_rel_dynamic_array(r), <0>)",
        ),
    ] {
        assert_eq!(
            argument(fields, value),
            format!("%s\", {expected}"),
            "{value}"
        );
    }
    assert_eq!(
        argument(fields, "print_array(d, n, 8)"),
        "%s\", __print_array(__get_dynamic_array(d), <0>, 8)"
    );
    assert_eq!(
        argument(fields, "print_array(a, n, 4)"),
        "%s\", __print_array(REC->a, <0>, 4)"
    );
    let found = values(
        "n: u8, a: [u16; 8]",
        r#""{x}", x = print_hex_dump("a: ", DUMP_PREFIX_NONE, 32, 8, a, n, false)"#,
    );
    assert!(
        found.contains(r#"__limit),c"a:",[0u8,32u8,8u8,0u8]"#),
        "{found}"
    );
    assert_eq!(
        argument(
            fields,
            r#"print_hex_dump("a: ", DUMP_PREFIX_NONE, 32, 8, a, n, false)"#
        ),
        "%s\", __print_hex_dump(\"a: \", 0, 32, 8, REC->a, <0>, 0)"
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
        "%*phD\", <0>, __get_rel_dynamic_array(r)"
    );
    let found = values(fields, r#""{x}", x = print_array(d, n)"#).replace("__p::values::", "");
    assert!(
        found.contains(
            r#"Value::at_most(Value::field("n",SHAPE),Value::elements("d",false,4usize))"#
        ),
        "{found}"
    );
    let found = values("n: u8, a: [u16; 8]", r#""{x}", x = print_array(a, n)"#);
    assert!(
        found.contains("__limit=>unsafe{__p::print::show(__iter,offset_of(a),&const{__p::shown("),
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
fn precisions_in_fields() {
    assert_eq!(
        print_fmt("s: Str, w: u8", r#""{s:>8.w$} {s:.w$}""#),
        "\"%8.*s %.*s\", REC->w, __get_str(s), REC->w, __get_str(s)"
    );
    assert!(values("s: Str, w: u16", r#""{s:.w$}""#)
        .contains("unsafe{__p::print::precision(__record,offset_of(w),2usize)}"));
    assert_eq!(
        errors("s: Str, w: i8", r#""{s:.w$}""#),
        ["field `w`: a precision is an integer of at least 16 bits, or a `u8`"]
    );
    assert_eq!(
        errors("n: u32, w: u8", r#""{n:w$} {n:.w$}""#),
        [
            "only the precision of a string can be in a field: `.name$`",
            "field `n`: a number has no precision",
        ]
    );
    assert_eq!(
        known("s: Str, p: i32", r#""{s:.p$}""#),
        (r#""%.*s", (u16)REC->p, __get_str(s)"#.into(), "%.*s".into())
    );
    assert_eq!(
        errors("n: Str", r#""{n:.w$}""#),
        ["there is no field `w`\nhelp: the event has `n`"]
    );
}
