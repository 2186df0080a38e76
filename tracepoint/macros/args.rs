// SPDX-License-Identifier: GPL-2.0

//! The arguments of a tracepoint, and the C words that they're passed as.

use crate::{
    cfg, prototype,
    tokens::{not_a_keyword, span_of},
    types,
};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{
    ext::IdentExt, parse::ParseStream, spanned::Spanned, visit::Visit, Attribute, Error, Lifetime,
    Result, Token, Type, TypePtr,
};

/// `name: Type`.
#[derive(Clone)]
pub(crate) struct Arg {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) name: Ident,
    pub(crate) ty: Type,
}

impl Arg {
    fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        if input.peek(Token![&]) || input.peek(Token![self]) {
            return Err(input.error(format!("`{event}` isn't a method: expected `name: Type`")));
        }
        let name: Ident = input.call(Ident::parse_any).map_err(|e| {
            Error::new(
                e.span(),
                format!("expected an argument of `{event}`: `name: Type`"),
            )
        })?;
        if name == "mut" || name == "_" || name == "ref" {
            return Err(Error::new(
                name.span(),
                format!("`{event}`: an argument is a name and a type, without a pattern"),
            ));
        }
        not_a_keyword(&name)?;
        if !input.peek(Token![:]) {
            return Err(Error::new(
                if input.is_empty() {
                    name.span()
                } else {
                    input.span()
                },
                format!("`{event}`: the argument `{name}` has no type; expected `{name}: Type`"),
            ));
        }
        let colon: Token![:] = input.parse()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Err(Error::new(
                colon.span,
                format!("`{event}`: the argument `{name}` has no type; expected `{name}: Type`"),
            ));
        }
        let ty = input.parse()?;
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error(format!(
                "`{event}`: expected `,` between the argument `{name}` and the next one"
            )));
        }
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

/// The integer types, and `bool`.
const SCALARS: [&str; 11] = [
    "bool", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize",
];

/// Returns whether a type is neither an integer nor an array of integers, if that follows from how
/// it's written.
fn is_no_integer(ty: &Type) -> bool {
    match types::ungrouped(ty) {
        Type::Array(array) => is_no_integer(&array.elem),
        Type::Path(_) => {
            let others = ["bool", "char", "f32", "f64", "i128", "u128", "CStr", "str"];
            matches!(types::name_of(ty), Some((name, None)) if others.contains(&name.as_str()))
        }
        _ => true,
    }
}

/// Whether the innermost type is one such as `A + B`, which isn't even a type in an expansion.
fn is_trait(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_trait(&group.elem),
        Type::Reference(reference) => is_trait(&reference.elem),
        Type::Slice(slice) => is_trait(&slice.elem),
        Type::Array(array) => is_trait(&array.elem),
        Type::TraitObject(object) => object.dyn_token.is_none(),
        _ => false,
    }
}

/// Returns why a type can't be passed, if that follows from how it's written. The compiler checks the
/// others.
fn problem(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Group(group) => return problem(&group.elem),
        Type::Paren(paren) => return problem(&paren.elem),
        Type::Reference(reference) if reference.mutability.is_some() => {
            "all probes get the same argument: pass a `&T`, or a `*mut T`"
        }
        Type::Reference(reference) if is_trait(&reference.elem) => {
            "all modules must agree on the type: write it out"
        }
        Type::Reference(reference) => match types::name_of(&reference.elem)? {
            (name, Some(of)) if name == "Writable" && is_no_integer(of) => {
                "a BPF program can write any bytes to a `Writable`: use an integer or an array of integers"
            }
            _ => return None,
        },
        Type::Array(_) => "C passes an array by pointer: use `&[T; N]` or `&[T]`",
        Type::Slice(_) => "use `&[T]`",
        Type::Tuple(_) => "C has no tuples: pass the parts, or declare a `tracepoint_struct!`",
        Type::BareFn(_) => "pass a raw pointer",
        Type::ImplTrait(_) | Type::TraitObject(_) | Type::Infer(_) => {
            "all modules must agree on the type: write it out"
        }
        _ => match types::name_of(ty)? {
            (name, None) => match name.as_str() {
                "f32" | "f64" => "the kernel has no floating point: pass an integer",
                "u128" | "i128" => "it doesn't fit into a C argument: pass two integers",
                "char" => "pass a `u32`",
                "str" | "String" => "pass a `&str`, which takes two words, or a `&CStr`",
                "CStr" | "CString" => "pass a `&CStr`",
                _ => return None,
            },
            (name, Some(of)) => match name.as_str() {
                "Vec" | "KVec" | "VVec" | "KVVec" => "pass a `&[T]`",
                "Box" | "KBox" | "VBox" | "KVBox" | "Arc" => "pass a reference to what it contains",
                "Option" => match types::name_of(of)? {
                    (name, None) if SCALARS.contains(&name.as_str()) => {
                        "only an `Option` of a reference has a C type, with NULL for `None`"
                    }
                    _ => return None,
                },
                _ => return None,
            },
        },
    })
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
    SCALARS
        .iter()
        .any(|scalar| name == scalar)
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
        name => SCALARS.iter().find(|scalar| **scalar == name)?,
    };
    let ident = Ident::new(name, span_of(ty));
    Some(Known {
        ty: quote_spanned!(span_of(ty)=> __p::#ident),
        text: name.into(),
        is_integer: name != "bool",
    })
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
        if let Type::Reference(reference) = ty {
            if reference.mutability.is_none() {
                match &*reference.elem {
                    Type::Slice(slice) => return Passing::Slice(&slice.elem),
                    Type::Path(path) if path.path.is_ident("str") => return Passing::Str,
                    _ => {}
                }
            }
        }
        Passing::Word
    }
}

