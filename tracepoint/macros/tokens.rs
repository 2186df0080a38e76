// SPDX-License-Identifier: GPL-2.0

//! Names, places and blocks of tokens.

use crate::place::join;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, ToTokens};
use std::hash::{DefaultHasher, Hash, Hasher};
use syn::{ext::IdentExt, Attribute, Error, Expr, Result};

/// Returns the span of all tokens of a type or an expression.
///
/// `Spanned::span()` is that of the first token: the kernel builds `proc-macro2` without `join`.
pub(crate) fn span_of(tokens: &impl ToTokens) -> Span {
    let mut spans = tokens
        .to_token_stream()
        .into_iter()
        .map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    join(first, spans.last().unwrap_or(first))
}

/// Returns the name of a tracepoint as C has it.
pub(crate) fn c_name(name: &Ident) -> Result<String> {
    let text = name.unraw().to_string();
    if text.is_ascii() {
        Ok(text)
    } else {
        Err(Error::new(
            name.span(),
            format!("`{text}` can't be the name of a C symbol: use ASCII characters"),
        ))
    }
}

/// Refuses `#[cfg]` in a declaration.
pub(crate) fn no_cfg(attrs: &[Attribute]) -> Result<()> {
    match attrs.iter().find(|attr| attr.path().is_ident("cfg")) {
        Some(attr) => Err(Error::new(
            attr.path().segments[0].ident.span(),
            "`#[cfg]` can only be on the whole declaration",
        )),
        None => Ok(()),
    }
}

/// Refuses a keyword, except as `r#keyword`.
pub(crate) fn not_a_keyword(name: &Ident) -> Result<()> {
    if syn::parse2::<Ident>(name.to_token_stream()).is_ok() {
        return Ok(());
    }
    let text = name.to_string();
    let help = match text.as_str() {
        "self" | "Self" | "super" | "crate" | "_" => "use another name".to_string(),
        _ => format!("write `r#{text}`"),
    };
    Err(Error::new(
        name.span(),
        format!("`{text}` is a keyword: {help}"),
    ))
}

/// Returns an expression without parentheses.
pub(crate) fn inner(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => inner(&paren.expr),
        Expr::Group(group) => inner(&group.expr),
        expr => expr,
    }
}

/// A local of ours, which an expression of the driver's can't see.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

pub(crate) fn c_string(text: &str) -> proc_macro2::Literal {
    // No NUL can come from a Rust identifier or a checked literal.
    proc_macro2::Literal::c_string(&std::ffi::CString::new(text).unwrap_or_default())
}

/// Returns a number that's the same for the same tokens, and differs from that of others.
pub(crate) fn number_of(tokens: &impl ToTokens) -> u64 {
    let mut hasher = DefaultHasher::new();
    tokens.to_token_stream().to_string().hash(&mut hasher);
    hasher.finish() >> 1
}

/// Expands a block of items in which `__p` is the library's `__private`, and which the driver can't
/// name.
pub(crate) fn block(items: TokenStream) -> TokenStream {
    if items.is_empty() {
        return items;
    }
    // `improper_ctypes`: structs that C leaves empty in some configurations.
    quote! {
        #[allow(
            clashing_extern_declarations,
            dead_code,
            improper_ctypes,
            improper_ctypes_definitions,
            non_local_definitions,
            path_statements,
            unreachable_pub,
            clippy::missing_safety_doc,
            clippy::too_many_arguments,
        )]
        const _: () = {
            use ::tracepoint::__private as __p;
            #items
        };
    }
}

/// What a declaration or a definition expands to.
#[derive(Default)]
pub(crate) struct Expansion {
    /// Items that the driver can name, and assembly.
    pub(crate) outside: TokenStream,
    /// Items that belong in a [`block`].
    pub(crate) inside: TokenStream,
}

impl Expansion {
    /// Returns all of it as items.
    pub(crate) fn items(self) -> TokenStream {
        let mut items = self.outside;
        items.extend(block(self.inside));
        items
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.outside.extend(other.outside);
        self.inside.extend(other.inside);
    }
}
