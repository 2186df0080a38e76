// SPDX-License-Identifier: GPL-2.0

//! Events that stand for more than a moment: spans, and the instants and counters beside them.
//!
//! Their records have the fields by which Perfetto finds tracks, slices and counters. Each kind is an
//! ordinary event to which the macro adds an argument and fields; a span is fired by a guard of the
//! library's (`mod.rs`) instead of `trace!`.

use crate::{
    args::{Arg, Args},
    layers::{self, Layer},
    model::{self, Class, Field, Tracepoint},
    print::Named,
    show,
    tokens::{local, span_of},
    types,
};
use proc_macro::TokenStream as Tokens;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::mem::take;
use syn::{
    ext::IdentExt, parse::ParseStream, parse_quote, Error, Expr, Lifetime, Result, Token, Type,
};

pub(crate) mod instrument;

/// What kind of event it is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A span of a thread: it ends with the block in which it begins.
    Span,
    /// A span with a track of its own.
    AsyncSpan,
    /// A moment on the thread's track.
    Instant,
    /// A number that changes.
    Counter,
}

pub(crate) static LAYER: Layer = Layer {
    kinds: &[
        &Spanned(Kind::AsyncSpan),
        &Spanned(Kind::Span),
        &Moment(Kind::Instant),
        &Moment(Kind::Counter),
    ],
    ..Layer::NONE
};

/// `#[instrument]`.
pub(crate) fn instrument(attr: Tokens, input: Tokens) -> Tokens {
    layers::function(input.into(), |function| {
        instrument::expand(&attr.into(), function)
    })
    .into()
}

/// An event that differs from a plain one only in its fields.
struct Moment(Kind);

impl model::Kind for Moment {
    fn parse(&self, input: ParseStream<'_>) -> Result<bool> {
        self.0.parse(input)
    }

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn apply(&self, class: &mut Class) -> Result<()> {
        self.0.add_fields(class)
    }
}

/// An event that's fired at both ends.
struct Spanned(Kind);

impl model::Kind for Spanned {
    fn parse(&self, input: ParseStream<'_>) -> Result<bool> {
        self.0.parse(input)
    }

    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Also adds the argument that's the span, before the others. What's printed says first which end of a
    /// span this is, and last how it ended.
    fn apply(&self, class: &mut Class) -> Result<()> {
        let mut conditions = class.events.iter().flat_map(|event| &event.condition);
        if let (false, Some(condition)) = (class.faultable, conditions.next()) {
            return Err(Error::new(
                span_of(condition),
                format!(
                    "`{}` can't have a condition, which could be true at one end of the span \
                     and false at the other",
                    class.name
                ),
            ));
        }
        self.0.add_fields(class)?;
        let arg = Arg {
            attrs: Vec::new(),
            name: span(),
            ty: parse_quote!(&::tracepoint::event::Span),
        };
        class.args.0.insert(0, arg);
        class.print.named.push(Named {
            name: format_ident!("__phase"),
            value: quote!(print_symbolic(track_event_type, { 66 => "begin", 69 => "end" })),
        });
        class.print.around = ("{__phase} #{id} ", " [{duration} ns, {result:errno}]");
        Ok(())
    }

