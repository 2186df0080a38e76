// SPDX-License-Identifier: GPL-2.0

//! The expansion of `define_trace!` and of the exports.

use crate::{
    arch,
    args::name_in_prototype,
    base::prototype::{hash, FAULTABLE},
    layers,
    model::{Class, Definition, Tracepoint},
    tokens::{c_name, c_string, span_of, Expansion},
};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use std::env;
use syn::{ext::IdentExt, Path, Result};

/// Returns the operand of assembly that contains the hash of a tracepoint's prototype, as `{hash}`.
fn hash_operand(path: &impl ToTokens) -> TokenStream {
    quote!(hash = const <#path as ::tracepoint::__private::Identity>::HASH,)
}

/// Returns the prototype of a tracepoint, unless only the compiler knows a type of it.
fn prototype(tracepoint: &Tracepoint) -> Option<String> {
    let types = tracepoint.args.types().into_iter().map(name_in_prototype);
    let types = types.collect::<Option<Vec<_>>>()?.join(", ");
    let faultable = if tracepoint.faultable { FAULTABLE } else { "" };
    Some(format!("{faultable}fn({types})"))
}

/// Expands what distinguishes the tracepoint from others of its name. `types` are the types of its arguments.
pub(crate) fn identity(tracepoint: &Tracepoint, types: &[TokenStream]) -> TokenStream {
    let (name, faultable) = (&tracepoint.name, tracepoint.faultable);
    let constants = match prototype(tracepoint) {
        // The compiler would take some milliseconds for that.
        Some(known) => {
            let (prototype, hash) = (c_string(&known), hash(known.as_bytes()));
            quote! {
                const PROTOTYPE: &'static __p::CStr = #prototype;
                const HASH: ::core::primitive::u128 = #hash;
            }
        }
        None => quote! {
            const PROTOTYPE: &'static __p::CStr = {
                const __TYPES: &[__p::Type] = &[#(#types),*];
                __p::c_str(&__p::prototype::<{ __p::prototype_len(#faultable, __TYPES) }>(
                    #faultable,
                    __TYPES,
                ))
            };
        },
    };
    quote! {
        // SAFETY: The prototype is made from the arguments of the declaration, and the hash from
        // that.
        unsafe impl __p::Identity for #name {
            #constants
        }
    }
}

/// Expands what distinguishes a type of a driver's from others: the names of the module and of the type in it.
pub(crate) fn type_identity(name: &Ident) -> TokenStream {
    let count = layers::next_number();
    // No two modules that are loaded have the same name.
    let module = env::var("RUST_MODFILE").unwrap_or_default();
    let module = module.rsplit('/').next().unwrap_or_default().to_owned();
    // Nor have two objects of a module the same source.
    let source = env::args()
        .find(|argument| argument.ends_with(".rs"))
        .unwrap_or_default();
    let identity = format!("::{}#{count} of {source} in ", name.unraw());
    quote! {
        const TYPE: __p::Type = __p::Type::Own(::core::concat!(
            #module,
            "::",
            ::core::module_path!(),
            #identity,
            ::core::file!(),
        ));
    }
}

/// Expands to code that keeps the compiler from merging the `__bpf_trace_CLASS` of two classes that
/// may pass different structs, or to nothing if there's no need to. BPF finds the types of the
/// arguments by the name of the function at that address (`bpf_check_attach_target()`,
/// kernel/bpf/verifier.c).
pub(crate) fn unmerged(class: &Class) -> Option<TokenStream> {
    let event = &class.events.first()?.name;
    let passes_struct = class.args.uncertain().is_some();
    (cfg!(CONFIG_DEBUG_INFO_BTF_MODULES) && passes_struct)
        .then(|| arch::distinct("{}", &quote!(const <#event as __p::Identity>::HASH,)))
}

/// Returns what is checked where a tracepoint is fired.
pub(crate) fn check_call(tracepoint: &Tracepoint) -> Option<TokenStream> {
    let span = span_of(&tracepoint.args.uncertain()?.ty);
    Some(quote_spanned!(span=> __p::not_a_span::<Self>();))
}

/// Returns the reference of a call site to the prototype of its tracepoint, and the operand in it.
pub(crate) fn reference(tracepoint: &Tracepoint, c_name: &str) -> (String, TokenStream) {
    let reference = format!(".quad __prototype_{c_name}_{{hash}}\n");
    (reference, hash_operand(&tracepoint.name))
}

/// Expands one entry of `define_trace!`, or the definition of an event's tracepoint.
pub(crate) fn define(definition: &Definition) -> Result<Expansion> {
    let path = &definition.path;
    let c_name = c_name(definition.name());
    let c_text = c_string(&c_name);
    let symbol = format!("__tracepoint_{c_name}");
    layers::symbol(&symbol, definition.name().span(), "a tracepoint")?;
    let hooks = &definition.hooks;
    Ok(Expansion {
        // Assembly is no item in a block.
        outside: arch::define_trace(&c_name, hash_operand(path), path),
        inside: quote! {
            // SAFETY: This is the definition.
            unsafe impl __p::Hooks for #path {
                #hooks
            }

            extern "C" {
                #[link_name = ::core::concat!("__tpstrtab_", #c_name)]
                static __NAME: __p::c_char;
                #[link_name = ::core::concat!("__SCK__tp_func_", #c_name)]
                static mut __STATIC_CALL_KEY: __p::static_call_key;
                #[link_name = ::core::concat!("__SCT__tp_func_", #c_name)]
                fn __trampoline();
                #[link_name = ::core::concat!("__traceiter_", #c_name)]
                fn __traceiter();
                #[link_name = ::core::concat!("__probestub_", #c_name)]
                fn __stub();
            }

            #[export_name = ::core::concat!("__tracepoint_", #c_name)]
            #[link_section = "__tracepoints"]
            #[used(compiler)]
            static __TRACEPOINT: __p::Shared<__p::tracepoint> = __p::Shared::new(__p::tracepoint::<#path>(
                {
                    // The error is the same as for firing it.
                    let () = <#path as __p::Declared>::OK;
                    #c_text
                },
                &raw const __NAME,
                &raw mut __STATIC_CALL_KEY,
                __trampoline as *mut __p::c_void,
                __traceiter as *mut __p::c_void,
                __stub as *mut __p::c_void,
            ));
        },
    })
}

/// Expands one entry of `export_tracepoint_symbol!` and `export_tracepoint_symbol_gpl!`.
pub(crate) fn export(path: &Path, license: &str) -> TokenStream {
    let c_name = c_name(&path.segments[path.segments.len() - 1].ident);
    arch::export_tracepoint(&c_name, hash_operand(path), license)
}
