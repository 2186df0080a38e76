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
    base::event::template::{How, Of},
    compiler::Compiler,
    field::shape,
    layers,
    print::{Named, NAMED},
    show::{Kind, Show},
    spec::Spec,
    tables::{self, Entry, Size, Value},
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
    Error, Expr, ExprRange, LitStr, RangeLimits, Result, Token, Type,
};

/// What a value is compared with, and the last one if there are several.
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
    pub(crate) is_flags: bool,
    /// The type with the names, instead of the table.
    pub(crate) ty: Option<Type>,
    /// Without its size.
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
        let expected = |_| match input.is_empty() {
            true => Error::new(close, usage),
            false => Error::new(input.span(), usage),
        };
        if input.is_empty() {
            return Err(expected(input.error("")));
        }
        let mut of = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![,]) {
            of.extend([input.parse::<TokenTree>()?]);
        }
        let mut table = Self {
            of,
            is_flags,
            ty: None,
            table: tables::Table {
                entries: Vec::new(),
                delimiter: None,
                other: None,
                size: Size::default(),
                about: String::new(),
            },
        };
        input.parse::<Token![,]>().map_err(expected)?;
        let is_type =
            || input.peek(syn::Ident) || input.peek(Token![::]) || input.peek(Token![crate]);
        if is_type() {
            table.ty = Some(input.parse()?);
        } else {
            if is_flags {
                let error = "expected the delimiter between two names, such as `\"|\"`";
                table.table.delimiter =
                    Some(input.parse().map_err(|e| Error::new(e.span(), error))?);
                input.parse::<Token![,]>().map_err(expected)?;
                if is_type() {
                    let error = "the type has a delimiter of its own: leave this one out";
                    return Err(input.error(error));
                }
            } else if input.peek(LitStr) {
                let error = "`print_symbolic` has no delimiter: did you mean `print_flags`?";
                return Err(input.error(error));
            }
            if !input.peek(syn::token::Brace) {
                return Err(expected(input.error("")));
            }
            let content;
            braced!(content in input);
            while !content.is_empty() {
                table.entry(&content)?;
                if !content.is_empty() && content.parse::<Token![,]>().is_err() {
                    return Err(content.error("expected `,` between two entries of the table"));
                }
            }
        }
        input.parse::<Option<Token![,]>>()?;
        if !input.is_empty() {
            return Err(input.error(format!("too many arguments; {usage}")));
        }
        // Tools can't decode a table without an entry.
        let of = &table.table;
        let is_none = |entry| is_flags && of.is_special(entry);
        if table.ty.is_none() && of.other.is_none() && of.entries.iter().all(is_none) {
            let error = match is_flags {
                true => "the table has no flags",
                false => "the table has no entries",
            };
            return Err(Error::new(close, error));
        }
        Ok(table)
    }

    fn entry(&mut self, input: ParseStream<'_>) -> Result<()> {
        let expected = |e: Error| Error::new(e.span(), "expected `value => \"text\"`");
        if self.table.other.is_some() {
            return Err(input.error("nothing can follow `_`, which matches any value"));
        }
        if input.parse::<Option<Token![_]>>()?.is_some() {
            input.parse::<Token![=>]>().map_err(expected)?;
            if self.is_flags {
                return Err(input.error(
                    "`_` can't be used with flags: `0 => \"text\"` names the value without any flags",
                ));
            }
            self.table.other = Some(input.parse().map_err(expected)?);
            return Ok(());
        }
        let key = key_of(input.parse().map_err(expected)?)?;
        if let (true, Some(to)) = (self.is_flags, &key.1) {
            return Err(Error::new(span_of(to), "flags have no ranges"));
        }
        input.parse::<Token![=>]>().map_err(expected)?;
        self.table.entries.push(Entry {
            first: Value::of(&key.0),
            last: key.1.as_ref().map(Value::of),
            name: input.parse().map_err(expected)?,
        });
        Ok(())
    }
}

/// A number that a table is for.
pub(crate) struct Number<'a> {
    pub(crate) name: &'a str,
    /// What it is, if the macro knows it, and for the compiler.
    pub(crate) known: Option<Of<'a>>,
    pub(crate) of: TokenStream,
    /// Its bits, in the function that prints.
    pub(crate) bits: TokenStream,
}

