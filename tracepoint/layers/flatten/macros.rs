// SPDX-License-Identifier: GPL-2.0

//! Structs whose members become fields of an event.
//!
//! `#[flatten] request: Request = request` in an event stands for a field `request_MEMBER` for each
//! member. `trace_event!` doesn't know the members, so it expands to
//!
//! ```text
//! Request! { trace_event { … } }
//! ```
//!
//! `#[derive(TraceFields)]` has declared this macro. It adds the names and types of the members:
//!
//! ```text
//! ::tracepoint::__private::flattened! { trace_event { op: Op, sector: u64, } { … } }
//! ```
//!
//! This puts the members in the place of the field, and calls `trace_event!` again.

use crate::{
    args::{self, Arg},
    layers::{self, Layer},
    tokens::{local, span_of},
    types,
};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use syn::{
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    spanned::Spanned,
    Data, DataStruct, DeriveInput, Error, Expr, Field, Fields, PathArguments, Result, Token, Type,
    Visibility,
};

pub(crate) static LAYER: Layer = Layer {
    defer,
    ..Layer::NONE
};

/// Returns the content of the brackets if an attribute is at this position.
fn attr(tokens: &[TokenTree], at: usize) -> Option<TokenStream> {
    match tokens.get(at..at + 2)? {
        [TokenTree::Punct(punct), TokenTree::Group(group)]
            if punct.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
        {
            Some(group.stream())
        }
        _ => None,
    }
}

/// Finds the first field with `#[flatten]`, and calls `replace` with it, its value, and what is before
/// and after it between the braces. Returns the input with the result between these.
fn find(
    input: TokenStream,
    replace: impl FnOnce(Arg, Expr, Vec<TokenTree>, TokenStream) -> TokenStream,
) -> Option<TokenStream> {
    let mut input: Vec<_> = input.into_iter().collect();
    for token in &mut input {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let mut before: Vec<_> = group.stream().into_iter().collect();
        let is_flatten =
            |at: &usize| attr(&before, *at).is_some_and(|attr| attr.to_string() == "flatten");
        let Some(mut at) = (0..before.len()).find(is_flatten) else {
            continue;
        };
        while at >= 2 && attr(&before, at - 2).is_some() {
            at -= 2;
        }
        let parse = |input: ParseStream<'_>| {
            let mut field: Arg = input.parse()?;
            field.attrs.retain(|attr| !attr.path().is_ident("flatten"));
            input.parse::<Token![=]>()?;
            let value = input.parse()?;
            input.parse::<Option<Token![,]>>()?;
            Ok((field, value, input.parse()?))
        };
        // If it's no field, the parser of the event reports it.
        let (field, value, after) = parse
            .parse2(before.split_off(at).into_iter().collect())
            .ok()?;
        let mut new = Group::new(group.delimiter(), replace(field, value, before, after));
        new.set_span(group.span());
        *group = new;
        return Some(input.into_iter().collect());
    }
    None
}

