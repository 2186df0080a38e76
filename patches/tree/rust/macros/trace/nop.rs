// SPDX-License-Identifier: GPL-2.0

//! The expansions of the macros in a kernel without tracepoints: functions that are never called. The arguments and the
//! fields are still compiled, so that changes elsewhere don't break them unnoticed.

use super::{
    expand::all,
    grammar::{self, whole},
    layers,
    model::{Class, Tracepoint},
    show::Kind,
    tracepoint::marker,
    types::kind,
    value::Table,
};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{parse::Parse, Result};

/// Expands `tracepoint!`.
pub(crate) fn tracepoints(input: TokenStream) -> TokenStream {
    all(input, grammar::items, |item| {
        expand(item, |tracepoint| declare(tracepoint, &TokenStream::new()))
    })
}

/// Expands `trace_event!`.
pub(crate) fn events(input: TokenStream) -> TokenStream {
    all(input, grammar::events, |(_, item)| expand(item, class))
}

fn expand<T: Parse>(item: TokenStream, expand: fn(&T) -> TokenStream) -> Result<TokenStream> {
    match layers::apart("", &TokenStream::new(), &item) {
        Some(error) => Ok(error),
        None => Ok(expand(&whole(item)?)),
    }
}

fn class(class: &Class) -> TokenStream {
    let values = &class.values;
    let fields = class.fields.iter().map(|field| {
        let (ty, value) = (&field.ty, &field.value);
        // Other types of fields, such as `Str`, aren't those of their values.
        match kind(ty, None) {
            Some(Kind::Int { .. } | Kind::Pointer) => quote!(let _: #ty = #value;),
            _ if matches!(ty, syn::Type::Array(_)) => quote!(let _: #ty = #value;),
            _ => quote!(let _ = #value;),
        }
    });
    let tables = class.print.named.iter();
    let tables = tables.filter_map(|named| Table::of(&named.value)?.ok());
    let entries = tables.flat_map(|table| table.table.entries);
    let keys = entries.map(|entry| entry.first.tokens);
    let body = quote! {
        #(#values)*
        #(#fields)*
        #(let _ = #keys;)*
    };
    let events = class.events.iter().map(|event| {
        let tracepoint = Tracepoint {
            attrs: event.attrs.clone(),
            vis: event.vis.clone(),
            faultable: class.faultable,
            kind: class.kind,
            name: event.name.clone(),
            args: class.args.clone(),
            condition: event.condition.clone(),
        };
        declare(&tracepoint, &body)
    });
    events.collect()
}

fn declare(tracepoint: &Tracepoint, body: &TokenStream) -> TokenStream {
    let (name, marker) = (&tracepoint.name, marker(tracepoint));
    let (arg, ty) = (tracepoint.args.names(), tracepoint.args.types());
    let condition = tracepoint.condition.iter();
    quote! {
        #marker

        impl<__F: ::core::ops::Fn(#(#ty),*)> ::kernel::trace::Accepts<__F> for #name {}

        impl #name {
            /// Returns whether a probe is registered: none ever is.
            #[allow(dead_code)]
            #[inline(always)]
            pub fn enabled() -> bool {
                false
            }

            /// Does nothing.
            #[allow(clippy::all, dead_code, unreachable_pub, unused_variables)]
            #[inline(always)]
            pub fn call(#(#arg: #ty),*) {
                if false {
                    #(let _: bool = #condition;)*
                    #body
                }
            }
        }
    }
}
