// SPDX-License-Identifier: GPL-2.0

//! The macros of `kernel::trace`: what they parse, and what they expand to.

// The same as in the kernel crate: both compute parts of the same tables.
#[allow(dead_code, unreachable_pub)]
#[path = "../kernel/trace"]
mod base {
    pub(crate) mod text;

    pub(crate) mod event {
        pub(crate) mod errno;
        pub(crate) mod shape;
        pub(crate) mod show;
        pub(crate) mod spec;
        pub(crate) mod symbols;
        pub(crate) mod template;
    }
}

mod arch;
mod args;
mod compiler;
mod define;
mod derive;
mod diag;
mod event;
mod expand;
mod field;
mod grammar;
mod integers;
mod layers;
// The model offers more to kinds of events than the only one uses.
#[allow(dead_code)]
mod model;
mod nop;
mod origin;
mod place;
mod print;
mod record;
mod tables;
mod template;
mod tokens;
mod tracepoint;
mod types;
mod value;

use base::{
    event::{shape, show, spec},
    text,
};
use origin::Own;
use proc_macro2::TokenStream;

/// Expands `tracepoint!`.
pub(crate) fn tracepoint(input: TokenStream) -> TokenStream {
    if cfg!(not(CONFIG_RUST_TRACEPOINTS)) {
        return nop::tracepoints(input);
    }
    expand::tracepoints(input)
}

/// Expands `trace_event!`.
pub(crate) fn trace_event(input: TokenStream) -> TokenStream {
    if cfg!(not(CONFIG_RUST_TRACEPOINTS)) {
        return nop::events(input);
    }
    expand::events(input, &Own)
}

/// Expands `define_trace!`.
pub(crate) fn define_trace(input: TokenStream) -> TokenStream {
    if cfg!(not(CONFIG_RUST_TRACEPOINTS)) {
        return TokenStream::new();
    }
    expand::definitions(input)
}

/// Expands `export_tracepoint_symbol_gpl!`.
pub(crate) fn export_tracepoint_symbol_gpl(input: TokenStream) -> TokenStream {
    if cfg!(not(CONFIG_RUST_TRACEPOINTS)) {
        return TokenStream::new();
    }
    expand::exports(input, "GPL")
}

/// Expands `#[derive(TracepointArg)]`.
pub(crate) fn derive_tracepoint_arg(input: TokenStream) -> TokenStream {
    if cfg!(not(CONFIG_RUST_TRACEPOINTS)) {
        return TokenStream::new();
    }
    derive::tracepoint_arg(input)
}