/// Returns the call of the macro of the first struct that's flattened in an event, if there is one.
fn defer(macro_name: &str, before: &TokenStream, event: &TokenStream) -> Option<TokenStream> {
    let mut ty = None;
    find(event.clone(), |field, _, _, _| {
        ty = Some(field.ty);
        TokenStream::new()
    })?;
    let ty = ty?;
    let Type::Path(mut path) = types::ungrouped(&ty).clone() else {
        let error = "only a struct with `#[derive(TraceFields)]` can be flattened";
        return Some(Error::new(ty.span(), error).into_compile_error());
    };
    if let Some(last) = path.path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    let name = Ident::new(macro_name, Span::call_site());
    Some(quote!(#path! { #name { #before #event } }))
}

/// `flattened!`, the second half of a macro with `#[flatten]` in its input.
pub(crate) fn flattened(input: TokenStream) -> TokenStream {
    insert(input).unwrap_or_else(Error::into_compile_error)
}

/// Returns the call of the event's macro, with the members in the place of the field.
fn insert(input: TokenStream) -> Result<TokenStream> {
    let parse = |input: ParseStream<'_>| {
        let name: Ident = input.parse()?;
        let (members, original);
        syn::braced!(members in input);
        syn::braced!(original in input);
        // A `_` stands for the type that only the struct's module knows.
        let members = members.parse_terminated(Arg::parse, Token![,])?;
        Ok((name, members, original.parse::<TokenStream>()?))
    };
    let (name, members, original) = parse.parse2(input)?;
    let replaced = find(original.clone(), |field, value, mut before, after| {
        let (attrs, ident) = (&field.attrs, field.name.unraw());
        let local = local(&ident.to_string());
        // A field has no lifetimes.
        let this = layers::with_lifetime(&field.ty, "'static", |_| true);
        let members = members.iter().enumerate().map(|(n, member)| {
            let field = format_ident!("{ident}_{}", member.name.unraw(), span = ident.span());
            let (own, member, ty) = (&member.attrs, &member.name, &member.ty);
            let ty = match ty {
                Type::Infer(_) => {
                    let n = Literal::usize_unsuffixed(n);
                    quote!(<#this as ::tracepoint::__private::Member<#n>>::Type)
                }
                ty => ty.to_token_stream(),
            };
            quote!(#(#attrs)* #(#own)* #field: #ty = #local.#member,)
        });
        // It can use the values that are before it.
        let is_semicolon =
            |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
        let fields = before.split_off(before.iter().rposition(is_semicolon).map_or(0, |at| at + 1));
        quote! {
            #(#before)*
            let #local = &(#value);
            #(#fields)*
            #(#members)*
            #after
        }
    });
    let event = replaced.unwrap_or(original);
    Ok(quote!(::tracepoint::__private::macros::#name! { #event }))
}

/// Returns a field's type for a member, if how it's written says it.
fn field_type(ty: &Type) -> Option<TokenStream> {
    let is_text = |ty: &Type| {
        let name = types::name_of(ty).map(|(name, _)| name);
        matches!(name.as_deref(), Some("str" | "CStr"))
    };
    match types::ungrouped(ty) {
        Type::Reference(reference) => match types::ungrouped(&reference.elem) {
            ty if is_text(ty) => Some(quote!(::tracepoint::event::Str)),
            Type::Slice(slice) => {
                let element = field_type(&slice.elem)?;
                Some(quote!(::tracepoint::event::DynArray<#element>))
            }
            ty @ Type::Array(_) => field_type(ty),
            _ => None,
        },
        Type::Array(array) => {
            let (element, len) = (field_type(&array.elem)?, types::len_of(array)?);
            Some(quote!([#element; #len]))
        }
        ty => match types::name_of(ty) {
            Some((name, Some(Type::Reference(of)))) if name == "Option" && is_text(&of.elem) => {
                Some(quote!(::tracepoint::event::Str))
            }
            _ => args::scalar(ty).map(|_| ty.to_token_stream()),
        },
    }
}

/// Returns whether the type of a member can't be that of a field.
fn is_no_field(ty: &Type) -> bool {
    const OWNERS: [&str; 8] = [
        "ARef", "Arc", "Box", "KBox", "KVec", "String", "VVec", "Vec",
    ];
    match types::ungrouped(ty) {
        Type::Path(_) | Type::Array(_) | Type::Ptr(_) => {
            types::name_of(ty).is_some_and(|(name, _)| OWNERS.contains(&name.as_str()))
        }
        _ => true,
    }
}

/// Expands `#[derive(TraceFields)]`.
pub(crate) fn trace_fields(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let Data::Struct(DataStruct {
        fields: Fields::Named(fields),
        ..
    }) = &input.data
    else {
        let error = "expected a struct with named members, which become parts of the fields' names";
        return Err(Error::new(name.span(), error));
    };
    // A macro isn't visible outside of its crate.
    let vis = match &input.vis {
        Visibility::Public(_) => quote!(pub(crate)),
        vis => vis.to_token_stream(),
    };
    let lifetimes = input.generics.lifetimes().map(|_| quote!('static));
    let this = quote!(#name<#(#lifetimes),*>);
    let has = |field: &Field, name: &str| field.attrs.iter().any(|attr| attr.path().is_ident(name));
    let (mut members, mut types) = (TokenStream::new(), TokenStream::new());
    let fields = fields.named.iter().filter(|field| !has(field, "skip"));
    for (n, field) in fields.enumerate() {
        let (n, ident, ty) = (Literal::usize_unsuffixed(n), &field.ident, &field.ty);
        if has(field, "flatten") {
            // Its macro is called by the name that the type has here.
            members.extend(quote!(#[flatten] #ident: #ty,));
        } else if let Some(ty) = field_type(ty) {
            members.extend(quote!(#ident: #ty,));
        } else if is_no_field(ty) {
            let error = format!(
                "TraceFields: the member `{}` can't be a field: leave it out with `#[skip]`",
                ident.to_token_stream()
            );
            types.extend(Error::new(span_of(ty), error).into_compile_error());
        } else {
            // In the event's module, the names of other types may mean something else.
            let ty = layers::with_lifetime(ty, "'static", |_| true);
            types.extend(quote! {
                impl ::tracepoint::__private::Member<#n> for #this {
                    type Type = #ty;
                }
            });
            members.extend(quote!(#ident: _,));
        }
    }
    let macro_name = format_ident!("__trace_fields_{}", name.unraw().to_string());
    Ok(quote! {
        #types

        #[allow(unused_macros)]
        macro_rules! #macro_name {
            ($name:ident { $($input:tt)* }) => {
                ::tracepoint::__private::flattened! { $name { #members } { $($input)* } }
            };
        }
        #[allow(unused_imports)]
        #vis use #macro_name as #name;
    })
}

#[cfg(test)]
#[path = "../../../tests/macros/flatten.rs"]
mod tests;
