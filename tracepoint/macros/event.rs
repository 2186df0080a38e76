// SPDX-License-Identifier: GPL-2.0

//! The expansion of `trace_event!` and `trace_custom_event!`.

use crate::{
    args::Words,
    btf,
    grammar::{c_name, span_of, without_cfg, Class, Definition, Event, Field, Tracepoint, With},
    kernel_symbols,
    show::Kind,
    template,
    tracepoint::{self, c_string, guard, local},
};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{ext::IdentExt, spanned::Spanned, Error, LitStr, Path, Result, Type};

/// What kind of event it is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Origin {
    /// An event on a tracepoint of its own.
    Own,
    /// An event on one of the kernel's tracepoints.
    Kernel,
}

/// A field and what's known about its type from its name.
struct Known<'a> {
    field: &'a Field,
    /// The C type after `as`.
    given: Option<String>,
    kind: Option<Kind>,
    rel: bool,
    shown: bool,
    filter: TokenStream,
}

/// Collects errors, so that one doesn't hide the others.
#[derive(Default)]
struct Errors(Option<Error>);

impl Errors {
    fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }
}

/// Expands a class and its events.
pub(crate) fn expand(system: Option<&LitStr>, class: &Class, origin: Origin) -> TokenStream {
    let mut errors = Errors::default();
    let mut output = TokenStream::new();
    if let Err(error) = class.check() {
        errors.add(error);
    }
    for event in &class.events {
        match tracepoint(class, event, origin) {
            Ok(tokens) => output.extend(tokens),
            Err(error) => errors.add(error),
        }
    }
    let unknown = LitStr::new("", Span::call_site());
    match tables(system.unwrap_or(&unknown), class, origin, &mut errors) {
        // After an error the tracepoints are still there: what fires them has no error.
        Ok(tables) if errors.0.is_none() && system.is_some() => output.extend(tables),
        Ok(_) => {}
        Err(error) => errors.add(error),
    }
    output.extend(errors.0.map(Error::into_compile_error));
    output
}

/// Expands the tracepoint of an event.
fn tracepoint(class: &Class, event: &Event, origin: Origin) -> Result<TokenStream> {
    let declaration = Tracepoint {
        attrs: event.attrs.clone(),
        vis: event.vis.clone(),
        faultable: class.faultable,
        name: event.name.clone(),
        args: class.args.clone(),
        condition: event.condition.clone(),
    };
    declare_and_define(&declaration, origin, &event.with)
}

fn declare_and_define(tracepoint: &Tracepoint, origin: Origin, with: &With) -> Result<TokenStream> {
    if origin == Origin::Kernel {
        return tracepoint::declare_kernel(tracepoint);
    }
    let mut tokens = tracepoint::declare(tracepoint)?;
    tokens.extend(tracepoint::define(&Definition {
        path: Path::from(tracepoint.name.clone()),
        reg: with.reg.clone(),
        unreg: with.unreg.clone(),
    })?);
    Ok(tokens)
}

/// Expands the tracepoint of an event that has an error.
pub(crate) fn stub(tracepoint: &Tracepoint, origin: Origin) -> Result<TokenStream> {
    declare_and_define(tracepoint, origin, &With::default())
}

/// The filter types that a field can have. With `COMM`, `hist_field_pstring()`
/// (kernel/trace/trace_events_hist.c) would dereference the field's bytes. The others follow from
/// the field's type.
const FILTERS: [&str; 3] = ["CPU", "TRACE_FN", "PTR_STRING"];

