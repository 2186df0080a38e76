// SPDX-License-Identifier: GPL-2.0

//! Events that stand for more than a moment: spans, and the instants and counters beside them; and `#[instrument]`.
//!
//! Their records have the fields by which Perfetto finds tracks, slices and counters. Each kind is an
//! ordinary event to which the macro adds an argument and fields; a span is fired by a guard of the
//! library's (`mod.rs`) instead of `trace!`.

use crate::{
    args::Args,
    grammar,
    layers::{self, Layer},
    model::{Class, EventKind, Field, Tracepoint, PLAIN},
    print::Named,
    show::Kind,
    tokens::{c_name, c_string, local, span_of},
    types,
};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::{parse::Parser, parse_quote, Error, ItemFn, LitStr, Result, ReturnType, Type};

pub(crate) static LAYER: Layer = Layer {
    kinds: &[INSTANT, COUNTER, SPAN, ASYNC_SPAN],
    ..Layer::NONE
};

/// A moment on the thread's track.
const INSTANT: EventKind = EventKind {
    name: "instant",
    apply: |class| add_slice(class, quote!(b'I'), quote!()),
    ..PLAIN
};

/// A number that changes.
const COUNTER: EventKind = EventKind {
    name: "counter",
    apply: make_counter,
    ..PLAIN
};

