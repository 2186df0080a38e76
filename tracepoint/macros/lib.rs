// SPDX-License-Identifier: GPL-2.0

//! The procedural macros of the tracepoint library.
//!
//! `grammar.rs` parses; `tracepoint.rs`, `event.rs` and others expand. What they expand to refers to
//! `tracepoint::__private`.
//!
//! The library re-exports the macros, and has their documentation.
//!
//! An expansion is unsafe code in a driver that may forbid it, hence `allow_internal_unsafe`; and
//! what's `static` in C has internal linkage.

// The attributes are internal to the compiler, as in the kernel crate's own macros.
#![allow(internal_features)]
// The documentation is in the library.
#![allow(missing_docs)]
#![feature(
    allow_internal_unsafe,
    allow_internal_unstable,
    proc_macro_def_site,
    proc_macro_span
)]

use base::{
    c_name,
    event::{shape, show, spec},
    integers, text,
};
use layers::Layer;
use origin::Own;
use proc_macro::TokenStream as Tokens;

mod arch;
mod args;
// Shared with the library, which uses more of it.
#[allow(dead_code, unreachable_pub)]
#[path = "../base"]
mod base {
    pub(crate) mod c_name;
    pub(crate) mod hash;
    pub(crate) mod integers;
    pub(crate) mod prototype;
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
mod compiler;
mod define;
mod derive;
mod diag;
mod event;
mod expand;
mod features {
    pub(crate) mod cfg;
    pub(crate) mod expression;
    pub(crate) mod helpers;
    pub(crate) mod hygiene;
    pub(crate) mod kernel_symbols;
    pub(crate) mod options;
    pub(crate) mod places;
    pub(crate) mod values;
}
#[cfg(test)]
#[path = "../../tests/macros/expansions.rs"]
mod expansions;
mod field;
#[cfg(test)]
#[path = "../../tests/macros/fuzz.rs"]
mod fuzz;
mod grammar;
mod layers;
mod model;
mod origin;
mod place;
mod print;
mod record;
mod tables;
mod template;
#[cfg(test)]
#[path = "../../tests/macros/declarations.rs"]
mod tests;
mod tokens;
mod tracepoint;
mod types;
mod value;

/// Declares procedural macros.
macro_rules! functions {
    ($($name:ident = $expand:expr;)*) => {$(
        #[proc_macro]
        #[allow_internal_unsafe]
        #[allow_internal_unstable(linkage)]
        pub fn $name(input: Tokens) -> Tokens {
            layers::expand(input, $expand)
        }
    )*};
}

functions! {
    tracepoint = expand::tracepoints;
    trace_event = |input| expand::events(input, &Own);
    define_trace = expand::definitions;
    export_tracepoint_symbol_gpl = |input| expand::exports(input, "GPL");
    export_tracepoint_symbol = |input| expand::exports(input, "");
}

#[proc_macro_derive(TracepointArg)]
#[allow_internal_unsafe]
pub fn derive_tracepoint_arg(input: Tokens) -> Tokens {
    layers::expand(input, derive::tracepoint_arg)
}

/// Declares the layers' part of this crate, and their procedural macros, which have to be in this file.
macro_rules! layers {
    ($($layer:ident $(
        $macros:ident $(#[$attribute:ident])* $($function:ident!)*
        $([$derive:ident($($known:ident),*) = $expand:ident])*
    )?;)*) => {
        $($(
            mod $layer {
                pub(crate) mod $macros;
            }
        )?)*

        /// The additions of the layers.
        static LAYERS: &[&Layer] = &[$($(&$layer::$macros::LAYER,)?)*];

        $($(
            $(
                #[proc_macro_attribute]
                #[allow_internal_unsafe]
                #[allow_internal_unstable(linkage)]
                pub fn $attribute(attr: Tokens, input: Tokens) -> Tokens {
                    layers::function(attr, input, $layer::$macros::$attribute)
                }
            )*
            functions! {
                $($function = $layer::$macros::$function;)*
            }
            $(
                #[proc_macro_derive($derive, attributes($($known),*))]
                #[allow_internal_unsafe]
                #[allow(non_snake_case)]
                pub fn $derive(input: Tokens) -> Tokens {
                    let expand = $layer::$macros::$expand;
                    layers::expand(input, |input| derive::expand(stringify!($derive), input, expand))
                }
            )*
        )?)*
    };
}

include!("../layers/list.rs");
