// SPDX-License-Identifier: GPL-2.0

//! Tests of what the macros expand to.

use crate::{
    define, grammar,
    linux::macros::headers,
    model::Class,
    tests::{event, expand, parse, parsed, refused, text},
};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::Parser;

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
    let events = grammar::events.parse_str(&format!("system: \"drv\"; {input}"));
    let mut class: Class = parsed(events.unwrap().remove(0).1);
    (class.kind.apply)(&mut class).unwrap();
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
            "a field `result`: yours needs another name",
        ),
        (
            "instant fn s() { track_event_type: u8 = 1 } print \"\";",
            "a field `track_event_type`: yours needs another name",
        ),
        (
            "counter fn s() { n: u32 = 1 } print \"\";",
            "has no `counter_value` field",
        ),
        (
            "counter fn s() { counter_value: bool = true } print \"\";",
            "must be an integer",
        ),
        ("async fn s() { n: u32 = 1 } print \"\";", "expected `fn`"),
        (
            "async span fn s() { scope_tgid: u32 = 1 } print \"\";",
            "each `async span` has a track of its own",
        ),
        (
            "instant fn s() { scope_x: Str = c\"\" } print \"\";",
            "`scope_x` must be an integer",
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
            "an argument `span`: yours needs another name",
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
    assert!(!code.contains("Srcu"));
}

#[test]
fn names_in_c() {
    let code = text(&define::define(&parse("events::r#type")).unwrap().items());
    for name in [
        "__tracepoint_type",
        "__SCK__tp_func_type",
        "__probestub_type",
    ] {
        assert!(code.contains(name), "{name}");
    }
    let code = text(&define::export(&parse("a::b"), "GPL"));
    assert!(code.contains("__export_symbol___tracepoint_b:\\n.asciz"));
    assert!(code.contains("hash=const<a::bas::tracepoint::__private::Identity>::HASH"));
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
    assert!(code("#[r#repr(packed)] struct A { n: u32 }").contains("\"#[r#repr(packed)]A\""));
    let with_lifetime = code("struct A<'a> { name: &'a CStr }");
    assert!(with_lifetime.contains("typeAt<'__at>=A<'__at>"));
    assert!(with_lifetime.contains("<&'staticCStras__p::Element>::TYPE"));
}

#[test]
fn lists_of_one_kind() {
    let paths: Vec<syn::Path> = grammar::list.parse_str("a, b::c").unwrap();
    assert_eq!(paths.len(), 2);
    assert!(grammar::list::<syn::Path>.parse_str("a b").is_err());
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
        .map(|(name, header)| {
            let (system, declaration) = (header.system, header.declaration(name).unwrap());
            let (conditional, faultable) = (header.conditional, header.faultable);
            format!("{system} {conditional} {faultable} {declaration}")
        })
        .collect();
    all.sort();
    let expected = [
        r##"my-system true false #[doc = "`fn n(n: usize)`"] pub fn r#n(n: usize);"##,
        r##"sched false false #[doc = "`fn sched_switch(preempt: bool, prev: &Task, next__nullable: Option<&Task>, rq: *const *mut rq, name: &CStr, act: *const c_void, gfp: gfp_t)`"] pub fn r#sched_switch(preempt: bool, prev: &kernel::task::Task, next__nullable: Option<&kernel::task::Task>, rq: *const *mut c::rq, name: &CStr, act: *const c_void, gfp: c::gfp_t);"##,
        r##"x false true #[doc = "`fn none()`"] pub fn r#none();"##,
    ];
    assert_eq!(all, expected);
}
