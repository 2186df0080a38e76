// SPDX-License-Identifier: GPL-2.0

//! The expansion of `#[derive(TracepointArg)]`: a driver's own struct as an argument.

use crate::define;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Error, Result};

/// Expands a derive, with its name in errors.
pub(crate) fn expand(
    name: &str,
    input: TokenStream,
    expand: impl FnOnce(&DeriveInput) -> Result<TokenStream>,
) -> TokenStream {
    syn::parse2(input)
        .and_then(|input| expand(&input))
        .unwrap_or_else(|error| {
            Error::new(error.span(), format!("{name}: {error}")).into_compile_error()
        })
}

/// Expands `#[derive(TracepointArg)]`.
pub(crate) fn tracepoint_arg(input: TokenStream) -> TokenStream {
    expand("TracepointArg", input, derive_arg)
}

fn derive_arg(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let identity = define::type_identity(name);
    let with = |lifetime: TokenStream| {
        let lifetimes = input.generics.lifetimes().map(|_| &lifetime);
        quote!(#name<#(#lifetimes),*>)
    };
    let (any, at) = (with(quote!('_)), with(quote!('__at)));
    let (long, short) = (with(quote!('__long)), with(quote!('__short)));
    let check = (!input.generics.params.is_empty()).then(|| {
        quote_spanned! {name.span()=>
            /// Compiles if a longer lifetime can be shortened, as it is for a probe.
            fn __check<'__long: '__short, '__short>(long: #long) -> #short {
                long
            }
        }
    });
    Ok(quote! {
        #[allow(dead_code)]
        const _: () = {
            use ::tracepoint::__private as __p;

            #check

            // SAFETY: Nothing but this module can fire or probe a tracepoint with the type.
            unsafe impl __p::Pointee for #any {
                type C = __p::c_void;
                type At<'__at> = #at;
                #identity
            }
        };
    })
}

#[cfg(test)]
#[path = "../../tests/macros/derive.rs"]
mod tests;
