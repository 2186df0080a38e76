// SPDX-License-Identifier: GPL-2.0

//! Structs whose members become fields of an event.
//!
//! `#[flatten] request: Request = request` in an event stands for a field `request_MEMBER` for each
//! member. `trace_event!` doesn't know the members, so it expands to
//!
//! ```text
//! Request! { trace_event { system: "drv"; } fn … }
//! ```
//!
//! `#[derive(TraceFields)]` has declared this macro. It adds the names and types of the members:
//!
//! ```text
//! trace_event! { system: "drv"; #[flattened(op: Op, sector: u64,)] fn … }
//! ```
//!
//! `trace_event!` now puts them in the place of the field. If there's another such field, maybe among the members, it
//! adds an attribute before this one.

use crate::{
    args::{self, Arg},
    grammar,
    layers::{self, Layer},
    model::{self, Class},
    tokens::{local, span_of},
    types,
};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote, ToTokens};
use syn::{
    ext::IdentExt, parse::Parser, spanned::Spanned, Attribute, Data, DataStruct, DeriveInput,
    Error, Fields, GenericParam, Path, PathArguments, Result, Type, Visibility,
};

pub(crate) static LAYER: Layer = Layer {
    attributes: &["flattened"],
    defer: flatten,
    ..Layer::NONE
};

fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(name))
}

/// Puts the members of structs that are known in the place of the fields, from the first one on. Returns the macro of
/// the next struct, if there is one.
fn flatten(class: &mut Class) -> Result<Option<Path>> {
    let of_events = class.events.iter().flat_map(|event| &event.attrs);
    let known = class.attrs.iter().chain(of_events);
    let known = known.filter(|attr| attr.path().is_ident("flattened"));
    let known = known.map(|attr| attr.parse_args_with(grammar::list::<Arg>));
    let mut known = known.collect::<Result<Vec<_>>>()?;
    let is_meant = |field: &model::Field| has(&field.attrs, "flatten") && field.c_type.is_none();
    while let Some(at) = class.fields.iter().position(is_meant) {
        let field = &mut class.fields[at];
        let Some(members) = known.pop() else {
            return macro_of(&field.ty).map(Some);
        };
        field.attrs.retain(|attr| !attr.path().is_ident("flatten"));
        let (attrs, ident, value) = (&field.attrs, field.name.unraw(), &field.value);
        let this = local(&format!("of_{ident}"));
        // A field has no lifetimes.
        let ty = layers::with_lifetime(&field.ty, "'static", |_| true);
        let fields = members.iter().enumerate().map(|(n, member)| {
            let field = format_ident!("{ident}_{}", member.name.unraw(), span = ident.span());
            let (own, member, given) = (&member.attrs, &member.name, &member.ty);
            let ty = match given {
                Type::Infer(_) => {
                    let n = Literal::usize_unsuffixed(n);
                    quote!(<#ty as ::tracepoint::__private::Member<#n>>::Type)
                }
                given => given.to_token_stream(),
            };
            quote!(#(#attrs)* #(#own)* #field: #ty = #this.#member,)
        });
        let (values, fields) =
            grammar::fields.parse2(quote!({ let #this = &(#value); #(#fields)* }))?;
        class.values.extend(values);
        class.fields.splice(at..=at, fields);
    }
    Ok(None)
}

/// Returns the macro with the name that a struct has here.
fn macro_of(ty: &Type) -> Result<Path> {
    let Type::Path(path) = types::ungrouped(ty) else {
        let error = "only a struct with `#[derive(TraceFields)]` can be flattened";
        return Err(Error::new(ty.span(), error));
    };
    let mut path = path.path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    Ok(path)
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
    let mut params = input.generics.params.iter();
    if let Some(param) = params.find(|param| !matches!(param, GenericParam::Lifetime(_))) {
        let error = "the struct can't be generic, except over lifetimes";
        return Err(Error::new(param.span(), error));
    }
    // A macro isn't visible outside of its crate.
    let vis = match &input.vis {
        Visibility::Public(_) => quote!(pub(crate)),
        vis => vis.to_token_stream(),
    };
    let lifetimes = input.generics.lifetimes().map(|_| quote!('static));
    let this = quote!(#name<#(#lifetimes),*>);
    let (mut members, mut types) = (TokenStream::new(), TokenStream::new());
    let fields = fields
        .named
        .iter()
        .filter(|field| !has(&field.attrs, "skip"));
    for (n, field) in fields.enumerate() {
        let (n, ident, ty) = (Literal::usize_unsuffixed(n), &field.ident, &field.ty);
        if has(&field.attrs, "flatten") {
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
            ($name:ident { $($before:tt)* } $($event:tt)*) => {
                ::tracepoint::__private::macros::$name! {
                    $($before)* #[flattened(#members)] $($event)*
                }
            };
        }
        #[allow(unused_imports)]
        #vis use #macro_name as #name;
    })
}

#[cfg(test)]
#[path = "../../../tests/macros/flatten.rs"]
mod tests;
