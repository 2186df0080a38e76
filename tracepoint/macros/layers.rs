// SPDX-License-Identifier: GPL-2.0

//! The additions of layers to the macros. The names of those of features, which can be left out of the core, are here,
//! too.

use crate::{
    args::Args,
    features::hygiene,
    field::Known,
    model::{Class, EventKind, Tracepoint, PLAIN},
    tables::Table,
    LAYERS,
};
use proc_macro::TokenStream as Tokens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, ToTokens};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};
use syn::{
    ext::IdentExt,
    parse::{discouraged::Speculative, ParseStream},
    punctuated::Punctuated,
    visit_mut::{self, VisitMut},
    Attribute, Error, ItemFn, ItemStruct, Lifetime, LitStr, Path, Result, ReturnType, Token, Type,
    TypeReference, Variant,
};

pub(crate) use crate::features::{
    cfg::{apart, is_attr},
    expression::{pinned, rewrite},
    helpers::value,
    kernel_symbols::symbol,
    options::options,
    places::subspan,
};

/// A layer's additions to the expansions.
pub(crate) struct Layer {
    /// The kinds of events that it has.
    pub(crate) kinds: &'static [EventKind],
    /// The attributes of events that it knows, and the compiler doesn't.
    pub(crate) attributes: &'static [&'static str],
    /// Expands what it has beside a declaration.
    pub(crate) beside: fn(&Declared<'_>) -> TokenStream,
    /// Completes a class, or returns the macro that its declaration is left to, which knows more.
    pub(crate) defer: fn(&mut Class) -> Result<Option<Path>>,
}

impl Layer {
    /// One that changes nothing.
    pub(crate) const NONE: Self = Self {
        kinds: &[],
        attributes: &[],
        beside: |_| TokenStream::new(),
        defer: |_| Ok(None),
    };
}

/// Something that's declared.
pub(crate) enum Declared<'a> {
    /// A function that C could call, by its name in C.
    Function(&'a str, &'a Args, &'a ReturnType),
    /// A tracepoint that's no event.
    Tracepoint(&'a Tracepoint),
    /// A class with its events, their fields, what [`Origin::name`](crate::origin::Origin::name) returns, and
    /// the system.
    Class(&'a Class, &'a [Known<'a>], &'a str, &'a LitStr),
    Enum(Enum<'a>),
    Struct(Struct<'a>),
}

/// A type of values that have names.
pub(crate) struct Enum<'a> {
    /// The enum, or the type of its flags.
    pub(crate) this: &'a Ident,
    pub(crate) attrs: &'a [Attribute],
    pub(crate) repr: &'a Ident,
    pub(crate) variants: &'a Punctuated<Variant, Token![,]>,
    /// With an entry for each of them.
    pub(crate) table: &'a Table,
}

/// A `tracepoint_struct!`.
pub(crate) struct Struct<'a> {
    pub(crate) item: &'a ItemStruct,
    pub(crate) c_name: &'a str,
    /// The contents of its `CType::Described`.
    pub(crate) id: u64,
    /// The type, without lifetimes of its own.
    pub(crate) this: &'a TokenStream,
}

/// Expands what the layers have beside a declaration.
pub(crate) fn beside(declared: &Declared<'_>) -> TokenStream {
    let beside = LAYERS.iter().map(|layer| (layer.beside)(declared));
    beside.collect()
}

/// Returns whether an attribute of an event is for a layer, and not for the compiler.
pub(crate) fn has_attribute(attr: &Attribute) -> bool {
    let mut names = LAYERS.iter().flat_map(|layer| layer.attributes);
    names.any(|name| attr.path().is_ident(name))
}

/// Completes a class, or returns the macro that its declaration is left to.
pub(crate) fn defer(class: &mut Class) -> Result<Option<Path>> {
    let mut layers = LAYERS.iter();
    let deferred = layers.find_map(|layer| (layer.defer)(class).transpose());
    deferred.transpose()
}

/// Expands a macro with its input. Without an input, nothing in the expansion is a driver's.
pub(crate) fn expand(input: Tokens, expand: impl FnOnce(TokenStream) -> TokenStream) -> Tokens {
    if input.is_empty() {
        return expand(TokenStream::new()).into();
    }
    let input = hygiene::theirs(input);
    hygiene::ours(expand(input.into()).into())
}

/// Parses the kind of an event.
pub(crate) fn kind(input: ParseStream<'_>) -> &'static EventKind {
    for kind in LAYERS.iter().flat_map(|layer| layer.kinds) {
        let ahead = input.fork();
        let mut words = kind.name.split(' ');
        let is_word = |word| matches!(ahead.call(Ident::parse_any), Ok(ident) if ident == word);
        if words.all(is_word) && ahead.peek(Token![fn]) {
            input.advance_to(&ahead);
            return kind;
        }
    }
    &PLAIN
}

/// Expands a function with an attribute, whose arguments come first.
type Function = fn(TokenStream, &ItemFn) -> Result<TokenStream>;

/// Expands an attribute of a function.
pub(crate) fn function(attr: Tokens, input: Tokens, expand: Function) -> Tokens {
    let attr = hygiene::theirs(attr).into();
    self::expand(input, |input| expand_function(attr, input, expand))
}

/// Expands an attribute of a function. After an error, the function is left as it is, so that what calls it has
/// none.
pub(crate) fn expand_function(
    attr: TokenStream,
    input: TokenStream,
    expand: Function,
) -> TokenStream {
    let expanded = syn::parse2(input.clone()).and_then(|function| expand(attr, &function));
    expanded.unwrap_or_else(|error| {
        let error = error.into_compile_error();
        quote!(#input #error)
    })
}

/// Returns a type in which the lifetimes that `is_meant` selects, and those of references without one, are `name`.
pub(crate) fn with_lifetime(
    ty: &Type,
    name: &'static str,
    is_meant: fn(&Lifetime) -> bool,
) -> Type {
    struct Replace(&'static str, fn(&Lifetime) -> bool);

    impl VisitMut for Replace {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            if self.1(lifetime) {
                *lifetime = Lifetime::new(self.0, lifetime.span());
            }
        }

        fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
            if reference.lifetime.is_none() {
                reference.lifetime = Some(Lifetime::new(self.0, Span::call_site()));
            }
            visit_mut::visit_type_reference_mut(self, reference);
        }
    }

    let mut ty = ty.clone();
    Replace(name, is_meant).visit_type_mut(&mut ty);
    ty
}

/// Returns how often this has been called in this crate: a number that tells apart what has the same tokens.
pub(crate) fn next_number() -> usize {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    COUNT.fetch_add(1, Relaxed)
}

/// Returns a number for a declaration that differs from that of others. The same tokens can mean something else in
/// another place.
pub(crate) fn number_of(tokens: &impl ToTokens) -> u64 {
    let mut hasher = DefaultHasher::new();
    (next_number(), tokens.to_token_stream().to_string()).hash(&mut hasher);
    hasher.finish() >> 1
}

/// Returns the text of an attribute.
pub(crate) fn text(attr: &Attribute) -> Result<LitStr> {
    let value = &attr.meta.require_name_value()?.value;
    syn::parse2(value.to_token_stream()).map_err(|e| {
        let name = attr.path().to_token_stream();
        Error::new(e.span(), format!("expected `#[{name} = \"text\"]`"))
    })
}
