// SPDX-License-Identifier: GPL-2.0

//! The expansion of `#[traceable]`.

use crate::{
    arch,
    args::{Arg, Args},
    features::kernel_symbols,
    layers::{self, Declared, Layer},
    tokens::{c_name, span_of},
    types,
};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use syn::{parse::Nothing, Error, FnArg, ItemFn, Pat, PatType, Result, ReturnType, Signature};

pub(crate) static LAYER: Layer = Layer::NONE;

/// The arguments of a function, as a tracepoint has them.
fn args(sig: &Signature) -> Result<Args> {
    let name = &sig.ident;
    let refuse = |what: &dyn ToTokens, why: &str| {
        let error = format!("`{name}` is traceable, so it {why}");
        Error::new(span_of(&what.to_token_stream()), error)
    };
    let (constness, asyncness, unsafety) = (&sig.constness, &sig.asyncness, &sig.unsafety);
    let (abi, variadic) = (&sig.abi, &sig.variadic);
    let qualifiers = quote!(#constness #asyncness #unsafety #abi #variadic);
    if !qualifiers.is_empty() {
        return Err(refuse(&qualifiers, "has to be an ordinary safe function"));
    }
    if !sig.generics.params.is_empty() {
        return Err(refuse(
            &sig.generics,
            "can't be generic: ftrace sees one function",
        ));
    }
    let args = sig.inputs.iter().map(|input| {
        let FnArg::Typed(PatType { attrs, pat, ty, .. }) = input else {
            return Err(refuse(input, "can't be a method: pass a reference"));
        };
        let ident = match &**pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => &pat.ident,
            _ => return Err(refuse(pat, "needs a name for each argument")),
        };
        Ok(Arg {
            attrs: attrs.clone(),
            name: ident.clone(),
            ty: (**ty).clone(),
        })
    });
    let args = Args(args.collect::<Result<_>>()?);
    args.check(name)?;
    Ok(args)
}

/// Expands `#[traceable]`.
pub(crate) fn traceable(attr: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    syn::parse2::<Nothing>(attr)?;
    let (attrs, vis) = (&function.attrs, &function.vis);
    let (sig, block) = (&function.sig, &function.block);
    let args = args(sig)?;
    let (name, inputs) = (&sig.ident, &sig.inputs);
    let c_name = c_name(name);
    kernel_symbols::function(&c_name, name.span(), "a traceable function")?;
    let ret = match &sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => {
            types::check(ty)?;
            quote!(#ty)
        }
    };
    let ret_span = span_of(&ret);
    let of_ret = quote_spanned!(ret_span=> <#ret as ::tracepoint::__private::Return>);
    let ret_c = quote_spanned!(ret_span=> #of_ret::C);
    let arg = args.names();
    let c_args = args.c_args();
    let (c_arg, c_types) = (&c_args.names, &c_args.c_types);
    let (lower, raise) = (&c_args.lower, &c_args.args);
    let body_fn = Ident::new("__body", ret_span);
    // At the type that can have an error.
    let into_c = quote_spanned!(ret_span=> #of_ret::into_c(#body_fn(#(#arg),*)));
    // Assembly refers to each of these functions by its name.
    let distinct = arch::distinct(&c_name, &TokenStream::new());
    let traceable = quote! {
        #distinct
        #[allow(clippy::let_unit_value, clippy::unused_unit, unused_unsafe)]
        // SAFETY: The C arguments come from the caller of `__entry` below.
        let (#(#arg,)*) = unsafe { (#(#raise,)*) };
        #into_c
    };
    let traceable = quote_spanned!(ret_span=> { #traceable });
    let from_c = quote_spanned!(ret_span=> #of_ret::from_c(__entry(#(#c_arg),*)));
    let symbol = format!("__traceable_{c_name}");
    // LLVM recognises functions of C's library, such as `free()`, by their names.
    let alias = format!(".L__entry_{c_name}");
    let entry = arch::ftrace_jump(&c_name, &alias, &symbol);
    let symbol = arch::local_symbol(&symbol);
    let beside = layers::beside(&Declared::Function(&c_name, &args, &sig.output));
    Ok(quote! {
        #beside

        #(#attrs)*
        #[allow(unused_mut)]
        #vis fn #name(#inputs) -> #ret {
            // The safe half: nothing of ours is in scope of the body, and it isn't in an unsafe
            // function.
            #[inline(always)]
            #[allow(clippy::too_many_arguments, unused_mut)]
            fn #body_fn(#inputs) -> #ret #block

            use ::tracepoint::__private as __p;
            // Here, where an argument that's called like one of the items below is still the argument.
            #[allow(clippy::let_unit_value)]
            let (#(#c_arg,)*) = (#(#lower,)*);
            {
                // The structs that C leaves empty in some configurations.
                #[allow(improper_ctypes)]
                extern "C" {
                    #[link_name = #alias]
                    fn __entry(#(#c_arg: #c_types),*) -> #ret_c;
                }

                /// # Safety
                ///
                /// Only `__entry` may call this.
                #symbol
                #[allow(improper_ctypes_definitions, clippy::too_many_arguments)]
                unsafe extern "C" fn __traceable(#(#c_arg: #c_types),*) -> #ret_c
                    #traceable

                // Only the assembly of `__entry` refers to the function, even if nothing calls this one.
                // C: `__ADDRESSABLE()`.
                #[link_section = ".discard.addressable"]
                #[used(compiler)]
                static mut __ADDRESSABLE: *const __p::c_void = __traceable as *const __p::c_void;

                // SAFETY: `__entry` has these arguments, which fit the types that they're made from, and
                // jumps to `__traceable`.
                unsafe { #from_c }
            }
        }

        #entry
    })
}
