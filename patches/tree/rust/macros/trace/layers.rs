// SPDX-License-Identifier: GPL-2.0

//! Where the expansions could be extended.

use super::{
    args::Args,
    compiler::Compiler,
    field::Known,
    grammar::items,
    model::{Class, EventKind, Tracepoint, With, PLAIN},
    print::{Named, NAMED},
    tokens::as_name,
    value::Table,
};
use proc_macro2::{Span, TokenStream, TokenTree};
use std::ops::Range;
use syn::{
    ext::IdentExt,
    parse::{ParseStream, Parser},
    Attribute, Error, Expr, LitStr, Path, Result,
};

/// Something that's declared.
#[allow(dead_code)]
pub(crate) enum Declared<'a> {
    /// A tracepoint that's no event.
    Tracepoint(&'a Tracepoint),
    /// A class with its events, their fields, and the system.
    Class(&'a Class, &'a [Known<'a>], &'a str, &'a LitStr),
}

/// Expands what there is beside a declaration.
pub(crate) fn beside(_: &Declared<'_>) -> TokenStream {
    TokenStream::new()
}

/// Returns what replaces a declaration, if anything does: an error if it has a `#[cfg]`.
pub(crate) fn apart(_: &str, _: &TokenStream, item: &TokenStream) -> Option<TokenStream> {
    // The events of a class are in its last group.
    let last = item.clone().into_iter().last();
    let events = match last {
        Some(TokenTree::Group(group)) => items.parse2(group.stream()).ok()?,
        _ => Vec::new(),
    };
    let cfg = [item].into_iter().chain(&events).find_map(|item| {
        let attrs = |input: ParseStream<'_>| {
            let attrs = input.call(Attribute::parse_outer);
            input.parse::<TokenStream>()?;
            attrs
        };
        let attrs = attrs.parse2(item.clone()).ok()?;
        attrs.into_iter().find(|attr| {
            let ident = attr.path().get_ident();
            ident.is_some_and(|ident| ident.unraw() == "cfg")
        })
    })?;
    let error = "a macro can't evaluate this: put it before the macro call";
    Some(Error::new_spanned(cfg, error).into_compile_error())
}

/// Adds a value that follows a template, a table for a field.
pub(crate) fn value(compiler: &mut Compiler<'_>, named: &Named, spec: &str, _: Span) -> Option<()> {
    let Some(table) = Table::of(&named.value) else {
        return compiler.refused(named.span(), NAMED);
    };
    let table = compiler.parsed(table)?;
    let Some(field) = as_name(&table.of) else {
        return compiler.refused(named.span(), NAMED);
    };
    let number = compiler.field_number(field)?;
    let value = compiler.names(named, &table, &number, (spec, true))?;
    compiler.values.push(value);
    Some(())
}

/// Completes a class, or returns the macro that its declaration is left to.
pub(crate) fn defer(_: &mut Class) -> Result<Option<Path>> {
    Ok(None)
}

/// Returns an expression of a driver's as it's compiled.
pub(crate) fn rewrite(expr: Expr, _: Option<&mut usize>) -> Expr {
    expr
}

/// Returns what has to be before an expression, unless that has to be in a function of its own.
pub(crate) fn pinned(_: &Expr, _: &Args) -> Option<TokenStream> {
    Some(TokenStream::new())
}

/// Refuses a symbol.
pub(crate) fn symbol(_: &str, _: Span, _: &str) -> Result<()> {
    Ok(())
}

/// Returns the span of a part of a literal's value, or that of the literal.
pub(crate) fn subspan(literal: &LitStr, _: Range<usize>) -> Span {
    literal.span()
}

/// Parses options.
pub(crate) fn options(input: ParseStream<'_>, _: &[&str]) -> Result<With> {
    Err(input.error("there are no options"))
}

/// Whether an attribute of an event isn't one of Rust's.
pub(crate) fn has_attribute(_: &Attribute) -> bool {
    false
}

/// Parses the kind of an event.
pub(crate) fn kind(_: ParseStream<'_>) -> &'static EventKind {
    &PLAIN
}
