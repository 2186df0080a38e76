// SPDX-License-Identifier: GPL-2.0

//! Tables that give values a name.

use crate::{
    base::event::symbols::{self, Symbol},
    tokens::{c_string, inner},
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::ffi::CString;
use syn::{Attribute, Error, Expr, Lit, LitStr, UnOp};

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
            if let Err(error) = symbols::check_name(&text) {
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
            if let Err(error) = symbols::check_value(known, size, self.delimiter.is_some()) {
                errors.push(Error::new(value.span, format!("{about}: {error}")));
            }
        }
        errors
    }

    /// Calls `f` with the table, if all of it is known.
    pub(crate) fn with<T>(&self, f: impl FnOnce(&symbols::Table<'_>) -> T) -> Option<T> {
        let name = |(_, name): &(_, LitStr)| CString::new(name.value()).ok();
        let names = self.symbols.iter().map(name).collect::<Option<Vec<_>>>()?;
        let values = self.symbols.iter().map(|(value, _)| value.known);
        let symbols = values.zip(&names);
        let symbols: Option<Vec<_>> = symbols
            .map(|(value, name)| Some(Symbol::new(value? as u64, name)))
            .collect();
        let symbols = symbols?;
        let delimiter = self.delimiter.as_ref().map(LitStr::value);
        Some(f(&symbols::Table {
            symbols: &symbols,
            delimiter: delimiter.as_deref(),
            special: None,
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

/// A variant of an enum: a value with a name.
pub(crate) struct Variant {
    pub(crate) attrs: Vec<Attribute>,
    /// The name in Rust.
    pub(crate) name: Ident,
    pub(crate) value: Value,
    /// As it's printed.
    pub(crate) text: LitStr,
}