    fn caller(&self) -> Option<&'static str> {
        Some("For the library only, which calls it at both ends of a span.")
    }

    fn implement(&self, tracepoint: &Tracepoint) -> Option<TokenStream> {
        Some(self.0.implement_span(tracepoint))
    }

    fn class(&self) -> TokenStream {
        quote!(__p::SpanClass)
    }

    fn class_value(&self, value: TokenStream) -> TokenStream {
        quote!(__p::SpanClass::new(#value))
    }

    fn class_at(&self, at: TokenStream) -> TokenStream {
        quote!(__p::SpanClass::class(#at))
    }

    fn record(&self, data: &Ident, args: &[TokenStream]) -> TokenStream {
        // The first argument is the span.
        let value = args.first();
        let (span, file, recorded) = (local("span"), local("file"), local("recorded"));
        quote! {
            let #span = #value;
            let #file = __p::span_begin(#data, #span);
            if #file as __p::usize != 0 {
                let #recorded = __p::begin(#file) && __record(#file #(, #args)*);
                __p::span_end(#data, #span, #recorded);
                __p::end();
            }
        }
    }

    fn is_told(&self) -> bool {
        true
    }

    fn perf(&self, data: &Ident, record: &TokenStream) -> TokenStream {
        quote! {
            if __p::span_for_perf(#data) {
                #record
            }
        }
    }
}

impl Kind {
    /// Whether it begins and ends.
    fn is_span(self) -> bool {
        matches!(self, Self::Span | Self::AsyncSpan)
    }

    /// Parses the words before the `fn`, if they're those of this kind.
    fn parse(self, input: ParseStream<'_>) -> Result<bool> {
        let is = |word: &str| matches!(input.cursor().ident(), Some((ident, _)) if ident == word);
        if self == Self::AsyncSpan {
            if input.parse::<Option<Token![async]>>()?.is_none() {
                return Ok(false);
            }
            if !is(Self::Span.name()) {
                return Err(input.error("expected `async span fn`"));
            }
        } else if !is(self.name()) || !input.peek2(Token![fn]) {
            return Ok(false);
        }
        input.parse::<Ident>()?;
        Ok(true)
    }

    /// Returns what tools call it.
    fn name(self) -> &'static str {
        match self {
            Self::Span => "span",
            Self::AsyncSpan => "async span",
            Self::Instant => "instant",
            Self::Counter => "counter",
        }
    }

    /// Puts the fields of the kind before the others.
    fn add_fields(self, class: &mut Class) -> Result<()> {
        if class.faultable {
            let error = "only a plain event can be `faultable`";
            return Err(Error::new(class.name.span(), error));
        }
        class.fields = self.fields(&class.name, take(&mut class.fields))?;
        Ok(())
    }

    /// Returns the fields of the record: those of the kind come first.
    fn fields(self, event: &Ident, own: Vec<Field>) -> Result<Vec<Field>> {
        for field in &own {
            self.follows_convention(event, field)?;
        }
        let name = |field: &Field| field.name.unraw().to_string();
        let scopes = own.iter().filter(|field| name(field).starts_with("scope_"));
        let scopes: Vec<_> = scopes.map(|field| &field.name).collect();
        if let [first, second, ..] = scopes[..] {
            return Err(Error::new(
                second.span(),
                format!("`{event}` already has the scope `{first}`; Perfetto uses only one"),
            ));
        }
        let given = |wanted| own.iter().find(|field| name(field) == wanted);
        let at = event.span();
        let field = |name: &str, ty: Type, c_type: Option<&str>, value: Expr| Field {
            attrs: Vec::new(),
            name: Ident::new(name, at),
            ty,
            c_type: c_type.map(|text| syn::LitStr::new(text, at)),
            value,
        };
        let mut fields = Vec::new();
        if self == Self::Counter {
            let Some(value) = given("counter_value") else {
                return Err(Error::new(
                    at,
                    format!(
                        "the counter `{event}` has no `counter_value` field; expected \
                         `counter_value: i64 = expression`"
                    ),
                ));
            };
            if !is_integer(&value.ty) {
                return Err(Error::new(
                    span_of(&value.ty),
                    format!("the value of the counter `{event}` must be an integer"),
                ));
            }
            // Without a scope, Perfetto draws a counter for each thread.
            if scopes.is_empty() {
                let (ty, value) = (parse_quote!(u8), parse_quote!(0));
                fields.push(field("scope_counter", ty, None, value));
            }
        } else {
            let private = quote!(::tracepoint::__private);
            let span = span();
            let kind: Expr = if self.is_span() {
                parse_quote!(#private::Span::track_event_type(#span))
            } else {
                parse_quote!(b'I')
            };
            fields.push(field(
                "track_event_type",
                parse_quote!(u8),
                Some("char"),
                kind,
            ));
            if given("slice_name").is_none() {
                let name = Literal::c_string(
                    &std::ffi::CString::new(event.unraw().to_string()).unwrap_or_default(),
                );
                let ty = parse_quote!(::tracepoint::event::Str);
                fields.push(field("slice_name", ty, None, parse_quote!(#name)));
            }
            if self.is_span() {
                let id: Expr = parse_quote!(#private::Span::raw_id(#span));
                let duration = parse_quote!(#private::Span::duration(#span));
                let result = parse_quote!(#private::Span::errno(#span));
                fields.push(field("id", parse_quote!(u64), None, id.clone()));
                if self == Self::AsyncSpan {
                    fields.push(field("scope_id", parse_quote!(u64), None, id));
                }
                fields.push(field("duration", parse_quote!(u64), None, duration));
                fields.push(field("result", parse_quote!(i32), None, result));
            }
        }
        if let Some(field) = own
            .iter()
            .find(|field| fields.iter().any(|other| other.name == field.name))
        {
            return Err(Error::new(
                field.name.span(),
                format!(
                    "`{event}` already has a field `{}`, as does every {}",
                    field.name,
                    if self.is_span() { "span" } else { "instant" }
                ),
            ));
        }
        fields.extend(own);
        Ok(fields)
    }

    /// Refuses a field that Perfetto looks for, but would ignore for its type, or that would put spans
    /// that overlap on one track.
    fn follows_convention(self, event: &Ident, field: &Field) -> Result<()> {
        let name = field.name.unraw().to_string();
        let kind = types::kind(
            &field.ty,
            field.c_type.as_ref().map(|c| c.value()).as_deref(),
        );
        if matches!(name.as_str(), "slice_name" | "track_name") {
            return match kind {
                Some(show::Kind::Str | show::Kind::Chars { .. }) if !types::is_rel(&field.ty) => {
                    Ok(())
                }
                _ => Err(Error::new(
                    span_of(&field.ty),
                    format!("`{name}` must be a `Str`"),
                )),
            };
        }
        if !name.starts_with("scope_") {
            return Ok(());
        }
        if self == Self::AsyncSpan {
            return Err(Error::new(
                field.name.span(),
                format!("`{event}` can't have a scope: each `async span` has a track of its own"),
            ));
        }
        match kind {
            None | Some(show::Kind::Int { .. }) => Ok(()),
            Some(_) => Err(Error::new(
                span_of(&field.ty),
                format!("the scope `{name}` must be an integer"),
            )),
        }
    }

    /// Expands what makes a tracepoint a span.
    fn implement_span(self, tracepoint: &Tracepoint) -> TokenStream {
        let Tracepoint { name, args, .. } = tracepoint;
        let mut any = false;
        // Without the span itself.
        let own = Args(args.0[1..].to_vec());
        let (arg, ty): (Vec<_>, Vec<_>) = own
            .0
            .iter()
            .map(|arg| {
                let span = span_of(&arg.ty);
                let is_meant = |lifetime: &Lifetime| lifetime.ident == "_";
                let (ty, has_any) = layers::with_lifetime(&arg.ty, "'__a", is_meant);
                any |= has_any;
                (&arg.name, quote_spanned!(span=> #ty))
            })
            .unzip();
        let (lifetime, forall) = if any {
            (quote!('__a), quote!(for<'__a>))
        } else {
            (quote!('static), quote!())
        };
        let generics = any.then(|| quote!(<'__a>));
        let (value, marker) = match self {
            Kind::AsyncSpan => (quote!(AsyncSpan), quote!(BeginsAsync)),
            _ => (quote!(SpanGuard), quote!(Begins)),
        };
        let span = span();
        // An error in a call refers to the declaration.
        let begin = quote_spanned!(name.span()=> fn begin #generics (#(#arg: #ty),*));
        // An error about a type that's less visible than the span is at the type.
        let types = quote_spanned! {own.suspect()=>
            type Args<'__a> = (#(#ty,)*);
            type Begin = #forall fn(#(#ty),*) -> __p::#value<#lifetime, Self>;
        };
        quote! {
            // SAFETY: `fire` calls the probes of this tracepoint only.
            unsafe impl __p::Spanned for #name {
                #types

                const BEGIN: Self::Begin = {
                    #[inline(always)]
                    #[allow(clippy::too_many_arguments)]
                    #begin -> __p::#value<#lifetime, #name> {
                        __p::#value::begin((#(#arg,)*))
                    }
                    begin
                };

                #[inline(always)]
                #[allow(clippy::unused_unit)]
                unsafe fn fire(#span: &__p::Span, (#(#arg,)*): Self::Args<'_>) {
                    // SAFETY: Guaranteed by the caller.
                    unsafe { Self::call(#span #(, #arg)*) };
                }
            }

            impl __p::#marker for #name {
                type Site = __p::SpanSite<Self>;
                const SITE: Self::Site = __p::SpanSite::NEW;
            }
        }
    }
}

/// Whether this is an integer type by its name.
fn is_integer(ty: &Type) -> bool {
    let is_bool = matches!(types::name_of(ty), Some((name, _)) if name == "bool");
    !is_bool && matches!(types::kind(ty, None), Some(show::Kind::Int { .. }))
}

/// The name of the argument that's the span. No expression of the driver's can use it.
fn span() -> Ident {
    Ident::new("span", Span::mixed_site())
}
