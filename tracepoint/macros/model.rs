// SPDX-License-Identifier: GPL-2.0

//! The declarations of the macros, as plain data, and how a layer changes it. `grammar.rs` parses it, and the emitters
//! turn it into tokens.

use crate::{args::Args, print::Print};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Expr, LitStr, Local, Path, Result, Type, Visibility};

/// A declared tracepoint.
#[derive(Clone)]
pub(crate) struct Tracepoint {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) faultable: bool,
    pub(crate) kind: &'static EventKind,
    pub(crate) name: Ident,
    pub(crate) args: Args,
    pub(crate) condition: Option<Expr>,
}

/// An entry of `define_trace!`.
pub(crate) struct Definition {
    pub(crate) path: Path,
    /// As in [`With`].
    pub(crate) hooks: TokenStream,
}

/// The expansion of an event's options.
#[derive(Default)]
pub(crate) struct With {
    /// The items of its `Hooks`.
    pub(crate) hooks: TokenStream,
    pub(crate) flags: Option<TokenStream>,
    pub(crate) perf_perm: Option<TokenStream>,
    /// How often the event has happened. C: `__perf_count()`.
    pub(crate) perf_count: Option<Expr>,
}

/// A field of an event.
pub(crate) struct Field {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// The C type after `as`.
    pub(crate) c_type: Option<LitStr>,
    pub(crate) value: Expr,
}

/// An event of a class, or an event that is a class by itself.
pub(crate) struct Event {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) name: Ident,
    pub(crate) condition: Option<Expr>,
    /// Its own template, if it has one besides that of the class.
    pub(crate) print: Option<Print>,
    pub(crate) with: With,
}

/// Events that record the same.
pub(crate) struct Class {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) faultable: bool,
    pub(crate) kind: &'static EventKind,
    pub(crate) name: Ident,
    pub(crate) args: Args,
    /// The values that are computed before the fields and can be used by all of them.
    pub(crate) values: Vec<Local>,
    pub(crate) fields: Vec<Field>,
    pub(crate) print: Print,
    /// How often the event has happened, as perf counts it.
    pub(crate) perf_count: Option<Expr>,
    pub(crate) events: Vec<Event>,
}

/// The kind of an event: a keyword before the `fn`, if it's more than a moment.
///
/// It can change the parsed event and the expansion. Layers have kinds of their own: see [`layers`](crate::layers).
pub(crate) struct EventKind {
    /// The words before the `fn`, which is also what tools call it.
    pub(crate) name: &'static str,
    /// Adds what the kind has to an event, or refuses the event.
    pub(crate) apply: fn(&mut Class) -> Result<()>,
    /// Who may call `NAME::call`, if the driver may not.
    pub(crate) caller: Option<&'static str>,
    /// Expands the implementation of the trait by which the tracepoint is fired, unless it's [`Fired`].
    ///
    /// [`Fired`]: srctree/tracepoint/base/point.rs
    pub(crate) implement: fn(&Tracepoint) -> Option<TokenStream>,
    /// Returns the type that registers the probes, of an event with hooks or without.
    pub(crate) registers: fn(bool) -> TokenStream,
    /// Expands the recording for a probe with this data and these arguments. `__record` fills a record at a
    /// destination, and returns whether there was room for one if `is_told`.
    pub(crate) record: fn(&Ident, &[TokenStream]) -> TokenStream,
    /// Whether the recording is told if there was no room.
    pub(crate) is_told: bool,
    /// Returns the function that turns the data of perf's probe into that of the other one, or into NULL if
    /// there's nothing to record.
    pub(crate) for_perf: fn() -> TokenStream,
}

/// An event that's a moment.
pub(crate) const PLAIN: EventKind = EventKind {
    name: "event",
    apply: |_| Ok(()),
    caller: None,
    implement: |_| None,
    registers: |has_hooks| match has_hooks {
        true => quote!(__p::Refusable),
        false => quote!(()),
    },
    record: |data, args| {
        quote! {
            if __p::begin(#data) {
                __record(__p::Destination::new(#data) #(, #args)*);
            }
            __p::end();
        }
    },
    is_told: false,
    for_perf: || quote!(__p::for_perf),
};
