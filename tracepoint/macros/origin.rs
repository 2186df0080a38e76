// SPDX-License-Identifier: GPL-2.0

//! Where the tracepoints of events come from, and what depends on it.

use crate::{
    arch,
    args::CArgs,
    define, layers,
    model::{Class, Definition, Event, Tracepoint, With},
    tokens::{c_name, local, option, Expansion},
    tracepoint,
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{LitStr, Path, Result};

/// Where the tracepoints of events come from. Layers have origins of their own.
pub(crate) trait Origin {
    /// Returns what tools call it.
    fn name(&self) -> &'static str;

    /// Returns the macro that declares such events. The names of C's structs and functions start with it, too.
    fn macro_name(&self) -> &'static str;

    /// Refuses what the events of a class can't be.
    fn check(&self, _class: &Class, _system: &LitStr) -> Result<()> {
        Ok(())
    }

    /// Expands the tracepoint of an event.
    fn tracepoint(&self, declaration: &Tracepoint, with: &With) -> Result<Expansion>;

    /// Expands the probes of a class besides `__trace_event_raw_event`, and what's registered.
    fn probes(&self, class: &Class, c_args: &CArgs) -> Result<Probes>;

    /// Expands the item through which BPF finds the tracepoint of an event, if there's one.
    fn bpf(&self, _c_args: &CArgs) -> TokenStream {
        TokenStream::new()
    }

    /// Expands the `trace_event_call` of an event of the class `__CLASS`, which `output` prints.
    fn call(&self, event: &Event, output: &TokenStream) -> TokenStream;
}

/// Expands the attributes of a function of the event `name`. It's `static` in C and local here, but still takes the
/// place of a function of the kernel with the same name.
pub(crate) fn function(symbol: &str, name: &Ident) -> Result<TokenStream> {
    let what = format!("a function of the event `{}`", c_name(name));
    layers::symbol(symbol, name.span(), &what)?;
    Ok(arch::local_symbol(symbol))
}

/// The class's items for its events.
pub(crate) struct Probes {
    pub(crate) items: TokenStream,
    /// The probe of a trace buffer.
    pub(crate) record: TokenStream,
    /// Perf's.
    pub(crate) perf: TokenStream,
    /// The type that initialises the events and registers the probes.
    pub(crate) registers: TokenStream,
}

/// `trace_event!`: an event on a tracepoint of its own.
pub(crate) struct Own;

impl Origin for Own {
    fn name(&self) -> &'static str {
        "own"
    }

    fn macro_name(&self) -> &'static str {
        "trace_event"
    }

    fn tracepoint(&self, declaration: &Tracepoint, with: &With) -> Result<Expansion> {
        let mut expansion = tracepoint::declare(declaration);
        let definition = Definition {
            path: Path::from(declaration.name.clone()),
            hooks: with.hooks.clone(),
        };
        expansion.append(define::define(&definition)?);
        Ok(expansion)
    }

    fn probes(&self, class: &Class, c_args: &CArgs) -> Result<Probes> {
        let class_text = c_name(&class.name);
        let perf_trace = function(&format!("perf_trace_{class_text}"), &class.name)?;
        let bpf_trace = function(&format!("__bpf_trace_{class_text}"), &class.name)?;
        let (c_arg, c_types) = (&c_args.names, &c_args.c_types);
        let bpf_run = format_ident!("bpf_trace_run{}", c_arg.len().max(1));
        // C has no events without arguments: it would pass nothing where `bpf_trace_run1()` expects a
        // word.
        let none = c_arg.is_empty().then(|| quote!(, 0));
        let data = local("data");
        let might_fault = class.faultable.then(|| quote!(__p::might_fault();));
        let for_perf = (class.kind.for_perf)();
        let unmerged = define::unmerged(class);
        let mut events = class.events.iter();
        let has_hooks = events.any(|event| !event.with.hooks.is_empty());
        let items = quote! {
            // The probe of perf, whose data is the `trace_event_call`.
            //
            // # Safety
            //
            // Only the tracepoint may call this, with this data and the C arguments of the
            // declaration.
            #[cfg(CONFIG_PERF_EVENTS)]
            #perf_trace
            unsafe extern "C" fn __perf_trace(#data: *mut __p::c_void #(, #c_arg: #c_types)*) {
                // SAFETY: The tracepoint passes the data that's registered for perf, and the C
                // arguments of the declaration, as both functions require.
                unsafe {
                    let #data = #for_perf(#data);
                    if #data as __p::usize != 0 {
                        __trace_event_raw_event(#data #(, #c_arg)*);
                    }
                }
            }

            // The probe of a BPF program, whose data is the `bpf_raw_tp_link`.
            //
            // # Safety
            //
            // Only the tracepoint may call this, with this data and the C arguments of the
            // declaration.
            #[cfg(CONFIG_BPF_EVENTS)]
            #bpf_trace
            #[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
            unsafe extern "C" fn __bpf_trace(#data: *mut __p::c_void #(, #c_arg: #c_types)*) {
                #might_fault
                #unmerged
                // SAFETY: `bpf_probe_register()` (kernel/trace/bpf_trace.c) registers the link as
                // data, and the C arguments are words here.
                unsafe { __p::bindings::#bpf_run(#data as *mut _ #(, __p::bpf_arg(#c_arg))* #none) }
            }
        };
        Ok(Probes {
            items,
            record: quote!(__trace_event_raw_event as *mut __p::c_void),
            perf: match cfg!(CONFIG_PERF_EVENTS) {
                true => quote!(__perf_trace as *mut __p::c_void),
                false => quote!(::core::ptr::null_mut()),
            },
            registers: (class.kind.registers)(has_hooks),
        })
    }

    fn bpf(&self, c_args: &CArgs) -> TokenStream {
        let count = c_args.names.len();
        let writable = c_args.writable.clone().unwrap_or(quote!(0));
        quote! {
            #[cfg(CONFIG_BPF_EVENTS)]
            #[link_section = "__bpf_raw_tp_map"]
            #[used(compiler)]
            static __BPF: __p::Shared<__p::bpf_raw_event_map> =
                __p::Shared::new(__p::bpf_raw_event_map(
                    __p::Shared::get(&__TRACEPOINT),
                    __bpf_trace as *mut __p::c_void,
                    #count,
                    #writable,
                ));
        }
    }

    fn call(&self, event: &Event, output: &TokenStream) -> TokenStream {
        let flags = event.with.flags.clone().unwrap_or(quote!(0));
        let perf_perm = option(event.with.perf_perm.as_ref());
        quote! {
            __p::call(
                __p::Class::class(__p::Shared::get(&__CLASS)),
                __p::Shared::get(&__TRACEPOINT),
                #output,
                #flags,
                #perf_perm,
            )
        }
    }
}
