// SPDX-License-Identifier: GPL-2.0

//! Tables that give values a name, and the types that bring one along.

use crate::{
    grammar::span_of,
    schema,
    show::{self, Kind},
    template,
    text::Text,
    tracepoint::poisoned,
};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{
    braced,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
    spanned::Spanned,
    Attribute, Data, DeriveInput, Error, Expr, Lit, LitStr, Meta, Result, Token, UnOp, Visibility,
};

/// Returns the value of a literal. A literal with a suffix is left to the compiler, which checks
/// it against its type.
pub(crate) fn integer(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            integer(&unary.expr)?.checked_neg()
        }
        Expr::Paren(paren) => integer(&paren.expr),
        Expr::Group(group) => integer(&group.expr),
        _ => None,
    }
}

/// Returns the value of a literal, or of `1 << n`, of an integer type. The compiler checks that it
/// fits.
fn integer_of(expr: &Expr, size: Option<usize>) -> Option<i128> {
    // Not the highest bit, which can be the sign.
    shifted(expr, 8 * size? as u32 - 1)
}

/// Returns the value of a literal, or of `1 << n` with a result of so many bits.
pub(crate) fn shifted(expr: &Expr, bits: u32) -> Option<i128> {
    match expr {
        Expr::Paren(paren) => shifted(&paren.expr, bits),
        Expr::Group(group) => shifted(&group.expr, bits),
        Expr::Binary(binary) if matches!(binary.op, syn::BinOp::Shl(_)) => {
            let n = u32::try_from(integer(&binary.right)?).ok()?;
            (integer(&binary.left)? == 1 && n < bits).then(|| 1 << n)
        }
        _ => integer(expr),
    }
}

/// Returns a string as a literal of a C string.
pub(crate) fn c_string(text: &str) -> Literal {
    // `check` rejects a NUL.
    Literal::c_string(&std::ffi::CString::new(text.replace('\0', "")).unwrap_or_default())
}

/// A value in a table.
pub(crate) struct Value {
    /// An expression that can be cast to `i128`.
    pub(crate) tokens: TokenStream,
    /// Where an error about it belongs.
    pub(crate) span: Span,
    /// The value, if it is known.
    pub(crate) known: Option<i128>,
}

/// The size of the fields that a table is for.
pub(crate) struct Size {
    pub(crate) tokens: TokenStream,
    /// The size, if it is known.
    pub(crate) known: Option<usize>,
}

/// A table.
pub(crate) struct Table {
    pub(crate) symbols: Vec<(Value, LitStr)>,
    pub(crate) delimiter: Option<LitStr>,
    /// The name of a value without flags.
    pub(crate) special: Option<LitStr>,
    pub(crate) size: Size,
    /// What the table is for. Each error starts with it.
    pub(crate) about: String,
}

/// The longest name that a table can have.
const NAME_MAX: usize = 256;

impl Table {
    /// Checks the names and the known values.
    pub(crate) fn check(&self) -> Vec<Error> {
        let about = &self.about;
        let mut errors = Vec::new();
        let names = self.symbols.iter().map(|(_, name)| name);
        for name in names.chain(&self.delimiter).chain(&self.special) {
            let text = name.value();
            if let Err(error) = show::check_name(&text) {
                errors.push(Error::new(name.span(), format!("{about}: {error}")));
            } else if text.len() > NAME_MAX {
                let error = format!("{about}: a name is longer than {NAME_MAX} characters");
                errors.push(Error::new(name.span(), error));
            }
        }
        for (value, _) in &self.symbols {
            let (Some(known), Some(size)) = (value.known, self.size.known) else {
                continue;
            };
            if let Err(error) = show::check_value(known, size, self.delimiter.is_some()) {
                errors.push(Error::new(value.span, format!("{about}: {error}")));
            }
        }
        errors
    }

