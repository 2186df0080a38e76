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
//! This puts the members in the place of the field, and is `trace_event!` otherwise.

use crate::{args, event::Origin, grammar::span_of, template};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use syn::{
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
    spanned::Spanned,
    visit_mut::{self, VisitMut},
    Attribute, Data, DeriveInput, Error, Expr, Fields, GenericParam, Lifetime, LitInt,
    PathArguments, Result, Token, Type, Visibility,
};

/// Returns whether `#[flatten]` is at this position.
fn is_flatten(tokens: &[TokenTree], at: usize) -> bool {
    let Some(TokenTree::Group(group)) = tokens.get(at + 1) else {
        return false;
    };
    let mut inner = group.stream().into_iter();
    matches!(&tokens[at], TokenTree::Punct(punct) if punct.as_char() == '#')
        && group.delimiter() == Delimiter::Bracket
        && matches!(inner.next(), Some(TokenTree::Ident(name)) if name == "flatten")
        && inner.next().is_none()
}

/// The first field of an input that is to be replaced.
struct Flattened {
    attrs: Vec<Attribute>,
    name: Ident,
    ty: Type,
    value: Expr,
}

impl Flattened {
    /// Takes the tokens from the field's first attribute on, and returns those that follow it, too.
    fn parse(input: ParseStream<'_>) -> Result<(Self, TokenStream)> {
        let mut attrs = input.call(Attribute::parse_outer)?;
        attrs.retain(|attr| !attr.path().is_ident("flatten"));
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<Token![=]>()?;
        let value = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        let flattened = Self {
            attrs,
            name,
            ty,
            value,
        };
        Ok((flattened, input.parse()?))
    }
}

/// Finds the first `#[flatten]`. Calls `replace` with the field, what is before it and what is after
/// it between the braces, and returns the input with the result between these braces.
fn find<T>(
    input: &TokenStream,
    replace: impl FnOnce(Flattened, &[TokenTree], TokenStream) -> (TokenStream, T),
) -> Option<(TokenStream, T)> {
    let mut tokens: Vec<_> = input.clone().into_iter().collect();
    for token in &mut tokens {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let inner: Vec<_> = group.stream().into_iter().collect();
        let Some(mut at) = (0..inner.len()).find(|at| is_flatten(&inner, *at)) else {
            continue;
        };
        let is_attr = |at: usize| {
            matches!(&inner[at], TokenTree::Punct(punct) if punct.as_char() == '#')
                && matches!(&inner[at + 1], TokenTree::Group(_))
        };
        while at >= 2 && is_attr(at - 2) {
            at -= 2;
        }
        let rest = inner[at..].iter().cloned().collect();
        // If it's no field, the parser of the event reports it.
        let (field, after) = Flattened::parse.parse2(rest).ok()?;
        let (replaced, result) = replace(field, &inner[..at], after);
        let mut new = Group::new(group.delimiter(), replaced);
        new.set_span(group.span());
        *group = new;
        return Some((tokens.into_iter().collect(), result));
    }
    None
}

