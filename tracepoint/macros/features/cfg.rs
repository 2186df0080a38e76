// SPDX-License-Identifier: GPL-2.0

//! `#[cfg]` on a tracepoint, an event, a class, or an event of a class.
//!
//! A procedural macro can't evaluate it. So what has one becomes a macro call of its own, without it,
//! and the compiler decides whether to expand that.

use crate::layers::Layer;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{format_ident, quote};

pub(crate) static LAYER: Layer = Layer {
    defer: apart,
    ..Layer::NONE
};

/// Returns the conditions of the `#[cfg]`s that an item begins with, and the item without them.
fn take(item: &[TokenTree]) -> (Vec<TokenStream>, TokenStream) {
    let (mut conditions, mut rest) = (Vec::new(), TokenStream::new());
    let mut at = 0;
    while let [TokenTree::Punct(punct), TokenTree::Group(attr), ..] = &item[at..] {
        if punct.as_char() != '#' {
            break;
        }
        let inner: Vec<_> = attr.stream().into_iter().collect();
        match &inner[..] {
            [TokenTree::Ident(name), TokenTree::Group(condition)] if name == "cfg" => {
                conditions.push(condition.stream());
            }
            _ => rest.extend(item[at..at + 2].iter().cloned()),
        }
        at += 2;
    }
    rest.extend(item[at..].iter().cloned());
    (conditions, rest)
}

/// Returns the macro calls that an item becomes, if it or an event of its class has a `#[cfg]`. `before`
/// is what comes before the items.
fn apart(macro_name: &str, before: &TokenStream, item: &TokenStream) -> Option<TokenStream> {
    let macro_name = format_ident!("{macro_name}");
    let call = |item| quote!(::tracepoint::__private::macros::#macro_name! { #before #item });
    let mut item: Vec<_> = item.clone().into_iter().collect();
    let (conditions, rest) = take(&item);
    if !conditions.is_empty() {
        let call = call(rest);
        return Some(quote!(#(#[cfg(#conditions)])* #call));
    }
    // Of the class. Other items end with a `;`.
    let Some(TokenTree::Group(group)) = item.pop() else {
        return None;
    };
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ';');
    let events: Vec<_> = tokens.split_inclusive(is_end).collect();
    let (at, conditions, event) = events.iter().enumerate().find_map(|(at, event)| {
        let (conditions, event) = take(event);
        (!conditions.is_empty()).then_some((at, conditions, event))
    })?;
    let (first, last) = (events[..at].concat(), events[at + 1..].concat());
    let class = |event: Option<&TokenStream>| {
        let mut events = Group::new(Delimiter::Brace, quote!(#(#first)* #event #(#last)*));
        events.set_span(group.span());
        call(quote!(#(#item)* #events))
    };
    let with = class(Some(&event));
    let without = (events.len() > 1).then(|| class(None));
    let without = without.map(|class| quote!(#[cfg(not(all(#(#conditions),*)))] #class));
    Some(quote!(#[cfg(all(#(#conditions),*))] #with #without))
}
