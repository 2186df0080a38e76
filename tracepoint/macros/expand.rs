// SPDX-License-Identifier: GPL-2.0

//! From the input of a macro with several declarations to its expansion.

use crate::{
    define,
    diag::{self, DiagCtxt},
    event,
    grammar::{self, whole},
    layers::{self, Declared},
    model::{Class, Definition, Tracepoint},
    origin::Origin,
    tokens::{Expansion, Names},
    tracepoint,
};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::{
    env,
    sync::{Mutex, PoisonError},
};
use syn::{
    parse::{ParseStream, Parser},
    Ident, Path, Result,
};

/// Expands `tracepoint!`.
pub(crate) fn tracepoints(input: TokenStream) -> TokenStream {
    each("tracepoint", input, |tracepoint| {
        let mut expansion = tracepoint::declare(tracepoint);
        let beside = layers::beside(&Declared::Tracepoint(tracepoint));
        expansion.outside.extend(beside);
        Ok(expansion)
    })
}

/// Expands a macro that declares tracepoints.
pub(crate) fn each(
    macro_name: &str,
    input: TokenStream,
    declare: fn(&Tracepoint) -> Result<Expansion>,
) -> TokenStream {
    let mut names = Names::NONE;
    all(input, grammar::items, |item| {
        if let Some(calls) = layers::apart(macro_name, &TokenStream::new(), &item) {
            return Ok(calls);
        }
        let item: Tracepoint = whole(item)?;
        names.add(&item.name)?;
        item.args.check(&item.name)?;
        declare(&item).map(Expansion::items)
    })
}

/// Expands all items of an input, each of which can have an error.
pub(crate) fn all<T>(
    input: TokenStream,
    items: fn(ParseStream<'_>) -> Result<Vec<T>>,
    mut expand: impl FnMut(T) -> Result<TokenStream>,
) -> TokenStream {
    DiagCtxt::with(|dcx| {
        let items = dcx.check(items.parse2(input))?;
        let expanded = items.into_iter().map(|item| dcx.check(expand(item)));
        Ok(expanded.flatten().collect())
    })
}

/// Expands the definitions of tracepoints.
pub(crate) fn definitions(input: TokenStream) -> TokenStream {
    all(input, grammar::list::<Definition>, |definition| {
        define::define(&definition).map(Expansion::items)
    })
}

/// Expands the exports of tracepoints to modules with this licence.
pub(crate) fn exports(input: TokenStream, license: &str) -> TokenStream {
    all(input, grammar::list::<Path>, |path| {
        define::export(&path, license)
    })
}

/// Refuses an event whose name another one in the crate has. Their symbols would be the same, and the compiler
/// would report each of their items.
fn declared(name: &Ident) -> Result<()> {
    static NAMES: Mutex<Names> = Mutex::new(Names::NONE);
    // An editor expands the same events again and again, without this variable of `Kbuild.include`.
    if env::var_os("TRACEPOINT_SYMVERS").is_none() {
        return Ok(());
    }
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.add(name)
}

/// Expands a macro that declares events.
pub(crate) fn events(input: TokenStream, origin: &dyn Origin) -> TokenStream {
    DiagCtxt::with(|dcx| {
        let (system, classes) = dcx.check(grammar::events.parse2(input))?;
        let before = quote!(system: #system;);
        let one = |item: TokenStream| {
            if let Some(calls) = layers::apart(origin.macro_name(), &before, &item) {
                return Ok(calls);
            }
            let mut class: Class = dcx.check(whole(item.clone()))?;
            if let Some(path) = dcx.check(layers::defer(&mut class))? {
                // All that the macro gets, which can be one of the driver's, is as if the driver had written it.
                let at = system.span();
                let macro_name = Ident::new(origin.macro_name(), at);
                let call = quote_spanned!(at=> { #macro_name { system: #system; } #item });
                return Ok(quote_spanned!(at=> #path! #call));
            }
            dcx.check(class.kind.apply(&mut class))?;
            let names = class.events.iter().map(|event| &event.name);
            diag::all(names.map(|name| dcx.check(declared(name))))?;
            dcx.check(class.args.check(&class.name))?;
            event::expand(&system, &class, origin, dcx)
        };
        Ok(classes.into_iter().flat_map(one).collect())
    })
}