/// C's limit is that of raw BPF programs.
const MAX_WORDS: usize = 12;

/// The arguments of a tracepoint.
#[derive(Clone)]
pub(crate) struct Args(pub(crate) Vec<Arg>);

impl Args {
    /// Parses the arguments of `event`.
    pub(crate) fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let mut args = Vec::new();
        while !input.is_empty() {
            args.push(Arg::parse(input, event)?);
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Self(args))
    }

    /// Checks what doesn't depend on the types.
    pub(crate) fn check(&self, event: &Ident) -> Result<()> {
        let mut words = 0;
        for (i, arg) in self.0.iter().enumerate() {
            words += match Passing::of(&arg.ty) {
                Passing::Word => 1,
                Passing::Slice(_) | Passing::Str => 2,
            };
            if words > MAX_WORDS {
                return Err(Error::new(
                    arg.name.span(),
                    format!(
                        "`{event}` has too many arguments: a tracepoint passes at most twelve words, \
                         two for a slice or a `&str`"
                    ),
                ));
            }
            if self.0[..i].iter().any(|other| other.name == arg.name) {
                return Err(Error::new(
                    arg.name.span(),
                    format!("`{event}` has two arguments called `{}`", arg.name),
                ));
            }
            let mut find = FindStatic::default();
            find.visit_type(&arg.ty);
            if let Some(span) = find.0 {
                return Err(Error::new(
                    span,
                    format!(
                        "`{event}`: a probe can use the argument `{}` only during the call: remove \
                         `'static`",
                        arg.name
                    ),
                ));
            }
            if let Some(problem) = problem(&arg.ty) {
                return Err(Error::new(
                    span_of(&arg.ty),
                    format!(
                        "`{event}`: the argument `{}` can't have this type: {problem}",
                        arg.name
                    ),
                ));
            }
            cfg::refuse(&arg.attrs)?;
            if let Some(attr) = arg.attrs.iter().find(|a| !a.path().is_ident("doc")) {
                return Err(Error::new(
                    attr.span(),
                    format!("`{event}`: an argument accepts only a doc comment"),
                ));
            }
        }
        Ok(())
    }

    /// Checks the arguments of a tracepoint of the kernel.
    pub(crate) fn check_kernel(&self, event: &Ident) -> Result<()> {
        for arg in &self.0 {
            if !matches!(Passing::of(&arg.ty), Passing::Word) {
                return Err(Error::new(
                    span_of(&arg.ty),
                    format!(
                        "`{event}`: a C pointer carries no length: declare `{}` as a raw pointer, \
                         or as a `&CStr` if it is a string",
                        arg.name
                    ),
                ));
            }
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
        let is_known = |arg: &&Arg| match &arg.ty {
            Type::Path(path) => SCALARS.iter().any(|known| path.path.is_ident(known)),
            Type::Reference(reference) => match &*reference.elem {
                Type::Path(path) => path.path.is_ident("CStr") || path.path.is_ident("str"),
                _ => false,
            },
            _ => false,
        };
        let suspect = self.0.iter().find(|arg| !is_known(arg)).or(self.0.first());
        suspect.map_or_else(Span::call_site, |arg| span_of(&arg.ty))
    }

    pub(crate) fn names(&self) -> Vec<&Ident> {
        self.0.iter().map(|arg| &arg.name).collect()
    }

    pub(crate) fn types(&self) -> Vec<&Type> {
        self.0.iter().map(|arg| &arg.ty).collect()
    }

    /// Returns the text of the prototype, if the macros know all types.
    pub(crate) fn prototype(&self, faultable: bool) -> Option<String> {
        let types = self.0.iter().map(|arg| Some(known(&arg.ty)?.text));
        let types = types.collect::<Option<Vec<_>>>()?.join(", ");
        let faultable = if faultable { prototype::FAULTABLE } else { "" };
        Some(format!("{faultable}fn({types})"))
    }

    /// Expands to the number of bytes that BPF programs may change through the first argument.
    fn writable(&self) -> TokenStream {
        match self.0.first() {
            Some(Arg { ty, .. })
                if known(ty).is_none() && matches!(Passing::of(ty), Passing::Word) =>
            {
                quote_spanned!(span_of(ty)=> <#ty as __p::Arg>::WRITABLE)
            }
            _ => quote!(0),
        }
    }

    /// The C words.
    ///
    /// Each use of a type goes through its trait, and has the span of the type with all around it, so
    /// that the compiler finds the same error everywhere and reports it once.
    pub(crate) fn words(&self) -> Words {
        let mut words = Words {
            writable: self.writable(),
            ..Words::default()
        };
        for arg in &self.0 {
            let (name, ty, span) = (&arg.name, &arg.ty, span_of(&arg.ty));
            let n = words.names.len();
            // No expression of the driver's is in their scope.
            let word = |n| format_ident!("__word{}", n, span = span);
            let (first, second) = (word(n), word(n + 1));
            let known = known(ty);
            let text = known.as_ref().map(|known| known.text.to_string());
            let text = text.as_deref();
            if let Some(Known {
                ty,
                is_integer: true,
                ..
            }) = &known
            {
                words.push(&first, ty.clone(), quote_spanned!(span=> #name), text);
                words.args.push(quote_spanned!(span=> #first));
                words.types.push(quote!(__p::Type::Name(#text)));
                continue;
            }
            let ty = &known.map_or_else(|| ty.to_token_stream(), |known| known.ty);
            match Passing::of(&arg.ty) {
                Passing::Word => {
                    words.push(
                        &first,
                        // If the type isn't an argument, the constant is an error, and the compiler
                        // says no more about the signature.
                        if text.is_some() {
                            quote_spanned!(span=> <#ty as __p::Arg>::C)
                        } else {
                            quote_spanned!(span=> <#ty as __p::ArgIf<{ <#ty as __p::Arg>::IS_ARG }>>::C)
                        },
                        quote_spanned!(span=> <#ty as __p::Arg>::into_c(#name)),
                        text.filter(|text| *text != "bool"),
                    );
                    words
                        .args
                        .push(quote_spanned!(span=> <#ty as __p::Arg>::from_c(&#first)));
                    // Only a reference to an array can be wrong among the known types.
                    if text.is_none()
                        || matches!(&arg.ty, Type::Reference(r) if matches!(*r.elem, Type::Array(_)))
                    {
                        words
                            .valid
                            .push(quote_spanned!(span=> <#ty as __p::Arg>::is_valid(#first)));
                    }
                    words
                        .types
                        .push(quote_spanned!(span=> <#ty as __p::Arg>::TYPE));
                }
                Passing::Slice(of) => {
                    let span = span_of(of);
                    let of =
                        known_scalar(of).map_or_else(|| of.to_token_stream(), |known| known.ty);
                    let (first, second) = (
                        format_ident!("{first}", span = span),
                        format_ident!("{second}", span = span),
                    );
                    words.push(
                        &first,
                        quote!(*const #of),
                        quote!(#name.as_ptr()),
                        Some("*const"),
                    );
                    words.push(
                        &second,
                        quote!(__p::usize),
                        quote!(#name.len()),
                        Some("usize"),
                    );
                    words.args.push(
                        quote_spanned!(span=> <#of as __p::Element>::slice(#first, &#second)),
                    );
                    words
                        .types
                        .push(quote_spanned!(span=> <#of as __p::Element>::SLICE));
                }
                Passing::Str => {
                    words.push(
                        &first,
                        quote!(*const __p::u8),
                        quote!(#name.as_ptr()),
                        Some("*const"),
                    );
                    words.push(
                        &second,
                        quote!(__p::usize),
                        quote!(#name.len()),
                        Some("usize"),
                    );
                    words.args.push(quote!(__p::str(#first, &#second)));
                    words.types.push(quote!(__p::TYPE_OF_STR));
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
    /// Adds a word. `known` is its type, if the macros know it.
    fn push(&mut self, name: &Ident, c_type: TokenStream, lower: TokenStream, known: Option<&str>) {
        self.names.push(name.clone());
        self.c_types.push(c_type);
        self.lower.push(lower);
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
                    quote_spanned!(name.span()=> #name as __p::u64),
                    quote_spanned!(name.span()=> #name #unsigned as __p::u64),
                )
            }
            None => (
                quote_spanned!(name.span()=> ::tracepoint::__private::word(#name)),
                quote_spanned!(name.span()=> ::tracepoint::__private::bpf_word(#name)),
            ),
        };
        self.registers.push(register);
        self.bpf.push(bpf);
    }
}
