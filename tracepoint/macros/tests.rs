// SPDX-License-Identifier: GPL-2.0

//! Tests of what the macros accept, refuse and expand to.

use crate::{
    args::Args,
    event::Origin,
    expand,
    expression::{could_panic, rewrite},
    grammar::{self, c_name, list, Definition, Events, Tracepoints},
    headers, traceable, tracepoint,
};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap()
}

/// Parses an input of which no part may be refused.
fn parse<T: Parse>(text: &str) -> T {
    syn::parse2(tokens(text)).unwrap()
}

/// An item that may not be refused.
fn parsed<T>(item: grammar::Item<T>) -> T {
    item.unwrap_or_else(|error| panic!("{error}")).0
}

/// The text of an expansion, without spaces.
fn text(tokens: &TokenStream) -> String {
    tokens.to_string().replace([' ', '\n'], "")
}

/// Expands the macro with this name.
pub(crate) fn named(macro_name: &str, input: TokenStream) -> TokenStream {
    match macro_name {
        "tracepoint" => expand::tracepoints(input),
        "kernel_tracepoint" => expand::kernel_tracepoints(input),
        "trace_event" => expand::events(input, Origin::Own),
        "trace_custom_event" => expand::events(input, Origin::Kernel),
        "tracepoint_struct" => expand::tracepoint_struct(input),
        _ => TokenStream::new(),
    }
}

fn expand(macro_name: &str, input: &str) -> TokenStream {
    named(macro_name, tokens(input))
}

/// Returns the messages in an expansion.
fn errors(expansion: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut follows = false;
    for token in expansion {
        match token {
            TokenTree::Ident(ident) => follows |= ident == "compile_error",
            TokenTree::Group(group) if follows => {
                found.push(syn::parse2::<syn::LitStr>(group.stream()).unwrap().value());
                follows = false;
            }
            TokenTree::Group(group) => found.extend(errors(group.stream())),
            _ => {}
        }
    }
    found
}

/// Checks that an input is refused with exactly one message, which contains the text.
#[track_caller]
fn refused(macro_name: &str, input: &str, message: &str) {
    let errors = errors(expand(macro_name, input));
    assert!(
        errors.len() == 1 && errors[0].contains(message),
        "{input}: expected `{message}`: {errors:#?}"
    );
}

/// An event with these fields and template.
fn event(fields: &str, print: &str) -> String {
    format!("system: \"drv\"; fn drv_done(n: u32, name: &CStr) {{ {fields} }} print {print};")
}

// What is accepted.

#[test]
fn tracepoints() {
    let items: Tracepoints = parse(
        "/// First.
        pub fn a();
        pub(crate) fn r#b(n: u32, s: &[u8],) if n > 1 && s.is_empty();
        faultable fn c(p: *const u8);",
    );
    let items: Vec<_> = items.0.into_iter().map(parsed).collect();
    assert_eq!(items.len(), 3);
    assert_eq!(items[0].attrs.len(), 1);
    assert_eq!(c_name(&items[1].name).unwrap(), "b");
    assert!(items[1].condition.is_some() && items[1].args.0.len() == 2);
    assert!(items[2].faultable && !items[0].faultable);
}

