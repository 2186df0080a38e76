// SPDX-License-Identifier: GPL-2.0

//! The values that follow a print template: tables, and whatever features add.
//!
//! ```text
//! argument = NAME "=" ( table | … )
//! table    = "print_symbolic" "(" value "," ( entries | TYPE ) ")"
//!          | "print_flags" "(" value "," ( STRING "," entries | TYPE ) ")"
//! entries  = "{" { expression [ "..=" expression ] "=>" STRING "," }
//!            [ "_" "=>" STRING [ "," ] ] "}"
//! value    = field | …
//! ```

use crate::{
    base::event::template::{How, Of, Shown},
    compiler::Compiler,
    field::shape,
    print::Named,
    shape::Shape,
    spec::Spec,
    tables::{self, Entry, Value},
    text::Text,
    tokens::{c_string, span_of},
    types,
};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned, ToTokens};
use syn::{
    braced,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    Error, Expr, ExprRange, RangeLimits, Result, Token, Type,
};

/// Returns the key that a value is compared with, and the last one if there are several.
pub(crate) fn key_of(expr: Expr) -> Result<(Expr, Option<Expr>)> {
    Ok(match expr {
        Expr::Range(ExprRange {
            start: Some(from),
            limits: RangeLimits::Closed(_),
            end: Some(to),
            ..
        }) => (*from, Some(*to)),
        Expr::Range(range) => {
            let error = "a range includes its last value: write `..=`";
            return Err(Error::new(span_of(&range), error));
        }
        expr => (expr, None),
    })
}

/// `print_symbolic(…)` or `print_flags(…)`.
pub(crate) struct Table {
    /// The number that's looked up.
    pub(crate) of: Expr,
    /// Whether it's `print_flags`.
    is_flags: bool,
    /// The type with the names, instead of the table.
    pub(crate) ty: Option<Type>,
    pub(crate) table: tables::Table,
}

impl Table {
    /// Returns the table, if the value is one.
    pub(crate) fn of(value: &TokenStream) -> Option<Result<Self>> {
        let tokens: Vec<_> = value.clone().into_iter().collect();
        let [TokenTree::Ident(name), between @ .., TokenTree::Group(call)] = &tokens[..] else {
            return None;
        };
        let is_flags = name == "print_flags";
        // For `syn`, it's a macro.
        let is_call = matches!(between, [] | [TokenTree::Punct(_)])
            && call.delimiter() == Delimiter::Parenthesis;
        if !is_call || !is_flags && name != "print_symbolic" {
            return None;
        }
        let parse = |input: ParseStream<'_>| Self::parse(input, is_flags, call.span_close());
        Some(parse.parse2(call.stream()))
    }

    fn parse(input: ParseStream<'_>, is_flags: bool, close: Span) -> Result<Self> {
        let usage = if is_flags {
            "expected `print_flags(value, \"delimiter\", { value => \"text\", … })` or \
             `print_flags(value, Type)`"
        } else {
            "expected `print_symbolic(value, { value => \"text\", … })` or \
             `print_symbolic(value, Type)`"
        };
        let expected = |input: ParseStream<'_>| match input.is_empty() {
            true => Error::new(close, usage),
            false => input.error(usage),
        };
        let mut whole = Self {
            of: Expr::parse_without_eager_brace(input).map_err(|_| expected(input))?,
            is_flags,
            ty: None,
            table: tables::Table::default(),
        };
        input.parse::<Token![,]>().map_err(|_| expected(input))?;
        if !input.peek(syn::token::Brace) && !input.peek(syn::Lit) {
            let ty = input.parse().map_err(|_| expected(input))?;
            types::check(whole.ty.insert(ty))?;
        } else {
            let table = &mut whole.table;
            if is_flags {
                let delimiter = input.parse().map_err(|_| expected(input))?;
                table.delimiter = Some(tables::text(&delimiter)?);
                input.parse::<Token![,]>().map_err(|_| expected(input))?;
            }
            if !input.peek(syn::token::Brace) {
                return Err(expected(input));
            }
            let content;
            braced!(content in input);
            while !content.is_empty() {
                table.parse_entry(&content)?;
                if !content.is_empty() {
                    content.parse::<Token![,]>()?;
                }
            }
            // Tools can't decode a table without an entry.
            let is_none = |entry| is_flags && table.is_special(entry);
            if table.other.is_none() && table.entries.iter().all(is_none) {
                return Err(Error::new(close, "the table has no entries"));
            }
        }
        input.parse::<Option<Token![,]>>()?;
        match input.is_empty() {
            true => Ok(whole),
            false => Err(expected(input)),
        }
    }
}

