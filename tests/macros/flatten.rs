// SPDX-License-Identifier: GPL-2.0

//! Tests of `layers/flatten/macros.rs`.

use super::*;
use crate::derive;

/// Where spaces are depends on how tokens were made.
fn text(tokens: impl ToString) -> String {
    tokens.to_string().replace([' ', '\n'], "")
}

#[test]
fn a_field_is_deferred() {
    let event = "fn e(r: &R) { a: u8 = 1, #[shown] #[flatten] r: m::R<'_> = r, } print \"\";";
    let call = defer("trace_event", &TokenStream::new(), &event.parse().unwrap()).unwrap();
    assert_eq!(
        text(call),
        text(format!("m::R! {{ trace_event {{ {event} }} }}"))
    );
    for event in [
        "fn e() { a: [u8; 1] = [1], }",
        "#[flatten] fn e() { a: u8 = 1, }",
        "fn e() { #[flatten] a }",
    ] {
        assert!(defer("trace_event", &TokenStream::new(), &event.parse().unwrap()).is_none());
    }
    let error = defer(
        "trace_event",
        &TokenStream::new(),
        &"{ #[flatten] a: (u8,) = 1 }".parse().unwrap(),
    );
    assert!(error.unwrap().to_string().contains("derive(TraceFields)"));
}

#[test]
fn members_are_put_in_its_place() {
    let input = "trace_event { op: _, len: u32, } { fn e() { let x = y; a: u8 = 1, #[shown] \
                 #[flatten] r: m::R<'_> = f(x), b: u8 = 2 } }";
    let call = insert(input.parse().unwrap()).unwrap();
    assert_eq!(
        text(call),
        text(
            "::tracepoint::__private::macros::trace_event! { \
             fn e() { let x = y; let __r = &(f(x)); a: u8 = 1, \
             #[shown] r_op: <m::R<'static> as ::tracepoint::__private::Member<0>>::Type = __r.op, \
             #[shown] r_len: u32 = __r.len, b: u8 = 2 } }"
        )
    );
}

#[test]
fn types_of_members() {
    for (ty, expected) in [
        ("u32", Some("u32")),
        ("&'a CStr", Some("::tracepoint::event::Str")),
        (
            "Option<&'a core::ffi::CStr>",
            Some("::tracepoint::event::Str"),
        ),
        ("&[u16]", Some("::tracepoint::event::DynArray<u16>")),
        ("&[u8; 6]", Some("[u8; 6usize]")),
        ("[bool; 2]", Some("[bool; 2usize]")),
        ("Op", None),
        ("[Op; 2]", None),
        ("&Task", None),
        ("Option<Op>", None),
    ] {
        let found = field_type(&syn::parse_str(ty).unwrap()).map(text);
        assert_eq!(found, expected.map(text), "{ty}");
    }
}

fn derived_from(input: &str) -> TokenStream {
    derive::expand("TraceFields", input.parse().unwrap(), trace_fields)
}

#[test]
fn derived() {
    let input = "pub struct R<'a> { op: Op, #[skip] task: &'a Task, name: &'a CStr, o: A<'a> }";
    let code = text(derived_from(input));
    assert!(code.contains(&text("Member<0> for R<'static> { type Type = Op; }")));
    assert!(code.contains(&text(
        "Member<2> for R<'static> { type Type = A<'static>; }"
    )));
    assert!(code.contains(&text("{ op: _, name: ::tracepoint::event::Str, o: _, }")));
    assert!(code.contains(&text("pub(crate) use __trace_fields_R as R;")));
    for (input, error) in [
        ("enum E { A }", "TraceFields: expected a struct with named"),
        (
            "struct S<'a> { t: &'a Task }",
            "TraceFields: the member `t` can't be a field",
        ),
        (
            "struct S { t: KVec<u8> }",
            "TraceFields: the member `t` can't be a field",
        ),
        ("struct S(u8);", "TraceFields: expected a struct with named"),
    ] {
        let code = derived_from(input).to_string();
        assert!(code.contains(error), "{code}");
    }
}