/// Checks a field's attributes and returns what they say.
fn known<'a>(event: &Ident, field: &'a Field, errors: &mut Errors) -> Known<'a> {
    let (mut shown, mut filter) = (false, None);
    for attr in without_cfg(&field.attrs) {
        let path = attr.path();
        if path.is_ident("doc") {
        } else if path.is_ident("shown") {
            shown = true;
        } else if path.is_ident("filter") {
            match attr.parse_args::<Ident>() {
                Ok(name) if FILTERS.iter().any(|f| name == f) => {
                    filter = Some(format_ident!("FILTER_{name}", span = name.span()));
                }
                Ok(name) => errors.add(Error::new(
                    name.span(),
                    format!(
                        "the field `{}` of `{event}` can't have this filter: expected one of {}; \
                         others follow from the type",
                        field.name,
                        FILTERS.join(", ")
                    ),
                )),
                Err(_) => errors.add(Error::new(attr.span(), "expected `#[filter(TYPE)]`")),
            }
        } else {
            errors.add(Error::new(
                attr.span(),
                format!(
                    "the field `{}` of `{event}` can have `#[filter(TYPE)]`, `#[shown]`, \
                     `#[cfg(…)]` and a doc comment, nothing else",
                    field.name
                ),
            ));
        }
    }
    let given = field.c_type.as_ref().map(LitStr::value);
    let ty = &field.ty;
    let kind = template::kind(ty, given.as_deref());
    if let (Some(filter), Some(kind)) = (&filter, kind) {
        let is_string = filter == "FILTER_PTR_STRING";
        if is_string && !matches!(kind, Kind::Pointer) || !kind.is_number() {
            errors.add(Error::new(
                filter.span(),
                format!(
                    "the field `{}` of `{event}` can't have this filter: it's for {}",
                    field.name,
                    if is_string { "pointers" } else { "numbers" }
                ),
            ));
        }
    }
    let filter = match filter {
        Some(filter) if filter == "FILTER_PTR_STRING" => {
            quote!(__p::filter_of_pointer::<#ty>(__p::#filter))
        }
        Some(filter) if filter == "FILTER_TRACE_FN" => {
            quote!(__p::filter_of_function::<#ty>(__p::#filter))
        }
        Some(filter) => quote!(__p::filter_of_number::<#ty>(__p::#filter)),
        None => quote!(__p::FILTER_OTHER),
    };
    Known {
        field,
        given,
        kind,
        rel: template::is_rel(ty),
        shown,
        filter,
    }
}

/// Returns the last name of a type's path.
fn outer_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => Some(path.path.segments.last()?.ident.unraw().to_string()),
        _ => None,
    }
}

/// Returns the expression for a field's C type, a `&'static CStr`.
///
/// The kernel's filter and histogram code decides by this text how it reads the field, so a text
/// must not claim more than the type holds.
fn c_type(event: &Ident, known: &Known<'_>) -> Result<TokenStream> {
    let (field, ty) = (known.field, &known.field.ty);
    if let (Some(text), Some(given)) = (&field.c_type, &known.given) {
        check_c_type(event, known, text, given)?;
    }
    let given = known.given.as_deref().or_else(|| alias(ty));
    let name = given.or_else(|| default_c_type(ty));
    let (Some(kind), Some(name)) = (known.kind, name) else {
        // The const functions know the type.
        let given = match given {
            Some(text) => quote!(__p::Some(#text)),
            None => quote!(__p::None),
        };
        return Ok(quote! {
            __p::c_str(
                &const { __p::c_type::<#ty, { __p::c_type_len::<#ty>(#given) }>(#given) }
            )
        });
    };
    let location = if known.rel { "__rel_loc" } else { "__data_loc" };
    let text = match kind {
        Kind::Int { .. } | Kind::Pointer | Kind::Bytes { .. } => name.into(),
        Kind::Chars { len } | Kind::Array { len, .. } => format!("{name}[{len}]"),
        _ if name == "cpumask_t" => format!("{location} {name}"),
        _ => format!("{location} {name}[]"),
    };
    Ok(c_string(&text).into_token_stream())
}

/// Checks the C type that's given for a field.
fn check_c_type(event: &Ident, known: &Known<'_>, text: &LitStr, given: &str) -> Result<()> {
    let what = if given.is_empty()
        || !given
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '*'))
    {
        "consists of names, blanks and `*`; the rest follows from the Rust type"
    } else if given.contains("_loc") {
        "can't be a location: use `Str`, `DynArray<T>` or another such type"
    } else if given.contains("cpumask_t") {
        "can't be a mask of CPUs: use `Cpumask`"
    } else if given.contains("char")
        && matches!(
            known.kind,
            Some(Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr)
        )
    {
        "would be taken for a string that ends with a NUL: use `Str`"
    } else if given.contains('*')
        && !matches!(known.kind, Some(Kind::Pointer | Kind::Int { size: 8, .. }))
    {
        "is a pointer, which the field isn't"
    } else {
        return Ok(());
    };
    Err(Error::new(
        text.span(),
        format!(
            "the C type of the field `{}` of `{event}` {what}",
            known.field.name
        ),
    ))
}

/// C's name of a type or of its elements.
fn default_c_type(ty: &Type) -> Option<&'static str> {
    const NAMES: [(&str, &str); 16] = [
        ("bool", "bool"),
        ("u8", "u8"),
        ("u16", "u16"),
        ("u32", "u32"),
        ("u64", "u64"),
        ("usize", "size_t"),
        ("i8", "s8"),
        ("i16", "s16"),
        ("i32", "int"),
        ("i64", "s64"),
        ("isize", "ssize_t"),
        ("Str", "char"),
        ("Formatted", "char"),
        ("SockAddr", "u8"),
        ("Bitmask", "unsigned long"),
        ("Cpumask", "cpumask_t"),
    ];
    let inner = innermost(ty).1;
    if let Type::Ptr(pointer) = inner {
        return Some(if pointer.mutability.is_some() {
            "void *"
        } else {
            "const void *"
        });
    }
    let name = outer_name(inner)?;
    Some(NAMES.iter().find(|(rust, _)| *rust == name)?.1)
}

