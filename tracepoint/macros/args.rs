// SPDX-License-Identifier: GPL-2.0

//! The arguments of a tracepoint, and the C arguments that they are passed as.

use crate::{
    integers::integer,
    tokens::{check_c_name, group, span_of},
    types::{self, len_of, name_of},
};
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{
    parse::{Parse, ParseStream},
    spanned::Spanned,
    Attribute, Error, Result, Token, Type, TypeArray,
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
        let ty = types::ungrouped(&input.parse()?).clone();
        Ok(Self { attrs, name, ty })
    }
}

/// How an argument is passed.
pub(crate) enum Passing<'a> {
    /// In one C argument, as `Arg` says.
    Single,
    /// `&[T]`: pointer and length.
    Slice(&'a Type),
    /// `&str`: pointer and length.
    Str,
}

/// Returns the path of an integer type or `bool` that's named without a path.
pub(crate) fn scalar(ty: &Type) -> Option<TokenStream> {
    let Type::Path(path) = ty else {
        return None;
    };
    let name = path.path.get_ident()?;
    integer(&name.to_string())?;
    Some(quote_spanned!(span_of(ty)=> __p::#name))
}

/// Returns the name of a type in a prototype, and the type as the macros expand it, Rust's own, if both are clear
/// from how it's written. What the macros expand to compiles only if it isn't a type of the driver's.
fn known(ty: &Type) -> Option<(String, TokenStream)> {
    let (span, same) = (span_of(ty), ty.to_token_stream());
    Some(match ty {
        Type::Ptr(pointer) if pointer.mutability.is_some() => ("*mut".into(), same),
        Type::Ptr(_) => ("*const".into(), same),
        Type::Reference(reference) => match (Passing::of(ty), &*reference.elem) {
            (Passing::Slice(of), _) => {
                scalar(of)?;
                (format!("&[{}]", of.to_token_stream()), same)
            }
            (Passing::Str, _) => ("&str".into(), same),
            _ if reference.mutability.is_some() => return None,
            (_, Type::Path(path)) if path.path.is_ident("CStr") => {
                ("&CStr".into(), quote_spanned!(span=> &__p::CStr))
            }
            (_, Type::Array(array)) => {
                let TypeArray { elem, len, .. } = array;
                let of = scalar(elem)?;
                let name = format!("&[{}; {}]", elem.to_token_stream(), len_of(array)?);
                (name, quote_spanned!(span=> &[#of; #len]))
            }
            _ => return None,
        },
        Type::Path(path) if path.path.segments.len() == 1 && is_optional(ty) => (
            "Option<&CStr>".into(),
            quote_spanned!(span=> __p::Option<&__p::CStr>),
        ),
        _ => (same.to_string(), scalar(ty)?),
    })
}

/// Returns the name of a type in a prototype, if it's clear.
pub(crate) fn name_in_prototype(ty: &Type) -> Option<String> {
    known(ty).map(|(name, _)| name)
}

/// Returns whether a type is an `Option<&CStr>`.
fn is_optional(ty: &Type) -> bool {
    matches!(name_of(ty), Some((name, Some(of)))
        if name == "Option" && name_in_prototype(of).as_deref() == Some("&CStr"))
}

/// Returns a type as the macros expand it: Rust's own, if it's called like one.
fn pinned(ty: &Type) -> TokenStream {
    known(ty).map_or_else(|| ty.to_token_stream(), |(_, pinned)| pinned)
}

impl<'a> Passing<'a> {
    pub(crate) fn of(ty: &'a Type) -> Self {
        match ty {
            Type::Reference(reference) => match &*reference.elem {
                Type::Slice(slice) => Passing::Slice(&slice.elem),
                Type::Path(path) if path.path.is_ident("str") => Passing::Str,
                _ => Passing::Single,
            },
            _ => Passing::Single,
        }
    }
}

/// C's limit is that of raw BPF programs.
const MAX_C_ARGS: usize = 12;

/// The arguments of a tracepoint.
#[derive(Clone)]
pub(crate) struct Args(pub(crate) Vec<Arg>);

impl Args {
    /// Checks what doesn't depend on the types.
    pub(crate) fn check(&self, event: &Ident) -> Result<()> {
        let mut c_args = 0;
        for (i, Arg { attrs, name, ty }) in self.0.iter().enumerate() {
            types::check(ty)?;
            check_c_name(name)?;
            c_args += match Passing::of(ty) {
                Passing::Single => 1,
                Passing::Slice(_) | Passing::Str => 2,
            };
            let (span, error) = if c_args > MAX_C_ARGS {
                let error = format!(
                    "`{event}` has too many arguments: a tracepoint passes at most twelve C arguments, two for \
                     a slice or a `&str`"
                );
                (name.span(), error)
            } else if self.0[..i].iter().any(|other| other.name == *name) {
                let error = format!("`{event}` has two arguments called `{name}`");
                (name.span(), error)
            } else if let Type::Array(_) = ty {
                let error = format!(
                    "`{event}`: C passes the array `{name}` by pointer: use `&[T; N]` or `&[T]`"
                );
                (span_of(ty), error)
            } else if let Some(attr) = attrs.iter().find(|a| !a.path().is_ident("doc")) {
                let error = format!("`{event}`: an argument accepts only a doc comment");
                (attr.span(), error)
            } else {
                continue;
            };
            return Err(Error::new(span, error));
        }
        Ok(())
    }

    /// Returns the body of a function that takes the C arguments. An error about the types of the C arguments is
    /// also one about the body, so both have the same place.
    pub(crate) fn body(&self, body: TokenStream) -> TokenStream {
        group(Delimiter::Brace, body, self.suspect()).into_token_stream()
    }

    /// Returns the first argument whose type isn't clearly that of an argument.
    pub(crate) fn uncertain(&self) -> Option<&Arg> {
        let mut args = self.0.iter();
        args.find(|arg| name_in_prototype(&arg.ty).is_none())
    }

    /// Returns the span of the type of the first uncertain argument, or if there's none, of the first one.
    pub(crate) fn suspect(&self) -> Span {
        let suspect = self.uncertain().or(self.0.first());
        suspect.map_or_else(Span::call_site, |arg| span_of(&arg.ty))
    }

    pub(crate) fn names(&self) -> Vec<&Ident> {
        self.0.iter().map(|arg| &arg.name).collect()
    }

    pub(crate) fn types(&self) -> Vec<&Type> {
        self.0.iter().map(|arg| &arg.ty).collect()
    }

    /// The C arguments.
    ///
    /// Each use of a type goes through its trait, and has the span of the type with all around it, so
    /// that the compiler finds the same error everywhere and reports it once.
    pub(crate) fn c_args(&self) -> CArgs {
        let mut c_args = CArgs::default();
        for Arg { name, ty, .. } in &self.0 {
            let span = span_of(ty);
            // The address of the first `of`, and their number, from which `make` makes the argument.
            let (slice, of, make, named) = match Passing::of(ty) {
                Passing::Single => {
                    c_args.add(name, ty);
                    continue;
                }
                Passing::Slice(of) => {
                    let of = pinned(of);
                    let element = quote_spanned!(span=> <#of as __p::Element>);
                    let make = quote_spanned!(span=> #element::slice);
                    let named = quote_spanned!(span=> #element::SLICE);
                    (quote!([#of]), of, make, named)
                }
                Passing::Str => {
                    let (of, make) = (quote!(__p::u8), quote!(__p::str));
                    let named = quote!(__p::TYPE_OF_STR);
                    (quote!(::core::primitive::str), of, make, named)
                }
            };
            // The functions are those of the type, since a method could be one of a driver's trait.
            let first = quote!(<#slice>::as_ptr(#name));
            let first = c_args.push(span, quote!(*const #of), first);
            let len = quote!(<#slice>::len(#name));
            let len = c_args.push(span, quote!(__p::usize), len);
            let arg = quote_spanned!(span=> #make(#first, &#len));
            c_args.args.push(arg);
            c_args.types.push(named);
        }
        c_args
    }
}

/// The C arguments of a tracepoint. In all of it, `__p` is the library's `__private`.
#[derive(Default)]
pub(crate) struct CArgs {
    /// Their names.
    pub(crate) names: Vec<Ident>,
    /// Their types.
    pub(crate) c_types: Vec<TokenStream>,
    /// Expressions that make them from the arguments.
    pub(crate) lower: Vec<TokenStream>,
    /// Expressions that make the arguments from them, each unsafe.
    pub(crate) args: Vec<TokenStream>,
    /// Expressions that say whether that's possible.
    pub(crate) valid: Vec<TokenStream>,
    /// The types of the arguments as the prototype names them.
    pub(crate) types: Vec<TokenStream>,
    /// How many bytes BPF programs may change through the first one, if any.
    pub(crate) writable: Option<TokenStream>,
}

impl CArgs {
    /// Expands an early return if C passes something that an argument can't be, such as NULL for a reference.
    pub(crate) fn check(&self) -> Option<TokenStream> {
        let valid = &self.valid;
        (!valid.is_empty()).then(|| {
            quote! {
                if !(true #(&& #valid)*) {
                    return;
                }
            }
        })
    }

    /// Adds an argument that is passed as one C argument.
    fn add(&mut self, name: &Ident, ty: &Type) {
        let span = span_of(ty);
        let known = name_in_prototype(ty);
        let ty = pinned(ty);
        let of_arg = quote_spanned!(span=> <#ty as __p::Arg>);
        self.types.push(quote_spanned!(span=> #of_arg::TYPE));
        // An integer is its own C type. The trait says the same, but takes the compiler longer.
        let c_name = known.as_deref().and_then(integer);
        if c_name.is_some_and(|c_name| c_name != "bool") {
            let c_arg = self.push(span, ty, name.to_token_stream());
            self.args.push(c_arg.into_token_stream());
            return;
        }
        if self.names.is_empty() {
            self.writable = Some(quote_spanned!(span=> #of_arg::WRITABLE));
        }
        // If the type isn't an argument, the constant is an error, and the compiler says no more
        // about the signature.
        let c_type = match &known {
            Some(_) => quote_spanned!(span=> #of_arg::C),
            None => quote_spanned!(span=> <#ty as __p::ArgIf<{ #of_arg::IS_ARG }>>::C),
        };
        let c_arg = self.push(span, c_type, quote_spanned!(span=> #of_arg::into_c(#name)));
        self.args
            .push(quote_spanned!(span=> #of_arg::from_c(&#c_arg)));
        // C can pass NULL for a reference. All other types that are known have a meaning for it.
        if known.is_none_or(|known| known.starts_with("&[")) {
            self.valid
                .push(quote_spanned!(span=> #of_arg::is_valid(#c_arg)));
        }
    }

    /// Adds a C argument, and returns its name.
    fn push(&mut self, span: Span, c_type: TokenStream, lower: TokenStream) -> Ident {
        // Where they are defined, no expression of the driver's sees them.
        let name = format_ident!("__c_arg{}", self.names.len(), span = span);
        self.names.push(name.clone());
        self.c_types.push(c_type);
        self.lower.push(lower);
        name
    }
}
