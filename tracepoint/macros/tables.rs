// SPDX-License-Identifier: GPL-2.0

//! Tables that give values a name.

use crate::{
    base::event::symbols::{self, Range, Symbol},
    tokens::{c_string, inner, span_of},
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

impl Value {
    pub(crate) fn of(expr: &Expr) -> Self {
        let known = shifted(expr, 64);
        Self {
            // `1 << 63` is too large for the integer type that it would have.
            tokens: match known {
                Some(n) => quote!(#n),
                None => quote!(#expr),
            },
            span: span_of(expr),
            known,
        }
    }
}

/// The size of the fields that a table is for.
#[derive(Clone, Default)]
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

/// What has a name in a table.
pub(crate) struct Entry {
    pub(crate) first: Value,
    /// The last value, if there are several.
    pub(crate) last: Option<Value>,
    pub(crate) name: LitStr,
}

/// A table.
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
    pub(crate) delimiter: Option<LitStr>,
    /// The name of all other values.
    pub(crate) other: Option<LitStr>,
    pub(crate) size: Size,
    /// What the table is for. Each error starts with it.
    pub(crate) about: String,
}

/// The longest name that a table can have.
const NAME_MAX: usize = 256;

impl Table {
    /// Whether an entry is none of C's: several values, one without flags, or one of those besides all others.
    pub(crate) fn is_special(&self, entry: &Entry) -> bool {
        let has_no_flags = self.delimiter.is_some() && entry.first.known == Some(0);
        entry.last.is_some() || self.other.is_some() || has_no_flags
    }

    /// Returns C's entries and the others.
    fn parts(&self) -> (Vec<&Entry>, Vec<&Entry>) {
        let entries = self.entries.iter();
        let (special, symbols): (Vec<_>, Vec<_>) =
            entries.partition(|entry| self.is_special(entry));
        // Tools need an entry. That of a range is never looked up.
        if symbols.is_empty() && self.delimiter.is_none() && self.other.is_none() {
            return (special.clone(), special);
        }
        (symbols, special)
    }

    /// Checks the names and the known values.
    pub(crate) fn check(&self) -> Vec<Error> {
        let about = &self.about;
        let mut errors = Vec::new();
        let names = self.entries.iter().map(|entry| &entry.name);
        for name in names.chain(&self.delimiter).chain(&self.other) {
            let text = name.value();
            if let Err(error) = check_name(&text) {
                errors.push(Error::new(name.span(), format!("{about}: {error}")));
            } else if text.len() > NAME_MAX {
                let error = format!("{about}: a name is longer than {NAME_MAX} characters");
                errors.push(Error::new(name.span(), error));
            }
        }
        for entry in &self.entries {
            let Entry { first, last, .. } = entry;
            let is_flag = self.delimiter.is_some() && !self.is_special(entry);
            let check = |value: &Value| {
                let error = symbols::check_value(value.known?, self.size.known?, is_flag).err()?;
                Some(Error::new(value.span, format!("{about}: {error}")))
            };
            errors.extend(check(first).or_else(|| check(last.as_ref()?)));
            let last = last.as_ref().and_then(|last| last.known);
            if matches!((first.known, last), (Some(first), Some(last)) if first > last) {
                let error = format!("{about}: {}", symbols::EMPTY_RANGE);
                errors.push(Error::new(first.span, error));
            }
        }
        errors
    }

    /// Calls `f` with the table, if all of it is known.
    pub(crate) fn with<T>(&self, f: impl FnOnce(&symbols::Table<'_>) -> T) -> Option<T> {
        let c_string = |name: &LitStr| CString::new(name.value()).ok();
        let c_strings = |entries: &[&Entry]| -> Option<Vec<_>> {
            entries.iter().map(|entry| c_string(&entry.name)).collect()
        };
        let (symbols, special) = self.parts();
        let (names, special_names) = (c_strings(&symbols)?, c_strings(&special)?);
        let symbols = symbols.iter().zip(&names);
        let symbols: Option<Vec<_>> = symbols
            .map(|(entry, name)| Some(Symbol::new(entry.first.known? as u64, name)))
            .collect();
        let special = special.iter().zip(&special_names);
        let special: Option<Vec<_>> = special
            .map(|(Entry { first, last, .. }, name)| {
                let first = first.known?;
                let last = last.as_ref().map_or(Some(first), |last| last.known)?;
                Some(Range {
                    first: Symbol::new(first as u64, name),
                    more: (last - first) as u64,
                })
            })
            .collect();
        let other = self.other.as_ref().and_then(c_string);
        let delimiter = self.delimiter.as_ref().map(LitStr::value);
        Some(f(&symbols::Table {
            symbols: &symbols?,
            delimiter: delimiter.as_deref(),
            special: &special?,
            other: other.as_deref().map(|name| Symbol::new(0, name)),
        }))
    }

    /// Returns an expression for the table.
    pub(crate) fn tokens(&self) -> TokenStream {
        let (symbols, special) = self.parts();
        let symbols = symbols.iter().map(|entry| {
            let (value, name) = (&entry.first, c_string(&entry.name.value()));
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
        let special = special.iter().map(|Entry { first, last, name }| {
            let (about, size, name) = (&self.about, &self.size.tokens, c_string(&name.value()));
            let span = Span::mixed_site().located_at(first.span);
            let (first, last) = (&first.tokens, &last.as_ref().unwrap_or(first).tokens);
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
