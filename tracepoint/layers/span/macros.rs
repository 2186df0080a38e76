// SPDX-License-Identifier: GPL-2.0

//! Events that stand for more than a moment: spans, and the instants and counters beside them.
//!
//! Their records have the fields by which Perfetto finds tracks, slices and counters. Each kind is an
//! ordinary event to which the macro adds an argument and fields; a span is fired by a guard of the
//! library's (`mod.rs`) instead of `trace!`.

use crate::{
    args::{Arg, Args},
    grammar,
    layers::{self, Layer},
    model::{self, Class, Field, Tracepoint},
    print::Named,
    show,
    tokens::span_of,
    types,
};
use proc_macro::TokenStream as Tokens;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{ext::IdentExt, parse::Parser, parse_quote, Error, Lifetime, Result};

pub(crate) mod instrument;

pub(crate) static LAYER: Layer = Layer {
    kinds: &[
        &Moment(Kind::Instant),
        &Moment(Kind::Counter),
        &Spanned(Kind::Span),
        &Spanned(Kind::AsyncSpan),
    ],
    ..Layer::NONE
};

/// `#[instrument]`.
pub(crate) fn instrument(attr: Tokens, input: Tokens) -> Tokens {
    layers::function(input.into(), |function| {
        Ok(instrument::expand(&attr.into(), function))
    })
    .into()
}

/// The kind of an event.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A moment on the thread's track.
    Instant,
    /// A number that changes.
    Counter,
    /// A span of a thread: it ends with the block in which it begins.
    Span,
    /// A span with a track of its own.
    AsyncSpan,
}

/// An event that differs from a plain one only in its fields.
struct Moment(Kind);

impl model::EventKind for Moment {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn apply(&self, class: &mut Class) -> Result<()> {
        self.0.add_fields(class)
    }
}

/// An event that's fired at both ends.
struct Spanned(Kind);

