// SPDX-License-Identifier: GPL-2.0

//! What can follow `with`, and the hooks in `define_trace!`.
//!
//! ```text
//! options = "{" { ("reg" | "unreg" | "perf_perm") ":" path "," | "flags" ":" "CAP_ANY" ","
//!           | "perf_count" ":" expression "," } "}"
//! ```
//!
//! `perf_count` belongs to the class; all else belongs to an event.

use crate::{
    layers::Layer,
    model::{Options, With},
    tokens::{local, span_of},
};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ext::IdentExt, parse::ParseStream, Error, Expr, ExprPath, Path, Result, Token};

pub(crate) static LAYER: Layer = Layer {
    options: |input, name, of| Some(parse(input, name, of)),
    ..Layer::NONE
};

/// The options, and what each of them takes: first the hooks, and last what belongs to the class.
const OPTIONS: [(&str, &str); 5] = [
    ("reg", "function"),
    ("unreg", "function"),
    ("flags", "CAP_ANY"),
    ("perf_perm", "function"),
    ("perf_count", "expression"),
];

fn parse(input: ParseStream<'_>, event: &Ident, of: Options) -> Result<With> {
    let allowed = match of {
        Options::Definition => &OPTIONS[..2],
        Options::Member => &OPTIONS[..4],
        Options::Class => &OPTIONS[4..],
        Options::Event => &OPTIONS[..],
    };
    let expected = allowed
        .iter()
        .map(|(key, value)| format!("`{key}: {value}`"));
    let usage = format!(
        "`{event}`: expected {}",
        expected.collect::<Vec<_>>().join(", ")
    );
    let usage = |span| Error::new(span, &usage);
    let (mut with, mut given) = (With::default(), Vec::new());
    let (mut reg, mut unreg) = (None, None);
    while !input.is_empty() {
        let key = input.call(Ident::parse_any).map_err(|e| usage(e.span()))?;
        if !allowed.iter().any(|(allowed, _)| key == allowed) {
            return Err(usage(key.span()));
        }
        if given.contains(&key) {
            let error = format!("`{event}`: `{key}` is given twice");
            return Err(Error::new(key.span(), error));
        }
        input.parse::<Token![:]>().map_err(|e| usage(e.span()))?;
        let value: Expr = input.parse().map_err(|e| usage(e.span()))?;
        let span = span_of(&value);
        let path = match &value {
            Expr::Path(ExprPath {
                path, qself: None, ..
            }) => Some(path.clone()),
            _ => None,
        };
        match (key.to_string().as_str(), path) {
            ("perf_count", _) => with.perf_count = Some(value),
            ("flags", Some(flag)) if flag.is_ident("CAP_ANY") => with.flags = quote!(__p::CAP_ANY),
            ("reg", Some(function)) => reg = Some(function),
            ("unreg", Some(function)) => unreg = Some(function),
            ("perf_perm", Some(function)) => with.perf_perm = perf_perm(&function),
            _ => return Err(usage(span)),
        }
        given.push(key);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    let (key, missing) = match (&reg, &unreg) {
        (Some(reg), Some(unreg)) => {
            with.hooks = hooks(reg, unreg);
            return Ok(with);
        }
        (Some(reg), None) => (reg, "unreg"),
        (None, Some(unreg)) => (unreg, "reg"),
        (None, None) => return Ok(with),
    };
    Err(Error::new_spanned(
        key,
        format!("`{event}`: `reg` and `unreg` go together, but `{missing}` is missing"),
    ))
}

/// Expands what an implementation of `Hooks` has.
fn hooks(reg: &Path, unreg: &Path) -> TokenStream {
    // An error about a function's type is at its name.
    let reg = quote_spanned! {span_of(reg)=>
        (__p::Expect::<fn() -> __p::Result> { function: #reg }.function)()
    };
    let unreg = quote_spanned! {span_of(unreg)=>
        (__p::Expect::<fn()> { function: #unreg }.function)()
    };
    quote! {
        const EXIST: __p::bool = true;

        fn reg() -> __p::Result {
            #reg
        }

        fn unreg() {
            #unreg
        }
    }
}

/// Expands the function that perf calls before somebody uses the event, an `Option`.
fn perf_perm(function: &Path) -> TokenStream {
    let event = local("event");
    quote! {
        __p::Some({
            // The safe half.
            fn __decide(#event: &__p::PerfEvent) -> __p::Result {
                #function(#event)
            }

            // # Safety
            //
            // Called by kernel/trace/trace_event_perf.c.
            unsafe extern "C" fn __perf_perm(
                _: *mut __p::trace_event_call,
                event: *mut __p::bindings::perf_event,
            ) -> __p::c_int {
                // SAFETY: `perf_trace_event_perm()`, under `event_mutex`.
                __p::errno(unsafe {
                    __p::perf_perm(|| __decide(__p::PerfEvent::from_raw(&event)))
                })
            }
            __perf_perm
        })
    }
}
