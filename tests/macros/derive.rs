// SPDX-License-Identifier: GPL-2.0

use super::*;
use crate::structs::macros as structs;

fn text(expand: fn(TokenStream) -> TokenStream, input: &str) -> String {
    expand(input.parse().unwrap()).to_string()
}

fn trace_struct(input: TokenStream) -> TokenStream {
    expand("TraceStruct", input, structs::trace_struct)
}

#[test]
fn structs() {
    let code = text(
        trace_struct,
        "#[repr(C)] struct Pair { a: u32, b: [u8; 4] }",
    );
    assert!(code.contains("no_padding :: < u32 >") && code.contains("no_padding :: < [u8 ; 4] >"));
    for (input, error) in [
        ("enum E { A }", "TraceStruct: expected a struct"),
        (
            "struct S { a: u32 }",
            "TraceStruct: the struct needs a `#[repr(C)]`",
        ),
    ] {
        assert!(text(trace_struct, input).contains(error), "{input}");
    }
}

#[test]
fn arguments() {
    let code = text(
        tracepoint_arg,
        "struct R<'a, 'b> { a: &'a u32, b: &'b u32 }",
    );
    assert!(code.contains("type At < '__at > = R < '__at , '__at >"));
    assert!(code.contains("__check"));
    let (a, b) = (
        text(tracepoint_arg, "struct A;"),
        text(tracepoint_arg, "struct A;"),
    );
    assert!(a != b && !a.contains("__check"));
}
