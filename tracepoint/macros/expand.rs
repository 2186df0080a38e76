// SPDX-License-Identifier: GPL-2.0

//! From the input of a macro with several declarations to its expansion.

use crate::{
    diag::{self, DiagCtxt},
    event,
    grammar::{Events, Tracepoints},
    layers,
    model::{Class, Event, Tracepoint},
    origin::Origin,
    tokens::Expansion,
    tracepoint,
};
use proc_macro2::TokenStream;
use quote::quote;
use std::{
    env,
    sync::{Mutex, PoisonError},
};
use syn::{ext::IdentExt, Error, Ident, Result};

/// The names that a macro's input declares.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn add(&mut self, name: &Ident) -> Result<()> {
        let text = name.unraw().to_string();
        if self.0.contains(&text) {
            return Err(Error::new(
                name.span(),
                format!("`{name}` is declared twice"),
            ));
        }
        self.0.push(text);
        Ok(())
    }
}

/// Refuses an event whose name another macro call in the crate has declared. Their symbols would be the same,
/// and the compiler would report each of their items.
fn check_declared(name: &Ident) -> Result<()> {
    static NAMES: Mutex<Names> = Mutex::new(Names(Vec::new()));
    // An editor expands the same events again and again, without this variable of `Kbuild.include`.
    if env::var_os("TRACEPOINT_SYMVERS").is_none() {
        return Ok(());
    }
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.add(name)
}

/// Expands `tracepoint!`.
pub(crate) fn tracepoints(input: TokenStream) -> TokenStream {
    each("tracepoint", input, |tracepoint| {
        let mut expansion = tracepoint::declare(tracepoint)?;
        expansion.outside.extend(layers::tracepoint(tracepoint));
        Ok(expansion)
    })
}

/// Expands a macro that declares tracepoints.
pub(crate) fn each(
    macro_name: &str,
    input: TokenStream,
    declare: fn(&Tracepoint) -> Result<Expansion>,
) -> TokenStream {
    DiagCtxt::with(|dcx| {
        let items = dcx.check(syn::parse2::<Tracepoints>(input))?.0;
        let mut names = Names::default();
        let one = |item| {
            if let Some(call) = layers::defer(macro_name, &TokenStream::new(), &item) {
                return Ok(call);
            }
            let item: Tracepoint = syn::parse2(item)?;
            names.add(&item.name)?;
            item.args.check(&item.name)?;
            declare(&item).map(Expansion::items)
        };
        let expanded = items.into_iter().map(one);
        Ok(expanded.flat_map(|item| dcx.check(item)).collect())
    })
}

/// Expands a macro that declares events.
pub(crate) fn events(input: TokenStream, origin: &dyn Origin) -> TokenStream {
    DiagCtxt::with(|dcx| {
        let Events { system, classes } = dcx.check(syn::parse2(input))?;
        let before = quote!(system: #system;);
        let mut names = Names::default();
        let one = |item| {
            if let Some(call) = layers::defer(origin.macro_name(), &before, &item) {
                return Ok(call);
            }
            let class: Class = dcx.check(syn::parse2(item))?;
            let mut declared = |event: &Event| {
                names.add(&event.name)?;
                check_declared(&event.name)
            };
            diag::all(class.events.iter().map(|event| dcx.check(declared(event))))?;
            dcx.check(class.args.check(&class.name))?;
            event::expand(&system, &class, origin, dcx)
        };
        Ok(classes.into_iter().flat_map(one).collect())
    })
}
