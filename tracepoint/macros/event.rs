// SPDX-License-Identifier: GPL-2.0

//! The expansion of `trace_event!` and of other macros that declare events.

use crate::{
    arch,
    args::CArgs,
    diag,
    field::{c_type, known, shape, Known},
    layers::{self, Declared},
    model::{Class, Event, Tracepoint},
    origin::{function, Origin, Probes},
    print,
    record::{raw, recorder, size},
    show::Kind,
    template,
    tokens::{
        block, c_name, c_string, check_c_name, declare, local, option, span_of, Expansion, Names,
    },
    types,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Attribute, Error, LitStr, Result, Type};

/// Expands a class and its events.
pub(crate) fn expand(system: &LitStr, class: &Class, origin: &dyn Origin) -> Result<TokenStream> {
    check(class)?;
    origin.check(class, system)?;
    let tracepoints = class.events.iter();
    let tracepoints = diag::all(tracepoints.map(|event| tracepoint(class, event, origin)))?;
    let (mut shared, calls) = match tables(system, class, origin) {
        Ok(tables) => tables,
        // The calls of an event refer to its tracepoint, even if there's a mistake in the rest.
        Err(error) => {
            let tracepoints = tracepoints.into_iter().map(Expansion::items);
            let error = error.into_compile_error();
            return Ok(quote!(#error #(#tracepoints)*));
        }
    };
    let mut output = TokenStream::new();
    let alone = calls.len() == 1;
    for (mut event, call) in tracepoints.into_iter().zip(calls) {
        event.append(call);
        output.extend(event.outside);
        let inside = event.inside;
        shared.extend(match alone {
            true => inside,
            false => quote!(const _: () = { #inside };),
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

/// The compiler runs out of memory at twice as many that aren't numbers.
const MAX_FIELDS: usize = 256;

/// Checks what can be seen without the types.
fn check(class: &Class) -> Result<()> {
    let mut names = Names::new();
    if let Some(field) = class.fields.get(MAX_FIELDS) {
        let error = format!("an event has at most {MAX_FIELDS} fields");
        return Err(Error::new(field.name.span(), error));
    }
    for field in &class.fields {
        declare(&mut names, &field.name)?;
        check_c_name(&field.name)?;
        let name = c_name(&field.name);
        // C's struct has the latter itself.
        if name.starts_with("common_") || name == "ent" {
            let error =
                format!("`{name}`: tools take this for one of the fields that all events have");
            return Err(Error::new(field.name.span(), error));
        }
    }
    // One of Rust's would have no effect. Each event of the class can have some.
    let of_ours = |attr: &Attribute| attr.path().is_ident("doc") || layers::has_attribute(attr);
    if let Some(attr) = class.attrs.iter().find(|attr| !of_ours(attr)) {
        let error = "a class cannot have this attribute";
        return Err(Error::new_spanned(attr, error));
    }
    for Event { name, print, .. } in &class.events {
        let error = match &*c_name(name) {
            // `event_subsystem_dir()` (kernel/trace/trace_events.c).
            "enable" | "filter" => format!(
                "`{name}` is a file of tracefs in the directory of every system, so an event can't have \
                 this name"
            ),
            _ if print.is_some() && *name == class.name => format!(
                "`{name}` is the name of the class: an event with a template needs another one"
            ),
            _ => continue,
        };
        return Err(Error::new(name.span(), error));
    }
    Ok(())
}

/// Expands the tracepoint of an event.
fn tracepoint(class: &Class, event: &Event, origin: &dyn Origin) -> Result<Expansion> {
    let attrs = event.attrs.iter().cloned();
    let declaration = Tracepoint {
        attrs: attrs.filter(|attr| !layers::has_attribute(attr)).collect(),
        vis: event.vis.clone(),
        faultable: class.faultable,
        kind: class.kind,
        name: event.name.clone(),
        args: class.args.clone(),
        condition: event.condition.clone(),
    };
    origin.tracepoint(&declaration, &event.with)
}

/// Expands what the kernel knows of a class: its record, its probes and its tables, and what it knows of
/// each event.
fn tables(
    system: &LitStr,
    class: &Class,
    origin: &dyn Origin,
) -> Result<(TokenStream, Vec<Expansion>)> {
    let class_name = &class.name;
    let class_text = c_name(class_name);
    let known = diag::all(class.fields.iter().map(known))?;
    let raw_event = format!("{}_raw_event_{class_text}", origin.macro_name());
    let raw_event = function(&raw_event, class_name)?;

    let beside = layers::beside(&Declared::Class(class, &known, origin.name(), system));

    let (items, output_type, output) = output(class_name, origin, &class.print, &known)?;
    let (raw, size) = (raw(&known), size(&known));
    let recorder = recorder(class, &known)?;
    let c_args = class.args.c_args();
    let (c_arg, c_types) = (&c_args.names, &c_args.c_types);
    let fields = known.iter().map(table_entry);
    let field_count = known.len() + 1;
    let system = c_string(&system.value());
    let data = local("data");
    let check = c_args.check();
    let might_fault = class.faultable.then(|| quote!(__p::might_fault();));
    let Probes {
        items: others,
        record: probe,
        perf: perf_probe,
        registers,
    } = origin.probes(class, &c_args)?;

    let calls = class.events.iter();
    let mut calls = diag::all(calls.map(|event| call(event, origin, &known, &c_args)))?;
    if let Some(first) = calls.first_mut() {
        first.outside.extend(beside);
    }

    let record = (class.kind.record)(&data, &c_args.args);
    let check_size = quote_spanned! {class_name.span().resolved_at(Span::call_site())=>
        __p::check_size(#size)
    };
    let shared = quote! {
        #raw
        #recorder

        // The probe of a trace buffer, whose data is the `trace_event_file`. Perf's calls it.
        //
        // # Safety
        //
        // Only the tracepoint, with this data and the C arguments of the declaration, and perf's probe
        // may call this.
        #raw_event
        #[inline(never)]
        unsafe extern "C" fn __trace_event_raw_event(
            #data: *mut __p::c_void #(, #c_arg: #c_types)*
        ) {
            #check
            #might_fault
            // SAFETY: `trace_event_reg()` (kernel/trace/trace_events.c) registers this data.
            // The C arguments have been checked. They come from `call` of the same declaration, or
            // from C code with the same declaration.
            unsafe {
                #record
            }
        }

        #others

        #items

        static __CLASS: __p::Shared<__p::Class<#field_count, #output_type, #registers>> = {
            #check_size;
            __p::Shared::new(__p::Class::new(
                __p::Shared::get(&__CLASS),
                #system,
                [#(#fields,)* __p::END_OF_FIELDS],
                (#probe, #perf_probe),
                #output,
            ))
        };
    };
    Ok((shared, calls))
}

/// Expands the entry of a field in the table of the class.
fn table_entry(known: &Known<'_>) -> TokenStream {
    let (ty, filter) = (&known.field.ty, &known.filter);
    let name = c_string(&c_name(&known.field.name));
    let c_type = c_type(known);
    let shape = &known.shape;
    match known.kind() {
        Some(Kind::Int { size, signed }) if known.scalar.is_some() => {
            quote!(__p::trace_event_integer(#name, #c_type, #filter, #size, #signed))
        }
        _ => {
            let shape_known = known.in_template.known;
            let is_char = known.is_c_char();
            let assumed = option(shape_known.map(|shape| {
                let code = shape.code(is_char);
                quote!((#code, #is_char))
            }));
            quote_spanned! {span_of(ty)=>
                __p::trace_event_field(#name, #c_type, #filter, #shape, #assumed)
            }
        }
    }
}

/// The fields that the kernel fills in at the start of each record, as templates see them: their
/// names, types and offsets, which `base/event/record.rs` checks.
///
/// C: `struct trace_entry` (include/linux/trace_events.h).
const COMMON: [(&str, &str, usize); 3] = [
    ("common_flags", "u8", 2),
    ("common_preempt_count", "u8", 3),
    ("common_pid", "i32", 4),
];

/// Expands what a template becomes.
fn output(
    event: &Ident,
    origin: &dyn Origin,
    print: &print::Print,
    known: &[Known<'_>],
) -> Result<template::Output> {
    let common = COMMON.iter().map(|(name, ty, offset)| {
        let ty = Ident::new(ty, Span::mixed_site());
        let ty: Type = syn::parse_quote!(::core::primitive::#ty);
        types::Field::new((*name).to_owned(), &ty, None, shape(&ty), quote!(#offset))
    });
    let fields = known.iter().map(|known| known.in_template.clone());
    let fields: Vec<_> = fields.chain(common).collect();
    let prefix = origin.macro_name().trim_end_matches("_event");
    let text = c_name(event);
    let symbol = function(&format!("{prefix}_raw_output_{text}"), event)?;
    let (output, problems) = template::compile(&text, &symbol, print, &fields);
    diag::all(problems.into_iter().map(Err::<(), _>))?;
    Ok(output)
}

/// Expands what the kernel knows of one event of a class.
fn call(
    event: &Event,
    origin: &dyn Origin,
    known: &[Known<'_>],
    c_args: &CArgs,
) -> Result<Expansion> {
    let name = c_name(&event.name);
    let mut own = TokenStream::new();
    let mut output = quote!(__p::Class::output(__p::Shared::get(&__CLASS)));
    if let Some(print) = &event.print {
        let (items, ty, value) = self::output(&event.name, origin, print, known)?;
        own = quote! {
            #items
            static __OUTPUT: __p::Shared<__p::Output<#ty>> = __p::Shared::new(#value);
        };
        output = quote!(__p::Shared::get(&__OUTPUT));
    }
    let (bpf, make) = (origin.bpf(c_args), origin.call(event, &output));
    let symbol = format!("event_{name}");
    let what = format!("the event `{name}`");
    layers::symbol(&symbol, event.name.span(), &what)?;
    let pointer =
        format!(".pushsection _ftrace_events, \"aw\"\n.balign 8\n.quad {symbol}\n.popsection");
    let symbol = arch::static_symbol(&symbol);
    let inside = quote! {
        #own
        #bpf

        // The assembly below refers to it.
        #symbol
        #[used(compiler)]
        static __CALL: __p::Shared<__p::trace_event_call> = __p::Shared::new(#make);
    };
    Ok(Expansion {
        outside: arch::global_asm(&pointer, &TokenStream::new()),
        inside,
    })
}
