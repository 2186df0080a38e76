// SPDX-License-Identifier: GPL-2.0

//! The arguments of a tracepoint, and the C words that they're passed as.

use crate::{
    integers::INTEGERS,
    tokens::{no_cfg, span_of},
    types,
};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{
    parse::{Parse, ParseStream},
    spanned::Spanned,
    visit::Visit,
    Attribute, Error, Lifetime, Result, Token, Type, TypePtr,
};

/// `name: Type`.
#[derive(Clone)]
pub(crate) struct Arg {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) name: Ident,
    pub(crate) ty: Type,
}

impl Parse for Arg {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        Ok(Self { attrs, name, ty })
    }
}

/// Finds `'static`, except behind a raw pointer, which promises nothing.
#[derive(Default)]
struct FindStatic(Option<Span>);

impl<'ast> Visit<'ast> for FindStatic {
    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident == "static" {
            self.0.get_or_insert_with(|| lifetime.span());
        }
    }

    fn visit_type_ptr(&mut self, _: &'ast TypePtr) {}
}

/// Returns whether a type is neither an integer nor an array of integers, if that follows from how
/// it's written.
fn is_no_integer(ty: &Type) -> bool {
    match types::ungrouped(ty) {
        Type::Array(array) => is_no_integer(&array.elem),
        Type::Path(_) => matches!(types::name_of(ty), Some((name, None)) if name == "bool"),
        _ => true,
    }
}

/// Returns why a type can't be passed, if the compiler would say it less well.
fn problem(ty: &Type) -> Option<&'static str> {
    match types::ungrouped(ty) {
        Type::Reference(reference) if reference.mutability.is_some() => {
            Some("all probes get the same argument: pass a `&T`, or a `*mut T`")
        }
        Type::Reference(reference) => match types::name_of(&reference.elem)? {
            (name, Some(of)) if name == "Writable" && is_no_integer(of) => Some(
                "a BPF program can write any bytes to a `Writable`: use an integer or an array of integers",
            ),
            _ => None,
        },
        Type::Array(_) => Some("C passes an array by pointer: use `&[T; N]` or `&[T]`"),
        Type::Slice(_) => Some("use `&[T]`"),
        Type::ImplTrait(_) | Type::TraitObject(_) | Type::Infer(_) => {
            Some("all modules must agree on the type: write it out")
        }
        _ => match types::name_of(ty)?.0.as_str() {
            "str" | "CStr" => Some("pass a `&str`, which takes two words, or a `&CStr`"),
            _ => None,
        },
    }
}

/// How an argument is passed.
pub(crate) enum Passing<'a> {
    /// In one word, as `Arg` says.
    Word,
    /// `&[T]`: pointer and length.
    Slice(&'a Type),
    /// `&str`: pointer and length.
    Str,
}

/// An argument type that the macros know by its name.
struct Known {
    /// The type, which nothing of the driver's can shadow. Where the two meet, the compiler checks that
    /// they're the same.
    ty: TokenStream,
    /// What the prototype calls it.
    text: String,
    /// Whether it's an integer, and so its own C type.
    is_integer: bool,
}

