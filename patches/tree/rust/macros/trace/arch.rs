// SPDX-License-Identifier: GPL-2.0

//! The expansions of the macros where C has assembly or a `static` function.

use super::args::CArgs;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// Returns what gives a function the name that it has in C: nothing, since the name would be global here, and so have to
/// be unique in the kernel.
pub(crate) fn local_symbol(_: &str) -> TokenStream {
    TokenStream::new()
}

/// Returns what gives the static of an event its name, to which assembly refers. It's as unique as the name of the event's
/// tracepoint.
pub(crate) fn static_symbol(symbol: &str) -> TokenStream {
    quote!(#[export_name = #symbol])
}

/// Returns the body of a probe stub.
pub(crate) fn probestub() -> Option<TokenStream> {
    Some(TokenStream::new())
}

/// Expands assembly outside of functions.
pub(crate) fn global_asm(text: &str, operands: &TokenStream) -> TokenStream {
    let text = Literal::string(text);
    quote!(::core::arch::global_asm!(#text, #operands);)
}

/// Expands a branch on the static key of a tracepoint, which is false by default.
///
/// C: `static_branch_unlikely()`.
pub(crate) fn static_branch_unlikely(name: &str) -> TokenStream {
    let tracepoint = format!("__tracepoint_{name}");
    quote!({
        extern "C" {
            #[link_name = #tracepoint]
            static mut __TRACEPOINT: __p::tracepoint;
        }
        ::kernel::jump_label::static_branch_unlikely!(__TRACEPOINT, __p::tracepoint, key)
    })
}

/// Expands a call of the iterator, which calls all probes of a tracepoint.
///
/// C: `__DO_TRACE_CALL()` without static calls.
pub(crate) fn do_trace_call(
    _: &str,
    _: &str,
    _: &TokenStream,
    c_args: &CArgs,
    _: bool,
) -> TokenStream {
    let c_arg = &c_args.names;
    quote!(Self::__iterator(::core::ptr::null_mut() #(, #c_arg)*);)
}
