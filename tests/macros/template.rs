// SPDX-License-Identifier: GPL-2.0

//! Tests of print templates.

use super::*;
use crate::{print::NAMED, tokens::c_name, types::shape};
use syn::{
    parse::{Parse, ParseStream},
    LitStr, Result, Token, Type,
};

/// A field as it is written in an event.
struct Owned {
    shown: bool,
    name: Ident,
    ty: Type,
    ctype: Option<String>,
}

impl Parse for Owned {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let shown = !input.call(syn::Attribute::parse_outer)?.is_empty();
        let name = Ident::parse_any(input)?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        let mut ctype = None;
        if input.parse::<Option<Token![as]>>()?.is_some() {
            ctype = Some(input.parse::<LitStr>()?.value());
        }
        Ok(Self {
            shown,
            name,
            ty,
            ctype,
        })
    }
}

/// What a template becomes.
struct Compiled {
    items: TokenStream,
    print_fmt_type: TokenStream,
    /// The `__p::Output`.
    output: TokenStream,
}

fn output(fields: &str, print: &str) -> (Compiled, Vec<String>) {
    let parser = syn::punctuated::Punctuated::<Owned, Token![,]>::parse_terminated;
    let fields = syn::parse::Parser::parse_str(parser, fields).unwrap();
    let fields: Vec<_> = fields
        .iter()
        .map(
            |Owned {
                 shown,
                 name,
                 ty,
                 ctype,
             }| Field {
                shown: shown.then(|| name.span()),
                ..Field::new(
                    c_name(name),
                    ty,
                    ctype.as_deref(),
                    quote!(SHAPE),
                    quote!(offset_of(#name)),
                )
            },
        )
        .collect();
    let print = parse(print).unwrap();
    let ((items, print_fmt_type, output), errors) = compile("drv", &quote!(), &print, &fields);
    let compiled = Compiled {
        items,
        print_fmt_type,
        output,
    };
    (compiled, errors.iter().map(Error::to_string).collect())
}

/// Returns the byte strings in an expansion.
fn byte_strings(tokens: TokenStream, found: &mut Vec<Vec<u8>>) {
    for token in tokens {
        if let proc_macro2::TokenTree::Group(group) = &token {
            byte_strings(group.stream(), found);
        } else if let Ok(literal) = syn::parse2::<syn::LitByteStr>(token.into()) {
            found.push(literal.value());
        }
    }
}

/// Returns the `print fmt` and the kernel's format.
fn known(fields: &str, print: &str) -> (String, String) {
    let (output, errors) = output(fields, print);
    assert_eq!(errors, [""; 0]);
    let (mut text, mut format) = (Vec::new(), Vec::new());
    byte_strings(output.output, &mut text);
    byte_strings(output.items, &mut format);
    assert_eq!((text.len(), format.len()), (1, 1));
    let mut text = String::from_utf8(text.remove(0)).unwrap();
    assert_eq!(text.pop(), Some('\0'));
    let format = String::from_utf8(format.remove(0)).unwrap();
    assert_eq!(
        output.print_fmt_type.to_string().replace(' ', ""),
        format!("[__p::u8;{}usize]", text.len() + 1)
    );
    let format = format.strip_suffix("\n\0").unwrap();
    (text, format.to_owned())
}

fn print_fmt(fields: &str, print: &str) -> String {
    known(fields, print).0
}

fn errors(fields: &str, print: &str) -> Vec<String> {
    let errors = output(fields, print).1;
    let about = "`drv`: ";
    errors
        .iter()
        .map(|error| error.strip_prefix(about).unwrap().to_owned())
        .collect()
}

/// The only error of `{a:spec}`.
fn error(ty: &str, spec: &str) -> String {
    let errors = errors(&format!("a: {ty}"), &format!("\"{{a:{spec}}}\""));
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].strip_prefix("field `a`: ").unwrap().to_owned()
}

fn parse(print: &str) -> Result<Print> {
    let parser = |input: ParseStream<'_>| Print::parse(input, &format_ident!("drv"));
    syn::parse::Parser::parse_str(parser, print)
}

fn parse_error(print: &str) -> String {
    match parse(print) {
        Ok(_) => panic!("no error"),
        Err(error) => error
            .to_string()
            .strip_prefix("`drv`: ")
            .unwrap()
            .to_owned(),
    }
}

#[test]
fn text_is_escaped() {
    assert_eq!(
        known("", r#""100% {{}} \"q\" \\ x\n\ttab""#),
        (
            r#""100%% {} \"q\" \\ x\n\ttab""#.into(),
            "100%% {} \"q\" \\ x\n\ttab".into()
        )
    );
    assert_eq!(print_fmt("", "\"a \\\n   b\""), "\"a b\"");
    assert_eq!(print_fmt("", r###"r#"a "b" \n"#"###), r#""a \"b\" \\n""#);
}

#[test]
fn numbers() {
    assert_eq!(
        print_fmt(
            "a: u8, b: i16, c: u32, d: i64, e: usize, f: bool, g: c_int",
            r#""{a} {b:5} {c:#x} {d:+} {e:<8} {f} {g:05} {a:x} {b:X} {c:o} {d:#010x} {c:<#12x}""#
        ),
        "\"%hhu %5hd 0x%x %+lld %-8llu %hhu %05d %hhx %hX %o 0x%08llx 0x%-10x\", REC->a, \
         REC->b, REC->c, REC->d, REC->e, REC->f, REC->g, REC->a, REC->b, REC->c, REC->d, REC->c"
    );
    assert_eq!(
        print_fmt(
            "a: *const u8, b: *mut Foo<'a>, c: usize",
            r#""{a} {b:p} {a:px} {a:pS} {c:p} {c:ps}""#
        ),
        "\"%p %p %016llx %pS %p %ps\", REC->a, REC->b, REC->a, REC->a, REC->c, REC->c"
    );
}

#[test]
fn strings() {
    assert_eq!(
        print_fmt(
            r#"a: Str, b: Formatted, c: [c_char; 10], d: [u8; 4] as "char", e: Rel<Str>"#,
            r#""{a} {b:10} {c:>5} {d:.2} {e:8.3} {a:len} {e:len}""#
        ),
        "\"%s %-10s %5s %.2s %-8.3s %d %d\", __get_str(a), __get_str(b), REC->c, REC->d, \
         __get_rel_str(e), __get_dynamic_array_len(a), REC->e >> 16"
    );
}

#[test]
fn arrays() {
    assert_eq!(
        print_fmt(
            "a: [u8; 4], b: [c_int; 3], c: DynArray<u8>, d: DynArray<c_int>",
            r#""{a} {b:print_array} {c} {d} {a:print_hex_str} {c:print_hex} {c:print_hex_dump}""#
        ),
        "\"%s %s %s %s %s %s %s\", __print_array(REC->a, 4, 1), __print_array(REC->b, 3, 4), \
         __print_array(__get_dynamic_array(c), __get_dynamic_array_len(c), 1), \
         __print_array(__get_dynamic_array(d), __get_dynamic_array_len(d) / 4, 4), \
         __print_hex_str(REC->a, 4), \
         __print_hex(__get_dynamic_array(c), __get_dynamic_array_len(c)), \
         __print_hex_dump(\"\", 2, 16, 1, __get_dynamic_array(c), \
         __get_dynamic_array_len(c), 1)"
    );
    assert_eq!(
        print_fmt("a: Rel<DynArray<u16>>", r#""{a} {a:print_hex} {a:len}""#),
        "\"%s %s %d\", __print_array(__get_rel_dynamic_array(a), REC->a >> 17, 2), \
         __print_hex(__get_rel_dynamic_array(a), REC->a >> 16), REC->a >> 16"
    );
}

#[test]
fn masks_and_addresses() {
    assert_eq!(
        print_fmt(
            "a: Bitmask, b: Rel<Cpumask>, c: SockAddr, d: Rel<SockAddr>",
            r#""{a} {b} {a:list} {b:list} {c} {d} {a:len}""#
        ),
        "\"%s %s %s %s %pISpc %pISpc %d\", __get_bitmask(a), __get_rel_bitmask(b), \
         __get_cpumask(a), __get_rel_cpumask(b), __get_sockaddr(c), \
         __get_rel_dynamic_array(d), __get_dynamic_array_len(a)"
    );
}

#[test]
fn nanoseconds() {
    assert_eq!(
        print_fmt(
            "t: u64",
            r#""{t:print_ns_to_secs}.{t:print_ns_without_secs}""#
        ),
        "\"%llu.%09llu\", REC->t / 1000000000, REC->t % 1000000000"
    );
}

#[test]
fn tables() {
    let print = r#""{x} {y} {x}{{",
        x = print_symbolic(a, { 0 => "ok", -5 => "EIO", }),
        y = print_flags(b, "|", { 1 => "A", 0x80 => "B" })"#;
    assert_eq!(
        known("a: i32, b: u8", print),
        (
            "\"%s %s %s{\", __print_symbolic(REC->a, { 0x0, \"ok\" }, \
             { 0xfffffffb, \"EIO\" }), __print_flags(REC->b, \"|\", { 0x1, \"A\" }, \
             { 0x80, \"B\" }), __print_symbolic(REC->a, { 0x0, \"ok\" }, \
             { 0xfffffffb, \"EIO\" })"
                .into(),
            "%s %s %s{".into()
        )
    );
}

#[test]
fn raw_names() {
    assert_eq!(
        print_fmt("r#type: u32", r#""{type} {r#type:x}""#),
        "\"%u %x\", REC->type, REC->type"
    );
}

/// The arguments of the function that prints, without blanks.
fn values(fields: &str, print: &str) -> String {
    let (output, errors) = output(fields, print);
    assert_eq!(errors, [""; 0]);
    output.items.to_string().replace([' ', '\n'], "")
}

/// What the kernel prints with differs where it has a text of its own, and where a text could have no
/// end.
#[test]
fn kernel_formats() {
    let format = known(
        "a: i32, b: Str, c: [c_char; 10], d: Rel<DynArray<u16>>, e: [u32; 300], f: Bitmask, s: SockAddr, \
         t: u32",
        r#""a={a:+} {b:8}{c:.3}{c}{d}{e}{e:print_hex_dump}{d:phC}{f}{f:list}{d:len} {s} {t:dev_t}%""#,
    )
    .1;
    assert_eq!(format, "a=%+d %-8s%.3s%.10s%s%s%s%s%*pb%*pbl%d %s %s%%");
}

/// Each field is read as what it is, where it is.
#[test]
fn arguments_of_fields() {
    let read = |ty: &str, spec: &str| values(&format!("a: {ty}"), &format!("\"{{a:{spec}}}\""));
    for (ty, spec, call) in [
        ("u8", "x", "number(__record,offset_of(a),1usize)"),
        ("i64", "", "number(__record,offset_of(a),8usize)"),
        ("*const u8", "", "number(__record,offset_of(a),8usize)"),
        ("u64", "pS", "number(__record,offset_of(a),8usize)"),
        ("[c_char; 10]", "", "address(__record,offset_of(a))"),
        ("[u8; 6]", "pM", "address(__record,offset_of(a))"),
        ("Rel<Str>", "", "string(__record,offset_of(a),true)"),
        ("[u32; 3]", "", ""),
        ("[u32; 3]", "print_hex", ""),
        ("DynArray<u16>", "", ""),
        ("DynArray<u16>", "print_hex_str", ""),
        ("DynArray<u8>", "phD", ""),
        ("Bitmask", "", "string(__record,offset_of(a),false)"),
        ("Rel<Cpumask>", "list", "string(__record,offset_of(a),true)"),
        ("SockAddr", "pISp", ""),
        ("[u8; 28]", "pISpc", ""),
        ("Str", "len", ""),
        ("u64", "print_ns_to_secs", ""),
        ("u64", "print_ns_without_secs", ""),
        ("u32", "dev_t", ""),
    ] {
        let expected = match call {
            "" => format!(
                "__p::print::show(__iter,offset_of(a),&const{{__p::shown(\"drv\",\"a\",\
                 __p::Of::Recorded(SHAPE),__p::How::As(\"{spec}\"))}},!0)"
            ),
            call => format!("__p::print::{call}"),
        };
        let found = read(ty, spec);
        assert!(found.contains(&expected), "{expected} {found}");
    }
}

#[test]
fn unknown_types_are_left_to_the_compiler() {
    for ty in [
        "Op",
        "my::Str",
        "[u8; N]",
        "Struct<Pair>",
        "DynArray<T>",
        "c_char",
    ] {
        assert!(shape(&syn::parse_str(ty).unwrap(), None).is_none(), "{ty}");
    }
    let (output, errors) = output("a: Op, b: u32", r#""{a} {b}""#);
    assert_eq!(errors, [""; 0]);
    let items = output.items.to_string();
    assert!(items.contains("__PRINT_drv") && items.contains("__p :: shown"));
    // The values of a table can be constants.
    let (output, _) = super::tests::output(
        "a: u32",
        r#""{x}", x = print_symbolic(a, { ONE => "one" })"#,
    );
    assert!(output.items.to_string().contains("symbol_value"));
}

#[test]
fn helpers_need_their_kind() {
    assert_eq!(
        error("u32", "print_hex"),
        "`print_hex` is for arrays and structs"
    );
    assert_eq!(
        error("Str", "print_hex"),
        "`print_hex` is for arrays and structs"
    );
    assert_eq!(error("Str", "print_array"), "`print_array` is for arrays");
    assert_eq!(error("u32", "list"), "`list` is for bit masks");
    assert_eq!(
        error("[u8; 4]", "len"),
        "`len` is for fields without a fixed length"
    );
    assert_eq!(
        error("i32", "print_ns_to_secs"),
        "a number of nanoseconds has 64 bits"
    );
    assert_eq!(
        error("u32", "print_ns_without_secs"),
        "a number of nanoseconds has 64 bits"
    );
    assert_eq!(
        error("i32", "dev_t"),
        "a device number is a `DevT` or a `u32`"
    );
    for spec in ["print_nicely", "print_hexx"] {
        assert_eq!(error("u32", spec), show::NO_HELPER);
    }
}

#[test]
fn layouts_need_their_kind() {
    assert_eq!(error("u32", ".3"), "a number has no precision");
    assert_eq!(error("u32", "+"), "`+` is for signed numbers");
    assert_eq!(error("i32", "+x"), "`+` is for decimal numbers");
    assert_eq!(error("u32", "#o"), "`#` is for hexadecimal numbers");
    assert_eq!(
        error("Str", "x"),
        "a string has only a width and a precision"
    );
    assert_eq!(
        error("[u8; 4]", "5"),
        "only numbers and strings have a layout"
    );
    assert_eq!(
        error("u32", "<05"),
        "a number on the left can't be padded with zeros"
    );
    assert_eq!(
        error("u32", "#9x"),
        "a number with a `0x` needs a `0` or a `<` before its width"
    );
    assert_eq!(
        error("*const u8", "#x"),
        "a pointer can't be formatted as a number: use `:p`, `:px` for the bare address, or `as usize`"
    );
    assert_eq!(error("u32", "9x9"), "there is no such layout");
    assert_eq!(
        error("u32", "99999999999999999999"),
        "a width or a precision must be less than 32767"
    );
}

#[test]
fn all_errors_are_found() {
    assert_eq!(
        errors(
            "a: u32, #[shown] b: u8",
            "\"{q} } {a:+} \u{e4}\u{7} {a\\\\\""
        ),
        [
            "there is no field `q`\nhelp: the event has `a`, `b`",
            "a `}` without its `{`; write `}}` for a brace in the text",
            "field `a`: `+` is for signed numbers",
            "tools can't show control characters or characters that aren't ASCII",
            "tools can't show control characters or characters that aren't ASCII",
            "a `{` without its `}`; write `{{` for a brace in the text",
            "a template can't end with a backslash, which tools take for an escape of the \
             closing quote",
            "the template doesn't show the field `b`",
        ]
    );
    assert_eq!(
        errors("a: u32", &format!("\"{}\"", "{a}".repeat(64))),
        ["a template can't have more than 63 conversions, or 59 in a span"]
    );
    assert_eq!(
        errors("a: u32", &format!("\"{}\"", "{a}".repeat(63))),
        [""; 0]
    );
    // The kernel takes the length for an argument, too.
    for (count, rest, is) in [
        (31, r#"{a}""#, false),
        (32, r#"""#, true),
        (31, r#"{x}", x = phC(d, 4)"#, true),
    ] {
        let print = format!("\"{}{rest}", "{d:phC}".repeat(count));
        let errors = errors("d: DynArray<u8>, a: u32", &print);
        let expected: &[_] = if is {
            &["a template can't have more than 63 conversions, or 59 in a span"]
        } else {
            &[]
        };
        assert_eq!(errors, expected, "{print}");
    }
}

/// The kernel looks for what it takes for a pointer in a record, even in texts.
#[test]
fn texts_like_pointers() {
    assert_eq!(
        errors("a: u32", r#""REC->a, REC->a_1->b {a}""#),
        [DEREFERENCE]
    );
    assert_eq!(errors("a: u32", r#""REC->a, REC-> a->b {a}""#), [""; 0]);
    for table in [
        r#"print_symbolic(a, { 1 => "REC->a->b" })"#,
        // The name of the highest bit is shown with the delimiter after it.
        r#"print_flags(a, "->", { 1 << 63 => "REC->a", 1 => "b" })"#,
        r#"print_flags(a, ">", { 1 << 63 => "REC->a-", 1 => "b" })"#,
        r#"print_flags(a, "->b->", { 1 << 63 => "REC", 1 => "b" })"#,
    ] {
        let print = format!(r#""{{x}}", x = {table}"#);
        assert_eq!(errors("a: u64", &print), [DEREFERENCE], "{table}");
    }
}

/// In C, `%pA` is another conversion.
#[test]
fn text_after_an_address() {
    for (fields, print, is) in [
        ("p: *const u8", "{p}A", true),
        ("p: *const u8", "{p}4cc", true),
        ("p: u64", "{p:pS}s", true),
        ("m: [u8; 6]", "{m:pM}R", true),
        ("d: DynArray<u8>", "{d:phC}N", true),
        ("m: Cpumask", "{m}l", true),
        ("p: *const u8, n: u32", "{p}{n:#x}", true),
        ("m: Cpumask, n: u64", "{m}{n:pad}", true),
        (
            "p: *const u8, n: u32",
            "{p} A{p}{p}.{n}A{p:px}A{p} {n:#x}{p}{{",
            false,
        ),
    ] {
        let expected = [OPEN];
        let expected = if is { &expected[..] } else { &[] };
        assert_eq!(errors(fields, &format!("\"{print}\"")), expected, "{print}");
    }
}

#[test]
fn percent_signs() {
    assert_eq!(
        known("a: u32", r#""100% {a}%, %%d %%%% %- 5% of""#),
        (
            r#""100%% %u%%, %%d %%%% %%- 5%% of", REC->a"#.into(),
            "100%% %u%%, %%d %%%% %%- 5%% of".into()
        )
    );
    for conversion in [
        "%d", "%llu", "%-8s", "%#010x", "%pISpc", "%*phD", "%.*s", "%zu", "%c",
    ] {
        assert_eq!(
            errors("a: u32", &format!("\"{{a}} {conversion} %d\"")),
            [format!(
                "`{conversion}` is C syntax\nhelp: write `{{name}}`, or `%{conversion}` for a \
                 percent sign"
            )]
        );
    }
}

#[test]
fn tables_are_checked() {
    assert_eq!(
        errors(
            "a: u8, b: u64, s: Str",
            r#""{x} {y} {z} {w}",
                x = print_symbolic(a, { 255 => "z", -128 => "w" }),
                y = print_flags(b, "\n", { 1 << 63 => "z" }),
                z = print_symbolic(s, { 1 => "x" }),
                w = print_symbolic(nope, { 1 => "a" }),
                v = print_symbolic(a, { 1 => "\"" }),
                v = print_symbolic(a, { 1 => "x" })"#
        ),
        [
            "a text in a template consists of at most 256 ASCII characters other than quotes and \
             backslashes",
            "field `s` isn't a number",
            "there is no field `nope`\nhelp: the event has `a`, `b`, `s`",
            "the template doesn't contain `{v}`",
            "the name `v` is given twice",
        ]
    );
}

/// The first error of a value, whoever finds it.
fn value_error(value: &str) -> String {
    let print = format!("\"{{x}}\", x = {value}");
    match parse(&print) {
        Ok(_) => errors("a: u32, b: u32", &print).remove(0),
        Err(_) => parse_error(&print),
    }
}

#[test]
fn syntax() {
    assert_eq!(parse_error("5"), "expected a template: `print \"…\"`");
    assert_eq!(parse_error(r#""", x"#), NAMED);
    for print in [r#""", x ="#, r#""", x = ;"#, r#""", x =, y = 1"#] {
        assert_eq!(parse_error(print), NAMED, "{print}");
    }
    let table = "expected `print_symbolic(value, { value => \"text\", … })` or \
                 `print_symbolic(value, Type)`";
    let flags = "expected `print_flags(value, \"delimiter\", { value => \"text\", … })` or \
                 `print_flags(value, Type)`";
    for (argument, error) in [
        (
            "print_it(a)",
            "there is no helper `print_it`, only `print_symbolic`, `print_flags`, \
             `print_hex`, `print_hex_str`, `print_hex_dump`, `print_array`, `phC` and `phD`",
        ),
        (r#"print_flags(a, { 1 => "x" })"#, flags),
        (r#"print_symbolic(a, "|", { 1 => "x" })"#, table),
        (
            r#"print_symbolic(a, { 1 = "x" })"#,
            "expected `value => \"text\"`",
        ),
        (
            r#"print_symbolic(a, { _ => "x", 1 => "y" })"#,
            "nothing can follow `_`, which matches any value",
        ),
        (
            r#"print_flags(a, "|", { 1..=2 => "x" })"#,
            "flags have no ranges",
        ),
        (r#"print_flags(a, "|", Flags)"#, flags),
        ("print_symbolic()", table),
        ("print_symbolic(a)", table),
        (
            "a[b]",
            "an index must be a literal, so that it can be checked",
        ),
        (
            "a.is_empty()",
            "only `len()` can be called here; compute this in a field",
        ),
        ("a as f32", "expected an integer type, such as `u32`"),
        ("1.5", "the kernel has no floating point"),
        ("a < b < c", "comparison operators cannot be chained"),
        (
            "if a { 1 }",
            "expected `else`: there must be something to show",
        ),
        (
            "if let a = b { 1 } else { 2 }",
            "`let` can't be used in a condition: use `match`",
        ),
        (
            "match a { 1 => 2 }",
            "a `match` needs a final arm, `_ => …`, for all other values",
        ),
        (
            "match a { 1..2 => 2, _ => 3 }",
            "a range includes its last value: write `..=`",
        ),
        (
            "print_array(a, 4, 3)",
            "expected `print_array(field, length, size)` with a size of 1, 2, 4 or 8 bytes",
        ),
        ("print_hex(a, 1, 2)", "expected `print_hex(field, length)`"),
        ("a b", "expected `,`"),
        ("(a b)", "expected `,`"),
        ("a[1 2]", "unexpected token, expected `]`"),
        (
            "a.len(1)",
            "only `len()` can be called here; compute this in a field",
        ),
        ("if a { 1 2 } else { 3 }", "unexpected token, expected `;`"),
        (
            "match a { _ => 1, 2 => 3 }",
            "a `match` needs a final arm, `_ => …`, for all other values",
        ),
    ] {
        assert_eq!(value_error(argument), error, "{argument}");
    }
    let usage = value_error(r#"print_hex_dump("", DUMP_PREFIX_OFFSET, 16, 1, a)"#);
    for argument in [
        r#"print_hex_dump("", DUMP_PREFIX_OFFSET, 8, 1, a, true)"#,
        r#"print_hex_dump("", DUMP_PREFIX_OFFSET, 16, 3, a, true)"#,
        r#"print_hex_dump("", 2, 16, 1, a, true)"#,
        r#"print_hex_dump("", DUMP_PREFIX_OFFSET, 16, 1, a, 2, 3, true)"#,
    ] {
        assert_eq!(value_error(argument), usage, "{argument}");
    }
    assert_eq!(value_error(r#"print_symbolic(a, { 1 => "x" }, 1)"#), table);
}

#[path = "values.rs"]
mod values;
