// SPDX-License-Identifier: GPL-2.0

//! Tables that give values a name.

use crate::{
    base::event::symbols::{self, Range, Symbol},
    tokens::{as_integer, inner, option, span_of},
};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::{ffi::CString, ops};
use syn::{Error, Expr, LitStr, Result, UnOp};

/// Returns the value of a literal. A literal with a suffix is left to the compiler, which checks
/// it against its type.
fn integer(expr: &Expr) -> Option<i128> {
    match inner(expr) {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            integer(&unary.expr)?.checked_neg()
        }
        expr => {
            let int = as_integer(expr)?;
            int.suffix().is_empty().then(|| int.base10_parse().ok())?
        }
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
    /// Where the compiler reports an error about it.
    pub(crate) span: Span,
    /// The value, if it is known.
    pub(crate) known: Option<i128>,
}

impl Value {
    pub(crate) fn of(expr: &Expr) -> Self {
        let known = shifted(expr, 64);
        Self {
            // `1 << 63` is too large for the integer type that it would have.
            tokens: known.map_or_else(|| quote!(#expr), |n| quote!(#n)),
            span: Span::mixed_site().located_at(span_of(expr)),
            known,
        }
    }
}

/// The longest name that a table can have.
const NAME_MAX: usize = 256;

/// Why a text is refused in which [`dereference`] finds something.
pub(crate) const DEREFERENCE: &str =
    "the kernel takes this for a pointer in the record, and warns about it";

/// Returns where a text has `REC->name->`, which the kernel looks for even in strings.
///
/// C: `test_double_dereference()` (kernel/trace/trace_events.c).
pub(crate) fn dereference(text: &str) -> Option<ops::Range<usize>> {
    text.match_indices("REC->").find_map(|(start, found)| {
        let name = start + found.len();
        let is_end = |c: char| !c.is_alphanumeric() && c != '_';
        let end = name + text[name..].find(is_end)?;
        text[end..].starts_with("->").then_some(start..end + 2)
    })
}

/// Returns a text as a C string. Tools don't interpret escapes in it.
pub(crate) fn text(text: &LitStr) -> Result<CString> {
    name(text, None)
}

/// Returns the name of an entry as a C string. In C's text, the table's delimiter directly follows the name of the
/// flag for the highest bit, so both are checked together.
pub(crate) fn name(text: &LitStr, delimiter: Option<&CString>) -> Result<CString> {
    let name = text.value();
    let delimiter = delimiter.map(|delimiter| delimiter.to_string_lossy());
    if dereference(&(name.clone() + &delimiter.unwrap_or_default())).is_some() {
        return Err(Error::new(text.span(), DEREFERENCE));
    }
    let is_good = |c| matches!(c, b' '..=b'~') && !matches!(c, b'"' | b'\\');
    if name.len() > NAME_MAX || !name.bytes().all(is_good) {
        let error = format!(
            "a text in a template consists of at most {NAME_MAX} ASCII characters other than quotes and backslashes"
        );
        return Err(Error::new(text.span(), error));
    }
    CString::new(name).map_err(|error| Error::new(text.span(), error))
}

/// The value or the values that have a name in a table.
pub(crate) struct Entry {
    pub(crate) first: Value,
    /// The last value, if there are several.
    pub(crate) last: Option<Value>,
    pub(crate) name: CString,
}

/// A table.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
    pub(crate) delimiter: Option<CString>,
    /// The name of all other values.
    pub(crate) other: Option<CString>,
}

impl Table {
    /// Whether C's tables have no such entry: one with several values or without flags, or any entry if all other
    /// values have a name.
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

    /// Calls `f` with the table, if all of it is known.
    pub(crate) fn with<T>(&self, f: impl FnOnce(Option<&symbols::Table<'_>>) -> T) -> T {
        fn range(entry: &Entry) -> Option<Range<'_>> {
            let first = entry.first.known?;
            let last = entry.last.as_ref().map_or(Some(first), |last| last.known)?;
            Some(Range {
                first: Symbol::new(first as u64, &entry.name),
                more: last.checked_sub(first)? as u64,
            })
        }
        let (symbols, special) = self.parts();
        let symbols = symbols.into_iter().map(|entry| Some(range(entry)?.first));
        let symbols: Option<Vec<_>> = symbols.collect();
        let special: Option<Vec<_>> = special.into_iter().map(range).collect();
        let known = symbols.as_deref().zip(special.as_deref());
        let table = known.map(|(symbols, special)| symbols::Table {
            symbols,
            delimiter: self.delimiter.as_deref(),
            special,
            other: self.other.as_deref(),
        });
        f(table.as_ref())
    }

    /// Returns an expression for the table of a number whose size is `size`. `about` is what an error starts with.
    pub(crate) fn tokens(&self, about: &str, size: &TokenStream) -> TokenStream {
        let (symbols, special) = self.parts();
        let value = |value: &Value| {
            let value = &value.tokens;
            quote!((#value) as ::core::primitive::i128)
        };
        let symbols = symbols.iter().enumerate();
        let symbols = symbols.map(|(n, Entry { first, name, .. })| {
            let (span, first) = (first.span, value(first));
            let name = Literal::c_string(name);
            let flag = option(self.delimiter.as_ref().map(|_| n));
            let first = quote_spanned!(span=> __p::symbol_value(#about, #first, #size, #flag));
            quote!(__p::Symbol::new(#first, #name))
        });
        let special = special.iter().map(|Entry { first, last, name }| {
            let (span, last) = (first.span, value(last.as_ref().unwrap_or(first)));
            let (first, name) = (value(first), Literal::c_string(name));
            quote_spanned!(span=> __p::range(#about, #first, #last, #size, #name))
        });
        let text = |text: &Option<CString>| option(text.as_deref().map(Literal::c_string));
        let (delimiter, other) = (text(&self.delimiter), text(&self.other));
        quote! {
            __p::Table {
                symbols: &const { [#(#symbols),*] },
                delimiter: #delimiter,
                special: &const { [#(#special),*] },
                other: #other,
            }
        }
    }
}
