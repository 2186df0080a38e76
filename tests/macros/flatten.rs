// SPDX-License-Identifier: GPL-2.0

//! Tests of `layers/flatten/macros.rs`.

use super::*;
use crate::{derive, tests};

/// Where spaces are depends on how tokens were made.
fn text(tokens: impl ToString) -> String {
    tokens.to_string().replace([' ', '\n'], "")
}

/// Expands an event.
fn expand(event: &str) -> String {
    text(tests::expand(
        "trace_event",
        &format!("system: \"drv\"; {event}"),
    ))
}

#[test]
fn a_field_is_deferred() {
    let event = "fn e(r: &R) { a: u8 = 1, #[shown] #[flatten] r: m::R<'_> = r, } print \"\";";
    let call = format!("m::R! {{ trace_event {{ system: \"drv\"; }} {event} }}");
    assert_eq!(expand(event), text(call));
    for event in [
        "fn e() { a: [u8; 1] = [1], } print \"\";",
        "fn e() { #[flatten] a } print \"\";",
        "fn e() { #[flatten] a: R as \"r\" = 1 } print \"\";",
    ] {
        assert!(!expand(event).contains("R!"));
    }
    let error = expand("fn e() { #[flatten] a: (u8,) = 1 } print \"\";");
    assert!(error.contains("derive(TraceFields)"));
}

/// Returns the values and the fields of an event with known members, and the macro that it's left to.
fn flattened(event: &str) -> (String, String) {
    let mut class: Class = tests::parse(event);
    let next = flatten(&mut class).unwrap();
    let values = class.values.iter().map(|local| {
        let (pat, init) = (&local.pat, &local.init.as_ref().unwrap().expr);
        quote!(let #pat = #init;)
    });
    let fields = class.fields.iter().map(|field| {
        let (attrs, name, ty, value) = (&field.attrs, &field.name, &field.ty, &field.value);
        quote!(#(#attrs)* #name: #ty = #value,)
    });
    (text(quote!(#(#values)* #(#fields)*)), text(quote!(#next)))
}

#[test]
fn members_are_put_in_its_place() {
    let members = "let x = y; let __of_r = &(f(x)); a: u8 = 1, \
             #[shown] r_op: <m::R<'static> as ::tracepoint::__private::Member<0>>::Type = __of_r.op, \
             #[shown] r_len: u32 = __of_r.len, b: u8 = 2,";
    let event = "#[flattened(op: _, len: u32,)] fn e() { let x = y; a: u8 = 1, #[shown] \
                 #[flatten] r: m::R<'_> = f(x), b: u8 = 2 } print \"\";";
    assert_eq!(flattened(event), (text(members), String::new()));
    // A member can be flattened, too.
    let event = "#[flattened(#[flatten] q: Q,)] class e() { #[flatten] r: R = r } print \"\" events { fn e; }";
    let members = "let __of_r = &(r); #[flatten] r_q: Q = __of_r.q,";
    assert_eq!(flattened(event), (text(members), text("Q")));
    let event = format!("#[flattened(n: u8)] {event}");
    let members = "let __of_r = &(r); let __of_r_q = &(__of_r.q); r_q_n: u8 = __of_r_q.n,";
    assert_eq!(flattened(&event), (text(members), String::new()));
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
    assert!(code.contains(&text(
        "#[flattened(op: _, name: ::tracepoint::event::Str, o: _,)]"
    )));
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
