// SPDX-License-Identifier: GPL-2.0

//! The expansion of `tracepoint_struct!` and `#[derive(TraceStruct)]`.

use crate::{
    derive,
    diag::DiagCtxt,
    layers::{self, Declared, Layer},
    tokens::{number_of, span_of},
};
use proc_macro::TokenStream as Tokens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{
    ext::IdentExt,
    parse::{Parse, ParseStream},
    spanned::Spanned,
    visit::{self, Visit},
    visit_mut::VisitMut,
    Attribute, Data, DeriveInput, Error, Fields, GenericParam, ItemStruct, Lifetime, Result,
};

pub(crate) static LAYER: Layer = Layer::NONE;

/// `tracepoint_struct!`.
pub(crate) fn tracepoint_struct(input: Tokens) -> Tokens {
    layers::expand(input, declaration)
}

pub(crate) fn declaration(input: TokenStream) -> TokenStream {
    let expanded = syn::parse2(input).and_then(|parsed| expand(&parsed));
    DiagCtxt::with(|dcx| dcx.check(expanded))
}

/// `#[derive(TraceStruct)]`.
pub(crate) fn trace_struct(input: Tokens) -> Tokens {
    layers::expand(input, derived)
}

/// The input: a struct with named fields.
struct Struct(ItemStruct);

impl Parse for Struct {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let fork = input.fork();
        let Ok(item) = input.parse::<ItemStruct>() else {
            return Err(fork.error("expected `pub struct Name { field: Type, … }`"));
        };
        if !input.is_empty() {
            return Err(input.error("expected one struct"));
        }
        Ok(Self(item))
    }
}

/// Finds `'static`.
struct FindStatic(Option<Lifetime>);

impl<'ast> Visit<'ast> for FindStatic {
    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident == "static" {
            self.0.get_or_insert_with(|| lifetime.clone());
        }
        visit::visit_lifetime(self, lifetime);
    }
}

/// Replaces the lifetime of the struct: a type has one description for all lifetimes.
struct Static<'a>(Option<&'a Lifetime>);

impl VisitMut for Static<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if Some(&*lifetime) == self.0 {
            *lifetime = Lifetime::new("'static", lifetime.span());
        }
    }
}

/// Returns the name of the struct in C, and the other attributes.
fn c_name(item: &ItemStruct) -> Result<(String, Vec<&Attribute>)> {
    let (mut name, mut others) = (item.ident.unraw().to_string(), Vec::new());
    for attr in &item.attrs {
        if !attr.path().is_ident("c_name") {
            others.push(attr);
            continue;
        }
        let text = layers::text(attr)?;
        name = text.value();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return Err(Error::new(
                text.span(),
                format!("`{}`: its `c_name` isn't a valid name in C", item.ident),
            ));
        }
    }
    Ok((name, others))
}

