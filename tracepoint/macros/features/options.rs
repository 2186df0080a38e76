// SPDX-License-Identifier: GPL-2.0

//! The options that can follow `with`, and the hooks in `define_trace!`.
//!
//! ```text
//! options = "{" { ("reg" | "unreg" | "perf_perm") ":" function "," | "flags" ":" "CAP_ANY" ","
//!           | "perf_count" ":" expression "," } "}"
//! ```
//!
//! `perf_count` belongs to the class; all else belongs to an event.

use crate::{
    model::With,
    tokens::{local, span_of},
};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned, ToTokens};
use syn::{
    parse::{Parse, ParseStream},
    Error, Expr, FieldValue, Result, Token,
};

/// Parses options, each of which has to be one of those that are allowed.
pub(crate) fn options(input: ParseStream<'_>, allowed: &[&'static str]) -> Result<With> {
    let (mut with, mut reg, mut unreg) = (With::default(), None, None);
    let mut allowed = allowed.to_vec();
    for option in input.parse_terminated(FieldValue::parse, Token![,])? {
        let (key, value) = (option.member.to_token_stream(), option.expr);
        let Some(at) = allowed.iter().position(|name| key.to_string() == *name) else {
            let error = format!("expected one of: {}", allowed.join(", "));
            return Err(Error::new_spanned(key, error));
        };
        match allowed.remove(at) {
            "reg" => reg = Some(value),
            "unreg" => unreg = Some(value),
            "perf_perm" => with.perf_perm = Some(perf_perm(&value)),
            "perf_count" => with.perf_count = Some(value),
            _ if matches!(&value, Expr::Path(flag) if flag.path.is_ident("CAP_ANY")) => {
                with.flags = Some(quote!(__p::CAP_ANY));
            }
            _ => return Err(Error::new(span_of(&value), "expected `CAP_ANY`")),
        }
    }
    match (reg, unreg) {
        (None, None) => {}
        (Some(reg), Some(unreg)) => with.hooks = hooks(&reg, &unreg),
        (one, other) => {
            let error = "`reg` and `unreg` go together";
            return Err(Error::new_spanned(one.or(other), error));
        }
    }
    Ok(with)
}

/// Expands what an implementation of `Hooks` has.
fn hooks(reg: &Expr, unreg: &Expr) -> TokenStream {
    let reg = function(reg, &quote!(fn() -> __p::Result));
    let unreg = function(unreg, &quote!(fn()));
    quote! {
        const EXIST: __p::bool = true;

        fn reg() -> __p::Result {
            #reg()
        }

        fn unreg() {
            #unreg()
        }
    }
}

/// Expands to a function of this type. If it has another one, the error is at the function.
fn function(function: &Expr, ty: &TokenStream) -> TokenStream {
    quote_spanned!(span_of(function)=> (__p::Expect::<#ty> { function: #function }.function))
}

/// Expands the function that perf calls before somebody uses the event.
fn perf_perm(value: &Expr) -> TokenStream {
    let event = local("event");
    let function = function(value, &quote!(fn(&__p::PerfEvent) -> __p::Result));
    quote!({
        // The safe half.
        fn __decide(#event: &__p::PerfEvent) -> __p::Result {
            #function(#event)
        }

        // # Safety
        //
        // Only kernel/trace/trace_event_perf.c may call this.
        unsafe extern "C" fn __perf_perm(
            _: *mut __p::trace_event_call,
            event: *mut __p::bindings::perf_event,
        ) -> __p::c_int {
            // SAFETY: `perf_trace_event_perm()` (kernel/trace/trace_event_perf.c) calls this
            // under `event_mutex`, with the event that is being opened.
            __p::errno(unsafe { __p::perf_perm(|| __decide(__p::PerfEvent::from_raw(&event))) })
        }
        __perf_perm
    })
}
