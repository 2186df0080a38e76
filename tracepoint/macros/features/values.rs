// SPDX-License-Identifier: GPL-2.0

//! Expressions of fields, as values that follow a print template.
//!
//! ```text
//! value    = Rust's expression of operands, with || && == != < > <= >= | ^ & << >> + - * / %,
//!            "as" TYPE, unary - and !, parentheses, `if`, `match` and tables
//! operand  = field [ "[" INDEX "]" | "." "len" "(" ")" ] | constant | STRING | "true" | "false"
//! ```
//!
//! A value is a number or, if its operands are strings and tables, a string. `syn` parses it. `lower.rs` and
//! `computed.rs` make of it what the template shows.

use crate::{
    layers::Layer,
    show::Kind,
    tokens::{inner, span_of},
    types::Field,
    value::{key_of, Key, Table},
};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    ext::IdentExt, Block, Error, Expr, ExprIf, ExprLit, ExprMatch, Lit, LitStr, Pat, Result, Stmt,
};

mod computed;
mod lower;
// Shared with the library, which uses more of it.
#[allow(dead_code, unreachable_pub)]
#[path = "../../base/event/values/number.rs"]
pub(super) mod number;

pub(super) use lower::{bits, Nodes};

pub(crate) static LAYER: Layer = Layer {
    value: |compiler, named, spec, span| Some(compiler.computed_value(named, spec, span)),
    ..Layer::NONE
};

/// Parses a value.
pub(super) fn parse(value: &TokenStream) -> Result<Expr> {
    // In parentheses, so that a missing token has a place.
    let mut whole = Group::new(Delimiter::Parenthesis, translated(value.clone()));
    whole.set_span(
        value
            .clone()
            .into_iter()
            .last()
            .map_or_else(Span::call_site, |token| token.span()),
    );
    syn::parse2(TokenTree::from(whole).into())
}

/// Makes tokens ones that `syn` parses: puts a `!` after what looks like a helper, so that anything can be in its
/// parentheses, parentheses around the type in `as u64 << 12`, and an `r#` before a field's name.
pub(super) fn translated(tokens: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    const WORDS: [&str; 13] = [
        "if", "let", "else", "match", "as", "const", "true", "false", "crate", "self", "super",
        "Self", "unsafe",
    ];
    let mut output: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let after = |c: &[char]| matches!(output.last(), Some(TokenTree::Punct(p)) if c.contains(&p.as_char()));
        let is_cast = matches!(output.last(), Some(TokenTree::Ident(word)) if word == "as");
        let is_const = matches!(output.last(), Some(TokenTree::Ident(word)) if word == "const");
        match token {
            // What's in `const { … }` is Rust's.
            TokenTree::Group(group) if is_const => output.push(group.into()),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), translated(group.stream()));
                inner.set_span(group.span());
                output.push(inner.into());
            }
            TokenTree::Ident(name) => {
                let text = name.to_string();
                let is_word = WORDS.contains(&text.as_str());
                let is_called = matches!(tokens.peek(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                let is_helper =
                    text.starts_with("print_") || matches!(text.as_str(), "phC" | "phD");
                let is_called = is_called && is_helper && !after(&['.', ':']);
                let is_less =
                    matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == '<');
                if is_cast && is_less {
                    let span = name.span();
                    let mut ty = Group::new(Delimiter::Parenthesis, TokenTree::from(name).into());
                    ty.set_span(span);
                    output.push(ty.into());
                } else if !is_word && text != "_" && syn::parse_str::<Ident>(&text).is_err() {
                    output.push(Ident::new_raw(&text, name.span()).into());
                } else {
                    output.push(name.into());
                }
                if is_called {
                    output.push(Punct::new('!', Spacing::Alone).into());
                }
            }
            token => output.push(token),
        }
    }
    output.into_iter().collect()
}

/// Returns the table, if the value is one.
fn table_of(expr: &Expr) -> Option<Result<Table>> {
    Table::of(&inner(expr).to_token_stream())
}

