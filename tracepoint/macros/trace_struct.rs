// SPDX-License-Identifier: GPL-2.0

//! The expansion of `#[derive(TraceStruct)]`: a driver's own struct as one field of an event.

use crate::{derive::expand, tokens::span_of};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{spanned::Spanned, Data, DeriveInput, Error, Result};

/// Expands `#[derive(TraceStruct)]`.
pub(crate) fn trace_struct(input: TokenStream) -> TokenStream {
    expand("TraceStruct", input, derive_struct)
}

fn derive_struct(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "expected a struct"));
    };
    if !input.generics.params.is_empty() {
        let error = "the struct can't be generic or have references in it";
        return Err(Error::new(input.generics.span(), error));
    }
    if !input.attrs.iter().any(|attr| attr.path().is_ident("repr")) {
        return Err(Error::new(
            input.ident.span(),
            "the struct needs a `#[repr(C)]`, so that its layout is C's",
        ));
    }
    let name = &input.ident;
    let types = data.fields.iter().map(|field| &field.ty);
    let checks = types
        .clone()
        .map(|ty| quote_spanned!(span_of(ty)=> let _ = __p::no_padding::<#ty>;));
    let padding = format!("`{name}` has padding: add members in its place");
    let sum = if data.fields.is_empty() {
        quote!(0)
    } else {
        quote!(#(::core::mem::size_of::<#types>())+*)
    };
    let check = quote_spanned! {name.span()=>
        ::core::assert!(::core::mem::size_of::<#name>() == #sum, #padding)
    };
    Ok(quote! {
        const _: () = {
            use ::tracepoint::__private as __p;

            const _: () = {
                #(#checks)*
            };
            const _: () = #check;

            // SAFETY: The members have no padding, and there's none between them.
            unsafe impl __p::NoPadding for #name {}

            // SAFETY: As above.
            unsafe impl __p::AsBytes for #name {}
        };
    })
}