/// Whether it is `DynArray<…>`, perhaps in a `Rel<…>`.
fn is_dynamic_array(ty: &Type) -> bool {
    match outer_name(ty).as_deref() {
        Some("DynArray") => true,
        Some("Rel") => innermost(ty).0,
        _ => false,
    }
}

/// Returns whether a `DynArray` is passed on the way to the innermost type, and that type.
fn innermost(ty: &Type) -> (bool, &Type) {
    match ty {
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else {
                return (false, ty);
            };
            let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
                return (false, ty);
            };
            for arg in &args.args {
                if let syn::GenericArgument::Type(inner) = arg {
                    let (array, inner) = innermost(inner);
                    return (array || last.ident == "DynArray", inner);
                }
            }
            (false, ty)
        }
        Type::Array(array) => innermost(&array.elem),
        Type::Paren(paren) => innermost(&paren.elem),
        Type::Group(group) => innermost(&group.elem),
        _ => (false, ty),
    }
}

/// C's names of what's an alias in Rust: `c_int` and `i32` are one type, but not one text.
fn alias(ty: &Type) -> Option<&'static str> {
    const ALIASES: [(&str, &str); 9] = [
        ("c_char", "char"),
        ("c_uchar", "unsigned char"),
        ("c_short", "short"),
        ("c_ushort", "unsigned short"),
        ("c_int", "int"),
        ("c_uint", "unsigned int"),
        ("c_long", "long"),
        ("c_ulong", "unsigned long"),
        ("c_longlong", "long long"),
    ];
    let name = outer_name(innermost(ty).1)?;
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name)?.1;
    // A histogram takes it for a string that ends with a NUL (`hist_field_dynstring()`,
    // kernel/trace/trace_events_hist.c).
    (!(is_dynamic_array(ty) && alias.contains("char"))).then_some(alias)
}

/// Returns the size of a field in the record and its alignment, where the name of the type says it.
fn size(known: &Known<'_>) -> Option<(usize, usize)> {
    Some(match known.kind? {
        Kind::Int { size, .. } => (size, size),
        Kind::Pointer => (8, 8),
        Kind::Chars { len } => (len, 1),
        Kind::Array { size, len } => (size * len, size),
        Kind::Str | Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr => (4, 4),
        Kind::Bytes { .. } => return None,
    })
}

/// Whether the data of a field follows the fields, where the name of the type says it.
fn is_dynamic(known: &Known<'_>) -> Option<bool> {
    Some(matches!(
        known.kind?,
        Kind::Str | Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr
    ))
}

/// Where the fields begin: the size of `struct trace_entry`. The library checks it.
const ENTRY: usize = 8;