/// Returns the name, if it's nothing else.
pub(super) fn as_name(expr: &Expr) -> Option<&Ident> {
    match inner(expr) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// A string.
pub(super) fn as_text(expr: &Expr) -> Option<&LitStr> {
    match inner(expr) {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        _ => None,
    }
}

/// Returns the value in `{ value }`.
fn block_of(block: &Block) -> Result<&Expr> {
    match &block.stmts[..] {
        [Stmt::Expr(expr, None)] => Ok(expr),
        _ => Err(Error::new(
            block.brace_token.span.join(),
            "expected `{ value }`",
        )),
    }
}

/// Returns the condition and the values of an `if`.
pub(super) fn branches(choice: &ExprIf) -> Result<(&Expr, &Expr, &Expr)> {
    if let Expr::Let(condition) = &*choice.cond {
        let error = "`let` can't be used in a condition: use `match`";
        return Err(Error::new(condition.let_token.span, error));
    }
    let then = block_of(&choice.then_branch)?;
    let other = match &choice.else_branch {
        Some((_, other)) => match &**other {
            Expr::Block(other) => block_of(&other.block)?,
            other => other,
        },
        None => {
            let error = "expected `else`: there must be something to show";
            return Err(Error::new(
                choice.then_branch.brace_token.span.close(),
                error,
            ));
        }
    };
    Ok((&choice.cond, then, other))
}

/// The arms of a `match`: what's matched, and the value.
pub(super) type Arms = Vec<(Vec<Key>, Expr)>;

/// Returns the arms of a `match`, and the value of the last one, which is for all other values.
pub(super) fn arms_of(choice: &ExprMatch) -> Result<(Arms, &Expr)> {
    fn keys(pat: &Pat) -> Result<Vec<Key>> {
        match pat {
            Pat::Paren(paren) => keys(&paren.pat),
            Pat::Or(or) => {
                let keys = or.cases.iter().map(keys).collect::<Result<Vec<_>>>()?;
                Ok(keys.into_iter().flatten().collect())
            }
            pat => {
                let expr = syn::parse2(pat.to_token_stream())
                    .map_err(|_| Error::new(span_of(pat), "expected a constant"))?;
                Ok(vec![key_of(expr)?])
            }
        }
    }
    let Some((last, rest)) = choice
        .arms
        .split_last()
        .filter(|(last, _)| matches!(last.pat, Pat::Wild(_)))
    else {
        let error = "a `match` needs a final arm, `_ => …`, for all other values";
        return Err(Error::new(choice.match_token.span, error));
    };
    for arm in &choice.arms {
        if let Some((guard, _)) = &arm.guard {
            return Err(Error::new(
                guard.span,
                "an arm has no condition here: use `if`",
            ));
        }
    }
    let value = |arm: &'_ syn::Arm| match &*arm.body {
        Expr::Block(_) => Err(Error::new(
            span_of(&arm.body),
            "expected a value without braces",
        )),
        _ => Ok(()),
    };
    choice.arms.iter().try_for_each(value)?;
    let rest = rest
        .iter()
        .map(|arm| Ok((keys(&arm.pat)?, (*arm.body).clone())));
    Ok((rest.collect::<Result<_>>()?, &last.body))
}

/// Returns whether a value is a text: a literal, a table or a field for which `is` says so, or a choice with one.
pub(super) fn is_text(value: &Expr, fields: &[Field<'_>], is: fn(Kind) -> bool) -> bool {
    let is_text = |value: &Expr| is_text(value, fields, is);
    match inner(value) {
        Expr::Lit(lit) => matches!(lit.lit, Lit::Str(_)),
        Expr::Macro(_) => table_of(value).is_some(),
        Expr::If(choice) => {
            matches!(branches(choice), Ok((_, then, other)) if is_text(then) || is_text(other))
        }
        Expr::Match(choice) => choice.arms.iter().any(|arm| is_text(&arm.body)),
        value => as_name(value).is_some_and(|name| {
            let mut fields = fields.iter().filter(|field| name.unraw() == field.text);
            fields.any(|field| field.kind().is_some_and(is))
        }),
    }
}
