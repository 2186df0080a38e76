// SPDX-License-Identifier: GPL-2.0

//! From the input of a macro with several declarations to its expansion.

use crate::{
    define, diag, event,
    grammar::{self, whole},
    layers::{self, Declared},
    model::{Class, Definition, Tracepoint},
    origin::Origin,
    tokens::{declare, Expansion, Names},
    tracepoint,
};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use std::{
    env,
    sync::{Mutex, PoisonError},
};
use syn::{
    parse::{ParseStream, Parser},
    Error, Ident, Path, Result,
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
    expand: fn(&Tracepoint) -> Result<Expansion>,
) -> TokenStream {
    let mut names = Names::new();
    all(input, grammar::items, |item| {
        if let Some(calls) = layers::apart(macro_name, &TokenStream::new(), &item) {
            return Ok(calls);
        }
        let item: Tracepoint = whole(item)?;
        declare(&mut names, &item.name)?;
        item.args.check(&item.name)?;
        expand(&item).map(Expansion::items)
    })
}

/// Expands all items of an input, each of which can have an error.
pub(crate) fn all<T>(
    input: TokenStream,
    items: fn(ParseStream<'_>) -> Result<Vec<T>>,
    mut expand: impl FnMut(T) -> Result<TokenStream>,
) -> TokenStream {
    let one = |item| expand(item).unwrap_or_else(Error::into_compile_error);
    match items.parse2(input) {
        Ok(items) => items.into_iter().map(one).collect(),
        Err(error) => error.into_compile_error(),
    }
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
        Ok(define::export(&path, license))
    })
}

/// Refuses an event whose name another one in the crate has. Their symbols would be the same, and the compiler
/// would report each of their items.
fn declared(name: &Ident) -> Result<()> {
    static NAMES: Mutex<Names> = Mutex::new(Names::new());
    // An editor expands the same events again and again, without this variable of `Kbuild.include`.
    if env::var_os("TRACEPOINT_EXPORTS").is_none() {
        return Ok(());
    }
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    declare(&mut names, name)
}

/// Expands a macro that declares events.
pub(crate) fn events(input: TokenStream, origin: &dyn Origin) -> TokenStream {
    all(input, grammar::events, |(system, item)| {
        // All that another macro gets, which can be one of the driver's, is as if the driver had written it.
        let at = system.span();
        let before = quote_spanned!(at=> system: #system;);
        if let Some(calls) = layers::apart(origin.macro_name(), &before, &item) {
            return Ok(calls);
        }
        let mut class: Class = whole(item.clone())?;
        if let Some(path) = layers::defer(&mut class)? {
            let macro_name = Ident::new(origin.macro_name(), at);
            let call = quote_spanned!(at=> { #macro_name { #before } #item });
            return Ok(quote_spanned!(at=> #path! #call));
        }
        (class.kind.apply)(&mut class)?;
        let names = class.events.iter().map(|event| &event.name);
        diag::all(names.map(declared))?;
        class.args.check(&class.name)?;
        event::expand(&system, &class, origin)
    })
}