/// A span of a thread: it ends with the block in which it begins.
const SPAN: EventKind = EventKind {
    name: "span",
    apply: |class| make_span(class, false),
    caller: Some("For the library only, which calls it at both ends of a span."),
    implement: |tracepoint| Some(implement(tracepoint, &quote!(__p::InThread))),
    registers: |_| quote!(__p::Slots),
    record: |data, args| {
        // The first argument is the span.
        let span = args.first();
        quote! {
            __p::record_span(#data, #span, |#data| __record(#data #(, #args)*));
        }
    },
    is_told: true,
    for_perf: || quote!(__p::span_for_perf),
};

/// A span with a track of its own.
const ASYNC_SPAN: EventKind = EventKind {
    name: "async span",
    apply: |class| match class.fields.iter().find(|field| is_scope(field)) {
        None => make_span(class, true),
        Some(scope) => {
            let event = &class.name;
            let error =
                format!("`{event}` can't have a scope: each `async span` has a track of its own");
            Err(Error::new(scope.name.span(), error))
        }
    },
    implement: |tracepoint| Some(implement(tracepoint, &quote!(__p::Anywhere))),
    ..SPAN
};

fn make_counter(class: &mut Class) -> Result<()> {
    let event = &class.name;
    let Some(value) = field_named("counter_value", class) else {
        let error = format!(
            "the counter `{event}` has no `counter_value` field; expected `counter_value: i64 = expression`"
        );
        return Err(Error::new(event.span(), error));
    };
    check_type(value, is_integer(value), "an integer")?;
    // Without a scope, Perfetto draws a counter for each thread.
    let has_scope = class.fields.iter().any(is_scope);
    let scope = (!has_scope).then(|| quote!(scope_counter: u8 = 0));
    add_fields(class, quote!(#scope))
}

/// Makes an event one that's fired at both ends. Also adds the argument that's the span, before the others. What's
/// printed says first which end of a span this is, and last how it ended.
fn make_span(class: &mut Class, has_track: bool) -> Result<()> {
    let mut conditions = class.events.iter().flat_map(|event| &event.condition);
    if let Some(condition) = conditions.next() {
        let error = format!(
            "`{}` can't have a condition, which could be true at one end of the span and false at the other",
            class.name
        );
        return Err(Error::new(span_of(condition), error));
    }
    // What's printed names these fields.
    let of_ours = |named: &&Named| matches!(&*c_name(&named.name), "id" | "duration" | "result");
    if let Some(Named { name, .. }) = class.print.named.iter().find(of_ours) {
        let error = format!("each span has a field `{name}`: the value needs another name");
        return Err(Error::new(name.span(), error));
    }
    let span = span();
    if let Some(arg) = class.args.0.iter().find(|arg| arg.name == span) {
        return Err(taken(&arg.name, class, "an argument"));
    }
    let id = quote!(::tracepoint::event::TraceId::get(::tracepoint::event::Span::id(#span)));
    let scope = has_track.then(|| quote!(scope_id: u64 = #id,));
    let others = quote! {
        id: u64 = #id,
        #scope
        duration: u64 = ::tracepoint::event::Span::duration(#span),
        result: i32 = ::tracepoint::event::Span::errno(#span),
    };
    let end = quote!(::tracepoint::event::Span::track_event_type(#span));
    add_slice(class, end, others)?;
    let arg = parse_quote!(#span: &::tracepoint::event::Span);
    class.args.0.insert(0, arg);
    class.print.named.push(Named {
        name: format_ident!("__phase"),
        value: quote!(print_symbolic(track_event_type, { 66 => "begin", 69 => "end" })),
    });
    class.print.around = ("{__phase} #{id} ", " [{duration} ns, {result:errno}]");
    Ok(())
}

/// Expands what makes a tracepoint a span that ends as the type `ends` says.
fn implement(tracepoint: &Tracepoint, ends: &TokenStream) -> TokenStream {
    let (name, span) = (&tracepoint.name, span());
    // Without the span itself.
    let own = Args(tracepoint.args.0[1..].to_vec());
    let arg = own.names();
    let ty = own.types().into_iter();
    let ty = ty.map(|ty| layers::with_lifetime(ty, "'__a", |lifetime| lifetime.ident == "_"));
    // An error about a type that's less visible than the span is at the type.
    let args = quote_spanned!(own.suspect()=> type Args<'__a> = (#(#ty,)*););
    quote! {
        // SAFETY: `fire` calls the probes of this tracepoint only.
        unsafe impl __p::Spanned<#ends> for #name {
            #args

            type Site = __p::SpanSite<Self, #ends>;
            const SITE: Self::Site = __p::SpanSite::NEW;

            #[inline(always)]
            #[allow(clippy::unused_unit)]
            unsafe fn fire(#span: &__p::Span, (#(#arg,)*): Self::Args<'_>) {
                // SAFETY: The caller calls this at both ends of the span, as `call` requires.
                unsafe { Self::call(#span #(, #arg)*) };
            }
        }
    }
}

/// Adds the fields of a slice of a track, or of an end of one.
fn add_slice(class: &mut Class, kind: TokenStream, others: TokenStream) -> Result<()> {
    // The driver's field replaces this one.
    let slice_name = field_named("slice_name", class).is_none().then(|| {
        let event = c_string(&c_name(&class.name));
        quote!(slice_name: ::tracepoint::event::Str = #event,)
    });
    let fields = quote!(track_event_type: u8 as "char" = #kind, #slice_name #others);
    add_fields(class, fields)
}

/// Puts fields before the others of a class, once it's clear that Perfetto doesn't ignore any of those that it
/// looks for.
fn add_fields(class: &mut Class, fields: TokenStream) -> Result<()> {
    let event = &class.name;
    if class.faultable {
        let error = "only a plain event can be `faultable`";
        return Err(Error::new(event.span(), error));
    }
    for field in &class.fields {
        match &*c_name(&field.name) {
            "slice_name" | "track_name" => check_type(field, is_text(field), "a `Str`")?,
            _ if is_scope(field) => check_type(field, is_integer(field), "an integer")?,
            _ => {}
        }
    }
    let mut scopes = class.fields.iter().filter(|field| is_scope(field));
    if let (Some(Field { name: first, .. }), Some(second)) = (scopes.next(), scopes.next()) {
        let error = format!("`{event}` already has the scope `{first}`; Perfetto uses only one");
        return Err(Error::new(second.name.span(), error));
    }
    let (_, fields) = grammar::fields.parse2(quote!({ #fields }))?;
    let is_ours = |field: &&Field| fields.iter().any(|ours| ours.name == field.name);
    if let Some(field) = class.fields.iter().find(is_ours) {
        return Err(taken(&field.name, class, "a field"));
    }
    class.fields.splice(..0, fields);
    Ok(())
}

/// Returns the error that the driver has used a name of something that's added.
fn taken(name: &Ident, class: &Class, what: &str) -> Error {
    let error = format!(
        "the library gives `{}` {what} `{name}`: yours needs another name",
        class.name
    );
    Error::new(name.span(), error)
}

fn check_type(field: &Field, is_expected: bool, expected: &str) -> Result<()> {
    if is_expected {
        return Ok(());
    }
    let error = format!("`{}` must be {expected}", c_name(&field.name));
    Err(Error::new(span_of(&field.ty), error))
}

fn field_named<'a>(name: &str, class: &'a Class) -> Option<&'a Field> {
    let mut fields = class.fields.iter();
    fields.find(|field| c_name(&field.name) == name)
}

/// Returns what the field is made of, if that's known.
fn kind_of(field: &Field) -> Option<Kind> {
    let c_type = field.c_type.as_ref().map(LitStr::value);
    types::kind(&field.ty, c_type.as_deref())
}

fn is_text(field: &Field) -> bool {
    matches!(kind_of(field), Some(Kind::Str | Kind::Chars { .. })) && !types::is_rel(&field.ty)
}

/// Whether it's an integer, or of a type that isn't known.
fn is_integer(field: &Field) -> bool {
    !types::is_named(&field.ty, "bool") && matches!(kind_of(field), None | Some(Kind::Int { .. }))
}

/// Whether the field tells tracks apart.
fn is_scope(field: &Field) -> bool {
    c_name(&field.name).starts_with("scope_")
}

/// The name of the argument that's the span. No expression of the driver's can use it.
fn span() -> Ident {
    Ident::new("span", Span::mixed_site())
}

/// Returns whether the type is a `Result` by its name.
fn is_result(ty: &Type) -> bool {
    matches!(types::ungrouped(ty), Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "Result"))
}

/// Expands `#[instrument]`.
pub(crate) fn instrument(attr: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    if !matches!(attr.clone().into_iter().last(), Some(TokenTree::Group(_))) {
        let error =
            "expected the span's name and its arguments, as in `#[instrument(drv_read(len))]`";
        return Err(Error::new_spanned(attr, error));
    }
    let (attrs, vis) = (&function.attrs, &function.vis);
    let (sig, block) = (&function.sig, &function.block);
    if let Some(asyncness) = &sig.asyncness {
        let error = "a future can move to another thread, or never end: use `async_span!`";
        return Err(Error::new(asyncness.span, error));
    }
    let span = local("span");
    let body = match &sig.output {
        ReturnType::Type(_, ty) if is_result(ty) => {
            // An error is at the type that can have one.
            let at = span_of(ty);
            let result = Ident::new("__result", Span::mixed_site().located_at(at));
            let note = quote_spanned!(at=> #span.result(&#result););
            let call =
                quote_spanned!(span_of(block)=> ::tracepoint::__private::result_of(|| #block));
            quote! {
                let #result: #ty = #call;
                #note
                #result
            }
        }
        // All that's temporary in the block is dropped before the span ends.
        _ => quote! {
            let _ = #span;
            #[allow(clippy::needless_return, unreachable_code, unused_braces)]
            return #block;
        },
    };
    let body = quote!(let #span = ::tracepoint::span!(#attr); #body);
    // The driver's, so that the lint `unsafe_code` sees an `unsafe fn` as the driver's.
    let body = quote_spanned!(block.brace_token.span.join()=> { #body });
    Ok(quote!(#(#attrs)* #vis #sig #body))
}
