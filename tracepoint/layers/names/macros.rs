// SPDX-License-Identifier: GPL-2.0

//! The expansion of `#[derive(TraceEnum)]` and `#[derive(TraceFlags)]`.

use crate::{
    integers::INTEGERS,
    layers::{self, is_attr, number_of, Declared, Layer},
    tables::{self, shifted, Entry, Table, Value},
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::ffi::CString;
use syn::{
    ext::IdentExt, parse::ParseStream, punctuated::Punctuated, spanned::Spanned, Data, DataEnum,
    DeriveInput, Error, LitStr, Meta, Result, Token, Variant,
};

pub(crate) static LAYER: Layer = Layer::NONE;

/// Returns the integer of an enum and its size: the argument of `#[repr(…)]` that is one.
fn repr(input: &DeriveInput) -> Result<(Ident, usize)> {
    let list = Punctuated::<Meta, Token![,]>::parse_terminated;
    let attrs = input.attrs.iter().filter(|attr| is_attr(attr, "repr"));
    let mut metas = attrs
        .filter_map(|attr| attr.parse_args_with(list).ok())
        .flatten();
    let integer = metas.find_map(|meta| {
        let name = meta.path().get_ident()?;
        let mut integers = INTEGERS.iter();
        let (_, _, size, _) = integers.find(|(integer, ..)| name == integer)?;
        Some((name.clone(), *size))
    });
    integer.ok_or_else(|| {
        let error = "the enum needs a `#[repr(u8)]` or that of another integer type";
        Error::new(input.ident.span(), error)
    })
}

/// Returns what the table of an enum has for each of its variants.
fn entries(
    this: &Ident,
    data: &DataEnum,
    (repr, size): (&Ident, usize),
    delimiter: Option<&CString>,
) -> Result<Vec<Entry>> {
    // One more than the last value.
    let mut next = Some(0);
    let entry = |variant: &Variant| {
        if !variant.fields.is_empty() {
            let error = "a variant with fields has no value that can be traced";
            return Err(Error::new(variant.fields.span(), error));
        }
        let variant_name = &variant.ident;
        let mut attrs = variant.attrs.iter();
        let name = match attrs.find(|attr| attr.path().is_ident("name")) {
            Some(attr) => layers::text(attr)?,
            None => LitStr::new(&variant_name.unraw().to_string(), variant_name.span()),
        };
        let (span, known) = match &variant.discriminant {
            // Not the highest bit, which can be the sign.
            Some((_, value)) => (value.span(), shifted(value, 8 * size as u32 - 1)),
            None => (variant_name.span(), next),
        };
        next = known.and_then(|value| value.checked_add(1));
        let tokens = quote!(#this::#variant_name as ::core::primitive::#repr);
        Ok(Entry {
            first: Value {
                tokens,
                span: Span::mixed_site().located_at(span),
                known,
            },
            last: None,
            name: tables::name(&name, delimiter)?,
        })
    };
    data.variants.iter().map(entry).collect()
}

/// Expands `#[derive(TraceEnum)]`, with `#[name = "text"]` on the variants whose text isn't their
/// name.
pub(crate) fn trace_enum(input: &DeriveInput) -> Result<TokenStream> {
    expand(input, &input.ident, None)
}

/// Expands `#[derive(TraceFlags)]`, with `#[flags(Type, "|")]` for the type that combines the flags,
/// which are the variants of the enum.
pub(crate) fn trace_flags(input: &DeriveInput) -> Result<TokenStream> {
    let flags = |input: ParseStream<'_>| -> Result<(Ident, LitStr)> {
        let ty = input.parse()?;
        input.parse::<Token![,]>()?;
        let delimiter = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok((ty, delimiter))
    };
    let expected =
        "an enum of flags needs `#[flags(Type, \"|\")]`, with the type that combines them";
    let mut attrs = input.attrs.iter();
    let attr = attrs.find(|attr| attr.path().is_ident("flags"));
    let attr = attr.ok_or_else(|| Error::new(input.ident.span(), expected))?;
    let (ty, delimiter) = attr
        .parse_args_with(flags)
        .map_err(|e| Error::new(e.span(), expected))?;
    expand(input, &ty, Some(delimiter))
}

/// Returns the implementations that make a type a field and an argument which prints by a table:
/// the enum, or with a delimiter, the type of its flags.
fn expand(input: &DeriveInput, this: &Ident, delimiter: Option<LitStr>) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "expected an enum"));
    };
    let (repr, size) = repr(input)?;
    let is_flags = delimiter.is_some();
    let text_name = this.unraw().to_string();
    let about = format!("`{text_name}`");
    let delimiter = delimiter.as_ref().map(tables::text).transpose()?;
    let table = Table {
        entries: entries(&input.ident, data, (&repr, size), delimiter.as_ref())?,
        delimiter,
        other: None,
    };
    let beside = layers::beside(&Declared::Enum(layers::Enum {
        this,
        attrs: &input.attrs,
        repr: &repr,
        variants: &data.variants,
        table: &table,
    }));
    let symbol_name = data.variants.iter().map(|v| v.ident.unraw().to_string());
    let symbol_value: Vec<_> = table.entries.iter().map(|e| &e.first.tokens).collect();
    let table = table.tokens(&about, &quote!(#size));
    let number = number_of(input);
    let (repr_name, path) = (repr.to_string(), quote!(::core::primitive::#repr));
    // A type that can be made like this has one member, and any integer is a value of it.
    let span = Span::call_site().located_at(this.span());
    let (into_c, from_c, is_valid, own);
    if is_flags {
        into_c = quote_spanned!(span=> self.0);
        from_c = quote_spanned!(span=> #this { 0: *c });
        is_valid = None;
        // Prototypes say only the name and the integer, so the layout must follow from them.
        own = quote! {
            const _: () = ::core::assert!(
                ::core::mem::size_of::<#this>() == #size
                    && ::core::mem::align_of::<#this>() == ::core::mem::align_of::<#path>()
            );
        };
    } else {
        into_c = quote!(self as #path);
        from_c = quote! {
            // SAFETY: The caller promises that it is a value of the type.
            unsafe { ::core::mem::transmute::<#path, #this>(*c) }
        };
        is_valid = Some(quote! {
            #[inline(always)]
            fn is_valid(c: #path) -> ::core::primitive::bool {
                #(c == #symbol_value)||*
            }
        });
        own = quote! {
            // SAFETY: In C it's its integer, and the table has all of its values.
            unsafe impl __p::Enum for #this {
                const ABOUT: &'static ::core::primitive::str = #about;
            }
        };
    }

    let is_copy = quote_spanned!(span=> ::tracepoint::__private::is_copy::<#this>());
    Ok(quote! {
        #beside

        const _: () = #is_copy;

        const _: () = {
            use ::tracepoint::__private as __p;

            // SAFETY: The type is `Copy`, and has the representation of the integer. Its name and its
            // values are in `TYPE`.
            unsafe impl __p::Arg for #this {
                type C = #path;
                type At<'a> = Self;
                const TYPE: __p::Type = __p::Type::Enum {
                    name: #text_name,
                    is_flags: #is_flags,
                    repr: #repr_name,
                    values: &[#((#symbol_name, (#symbol_value) as ::core::primitive::i128),)*],
                };
                const NAMES: __p::u64 = #number;

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
            unsafe impl __p::Field for #this {
                type Slot = #this;
                type This = Self;
                const SHAPE: __p::Shape = {
                    const __TABLE: &__p::Table = &#table;
                    const __TEXT: [::core::primitive::u8; __p::text_len(__TABLE, #size)] =
                        __p::text(__TABLE, #size);
                    <#path as __p::Field>::SHAPE.named(__TABLE, &__TEXT, #number)
                };
            }

            // SAFETY: The value is the slot, which is `Copy`, and an integer has no padding.
            unsafe impl __p::Scalar for #this {}

            #own
        };
    })
}

#[cfg(test)]
#[path = "../../../tests/macros/symbols.rs"]
mod tests;
