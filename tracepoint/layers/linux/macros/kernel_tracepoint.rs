// SPDX-License-Identifier: GPL-2.0

//! The expansion of `kernel_tracepoint!`, and of the declarations of all tracepoints in the headers.

use super::headers::{self, Header};
use crate::{
    args::{Arg, CArgs, Passing},
    model::Tracepoint,
    tokens::{c_name, local, span_of, Expansion},
    tracepoint::{fire, guard, implement, marker, thunk},
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::BTreeMap;
use syn::{Error, Result};

/// Expands one declaration of `kernel_tracepoint!`.
pub(crate) fn declare(tracepoint: &Tracepoint) -> Result<Expansion> {
    let Tracepoint { name, args, .. } = tracepoint;
    if let Some(condition) = &tracepoint.condition {
        let error = format!("`{name}` is fired by the kernel, so it can't have a condition");
        return Err(Error::new_spanned(condition, error));
    }
    if tracepoint.faultable {
        let error = format!("the kernel's header says whether `{name}` is faultable");
        return Err(Error::new(name.span(), error));
    }
    let header = headers::find(name)?;
    let is_several = |arg: &&Arg| !matches!(Passing::of(&arg.ty), Passing::Single);
    if let Some(Arg { name: arg, ty, .. }) = args.0.iter().find(is_several) {
        let error = format!(
            "`{name}`: a C pointer carries no length: declare `{arg}` as a raw pointer, or as a \
             `&CStr` if it is a string"
        );
        return Err(Error::new(span_of(ty), error));
    }
    let mut expansion = expand(tracepoint, header, TokenStream::new());
    expansion.inside.extend(check(tracepoint));
    Ok(expansion)
}

/// Returns what compiles if C passes the arguments of a declaration.
fn check(tracepoint: &Tracepoint) -> TokenStream {
    let (arg, ty) = (tracepoint.args.names(), tracepoint.args.types());
    let c_name = c_name(&tracepoint.name);
    let vouched = ty.iter().enumerate().map(|(n, ty)| {
        let promised = match headers::is_unsteady(&c_name, n) {
            true => quote!(Unsteady),
            false => quote!(FromKernel),
        };
        quote_spanned!(span_of(ty)=> let () = <#ty as __p::#promised>::OK;)
    });
    let in_c = ty.iter().zip(&arg).map(|(ty, arg)| {
        quote_spanned! {span_of(ty)=>
            <<#ty as __p::Arg>::C as __p::SameInC<_>>::in_c(<#ty as __p::Arg>::into_c(#arg))
        }
    });
    // An error about the number of arguments is at the name.
    let hole = ty.iter().map(|_| quote!(_));
    let (iterator, in_header) = (traceiter(&tracepoint.name), local("in_header"));
    let function = quote_spanned! {tracepoint.name.span()=>
        let #in_header = __p::Expect::<unsafe extern "C" fn(*mut __p::c_void #(, #hole)*) -> _> {
            function: __p::prototypes::#iterator,
        }
        .function;
    };
    quote! {
        // Compiles if C passes these arguments. Never called.
        fn __check(#(#arg: #ty),*) {
            // First, so that the error is at the argument.
            #(#vouched)*
            // SAFETY: The function that contains this is never called.
            unsafe {
                #function
                #in_header(::core::ptr::null_mut() #(, #in_c)*);
            }
        }
    }
}

/// Expands a tracepoint of the kernel. The declaration must come from the header, or be compared with it by [`check`].
/// `attr` is an attribute of what fires it.
fn expand(tracepoint: &Tracepoint, header: Option<&Header<'_>>, attr: TokenStream) -> Expansion {
    // C's declaration decides what keeps the probes.
    let tracepoint = &Tracepoint {
        faultable: header.map_or(tracepoint.faultable, |header| header.faultable),
        ..tracepoint.clone()
    };
    let c_args = tracepoint.args.c_args();
    let thunk = if EXACT {
        let ty = tracepoint.args.types();
        let generic = (quote!(__F: __p::Fn(#(#ty),*)), quote!(__F));
        let iterators = [traceiter(&tracepoint.name)];
        exact(&iterators, &c_args, Some(generic), &quote!(__thunk::<__F>))
    } else {
        thunk(tracepoint)
    };
    let guard = if header.is_some_and(|header| header.mixes_probes()) {
        format_ident!("TasksTraceInC")
    } else {
        guard(tracepoint.faultable)
    };
    let mut inside = implement(tracepoint, &c_args, &guard, Some(thunk));
    if header.is_some_and(|header| header.can_be_fired(&c_name(&tracepoint.name))) {
        inside.extend(fire(tracepoint, &c_args, None, attr));
    }
    Expansion {
        outside: marker(tracepoint),
        inside,
    }
}

/// Whether a probe of the kernel's tracepoints has exactly the types of the header. With CONFIG_CFI, C
/// compares a hash of them, which includes `const` and the names of enums.
pub(crate) const EXACT: bool = cfg!(CONFIG_CFI);

/// Returns a probe that has the types that C's iterators have, and calls `function`, which has the
/// library's types. `generic` is a generic parameter of `function`, and how it's used.
pub(crate) fn exact(
    iterators: &[Ident],
    c_args: &CArgs,
    generic: Option<(TokenStream, TokenStream)>,
    function: &TokenStream,
) -> TokenStream {
    let (data, c_arg) = (local("data"), &c_args.names);
    let hole: Vec<_> = c_arg.iter().map(|_| quote!(_)).collect();
    let c: Vec<_> = (0..c_arg.len()).map(|n| format_ident!("__C{n}")).collect();
    let (bound, of): (Vec<_>, Vec<_>) = generic.into_iter().unzip();
    quote!({
        const fn __exact<#(#bound,)* #(#c: __p::Copy),*>(
            _: &[unsafe extern "C" fn(*mut __p::c_void #(, #c)*) -> __p::c_int],
        ) -> *mut __p::c_void {
            // # Safety
            //
            // As for the function that it calls.
            unsafe extern "C" fn __exact<#(#bound,)* #(#c: __p::Copy),*>(
                #data: *mut __p::c_void #(, #c_arg: #c)*
            ) {
                // SAFETY: This function requires the same as the one that it calls. The compiler
                // has compared the types of the C arguments.
                unsafe { #function(#data #(, __p::same_c_arg(#c_arg))*) }
            }
            __exact::<#(#of,)* #(#c),*> as *mut __p::c_void
        }
        __exact::<#(#of,)* #(#hole),*>(&[#(__p::exact_prototypes::#iterators),*])
    })
}

/// Returns the name of the iterator of one of C's tracepoints.
pub(crate) fn traceiter(name: &Ident) -> Ident {
    format_ident!("__traceiter_{}", c_name(name), span = name.span())
}

/// Declares the tracepoints of all headers that the build uses, in a module for each system.
pub(crate) fn header_tracepoints(_: TokenStream) -> TokenStream {
    let mut systems = BTreeMap::new();
    let one = |name, header: &Header<'_>| {
        let tracepoint: Tracepoint = syn::parse_str(&header.declaration(name)?)?;
        tracepoint.args.check(&tracepoint.name)?;
        // No error about another tracepoint lists these.
        let attr = quote!(#[diagnostic::do_not_recommend]);
        Ok(expand(&tracepoint, Some(header), attr))
    };
    for (name, header) in headers::headers().into_iter().flatten() {
        let system: &mut Expansion = systems.entry(header.system).or_default();
        match one(name, header) {
            Ok(expansion) => system.append(expansion),
            Err(error) => system.outside.extend(Error::into_compile_error(error)),
        }
    }
    let modules = systems.into_iter().map(|(system, expansion)| {
        let doc = format!("The tracepoints in `events/{system}`.");
        let system = format_ident!("{}", system.replace('-', "_"));
        let items = expansion.items();
        quote! {
            #[doc = #doc]
            pub mod #system {
                use super::*;
                #items
            }
        }
    });
    modules.collect()
}