impl Number<'_> {
    fn size(&self) -> Size {
        let known = self.known.map(|of| of.kind().number_size());
        let of = &self.of;
        let tokens = match known {
            Some(size) => quote!(#size),
            None => quote!(const { __p::Of::kind(&#of).number_size() }),
        };
        Size { tokens, known }
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
                    return self.string(spec, span, |this, spec| {
                        this.names(named, table, &number, spec)
                    });
                }
            }
        }
        layers::value(self, named, spec, span).unwrap_or_else(|| {
            self.error(named.span(), NAMED);
            None
        })
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
            self.error(name.span(), format_args!("field `{name}` isn't a number"));
            return None;
        }
        let mut number = Number {
            name: text,
            known: known.map(Of::Recorded),
            of: quote!(__p::Of::Recorded(#shape)),
            bits: TokenStream::new(),
        };
        let (record, size) = (&self.record, number.size().tokens);
        number.bits = quote! {
            // SAFETY: The record has it there.
            (unsafe { __p::print::number(#record, #start, #size) })
        };
        Some(number)
    }

    /// Adds a value that's a text, with what `add` adds to the arguments and returns as the kernel's argument.
    pub(crate) fn string(
        &mut self,
        spec: &str,
        span: Span,
        add: impl FnOnce(&mut Self, &Spec) -> Option<TokenStream>,
    ) -> Option<()> {
        let spec = match Show::new(Kind::Str, false, spec) {
            Ok(Show {
                spec: Some(spec), ..
            }) if !spec.has_star() => spec,
            Ok(_) => {
                self.error(span, "a computed string has only a width and a precision");
                return None;
            }
            Err(error) => {
                self.error(span, error);
                return None;
            }
        };
        self.check_count(span, true);
        self.format.text(spec.of_string(Text::<64>::new()).as_str());
        self.kernel.text("%s");
        self.arguments.text(", ");
        let value = add(self, &spec)?;
        self.values.push(value);
        Some(())
    }

    /// Adds a number that's shown with a table, and returns the argument for it.
    pub(crate) fn names(
        &mut self,
        named: &Named,
        Table {
            is_flags,
            ty,
            mut table,
            ..
        }: Table,
        number: &Number<'_>,
        spec: &Spec,
    ) -> Option<TokenStream> {
        let span = named.span();
        let about = format!("`{}`: `{}`", self.event, named.name.unraw());
        if !spec.is_plain() && (ty.is_some() || table.delimiter.is_some()) {
            // Tools would have it for each of the flags.
            self.error(
                span,
                match ty {
                    Some(_) => "the names of a type have no width",
                    None => "flags have no width",
                },
            );
            return None;
        }
        let (known, tokens) = match &ty {
            Some(ty) => {
                let (shape, size) = (shape(ty), number.size().tokens);
                let at = Span::mixed_site().located_at(span_of(ty));
                (
                    None,
                    quote_spanned!(at=> *__p::table_of(#about, #shape.table, #is_flags, #size)),
                )
            }
            None => {
                (table.size, table.about) = (number.size(), about);
                let errors = table.check();
                let is_good = errors.is_empty();
                self.errors.extend(errors);
                if !is_good {
                    return None;
                }
                let tokens = table.tokens();
                (Some(table), tokens)
            }
        };
        let name = self.constant_table(&tokens);
        let piece = |how: Option<How<'_>>| {
            let tokens = (&number.of, quote!(Names(&#name)));
            let shown = self.piece(number.name, number.known.zip(how), tokens, span);
            shown.map(|(piece, _)| piece)
        };
        let shown = known.and_then(|table| table.with(|table| piece(Some(How::Names(table)))));
        let shown = shown.unwrap_or_else(|| piece(None));
        let piece = self.good(shown, span, format_args!(""))?;
        self.add_argument(piece);
        Some(self.named(number, &name, spec))
    }

    /// Returns the argument for a number that's shown with a table.
    pub(crate) fn named(
        &self,
        number: &Number<'_>,
        table: &TokenStream,
        spec: &Spec,
    ) -> TokenStream {
        let (iter, n, bits, size) = (&self.iter, local("n"), &number.bits, number.size().tokens);
        let (function, format) = if spec.is_plain() {
            (quote!(name), None)
        } else {
            let format = c_string(spec.of_string(Text::<64>::new()).as_str());
            (quote!(name_with), Some(quote!(, #format)))
        };
        quote! {
            match #bits {
                // SAFETY: The function that prints is at a record.
                #n => unsafe { __p::print::#function(#iter, #n, #size, &#table #format) },
            }
        }
    }
}
