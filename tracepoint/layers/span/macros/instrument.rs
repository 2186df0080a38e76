// SPDX-License-Identifier: GPL-2.0

//! The expansion of `#[instrument]`.

use crate::{
    tokens::{local, span_of},
    types,
};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{spanned::Spanned, Error, ItemFn, Result, ReturnType, Type};

/// Returns whether the type is a `Result` by its name.
fn is_result(ty: &Type) -> bool {
    matches!(types::ungrouped(ty), Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "Result"))
}

/// Expands one function.
pub(crate) fn expand(attr: &TokenStream, function: ItemFn) -> Result<TokenStream> {
    if attr.is_empty() {
        return Err(Error::new(
            Span::call_site(),
            "expected the span: `#[instrument(name(argument, …))]`",
        ));
    }
    let ItemFn {
        attrs,
        vis,
        sig,
        block,
    } = function;
    if let Some(span) =
        (sig.constness.map(|token| token.span)).or(sig.asyncness.map(|token| token.span))
    {
        return Err(Error::new(
            span,
            format!("`{}` can't be a span: use an ordinary function", sig.ident),
        ));
    }
    let (span, mut result) = (local("span"), local("result"));
    let mut note = quote!(let _ = #span;);
    let ty = match &sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => {
            if is_result(ty) {
                // At the type that can have an error.
                let at = span_of(ty);
                result.set_span(result.span().located_at(at));
                note = quote_spanned!(at=> #span.result(&#result););
            }
            match &**ty {
                Type::ImplTrait(_) | Type::Never(_) => quote!(_),
                ty => quote!(#ty),
            }
        }
    };
    let body = quote_spanned!(block.span()=> (|| #block)());
    Ok(quote! {
        #(#attrs)*
        #vis #sig {
            let #span = ::tracepoint::span!(#attr);
            #[allow(clippy::let_unit_value, clippy::redundant_closure_call)]
            let #result: #ty = #body;
            #note
            #result
        }
    })
}
