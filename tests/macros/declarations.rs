// SPDX-License-Identifier: GPL-2.0

//! Tests of what the macros accept and refuse.

use crate::{
    args::Args,
    expand,
    features::expression::{pinned, rewrite},
    grammar::{self, list, whole},
    linux::macros as linux,
    model::{Class, Definition, Tracepoint},
    names::macros as names,
    origin::Own,
    structs::macros as structs,
    tokens::c_name,
    traceable::macros as traceable,
};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::parse::{Parse, Parser};

pub(crate) fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap()
}

/// Parses an input of which no part may be refused.
pub(crate) fn parse<T: Parse>(text: &str) -> T {
    syn::parse2(tokens(text)).unwrap()
}

/// An item that may not be refused.
pub(crate) fn parsed<T: Parse>(item: TokenStream) -> T {
    whole(item).unwrap_or_else(|error| panic!("{error}"))
}

/// The text of an expansion, without spaces.
pub(crate) fn text(tokens: &TokenStream) -> String {
    tokens.to_string().replace([' ', '\n'], "")
}

/// Expands the macro with this name.
pub(crate) fn named(macro_name: &str, input: TokenStream) -> TokenStream {
    match macro_name {
        "tracepoint" => expand::tracepoints(input),
        "kernel_tracepoint" => linux::kernel_tracepoint(input),
        "trace_event" => expand::events(input, &Own),
        "trace_custom_event" => linux::trace_custom_event(input),
        "tracepoint_struct" => structs::tracepoint_struct(input),
        _ => TokenStream::new(),
    }
}

pub(crate) fn expand(macro_name: &str, input: &str) -> TokenStream {
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
pub(crate) fn refused(macro_name: &str, input: &str, message: &str) {
    let errors = errors(expand(macro_name, input));
    assert!(
        errors.len() == 1 && errors[0].contains(message),
        "{input}: expected `{message}`: {errors:#?}"
    );
}

/// An event with these fields and template.
pub(crate) fn event(fields: &str, print: &str) -> String {
    format!("system: \"drv\"; fn drv_done(n: u32, name: &CStr) {{ {fields} }} print {print};")
}

// What is accepted.

#[test]
fn tracepoints() {
    let items = grammar::items.parse_str(
        "/// First.
        pub fn a();
        pub(crate) fn r#b(n: u32, s: &[u8],) if n > 1 && s.is_empty();
        faultable fn c(p: *const u8);",
    );
    let items: Vec<Tracepoint> = items.unwrap().into_iter().map(parsed).collect();
    assert_eq!(items.len(), 3);
    assert_eq!(items[0].attrs.len(), 1);
    assert_eq!(c_name(&items[1].name), "b");
    assert!(items[1].condition.is_some() && items[1].args.0.len() == 2);
    assert!(items[2].faultable && !items[0].faultable);
}

#[test]
fn definitions() {
    let list: Vec<Definition> = list
        .parse_str("a, events::b, c { reg: start, unreg: x::stop },")
        .unwrap();
    let names: Vec<_> = list.iter().map(|d| d.name().to_string()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert!(list[1].hooks.is_empty() && !list[2].hooks.is_empty());
}

#[test]
fn classes() {
    let events = grammar::events.parse_str(
        "system: \"drv\";
        class drv_class(n: u32) { n: u32 = n, } print \"{m}\", m = n + 1, events {
            /// One.
            pub fn drv_a;
            fn drv_b if n > 1 print \"other {k}\", k = n, with { flags: CAP_ANY, perf_perm: f };
        }
        fn drv_c(n: u32) if n == 2 { n: u8 as \"char\" = n as u8 } print \"\"
            with { unreg: b, reg: a };",
    );
    let classes: Vec<Class> = events
        .unwrap()
        .into_iter()
        .map(|(_, item)| parsed(item))
        .collect();
    assert_eq!(classes.len(), 2);
    let [a, b] = &classes[0].events[..] else {
        panic!()
    };
    assert!(a.print.is_none() && b.print.is_some() && b.condition.is_some());
    assert!(text(b.with.flags.as_ref().unwrap()) == "__p::CAP_ANY" && b.with.hooks.is_empty());
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
        ("struct S;", "expected `fn`"),
        ("fn a<T>(t: T);", "expected parentheses"),
        ("fn a;", "expected parentheses"),
        ("fn a(n);", "expected `:`"),
        ("fn a(&self);", "expected identifier"),
        (
            "fn a(mut n: u32);",
            "expected identifier, found keyword `mut`",
        ),
        ("fn a() -> u32;", "expected `;`"),
        ("fn a() { n: u32 = 1 }", "expected `;`"),
        ("fn a()", "expected `;`"),
        ("fn a(n: u32 m: u32);", "expected `,`"),
        ("fn a(n: u32, n: u32);", "`a` has two arguments called `n`"),
        (
            "fn a(#[cold] n: u32);",
            "an argument accepts only a doc comment",
        ),
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
        ("a b", "expected `,`"),
        ("a { reg: f }", "`reg` and `unreg` go together"),
        ("a { reg: f, reg: f }", "expected one of: unreg"),
        ("a { flags: CAP_ANY }", "expected one of: reg, unreg"),
    ] {
        let error = list::<Definition>
            .parse_str(input)
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(message), "{input}: {error}");
    }
}

