// SPDX-License-Identifier: GPL-2.0

//! The expansion of `trace_event!` and `trace_custom_event!`.

use crate::{
    arch,
    args::Words,
    diag::{self, DiagCtxt},
    field::{c_type, known, shape, Known},
    headers, kernel_symbols, kernel_tracepoint,
    layers::{self, Declared},
    model::{Class, Definition, Event, Kind, Origin, Tracepoint, PLAIN},
    print,
    recorder::{raw, recorder},
    template,
    tokens::{block, c_name, c_string, local, span_of},
    tracepoint::{self, exact, traceiter, Expansion},
    types,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{ext::IdentExt, Error, LitStr, Path, Result, Type};

/// Expands a class and its events.
pub(crate) fn expand(
    system: &LitStr,
    class: &Class,
    origin: Origin,
    dcx: &mut DiagCtxt,
) -> diag::Result<TokenStream> {
    dcx.check(check(class, origin))?;
    let tracepoints = diag::all(class.events.iter().map(|event| {
        dcx.check(check_name(&event.name, system, origin))?;
        dcx.check(tracepoint(class, event, origin))
    }))?;
    let (mut shared, calls) = tables(system, class, origin, dcx)?;
    let mut output = TokenStream::new();
    let alone = calls.len() == 1;
    for (mut event, call) in tracepoints.into_iter().zip(calls) {
        event.append(call);
        output.extend(event.outside);
        let inside = event.inside;
        shared.extend(if alone {
            inside
        } else {
            quote!(const _: () = { #inside };)
        });
    }
    let system = c_string(&system.value());
    let names = class.events.iter().map(|event| &event.name);
    shared.extend(quote! {
        #(impl __p::TraceEvent for #names {
            const SYSTEM: &'static __p::CStr = #system;
        })*
    });
    output.extend(block(shared));
    Ok(output)
}

/// Checks what can be seen without the types.
fn check(class: &Class, origin: Origin) -> Result<()> {
    class.check()?;
    let name = &class.name;
    let own = (class.events.iter()).find(|event| event.print.is_some() && event.name == *name);
    if let Some(event) = own {
        return Err(Error::new(
            event.name.span(),
            format!(
                "`{name}` is the name of the class: an event with a template needs another one"
            ),
        ));
    }
    if origin == Origin::Own {
        return Ok(());
    }
    if let Some(expr) = &class.perf_count {
        return Err(Error::new(
            span_of(expr),
            format!("`{name}`: perf doesn't record custom events"),
        ));
    }
    if class.kind.name() != PLAIN.name() {
        return Err(Error::new(
            name.span(),
            format!("`{name}` is on a tracepoint of the kernel: it can only be a plain event"),
        ));
    }
    Ok(())
}

/// Refuses the name of an event that has another meaning in tracefs or in the kernel.
fn check_name(name: &Ident, system: &LitStr, origin: Origin) -> Result<()> {
    let c_name = c_name(name)?;
    // `event_subsystem_dir()` (kernel/trace/trace_events.c).
    if matches!(&*c_name, "enable" | "filter") {
        let error = format!(
            "`{c_name}` is a file of tracefs in the directory of every system, so an event can't have \
             this name"
        );
        return Err(Error::new(name.span(), error));
    }
    if origin == Origin::Own {
        return kernel_symbols::check_tracepoint(&c_name, name.span());
    }
    match headers::find(name)? {
        Some(header) if header.system == system.value() => Err(Error::new(
            system.span(),
            format!(
                "the kernel's own event `{c_name}` is in this system: a custom event needs another one"
            ),
        )),
        _ => Ok(()),
    }
}

/// Expands the tracepoint of an event.
fn tracepoint(class: &Class, event: &Event, origin: Origin) -> Result<Expansion> {
    let declaration = Tracepoint {
        attrs: event.attrs.clone(),
        vis: event.vis.clone(),
        faultable: class.faultable,
        kind: class.kind,
        name: event.name.clone(),
        args: class.args.clone(),
        condition: event.condition.clone(),
    };
    if origin == Origin::Kernel {
        return kernel_tracepoint::declare_kernel(&declaration);
    }
    let mut expansion = tracepoint::declare(&declaration)?;
    let definition = Definition {
        path: Path::from(event.name.clone()),
        reg: event.with.reg.clone(),
        unreg: event.with.unreg.clone(),
    };
    expansion.append(tracepoint::define(&definition, Some(&declaration))?);
    Ok(expansion)
}

/// Expands what the kernel knows of a class: its record, its probes and its tables, and what it knows of
/// each event.
fn tables(
    system: &LitStr,
    class: &Class,
    origin: Origin,
    dcx: &mut DiagCtxt,
) -> diag::Result<(TokenStream, Vec<Expansion>)> {
    let class_name = &class.name;
    let class_text = dcx.check(c_name(class_name))?;
    let fields = class.fields.iter();
    let known = diag::all(fields.map(|field| dcx.check(known(class_name, field))))?;

    // Functions that are `static` in C are local here too. A local one still takes the place of a
    // function of the kernel with the same name.
    let raw_event = format!("{}_raw_event_{class_text}", origin.prefix());
    let perf_trace = format!("perf_trace_{class_text}");
    let bpf_trace = format!("__bpf_trace_{class_text}");
    for symbol in [&raw_event, &perf_trace, &bpf_trace] {
        let what = format!("a function of the event `{class_text}`");
        dcx.check(kernel_symbols::check(symbol, class_name.span(), &what))?;
    }

    let beside = layers::beside(&Declared::Class {
        class,
        fields: &known,
        origin,
        system: &system.value(),
    });
    let unmerged = unmerged(class);

    let (items, output_type, output) = output(class_name, origin, &class.print, &known, dcx)?;
    let (raw, recorder) = (raw(class, &known), recorder(class, &known));
    let words = class.args.words();
    let Words {
        names: word,
        c_types,
        args,
        valid,
        ..
    } = &words;
    let bpf_run = format_ident!("bpf_trace_run{}", word.len().max(1));
    // C has no events without arguments: it would pass nothing where `bpf_trace_run1()` expects a
    // word.
    let bpf_words: Vec<_> = if word.is_empty() {
        vec![quote!(0)]
    } else {
        words.bpf.clone()
    };
    let fields = diag::all(known.iter().map(|known| dcx.check(table_entry(known))))?;
    let field_count = known.len() + 1;
    let system = c_string(&system.value());
    let data = local("data");
    let check = (!valid.is_empty()).then(|| {
        quote! {
            // C can pass NULL for what's a reference here.
            if !(true #(&& #valid)*) {
                return;
            }
        }
    });
    let might_fault = class.faultable.then(|| quote!(__p::might_fault();));
    let perf = class
        .kind
        .perf(&data, &quote!(__trace_event_raw_event(#data #(, #word)*)));
    let others = if origin == Origin::Own {
        quote! {
            // The probe of perf, whose data is the `trace_event_call`.
            //
            // # Safety
            //
            // Called by the tracepoint, with this data and the words of the declaration.
            #[cfg(CONFIG_PERF_EVENTS)]
            #[export_name = #perf_trace]
            #[linkage = "internal"]
            unsafe extern "C" fn __perf_trace(#data: *mut __p::c_void #(, #word: #c_types)*) {
                // SAFETY: As there.
                unsafe {
                    #perf
                }
            }

            // The probe of a BPF program, whose data is the `bpf_raw_tp_link`.
            //
            // # Safety
            //
            // Called by the tracepoint, with this data and the words of the declaration.
            #[cfg(CONFIG_BPF_EVENTS)]
            #[export_name = #bpf_trace]
            #[linkage = "internal"]
            #[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
            unsafe extern "C" fn __bpf_trace(#data: *mut __p::c_void #(, #word: #c_types)*) {
                #might_fault
                #unmerged
                // SAFETY: `bpf_probe_register()` (kernel/trace/bpf_trace.c) registers the link as
                // data.
                unsafe { __p::#bpf_run(#data as *mut _ #(, #bpf_words)*) }
            }
        }
    } else {
        TokenStream::new()
    };
    let probe = if origin == Origin::Kernel && tracepoint::EXACT {
        let iterators = class.events.iter().map(|event| traceiter(&event.name));
        let iterators: Vec<_> = dcx.check(iterators.collect::<Result<_>>())?;
        exact(&iterators, &words, None, &quote!(__trace_event_raw_event))
    } else {
        quote!(__trace_event_raw_event as *mut __p::c_void)
    };
    let perf_probe = if origin == Origin::Own {
        quote!({
            #[cfg(CONFIG_PERF_EVENTS)]
            let probe = __perf_trace as *mut __p::c_void;
            #[cfg(not(CONFIG_PERF_EVENTS))]
            let probe = ::core::ptr::null_mut();
            probe
        })
    } else {
        quote!(::core::ptr::null_mut())
    };
    let raw_init = if origin == Origin::Own {
        "RAW_INIT"
    } else {
        "CUSTOM_RAW_INIT"
    };
    let raw_init = Ident::new(raw_init, Span::call_site());

    let mut calls = diag::all(
        (class.events.iter()).map(|event| call(event, origin, class.kind, &known, &words, dcx)),
    )?;
    if let Some(first) = calls.first_mut() {
        first.outside.extend(beside);
    }

    let record = class.kind.record(&data, args);
    let class_at = class_at(class.kind);
    let class_value = quote! {
        __p::Class::new(
            #class_at,
            #system,
            [#(#fields,)* __p::END_OF_FIELDS],
            #probe,
            #perf_probe,
            __p::#raw_init,
            #output,
        )
    };
    let (class_type, class_value) = (class.kind.class(), class.kind.class_value(class_value));
    let class_static = quote! {
        static __CLASS: __p::Shared<#class_type<#field_count, #output_type>> =
            __p::Shared::new(#class_value);
    };
    let shared = quote! {
        #raw
        #recorder

        // The probe of a trace buffer, whose data is the `trace_event_file`. Perf's calls it.
        //
        // # Safety
        //
        // Called by the tracepoint, with this data and the words of the declaration, or by
        // perf's probe.
        #[export_name = #raw_event]
        #[linkage = "internal"]
        #[inline(never)]
        unsafe extern "C" fn __trace_event_raw_event(
            #data: *mut __p::c_void #(, #word: #c_types)*
        ) {
            #check
            #might_fault
            // SAFETY: `trace_event_reg()` (kernel/trace/trace_events.c) registers this data.
            // The words have been checked. They come from `call` of the same declaration, or
            // from C code with the same declaration.
            unsafe {
                #record
            }
        }

        #others

        #items

        #class_static
    };
    Ok((shared, calls))
}

/// Expands the entry of a field in the table of the class.
fn table_entry(known: &Known<'_>) -> Result<TokenStream> {
    let (ty, filter) = (&known.field.ty, &known.filter);
    let name = c_string(&c_name(&known.field.name)?);
    let c_type = c_type(known);
    let code = known
        .kind
        .map(|kind| Literal::u64_unsuffixed(kind.code(known.rel)));
    let assumed = match code {
        Some(code) if known.scalar.is_some() => {
            return Ok(quote!(__p::trace_event_integer(#name, #c_type, #filter, #code)));
        }
        Some(code) => quote!(__p::Some(#code)),
        None => quote!(__p::None),
    };
    let shape = known.shape();
    Ok(quote_spanned! {span_of(ty)=>
        __p::trace_event_field(#name, #c_type, #filter, #shape, #assumed)
    })
}

/// Returns the address of the class.
fn class_at(kind: &dyn Kind) -> TokenStream {
    kind.class_at(quote!(__p::Shared::get(&__CLASS)))
}

/// The fields that the kernel fills in at the start of each record, as templates see them: their
/// names, types and offsets. The library checks them.
///
/// C: `struct trace_entry` (include/linux/trace_events.h).
const COMMON: [(&str, &str, usize); 3] = [
    ("common_flags", "u8", 2),
    ("common_preempt_count", "u8", 3),
    ("common_pid", "i32", 4),
];

/// Expands what a template becomes: items, and with them the type and the value of the output.
fn output(
    event: &Ident,
    origin: Origin,
    print: &print::Print,
    known: &[Known<'_>],
    dcx: &mut DiagCtxt,
) -> diag::Result<(TokenStream, TokenStream, TokenStream)> {
    let common = COMMON.map(|(name, ty, offset)| {
        let ty = Ident::new(ty, Span::mixed_site());
        let ty: Type = syn::parse_quote!(::core::primitive::#ty);
        (Ident::new(name, Span::mixed_site()), ty, offset)
    });
    let common = common.iter().map(|(name, ty, offset)| types::Field {
        name,
        text: name.to_string(),
        known: types::shape(ty, None),
        shape: shape(ty),
        shown: false,
        start: quote!(#offset),
    });
    let fields: Vec<_> = known
        .iter()
        .map(|known| types::Field {
            name: &known.field.name,
            text: known.field.name.unraw().to_string(),
            known: types::shape(&known.field.ty, known.given.as_deref()),
            shape: match types::is_chars(&known.field.ty, known.given.as_deref()) {
                true => {
                    let shape = known.shape();
                    quote!(__p::Shape::chars(#shape))
                }
                false => known.shape(),
            },
            shown: known.shown,
            start: known.start(),
        })
        .chain(common)
        .collect();
    let (span, event) = (event.span(), event.unraw().to_string());
    let symbol = format!("{}_raw_output_{event}", origin.output());
    let what = format!("a function of the event `{event}`");
    dcx.check(kernel_symbols::check(&symbol, span, &what))?;
    let (output, problems) = template::compile(&event, symbol, print, &fields);
    diag::all(
        problems
            .into_iter()
            .map(|problem| dcx.check(Err::<(), _>(problem))),
    )?;
    let (ty, print_fmt, print) = (output.print_fmt_type, output.print_fmt, output.function);
    let value = quote!(__p::Output::new(#print, #print_fmt));
    Ok((output.items, ty, value))
}

/// Expands what the kernel knows of one event of a class.
fn call(
    event: &Event,
    origin: Origin,
    kind: &dyn Kind,
    known: &[Known<'_>],
    words: &Words,
    dcx: &mut DiagCtxt,
) -> diag::Result<Expansion> {
    let name = dcx.check(c_name(&event.name))?;
    let class_at = class_at(kind);
    let (own, funcs) = match &event.print {
        Some(print) => {
            let (items, ty, value) = output(&event.name, origin, print, known, dcx)?;
            (
                Some(quote! {
                    #items
                    static __OUTPUT: __p::Shared<__p::Output<#ty>> = __p::Shared::new(#value);
                }),
                quote!(__p::Output::printer(__p::Shared::get(&__OUTPUT))),
            )
        }
        None => (None, quote!(__p::Class::printer(#class_at))),
    };
    let make = if origin == Origin::Kernel {
        let name = c_string(&name);
        quote!(__p::custom_call(__p::Class::class(#class_at), #name, #funcs))
    } else {
        let flags = if event.with.cap_any {
            quote!(__p::CAP_ANY)
        } else {
            quote!(0)
        };
        let event_local = local("event");
        let perf_perm = match &event.with.perf_perm {
            Some(function) => quote! {
                __p::Some({
                    // The safe half.
                    fn __decide(#event_local: &__p::PerfEvent) -> __p::Result {
                        #function(#event_local)
                    }

                    // # Safety
                    //
                    // Called by kernel/trace/trace_event_perf.c.
                    unsafe extern "C" fn __perf_perm(
                        _: *mut __p::trace_event_call,
                        event: *mut __p::perf_event,
                    ) -> __p::c_int {
                        // SAFETY: `perf_trace_event_perm()`, under `event_mutex`.
                        __p::errno(unsafe {
                            __p::perf_perm(|| __decide(__p::PerfEvent::from_raw(&event)))
                        })
                    }
                    __perf_perm
                })
            },
            None => quote!(__p::None),
        };
        quote! {
            __p::call(
                __p::Class::class(#class_at),
                __p::Shared::get(&__TRACEPOINT),
                #funcs,
                #flags,
                #perf_perm,
            )
        }
    };
    let bpf = (origin == Origin::Own).then(|| {
        let (count, writable) = (words.names.len(), &words.writable);
        quote! {
            #[cfg(CONFIG_BPF_EVENTS)]
            #[link_section = "__bpf_raw_tp_map"]
            #[used(compiler)]
            static __BPF: __p::Shared<__p::BpfRawEventMap> =
                __p::Shared::new(__p::BpfRawEventMap::new(
                    __p::Shared::get(&__TRACEPOINT),
                    __bpf_trace as *mut __p::c_void,
                    #count,
                    #writable,
                ));
        }
    });
    let symbol = format!("event_{name}");
    let what = format!("the event `{name}`");
    dcx.check(kernel_symbols::check(&symbol, event.name.span(), &what))?;
    let inside = quote! {
        #own
        #bpf

        // The assembly below refers to it.
        #[export_name = #symbol]
        #[linkage = "internal"]
        #[used(compiler)]
        static __CALL: __p::Shared<__p::trace_event_call> = __p::Shared::new(#make);
    };
    let pointer =
        format!(".pushsection _ftrace_events, \"aw\"\n.balign 8\n.quad {symbol}\n.popsection");
    Ok(Expansion {
        outside: arch::global_asm(&pointer, &TokenStream::new()),
        inside,
    })
}

/// Expands to code that keeps the compiler from merging the `__bpf_trace_CLASS` of two classes that
/// may pass different structs, or to nothing if there's no need to. BPF finds the types of the
/// arguments by the name of the function at that address (`bpf_check_attach_target()`,
/// kernel/bpf/verifier.c).
fn unmerged(class: &Class) -> TokenStream {
    let event = class.events.first().map(|event| &event.name);
    let passes_struct = class.args.prototype(false).is_none();
    match event {
        Some(event) if cfg!(CONFIG_DEBUG_INFO_BTF_MODULES) && passes_struct => {
            let text = Literal::string("/* {} */");
            quote_spanned! {Span::call_site()=>
                // SAFETY: No instruction.
                unsafe {
                    ::core::arch::asm!(
                        #text,
                        const <#event as __p::Tracepoint>::HASH,
                        options(nomem, nostack, preserves_flags),
                    )
                };
            }
        }
        _ => TokenStream::new(),
    }
}
