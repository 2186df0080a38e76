// SPDX-License-Identifier: GPL-2.0

//! From the input of a macro with several declarations to its expansion.

use crate::{
    cfg,
    event::{self, Origin},
    flatten,
    grammar::{Broken, Events, Tracepoint, Tracepoints},
    schema, structs,
    tracepoint::{self, Expansion},
};
use proc_macro2::TokenStream;
use quote::quote;
use std::{
    env,
    sync::{Mutex, PoisonError},
};
use syn::{ext::IdentExt, Error, Ident, Result};

/// Turns errors into tokens.
pub(crate) fn or_error(result: Result<TokenStream>) -> TokenStream {
    result.unwrap_or_else(Error::into_compile_error)
}

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
        expansion.outside.extend(schema::tracepoint(tracepoint));
        Ok(expansion)
    })
}

/// Expands `kernel_tracepoint!`.
pub(crate) fn kernel_tracepoints(input: TokenStream) -> TokenStream {
    each("kernel_tracepoint", input, tracepoint::declare_kernel)
}

fn each(
    macro_name: &str,
    input: TokenStream,
    declare: fn(&Tracepoint) -> Result<Expansion>,
) -> TokenStream {
    let parsed: Tracepoints = match syn::parse2(input) {
        Ok(parsed) => parsed,
        Err(error) => return error.into_compile_error(),
    };
    let mut names = Names::default();
    let one = |item| match item {
        Ok((item, tokens)) => {
            if let Some(call) = cfg::apart(macro_name, &TokenStream::new(), &tokens) {
                return call;
            }
            let item: Tracepoint = item;
            match names.add(&item.name) {
                Err(error) => error.into_compile_error(),
                Ok(()) => match item.args.check(&item.name) {
                    Err(error) => tracepoint::stubs(error, &[item.stub(None)], declare),
                    Ok(()) => or_error(declare(&item).map(Expansion::items)),
                },
            }
        }
        Err(broken) => {
            let broken: Broken = broken;
            tracepoint::stubs(broken.error, &broken.stubs, declare)
        }
    };
    parsed.0.into_iter().map(one).collect()
}

/// Expands `trace_event!` or `trace_custom_event!`.
pub(crate) fn events(input: TokenStream, origin: Origin) -> TokenStream {
    if let Some(call) = flatten::defer(origin.macro_name(), &input) {
        return call;
    }
    let parsed: Events = match syn::parse2(input) {
        Ok(parsed) => parsed,
        Err(error) => return error.into_compile_error(),
    };
    let mut tokens = TokenStream::new();
    // An event needs a system, but it has no other error without one.
    let missing = match &parsed.system {
        Ok(_) => None,
        Err(error) => Some(error.to_compile_error()),
    };
    tokens.extend(missing);
    let system = parsed.system.ok();
    let before = quote!(system: #system;);
    let mut names = Names::default();
    for class in parsed.classes {
        let (error, stubs) = match class {
            Ok((mut class, item)) => {
                if let Some(call) = cfg::apart(origin.macro_name(), &before, &item) {
                    tokens.extend(call);
                    continue;
                }
                class.events.retain(|event| {
                    match names
                        .add(&event.name)
                        .and_then(|()| check_declared(&event.name))
                    {
                        Ok(()) => true,
                        Err(error) => {
                            tokens.extend(error.into_compile_error());
                            false
                        }
                    }
                });
                match class.args.check(&class.name) {
                    Ok(()) => {
                        tokens.extend(event::expand(system.as_ref(), &class, origin));
                        continue;
                    }
                    Err(error) => (error, class.stubs()),
                }
            }
            Err(broken) => (broken.error, broken.stubs),
        };
        tokens.extend(tracepoint::stubs(error, &stubs, |stub| {
            event::stub(stub, origin)
        }));
    }
    tokens
}

/// Expands `tracepoint_struct!`.
pub(crate) fn tracepoint_struct(input: TokenStream) -> TokenStream {
    match syn::parse2(input) {
        Ok(parsed) => structs::expand(&parsed),
        Err(error) => error.into_compile_error(),
    }
}
