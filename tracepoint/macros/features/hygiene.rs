// SPDX-License-Identifier: GPL-2.0

//! Names in an expansion that nothing of a driver's can mean or be taken for.
//!
//! The compiler resolves what a driver wrote among the names of the expansion around it. If these had
//! ordinary spans, a driver's `__p::Type` would be a type of the library there, and its own everywhere else. So
//! they get the span of this crate's definition, as those of a `macro` have: a name of the driver's, whether it's
//! in the input or comes from one of the driver's macros, is never equal to one of them.
//!
//! `quote!` makes all tokens alike. So all names of ours that a driver could see start with two underscores. A
//! driver's name that does so becomes a raw identifier in the input, which doesn't change its meaning, and the
//! other ones in the output are ours.
//!
//! An expression that one of the driver's macros has put into the input is a group without delimiters. The
//! compiler ignores those in the output, so the input gets parentheses instead.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::Expr;

/// The start of names that other expansions refer to, or that have the place of a type: the compiler would report
/// an error about it once more.
const VISIBLE: [&str; 5] = [
    "__entry",
    "__iterator",
    "__private",
    "__probestub",
    "__c_arg",
];

/// Returns the input of a macro with raw identifiers for the driver's names.
pub(crate) fn theirs(input: TokenStream) -> TokenStream {
    replace(input.clone(), &Ident::new_raw).unwrap_or(input)
}

/// Returns the output of a macro with names that nothing else can mean.
pub(crate) fn ours(output: TokenStream) -> TokenStream {
    let ours = |name: &str, span: Span| Ident::new(name, Span::def_site().located_at(span));
    replace(output.clone(), &ours).unwrap_or(output)
}

/// Returns whether a group without delimiters is an expression whose parts what's around it could take.
fn is_operation(group: &Group) -> bool {
    group.delimiter() == Delimiter::None
        && matches!(
            syn::parse(group.stream()),
            Ok(Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Unary(_))
        )
}

/// Returns the tokens with another identifier for each of these names, or `None` if there's none: a group that
/// is made anew has one place instead of two for its ends.
fn replace(tokens: TokenStream, with: &impl Fn(&str, Span) -> Ident) -> Option<TokenStream> {
    let (mut found, mut is_lifetime) = (false, false);
    let one = |mut token| {
        let new = match &token {
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                let is_hidden =
                    name.starts_with("__") && !VISIBLE.iter().any(|start| name.starts_with(start));
                (is_hidden && !is_lifetime).then(|| with(&name, ident.span()).into())
            }
            TokenTree::Group(group) => {
                let is_operation = is_operation(group);
                let stream = replace(group.stream(), with);
                (is_operation || stream.is_some()).then(|| {
                    let (mut delimiter, mut span) = (group.delimiter(), group.span());
                    if is_operation {
                        // They aren't the driver's, whom the compiler would warn about them.
                        delimiter = Delimiter::Parenthesis;
                        span = Span::mixed_site().located_at(span);
                    }
                    let mut new = Group::new(delimiter, stream.unwrap_or_else(|| group.stream()));
                    new.set_span(span);
                    new.into()
                })
            }
            _ => None,
        };
        is_lifetime = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        if let Some(new) = new {
            (token, found) = (new, true);
        }
        token
    };
    let replaced = tokens.into_iter().map(one).collect();
    found.then_some(replaced)
}
