// SPDX-License-Identifier: GPL-2.0

//! Tables that give values a name.

use crate::{
    base::event::symbols::{self, Range, Symbol},
    tokens::{c_string, inner},
};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::ffi::CString;
use syn::{Error, Expr, Lit, LitStr, UnOp};

/// Returns the value of a literal. A literal with a suffix is left to the compiler, which checks
/// it against its type.
fn integer(expr: &Expr) -> Option<i128> {
    match inner(expr) {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            integer(&unary.expr)?.checked_neg()
        }
        _ => None,
    }
}

/// Returns the value of a literal, or of `1 << n` with a result of so many bits.
pub(crate) fn shifted(expr: &Expr, bits: u32) -> Option<i128> {
    match inner(expr) {
        Expr::Binary(binary) if matches!(binary.op, syn::BinOp::Shl(_)) => {
            let n = u32::try_from(integer(&binary.right)?).ok()?;
            (integer(&binary.left)? == 1 && n < bits).then(|| 1 << n)
        }
        _ => integer(expr),
    }
}

/// A value in a table.
#[derive(Clone)]
pub(crate) struct Value {
    /// An expression that can be cast to `i128`.
    pub(crate) tokens: TokenStream,
    /// Where an error about it belongs.
    pub(crate) span: Span,
    /// The value, if it is known.
    pub(crate) known: Option<i128>,
}

/// The size of the fields that a table is for.
#[derive(Clone)]
pub(crate) struct Size {
    pub(crate) tokens: TokenStream,
    /// The size, if it is known.
    pub(crate) known: Option<usize>,
}

/// Checks a name or a delimiter of a table. Tools don't interpret escapes in them.
pub(crate) fn check_name(name: &str) -> Result<(), &'static str> {
    match name
        .bytes()
        .all(|c| matches!(c, b' '..=b'~') && !matches!(c, b'"' | b'\\'))
    {
        true => Ok(()),
        false => Err("a name consists of ASCII characters other than quotes and backslashes"),
    }
}

/// A table.
pub(crate) struct Table {
    pub(crate) symbols: Vec<(Value, LitStr)>,
    pub(crate) delimiter: Option<LitStr>,
    /// The names of whole values, from one to another.
    pub(crate) special: Vec<(Value, Value, LitStr)>,
    /// The name of all other values.
    pub(crate) other: Option<LitStr>,
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
        let special = self.special.iter().map(|(_, _, name)| name);
        for name in names
            .chain(special)
            .chain(&self.delimiter)
            .chain(&self.other)
        {
            let text = name.value();
            if let Err(error) = check_name(&text) {
                errors.push(Error::new(name.span(), format!("{about}: {error}")));
            } else if text.len() > NAME_MAX {
                let error = format!("{about}: a name is longer than {NAME_MAX} characters");
                errors.push(Error::new(name.span(), error));
            }
        }
        let check = |value: &Value, is_flag| {
            let error = symbols::check_value(value.known?, self.size.known?, is_flag).err()?;
            Some(Error::new(value.span, format!("{about}: {error}")))
        };
        let is_flag = self.delimiter.is_some();
        errors.extend((self.symbols.iter()).filter_map(|(value, _)| check(value, is_flag)));
        for (first, last, _) in &self.special {
            errors.extend(check(first, false).or_else(|| check(last, false)));
            if matches!((first.known, last.known), (Some(first), Some(last)) if first > last) {
                let error = format!("{about}: {}", symbols::EMPTY_RANGE);
                errors.push(Error::new(first.span, error));
            }
        }
        errors
    }

    /// Calls `f` with the table, if all of it is known.
    pub(crate) fn with<T>(&self, f: impl FnOnce(&symbols::Table<'_>) -> T) -> Option<T> {
        fn c_strings<'a>(names: impl Iterator<Item = &'a LitStr>) -> Option<Vec<CString>> {
            names.map(|name| CString::new(name.value()).ok()).collect()
        }
        let names = c_strings(self.symbols.iter().map(|(_, name)| name))?;
        let symbols = self.symbols.iter().zip(&names);
        let symbols: Option<Vec<_>> = symbols
            .map(|((value, _), name)| Some(Symbol::new(value.known? as u64, name)))
            .collect();
        let names = c_strings(self.special.iter().map(|(_, _, name)| name))?;
        let special = self.special.iter().zip(&names);
        let special: Option<Vec<_>> = special
            .map(|((first, last, _), name)| {
                Some(Range {
                    first: Symbol::new(first.known? as u64, name),
                    more: (last.known? - first.known?) as u64,
                })
            })
            .collect();
        let other = c_strings(self.other.iter())?;
        let delimiter = self.delimiter.as_ref().map(LitStr::value);
        Some(f(&symbols::Table {
            symbols: &symbols?,
            delimiter: delimiter.as_deref(),
            special: &special?,
            other: other.first().map(|name| Symbol::new(0, name)),
        }))
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
        let slice = |items: Vec<TokenStream>| match &items[..] {
            [] => quote!(&[]),
            items => quote!(&const { [#(#items),*] }),
        };
        let delimiter = match &self.delimiter {
            Some(delimiter) => quote!(::core::option::Option::Some(#delimiter)),
            None => quote!(::core::option::Option::None),
        };
        let special = self.special.iter().map(|(first, last, name)| {
            let (about, size, name) = (&self.about, &self.size.tokens, c_string(&name.value()));
            let span = Span::mixed_site().located_at(first.span);
            let (first, last) = (&first.tokens, &last.tokens);
            let first = quote!((#first) as ::core::primitive::i128);
            let last = quote!((#last) as ::core::primitive::i128);
            quote_spanned!(span=> __p::range(#about, #first, #last, #size, #name))
        });
        let other = match &self.other {
            Some(name) => {
                let name = c_string(&name.value());
                quote!(::core::option::Option::Some(__p::Symbol::new(0, #name)))
            }
            None => quote!(::core::option::Option::None),
        };
        let (symbols, special) = (slice(symbols.collect()), slice(special.collect()));
        quote! {
            __p::Table {
                symbols: #symbols,
                delimiter: #delimiter,
                special: #special,
                other: #other,
            }
        }
    }
}
