// SPDX-License-Identifier: GPL-2.0

//! Where in a template an error is.

use proc_macro::{TokenStream, TokenTree};
use proc_macro2::Span;
use quote::ToTokens;
use std::ops::Range;
use syn::LitStr;

/// Returns the span of a part of a literal's value, or that of the literal.
pub(crate) fn subspan(literal: &LitStr, range: Range<usize>) -> Span {
    part(literal, range).unwrap_or_else(|| literal.span())
}

fn part(literal: &LitStr, range: Range<usize>) -> Option<Span> {
    // Outside of the compiler, as in tests, literals have no source.
    if !proc_macro::is_available() {
        return None;
    }
    let tokens: TokenStream = literal.to_token_stream().into();
    let Some(TokenTree::Literal(token)) = tokens.into_iter().next() else {
        return None;
    };
    let source = token.to_string();
    let start = source.find('"')? + 1;
    // Nothing is shifted by an escape before it.
    if !source[start..].starts_with(literal.value().get(..range.end)?) {
        return None;
    }
    let part = token.subspan(start + range.start..start + range.end);
    part.map(Span::from)
}
