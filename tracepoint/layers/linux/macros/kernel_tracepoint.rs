// SPDX-License-Identifier: GPL-2.0

//! The expansion of `kernel_tracepoint!`, and of the declarations of all tracepoints in the headers.

use super::headers::{self, Header};
use crate::{
    args::{Args, CArgs, Passing},
    model::Tracepoint,
    tokens::{c_name, local, span_of, Expansion},
    tracepoint::{self, fire, implement, marker, thunk},
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::BTreeMap;
use syn::{parse_quote, Error, Result};

/// Checks the arguments of a tracepoint of the kernel.
fn check(args: &Args, event: &Ident) -> Result<()> {
    for arg in &args.0 {
        if !matches!(Passing::of(&arg.ty), Passing::Single) {
            return Err(Error::new(
                span_of(&arg.ty),
                format!(
                    "`{event}`: a C pointer carries no length: declare `{}` as a raw pointer, \
                     or as a `&CStr` if it is a string",
                    arg.name
                ),
            ));
        }
    }
    Ok(())
}

/// Expands one declaration of `kernel_tracepoint!`.
pub(crate) fn declare(tracepoint: &Tracepoint) -> Result<Expansion> {
    if let Some(condition) = &tracepoint.condition {
        return Err(Error::new_spanned(
            condition,
            format!(
                "`{}` is fired by the kernel, so it can't have a condition",
                tracepoint.name
            ),
        ));
    }
    let header = headers::find(&tracepoint.name)?;
    // C's declaration decides what keeps the probes.
    let tracepoint = &Tracepoint {
        faultable: header.map_or(tracepoint.faultable, |header| header.faultable),
        ..tracepoint.clone()
    };
    check(&tracepoint.args, &tracepoint.name)?;
    let c_name = c_name(&tracepoint.name);
    let c_args = tracepoint.args.c_args();
    let marker = marker(tracepoint);
    let iterator = traceiter(&tracepoint.name);
    let thunk = if EXACT {
        exact_thunk(tracepoint, &c_args)
    } else {
        thunk(tracepoint)
    };
    let implement = implement(tracepoint, &c_args, Some(thunk));
    let header = header.filter(|header| header.can_be_fired(&c_name));
    let fire = header.map(|_| fire(tracepoint, &c_args, None, None));
    let (arg, ty) = (tracepoint.args.names(), tracepoint.args.types());
    let vouched = ty
        .iter()
        .map(|ty| quote_spanned!(span_of(ty)=> let () = <#ty as __p::FromKernel>::OK;));
    let in_c = ty.iter().zip(&arg).map(|(ty, arg)| {
        quote_spanned! {span_of(ty)=>
            <<#ty as __p::Arg>::C as __p::SameInC<_>>::in_c(<#ty as __p::Arg>::into_c(#arg))
        }
    });
    // An error about the number of arguments is at the name.
    let hole = ty.iter().map(|_| quote!(_));
    let in_header = local("in_header");
    let function = quote_spanned! {tracepoint.name.span()=>
        let #in_header = __p::Expect::<unsafe extern "C" fn(*mut __p::c_void #(, #hole)*) -> _> {
            function: __p::prototypes::#iterator,
        }
        .function;
    };
    Ok(Expansion {
        outside: marker,
        inside: quote! {
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

            #implement

            #fire
        },
    })
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

/// Returns the function that the kernel calls for a probe.
fn exact_thunk(tracepoint: &Tracepoint, c_args: &CArgs) -> TokenStream {
    let ty = tracepoint.args.types();
    let generic = (quote!(__F: __p::Fn(#(#ty),*)), quote!(__F));
    let iterators = [traceiter(&tracepoint.name)];
    exact(&iterators, c_args, Some(generic), &quote!(__thunk::<__F>))
}

/// Returns the name of the iterator of one of C's tracepoints.
pub(crate) fn traceiter(name: &Ident) -> Ident {
    format_ident!("__traceiter_{}", c_name(name), span = name.span())
}

/// Returns what implements a tracepoint, unless its probes have exactly the types of the header.
fn in_header(name: &str, header: &Header<'_>, args: &[(String, String)]) -> String {
    let texts: Vec<_> = args.iter().map(|(_, ty)| headers::text_of(ty)).collect();
    let text = format!("{name}\0fn({})\0", texts.join(", "));
    let types = args
        .iter()
        .map(|(_, ty)| ty.replace('&', "&'static ") + ",");
    let types: String = types.collect();
    let guard = tracepoint::guard(header.faultable);
    // The header declares it in the way that `InHeader` requires.
    format!(
        "unsafe impl InHeader for r#{name} {{
            const TEXT: &'static str = {text:?};
            type Guard = {guard};
            type Args = ({types});
        }}"
    )
}

/// The module of a system, in parts: an item takes the compiler less time than several. It's text, since
/// that takes less time than tokens.
#[derive(Default)]
struct Module {
    /// The types.
    types: String,
    /// The functions that stand for the values.
    values: String,
    /// The items that fire the exported ones, and others that aren't text.
    items: TokenStream,
}

impl Module {
    fn add(&mut self, name: &str, header: &Header<'_>) -> Result<()> {
        let args = header.args(name)?;
        let list: Vec<_> = args.iter().map(|(n, ty)| format!("{n}: {ty}")).collect();
        let doc = headers::short(&list.join(", "));
        self.types += &format!("#[doc = \"`fn {name}({doc})`\"] pub enum r#{name} {{}} ");
        if !EXACT {
            self.types += &in_header(name, header, &args);
        }
        // Not the kernel's function of the same name, such as `kfree()`.
        self.values += &format!(
            "#[doc(hidden)] #[link_name = \"__tracepoint.is_not_a_function\"] \
             pub safe fn r#{name}(_: ::tracepoint::UseTraceMacro) -> r#{name};"
        );
        let can_be_fired = header.can_be_fired(name);
        if !EXACT && !can_be_fired {
            return Ok(());
        }
        let declaration = header.declaration(name, &args)?;
        let c_args = declaration.args.c_args();
        if EXACT {
            let thunk = exact_thunk(&declaration, &c_args);
            let implement = tracepoint::implement(&declaration, &c_args, Some(thunk));
            self.items.extend(quote! {
                const _: () = {
                    use ::tracepoint::__private as __p;
                    #implement
                };
            });
        }
        if can_be_fired {
            // No error about another tracepoint lists this one.
            let attr = parse_quote!(#[diagnostic::do_not_recommend]);
            let fire = tracepoint::fire(&declaration, &c_args, None, Some(&attr));
            self.items.extend(fire);
        }
        Ok(())
    }

    /// Expands the module.
    fn expand(&self, system: &str) -> Result<TokenStream> {
        let Module {
            types,
            values,
            items,
        } = self;
        let doc = format!("The tracepoints in `events/{system}`.");
        let system = format_ident!("{}", system.replace('-', "_"));
        // Only the types of these functions are used. There's no function to call.
        let text: TokenStream =
            syn::parse_str(&format!("{types} unsafe extern \"Rust\" {{ {values} }}"))?;
        Ok(quote! {
            #[doc = #doc]
            pub mod #system {
                use super::*;
                #text
                #items
            }
        })
    }
}

/// Expands a module for each system, with the declarations of its tracepoints.
pub(crate) fn modules() -> TokenStream {
    let mut systems = BTreeMap::<_, BTreeMap<_, _>>::new();
    for (name, header) in headers::headers().into_iter().flatten() {
        let tracepoints = systems.entry(header.system).or_default();
        tracepoints.insert(name, header);
    }
    let modules = systems.into_iter().map(|(system, tracepoints)| {
        let mut module = Module::default();
        for (name, header) in tracepoints {
            module.add(name, header)?;
        }
        module.expand(system)
    });
    let modules = modules.map(|module| module.unwrap_or_else(Error::into_compile_error));
    modules.collect()
}