/// Returns the path of an integer type or `bool` that's named without a path.
pub(crate) fn scalar(ty: &Type) -> Option<TokenStream> {
    let Type::Path(path) = ty else {
        return None;
    };
    let name = path.path.get_ident()?;
    let mut names = INTEGERS.iter();
    names
        .any(|(scalar, _)| name == scalar)
        .then(|| quote_spanned!(span_of(ty)=> __p::#name))
}

/// Returns what's known of an integer type or `bool`.
fn known_scalar(ty: &Type) -> Option<Known> {
    let (name, None) = types::name_of(ty)? else {
        return None;
    };
    let name = match name.as_str() {
        "c_int" => "i32",
        "c_uint" => "u32",
        name => INTEGERS.iter().find(|(scalar, _)| *scalar == name)?.0,
    };
    let ident = Ident::new(name, span_of(ty));
    Some(Known {
        ty: quote_spanned!(span_of(ty)=> __p::#ident),
        text: name.into(),
        is_integer: name != "bool",
    })
}

/// Returns the text of an argument type, if the macros know all about it.
pub(crate) fn text(ty: &Type) -> Option<String> {
    Some(known(ty)?.text)
}

/// Returns what's known of an argument type, if the macros know all about it.
fn known(ty: &Type) -> Option<Known> {
    let span = span_of(ty);
    let (ty, text) = match ty {
        Type::Ptr(pointer) => {
            let mutability = pointer.mutability.map_or("*const", |_| "*mut");
            (ty.to_token_stream(), mutability.into())
        }
        Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
            Type::Slice(slice) => {
                let Known { ty, text, .. } = known_scalar(&slice.elem)?;
                (quote_spanned!(span=> &[#ty]), format!("&[{text}]"))
            }
            Type::Array(array) => {
                let Known { ty, text, .. } = known_scalar(&array.elem)?;
                let (len, n) = (&array.len, types::len_of(array)?);
                (
                    quote_spanned!(span=> &[#ty; #len]),
                    format!("&[{text}; {n}]"),
                )
            }
            elem => match types::name_of(elem)? {
                (name, None) if name == "CStr" => {
                    (quote_spanned!(span=> &__p::CStr), "&CStr".into())
                }
                (name, None) if name == "str" => {
                    (quote_spanned!(span=> &__p::primitive_str), "&str".into())
                }
                _ => return None,
            },
        },
        _ => return known_scalar(ty),
    };
    Some(Known {
        ty,
        text,
        is_integer: false,
    })
}

impl<'a> Passing<'a> {
    pub(crate) fn of(ty: &'a Type) -> Self {
        match ty {
            Type::Reference(reference) => match &*reference.elem {
                Type::Slice(slice) => Passing::Slice(&slice.elem),
                Type::Path(path) if path.path.is_ident("str") => Passing::Str,
                _ => Passing::Word,
            },
            _ => Passing::Word,
        }
    }
}

/// C's limit is that of raw BPF programs.
const MAX_WORDS: usize = 12;

/// The arguments of a tracepoint.
#[derive(Clone)]
pub(crate) struct Args(pub(crate) Vec<Arg>);

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let args = input.parse_terminated(Arg::parse, Token![,])?;
        Ok(Self(args.into_iter().collect()))
    }
}

impl Args {
    /// Checks what doesn't depend on the types.
    pub(crate) fn check(&self, event: &Ident) -> Result<()> {
        let mut words = 0;
        for (i, arg) in self.0.iter().enumerate() {
            no_cfg(&arg.attrs)?;
            let (name, ty) = (&arg.name, &arg.ty);
            let mut find = FindStatic::default();
            find.visit_type(ty);
            words += match Passing::of(ty) {
                Passing::Word => 1,
                Passing::Slice(_) | Passing::Str => 2,
            };
            let (span, message) = if words > MAX_WORDS {
                let message =
                    "has too many arguments: a tracepoint passes at most twelve words, two for \
                               a slice or a `&str`";
                (name.span(), format!("`{event}` {message}"))
            } else if self.0[..i].iter().any(|other| other.name == *name) {
                let message = format!("`{event}` has two arguments called `{name}`");
                (name.span(), message)
            } else if let Some(span) = find.0 {
                let message = format!(
                    "`{event}`: a probe can use the argument `{name}` only during the call: remove \
                     `'static`"
                );
                (span, message)
            } else if let Some(problem) = problem(ty) {
                let message =
                    format!("`{event}`: the argument `{name}` can't have this type: {problem}");
                (span_of(ty), message)
            } else if let Some(attr) = arg.attrs.iter().find(|a| !a.path().is_ident("doc")) {
                let message = format!("`{event}`: an argument accepts only a doc comment");
                (attr.span(), message)
            } else {
                continue;
            };
            return Err(Error::new(span, message));
        }
        Ok(())
    }

    /// Returns the body of a function that takes the words. An error about the types of the words is
    /// also one about the body, so both have the same place.
    pub(crate) fn body(&self, body: TokenStream) -> TokenStream {
        let mut group = Group::new(Delimiter::Brace, body);
        group.set_span(self.suspect());
        group.into_token_stream()
    }

    /// Returns the span of the first type that can turn out to be none for an argument.
    pub(crate) fn suspect(&self) -> Span {
        let mut unknown = self.0.iter().filter(|arg| known(&arg.ty).is_none());
        let suspect = unknown.next().or(self.0.first());
        suspect.map_or_else(Span::call_site, |arg| span_of(&arg.ty))
    }

    pub(crate) fn names(&self) -> Vec<&Ident> {
        self.0.iter().map(|arg| &arg.name).collect()
    }

    pub(crate) fn types(&self) -> Vec<&Type> {
        self.0.iter().map(|arg| &arg.ty).collect()
    }

    /// The C words.
    ///
    /// Each use of a type goes through its trait, and has the span of the type with all around it, so
    /// that the compiler finds the same error everywhere and reports it once.
    pub(crate) fn words(&self) -> Words {
        let mut words = Words {
            writable: quote!(0),
            ..Words::default()
        };
        for arg in &self.0 {
            match Passing::of(&arg.ty) {
                Passing::Word => words.add(arg),
                Passing::Slice(of) => {
                    let span = span_of(of);
                    let of =
                        known_scalar(of).map_or_else(|| of.to_token_stream(), |known| known.ty);
                    let element = quote_spanned!(span=> <#of as __p::Element>);
                    let named = quote_spanned!(span=> #element::SLICE);
                    words.add_slice(
                        &arg.name,
                        span,
                        of,
                        quote_spanned!(span=> #element::slice),
                        named,
                    );
                }
                Passing::Str => {
                    let (of, named) = (quote!(__p::u8), quote!(__p::TYPE_OF_STR));
                    words.add_slice(&arg.name, span_of(&arg.ty), of, quote!(__p::str), named);
                }
            }
        }
        words
    }
}

/// The C words of the arguments. In all of it, `__p` is the library's `__private`.
#[derive(Default)]
pub(crate) struct Words {
    /// Their names.
    pub(crate) names: Vec<Ident>,
    /// Their types.
    pub(crate) c_types: Vec<TokenStream>,
    /// Expressions that make them from the arguments.
    pub(crate) lower: Vec<TokenStream>,
    /// Expressions for the registers that hold them.
    pub(crate) registers: Vec<TokenStream>,
    /// Expressions for what BPF gets: they are zero-extended, even if they have a sign.
    pub(crate) bpf: Vec<TokenStream>,
    /// Expressions that make the arguments from them, each unsafe.
    pub(crate) args: Vec<TokenStream>,
    /// Expressions that say whether that's possible.
    pub(crate) valid: Vec<TokenStream>,
    /// The types of the arguments as the prototype names them.
    pub(crate) types: Vec<TokenStream>,
    /// How many bytes BPF programs may change through the first one.
    pub(crate) writable: TokenStream,
}

impl Words {
    /// Adds an argument of one word.
    fn add(&mut self, arg: &Arg) {
        let (name, span, known) = (&arg.name, span_of(&arg.ty), known(&arg.ty));
        let text = text(&arg.ty);
        let is_integer = known.as_ref().is_some_and(|known| known.is_integer);
        let ty = known.map_or_else(|| arg.ty.to_token_stream(), |known| known.ty);
        if is_integer {
            let word = self.push(span, ty, quote_spanned!(span=> #name), text.as_deref());
            self.args.push(quote_spanned!(span=> #word));
            self.types.push(quote!(__p::Type::Name(#text)));
            return;
        }
        let of_arg = quote_spanned!(span=> <#ty as __p::Arg>);
        let c_type = match text.as_deref() {
            Some("&CStr") => quote!(__p::Chars),
            Some(_) => quote_spanned!(span=> #of_arg::C),
            // If the type isn't an argument, the constant is an error, and the compiler says no more
            // about the signature.
            None => quote_spanned!(span=> <#ty as __p::ArgIf<{ #of_arg::IS_ARG }>>::C),
        };
        if text.is_none() && self.names.is_empty() {
            self.writable = quote_spanned!(span=> #of_arg::WRITABLE);
        }
        let into_c = quote_spanned!(span=> #of_arg::into_c(#name));
        let word = self.push(
            span,
            c_type,
            into_c,
            text.as_deref().filter(|text| *text != "bool"),
        );
        self.args
            .push(quote_spanned!(span=> #of_arg::from_c(&#word)));
        // Only a reference to an array can be wrong among the known types.
        if text.is_none_or(|text| text.starts_with("&[")) {
            self.valid
                .push(quote_spanned!(span=> #of_arg::is_valid(#word)));
        }
        self.types.push(quote_spanned!(span=> #of_arg::TYPE));
    }

    /// Adds an argument of two words: the address of the first `of`, and their number. `make` makes the
    /// argument from them.
    fn add_slice(
        &mut self,
        name: &Ident,
        span: Span,
        of: TokenStream,
        make: TokenStream,
        named: TokenStream,
    ) {
        let first = self.push(
            span,
            quote!(*const #of),
            quote!(#name.as_ptr()),
            Some("*const"),
        );
        let second = self.push(span, quote!(__p::usize), quote!(#name.len()), Some("usize"));
        self.args
            .push(quote_spanned!(span=> #make(#first, &#second)));
        self.types.push(named);
    }

    /// Adds a word, and returns its name. `known` is its type, if the macros know it.
    fn push(
        &mut self,
        span: Span,
        c_type: TokenStream,
        lower: TokenStream,
        known: Option<&str>,
    ) -> Ident {
        // Where they are defined, no expression of the driver's sees them.
        let name = format_ident!("__word{}", self.names.len(), span = span);
        // By its type if the macros know it. Otherwise a trait says how.
        let (register, bpf) = match known {
            Some(text) => {
                let unsigned = match text {
                    "i8" => quote!(as __p::u8),
                    "i16" => quote!(as __p::u16),
                    "i32" => quote!(as __p::u32),
                    _ => TokenStream::new(),
                };
                (
                    quote_spanned!(span=> #name as __p::u64),
                    quote_spanned!(span=> #name #unsigned as __p::u64),
                )
            }
            None => (
                quote_spanned!(span=> ::tracepoint::__private::word(#name)),
                quote_spanned!(span=> ::tracepoint::__private::bpf_word(#name)),
            ),
        };
        self.names.push(name.clone());
        self.c_types.push(c_type);
        self.lower.push(lower);
        self.registers.push(register);
        self.bpf.push(bpf);
        name
    }
}
