// SPDX-License-Identifier: GPL-2.0

//! The kernel's tracepoints, and custom events on them.

pub(crate) use self::kernel_tracepoint::header_tracepoints;
use self::kernel_tracepoint::{exact, traceiter, EXACT};
use crate::{
    args::CArgs,
    expand,
    layers::Layer,
    model::{Class, Event, Tracepoint, With, PLAIN},
    origin::{Origin, Probes},
    tokens::{c_name, c_string, span_of, Expansion},
};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, LitStr, Result};

pub(crate) mod headers;
mod kernel_tracepoint;

pub(crate) static LAYER: Layer = Layer::NONE;

/// Expands `kernel_tracepoint!`.
pub(crate) fn kernel_tracepoint(input: TokenStream) -> TokenStream {
    expand::each("kernel_tracepoint", input, kernel_tracepoint::declare)
}

/// Expands `trace_custom_event!`.
pub(crate) fn trace_custom_event(input: TokenStream) -> TokenStream {
    expand::events(input, &Kernel)
}

/// An event on one of the kernel's tracepoints.
struct Kernel;

impl Origin for Kernel {
    fn name(&self) -> &'static str {
        "kernel"
    }

    fn macro_name(&self) -> &'static str {
        "trace_custom_event"
    }

    fn check(&self, class: &Class, system: &LitStr) -> Result<()> {
        let name = &class.name;
        if let Some(expr) = &class.perf_count {
            let error = format!("`{name}`: perf doesn't record custom events");
            return Err(Error::new(span_of(expr), error));
        }
        if class.kind.name != PLAIN.name || class.faultable {
            return Err(Error::new(
                name.span(),
                format!("`{name}` is on a tracepoint of the kernel: it can only be a plain event"),
            ));
        }
        for Event { name, with, .. } in &class.events {
            if !with.hooks.is_empty() || with.flags.is_some() || with.perf_perm.is_some() {
                let error = format!(
                    "`{name}` is on a tracepoint of the kernel: it can't have these options"
                );
                return Err(Error::new(name.span(), error));
            }
            let header = headers::find(name)?;
            if header.is_some_and(|header| header.system == system.value()) {
                let error = format!(
                    "the kernel's own event `{name}` is in this system: a custom event needs another one"
                );
                return Err(Error::new(system.span(), error));
            }
            if header.is_some_and(|header| header.mixes_probes()) {
                let error = format!(
                    "`{name}` is faultable: the kernel can record it with the data of a probe"
                );
                return Err(Error::new(name.span(), error));
            }
        }
        Ok(())
    }

    fn tracepoint(&self, declaration: &Tracepoint, _: &With) -> Result<Expansion> {
        kernel_tracepoint::declare(declaration)
    }

    fn probes(&self, class: &Class, c_args: &CArgs) -> Result<Probes> {
        let record = if EXACT {
            let names = class.events.iter().map(|event| &event.name);
            let iterators: Vec<_> = names.map(traceiter).collect();
            exact(&iterators, c_args, None, &quote!(__trace_event_raw_event))
        } else {
            quote!(__trace_event_raw_event as *mut __p::c_void)
        };
        Ok(Probes {
            items: TokenStream::new(),
            record,
            perf: quote!(::core::ptr::null_mut()),
            registers: quote!(__p::Files),
        })
    }

    fn call(&self, event: &Event, output: &TokenStream) -> TokenStream {
        let name = c_string(&c_name(&event.name));
        quote!(__p::custom_call(__p::Class::class(__p::Shared::get(&__CLASS)), #name, #output))
    }
}
