// SPDX-License-Identifier: GPL-2.0

//! What an event stands for, if it's more than a moment.
//!
//! A kind is a word before the `fn`. It changes the parsed event, and can replace parts of the expansion, for
//! which the defaults below are those of a plain event. Layers have kinds of their own: [`KINDS`] lists them.

use crate::{
    grammar::{Class, Tracepoint},
    span::KINDS,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{parse::ParseStream, Result};

pub(crate) trait Kind: Sync {
    /// Parses what stands before the `fn`, if it's that of this kind.
    fn parse(&self, input: ParseStream<'_>) -> Result<bool>;

    /// Returns what tools call it.
    fn name(&self) -> &'static str;

    /// Adds what the kind has to an event, or refuses the event.
    fn apply(&self, class: &mut Class) -> Result<()>;

    /// Returns the trait that a tracepoint has by which it's fired.
    fn fired(&self) -> TokenStream {
        quote!(__p::Fired)
    }

    /// Returns who may call `NAME::call`, if the driver may not.
    fn caller(&self) -> Option<&'static str> {
        None
    }

    /// Expands the implementation of [`Kind::fired`], unless it's [`Fired`]. It has the functions in
    /// `enabled`.
    ///
    /// [`Fired`]: srctree/tracepoint/base/point.rs
    fn implement(&self, _tracepoint: &Tracepoint, _enabled: &TokenStream) -> Option<TokenStream> {
        None
    }

    /// Returns the type of the class, without its parameters.
    fn class(&self) -> TokenStream {
        quote!(__p::Class)
    }

    /// Returns the value of the class that has this value as a plain one.
    fn class_value(&self, value: TokenStream) -> TokenStream {
        value
    }

    /// Returns where the plain class is in the one at this address.
    fn class_at(&self, at: TokenStream) -> TokenStream {
        at
    }

    /// Expands the recording for a probe with this data. `__record` fills a record, and returns whether there
    /// was room for one if [`Kind::is_told`].
    fn record(&self, data: &Ident, args: &[TokenStream]) -> TokenStream {
        quote! {
            if __p::begin(#data) {
                __record(#data #(, #args)*);
            }
            __p::end();
        }
    }

    /// Whether the recording is told if there was no room.
    fn is_told(&self) -> bool {
        false
    }

    /// Expands perf's probe, which calls the other one if there's anything to record.
    fn perf(&self, data: &Ident, record: &TokenStream) -> TokenStream {
        quote! {
            let #data = __p::for_perf(#data);
            if #data as __p::usize != 0 {
                #record
            }
        }
    }
}

/// An event that's a moment.
pub(crate) struct Plain;

pub(crate) static PLAIN: &dyn Kind = &Plain;

impl Kind for Plain {
    fn parse(&self, _: ParseStream<'_>) -> Result<bool> {
        Ok(true)
    }

    fn name(&self) -> &'static str {
        "event"
    }

    fn apply(&self, _: &mut Class) -> Result<()> {
        Ok(())
    }
}

/// Parses the kind of an event.
pub(crate) fn parse(input: ParseStream<'_>) -> Result<&'static dyn Kind> {
    for kind in KINDS {
        if kind.parse(input)? {
            return Ok(*kind);
        }
    }
    Ok(PLAIN)
}
