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
    base::event::{
        symbols,
        template::{How, Of, Shown},
    },
    compiler::Compiler,
    field::shape,
    layers,
    print::{Named, NAMED},
    spec::Spec,
    tables::{self, Entry, Value},
    text::Text,
    tokens::{c_string, local, span_of},
    types::Field,
};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{
    braced,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    Error, Expr, ExprRange, RangeLimits, Result, Token, Type,
};

/// The key that a value is compared with, and the last one if there are several.
pub(crate) type Key = (Expr, Option<Expr>);

pub(crate) fn key_of(expr: Expr) -> Result<Key> {
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
    pub(crate) of: TokenStream,
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
        let (name, call) = match &tokens[..] {
            [TokenTree::Ident(name), TokenTree::Group(call)] => (name, call),
            // For `syn`, it's a macro.
            [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(call)] => (name, call),
            _ => return None,
        };
        let is_flags = name == "print_flags";
        if !is_flags && name != "print_symbolic" || call.delimiter() != Delimiter::Parenthesis {
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
        let mut of = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![,]) {
            of.extend([input.parse::<TokenTree>()?]);
        }
        let mut whole = Self {
            of,
            is_flags,
            ty: None,
            table: tables::Table {
                entries: Vec::new(),
                delimiter: None,
                other: None,
            },
        };
        input.parse::<Token![,]>().map_err(|_| expected(input))?;
        if input.peek(syn::Ident) || input.peek(Token![::]) || input.peek(Token![crate]) {
            whole.ty = Some(input.parse()?);
        } else {
            let table = &mut whole.table;
            if is_flags {
                let delimiter = input.parse().map_err(|_| expected(input))?;
                tables::name(&delimiter)?;
                table.delimiter = Some(delimiter.value());
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
            self.other = Some(tables::name(&input.parse().map_err(expected)?)?);
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
            name: tables::name(&input.parse().map_err(expected)?)?,
        });
        Ok(())
    }
}

/// A number that a table is for.
pub(crate) struct Number<'a> {
    pub(crate) name: &'a str,
    /// Its type, if the macro knows it, and for the compiler.
    pub(crate) known: Option<Of<'a>>,
    pub(crate) of: TokenStream,
    /// Its bits, in the function that prints.
    pub(crate) bits: TokenStream,
}

impl Number<'_> {
    fn size(&self) -> TokenStream {
        match (self.known, &self.of) {
            (Some(known), _) => {
                let size = known.kind().number_size();
                quote!(#size)
            }
            (None, of) => quote!(const { __p::Of::kind(&#of).number_size() }),
        }
    }
}

impl<'a> Compiler<'a> {
    /// Adds the value of an argument.
    pub(crate) fn value(&mut self, n: usize, spec: &str, span: Span) -> Option<()> {
        let named = &self.print.named[n];
        if let Some(table) = Table::of(&named.value) {
            let table = self.parsed(table)?;
            if let Ok(name) = Ident::parse_any.parse2(table.of.clone()) {
                if !self.is_constant(&name) {
                    let number = self.field_number(&name)?;
                    let value = self.names(named, table, &number, (spec, true))?;
                    self.values.push(value);
                    return Some(());
                }
            }
        }
        layers::value(self, named, spec, span).unwrap_or_else(|| self.refused(named.span(), NAMED))
    }

    /// Returns what was parsed, or reports the error.
    pub(crate) fn parsed<T>(&mut self, result: Result<T>) -> Option<T> {
        result
            .map_err(|error| self.error(error.span(), &error))
            .ok()
    }

    /// Returns whether a name that isn't a field's can only be a constant's.
    pub(crate) fn is_constant(&self, name: &Ident) -> bool {
        let text = name.unraw().to_string();
        let is_upper = text.contains(|c: char| c.is_ascii_uppercase())
            && !text.contains(|c: char| c.is_ascii_lowercase());
        is_upper && !self.fields.iter().any(|field| field.text == text)
    }

    /// Returns the number in a field.
    pub(crate) fn field_number(&mut self, name: &Ident) -> Option<Number<'a>> {
        let n = self.field(&name.to_string(), name.span())?;
        let fields = self.fields;
        let Field {
            text,
            known,
            shape,
            start,
            ..
        } = &fields[n];
        if !known.is_none_or(|shape| shape.kind.is_number()) {
            return self.refused(name.span(), format_args!("field `{name}` isn't a number"));
        }
        let mut number = Number {
            name: text,
            known: known.map(Of::Recorded),
            of: quote!(__p::Of::Recorded(#shape)),
            bits: TokenStream::new(),
        };
        let (record, size) = (&self.record, number.size());
        number.bits = quote! {
            // SAFETY: The record has the field there, which is a number of this size.
            (unsafe { __p::print::number(#record, #start, #size) })
        };
        Some(number)
    }

    /// Adds a number that's shown with a table, and returns the argument for it. What follows the colon in the
    /// placeholder is for the name, and it's whether that's all that is shown, rather than a part of it.
    pub(crate) fn names(
        &mut self,
        named: &Named,
        Table {
            is_flags,
            ty,
            table,
            ..
        }: Table,
        number: &Number<'_>,
        (spec, is_all): (&str, bool),
    ) -> Option<TokenStream> {
        let (span, size) = (named.span(), number.size());
        let about = format!("`{}`: `{}`", self.event, named.name.unraw());
        let tokens = match &ty {
            Some(ty) => {
                let (shape, at) = (shape(ty), Span::mixed_site().located_at(span_of(ty)));
                quote_spanned!(at=> *__p::table_of(#about, #shape.table, #is_flags, #size))
            }
            None => table.tokens(&about, &size),
        };
        let name = self.constant_table(&tokens);
        let how = quote!(Names(&#name, #spec, #is_all));
        let mut add = |table: Option<&symbols::Table<'_>>| {
            let known = number.known.zip(table).map(|(of, table)| {
                let how = How::Names(table, spec, is_all);
                Shown::new(number.name, of, how)
            });
            let known = known.transpose()?;
            self.add(
                number.name,
                known.as_ref(),
                (&number.of, &how),
                is_all,
                span,
            );
            Ok(())
        };
        let added = match ty {
            Some(_) => None,
            None => table.with(|table| add(Some(table))),
        };
        let added = added.unwrap_or_else(|| add(None));
        self.good(added, span, format_args!("`{}`: ", named.name))?;
        let layout = Spec::of_name(spec)
            .ok()
            .filter(|layout| is_all && !layout.is_plain());
        Some(self.named(number, &name, layout))
    }

    /// Returns the argument for a number that's shown with a table, and with a layout for the name.
    pub(crate) fn named(
        &self,
        number: &Number<'_>,
        table: &TokenStream,
        layout: Option<Spec>,
    ) -> TokenStream {
        let (iter, n, bits, size) = (self.iter(), local("n"), &number.bits, number.size());
        let call = match layout {
            None => quote!(name(#iter, #n, #size, &#table)),
            Some(layout) => {
                let format = c_string(layout.of_string(Text::<64>::new()).as_str());
                quote!(name_with(#iter, #n, #size, &#table, #format))
            }
        };
        quote! {
            match #bits {
                // SAFETY: The function that prints is at a record, and a format, if there's one, is
                // for a string.
                #n => unsafe { __p::print::#call },
            }
        }
    }
}
