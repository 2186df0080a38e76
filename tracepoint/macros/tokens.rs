// SPDX-License-Identifier: GPL-2.0

//! Names, places and blocks of tokens.

use crate::place::join;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::collections::BTreeSet;
use syn::{ext::IdentExt, Error, Expr, Lit, LitInt, Result};

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
pub(crate) fn c_name(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Refuses a name that no C code can use: the kernel's headers, BPF programs and bpftrace read arguments and fields
/// as C.
pub(crate) fn check_c_name(name: &Ident) -> Result<()> {
    const KEYWORDS: &str = "asm auto break case char const continue default do double else enum extern float for \
                            goto if inline int long register restrict return short signed sizeof static struct \
                            switch typedef typeof union unsigned void volatile while";
    // Types and macros of the kernel's or the compiler's.
    const OTHERS: &str = "bool current linux s16 s32 s64 s8 size_t ssize_t u16 u32 u64 u8 unix";
    let text = c_name(name);
    let meanings = [
        (KEYWORDS, "is a keyword of C"),
        (OTHERS, "has a meaning in C"),
    ];
    let mut meanings = meanings.iter();
    let Some((_, what)) = meanings.find(|(list, _)| list.split(' ').any(|word| word == text))
    else {
        return Ok(());
    };
    let error = format!("`{text}` {what}, so neither C nor bpftrace could use this name");
    Err(Error::new(name.span(), error))
}

/// Names, none of which may be declared twice.
pub(crate) type Names = BTreeSet<String>;

/// Adds a name to those that are declared.
pub(crate) fn declare(names: &mut Names, name: &Ident) -> Result<()> {
    if names.insert(c_name(name)) {
        return Ok(());
    }
    let error = format!("`{name}` is declared twice");
    Err(Error::new(name.span(), error))
}

/// Returns a group at a place.
pub(crate) fn group(delimiter: Delimiter, tokens: TokenStream, span: Span) -> Group {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(span);
    group
}

/// Returns the tokens in a group whose place is that of the last one. What's missing at the end is missed there.
pub(crate) fn closed(delimiter: Delimiter, tokens: TokenStream) -> TokenStream {
    let last = tokens.clone().into_iter().last();
    let span = last.map_or_else(Span::call_site, |token| token.span());
    group(delimiter, tokens, span).into_token_stream()
}

/// Whether an expression goes on after this token.
pub(crate) fn goes_on(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => punct.as_char() != ',',
        TokenTree::Ident(word) => word == "if" || word == "match",
        _ => false,
    }
}

/// Returns an expression without parentheses.
pub(crate) fn inner(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => inner(&paren.expr),
        Expr::Group(group) => inner(&group.expr),
        expr => expr,
    }
}

/// Returns the name, if it's nothing else.
pub(crate) fn as_name(expr: &Expr) -> Option<&Ident> {
    match inner(expr) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// Returns the integer, if it's a literal.
pub(crate) fn as_integer(expr: &Expr) -> Option<&LitInt> {
    match inner(expr) {
        Expr::Lit(expr) => match &expr.lit {
            Lit::Int(int) => Some(int),
            _ => None,
        },
        _ => None,
    }
}

/// Returns an `Option` of the expansion.
pub(crate) fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
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

/// Expands a block of items in which `__p` is the library's `__private`, and which the driver can't
/// name.
pub(crate) fn block(items: TokenStream) -> TokenStream {
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

/// The expansion of a declaration or a definition.
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
