// SPDX-License-Identifier: GPL-2.0

use super::*;
use crate::derive;
use proc_macro2::TokenTree;

fn derive_trace_enum(input: TokenStream) -> TokenStream {
    derive::expand("TraceEnum", input, trace_enum)
}

fn derive_trace_flags(input: TokenStream) -> TokenStream {
    derive::expand("TraceFlags", input, trace_flags)
}

fn expand(expand: fn(TokenStream) -> TokenStream, input: &str) -> String {
    expand(input.parse().unwrap()).to_string().replace(' ', "")
}

/// Returns the messages in an expansion.
fn errors(expand: fn(TokenStream) -> TokenStream, input: &str) -> Vec<String> {
    fn find(tokens: TokenStream, errors: &mut Vec<String>) {
        let mut follows = false;
        for token in tokens {
            match &token {
                TokenTree::Ident(ident) if ident == "compile_error" => follows = true,
                TokenTree::Group(group) if follows => {
                    let message: LitStr = syn::parse2(group.stream()).unwrap();
                    errors.push(message.value());
                    follows = false;
                }
                TokenTree::Group(group) => find(group.stream(), errors),
                _ => {}
            }
        }
    }
    let mut errors = Vec::new();
    find(expand(input.parse().unwrap()), &mut errors);
    errors
}

#[test]
fn values() {
    let known = |expr: &str| shifted(&syn::parse_str(expr).unwrap(), 31);
    for (expr, value) in [
        ("7", Some(7)),
        ("-1", Some(-1)),
        ("(1 << 4)", Some(16)),
        ("1 << 30", Some(1 << 30)),
        // The sign bit, constants and types are the compiler's business.
        ("1 << 31", None),
        ("FLAG", None),
        ("1u8", None),
        ("2 << 1", None),
    ] {
        assert_eq!(known(expr), value, "{expr}");
    }
}

#[test]
fn enums() {
    let input = "#[repr(u16)] enum D { #[name = \"one\"] One = 1, Two, Seven = 7, Eight }";
    let code = expand(derive_trace_enum, input);
    for (name, text) in [
        ("One", "one"),
        ("Two", "Two"),
        ("Seven", "Seven"),
        ("Eight", "Eight"),
    ] {
        let symbol = format!(
            "__p::Symbol::new(__p::symbol_value(\"`D`\",(D::{name}as::core::primitive::u16)as\
             ::core::primitive::i128,2usize,::core::option::Option::None),c\"{text}\")"
        );
        assert!(code.contains(&symbol), "{code}");
    }
    let input = "#[repr(i8)] enum D { A = X, B }";
    assert_eq!(
        expand(derive_trace_enum, input)
            .matches("symbol_value")
            .count(),
        2
    );
    assert_eq!(
        errors(
            derive_trace_enum,
            "#[repr(u8)] enum E { #[name = \"a\\\"\"] A }"
        ),
        ["TraceEnum: a text in a template consists of at most 256 ASCII characters other than quotes and \
          backslashes"]
    );
    for (input, error) in [
        (
            "enum D { A }",
            "TraceEnum: the enum needs a `#[repr(u8)]` or that of another integer type",
        ),
        (
            "#[repr(Alias)] enum D { A }",
            "TraceEnum: the enum needs a `#[repr(u8)]` or that of another integer type",
        ),
        (
            "#[repr(C, u8)] struct D(u8);",
            "TraceEnum: expected an enum",
        ),
        (
            "#[repr(u8)] enum D { A(u8) }",
            "TraceEnum: a variant with fields has no value that can be traced",
        ),
        (
            "#[repr(u8)] enum D { #[name = 1] A }",
            "TraceEnum: expected `#[name = \"text\"]`",
        ),
    ] {
        assert_eq!(errors(derive_trace_enum, input), [error]);
    }
}

#[test]
fn flags() {
    let input = "#[repr(u32)] #[flags(F, \"|\")] enum Flag { A = 1 << 4, B = 1 << 31 }";
    let code = expand(derive_trace_flags, input);
    assert!(code.contains("Flag::Aas::core::primitive::u32"));
    assert!(code.contains("Flag::Bas::core::primitive::u32"));
    assert!(code.contains("__p::Argfor F".replace(' ', "").as_str()));
    let input =
        "#[repr(u8)] #[flags(F, \"|\")] enum Flag { #[name = \"none\"] A = 0, #[name = \"b\"] B = 1 }";
    let code = expand(derive_trace_flags, input);
    assert!(code.contains("c\"none\""));
    let usage = "TraceFlags: an enum of flags needs `#[flags(Type, \"|\")]`, with the type that \
                 combines them";
    for input in [
        "#[repr(u8)] enum F { A = 1 }",
        "#[repr(u8)] #[flags] enum F { A = 1 }",
        "#[repr(u8)] #[flags(G)] enum F { A = 1 }",
        "#[flags(\"|\", X => \"x\")] struct F(u32);",
    ] {
        assert_eq!(errors(derive_trace_flags, input), [usage]);
    }
}

#[test]
fn names_in_tables() {
    let text = |name: &str| LitStr::new(name, Span::call_site());
    for name in ["", " ", "~", "a-b c!", "'"] {
        assert!(crate::tables::text(&text(name)).is_ok(), "{name}");
    }
    for name in ["\"", "a\\", "a\tb", "\u{7f}", "\u{e4}", "ab\n"] {
        assert!(crate::tables::text(&text(name)).is_err(), "{name}");
    }
}

/// The highest bit is shown with the delimiter after its name.
#[test]
fn delimiter_after_a_name() {
    for (name, delimiter) in [("REC->a", "->"), ("REC", "->a->")] {
        let input = format!(
            r#"#[flags(G, "{delimiter}")] #[repr(u64)] enum F {{ #[name = "{name}"] A = 1 << 63 }}"#
        );
        let error = format!("TraceFlags: {}", crate::tables::DEREFERENCE);
        assert_eq!(errors(derive_trace_flags, &input), [error]);
    }
}

/// The same enum in another module can have other values.
#[test]
fn numbers() {
    let item = quote!(
        enum Op {
            A = N,
        }
    );
    assert_ne!(number_of(&item), number_of(&item));
}
