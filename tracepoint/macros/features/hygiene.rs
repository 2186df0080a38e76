// SPDX-License-Identifier: GPL-2.0

//! Names in an expansion that nothing of a driver's can mean or be taken for.
//!
//! The compiler resolves what a driver wrote among the names of the expansion around it. If these had
//! ordinary spans, a driver's `__p::Type` would be a type of the library there, and its own everywhere else. So
//! they get the span of this crate's definition, as those of a `macro` have: a name of the driver's, whether it's
//! in the input or comes from one of the driver's macros, is never equal to one of them.
//!
//! `quote!` makes all tokens alike. For that reason, such a name is a raw identifier in the input, which
//! doesn't change its meaning, and the other ones in the output are ours.

use crate::layers::Layer;
use proc_macro::{Group, Ident, Span, TokenStream, TokenTree};

pub(crate) static LAYER: Layer = Layer {
    input: |input| replace(input.clone(), &Ident::new_raw).unwrap_or(input),
    output: |output| {
        let ours = |name: &str, span: Span| Ident::new(name, Span::def_site().located_at(span));
        replace(output.clone(), &ours).unwrap_or(output)
    },
    ..Layer::NONE
};

/// What the other names start with.
const PREFIXES: [&str; 5] = [
    "__C",
    "__PRINT_",
    "__TABLE_",
    "__trace_raw_output_",
    "trace_event_condition_",
];

/// The names, sorted.
const HIDDEN: [&str; 30] = [
    "__BPF",
    "__CALL",
    "__CLASS",
    "__F",
    "__NAME",
    "__OUTPUT",
    "__RECORD_SIZE",
    "__Raw",
    "__STATIC_CALL_KEY",
    "__TABLE",
    "__TEXT",
    "__TRACEPOINT",
    "__TYPES",
    "__body",
    "__bpf_trace",
    "__c",
    "__check",
    "__data",
    "__decide",
    "__ent",
    "__exact",
    "__p",
    "__perf_perm",
    "__perf_trace",
    "__record",
    "__stub",
    "__thunk",
    "__trace_event_raw_event",
    "__traceiter",
    "__trampoline",
];

fn is_hidden(name: &str) -> bool {
    name.starts_with("__") && HIDDEN.binary_search(&name).is_ok()
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the tokens with another identifier for each of these names, or `None` if there's none.
fn replace(tokens: TokenStream, with: &impl Fn(&str, Span) -> Ident) -> Option<TokenStream> {
    let mut found = false;
    let replaced: Vec<_> = tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                if !is_hidden(&name) {
                    return TokenTree::Ident(ident);
                }
                found = true;
                TokenTree::Ident(with(&name, ident.span()))
            }
            TokenTree::Group(group) => match replace(group.stream(), with) {
                None => TokenTree::Group(group),
                Some(stream) => {
                    found = true;
                    let mut new = Group::new(group.delimiter(), stream);
                    new.set_span(group.span());
                    TokenTree::Group(new)
                }
            },
            token => token,
        })
        .collect();
    found.then(|| replaced.into_iter().collect())
}

#[cfg(test)]
#[path = "../../../tests/macros/hygiene.rs"]
mod tests;
