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

use proc_macro::{Group, Ident, Span, TokenStream, TokenTree};

/// The names, sorted.
const HIDDEN: [&str; 26] = [
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
    "__bpf_trace",
    "__check",
    "__data",
    "__decide",
    "__ent",
    "__exact",
    "__p",
    "__perf_perm",
    "__perf_trace",
    "__record",
    "__thunk",
    "__trace_event_raw_event",
    "__trampoline",
];

fn is_hidden(name: &str) -> bool {
    name.starts_with("__") && HIDDEN.binary_search(&name).is_ok()
}

/// Returns a name of ours that isn't in the list.
pub(crate) fn hidden(name: &str) -> proc_macro2::Ident {
    let span = match proc_macro::is_available() {
        true => Span::def_site().into(),
        false => proc_macro2::Span::mixed_site(),
    };
    proc_macro2::Ident::new(name, span)
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

/// Expands a macro with its input.
pub(crate) fn expand(
    input: TokenStream,
    expand: impl FnOnce(proc_macro2::TokenStream) -> proc_macro2::TokenStream,
) -> TokenStream {
    let input = replace(input.clone(), &Ident::new_raw).unwrap_or(input);
    let output: TokenStream = expand(input.into()).into();
    let ours = |name: &str, span: Span| Ident::new(name, Span::def_site().located_at(span));
    replace(output.clone(), &ours).unwrap_or(output)
}

#[cfg(test)]
#[path = "../../tests/macros/hygiene.rs"]
mod tests;