#[test]
fn refused_events() {
    for (input, message) in [
        ("fn a() {} print \"\";".to_string(), "expected `system`"),
        (
            "system: \"a/b\";".to_string(),
            "the name of a system consists of",
        ),
        (
            "system: \".a\";".to_string(),
            "the name of a system consists of",
        ),
        ("system: \"a\"; struct S;".to_string(), "expected `fn`"),
        (
            "system: \"a\"; fn a() print \"\";".to_string(),
            "expected curly braces",
        ),
        ("system: \"a\"; fn a() {};".to_string(), "expected `print`"),
        (
            "system: \"a\"; fn a() {} print \"\"".to_string(),
            "expected `;`",
        ),
        (
            "system: \"a\"; class a() {} print \"\" events { fn b(n: u32); }".to_string(),
            "expected `;`",
        ),
        (
            "system: \"a\"; class a() {} print \"\" events { struct S; }".to_string(),
            "expected `fn`",
        ),
        (
            "system: \"a\"; class a() {} print \"\";".to_string(),
            "expected `events`",
        ),
        (event("n = n", "\"\""), "expected `:`"),
        (event("n: u32", "\"\""), "expected `=`"),
        (event("n: u32 = n; m: u32 = n", "\"\""), "expected `,`"),
        (
            event(
                &(0..257)
                    .map(|i| format!("n{i}: u32 = n,"))
                    .collect::<String>(),
                "\"\"",
            ),
            "an event has at most 256 fields",
        ),
        (event("#[cold] n: u32 = n", "\"{n}\""), "a field can have"),
        (
            event("#[filter] n: u32 = n", "\"{n}\""),
            "expected attribute arguments",
        ),
        (
            event("#[filter(STATIC_STRING)] n: u32 = n", "\"{n}\""),
            "expected one of CPU, ",
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
        (event("", "\"\" with { flags: ALL }"), "expected `CAP_ANY`"),
        (event("", "\"\" with { on: f }"), "expected one of: reg,"),
        (event("n: u32 = n", "\"{m}\""), "drv_done"),
    ] {
        refused("trace_event", &input, message);
    }
}

/// Returns the text of a rewritten expression.
fn rewritten(expr: &str) -> String {
    let expr = rewrite(parse(expr), Some(&mut 0));
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
    let expr = rewrite(parse("f(elements(a), elements(b))"), Some(&mut count));
    assert_eq!(count, 2);
    let text = text(&quote::quote!(#expr));
    assert!(text.contains("elements(a).__computed(&__room)"), "{text}");
    let condition = rewrite(parse("elements(a)"), None);
    assert_eq!(self::text(&quote::quote!(#condition)), "elements(a)");
}

/// A condition that could panic, or call something of the driver's, is in a function of its own.
#[test]
fn conditions_of_their_own() {
    let args = args("n: u32, m: i64, ok: bool, b: &B, a: &[u32; 2], other: Other");
    for (condition, expected) in [
        ("n > 1 && !ok", Some("letn:__p::u32=n;letok:__p::bool=ok;")),
        (
            "n % 10 == m as u32",
            Some("letn:__p::u32=n;letm:__p::i64=m;"),
        ),
        ("true", Some("")),
        ("n == b.c", None),
        ("n == LIMIT", None),
        ("other == 1", None),
        ("*b == 1", None),
        ("a[1] == 2", None),
        ("n / n == 0", None),
        ("(X.0 /= n) == (X.1 += n)", None),
        ("f(n)", None),
        ("!is_set::<u32>()", None),
        ("n.is_some()", None),
        ("ok && (n + a.len()) > 1", None),
        ("matches!(n, 1 | 2)", None),
        ("if ok { f(n) } else { false }", None),
    ] {
        let found = pinned(&parse(condition), &args).map(|tokens| text(&tokens));
        assert_eq!(found.as_deref(), expected, "{condition}");
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
            "expected identifier, found keyword `let`",
        ),
        ("let m; n: u32 = m", "expected `let name = expression;`"),
        (
            "let Some(m) = n else { return }; n: u32 = m",
            "expected `let name = expression;`",
        ),
        ("let m = n, n: u32 = m", "expected `;`"),
    ] {
        refused("trace_event", &event(fields, "\"{n}\""), message);
    }
}

/// rustc reports these, so the macro mustn't panic.
#[test]
fn numbers_that_overflow() {
    const MAX: &str = "170141183460469231731687303715884105727";
    for (fields, print) in [
        (
            "a: [u8; 18446744073709551615] = a".to_string(),
            "\"\"".to_string(),
        ),
        (
            "a: [u64; 2305843009213693952] = a".to_string(),
            "\"\"".to_string(),
        ),
        (
            "n: u32 = n".to_string(),
            format!("\"{{x}}\", x = print_symbolic(n, {{ -{MAX}..={MAX} => \"x\" }})"),
        ),
    ] {
        expand("trace_event", &event(&fields, &print));
    }
    let input = format!("#[repr(u64)] enum E {{ A = {MAX}, B }}");
    crate::derive::expand("TraceEnum", tokens(&input), names::trace_enum);
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
        ("enum E {}", "expected `struct`"),
        (
            "struct A { n: u32 } struct B { n: u32 }",
            "unexpected token",
        ),
        ("struct A(u32);", "`A` needs named fields"),
        ("struct A<T> { t: T }", "`A` can have one lifetime"),
        (
            "struct A<'a, 'b> { a: &'a u8, b: &'b u8 }",
            "`A` can have one lifetime",
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
        (
            "fn f((a, b): (u32, u32)) {}",
            "needs a name for each argument",
        ),
        ("fn f(ref a: &[u8]) {}", "needs a name for each argument"),
        ("fn f(a @ _: &[u8]) {}", "needs a name for each argument"),
    ] {
        let error = traceable::traceable(TokenStream::new(), &parse(input))
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(message), "{input}: {error}");
    }
}

// The C arguments of arguments.

fn args(text: &str) -> Args {
    let event = Ident::new("event", Span::call_site());
    let args = Args(list.parse_str(text).unwrap());
    args.check(&event).unwrap();
    args
}

#[test]
fn c_args() {
    let args = args("n: u32, s: &[u16], name: &CStr, text: &str");
    let c_args = args.c_args();
    let names: Vec<_> = c_args.names.iter().map(Ident::to_string).collect();
    let of = |list: &[TokenStream]| list.iter().map(text).collect::<Vec<_>>();
    assert_eq!(names.len(), 6);
    assert_eq!(
        of(&c_args.c_types),
        [
            "__p::u32",
            "*const__p::u16",
            "__p::usize",
            "<&__p::CStras__p::Arg>::C",
            "*const__p::u8",
            "__p::usize"
        ]
    );
    assert_eq!(c_args.types.len(), 4);
    assert_eq!(of(&c_args.args)[3], "__p::str(__c_arg4,&__c_arg5)");
    // A slice can be NULL, and is empty then; a string is "(null)".
    assert_eq!(c_args.valid.len(), 0);
    assert!(args.uncertain().is_none());
}

#[test]
fn unknown_c_args() {
    let args = args("n: u32, array: &[u8; 4], other: Other, ptr: *mut u8");
    // The array and the type that only the compiler knows can be wrong.
    assert_eq!(args.c_args().valid.len(), 2);
    assert_eq!(args.uncertain().unwrap().name, "other");
}

#[test]
fn twelve_c_args_are_accepted() {
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
    assert_eq!(conditions, ["cfg(all(A,C))"]);
    assert_eq!(calls, ["#[doc=\"b\"]fna(n:u32);"]);
    // The others stay.
    let other = text(&expand("tracepoint", "fn b(); #[cfg(A)] fn a(n: u32);"));
    assert!(other.contains("structb") && !other.contains("structa"));
}

#[test]
fn cfg_of_an_event() {
    let input = "system: \"drv\"; #[cfg(D)] fn d() {} print \"d\";";
    let (conditions, calls) = calls_of("trace_event", input);
    assert_eq!(conditions, ["cfg(all(D))"]);
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
}

#[test]
fn cfg_inside_a_declaration() {
    refused(
        "tracepoint",
        "fn a(#[cfg(A)] n: u32);",
        "an argument accepts only a doc comment",
    );
    refused(
        "trace_event",
        &event("#[cfg(A)] n: u32 = n", "\"\""),
        "a field can have",
    );
    refused(
        "tracepoint_struct",
        "struct S { a: u32, #[cfg(A)] b: u64 }",
        "use `#[cfg]` before `tracepoint_struct!`",
    );
}
