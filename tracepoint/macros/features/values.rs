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
    show::Kind,
    tokens::{as_name, closed, group, inner, span_of},
    types::Field,
    value::{key_of, Table},
};
use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    ext::IdentExt, parse_quote, Block, Error, Expr, ExprIf, ExprLit, ExprMatch, Lit, LitStr, Pat,
    Result, Stmt,
};

mod computed;
mod lower;

/// Parses a value.
pub(super) fn parse(value: &TokenStream) -> Result<Expr> {
    // In parentheses, so that a missing token has a place.
    syn::parse2(closed(Delimiter::Parenthesis, with_macros(value.clone())))
}

/// Whether a call of this is one of a helper.
pub(super) fn is_helper(name: &str) -> bool {
    name.starts_with("print_") || matches!(name, "phC" | "phD")
}

/// Puts a `!` after what looks like a helper, so that for `syn` anything can be in its parentheses.
pub(super) fn with_macros(tokens: TokenStream) -> TokenStream {
    let mut output: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_part =
            matches!(output.last(), Some(TokenTree::Punct(p)) if matches!(p.as_char(), '.' | ':'));
        let is_call = matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
        let is_helper = matches!(&token, TokenTree::Ident(name) if is_helper(&name.to_string()));
        output.push(match token {
            TokenTree::Group(of) => {
                group(of.delimiter(), with_macros(of.stream()), of.span()).into()
            }
            token => token,
        });
        if is_helper && is_call && !is_part {
            output.push(Punct::new('!', Spacing::Alone).into());
        }
    }
    output.into_iter().collect()
}

/// Returns the table, if the value is one.
fn table_of(expr: &Expr) -> Option<Result<Table>> {
    Table::of(&inner(expr).to_token_stream())
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
fn branches(choice: &ExprIf) -> Result<(&Expr, &Expr, &Expr)> {
    if let Expr::Let(condition) = &*choice.cond {
        let error = "`let` can't be used in a condition: use `match`";
        return Err(Error::new(condition.let_token.span, error));
    }
    let then = block_of(&choice.then_branch)?;
    let Some((_, other)) = &choice.else_branch else {
        let error = "expected `else`: there must be something to show";
        let close = choice.then_branch.brace_token.span.close();
        return Err(Error::new(close, error));
    };
    let other = match &**other {
        Expr::Block(other) => block_of(&other.block)?,
        other => other,
    };
    Ok((&choice.cond, then, other))
}

/// Returns a `match` as a chain of `if`s.
fn chain_of(choice: &ExprMatch) -> Result<Expr> {
    let arms = choice.arms.split_last();
    let Some((last, rest)) = arms.filter(|(last, _)| matches!(last.pat, Pat::Wild(_))) else {
        let error = "a `match` needs a final arm, `_ => …`, for all other values";
        return Err(Error::new(choice.match_token.span, error));
    };
    for arm in &choice.arms {
        if let Some((guard, _)) = &arm.guard {
            let error = "an arm has no condition here: use `if`";
            return Err(Error::new(guard.span, error));
        }
        if let Expr::Block(_) = &*arm.body {
            let error = "expected a value without braces";
            return Err(Error::new(span_of(&arm.body), error));
        }
    }
    let mut chain = (*last.body).clone();
    for arm in rest.iter().rev() {
        let (is, value) = (matches(&choice.expr, &arm.pat)?, &arm.body);
        chain = parse_quote!(if #is { #value } else { #chain });
    }
    Ok(chain)
}

/// Returns the condition that a number is one of a pattern.
fn matches(of: &Expr, pat: &Pat) -> Result<Expr> {
    let is = match pat {
        Pat::Paren(paren) => return matches(of, &paren.pat),
        Pat::Or(or) => {
            let cases = or.cases.iter().map(|case| matches(of, case));
            let cases = cases.collect::<Result<Vec<Expr>>>()?;
            let any = cases.into_iter();
            any.reduce(|any, is| parse_quote!((#any) || (#is)))
        }
        // A new variable would match anything.
        Pat::Ident(name) if name.ident.to_string().contains(char::is_lowercase) => None,
        pat => match key_of(syn::parse2(pat.to_token_stream())?)? {
            (one, None) => Some(parse_quote!((#of) == (#one))),
            (first, Some(last)) => Some(parse_quote!((#of) >= (#first) && (#of) <= (#last))),
        },
    };
    is.ok_or_else(|| Error::new(span_of(pat), "expected a constant"))
}

/// Returns whether a value is a text: a literal, a table or a field for which `is` says so, or a choice with one.
pub(super) fn is_text(value: &Expr, fields: &[Field], is: fn(Kind) -> bool) -> bool {
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