impl model::EventKind for Spanned {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Also adds the argument that's the span, before the others. What's printed says first which end of a
    /// span this is, and last how it ended.
    fn apply(&self, class: &mut Class) -> Result<()> {
        self.0.add_fields(class)?;
        let mut conditions = class.events.iter().flat_map(|event| &event.condition);
        if let Some(condition) = conditions.next() {
            return Err(Error::new(
                span_of(condition),
                format!(
                    "`{}` can't have a condition, which could be true at one end of the span \
                     and false at the other",
                    class.name
                ),
            ));
        }
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

    /// Expands what makes a tracepoint a span.
    fn implement(&self, tracepoint: &Tracepoint) -> Option<TokenStream> {
        let (name, ends, span) = (&tracepoint.name, self.0.ends(), span());
        // Without the span itself.
        let own = Args(tracepoint.args.0[1..].to_vec());
        let arg = own.names();
        let ty = own.types().into_iter().map(|ty| {
            let is_meant = |lifetime: &Lifetime| lifetime.ident == "_";
            let given = layers::with_lifetime(ty, "'__a", is_meant);
            quote_spanned!(span_of(ty)=> #given)
        });
        // An error about a type that's less visible than the span is at the type.
        let args = quote_spanned!(own.suspect()=> type Args<'__a> = (#(#ty,)*););
        Some(quote! {
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
        })
    }

    fn registers(&self) -> TokenStream {
        quote!(__p::Slots)
    }

    fn record(&self, data: &Ident, args: &[TokenStream]) -> TokenStream {
        // The first argument is the span.
        let span = args.first();
        quote! {
            __p::record_span(#data, #span, |#data| __record(#data #(, #args)*));
        }
    }

    fn is_told(&self) -> bool {
        true
    }

    fn for_perf(&self) -> TokenStream {
        quote!(__p::span_for_perf)
    }
}

impl Kind {
    /// Returns the words before the `fn`.
    fn name(self) -> &'static str {
        match self {
            Self::Instant => "instant",
            Self::Counter => "counter",
            Self::Span => "span",
            Self::AsyncSpan => "async span",
        }
    }

    /// Returns where a span of the kind can end.
    fn ends(self) -> TokenStream {
        match self {
            Self::AsyncSpan => quote!(__p::Anywhere),
            _ => quote!(__p::InThread),
        }
    }

    /// Returns the fields of the kind, for an event of this name.
    fn fields(self, event: &Ident) -> TokenStream {
        let name = event.unraw().to_string();
        let name = Literal::c_string(&std::ffi::CString::new(name).unwrap_or_default());
        let span = span();
        let scope = match self {
            Self::AsyncSpan => {
                quote!(scope_id: u64 = ::tracepoint::__private::Span::raw_id(#span),)
            }
            _ => quote!(),
        };
        match self {
            Self::Counter => quote!(scope_counter: u8 = 0),
            Self::Instant => quote! {
                track_event_type: u8 as "char" = b'I',
                slice_name: ::tracepoint::event::Str = #name,
            },
            Self::Span | Self::AsyncSpan => quote! {
                track_event_type: u8 as "char" = ::tracepoint::__private::Span::track_event_type(#span),
                slice_name: ::tracepoint::event::Str = #name,
                id: u64 = ::tracepoint::__private::Span::raw_id(#span),
                #scope
                duration: u64 = ::tracepoint::__private::Span::duration(#span),
                result: i32 = ::tracepoint::__private::Span::errno(#span),
            },
        }
    }

    /// Puts the fields of the kind before the others.
    fn add_fields(self, class: &mut Class) -> Result<()> {
        let event = &class.name;
        if class.faultable {
            let error = "only a plain event can be `faultable`";
            return Err(Error::new(event.span(), error));
        }
        self.check_fields(class)?;
        let fields = self.fields(event);
        let (_, mut fields) = grammar::fields.parse2(quote!({ #fields }))?;
        let own = || class.fields.iter().map(name_of);
        // Some are replaced by the driver's. Otherwise, two of the same name are an error.
        fields.retain(|field| match &*name_of(field) {
            "slice_name" => !own().any(|own| own == "slice_name"),
            // Without a scope, Perfetto draws a counter for each thread.
            "scope_counter" => !own().any(|own| is_scope(&own)),
            _ => true,
        });
        class.fields.splice(..0, fields);
        Ok(())
    }

    /// Refuses fields that Perfetto looks for, but would ignore, and tracks that it couldn't draw.
    fn check_fields(self, class: &Class) -> Result<()> {
        let (event, fields) = (&class.name, &class.fields);
        for field in fields {
            let name = name_of(field);
            let expected = match &*name {
                "slice_name" | "track_name" if !is_text(field) => "a `Str`",
                "counter_value" if self == Self::Counter && !is_integer(field) => "an integer",
                _ if is_scope(&name) && !is_integer(field) => "an integer",
                _ => continue,
            };
            let error = format!("`{name}` must be {expected}");
            return Err(Error::new(span_of(&field.ty), error));
        }
        let mut scopes = fields.iter().filter(|field| is_scope(&name_of(field)));
        let error = match (self, scopes.next(), scopes.next()) {
            (Self::AsyncSpan, Some(scope), _) => (
                scope.name.span(),
                format!("`{event}` can't have a scope: each `async span` has a track of its own"),
            ),
            (_, Some(first), Some(second)) => (
                second.name.span(),
                format!(
                    "`{event}` already has the scope `{}`; Perfetto uses only one",
                    first.name
                ),
            ),
            (Self::Counter, ..) if !fields.iter().any(|field| field.name == "counter_value") => (
                event.span(),
                format!(
                    "the counter `{event}` has no `counter_value` field; expected \
                     `counter_value: i64 = expression`"
                ),
            ),
            _ => return Ok(()),
        };
        Err(Error::new(error.0, error.1))
    }
}

/// Returns what the field is made of, if that's known.
fn kind_of(field: &Field) -> Option<show::Kind> {
    let c_type = field.c_type.as_ref().map(|c_type| c_type.value());
    types::kind(&field.ty, c_type.as_deref())
}

fn is_text(field: &Field) -> bool {
    let is_text = matches!(
        kind_of(field),
        Some(show::Kind::Str | show::Kind::Chars { .. })
    );
    is_text && !types::is_rel(&field.ty)
}

/// Whether it's an integer, or of a type that isn't known.
fn is_integer(field: &Field) -> bool {
    let is_bool = matches!(types::name_of(&field.ty), Some((name, _)) if name == "bool");
    !is_bool && matches!(kind_of(field), None | Some(show::Kind::Int { .. }))
}

fn name_of(field: &Field) -> String {
    field.name.unraw().to_string()
}

/// Whether a field with this name tells tracks apart.
fn is_scope(name: &str) -> bool {
    name.starts_with("scope_")
}

/// The name of the argument that's the span. No expression of the driver's can use it.
fn span() -> Ident {
    Ident::new("span", Span::mixed_site())
}
