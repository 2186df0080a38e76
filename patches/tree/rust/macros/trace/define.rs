// SPDX-License-Identifier: GPL-2.0

//! The expansion of `define_trace!` and of the exports.

use super::{
    model::{Class, Definition, Tracepoint},
    tokens::{c_name, c_string, Expansion},
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::{Path, Result};

/// Expands by what a probe finds the tracepoint: its symbol.
pub(crate) fn identity(tracepoint: &Tracepoint, types: &[TokenStream]) -> TokenStream {
    let (name, count) = (&tracepoint.name, types.len());
    let symbol = format!("__tracepoint_{}", c_name(name));
    quote! {
        // SAFETY: It's the symbol of the declared tracepoint.
        unsafe impl __p::Identity for #name {
            type Args = [__p::CTypes; #count];

            const ARGS: Self::Args = [#(#types),*];

            fn tracepoint() -> *mut __p::tracepoint {
                extern "C" {
                    #[link_name = #symbol]
                    static mut __TRACEPOINT: __p::tracepoint;
                }
                &raw mut __TRACEPOINT
            }
        }
    }
}

/// The compiler knows a type by itself.
pub(crate) fn type_identity(_: &Ident) -> TokenStream {
    TokenStream::new()
}

/// Returns what keeps the compiler from merging the probes of BPF programs of two classes: nothing.
pub(crate) fn unmerged(_: &Class) -> Option<TokenStream> {
    None
}

/// Returns what is checked where a tracepoint is fired: nothing.
pub(crate) fn check_call(_: &Tracepoint) -> Option<TokenStream> {
    None
}

/// Whoever fires a tracepoint refers to its symbol, and to nothing else.
pub(crate) fn reference(_: &Tracepoint, _: &str) -> (String, TokenStream) {
    (String::new(), TokenStream::new())
}

/// Expands one entry of `define_trace!`.
pub(crate) fn define(definition: &Definition) -> Result<Expansion> {
    let path = &definition.path;
    let c_name = c_name(definition.name());
    let text = c_string(&c_name);
    let symbol = format!("__tracepoint_{c_name}");
    // C: `__TRACEPOINT_ENTRY()`. There's nothing between two of the entries through which the kernel
    // finds tracepoints: the section's size is their number.
    let entry = if cfg!(CONFIG_HAVE_ARCH_PREL32_RELOCATIONS) {
        format!(".balign 4\n.long {symbol} - .")
    } else {
        format!(".balign 8\n.quad {symbol}")
    };
    // The names by which C fires the tracepoint. Its static calls find their target through the key,
    // which stays the iterator. objtool can take a call of the iterator in Rust for a static call, too,
    // which is then replaced by itself.
    let [iterator, call] = ["__traceiter_", "__SCT__tp_func_"].map(|prefix| {
        let name = format!("{prefix}{c_name}");
        format!(".globl {name}\n.set {name}, {{iterator}}")
    });
    // Keeps objtool from removing the `endbr64` of the stub, whose only pointer is in `__tracepoints`, a
    // section that objtool doesn't scan. C: `CFI_NOSEAL()`, which is for x86.
    let is_sealed = cfg!(CONFIG_X86_KERNEL_IBT);
    let stub = is_sealed.then(|| quote!(probestub = sym <#path>::__probestub,));
    let noseal = match is_sealed {
        true => ".pushsection .discard.ibt_endbr_noseal\n.quad {probestub}\n.popsection\n",
        false => "",
    };
    let assembly = Literal::string(&format!(
        ".pushsection __tracepoints_ptrs, \"a\"\n{entry}\n.popsection\n{noseal}{iterator}\n{call}"
    ));
    let key = format!("__SCK__tp_func_{c_name}");
    let btf = format!("BTF_TRACE({c_name}");
    let (btf, btf_len) = (Literal::byte_string(btf.as_bytes()), btf.len());
    Ok(Expansion {
        outside: quote! {
            ::core::arch::global_asm!(#assembly, #stub iterator = sym <#path>::__iterator);
        },
        inside: quote! {
            // SAFETY: This is the definition.
            unsafe impl __p::Defined for #path {}

            const _: () = __p::check_name::<#path>(#text);

            #[export_name = #symbol]
            #[link_section = "__tracepoints"]
            #[used(compiler)]
            static __TRACEPOINT: __p::Shared<__p::tracepoint> = __p::Shared::new(__p::tracepoint(
                #text,
                <#path>::__iterator as *mut __p::c_void,
                <#path>::__probestub as *mut __p::c_void,
                __p::ext::<#path>(),
            ));

            #[export_name = #key]
            #[used(compiler)]
            static __KEY: __p::Shared<__p::static_call_key> = __p::Shared::new(
                __p::static_call_key(<#path>::__iterator as *mut __p::c_void),
            );

            #[cfg(all(CONFIG_BPF_EVENTS, CONFIG_DEBUG_INFO_BTF))]
            #[link_section = ".discard.btf_trace"]
            #[used(compiler)]
            static __BTF: __p::Btf<#btf_len, <#path as __p::Identity>::Args> =
                __p::Btf::new(*#btf, <#path as __p::Identity>::ARGS);
        },
    })
}

/// Expands one entry of `export_tracepoint_symbol_gpl!`.
///
/// C: `EXPORT_TRACEPOINT_SYMBOL_GPL()`, and `___EXPORT_SYMBOL()` (include/linux/export.h).
pub(crate) fn export(path: &Path, license: &str) -> TokenStream {
    let c_name = c_name(&path.segments[path.segments.len() - 1].ident);
    let name = c_string(&c_name);
    let prefixes = [
        "__tracepoint_",
        "__traceiter_",
        "__SCK__tp_func_",
        "__SCT__tp_func_",
    ];
    let entries = prefixes.map(|prefix| {
        let symbol = format!("{prefix}{c_name}");
        format!(
            "__export_symbol_{symbol}:\n\
             .asciz \"{license}\"\n\
             .asciz \"\"\n\
             .balign 8\n\
             .quad {symbol}\n"
        )
    });
    let text = Literal::string(&format!(
        ".pushsection .export_symbol, \"a\"\n{}.popsection",
        entries.concat()
    ));
    quote! {
        const _: () = ::kernel::trace::__private::check_name::<#path>(#name);

        ::core::arch::global_asm!(#text);
    }
}