#[test]
fn definitions() {
    let list: Vec<Definition> =
        list(tokens("a, events::b, c { reg: start, unreg: x::stop },")).unwrap();
    let names: Vec<_> = list.iter().map(|d| d.name().to_string()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert!(list[1].reg.is_none() && list[2].reg.is_some() && list[2].unreg.is_some());
}

#[test]
fn classes() {
    let events: Events = parse(
        "system: \"drv\";
        class drv_class(n: u32) { n: u32 = n, } print \"{m}\", m = n + 1 events {
            /// One.
            pub fn drv_a;
            fn drv_b if n > 1 print \"other {k}\", k = n with { flags: CAP_ANY, perf_perm: f };
        }
        fn drv_c(n: u32) if n == 2 { n: u8 as \"char\" = n as u8 } print \"\"
            with { unreg: b, reg: a };",
    );
    let classes: Vec<_> = events.classes.into_iter().map(parsed).collect();
    assert_eq!(classes.len(), 2);
    let [a, b] = &classes[0].events[..] else {
        panic!()
    };
    assert!(a.print.is_none() && b.print.is_some() && b.condition.is_some());
    assert!(b.with.cap_any && b.with.perf_perm.is_some() && b.with.reg.is_none());
    assert_eq!(classes[1].events[0].name, classes[1].name);
    assert_eq!(
        classes[1].fields[0].c_type.as_ref().unwrap().value(),
        "char"
    );
}

// What is refused.

#[test]
fn refused_tracepoints() {
    for (input, message) in [
        ("struct S;", "expected `pub fn name(argument: Type, …);`"),
        ("fn a<T>(t: T);", "`a` can't be generic"),
        ("fn a;", "expected the arguments of `a`"),
        ("fn a(n);", "the argument `n` has no type"),
        ("fn a(&self);", "expected `name: Type`"),
        (
            "fn a(mut n: u32);",
            "an argument is a name and a type, without a pattern",
        ),
        ("fn a(m: &mut u8);", "the argument `m` can't have this type"),
        (
            "fn a(m: &Writable<[bool; 2]>);",
            "use an integer or an array of integers",
        ),
        (
            "fn a(m: &[A + B]);",
            "the argument `m` can't have this type",
        ),
        ("fn a() -> u32;", "`a` can't return anything"),
        ("fn a() { n: u32 = 1 }", "declare `a` with `trace_event!`"),
        ("fn a()", "expected `;` at the end of `a`"),
        ("fn a(n: u32 m: u32);", "`a`"),
        ("fn a(n: u32, n: u32);", "`a` has two arguments called `n`"),
        (
            "fn a(#[cold] n: u32);",
            "an argument accepts only a doc comment",
        ),
        ("faultable fn a(n: u32) if n > 1;", "`a` is faultable"),
        (
            "fn a(a: &[u8], b: &str, c: &[u8], d: &[u8], e: &[u8], f: &[u8], g: u8);",
            "`a` has too many arguments",
        ),
    ] {
        refused("tracepoint", input, message);
    }
    refused(
        "kernel_tracepoint",
        "fn a(n: u32) if n > 1;",
        "`a` is fired by the kernel, so it can't have a condition",
    );
}

#[test]
fn refused_definitions() {
    for (input, message) in [
        ("a b", "separated by commas"),
        ("a { reg: f }", "`unreg` is missing"),
        ("a { reg: f, reg: f }", "`reg` is given twice"),
        ("a { flags: CAP_ANY }", "expected `reg: function"),
    ] {
        let error = list::<Definition>(tokens(input)).err().unwrap().to_string();
        assert!(error.contains(message), "{input}: {error}");
    }
}

#[test]
fn refused_events() {
    // The sum of the sizes doesn't overflow.
    refused(
        "trace_event",
        &event(
            "a: [u64; 18446744073709551615] = [0; 1], b: u64 = 1",
            "\"\"",
        ),
        "at most 4072 fit",
    );
    for (input, message) in [
        (
            "fn a() {} print \"\";".to_string(),
            "expected `system: \"name\";`",
        ),
        (
            "system: \"a/b\";".to_string(),
            "the name of a system consists of",
        ),
        (
            "system: \".a\";".to_string(),
            "the name of a system consists of",
        ),
        (
            "system: \"a\"; struct S;".to_string(),
            "expected `pub fn name(",
        ),
        (
            "system: \"a\"; fn a() print \"\";".to_string(),
            "expected the fields of `a`",
        ),
        (
            "system: \"a\"; fn a() {};".to_string(),
            "`a`: expected `print \"…\"` after the fields",
        ),
        (
            "system: \"a\"; fn a() {} print \"\"".to_string(),
            "expected `;` at the end of `a`",
        ),
        (
            "system: \"a\"; class a() {} print \"\" events {}".to_string(),
            "the class `a` has no events",
        ),
        (
            "system: \"a\"; class a() {} print \"\" events { fn b(n: u32); }".to_string(),
            "`b` has the arguments of its class",
        ),
        (
            "system: \"a\"; class a() {} print \"\" events { struct S; }".to_string(),
            "expected an event of the class",
        ),
        (
            "system: \"a\"; class a() {} print \"\";".to_string(),
            "expected `events { … }` after the template",
        ),
        (event("n = n", "\"\""), "the field `n` has no type"),
        (event("n: u32", "\"\""), "the field `n` has no value"),
        (
            event("n: u32 = n; m: u32 = n", "\"\""),
            "expected `,` between the field `n` and the next one",
        ),
        (
            event("n: u32 = n, n: u8 = 1", "\"\""),
            "`drv_done` has two fields called `n`",
        ),
        (
            event("#[cold] n: u32 = n", "\"{n}\""),
            "the field `n` of `drv_done` can have",
        ),
        (
            event("#[filter] n: u32 = n", "\"{n}\""),
            "expected `#[filter(TYPE)]`",
        ),
        (
            event("#[filter(STATIC_STRING)] n: u32 = n", "\"{n}\""),
            "the field `n` of `drv_done` can't have this filter",
        ),
        (
            event("n: u32 as \"a[1]\" = n", "\"{n}\""),
            "consists of names, blanks and `*`",
        ),
        (
            event("n: u32 as \"char *\" = n", "\"{n}\""),
            "is a pointer, which the field isn't",
        ),
        (
            event("n: u32 as \"__data_loc x\" = n", "\"{n}\""),
            "can't be a location",
        ),
        (
            event("", "\"\" with { reg: f }"),
            "`reg` and `unreg` go together",
        ),
        (
            event("", "\"\" with { flags: ALL }"),
            "the only flag is `CAP_ANY`",
        ),
        (event("", "\"\" with { on: f }"), "expected `reg: function"),
        (event("n: u32 = n", "\"{m}\""), "drv_done"),
    ] {
        refused("trace_event", &input, message);
    }
}

/// Returns the text of a rewritten expression.
fn rewritten(expr: &str) -> String {
    let expr = rewrite(&parse(expr), Some(&mut 0));
    text(&quote::quote!(#expr))
}

#[test]
fn expressions_that_stay() {
    for expr in [
        "n",
        "-5",
        "1<<31",
        "2*(3+4)",
        "a/2",
        "a/b",
        "a%=b",
        "x<<3",
        "x>>3",
        "a&b|c^!d",
        "a<b&&c!=d",
        "*a",
        "a[i]",
        "&data[..n]",
        "a.wrapping_sub(b)",
        "a.abs()",
        "[0;N-1]",
        "const{N-1}",
        "f::<{N-1}>()",
        "{constX:u32=N-1;X}",
        "stringify!(a-b)",
        "a.sum",
    ] {
        let text = rewritten(&expr.replace("const", "const "));
        assert_eq!(text, expr);
    }
}

#[test]
fn expressions_that_wrap() {
    for (expr, traits) in [
        ("a + 1", "Add"),
        ("1 - a", "Sub"),
        ("f(a * b)", "Mul"),
        ("1 << n", "Shl"),
        ("n >> m", "Shr"),
        ("-a", "Neg"),
        ("-(a - b) * c", "Sub Neg Mul"),
        ("a / (b - 1)", "Sub"),
        ("a[i - 1]", "Sub"),
        ("if a - b > 0 { a } else { c + d }", "Sub Add"),
        (
            "match a - b { n if n + 1 > 2 => n * 3, _ => 0 }",
            "Sub Add Mul",
        ),
        ("list.iter().map(|n| n + 1).max()", "Add"),
        ("{ let mut m = a; m += b; m -= 1; m }", "Add Sub"),
        ("{ m >>= b; m }", "Shr"),
        ("{ t[i + 1] += a; t }", "Add Add"),
        ("[a - b; N - 1]", "Sub"),
        ("S { n: a - b }.n", "Sub"),
        ("(a - b) as u8", "Sub"),
        ("unsafe { *p } - 1", "Sub"),
    ] {
        let text = rewritten(expr);
        let mut rest = text.as_str();
        for name in traits.split(' ') {
            let part = format!("arithmetic::{name}<");
            assert!(text.contains(&part), "{expr}: {text}");
            rest = &rest[rest.find("arithmetic::").unwrap() + 1..];
        }
        assert!(!rest.contains("arithmetic::"), "{expr}: {text}");
    }
}

#[test]
fn elements_have_room() {
    let mut count = 0;
    let expr = rewrite(&parse("f(elements(a), elements(b))"), Some(&mut count));
    assert_eq!(count, 2);
    let text = text(&quote::quote!(#expr));
    assert!(text.contains("elements(a).__computed(&__room)"), "{text}");
    let condition = rewrite(&parse("elements(a)"), None);
    assert_eq!(self::text(&quote::quote!(#condition)), "elements(a)");
}

/// A condition that could panic is in a function of its own.
#[test]
fn conditions_that_could_panic() {
    for (condition, is) in [
        ("n > 1 && !ok", false),
        ("n % 10 == b.c as u32", false),
        ("a[1] == 2", true),
        ("n / m == 0", true),
        ("f(n)", true),
        ("!is_set::<u32>()", true),
        ("n.is_some()", true),
        ("ok && (n + a.len()) > 1", true),
        ("matches!(n, 1 | 2)", true),
        ("if ok { f(n) } else { false }", true),
    ] {
        assert_eq!(could_panic(&parse(condition)), is, "{condition}");
    }
}

#[test]
fn values() {
    let input = event(
        "let sum: u32 = n + 1; let (a, b) = f(sum); n: u32 = sum, m: u32 = a - b",
        "\"{n} {m}\"",
    );
    let expansion = expand("trace_event", &input);
    assert!(text(&expansion).contains("let(a,b)=f(sum);"));
    assert!(errors(expansion).is_empty());
    for (fields, message) in [
        (
            "n: u32 = n, let m = n;",
            "`let` must come before the first field",
        ),
        ("let m; n: u32 = m", "expected `let name = expression;`"),
        (
            "let Some(m) = n else { return }; n: u32 = m",
            "can't be used in an event",
        ),
        ("let m = n, n: u32 = m", "expected `;`"),
    ] {
        refused("trace_event", &event(fields, "\"{n}\""), message);
    }
}

#[test]
fn an_error_does_not_hide_the_next() {
    let expansion = expand(
        "tracepoint",
        "fn a(n); pub fn good(n: u32); fn b() -> u32; fn also_good();",
    );
    assert!(
        text(&expansion).contains("pubstructgood") && text(&expansion).contains("structalso_good")
    );
    assert_eq!(errors(expansion).len(), 2);

    let expansion = expand(
        "trace_event",
        "system: \"drv\"; fn a(n: u32) { n: u32 = n, m = 1 } print \"\"; fn b() {} print \"b\";",
    );
    assert!(text(&expansion).contains("structb"));
    assert_eq!(errors(expansion).len(), 1);

    // All fields of one event.
    let input = event("#[cold] a: u32 = n, #[hot] b: u32 = n", "\"{a} {b}\"");
    assert_eq!(errors(expand("trace_event", &input)).len(), 2);
}

#[test]
fn refused_structs() {
    for (input, message) in [
        ("enum E {}", "expected `pub struct Name { field: Type, … }`"),
        (
            "struct A { n: u32 } struct B { n: u32 }",
            "expected one struct",
        ),
        ("struct A(u32);", "`A` needs named fields"),
        ("struct A<T> { t: T }", "`A` can have one lifetime"),
        (
            "struct A<'a, 'b> { a: &'a u8, b: &'b u8 }",
            "`A` can have one lifetime",
        ),
        (
            "struct A { name: &'static CStr }",
            "declare `struct A<'a>` and use `&'a`",
        ),
    ] {
        refused("tracepoint_struct", input, message);
    }
}

#[test]
fn refused_functions() {
    for (input, message) in [
        ("unsafe fn f() {}", "an ordinary safe function"),
        ("const fn f() {}", "an ordinary safe function"),
        ("async fn f() {}", "an ordinary safe function"),
        ("extern \"C\" fn f() {}", "an ordinary safe function"),
        ("fn f<T>(t: T) {}", "it can't be generic"),
        ("fn f(&self) {}", "it can't be a method"),
        ("fn f((a, b): (u32, u32)) {}", "needs a name"),
    ] {
        let error = traceable::expand(&parse(input)).err().unwrap().to_string();
        assert!(error.contains(message), "{input}: {error}");
    }
}

// The words of arguments.

fn args(text: &str) -> Args {
    let event = Ident::new("event", Span::call_site());
    let parser = |input: ParseStream<'_>| Args::parse(input, &event);
    let args = parser.parse2(tokens(text)).unwrap();
    args.check(&event).unwrap();
    args
}

#[test]
fn words() {
    let args = args("n: u32, s: &[u16], name: &CStr, text: &str");
    let words = args.words();
    let names: Vec<_> = words.names.iter().map(Ident::to_string).collect();
    let of = |list: &[TokenStream]| list.iter().map(text).collect::<Vec<_>>();
    assert_eq!(names.len(), 6);
    assert_eq!(
        of(&words.c_types),
        [
            "__p::u32",
            "*const__p::u16",
            "__p::usize",
            "<&__p::CStras__p::Arg>::C",
            "*const__p::u8",
            "__p::usize"
        ]
    );
    assert_eq!(words.types.len(), 4);
    assert_eq!(of(&words.args)[3], "__p::str(__word4,&__word5)");
    // A slice can be NULL, and is empty then; a string is "(null)".
    assert_eq!(words.valid.len(), 0);
    assert_eq!(
        args.prototype(true).unwrap(),
        "faultable fn(u32, &[u16], &CStr, &str)"
    );
}

#[test]
fn unknown_words() {
    let args = args("n: c_int, array: &[u8; 4], other: Other, ptr: *mut u8");
    let words = args.words();
    assert_eq!(text(&words.c_types[0]), "__p::i32");
    // The array and the type that only the compiler knows can be wrong.
    assert_eq!(words.valid.len(), 2);
    assert!(args.prototype(false).is_none());
}

#[test]
fn twelve_words_are_accepted() {
    args("a: &[u8], b: &[u8], c: &[u8], d: &[u8], e: &str, f: u8, g: u8");
}

// #[cfg]

/// The conditions in an expansion, and the text of its macro calls.
fn calls_of(macro_name: &str, input: &str) -> (Vec<String>, Vec<String>) {
    let tokens: Vec<_> = expand(macro_name, input).into_iter().collect();
    let group = |at: usize| match &tokens[at] {
        TokenTree::Group(group) => text(&group.stream()),
        _ => panic!("{}", tokens[at]),
    };
    let (mut conditions, mut calls) = (Vec::new(), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.to_string().as_str() {
            "#" => conditions.push(group(at + 1)),
            "!" => calls.push(group(at + 1)),
            _ => {}
        }
    }
    (conditions, calls)
}

#[test]
fn cfg_of_a_tracepoint() {
    let (conditions, calls) = calls_of("tracepoint", "#[cfg(A)] /** b */ #[cfg(C)] fn a(n: u32);");
    assert_eq!(conditions, ["cfg(A)", "cfg(C)"]);
    assert_eq!(calls, ["#[doc=\"b\"]fna(n:u32);"]);
    // The others stay.
    let other = text(&expand("tracepoint", "fn b(); #[cfg(A)] fn a(n: u32);"));
    assert!(other.contains("structb") && !other.contains("structa"));
}

#[test]
fn cfg_of_an_event() {
    let input = "system: \"drv\"; #[cfg(D)] fn d() {} print \"d\";";
    let (conditions, calls) = calls_of("trace_event", input);
    assert_eq!(conditions, ["cfg(D)"]);
    assert_eq!(calls, ["system:\"drv\";fnd(){}print\"d\";"]);
}

#[test]
fn cfg_of_an_event_of_a_class() {
    let class = |events: &str| {
        format!("system: \"drv\"; class c(n: u32) {{ n: u32 = n }} print \"{{n}}\" events {{ {events} }}")
    };
    let (conditions, calls) = calls_of(
        "trace_event",
        &class("fn a; #[cfg(B)] #[cfg(C)] fn b; #[cfg(D)] fn d;"),
    );
    assert_eq!(conditions, ["cfg(all(B,C))", "cfg(not(all(B,C)))"]);
    let with = class("fn a; fn b; #[cfg(D)] fn d;").replace(' ', "");
    let without = class("fn a; #[cfg(D)] fn d;").replace(' ', "");
    assert_eq!(calls, [with, without]);
    // A class has at least one event.
    let (conditions, calls) = calls_of("trace_event", &class("#[cfg(B)] fn b;"));
    assert_eq!(conditions, ["cfg(all(B))"]);
    assert_eq!(calls, [class("fn b;").replace(' ', "")]);
}

#[test]
fn cfg_inside_a_declaration() {
    let message = "`#[cfg]` can only be on the whole declaration";
    refused("tracepoint", "fn a(#[cfg(A)] n: u32);", message);
    refused(
        "trace_event",
        &event("#[cfg(A)] n: u32 = n", "\"\""),
        message,
    );
    refused(
        "trace_event",
        &event("#[cfg(A)] let m = n; n: u32 = m", "\"\""),
        message,
    );
    refused(
        "tracepoint_struct",
        "struct S { a: u32, #[cfg(A)] b: u64 }",
        "use `#[cfg]` before `tracepoint_struct!`",
    );
}

// What the expansions consist of.

const EVERYTHING: [(&str, &str); 6] = [
    (
        "tracepoint",
        "pub fn a(n: u32, s: &[u8], t: &str, o: Option<&CStr>) if n > 1; faultable fn b();",
    ),
    ("kernel_tracepoint", "pub fn k(n: bool, t: &Task);"),
    (
        "trace_event",
        "system: \"drv\";
        class c(n: u32, name: &CStr) { n: u32 = n, name: Str = name } print \"{n} {name}\" events {
            fn c1 with { flags: CAP_ANY, perf_perm: f, reg: a, unreg: b };
            fn c2 if n > 1 print \"{name}\";
        }",
    ),
    (
        "trace_event",
        "system: \"drv\";
        pub span fn s(n: u32, name: &CStr) { n: u32 = n, name: Str = name } print \"{n} {name}\";
        async span fn a() { n: u32 = 1 } print \"\";
        instant fn i() { n: u32 = 1 } print \"\";
        counter fn n(value: i64) { counter_value: i64 = value } print \"{counter_value}\";",
    ),
    (
        "trace_custom_event",
        "system: \"drv\"; fn k(n: bool) { n: bool = n, o: Other = Other } print \"{n}\";",
    ),
    (
        "tracepoint_struct",
        "pub struct S<'a> { pub name: &'a CStr, n: u32 }",
    ),
];

/// Calls a function with every identifier and what precedes it.
fn identifiers(tokens: TokenStream, visit: &mut dyn FnMut(&[TokenTree], &str)) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(ident) => visit(&tokens[..i], &ident.to_string()),
            TokenTree::Group(group) => identifiers(group.stream(), visit),
            _ => {}
        }
    }
}

/// The driver may have other things with these names.
#[test]
fn names_have_paths() {
    let names = [
        "Option", "Some", "None", "Result", "Ok", "Err", "CStr", "usize", "bool",
    ];
    for (macro_name, input) in EVERYTHING {
        let input = input
            .replace("Option<&CStr>", "u8")
            .replace("&CStr", "u8")
            .replace("bool", "u8")
            .replace("&'a CStr", "&'a u8");
        identifiers(expand(macro_name, &input), &mut |before, name| {
            let path = matches!(before.last(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
            assert!(
                path || !names.contains(&name),
                "{macro_name}: {name} has no path"
            );
        });
    }
}

/// Macros too: `concat!` and the like.
#[test]
fn macros_have_paths() {
    fn check(macro_name: &str, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else {
                continue;
            };
            check(macro_name, group.stream());
            let [.., TokenTree::Punct(p), TokenTree::Ident(name), TokenTree::Punct(bang)] =
                &tokens[..i]
            else {
                continue;
            };
            assert!(
                bang.as_char() != '!' || p.as_char() == ':' || name == "if" || name == "in",
                "{macro_name}: {name}! has no path"
            );
        }
    }
    for (macro_name, input) in EVERYTHING {
        check(macro_name, expand(macro_name, input));
    }
}

/// The driver's expressions are never in an unsafe block or function.
#[test]
fn expressions_are_safe() {
    fn check(tokens: TokenStream, in_unsafe: bool, found: &mut usize) {
        let mut pending = false;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if ident == "unsafe" => pending = true,
                // The functions of an unsafe trait are safe.
                TokenTree::Ident(ident) if ident == "impl" => pending = false,
                TokenTree::Ident(ident) if ident == "driver_expression" => {
                    *found += 1;
                    assert!(!in_unsafe);
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => pending = false,
                TokenTree::Group(group) => {
                    let brace = group.delimiter() == Delimiter::Brace;
                    check(group.stream(), in_unsafe || pending && brace, found);
                    pending &= !brace;
                }
                _ => {}
            }
        }
    }
    for (macro_name, input) in [
        ("tracepoint", "fn a(n: u32) if driver_expression();".to_string()),
        ("trace_event", event("n: u32 = driver_expression(), s: Str = driver_expression()", "\"\"")),
        ("trace_custom_event", "system: \"drv\"; fn k() { n: Other = driver_expression() } print \"\";".into()),
        (
            "trace_event",
            event("", "\"\" with { reg: driver_expression, unreg: driver_expression, perf_perm: driver_expression }"),
        ),
    ] {
        let mut found = 0;
        check(expand(macro_name, &input), false, &mut found);
        assert!(found > 0, "{macro_name}");
    }
}

/// Returns the fields of the only event.
fn fields_of(input: &str) -> Vec<String> {
    let events: Events = parse(&format!("system: \"drv\"; {input}"));
    let class = parsed(events.classes.into_iter().next().unwrap());
    class.fields.iter().map(|f| f.name.to_string()).collect()
}

#[test]
fn spans_have_fields() {
    let span = [
        "track_event_type",
        "slice_name",
        "id",
        "duration",
        "result",
        "n",
    ];
    assert_eq!(
        fields_of("span fn s(n: u32) { n: u32 = n } print \"\";"),
        span
    );
    assert_eq!(
        fields_of("async span fn s() { slice_name: Str = c\"x\" } print \"\";"),
        [
            "track_event_type",
            "id",
            "scope_id",
            "duration",
            "result",
            "slice_name"
        ]
    );
    assert_eq!(
        fields_of("instant fn s() { id: u64 = 1 } print \"\";"),
        ["track_event_type", "slice_name", "id"]
    );
    assert_eq!(
        fields_of("counter fn s(n: u8) { counter_value: u8 = n } print \"\";"),
        ["scope_counter", "counter_value"]
    );
    assert_eq!(
        fields_of("counter fn s(n: u8) { counter_value: u8 = n, scope_queue: u8 = 2 } print \"\";"),
        ["counter_value", "scope_queue"]
    );
    assert_eq!(
        fields_of(
            "instant fn s(id: TraceId) { slice_name: [c_char; 8] = *b\"12345678\", scope_id: TraceId = id } print \"\";"
        ),
        ["track_event_type", "slice_name", "scope_id"]
    );
    // They're names like others, too.
    assert_eq!(
        fields_of("fn span(counter: u8) { instant: u8 = counter } print \"\";"),
        ["instant"]
    );
    let code = text(&expand(
        "trace_event",
        "system: \"drv\"; span fn s(n: u32) { n: u32 = n } print \"<{n}>\";",
    ));
    assert!(
        code.contains("%s #%llu <%u> [%llu ns, %s]".replace(' ', "").as_str()),
        "{code}"
    );
}

#[test]
fn spans_refused() {
    for (input, message) in [
        (
            "span fn s() if true { n: u32 = 1 } print \"\";",
            "can't have a condition",
        ),
        (
            "faultable span fn s() { n: u32 = 1 } print \"\";",
            "can be `faultable`",
        ),
        (
            "span fn s() { result: u32 = 1 } print \"\";",
            "already has a field `result`, as does every span",
        ),
        (
            "instant fn s() { track_event_type: u8 = 1 } print \"\";",
            "already has a field `track_event_type`, as does every instant",
        ),
        (
            "counter fn s() { n: u32 = 1 } print \"\";",
            "has no `counter_value` field",
        ),
        (
            "counter fn s() { counter_value: bool = true } print \"\";",
            "must be an integer",
        ),
        (
            "async fn s() { n: u32 = 1 } print \"\";",
            "expected `async span fn`",
        ),
        (
            "async span fn s() { scope_tgid: u32 = 1 } print \"\";",
            "each `async span` has a track of its own",
        ),
        (
            "instant fn s() { scope_x: Str = c\"\" } print \"\";",
            "the scope `scope_x` must be an integer",
        ),
        (
            "span fn s() { scope_x: u32 = 1, n: u32 = 1, scope_y: u8 = 2 } print \"\";",
            "already has the scope `scope_x`; Perfetto uses only one",
        ),
        (
            "span fn s() { slice_name: u32 = 1 } print \"\";",
            "`slice_name` must be a `Str`",
        ),
        (
            "counter fn s() { counter_value: u32 = 1, track_name: Rel<Str> = c\"\" } print \"\";",
            "`track_name` must be a `Str`",
        ),
        (
            "span fn s(span: u32) { n: u32 = span } print \"\";",
            "two arguments called `span`",
        ),
    ] {
        refused("trace_event", &format!("system: \"drv\"; {input}"), message);
    }
    refused(
        "trace_custom_event",
        "system: \"drv\"; span fn sched_switch() { n: u32 = 1 } print \"\";",
        "can only be a plain event",
    );
}

#[test]
fn a_tracepoint_is_a_type_and_a_function() {
    let code = text(&expand("tracepoint", "/// Text.\n pub fn a(n: u32);"));
    assert!(
        code.contains("pubstructa{}")
            && code.contains("pubfna(never:::tracepoint::UseTraceMacro)->a")
    );
    assert!(code.contains("call(n:u32)") && code.contains("__tracepoint_a"));
    // Faultable tracepoints don't use the static call.
    let code = text(&expand("tracepoint", "faultable fn a(n: u32);"));
    assert!(code.contains("__traceiter_a") && code.contains("TasksTrace"));
    assert!(!code.contains("this_cpu_online"));
}

#[test]
fn names_in_c() {
    let code = text(
        &tracepoint::define(&parse("events::r#type"), None)
            .unwrap()
            .items(),
    );
    for name in [
        "__tracepoint_type",
        "__SCK__tp_func_type",
        "__probestub_type",
    ] {
        assert!(code.contains(name), "{name}");
    }
    let code = text(&tracepoint::export(&parse("a::b"), "GPL").unwrap());
    assert!(code.contains("__export_symbol___tracepoint_b:\\n.asciz"));
    assert!(code.contains("hash=const<a::bas::tracepoint::__private::Tracepoint>::HASH"));
}

#[test]
fn an_event_is_in_its_section() {
    let input = event("n: u32 = n", "\"{n}\"");
    let own = text(&expand("trace_event", &input));
    let kernel = text(&expand("trace_custom_event", &input));
    assert!(own.contains(".quadevent_drv_done") && own.contains("\"__bpf_raw_tp_map\""));
    assert!(own.contains("perf_trace_drv_done") && own.contains("trace_event_raw_event_drv_done"));
    // A custom event has no perf event, no BPF probe and no tracepoint of its own.
    assert!(kernel.contains("pushsection_ftrace_events") && !kernel.contains("__bpf_raw_tp_map"));
    assert!(
        kernel.contains("trace_custom_event_raw_event_drv_done") && !kernel.contains("perf_trace_")
    );
    assert!(!kernel.contains("\"__tracepoints\""));
}

#[test]
fn the_identity_of_a_struct() {
    let code = |input: &str| text(&expand("tracepoint_struct", input));
    assert_ne!(code("struct A { n: u32 }"), code("struct A { pub n: u32 }"));
    assert!(code("#[repr(packed)] struct A { n: u32 }").contains("\"#[repr(packed)]A\""));
    let with_lifetime = code("struct A<'a> { name: &'a CStr }");
    assert!(with_lifetime.contains("typeAt<'__at>=A<'__at>"));
    assert!(with_lifetime.contains("<&'staticCStras__p::Element>::TYPE"));
}

#[test]
fn lists_of_one_kind() {
    let paths: Vec<syn::Path> = grammar::list(tokens("a, b::c")).unwrap();
    assert_eq!(paths.len(), 2);
    assert!(grammar::list::<syn::Path>(tokens("a b")).is_err());
}

/// bindgen's output for two tracepoints, the second as it's written without rustfmt.
const DECLARATIONS: &str = r#"
unsafe extern "C" {
    pub fn __traceiter_sched_switch(
        __data: *mut ffi::c_void,
        preempt: bool_,
        prev: *mut task_struct,
        next__nullable: *mut task_struct,
        rq: *const *mut rq,
        name: *const ffi::c_char,
        act: ::core::option::Option<
            unsafe extern "C" fn(a: u8, b: u8) -> u8,
        >,
        gfp: gfp_t,
    ) -> ffi::c_int;
}
pub const __traceinfo_sched_switch: &[u8; 43] =
    b"sched: cpu_online(raw_smp_processor_id())\0";
unsafe extern "C" { pub fn __traceiter_n (__data : * mut ffi :: c_void , n : ffi :: c_ulong ,) -> ffi :: c_int ; } pub const __traceinfo_n : & [u8 ; 9] = b"my-system: cpu_online(raw_smp_processor_id()) && (PARAMS(strcmp(n, \"a\")))\0" ; unsafe extern "C" { pub fn __traceiter_none(__data : * mut ffi :: c_void) -> ffi :: c_int ; } pub const __traceinfo_none : & [u8 ; 9] = b"x: faultable\0" ;
"#;

#[test]
fn finds_the_declarations_of_headers() {
    let found = headers::parse(DECLARATIONS);
    let mut all: Vec<_> = found
        .iter()
        .map(|(name, header)| format!("{name} {header:?}"))
        .collect();
    all.sort();
    let expected = [
        r#"n Header { system: "my-system", conditional: true, faultable: false, args: [("n", "usize")] }"#,
        r#"none Header { system: "x", conditional: false, faultable: true, args: [] }"#,
        r#"sched_switch Header { system: "sched", conditional: false, faultable: false, args: [("preempt", "bool"), ("prev", "&Task"), ("next__nullable", "Option<&Task>"), ("rq", "*const *mut c::rq"), ("name", "&CStr"), ("act", "*const c_void"), ("gfp", "c::gfp_t")] }"#,
    ];
    assert_eq!(all, expected);
}