impl tables::Table {
    fn parse_entry(&mut self, input: ParseStream<'_>) -> Result<()> {
        let expected = |e: Error| Error::new(e.span(), "expected `value => \"text\"`");
        if self.other.is_some() {
            return Err(input.error("nothing can follow `_`, which matches any value"));
        }
        let is_flags = self.delimiter.is_some();
        if !is_flags && input.parse::<Option<Token![_]>>()?.is_some() {
            input.parse::<Token![=>]>().map_err(expected)?;
            self.other = Some(tables::text(&input.parse().map_err(expected)?)?);
            return Ok(());
        }
        let (first, last) = key_of(input.parse().map_err(expected)?)?;
        if let (true, Some(last)) = (is_flags, &last) {
            return Err(Error::new(span_of(last), "flags have no ranges"));
        }
        input.parse::<Token![=>]>().map_err(expected)?;
        self.entries.push(Entry {
            first: Value::of(&first),
            last: last.as_ref().map(Value::of),
            name: tables::name(&input.parse().map_err(expected)?, self.delimiter.as_ref())?,
        });
        Ok(())
    }
}

/// A number that a table is for.
pub(crate) struct Number<'a> {
    pub(crate) name: &'a str,
    /// Its type, if it's that of a field which the macro knows, and for the compiler.
    pub(crate) known: Option<Shape>,
    pub(crate) of: TokenStream,
    pub(crate) size: TokenStream,
    /// Its bits, in the function that prints.
    pub(crate) bits: TokenStream,
}

/// Expands to the size of a number whose type only the compiler knows.
pub(crate) fn size_of(of: &TokenStream) -> TokenStream {
    quote!(const { __p::Of::kind(&#of).number_size() })
}

impl<'a> Compiler<'a> {
    /// Returns what was parsed, or reports the error.
    pub(crate) fn parsed<T>(&mut self, result: Result<T>) -> Option<T> {
        result
            .map_err(|error| self.error(error.span(), &error))
            .ok()
    }

    /// Returns the number in a field.
    pub(crate) fn field_number(&mut self, name: &Ident) -> Option<Number<'a>> {
        let n = self.field(&name.to_string(), name.span())?;
        let field = &self.fields[n];
        if !field.known.is_none_or(|shape| shape.kind.is_number()) {
            return self.refused(name.span(), format_args!("field `{name}` isn't a number"));
        }
        let (shape, start) = (&field.shape, &field.start);
        let of = quote!(__p::Of::Recorded(#shape));
        let size = match field.known {
            Some(shape) => shape.kind.number_size().into_token_stream(),
            None => size_of(&of),
        };
        Some(Number {
            name: &field.text,
            known: field.known,
            bits: quote! {
                // SAFETY: The record has the field there, which is a number of this size.
                (unsafe { __p::print::number(__record, #start, #size) })
            },
            of,
            size,
        })
    }

    /// Adds a number that's shown with a table, and returns the argument for it. What follows the colon in the
    /// placeholder is for the name, and it's whether that's all that is shown, rather than a part of it.
    pub(crate) fn names(
        &mut self,
        named: &Named,
        whole: &Table,
        number: &Number<'_>,
        (spec, is_all): (&str, bool),
    ) -> Option<TokenStream> {
        let (span, size, is_flags) = (named.span(), &number.size, whole.is_flags);
        let about = format!("`{}`: `{}`", self.event, named.name.unraw());
        let tokens = match &whole.ty {
            Some(ty) => {
                let (shape, at) = (shape(ty), Span::mixed_site().located_at(span_of(ty)));
                quote_spanned!(at=> *__p::table_of(#about, #shape.table, #is_flags, #size))
            }
            None => whole.table.tokens(&about, size),
        };
        let name = self.constant("TABLE", &quote!(Table<'static>), &tokens);
        let unknown = (number.of.clone(), quote!(Names(&#name, #spec, #is_all)));
        let known = number.known.filter(|_| whole.ty.is_none());
        let added = whole.table.with(|table| {
            let known = known.map(Of::Recorded).zip(table);
            let shown = known
                .map(|(of, table)| Shown::new(number.name, of, How::Names(table, spec, is_all)));
            let shown = shown.transpose()?;
            self.add(number.name, shown.as_ref(), &unknown, is_all, span);
            Ok(())
        });
        self.good(added, span, &format!("`{}`: ", named.name))?;
        let layout = Spec::of_name(spec)
            .ok()
            .filter(|layout| is_all && !layout.is_plain());
        Some(self.named(number, &quote!(#name), layout))
    }

    /// Returns the argument for a number that's shown with a table, and with a layout for the name.
    pub(crate) fn named(
        &mut self,
        number: &Number<'_>,
        table: &TokenStream,
        layout: Option<Spec>,
    ) -> TokenStream {
        let (iter, bits, size) = (self.iter(), &number.bits, &number.size);
        let call = match layout {
            None => quote!(name(#iter, __n, #size, &#table)),
            Some(layout) => {
                let format = c_string(layout.of_string(Text::<64>::new()).as_str());
                quote!(name_with(#iter, __n, #size, &#table, #format))
            }
        };
        quote! {
            match #bits {
                // SAFETY: The function that prints is at a record, and a format, if there's one, is
                // for a string.
                __n => unsafe { __p::print::#call },
            }
        }
    }
}
