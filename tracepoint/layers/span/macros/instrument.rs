// SPDX-License-Identifier: GPL-2.0

//! The expansion of `#[instrument]`.

use crate::{
    tokens::{local, span_of},
    types,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ItemFn, Result, ReturnType, Type};

/// Returns whether the type is a `Result` by its name.
fn is_result(ty: &Type) -> bool {
    matches!(types::ungrouped(ty), Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "Result"))
}

/// Expands `#[instrument]`.
pub(crate) fn instrument(attr: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    let (attrs, vis) = (&function.attrs, &function.vis);
    let (sig, block) = (&function.sig, &function.block);
    let span = local("span");
    let body = match &sig.output {
        ReturnType::Type(_, ty) if is_result(ty) => {
            // An error is at the type that can have one.
            let at = span_of(ty);
            let result = Ident::new("__result", Span::mixed_site().located_at(at));
            let note = quote_spanned!(at=> #span.result(&#result););
            let call = quote_spanned!(span_of(block)=> (|| #block)());
            quote! {
                #[allow(clippy::redundant_closure_call)]
                let #result: #ty = #call;
                #note
                #result
            }
        }
        // All that's temporary in the block is dropped before the span ends.
        _ => quote! {
            let _ = #span;
            #[allow(clippy::needless_return, unreachable_code)]
            return #block;
        },
    };
    let body = quote!(let #span = ::tracepoint::span!(#attr); #body);
    // The driver's, so that the lint `unsafe_code` sees an `unsafe fn` as the driver's.
    let body = quote_spanned!(block.brace_token.span.join()=> { #body });
    Ok(quote!(#(#attrs)* #vis #sig #body))
}
