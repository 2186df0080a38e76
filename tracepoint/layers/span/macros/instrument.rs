// SPDX-License-Identifier: GPL-2.0

//! The expansion of `#[instrument]`.

use crate::{
    tokens::{local, span_of},
    types,
};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{spanned::Spanned, Error, ItemFn, Result, ReturnType, Type};

/// Returns whether the type is a `Result` by its name.
fn is_result(ty: &Type) -> bool {
    match types::ungrouped(ty) {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|s| s.ident == "Result"),
        _ => false,
    }
}

/// Expands one function. After an error, the function is left as it is, so that its callers have none.
pub(crate) fn expand(attr: TokenStream, input: TokenStream) -> TokenStream {
    match checked(&attr, input.clone()) {
        Ok(tokens) => tokens,
        Err(error) => {
            let error = error.into_compile_error();
            quote!(#input #error)
        }
    }
}

fn checked(attr: &TokenStream, input: TokenStream) -> Result<TokenStream> {
    if attr.is_empty() {
        return Err(Error::new(
            proc_macro2::Span::call_site(),
            "expected the span: `#[instrument(name(argument, …))]`",
        ));
    }
    let ItemFn {
        attrs,
        vis,
        sig,
        block,
    } = syn::parse2(input)?;
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
