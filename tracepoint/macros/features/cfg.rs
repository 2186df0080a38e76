// SPDX-License-Identifier: GPL-2.0

//! `#[cfg]` on a tracepoint, an event, a class, or an event of a class.
//!
//! A procedural macro can't evaluate it. So what has one becomes a macro call of its own, without it,
//! and the compiler decides whether to expand that.

use crate::{grammar::items, tokens::group};
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{
    ext::IdentExt,
    parse::{ParseStream, Parser},
    Attribute,
};

/// Returns whether an attribute is this one of the compiler's, for which `r#repr` is `repr`.
pub(crate) fn is_attr(attr: &Attribute, name: &str) -> bool {
    let ident = attr.path().get_ident();
    ident.is_some_and(|ident| ident.unraw() == name)
}

/// Returns the conditions of an item's `#[cfg]`s, and the item without them, if it has any.
fn without_cfg(item: &TokenStream) -> Option<(TokenStream, TokenStream)> {
    let parser = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        Ok((attrs, input.parse::<TokenStream>()?))
    };
    // If it's no item, the parser of the macro reports it.
    let (attrs, rest) = parser.parse2(item.clone()).ok()?;
    let is_cfg = |attr: &Attribute| is_attr(attr, "cfg");
    let (cfgs, others): (Vec<_>, Vec<_>) = attrs.into_iter().partition(is_cfg);
    let conditions = cfgs.iter().map(|cfg| cfg.parse_args::<TokenStream>());
    let conditions = conditions.collect::<syn::Result<Vec<_>>>().ok()?;
    (!cfgs.is_empty()).then(|| (quote!(all(#(#conditions),*)), quote!(#(#others)* #rest)))
}

/// Returns the macro calls that an item becomes, if it or an event of its class has a `#[cfg]`. `before`
/// is what comes before the items.
pub(crate) fn apart(
    macro_name: &str,
    before: &TokenStream,
    item: &TokenStream,
) -> Option<TokenStream> {
    let macro_name = format_ident!("{macro_name}");
    let call = |item| quote!(::tracepoint::__private::macros::#macro_name! { #before #item });
    if let Some((condition, item)) = without_cfg(item) {
        let call = call(item);
        return Some(quote!(#[cfg(#condition)] #call));
    }
    // Of the class. Other items end with a `;`.
    let mut class: Vec<_> = item.clone().into_iter().collect();
    let Some(TokenTree::Group(of)) = class.pop() else {
        return None;
    };
    let mut events = items.parse2(of.stream()).ok()?;
    let (at, (condition, event)) = events
        .iter()
        .enumerate()
        .find_map(|(at, event)| Some((at, without_cfg(event)?)))?;
    let with = |events: &[TokenStream]| {
        let new = group(of.delimiter(), quote!(#(#events)*), of.span());
        call(quote!(#(#class)* #new))
    };
    events[at] = event;
    let all = with(&events);
    events.remove(at);
    let others = with(&events);
    Some(quote! {
        #[cfg(#condition)]
        #all
        #[cfg(not(#condition))]
        #others
    })
}