    /// Returns the table as the `print fmt` of an event contains it, if all of it is known.
    pub(crate) fn text(&self) -> Option<String> {
        let size = self.size.known?;
        let highest =
            |(value, _): &(Value, LitStr)| value.known.is_some_and(|n| (n as u64) >> 63 != 0);
        if size == 8 && self.delimiter.is_some() && self.symbols.iter().any(highest) {
            // The library knows what tools make of that.
            return None;
        }
        let delimiter = self.delimiter.as_ref().map(LitStr::value);
        let delimiter = show::delimiter(Text::<{ NAME_MAX + 64 }>::new(), delimiter.as_deref());
        let mut text = delimiter.as_str().to_owned();
        for (value, name) in &self.symbols {
            let symbol = Text::<{ NAME_MAX + 64 }>::new();
            let name = name.value();
            text += show::symbol(symbol, value.known? as u64, size, name.as_bytes()).as_str();
        }
        Some(text)
    }

    /// Returns an expression for the table.
    pub(crate) fn tokens(&self) -> TokenStream {
        let symbols = self.symbols.iter().map(|(value, name)| {
            let name = c_string(&name.value());
            let flags = self.delimiter.is_some();
            let span = Span::mixed_site().located_at(value.span);
            let value = match (value.known, self.size.known) {
                (Some(known), Some(_)) => {
                    let value = Literal::u64_unsuffixed(known as u64);
                    quote!(#value)
                }
                _ => {
                    let (about, size) = (&self.about, &self.size.tokens);
                    let value = &value.tokens;
                    let value = quote!((#value) as ::core::primitive::i128);
                    quote_spanned!(span=> __p::symbol_value(#about, #value, #size, #flags))
                }
            };
            quote!(__p::Symbol::new(#value, #name))
        });
        let symbols = if self.symbols.is_empty() {
            quote!(&[])
        } else {
            quote!(&const { [#(#symbols),*] })
        };
        let delimiter = match &self.delimiter {
            Some(delimiter) => quote!(::core::option::Option::Some(#delimiter)),
            None => quote!(::core::option::Option::None),
        };
        let special = match &self.special {
            Some(name) => {
                let name = c_string(&name.value());
                quote!(::core::option::Option::Some(__p::Symbol::new(0, #name)))
            }
            None => quote!(::core::option::Option::None),
        };
        quote! {
            __p::Table { symbols: #symbols, delimiter: #delimiter, special: #special }
        }
    }
}

/// An integer type.
struct Repr {
    /// As it was written.
    name: Ident,
    /// A path that nothing can shadow, if it is a primitive type.
    path: TokenStream,
    /// Its size, if it is known.
    size: Option<usize>,
}

impl Repr {
    fn new(name: Ident) -> Self {
        let ty = syn::parse_quote!(#name);
        let size = match template::kind(&ty, None) {
            Some(Kind::Int { size, .. }) => Some(size),
            _ => None,
        };
        const PRIMITIVES: [&str; 10] = [
            "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize",
        ];
        let is_primitive = PRIMITIVES.iter().any(|primitive| name == primitive);
        Self {
            path: if is_primitive {
                quote!(::core::primitive::#name)
            } else {
                quote!(#name)
            },
            size: size.filter(|_| is_primitive),
            name,
        }
    }

    fn is_primitive(&self) -> bool {
        self.size.is_some()
    }
}

/// `#[…] NAME = value => "text"`.
struct Symbol {
    attrs: Vec<Attribute>,
    name: Ident,
    value: Expr,
    text: LitStr,
}

impl Parse for Symbol {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let name: Ident = input
            .parse()
            .map_err(|e| Error::new(e.span(), "expected `NAME = value => \"text\"`"))?;
        let expected = |e: Error| {
            let error = format!("expected `{name} = value => \"text\"`");
            Error::new(e.span(), error)
        };
        input.parse::<Token![=]>().map_err(expected)?;
        let value = input.parse()?;
        input.parse::<Token![=>]>().map_err(expected)?;
        let text = input.parse().map_err(expected)?;
        Ok(Self {
            attrs,
            name,
            value,
            text,
        })
    }
}

/// What `trace_enum!` and `trace_flags!` declare.
pub(crate) struct Declaration {
    attrs: Vec<Attribute>,
    vis: Visibility,
    name: Ident,
    repr: Repr,
    delimiter: Option<LitStr>,
    symbols: Vec<Symbol>,
    /// Errors that leave the rest of the declaration as it is.
    errors: Vec<Error>,
}

impl Declaration {
    fn parse(input: ParseStream<'_>, flags: bool) -> Result<Self> {
        let usage = if flags {
            "expected `struct Name: u32, \"|\" { NAME = value => \"text\", … }`"
        } else {
            "expected `enum Name: u32 { NAME = value => \"text\", … }`"
        };
        let expected = |e: Error| Error::new(e.span(), usage);
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if flags {
            input.parse::<Token![struct]>().map_err(expected)?;
        } else {
            input.parse::<Token![enum]>().map_err(expected)?;
        }
        let name = input.parse().map_err(expected)?;
        input.parse::<Token![:]>().map_err(expected)?;
        let repr = Repr::new(input.parse().map_err(expected)?);
        if !flags && !repr.is_primitive() {
            return Err(Error::new(
                repr.name.span(),
                "an enum needs a primitive integer type",
            ));
        }
        let delimiter = if flags {
            input.parse::<Token![,]>().map_err(expected)?;
            Some(input.parse().map_err(expected)?)
        } else {
            None
        };
        let content;
        let braces = braced!(content in input);
        let (mut symbols, mut errors): (Vec<Symbol>, _) = (Vec::new(), Vec::new());
        while !content.is_empty() {
            match content.parse() {
                Ok(symbol) => symbols.push(symbol),
                Err(error) => {
                    errors.push(error);
                    while !content.is_empty() && !content.peek(Token![,]) {
                        content.parse::<TokenTree>()?;
                    }
                }
            }
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        if symbols.is_empty() && errors.is_empty() {
            return Err(Error::new(braces.span.join(), usage));
        }
        if !input.is_empty() {
            return Err(input.error("unexpected tokens after the declaration"));
        }
        Ok(Self {
            attrs,
            vis,
            name,
            repr,
            delimiter,
            symbols,
            errors,
        })
    }

    /// Returns the implementations. `value` returns a value as an expression of the integer type.
    fn impls(&self, value: impl Fn(&Ident) -> TokenStream) -> (TokenStream, Vec<Error>) {
        let size = self.repr.size;
        let values = self.symbols.iter().map(|symbol| {
            let value = Value {
                tokens: value(&symbol.name),
                span: span_of(&symbol.value),
                known: integer_of(&symbol.value, size),
            };
            Named {
                attrs: symbol.attrs.clone(),
                name: symbol.name.clone(),
                value,
                text: symbol.text.clone(),
            }
        });
        let (attrs, delimiter) = (&self.attrs, self.delimiter.clone());
        let (tokens, errors) = impls(&self.name, attrs, &self.repr, delimiter, values.collect());
        (tokens, [&self.errors[..], &errors].concat())
    }
}

/// Returns the implementations that make a type a field and an argument which prints by a table.
fn impls(
    name: &Ident,
    attrs: &[Attribute],
    repr: &Repr,
    delimiter: Option<LitStr>,
    values: Vec<Named>,
) -> (TokenStream, Vec<Error>) {
    let text_name = name.unraw().to_string();
    let path = &repr.path;
    let is_flags = delimiter.is_some();

    let symbols: Vec<_> = values.iter().map(|named| named.name.clone()).collect();
    let values_described: Vec<_> = values
        .iter()
        .map(|named| schema::Value {
            attrs: named.attrs.clone(),
            name: named.name.unraw().to_string(),
            known: named.value.known,
            tokens: named.value.tokens.clone(),
            label: named.text.value(),
        })
        .collect();
    let text_between = delimiter.as_ref().map(LitStr::value);
    let (description, names) = schema::enumeration(
        name,
        attrs,
        (&repr.name.to_string(), repr.size),
        text_between.as_deref(),
        &values_described,
    );
    let symbol_names = symbols.iter().map(|name| name.unraw().to_string());
    let symbol_values = values.iter().map(|named| &named.value.tokens);
    let prototype = quote! {
        __p::Type::Enum {
            name: #text_name,
            is_flags: #is_flags,
            // Of the type: an alias may stand for another one in another module.
            repr: <#path as __p::Integer>::NAME,
            values: &[#((#symbol_names, (#symbol_values) as ::core::primitive::i128),)*],
        }
    };
    let into_c = if is_flags {
        quote!(self.0)
    } else {
        quote!(self as #path)
    };
    let from_c = if is_flags {
        quote!(#name(*c))
    } else {
        quote! {
            // SAFETY: The caller promises that it is a value of the type.
            unsafe { ::core::mem::transmute::<#path, #name>(*c) }
        }
    };
    // Any integer is a value of a type of flags.
    let is_valid = (!is_flags).then(|| {
        quote! {
            #[inline(always)]
            fn is_valid(c: #path) -> ::core::primitive::bool {
                #(c == #name::#symbols as #path)||*
            }
        }
    });

    // What isn't a flag names a value without any.
    let is_none = |value: &Value| is_flags && value.known == Some(0);
    let (none, values): (Vec<_>, Vec<_>) = values
        .into_iter()
        .map(|named| (named.value, named.text))
        .partition(|(value, _)| is_none(value));
    let table = Table {
        symbols: values,
        delimiter,
        special: none.first().map(|(_, text)| text.clone()),
        size: Size {
            tokens: quote!(::core::mem::size_of::<#path>()),
            known: repr.size,
        },
        about: format!("`{text_name}`"),
    };
    let mut errors = table.check();
    if let Some((value, _)) = none.get(1) {
        let error = format!("`{text_name}`: a value without flags has one name");
        errors.push(Error::new(value.span, error));
    }
    let table_tokens = table.tokens();
    let size_check = is_flags.then(|| {
        quote! {
            const _: () = {
                ::core::assert!(::core::mem::size_of::<#name>() == ::core::mem::size_of::<#path>());
            };
        }
    });
    let optional = (!is_flags).then(|| {
        let about = &table.about;
        quote! {
            // SAFETY: The type has the representation of the integer, and these are its values.
            unsafe impl __p::Enum for #name {
                type Repr = #path;
                const ABOUT: &'static ::core::primitive::str = #about;

                #[inline(always)]
                fn repr(value: ::core::option::Option<Self>) -> #path {
                    match value {
                        ::core::option::Option::Some(value) => value as #path,
                        ::core::option::Option::None => <Self as __p::Enum>::NONE as #path,
                    }
                }
            }
        }
    });
    let text = match table.text() {
        Some(text) => quote!(#text),
        None => {
            let size = &table.size.tokens;
            quote! {
                {
                    const __TEXT: [::core::primitive::u8; __p::text_len(__TABLE, #size)] =
                        __p::text(__TABLE, #size);
                    __p::as_str(&__TEXT)
                }
            }
        }
    };

    let tokens = quote! {
        #description

        const _: () = {
            use ::tracepoint::__private as __p;

            #size_check

            // SAFETY: The type has the representation of the integer. Its name and its values are
            // in `TYPE`.
            unsafe impl __p::Arg for #name {
                type C = #path;
                type At<'a> = Self;
                const TYPE: __p::Type = #prototype;
                const NAMES: __p::u64 = #names;

                #[inline(always)]
                fn into_c(self) -> #path {
                    #into_c
                }

                #[inline(always)]
                unsafe fn from_c(c: &#path) -> Self {
                    #from_c
                }

                #is_valid
            }

            // SAFETY: The type has the representation of the integer.
            unsafe impl __p::Field for #name {
                type Slot = #name;
                type This = Self;
                const NAME: &'static ::core::primitive::str = <#path as __p::Field>::NAME;
                const SIGNED: ::core::primitive::bool = <#path as __p::Field>::SIGNED;
                const KIND: __p::Kind = <#path as __p::Field>::KIND;
                const TABLE: ::core::option::Option<__p::TypeTable> = {
                    const __TABLE: &__p::Table = &#table_tokens;
                    ::core::option::Option::Some(__p::TypeTable {
                        table: __TABLE,
                        text: #text,
                        names: <Self as __p::Arg>::NAMES,
                    })
                };
            }

            // SAFETY: The value is the slot.
            unsafe impl __p::AsIs for #name {}

            // SAFETY: An integer has no padding.
            unsafe impl __p::Scalar for #name {}

            #optional
        };
    };
    (tokens, errors)
}

/// Adds the errors to an expansion.
fn with_errors(mut tokens: TokenStream, errors: Vec<Error>) -> TokenStream {
    tokens.extend(errors.iter().map(Error::to_compile_error));
    tokens
}

/// The input of `trace_enum!`.
pub(crate) struct Enum(Declaration);

/// The input of `trace_flags!`.
pub(crate) struct FlagsType(Declaration);

impl Parse for Enum {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Declaration::parse(input, false).map(Self)
    }
}

impl Parse for FlagsType {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Declaration::parse(input, true).map(Self)
    }
}

/// Expands a declaration that can't be parsed: as a type that is an error itself, if it has a name.
pub(crate) fn broken(macro_name: &str, input: TokenStream, error: &Error) -> TokenStream {
    let error = about(&format!("{macro_name}!"), error);
    let name = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        let vis: Visibility = input.parse()?;
        input.parse::<TokenTree>()?;
        let name: Ident = input.parse()?;
        input.parse::<TokenStream>()?;
        Ok((vis, name))
    };
    let Ok((vis, name)) = syn::parse::Parser::parse2(name, input) else {
        return error.into_compile_error();
    };
    let ty = poisoned(Some(error));
    quote! {
        #[allow(dead_code, missing_docs)]
        #vis type #name = #ty;
    }
}

/// Removes values that another name has, which the compiler would refuse, too.
fn unique(declaration: &mut Declaration) {
    let mut seen: Vec<(i128, Ident)> = Vec::new();
    let (size, about, errors) = (
        declaration.repr.size,
        declaration.name.to_string(),
        &mut declaration.errors,
    );
    declaration.symbols.retain(|symbol| {
        let Some(value) = integer_of(&symbol.value, size) else {
            return true;
        };
        let Some((_, other)) = seen.iter().find(|(other, _)| *other == value) else {
            seen.push((value, symbol.name.clone()));
            return true;
        };
        let error = format!(
            "`{about}`: `{}` has the same value as `{other}`",
            symbol.name
        );
        errors.push(Error::new(span_of(&symbol.value), error));
        false
    });
}

/// Expands `trace_enum!`.
pub(crate) fn trace_enum(Enum(mut declaration): Enum) -> TokenStream {
    unique(&mut declaration);
    let Declaration {
        attrs,
        vis,
        name,
        repr,
        symbols,
        ..
    } = &declaration;
    if symbols.is_empty() {
        return with_errors(TokenStream::new(), declaration.errors);
    }
    let (repr_name, path) = (&repr.name, &repr.path);
    let variants = symbols.iter().map(|symbol| {
        let Symbol {
            attrs, name, value, ..
        } = symbol;
        quote!(#(#attrs)* #name = #value,)
    });
    let (impls, errors) = declaration.impls(|variant| quote!(#name::#variant as #path));
    let tokens = quote! {
        #(#attrs)*
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
        )]
        #[repr(#repr_name)]
        #vis enum #name {
            #(#variants)*
        }

        #impls
    };
    with_errors(tokens, errors)
}

/// Expands `trace_flags!`.
pub(crate) fn trace_flags(FlagsType(declaration): FlagsType) -> TokenStream {
    let Declaration {
        attrs,
        vis,
        name,
        repr,
        symbols,
        ..
    } = &declaration;
    if symbols.is_empty() {
        return with_errors(TokenStream::new(), declaration.errors);
    }
    let path = &repr.path;
    let flags = symbols.iter().map(|symbol| {
        let Symbol {
            attrs, name, value, ..
        } = symbol;
        quote!(#(#attrs)* #vis const #name: Self = Self(#value);)
    });
    let (impls, errors) = declaration.impls(|flag| quote!(#name::#flag.0));
    let tokens = quote! {
        #(#attrs)*
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
        )]
        #[repr(transparent)]
        #vis struct #name(#vis #path);

        #[allow(dead_code)]
        impl #name {
            #(#flags)*
        }

        impl ::core::ops::BitOr for #name {
            type Output = Self;

            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        #impls
    };
    with_errors(tokens, errors)
}

/// Returns the error with the name of the macro.
fn about(name: &str, error: &Error) -> Error {
    let mut errors = error.clone().into_iter();
    let named = |error: Error| Error::new(error.span(), format!("{name}: {error}"));
    let first = errors
        .next()
        .map_or_else(|| Error::new(Span::call_site(), name), named);
    errors.fold(first, |mut all, error| {
        all.combine(named(error));
        all
    })
}

/// Returns the argument of `#[repr(…)]` that is no `C` or `packed`.
fn repr_of(input: &DeriveInput) -> Result<Option<Ident>> {
    let mut repr = None;
    for attr in &input.attrs {
        if attr.path().is_ident("repr") {
            let list = Punctuated::<Meta, Token![,]>::parse_terminated;
            for meta in attr.parse_args_with(list)? {
                if let Meta::Path(path) = &meta {
                    repr = path.get_ident().cloned().or(repr);
                }
            }
        }
    }
    Ok(repr)
}

/// A value with a name.
struct Named {
    attrs: Vec<Attribute>,
    /// The name in Rust.
    name: Ident,
    value: Value,
    /// As it's printed.
    text: LitStr,
}

/// Returns the integer of an enum, and its variants.
fn variants(input: &DeriveInput) -> Result<(Repr, Vec<Named>)> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "expected an enum"));
    };
    let repr = repr_of(input)?.map(Repr::new);
    let Some(repr) = repr.filter(Repr::is_primitive) else {
        return Err(Error::new(
            input.ident.span(),
            "the enum needs a `#[repr(u8)]` or that of another integer type",
        ));
    };
    if data.variants.is_empty() {
        return Err(Error::new(input.ident.span(), "the enum has no variants"));
    }
    let (name, path) = (&input.ident, &repr.path);
    // One more than the last.
    let mut next = Some(0);
    let mut values = Vec::new();
    for variant in &data.variants {
        if !variant.fields.is_empty() {
            return Err(Error::new(
                variant.fields.span(),
                "a variant with fields has no value that can be traced",
            ));
        }
        let mut text = LitStr::new(&variant.ident.unraw().to_string(), variant.ident.span());
        for attr in &variant.attrs {
            if attr.path().is_ident("name") {
                let value = &attr.meta.require_name_value()?.value;
                text = syn::parse2(quote!(#value))
                    .map_err(|e| Error::new(e.span(), "expected `#[name = \"text\"]`"))?;
            }
        }
        let ident = &variant.ident;
        let (span, known) = match &variant.discriminant {
            Some((_, value)) => (value.span(), integer_of(value, repr.size)),
            None => (ident.span(), next),
        };
        next = known.map(|value| value + 1);
        let value = Value {
            tokens: quote!(#name::#ident as #path),
            span,
            known,
        };
        values.push(Named {
            attrs: variant.attrs.clone(),
            name: ident.clone(),
            value,
            text,
        });
    }
    Ok((repr, values))
}

fn derive_enum(input: &DeriveInput) -> Result<TokenStream> {
    let (repr, values) = variants(input)?;
    let (tokens, errors) = impls(&input.ident, &input.attrs, &repr, None, values);
    Ok(with_errors(tokens, errors))
}

/// Expands `#[derive(TraceEnum)]`, with `#[name = "text"]` on the variants whose text isn't their
/// name.
pub(crate) fn derive_trace_enum(input: TokenStream) -> TokenStream {
    syn::parse2(input)
        .and_then(|input| derive_enum(&input))
        .unwrap_or_else(|error| about("TraceEnum", &error).to_compile_error())
}

/// `"|", NAME => "text", …`.
struct Flags {
    delimiter: LitStr,
    names: Vec<(Ident, LitStr)>,
}

impl Parse for Flags {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let delimiter = input.parse()?;
        let mut names = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let name = input.parse()?;
            input.parse::<Token![=>]>()?;
            names.push((name, input.parse()?));
        }
        Ok(Self { delimiter, names })
    }
}

/// `Type, "|"`: the type of the flags that are the variants of an enum.
struct FlagsOf {
    name: Ident,
    delimiter: LitStr,
}

impl Parse for FlagsOf {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![,]>()?;
        let delimiter = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { name, delimiter })
    }
}

fn derive_flags_of_enum(input: &DeriveInput, attr: &Attribute) -> Result<TokenStream> {
    let expected = |e: Error| {
        let error =
            "an enum of flags needs `#[flags(Type, \"|\")]`, with the type that combines them";
        Error::new(e.span(), error)
    };
    let FlagsOf { name, delimiter } = attr.parse_args().map_err(expected)?;
    let (repr, values) = variants(input)?;
    let (tokens, errors) = impls(&name, &input.attrs, &repr, Some(delimiter), values);
    Ok(with_errors(tokens, errors))
}

fn derive_flags(input: &DeriveInput) -> Result<TokenStream> {
    let attr = input
        .attrs
        .iter()
        .find(|attr| attr.path().is_ident("flags"));
    if let (Data::Enum(_), Some(attr)) = (&input.data, attr) {
        return derive_flags_of_enum(input, attr);
    }
    let ty = match &input.data {
        Data::Struct(data) if data.fields.len() == 1 => data.fields.iter().next(),
        _ => None,
    };
    let integer = ty.and_then(|field| match (&field.ident, &field.ty) {
        (None, ty) => match template::ungrouped(ty) {
            syn::Type::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        },
        _ => None,
    });
    let Some(integer) = integer else {
        return Err(Error::new(
            input.ident.span(),
            "expected a struct with an integer, such as `struct Flags(u32);`",
        ));
    };
    if repr_of(input)?.is_none_or(|repr| repr != "transparent") {
        return Err(Error::new(
            input.ident.span(),
            "the struct needs a `#[repr(transparent)]`",
        ));
    }
    let Some(attr) = attr else {
        return Err(Error::new(
            input.ident.span(),
            "the struct needs `#[flags(\"|\", NAME => \"text\", …)]`",
        ));
    };
    let Flags { delimiter, names } = attr.parse_args()?;
    let name = &input.ident;
    let values = names.into_iter().map(|(flag, text)| {
        let value = Value {
            tokens: quote!(#name::#flag.0),
            span: flag.span(),
            known: None,
        };
        Named {
            attrs: Vec::new(),
            name: flag,
            value,
            text,
        }
    });
    let (attrs, repr) = (&input.attrs, Repr::new(integer));
    let (tokens, errors) = impls(name, attrs, &repr, Some(delimiter), values.collect());
    Ok(with_errors(tokens, errors))
}

/// Expands `#[derive(TraceFlags)]`, with `#[flags("|", NAME => "text", …)]` for the constants of
/// the type that have a text, or with `#[flags(Type, "|")]` for an enum of its flags.
pub(crate) fn derive_trace_flags(input: TokenStream) -> TokenStream {
    syn::parse2(input)
        .and_then(|input| derive_flags(&input))
        .unwrap_or_else(|error| about("TraceFlags", &error).to_compile_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(expand: fn(TokenStream) -> TokenStream, input: &str) -> String {
        expand(input.parse().unwrap()).to_string().replace(' ', "")
    }

    fn trace_enum(input: TokenStream) -> TokenStream {
        match syn::parse2(input.clone()) {
            Ok(parsed) => super::trace_enum(parsed),
            Err(error) => broken("trace_enum", input, &error),
        }
    }

    fn trace_flags(input: TokenStream) -> TokenStream {
        match syn::parse2(input.clone()) {
            Ok(parsed) => super::trace_flags(parsed),
            Err(error) => broken("trace_flags", input, &error),
        }
    }

    /// Returns the messages in an expansion.
    fn errors(expand: fn(TokenStream) -> TokenStream, input: &str) -> Vec<String> {
        fn find(tokens: TokenStream, errors: &mut Vec<String>) {
            let mut follows = false;
            for token in tokens {
                match &token {
                    TokenTree::Ident(ident) if ident == "compile_error" => follows = true,
                    TokenTree::Group(group) if follows => {
                        let message: LitStr = syn::parse2(group.stream()).unwrap();
                        errors.push(message.value());
                        follows = false;
                    }
                    TokenTree::Group(group) => find(group.stream(), errors),
                    _ => {}
                }
            }
        }
        let mut errors = Vec::new();
        find(expand(input.parse().unwrap()), &mut errors);
        errors
    }

    #[test]
    fn attributes_stay() {
        let code = expand(
            trace_enum,
            "/// A\n #[derive(Debug)] pub(crate) enum Op: u8 { /// B\n Read = 0 => \"READ\", \
             #[cold] Write = 1 => \"WRITE\" }",
        );
        assert!(code.starts_with("#[doc=r\"A\"]#[derive(Debug)]") || code.contains("\"A\""));
        assert!(code.contains("#[cold]Write=1"));
        assert!(code.contains("pub(crate)enumOp"));
        let code = expand(
            trace_flags,
            "pub struct F: u32, \"|\" { #[cold] A = 1 => \"a\" }",
        );
        assert!(code.contains("#[cold]pubconstA:Self=Self(1);"));
    }

    #[test]
    fn known_tables_are_text() {
        let text = |code: String| {
            let from = code.find("text:").unwrap() + 5;
            code[from..].split('}').next().unwrap().to_owned()
        };
        let code = expand(trace_enum, "enum Op: i8 { A = -1 => \"a\" }");
        assert_eq!(text(code), r#"",{0xff,\"a\""#);
        let code = expand(trace_flags, "struct F: u32, \"|\" { A = 1 << 4 => \"a\" }");
        assert_eq!(text(code), r#"",\"|\",{0x10,\"a\""#);
        // The sign bit, a constant and an alias are the compiler's business.
        for input in [
            "struct F: i32, \"|\" { A = 1 << 31 => \"a\" }",
            "struct F: u32, \"|\" { A = FLAG => \"a\" }",
            "struct F: c_uint, \"|\" { A = 1 => \"a\" }",
        ] {
            assert!(
                expand(trace_flags, input).contains("symbol_value"),
                "{input}"
            );
        }
    }

    #[test]
    fn declarations_are_checked() {
        assert_eq!(
            errors(
                trace_enum,
                "enum E: u8 { A = 0 => \"a\\\"\", B, C = 300 => \"c\" }"
            ),
            [
                "expected `B = value => \"text\"`",
                "`E`: a name consists of ASCII characters other than quotes and backslashes",
                "`E`: the value doesn't fit into the field",
            ]
        );
        assert_eq!(
            errors(trace_enum, "enum E: Alias { A = 0 => \"a\" }"),
            ["trace_enum!: an enum needs a primitive integer type"]
        );
        let usage = "trace_enum!: expected `enum Name: u32 { NAME = value => \"text\", … }`";
        assert_eq!(errors(trace_enum, "enum E: u8 {}"), [usage]);
        assert_eq!(errors(trace_enum, "struct E: u8 {}"), [usage]);
        assert_eq!(
            errors(
                trace_flags,
                "struct F: u64, \"|\" { A = 0 => \"none\", B = 0 => \"0\", C = 0x8000000000000000 => \"c\" }"
            ),
            [
                                "`F`: a value without flags has one name"
            ]
        );
        let code = expand(
            trace_flags,
            "struct F: u8, \"|\" { A = 0 => \"none\", B = 1 => \"b\" }",
        );
        assert!(
            code.contains("special:::core::option::Option::Some(__p::Symbol::new(0,c\"none\"))")
        );
        assert_eq!(
            errors(trace_flags, "struct F: u8 { A = 1 => \"a\" }"),
            ["trace_flags!: expected `struct Name: u32, \"|\" { NAME = value => \"text\", … }`"]
        );
    }

    #[test]
    fn derives() {
        let input = "#[repr(u16)] enum D { #[name = \"one\"] One = 1, Two, Seven = 7, Eight }";
        let code = expand(derive_trace_enum, input);
        for symbol in ["1,c\"one\"", "2,c\"Two\"", "7,c\"Seven\"", "8,c\"Eight\""] {
            assert!(
                code.contains(&format!("__p::Symbol::new({symbol})")),
                "{code}"
            );
        }
        assert_eq!(
            errors(derive_trace_enum, "enum D { A }"),
            ["TraceEnum: the enum needs a `#[repr(u8)]` or that of another integer type"]
        );
        assert_eq!(
            errors(derive_trace_enum, "#[repr(u8)] enum D { A(u8) }"),
            ["TraceEnum: a variant with fields has no value that can be traced"]
        );
        let input = "#[repr(transparent)] #[flags(\"|\", X => \"x\")] struct F(u32);";
        assert!(expand(derive_trace_flags, input).contains("F::X.0"));
        assert_eq!(
            errors(
                derive_trace_flags,
                "#[flags(\"|\", X => \"x\")] struct F(u32);"
            ),
            ["TraceFlags: the struct needs a `#[repr(transparent)]`"]
        );
        assert_eq!(
            errors(derive_trace_flags, "#[repr(transparent)] struct F(u32);"),
            ["TraceFlags: the struct needs `#[flags(\"|\", NAME => \"text\", …)]`"]
        );
    }
}