/// Expands what the kernel knows of a class: its record, its probes and its tables.
fn tables(
    system: &LitStr,
    class: &Class,
    origin: Origin,
    errors: &mut Errors,
) -> Result<TokenStream> {
    let class_name = &class.name;
    let class_text = c_name(class_name)?;
    let known: Vec<_> = class
        .fields
        .iter()
        .map(|field| known(class_name, field, errors))
        .collect();

    // Functions that are `static` in C are local here too. A local one still takes the place of a
    // function of the kernel with the same name.
    let prefix = if origin == Origin::Own {
        "trace_event"
    } else {
        "trace_custom_event"
    };
    let raw_event = format!("{prefix}_raw_event_{class_text}");
    let perf_trace = format!("perf_trace_{class_text}");
    let bpf_trace = format!("__bpf_trace_{class_text}");
    for symbol in [&raw_event, &perf_trace, &bpf_trace] {
        let what = format!("a function of the event `{class_text}`");
        kernel_symbols::check(symbol, class_name.span(), &what)?;
    }

    let btf = btf::class(
        class,
        &known.iter().map(described).collect::<Vec<_>>(),
        origin,
    );
    let unmerged = btf::unmerged(class);

    let record = Ident::new("__Record", Span::call_site());
    let (items, output_type, output) = output(class_name, &class.print, &known, &record, errors);
    let recorder = recorder(class, &known);
    let words = class.args.words();
    let Words {
        names: word,
        c_types,
        args,
        valid,
        ..
    } = &words;
    let guard = guard(class.faultable);
    let (name, ty): (Vec<_>, Vec<_>) = known.iter().map(|k| (&k.field.name, &k.field.ty)).unzip();
    let slot = ty
        .iter()
        .map(|ty| quote_spanned!(span_of(ty)=> <#ty as __p::Field>::Slot));
    let mut fields = Vec::new();
    for known in &known {
        let (ty, filter) = (&known.field.ty, &known.filter);
        let name = c_string(&c_name(&known.field.name)?);
        let assumed = match known.kind {
            Some(kind) => {
                let code = kind.code(known.rel);
                quote!(__p::Some(#code))
            }
            None => quote!(__p::None),
        };
        match c_type(class_name, known) {
            Ok(c_type) => fields.push(quote_spanned! {span_of(ty)=>
                __p::trace_event_field::<#ty>(#name, #c_type, #filter, #assumed)
            }),
            Err(error) => errors.add(error),
        }
    }
    let field_count = known.len() + 1;
    let system = c_string(&system.value());
    let data = local("data");
    let sink = local("sink");
    let probe = |ty: &str| {
        let ty = Ident::new(ty, Span::call_site());
        let check = (!valid.is_empty()).then(|| {
            quote! {
                // C can pass NULL for what's a reference here.
                if !(true #(&& #valid)*) {
                    return;
                }
            }
        });
        quote! {
            #check
            // SAFETY: `trace_event_reg()` (kernel/trace/trace_events.c) registers this data. The
            // words come from `call` of the same declaration or from C that has it too, and were
            // checked.
            unsafe {
                let mut #sink = __p::#ty::new::<__p::#guard>(#data);
                if __p::Sink::is_wanted(&#sink) {
                    __record(&mut #sink #(, #args)*);
                }
            }
        }
    };
    let ring = probe("Ring");
    let others = if origin == Origin::Own {
        let perf = probe("Perf");
        quote! {
            /// The probe of perf, whose data is the `trace_event_call`.
            #[cfg(CONFIG_PERF_EVENTS)]
            #[export_name = #perf_trace]
            #[linkage = "internal"]
            unsafe extern "C" fn __perf_trace(#data: *mut __p::c_void #(, #word: #c_types)*) {
                #perf
            }

            /// The probe of a BPF program, whose data is the `bpf_raw_tp_link`.
            #[cfg(CONFIG_BPF_EVENTS)]
            #[export_name = #bpf_trace]
            #[linkage = "internal"]
            unsafe extern "C" fn __bpf_trace(#data: *mut __p::c_void #(, #word: #c_types)*) {
                #unmerged
                // SAFETY: `bpf_probe_register()` (kernel/trace/bpf_trace.c) registers the link as
                // data.
                unsafe { __p::bpf::<__p::#guard, _>(#data, [#(__p::word(#word)),*]) }
            }

            #[cfg(CONFIG_PERF_EVENTS)]
            const __PERF_PROBE: *mut __p::c_void = __perf_trace as *mut __p::c_void;
            #[cfg(not(CONFIG_PERF_EVENTS))]
            const __PERF_PROBE: *mut __p::c_void = ::core::ptr::null_mut();
        }
    } else {
        quote! {
            const __PERF_PROBE: *mut __p::c_void = ::core::ptr::null_mut();
        }
    };
    let raw_init = if origin == Origin::Own {
        "RAW_INIT"
    } else {
        "CUSTOM_RAW_INIT"
    };
    let raw_init = Ident::new(raw_init, Span::call_site());

    let mut calls = TokenStream::new();
    for event in &class.events {
        calls.extend(call(
            event,
            origin,
            &known,
            &record,
            words.names.len(),
            errors,
        )?);
    }

    Ok(quote! {
        // `improper_ctypes`: structs that C leaves empty in some configurations.
        #[allow(
            improper_ctypes,
            improper_ctypes_definitions,
            clippy::missing_safety_doc,
            clippy::too_many_arguments,
        )]
        const _: () = {
            use ::tracepoint::__private as __p;

            /// The fields where they are in the record. Only its layout is used.
            #[allow(dead_code, non_snake_case)]
            #[repr(C)]
            struct #record {
                __entry: __p::trace_entry,
                #(#name: #slot,)*
            }

            #recorder

            /// The probe of a trace buffer, whose data is the `trace_event_file`.
            #[export_name = #raw_event]
            #[linkage = "internal"]
            unsafe extern "C" fn __trace_event_raw_event(
                #data: *mut __p::c_void #(, #word: #c_types)*
            ) {
                #ring
            }

            #others

            #items

            static __CLASS: __p::Shared<__p::Class<#field_count, #output_type>> =
                __p::Shared::new(__p::Class::new(
                    __p::Shared::get(&__CLASS),
                    #system,
                    [#(#fields,)* __p::END_OF_FIELDS],
                    __trace_event_raw_event as *mut __p::c_void,
                    __PERF_PROBE,
                    __p::#raw_init,
                    #output,
                ));

            #calls
        };

        #btf
    })
}

/// Returns a field as its description in BTF needs it.
fn described<'a>(known: &'a Known<'_>) -> btf::Field<'a> {
    let (field, given) = (known.field, known.given.as_deref());
    btf::Field {
        name: &field.name,
        ty: &field.ty,
        kind: known.kind,
        rel: known.rel,
        c_type: given
            .or_else(|| alias(&field.ty))
            .or_else(|| default_c_type(&field.ty)),
    }
}

/// Expands what a template becomes: items, and with them the type and the value of the output.
fn output(
    event: &Ident,
    print: &template::Print,
    known: &[Known<'_>],
    record: &Ident,
    errors: &mut Errors,
) -> (TokenStream, TokenStream, TokenStream) {
    let fields: Vec<_> = known
        .iter()
        .map(|known| template::Field {
            name: &known.field.name,
            ty: &known.field.ty,
            ctype: known.given.as_deref(),
            kind: known.kind,
            rel: known.rel,
            shown: known.shown,
        })
        .collect();
    let (output, problems) = template::compile(&event.unraw().to_string(), print, &fields, record);
    problems.into_iter().for_each(|problem| errors.add(problem));
    let (ty, print_fmt, program) = (output.print_fmt_type, output.print_fmt, output.program);
    (
        output.items,
        ty,
        quote!(__p::Output::new(#program, #print_fmt)),
    )
}

/// Expands the size of a record up to the data after its fields, or of C's whole struct.
fn record_size(known: &[Known<'_>]) -> TokenStream {
    let size = quote!(::core::mem::size_of::<__Record>());
    let Some(last) = known.last() else {
        return size;
    };
    let (name, ty) = (&last.field.name, &last.field.ty);
    let end = quote! {
        ::core::mem::offset_of!(__Record, #name) + ::core::mem::size_of::<<#ty as __p::Field>::Slot>()
    };
    if known.iter().any(|known| is_dynamic(known) == Some(true)) {
        return end;
    }
    let unknown: Vec<_> = known
        .iter()
        .filter(|known| is_dynamic(known).is_none())
        .map(|known| &known.field.ty)
        .collect();
    if unknown.is_empty() {
        return size;
    }
    quote! {
        if false #(|| <#unknown as __p::Field>::KIND.is_dynamic())* { #end } else { #size }
    }
}

/// Expands the function that fills a record.
///
/// It's a safe function: the driver's expressions are evaluated in it, all of them before the record
/// is reserved, so that none of them runs while there's half a record. The library's functions are
/// called by their paths: a trait of the driver's could have a method of the same name, which the
/// compiler prefers if it takes `self` by value.
fn recorder(class: &Class, known: &[Known<'_>]) -> TokenStream {
    let (arg, ty) = (class.args.names(), class.args.types());
    // Errors about one are at the expression, which can't see the others.
    let hidden = |expr| Span::mixed_site().located_at(span_of(expr));
    let value: Vec<_> = (0..known.len())
        .map(|i| format_ident!("__value{i}", span = hidden(&known[i].field.value)))
        .collect();
    let (sink, scratch) = (local("sink"), local("scratch"));
    let (size, to, record) = (local("size"), local("to"), local("record"));
    let mut places = TokenStream::new();
    let mut writes = TokenStream::new();
    let mut offset = Some(ENTRY);
    let mut end = quote!(::core::mem::size_of::<__p::trace_entry>());
    let any_dynamic = known.iter().any(|known| is_dynamic(known) != Some(false));
    for (i, known) in known.iter().enumerate() {
        let (name, ty) = (&known.field.name, &known.field.ty);
        let (value, at, len) = (
            &value[i],
            local(&format!("at{i}")),
            local(&format!("len{i}")),
        );
        let this = quote!(::core::mem::offset_of!(__Record, #name));
        if is_dynamic(known) != Some(false) {
            places.extend(quote! {
                let #at = #size;
                let #len = __p::Computed::len(#value);
                #size = #size.wrapping_add(#len);
            });
        }
        let (next, gap) = match size_and_gap(known, offset) {
            Some((next, gap)) => (Some(next), gap),
            None => (None, true),
        };
        offset = next;
        if gap {
            writes.extend(quote!(__p::zero(#to, #end, #this);));
        }
        end = quote!(#this + ::core::mem::size_of::<<#ty as __p::Field>::Slot>());
        let slot = quote!(&raw mut (*#record).#name);
        writes.extend(if is_scalar(known) {
            // The table of fields checks that the type is the one that the macro took it for.
            quote!(*(#slot as *mut __p::Unaligned<#ty>) = __p::Unaligned(#value);)
        } else if is_dynamic(known) == Some(true) {
            let base = if known.rel { end.clone() } else { quote!(0) };
            quote! {
                *(#slot as *mut __p::Unaligned<::core::primitive::u32>) =
                    __p::location(#len, #at, #base);
                __p::Computed::write_data(#value, #to.add(#at));
            }
        } else {
            let at = if is_dynamic(known).is_none() {
                quote!(#at)
            } else {
                quote!(0)
            };
            quote!(__p::Computed::write(#value, __p::Place::new(#to, #this, #at));)
        });
    }
    let fixed_size = record_size(known);
    // A type that isn't known may have its data in the record itself, so C's struct may end with
    // padding.
    let unknown = known.iter().any(|known| is_dynamic(known).is_none());
    // `reserve` has zeroed the bytes that round the size up.
    let tail = if any_dynamic {
        unknown.then(|| quote!(__p::zero(#to, #end, const { #fixed_size });))
    } else {
        Some(quote!(__p::zero(#to, #end, #size);))
    };
    let mutable = any_dynamic.then(|| quote!(mut));
    let mut body = quote! {
        let #mutable #size: ::core::primitive::usize = const { __p::checked_size(#fixed_size) };
        #places
        let mut #scratch = __p::MaybeUninit::uninit();
        // SAFETY: All is written: the fields and the padding.
        unsafe {
            if let __p::Some(#to) = __p::Sink::reserve(#sink, &mut #scratch, #size) {
                let #record = #to as *mut __Record;
                #tail
                #writes
                __p::Sink::commit(#sink, &mut #scratch);
            }
        }
    };
    for (known, value) in known.iter().zip(&value).rev() {
        let (ty, expr) = (&known.field.ty, &known.field.value);
        body = if is_scalar(known) {
            // The compiler's own error about another type is the best.
            quote!(let #value: #ty = #expr; #body)
        } else {
            // Temporaries live until the record has been written. The value stays where it is: text
            // has a large buffer.
            //
            // An error about the value is at the value. A function pointer has no name for the
            // compiler to add a note about.
            let span = span_of(expr);
            let ty = moved(ty.to_token_stream(), span);
            let computed = quote_spanned! {span=>
                &mut ({
                    let compute: fn(_) -> _ = <#ty as __p::Assign<_>>::compute;
                    compute
                })(#expr)
            };
            quote!(match #computed { #value => { #body } })
        };
    }
    quote! {
        /// Fills a record.
        #[inline(always)]
        #[allow(unused_variables)]
        fn __record<__S: __p::Sink>(#sink: &mut __S #(, #arg: #ty)*) {
            #body
        }
    }
}

/// Whether the value is written as it is, without any trait.
fn is_scalar(known: &Known<'_>) -> bool {
    matches!(known.kind, Some(Kind::Int { .. } | Kind::Pointer))
}

/// Returns the tokens as if they were at `span`.
fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    let one = |token| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), moved(group.stream(), span));
            moved.set_span(group.span().located_at(span));
            TokenTree::Group(moved)
        }
        mut token => {
            token.set_span(token.span().located_at(span));
            token
        }
    };
    tokens.into_iter().map(one).collect()
}

/// Returns where a field ends that follows `offset`, and whether there's padding before it.
fn size_and_gap(known: &Known<'_>, offset: Option<usize>) -> Option<(usize, bool)> {
    let (size, align) = size(known)?;
    let offset = offset?;
    let start = offset.next_multiple_of(align.max(1));
    Some((start + size, start != offset))
}

/// Expands what the kernel knows of one event of a class.
fn call(
    event: &Event,
    origin: Origin,
    known: &[Known<'_>],
    record: &Ident,
    words: usize,
    errors: &mut Errors,
) -> Result<TokenStream> {
    let name = c_name(&event.name)?;
    let (own, funcs) = match &event.print {
        Some(print) => {
            let (items, ty, value) = output(&event.name, print, known, record, errors);
            (
                Some(quote! {
                    #items
                    static __OUTPUT: __p::Shared<__p::Output<#ty>> = __p::Shared::new(#value);
                }),
                quote!(__p::Output::printer(__p::Shared::get(&__OUTPUT))),
            )
        }
        None => (
            None,
            quote!(__p::Class::printer(__p::Shared::get(&__CLASS))),
        ),
    };
    let make = if origin == Origin::Kernel {
        let name = c_string(&name);
        quote!(__p::custom_call(__p::Class::class(__p::Shared::get(&__CLASS)), #name, #funcs))
    } else {
        let flags = if event.with.cap_any {
            quote!(__p::CAP_ANY)
        } else {
            quote!(0)
        };
        let perf_perm = match &event.with.perf_perm {
            Some(function) => quote! {
                __p::Some({
                    /// The safe half.
                    fn decide(event: &__p::PerfEvent) -> __p::Result {
                        #function(event)
                    }

                    /// # Safety
                    ///
                    /// Called by kernel/trace/trace_event_perf.c.
                    unsafe extern "C" fn perf_perm(
                        _: *mut __p::trace_event_call,
                        event: *mut __p::perf_event,
                    ) -> __p::c_int {
                        // SAFETY: The event is being opened.
                        __p::errno(decide(unsafe { __p::PerfEvent::from_raw(&event) }))
                    }
                    perf_perm
                })
            },
            None => quote!(__p::None),
        };
        quote! {
            __p::call(
                __p::Class::class(__p::Shared::get(&__CLASS)),
                &raw mut __TRACEPOINT,
                #funcs,
                #flags,
                #perf_perm,
            )
        }
    };
    let tracepoint = (origin == Origin::Own).then(|| {
        quote! {
            extern "C" {
                #[link_name = ::core::concat!("__tracepoint_", #name)]
                static mut __TRACEPOINT: __p::tracepoint;
            }

            #[cfg(CONFIG_BPF_EVENTS)]
            #[link_section = "__bpf_raw_tp_map"]
            #[used(compiler)]
            static __BPF: __p::Shared<__p::BpfRawEventMap> =
                __p::Shared::new(__p::BpfRawEventMap::new(
                    &raw mut __TRACEPOINT,
                    __bpf_trace as *mut __p::c_void,
                    #words,
                ));
        }
    });
    Ok(quote! {
        const _: () = {
            #own
            #tracepoint

            static __CALL: __p::Shared<__p::trace_event_call> = __p::Shared::new(#make);

            #[link_section = "_ftrace_events"]
            #[used(compiler)]
            static __EVENT: __p::Shared<*mut __p::trace_event_call> =
                __p::Shared::new(__p::Shared::get(&__CALL));
        };
    })
}