/// Expands the struct.
fn expand(Struct(item): &Struct) -> Result<TokenStream> {
    let name = &item.ident;
    let Fields::Named(fields) = &item.fields else {
        return Err(Error::new(
            item.fields.span(),
            format!("`{name}` needs named fields: they're part of its identity"),
        ));
    };
    let mut params = item.generics.params.iter();
    let lifetime = match (params.next(), params.next()) {
        (None, _) => None,
        (Some(GenericParam::Lifetime(param)), None) => Some(&param.lifetime),
        (Some(first), _) => {
            return Err(Error::new(
                first.span(),
                format!("`{name}` can have one lifetime; it can't be generic otherwise"),
            ));
        }
    };
    let mut find = FindStatic(None);
    find.visit_item_struct(item);
    if let Some(lifetime) = find.0 {
        return Err(Error::new(
            lifetime.span(),
            format!(
                "`{name}`: a probe can use it only during the call: declare `struct {name}<'a>` and \
                 use `&'a`"
            ),
        ));
    }

    let all_attrs = item
        .attrs
        .iter()
        .chain(fields.named.iter().flat_map(|field| &field.attrs));
    if let Some(attr) = all_attrs
        .clone()
        .find(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
    {
        return Err(Error::new(
            attr.span(),
            format!(
                "`{name}` can't have a `#[cfg]` or `#[cfg_attr]`, which could change its layout without \
                 changing its identity: use `#[cfg]` before `tracepoint_struct!`"
            ),
        ));
    }

    let (c_name, attrs) = c_name(item)?;
    let (vis, generics) = (&item.vis, &item.generics);
    // What changes the layout is part of the identity.
    let repr = item
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("repr"));
    let identity = repr
        .map(|attr| format!("#[{}] ", attr.meta.to_token_stream()).replace(' ', ""))
        .fold(String::new(), |text, attr| text + &attr + " ")
        + &name.to_string();
    let (mut described, mut declared) = (Vec::new(), Vec::new());
    for field in &fields.named {
        let (attrs, vis, ident, ty) = (&field.attrs, &field.vis, &field.ident, &field.ty);
        // Privacy is part of it too: who may not write a field here may not read it elsewhere.
        let vis_text = vis.to_token_stream().to_string().replace(' ', "");
        let mut text = vis_text + " " + &ident.to_token_stream().to_string();
        text = text.trim().to_string();
        declared.push(quote!(#(#attrs)* #vis #ident: #ty));
        let mut described_ty = ty.clone();
        Static(lifetime).visit_type_mut(&mut described_ty);
        described
            .push(quote_spanned!(span_of(ty)=> (#text, &<#described_ty as __p::Element>::TYPE)));
    }
    let with = |of: &TokenStream| match lifetime {
        Some(_) => quote!(#name<#of>),
        None => quote!(#name),
    };
    let of_a = lifetime.map(|_| quote!(<'__a>));
    let (static_this, at) = (with(&quote!('static)), with(&quote!('__at)));
    let check = {
        // The same struct under the lifetime's own name, for the types as they're written.
        let lifetime = lifetime
            .map(ToTokens::to_token_stream)
            .unwrap_or_else(|| quote!('__a));
        let checks = fields.named.iter().map(|field| {
            let ty = &field.ty;
            quote_spanned!(span_of(ty)=> <#ty as __p::Element>::same_at::<#lifetime>();)
        });
        let (ident, ty): (Vec<_>, Vec<_>) = fields
            .named
            .iter()
            .map(|field| (&field.ident, &field.ty))
            .unzip();
        let this = with(&lifetime);
        let value = Ident::new("__value", Span::mixed_site());
        quote! {
            /// Compiles if no field lasts longer than the reference to the struct, and if the struct
            /// has the described fields, whatever its attributes do.
            fn __check<#lifetime>(#value: #this) {
                #(#checks)*
                let #name { #(#ident,)* } = #value;
                let _: (#(#ty,)*) = (#(#ident,)*);
            }
        }
    };
    let id = number_of(item);
    let beside = layers::beside(&Declared::Struct(layers::Struct {
        item,
        id,
        c_name: &c_name,
        this: &static_this,
    }));
    // With CONFIG_CFI, C compares a hash of the types, which includes the name of a struct.
    let module = format_ident!("__c");
    let (c, c_struct) = match syn::parse_str::<Ident>(&c_name) {
        Ok(c_name) if cfg!(CONFIG_CFI) => (
            quote!(#module::#c_name),
            Some(quote! {
                mod #module {
                    #[allow(missing_docs, non_camel_case_types, unreachable_pub)]
                    #[repr(C)]
                    pub struct #c_name([u8; 0]);
                }
            }),
        ),
        _ => (quote!(__p::c_void), None),
    };
    Ok(quote! {
        #beside

        #(#attrs)*
        #[repr(C)]
        #vis struct #name #generics {
            #(#declared,)*
        }

        #[allow(dead_code)]
        const _: () = {
            use ::tracepoint::__private as __p;

            #check

            #c_struct

            // SAFETY: C and Rust see the same struct. Its name, fields, privacy, size and alignment
            // are in `TYPE`, and none of its fields outlives the reference to it.
            unsafe impl #of_a __p::Pointee for #name #of_a {
                type C = #c;
                type At<'__at> = #at;
                const TYPE: __p::Type = __p::Type::Struct {
                    name: #identity,
                    fields: &[#(#described,)*],
                    size: ::core::mem::size_of::<Self>(),
                    align: ::core::mem::align_of::<Self>(),
                };
                const C_TYPE: __p::CType = __p::CType::Described(#id);
            }
        };
    })
}

/// Expands `#[derive(TraceStruct)]`.
pub(crate) fn derived(input: TokenStream) -> TokenStream {
    derive::expand("TraceStruct", input, derive_struct)
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