/// Returns the call of the macro of the first struct that's flattened in an input, if there is one.
pub(crate) fn defer(macro_name: &str, input: &TokenStream) -> Option<TokenStream> {
    let (_, ty) = find(input, |field, _, _| (TokenStream::new(), field.ty))?;
    let Type::Path(mut path) = template::ungrouped(&ty).clone() else {
        let error = "only a struct with `#[derive(TraceFields)]` can be flattened";
        return Some(Error::new(ty.span(), error).into_compile_error());
    };
    if let Some(last) = path.path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    let name = Ident::new(macro_name, Span::call_site());
    Some(quote!(#path! { #name { #input } }))
}

/// A member of a struct: its number, its name, and its type as a field. A `_` stands for the type that
/// only the struct's module knows.
struct Member {
    n: usize,
    attrs: Vec<Attribute>,
    name: Ident,
    ty: Type,
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let n: LitInt = input.parse()?;
        let attrs = input.call(Attribute::parse_outer)?;
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        Ok(Self {
            n: n.base10_parse()?,
            attrs,
            name,
            ty,
        })
    }
}

/// Takes the input of `flattened!`. Returns the kind of event and its macro's input, in which the members
/// are in the place of the field.
pub(crate) fn flattened(input: TokenStream) -> Result<(Origin, TokenStream)> {
    let parse = |input: ParseStream<'_>| {
        let name: Ident = input.parse()?;
        let mut origins = [Origin::Own, Origin::Kernel].into_iter();
        let origin = origins.find(|origin| name == origin.macro_name());
        let origin =
            origin.ok_or_else(|| Error::new(name.span(), "expected a macro for events"))?;
        let (members, original);
        syn::braced!(members in input);
        syn::braced!(original in input);
        let members = Punctuated::<Member, Token![,]>::parse_terminated(&members)?;
        Ok((origin, members, original.parse::<TokenStream>()?))
    };
    let (origin, members, original) = parse.parse2(input)?;
    let replaced = find(&original, |field, before, after| {
        let Flattened {
            attrs,
            name,
            ty,
            value,
        } = field;
        let text = name.unraw().to_string();
        // It can use the values that are before it.
        let split = before
            .iter()
            .rposition(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'));
        let (values, fields) = before.split_at(split.map_or(0, |at| at + 1));
        let local = Ident::new(&format!("__{text}"), Span::mixed_site());
        let mut this = ty;
        Static.visit_type_mut(&mut this);
        let members = members.iter().map(|member| {
            let Member {
                n,
                attrs: own,
                name: member,
                ty,
            } = member;
            let field = format_ident!("{text}_{}", member.unraw().to_string(), span = name.span());
            let ty = match ty {
                Type::Infer(_) => {
                    let n = Literal::usize_unsuffixed(*n);
                    quote!(<#this as ::tracepoint::__private::Member<#n>>::Type)
                }
                ty => ty.to_token_stream(),
            };
            quote!(#(#attrs)* #(#own)* #field: #ty = #local.#member,)
        });
        let (values, fields) = (
            values.iter().map(ToTokens::to_token_stream),
            fields.iter().map(ToTokens::to_token_stream),
        );
        let tokens = quote! {
            #(#values)*
            let #local = &(#value);
            #(#fields)*
            #(#members)*
            #after
        };
        (tokens, ())
    });
    let tokens = replaced.map_or(original, |(tokens, ())| tokens);
    Ok((origin, tokens))
}

/// Replaces all lifetimes: a field has none.
struct Static;

impl VisitMut for Static {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = Lifetime::new("'static", lifetime.span());
    }

    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        reference
            .lifetime
            .get_or_insert_with(|| Lifetime::new("'static", Span::call_site()));
        visit_mut::visit_type_reference_mut(self, reference);
    }
}

/// Returns a field's type for a member, if how it's written says it.
fn field_type(ty: &Type) -> Option<TokenStream> {
    let is_text = |ty: &Type| {
        let name = template::name_of(ty).map(|(name, _)| name);
        matches!(name.as_deref(), Some("str" | "CStr"))
    };
    match template::ungrouped(ty) {
        Type::Reference(reference) => match template::ungrouped(&reference.elem) {
            ty if is_text(ty) => Some(quote!(::tracepoint::event::Str)),
            Type::Slice(slice) => {
                let element = field_type(&slice.elem)?;
                Some(quote!(::tracepoint::event::DynArray<#element>))
            }
            ty @ Type::Array(_) => field_type(ty),
            _ => None,
        },
        Type::Array(array) => {
            let (element, len) = (field_type(&array.elem)?, template::len_of(array)?);
            Some(quote!([#element; #len]))
        }
        ty => match template::name_of(ty) {
            Some((name, Some(Type::Reference(of)))) if name == "Option" && is_text(&of.elem) => {
                Some(quote!(::tracepoint::event::Str))
            }
            _ => args::scalar(ty).map(|_| ty.to_token_stream()),
        },
    }
}

/// Returns whether the type of a member can't be that of a field.
fn is_no_field(ty: &Type) -> bool {
    match template::ungrouped(ty) {
        Type::Path(_) | Type::Array(_) | Type::Ptr(_) => {
            let name = template::name_of(ty).map(|(name, _)| name);
            let owners = [
                "ARef", "Arc", "Box", "KBox", "KVec", "String", "VVec", "Vec",
            ];
            name.is_some_and(|name| owners.contains(&name.as_str()))
        }
        _ => true,
    }
}

/// Expands `#[derive(TraceFields)]`.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    syn::parse2(input)
        .and_then(|input| derive_fields(&input))
        .unwrap_or_else(|error| {
            let error = Error::new(error.span(), format!("TraceFields: {error}"));
            error.into_compile_error()
        })
}

fn derive_fields(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "expected a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new(
            input.ident.span(),
            "the struct needs named members, which become parts of the fields' names",
        ));
    };
    for param in &input.generics.params {
        if !matches!(param, GenericParam::Lifetime(_)) {
            return Err(Error::new(param.span(), "the struct can't be generic"));
        }
    }
    let name = &input.ident;
    // A macro isn't visible outside of its crate.
    let vis = match &input.vis {
        Visibility::Public(_) => quote!(pub(crate)),
        vis => vis.to_token_stream(),
    };
    let lifetimes = input.generics.lifetimes().map(|_| quote!('static));
    let this = quote!(#name<#(#lifetimes),*>);
    let (mut members, mut types) = (TokenStream::new(), TokenStream::new());
    let mut errors = TokenStream::new();
    for (n, field) in fields.named.iter().enumerate() {
        if field.attrs.iter().any(|attr| attr.path().is_ident("skip")) {
            continue;
        }
        let (n, ident) = (Literal::usize_unsuffixed(n), &field.ident);
        let flatten: Vec<_> = field
            .attrs
            .iter()
            .filter(|attr| attr.path().is_ident("flatten"))
            .collect();
        if let [attr, ..] = flatten[..] {
            // Its macro is called by the name that the type has here.
            let ty = &field.ty;
            members.extend(quote!(#n #attr #ident: #ty,));
            continue;
        }
        let known = field_type(&field.ty);
        if known.is_none() && is_no_field(&field.ty) {
            let name = ident.as_ref().map(ToString::to_string).unwrap_or_default();
            let error = format!(
                "TraceFields: the member `{name}` can't be a field: leave it out with `#[skip]`"
            );
            errors.extend(Error::new(span_of(&field.ty), error).into_compile_error());
            continue;
        }
        // In the event's module, the names of other types may mean something else.
        let ty = known.unwrap_or_else(|| {
            let mut ty = field.ty.clone();
            Static.visit_type_mut(&mut ty);
            types.extend(quote! {
                impl ::tracepoint::__private::Member<#n> for #this {
                    type Type = #ty;
                }
            });
            quote!(_)
        });
        members.extend(quote!(#n #ident: #ty,));
    }
    let macro_name = format_ident!("__trace_fields_{}", name.unraw().to_string());
    Ok(quote! {
        #errors
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
#[path = "../../tests/macros/flatten.rs"]
mod tests;
