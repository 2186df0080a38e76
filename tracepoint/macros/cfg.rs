// SPDX-License-Identifier: GPL-2.0

//! `#[cfg]` inside a macro's input.
//!
//! A procedural macro can't evaluate it, but the compiler does so in what a derive macro is applied
//! to. So an input with `#[cfg]` in it becomes a struct that has a field with the same `#[cfg]` for
//! each of them, and the input itself as an attribute. The derive macro sees which fields are left
//! and expands the input without the others.

use crate::grammar::Attributed;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash, Hasher},
};
use syn::{
    parse::{Parse, ParseStream},
    Attribute, Data, DeriveInput, Error, Fields, Result,
};

fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg")
}

/// Returns the struct to derive from, if there's a `#[cfg]` in the input of `macro_name`.
pub(crate) fn defer(
    macro_name: &str,
    input: &TokenStream,
    parsed: &mut impl Attributed,
) -> Option<TokenStream> {
    let mut conditions: Vec<Vec<Attribute>> = Vec::new();
    parsed.retain(&mut |attrs| {
        let cfgs: Vec<_> = attrs.iter().filter(|attr| is_cfg(attr)).cloned().collect();
        if !cfgs.is_empty() {
            conditions.push(cfgs);
        }
        true
    });
    if conditions.is_empty() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    input.to_string().hash(&mut hasher);
    let name = format_ident!("__Configured{:x}", hasher.finish());
    let macro_name = format_ident!("{macro_name}");
    let fields = conditions.iter().enumerate().map(|(i, cfgs)| {
        let field = field(i);
        quote!(#(#cfgs)* #field: ())
    });
    Some(quote! {
        #[derive(::tracepoint::__private::Configured)]
        #[tracepoint_input(#macro_name { #input })]
        #[allow(dead_code, non_camel_case_types)]
        struct #name { #(#fields,)* }
    })
}

fn field(i: usize) -> Ident {
    format_ident!("_{i}")
}

/// What [`defer`] left: a macro, its input, and the fields whose `#[cfg]` holds.
pub(crate) struct Deferred {
    pub(crate) macro_name: Ident,
    pub(crate) input: TokenStream,
    fields: Vec<Ident>,
}

impl Parse for Deferred {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        struct Input(Ident, TokenStream);

        impl Parse for Input {
            fn parse(input: ParseStream<'_>) -> Result<Self> {
                let name = input.parse()?;
                let content;
                syn::braced!(content in input);
                Ok(Self(name, content.parse()?))
            }
        }

        let derive: DeriveInput = input.parse()?;
        let (Some(attr), Data::Struct(data)) = (
            derive
                .attrs
                .iter()
                .find(|attr| attr.path().is_ident("tracepoint_input")),
            derive.data,
        ) else {
            return Err(Error::new(
                derive.ident.span(),
                "only the library's macros use this",
            ));
        };
        let Input(macro_name, input) = attr.parse_args()?;
        let fields = match data.fields {
            Fields::Named(fields) => fields.named.into_iter().filter_map(|f| f.ident).collect(),
            _ => Vec::new(),
        };
        Ok(Self {
            macro_name,
            input,
            fields,
        })
    }
}

impl Deferred {
    /// Removes what has a `#[cfg]` that doesn't hold. Returns whether anything is left.
    pub(crate) fn apply(&self, parsed: &mut impl Attributed) -> bool {
        let mut i = 0;
        parsed.retain(&mut |attrs| {
            if !attrs.iter().any(is_cfg) {
                return true;
            }
            let field = field(i);
            i += 1;
            self.fields.contains(&field)
        })
    }
}
