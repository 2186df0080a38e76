// SPDX-License-Identifier: GPL-2.0

//! The expansion of `tracepoint!`.

use crate::{
    arch,
    args::{Args, CArgs},
    define,
    layers::{pinned, rewrite},
    model::Tracepoint,
    tokens::{c_name, c_string, local, span_of, Expansion},
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{ext::IdentExt, Expr, Ident};

/// Returns the type of a tracepoint, and the function through which its name is a value.
///
/// A `let` can shadow a function, but not a unit struct. Nobody can call the function: without
/// `trace!`, a call is an error, whose message names its argument.
pub(crate) fn marker(tracepoint: &Tracepoint) -> TokenStream {
    let (vis, name) = (&tracepoint.vis, &tracepoint.name);
    let attrs = &tracepoint.attrs;
    // An error about the type is at its name.
    let ty = quote_spanned!(name.span()=> struct #name {});
    let value = quote_spanned! {name.span()=>
        fn #name(never: ::tracepoint::UseTraceMacro) -> #name { match never {} }
    };
    quote! {
        #(#attrs)*
        #[allow(non_camel_case_types, unreachable_pub)]
        #vis #ty

        #[doc(hidden)]
        #[allow(dead_code, non_snake_case, unreachable_pub)]
        #[inline(always)]
        #vis #value
    }
}

/// The expression for the thunk that [`implement`] expands to.
pub(crate) fn thunk(tracepoint: &Tracepoint) -> TokenStream {
    quote_spanned!(tracepoint.args.suspect()=> __thunk::<__F> as *mut __p::c_void)
}

/// Returns the implementations that declared tracepoints have in common. `checked` is the expression for the
/// thunk if the declaration comes from the header in C, or the compiler has compared both.
pub(crate) fn implement(
    tracepoint: &Tracepoint,
    c_args: &CArgs,
    guard: &Ident,
    checked: Option<TokenStream>,
) -> TokenStream {
    let name = &tracepoint.name;
    let c_name = c_name(name);
    let name_text = c_string(&c_name);
    let (c_arg, c_types, args) = (&c_args.names, &c_args.c_types, &c_args.args);
    let ty = tracepoint.args.types();
    let data = local("data");
    let identity = define::identity(tracepoint, &c_args.types);
    let is_checked = checked.is_some();
    let thunk = checked.unwrap_or_else(|| thunk(tracepoint));
    let check = c_args.check();
    let call = tracepoint.args.body(quote! {
        #check
        // SAFETY: `Probe` registers the thunk with an `__F` that outlives the registration. The
        // C arguments come from `call` of the same declaration, or from C that has it too; they were
        // checked above.
        unsafe { (*#data.cast::<__F>())(#(#args),*) }
    });
    quote! {
        #identity

        // SAFETY: The name is that of the declared tracepoint.
        unsafe impl __p::Tracepoint for #name {
            const NAME: &'static __p::CStr = #name_text;
            type Guard = __p::#guard;
        }

        // SAFETY: The thunk takes a pointer to an `__F`, and the C arguments of the declaration. If
        // `CHECKED`, that comes from the header in C, or the compiler has compared both.
        unsafe impl<__F: __p::Fn(#(#ty),*)> __p::Accepts<__F> for #name {
            const THUNK: *mut __p::c_void = {
                // Calls the probe at `data` with the C arguments of the tracepoint.
                //
                // # Safety
                //
                // Only the tracepoint may call this, with the data of a registered `Probe`.
                #[allow(clippy::missing_safety_doc, clippy::too_many_arguments, unused_unsafe)]
                unsafe extern "C" fn __thunk<__F: __p::Fn(#(#ty),*)>(
                    #data: *mut __p::c_void #(, #c_arg: #c_types)*
                )
                    #call
                #thunk
            };
            const CHECKED: __p::bool = #is_checked;
        }
    }
}

pub(crate) fn guard(faultable: bool) -> Ident {
    format_ident!("{}", if faultable { "TasksTrace" } else { "Srcu" })
}

/// Expands an early return unless the condition holds. One that could panic, or call something of the driver's, is in
/// a function of its own, whose name `check-events` looks for.
fn check(args: &Args, name: &Ident, condition: &Expr) -> TokenStream {
    let span = span_of(condition);
    let pinned = pinned(condition, args);
    let condition = rewrite(condition.clone(), None);
    let otherwise = pinned.is_none().then(|| quote!(false));
    // The `if` gives an error about another type than `bool` its place.
    let check = quote_spanned! {span=>
        #[allow(unused_parens, clippy::needless_bool, clippy::needless_return)]
        #[deny(arithmetic_overflow, overflowing_literals, unconditional_panic)]
        if #condition {} else {
            return #otherwise;
        }
    };
    if let Some(pinned) = pinned {
        return quote!({ #pinned #check });
    }
    let (arg, ty) = (args.names(), args.types());
    let function = format_ident!("__trace_event_condition_{}", name.unraw());
    quote! {
        #[inline(never)]
        #[allow(unused_variables, clippy::too_many_arguments)]
        fn #function(#(#arg: #ty),*) -> __p::bool {
            #check
            true
        }
        if !#function(#(#arg),*) {
            return;
        }
    }
}

/// Returns what fires a tracepoint. `reference` is the reference to its prototype, and the operand in it,
/// if it has one. `attr` is an attribute of the implementation.
pub(crate) fn fire(
    tracepoint: &Tracepoint,
    c_args: &CArgs,
    reference: Option<(String, TokenStream)>,
    attr: TokenStream,
) -> TokenStream {
    let name = &tracepoint.name;
    let c_name = c_name(name);
    let guard = guard(tracepoint.faultable);
    let (c_arg, lower) = (&c_args.names, &c_args.lower);
    let (arg, ty) = (tracepoint.args.names(), tracepoint.args.types());
    // C: the `WARN_ONCE()` in `trace_NAME()`.
    let check_watching = cfg!(CONFIG_LOCKDEP).then(|| {
        quote! {
            #[inline(always)]
            #[track_caller]
            fn check_watching() {
                ::kernel::warn_on!(__p::rcu_is_not_watching());
            }
        }
    });
    let branch = arch::static_branch_unlikely(&c_name);
    let condition = tracepoint.condition.as_ref();
    let condition = condition.map(|condition| check(&tracepoint.args, name, condition));
    // The types of the arguments don't express all that C's probes rely on.
    let caller = match reference {
        Some(_) => tracepoint.kind.caller,
        None => Some("The arguments must be what C would pass."),
    };
    let unsafety = caller.map(|_| quote!(unsafe));
    let safety = caller.map(|caller| {
        quote! {
            ///
            /// # Safety
            ///
            #[doc = #caller]
        }
    });
    let check = unsafety.is_none().then(|| define::check_call(tracepoint));
    let (reference, operand) = reference.unwrap_or_default();
    // An error in a call refers to the declaration.
    let call_head = quote_spanned!(name.span()=> pub #unsafety fn call(#(#arg: #ty),*));
    let do_call = arch::do_trace_call(&c_name, &reference, &operand, c_args, tracepoint.faultable);
    let guard_local = local("guard");
    // An error about a type that's less visible than the tracepoint is at the type.
    let site_type = quote_spanned! {tracepoint.args.suspect()=>
        type Site = (__p::PhantomData<Self>, #unsafety fn(#(#ty),*));
    };
    let implementation = (tracepoint.kind.implement)(tracepoint).unwrap_or_else(|| {
        quote! {
            #attr
            // SAFETY: `call` is unsafe if C defines the tracepoint.
            unsafe impl __p::Fired for #name {
                #site_type
                const SITE: Self::Site = (__p::PhantomData, Self::call);
            }
        }
    });
    quote! {
        impl #name {
            /// Returns whether a probe is registered. Any context where RCU is watching.
            ///
            /// C: `trace_NAME_enabled()`.
            #[inline(always)]
            pub fn enabled() -> __p::bool {
                <Self as __p::Enabled>::is_enabled()
            }

            /// Calls the probes without testing the static key: for use after `enabled()`.
            /// Same context as for `trace!`.
            ///
            /// C: `trace_call__NAME()`.
            #safety
            #[inline(always)]
            #call_head {
                #check
                #condition
                // SAFETY: The guard is dropped at the end of this function.
                let __p::Some(#guard_local) = (unsafe { __p::#guard::enter() }) else {
                    return;
                };
                // At once, since an argument could be called like a C argument.
                let (#(#c_arg,)*) = (#(#lower,)*);
                // SAFETY: `__DO_TRACE_CALL()` (include/linux/tracepoint.h): `funcs` is read
                // once under the guard, which keeps the array. The functions in it take the
                // C arguments of the declaration, by what `Identity` guarantees. C's have the prototype in
                // the header.
                #[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
                unsafe {
                    #do_call
                }
            }
        }

        impl __p::Enabled for #name {
            #[inline(always)]
            fn is_enabled() -> __p::bool {
                // SAFETY: The static key is that of a `struct tracepoint`, which `define_trace!` or
                // C defines.
                unsafe { #branch }
            }

            #check_watching
        }

        #implementation
    }
}

/// Expands one declaration of `tracepoint!`.
pub(crate) fn declare(tracepoint: &Tracepoint) -> Expansion {
    let name = &tracepoint.name;
    let c_name = c_name(name);
    let c_args = tracepoint.args.c_args();
    let marker = marker(tracepoint);
    let implement = implement(tracepoint, &c_args, &guard(tracepoint.faultable), None);
    let reference = define::reference(tracepoint, &c_name);
    let fire = fire(tracepoint, &c_args, Some(reference), TokenStream::new());
    let (c_arg, c_types) = (&c_args.names, &c_args.c_types);
    let entry = local("entry");
    // Without the types of the C arguments, which follow from the call.
    let hole = c_types.iter().map(|_| quote!(_));
    let iterate = quote! {
        extern "C" {
            #[link_name = ::core::concat!("__tracepoint_", #c_name)]
            static mut __TRACEPOINT: __p::tracepoint;
        }

        // SAFETY: `__DEFINE_TRACE_EXT()` (include/linux/tracepoint.h): the array ends with a NULL
        // function, the caller's guard keeps it alive, and its functions take what this takes. The
        // first function isn't NULL.
        unsafe {
            let mut #entry = __p::read_volatile(&raw const __TRACEPOINT.funcs);
            if #entry as __p::usize != 0 {
                loop {
                    __p::read_volatile(
                        &raw const (*#entry).func
                            as *const unsafe extern "C" fn(*mut __p::c_void #(, #hole)*),
                    )((*#entry).data #(, #c_arg)*);
                    #entry = #entry.add(1);
                    if (*#entry).func as __p::usize == 0 {
                        break;
                    }
                }
            }
        }
        0
    };
    let iterate = tracepoint.args.body(iterate);
    let probestub = arch::probestub().map(|nothing| {
        quote! {
            // A probe that does nothing.
            //
            // # Safety
            //
            // There are no requirements, because it does nothing.
            #[doc(hidden)]
            #[inline]
            pub unsafe extern "C" fn __probestub(_: *mut __p::c_void #(, #c_arg: #c_types)*) {
                #nothing
            }
        }
    });
    Expansion {
        outside: marker,
        inside: quote! {
            #fire

            impl #name {
                // Calls every probe: the target of the static call while there are several.
                //
                // # Safety
                //
                // The caller must hold the guard of the tracepoint.
                #[doc(hidden)]
                #[inline]
                pub unsafe extern "C" fn __iterator(
                    _: *mut __p::c_void #(, #c_arg: #c_types)*
                ) -> __p::c_int
                    #iterate

                #probestub
            }

            #implement

            // SAFETY: `__iterator` is defined above, and calls the probes with its C arguments.
            unsafe impl __p::Declared for #name {}
        },
    }
}
