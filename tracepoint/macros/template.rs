// SPDX-License-Identifier: GPL-2.0

//! Print templates: what `cat trace` shows of an event.
//!
//! A template is compiled to the function that prints a record in the kernel, as C's
//! `trace_raw_output_CLASS()`, and to the `print fmt` of the event's `format` file, from which tools decode
//! a binary record. Both come from one template, so the kernel and the tools show the same text.
//!
//! ```text
//! template = { text | "{{" | "}}" | "%%" | "{" name [ ":" spec ] "}" }
//! name     = a field, or the name of an argument that follows the template
//! spec     = helper | [ "<" | ">" ] [ "+" ] [ "#" ] [ "0" ] [ width ] [ "." precision ] [ "x" | "X" | "o" | "c" ]
//! width, precision = digits | field "$"
//! helper   = "print_hex" | "print_hex_str" | "print_hex_dump" | "print_array" | "print_ns_to_secs"
//!          | "print_ns_without_secs" | "dev_t" | "list" | "len" | "errno" | a conversion of C's `%p…`
//! ```
//!
//! `print_hex_dump` shows lines of bytes, each with its offset and its characters. It is for
//! the kernel's own `trace`: tools don't know it (libtraceevent 1.8.4) and show the fields of such
//! an event instead, as they do for C.
//!
//! A single `%` is a percent sign, too, unless what follows makes it a conversion of C's, such as `%d`.
//!
//! The arguments after the template are in [`value`](crate::value).

use crate::{
    compiler::{bytes, help_of, Compiler, Lookup, Meaning, Part, Parts},
    computed::TableText,
    hygiene::hidden,
    print::{conversions, Print},
    show::{self, Kind, Pass, Read, Show, Spec},
    text::Text,
    tokens::local,
    types::Field,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::ops::Range;
use syn::{ext::IdentExt, Error};

/// What a template is compiled to.
pub(crate) struct Output {
    /// Items that the rest needs. They go before it, into the same scope.
    pub(crate) items: TokenStream,
    /// The type of `print_fmt`: an array of bytes.
    pub(crate) print_fmt_type: TokenStream,
    /// The `print fmt`, a C string.
    pub(crate) print_fmt: TokenStream,
    /// The function that prints.
    pub(crate) function: Ident,
}

impl<'a> Compiler<'a> {
    pub(crate) fn error(&mut self, span: Span, error: impl std::fmt::Display) {
        let error = format!("`{}`: {error}", self.event);
        self.errors.push(Error::new(span, error));
    }

    fn span(&self, range: Range<usize>) -> Span {
        self.print.span(range)
    }

    /// Returns the number of a field.
    pub(crate) fn field(&mut self, name: &str, span: Span) -> Option<usize> {
        let name = name.strip_prefix("r#").unwrap_or(name);
        let found = self
            .fields
            .iter()
            .position(|field| field.name.unraw() == name);
        if found.is_none() && name.is_empty() {
            self.error(
                span,
                "a placeholder needs the name of a field, as in `{name}`",
            );
        } else if found.is_none() && name.contains(|c: char| !c.is_alphanumeric() && c != '_') {
            let error = format!(
                "a placeholder can only contain a name: write `{{x}}`, and `x = {name}` after the \
                 template"
            );
            self.error(span, error);
        } else if found.is_none() {
            let names = self
                .fields
                .iter()
                .filter(|field| !field.text.starts_with("common_"));
            let names: Vec<_> = names.map(|field| format!("`{}`", field.name)).collect();
            let names = match &names[..] {
                [] => "none".to_owned(),
                names => names.join(", "),
            };
            let error = format!("there is no field `{name}`\nhelp: the event has {names}");
            self.error(span, error);
        }
        found
    }

    /// Adds text.
    fn text(&mut self, text: &[u8]) {
        for byte in text {
            self.kernel.bytes(match byte {
                b'%' => b"%%",
                byte => std::slice::from_ref(byte),
            });
            self.format.bytes(match byte {
                b'%' => b"%%",
                b'"' => b"\\\"",
                b'\\' => b"\\\\",
                b'\n' => b"\\n",
                b'\t' => b"\\t",
                byte => std::slice::from_ref(byte),
            });
        }
    }

    /// Adds a field that is known, with the text of its table, if it has one.
    pub(crate) fn known(&mut self, n: usize, kind: Kind, show: Show, table: Option<TableText>) {
        let field = &self.fields[n];
        let name = field.name.unraw().to_string();
        self.count += show.more();
        self.conversion(&kind, &show);
        self.arguments.bytes(b", ");
        let value = self.argument(n, &kind, &show, table.as_ref().map(|table| &table.tokens));
        self.values.push(value);
        match table {
            Some(table) => {
                let head = show::helper_of_table(Text::new(), table.is_flags);
                let head = head.str("REC->").str(&name);
                self.arguments.bytes(bytes(&head));
                self.arguments.bytes(table.text.as_bytes());
                self.arguments.bytes(b")");
            }
            None => {
                let argument = show::argument(Text::new(), &name, &kind, field.rel, &show);
                self.arguments.bytes(bytes(&argument));
            }
        }
    }

    /// Adds a conversion.
    pub(crate) fn conversion(&mut self, kind: &Kind, show: &Show) {
        self.format
            .bytes(bytes(&show::format(Text::new(), kind, show)));
        self.kernel
            .bytes(bytes(&show::kernel_format(Text::new(), kind, show)));
    }

    /// Returns the argument for a field, with the table that shows it.
    pub(crate) fn argument(
        &self,
        n: usize,
        kind: &Kind,
        show: &Show,
        table: Option<&TokenStream>,
    ) -> TokenStream {
        let Field { start, rel, .. } = &self.fields[n];
        let (iter, record) = (&self.iter, &self.record);
        let Read { pass, size, len } = show::read(kind, show);
        let call = match (pass, table, len) {
            (Pass::Number, None, _) => quote!(number(#record, #start, #size)),
            (Pass::Data, _, Some(_)) => quote!(address(#record, #start)),
            (Pass::Data, _, None) => quote!(string(#record, #start, #rel)),
            _ => {
                let argument = self.shown_field(n, kind, show, table);
                quote!(show(#iter, &const { #argument }, !0))
            }
        };
        quote! {
            // SAFETY: The record has the field there, and the table of fields checks its type.
            unsafe { __p::print::#call }
        }
    }

    /// Returns how a field is shown, a `__p::Argument`.
    pub(crate) fn shown_field(
        &self,
        n: usize,
        kind: &Kind,
        show: &Show,
        table: Option<&TokenStream>,
    ) -> TokenStream {
        let Field { start, rel, .. } = &self.fields[n];
        let Read { pass, size, len } = show::read(kind, show);
        let pass = format_ident!("{pass:?}");
        let option = |tokens: Option<TokenStream>| match tokens {
            Some(tokens) => quote!(__p::Some(#tokens)),
            None => quote!(__p::None),
        };
        let len = option(len.map(Literal::usize_unsuffixed).map(|len| quote!(#len)));
        let table = option(table.map(|table| quote!(&#table)));
        quote! {
            __p::Argument {
                offset: #start,
                rel: #rel,
                read: __p::Read { pass: __p::Pass::#pass, size: #size, len: #len },
                table: #table,
            }
        }
    }

    /// Returns the name of a constant for a table.
    pub(crate) fn constant_table(&mut self, table: &TokenStream) -> TokenStream {
        let name = hidden(&format!("__TABLE_{}_{}", self.event, self.tables.len()));
        self.tables.push(quote! {
            #[allow(non_upper_case_globals)]
            const #name: __p::Table = #table;
        });
        quote!(#name)
    }

    /// Adds a field that the compiler has to look at. `shown` gets the first arguments of
    /// `__p::Shown`'s functions and returns the call.
    pub(crate) fn unknown(&mut self, n: usize, shown: impl FnOnce(TokenStream) -> TokenStream) {
        let Field {
            name, shape, chars, ..
        } = &self.fields[n];
        self.arguments.bytes(b", ");
        let (event, text) = (self.event, name.unraw().to_string());
        let shape = if *chars {
            quote!(__p::Shape::chars(#shape))
        } else {
            quote!(#shape)
        };
        let (i, item, iter) = (self.shown.len(), self.item(), &self.iter);
        self.format.push(Part::Shown("Format", i));
        self.kernel.push(Part::Shown("KernelFormat", i));
        self.values.push(quote! {
            // SAFETY: The record has the field there.
            unsafe { __p::print::show(#iter, &const { __p::Print::argument(&#item, #i) }, !0) }
        });
        self.shown(shown(quote!(#event, #text, #shape)));
    }

    /// Adds the argument of a `__p::Shown` in the `print fmt`.
    pub(crate) fn shown(&mut self, shown: TokenStream) {
        let i = self.shown.len();
        self.arguments.push(Part::Shown("Argument", i));
        self.shown.push(shown);
    }

    /// Returns the name of the item that `unknown` needs.
    fn item(&self) -> Ident {
        hidden(&format!("__PRINT_{}", self.event))
    }

    /// Adds `{name:spec}`, given where it is in the template.
    fn placeholder(&mut self, range: Range<usize>) {
        let value = self.print.text();
        let text = &value[range.clone()];
        let (name, spec) = text.split_once(':').unwrap_or((text, ""));
        let name_range = range.start..range.start + name.len();
        let spec_range = (name_range.end + 1).min(range.end)..range.end;
        self.count += 1;

        // What a `*` stands for would be one more argument.
        if spec.contains('*') {
            let error =
                format!("field `{name}`: a width in a field is written `{{{name}:width$}}`");
            self.error(self.span(spec_range), error);
            return;
        }
        let unraw = name.strip_prefix("r#").unwrap_or(name);
        let span = Span::mixed_site().located_at(self.span(range));
        let named = &self.print.named;
        if let Some(n) = named.iter().position(|named| named.name.unraw() == unraw) {
            self.used[n] = true;
            let meaning = self.meanings[n].take();
            let (field, table) = match meaning {
                Some(Meaning::Lookup(Lookup { field, table })) if spec.is_empty() => (field, table),
                Some(meaning @ (Meaning::Value | Meaning::Lookup(_))) => {
                    let span = if spec.is_empty() {
                        name_range
                    } else {
                        spec_range
                    };
                    let shown = self.value(n, spec, self.span(span));
                    // One error is enough.
                    self.meanings[n] = Some(match shown {
                        Some(()) => meaning,
                        None => Meaning::Error,
                    });
                    return;
                }
                _ => return,
            };
            self.check_count(span, true);
            self.shows[field] = true;
            match (self.fields[field].kind, table.text()) {
                (Some(kind), Some(text)) => {
                    let table = TableText {
                        is_flags: table.delimiter.is_some(),
                        text,
                        tokens: self.constant_table(&table.tokens()),
                    };
                    self.known(field, kind, Show::Table, Some(table));
                }
                _ => {
                    let tokens = table.tokens();
                    let place = &self.fields[field].start;
                    self.unknown(
                        field,
                        |head| quote_spanned!(span=> __p::Shown::named(#head, &#tokens, #place)),
                    );
                }
            }
            self.meanings[n] = Some(Meaning::Lookup(Lookup { field, table }));
            return;
        }

        // With its braces, if there's nothing else.
        let name_span = match name {
            "" => self.span(name_range.start - 1..name_range.end + 1),
            _ => self.span(name_range.clone()),
        };
        let Some(n) = self.field(name, name_span) else {
            return;
        };
        self.shows[n] = true;
        let Some((spec, star)) = self.star(spec, spec_range.clone()) else {
            return;
        };
        let spec = spec.as_str();
        let is_spec = !show::is_helper(spec);
        let kind = self.fields[n].kind;
        if spec == "errno" {
            self.check_count(span, true);
            match TableText::errno(kind) {
                Ok((kind, table)) => self.known(n, kind, Show::Table, Some(table)),
                Err(error) => {
                    self.error(self.span(spec_range), format!("field `{name}`: {error}"));
                }
            }
            return;
        }
        let show = match kind {
            Some(kind) => Show::new(kind, false, spec).map(|show| Some((kind, show))),
            None if is_spec => Spec::parse(spec).map(|_| None),
            // Whether there is such a helper doesn't depend on the kind.
            None => match Show::new(Kind::Pointer, false, spec) {
                Err(error) if error == show::NO_HELPER => Err(error),
                _ => Ok(None),
            },
        };
        match show {
            Ok(Some((kind, show))) => {
                let is_number = matches!(show, Show::Number(_) | Show::Len | Show::Dev);
                self.check_count(span, !is_number);
                self.width(star);
                self.known(n, kind, show, None);
                self.count_width(star, &kind, &show);
            }
            Ok(None) if star.is_some() => {
                let error = "only a type that the macro knows can have its width in a field";
                self.error(self.span(spec_range), error);
            }
            Ok(None) => {
                self.check_count(span, true);
                let place = &self.fields[n].start;
                self.unknown(n, |head| {
                    quote_spanned! {span=>
                        __p::Shown::new(
                            #head,
                            #spec,
                            #place,
                        )
                    }
                });
            }
            Err(error) => {
                let at = if spec.is_empty() {
                    name_range
                } else {
                    spec_range
                };
                let help = help_of(name, spec);
                let error = format!("field `{name}`: {error}{help}");
                self.error(self.span(at), error);
            }
        }
    }

    /// Replaces the name of a field in a layout by a `*`, and returns the number of the field.
    fn star(&mut self, spec: &str, range: Range<usize>) -> Option<(String, Option<usize>)> {
        let Some((before, after)) = spec.split_once('$') else {
            return Some((spec.into(), None));
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let flags = before.trim_end_matches(is_word).len();
        let flags = flags + before[flags..].len() - before[flags..].trim_start_matches('0').len();
        let name = &before[flags..];
        let place = range.start + flags..range.start + before.len();
        let n = self.field(name, self.span(place.clone()))?;
        let is_precision = before[..flags].ends_with('.');
        match self.fields[n].kind {
            Some(Kind::Int {
                size: 1 | 2,
                signed: false,
            }) => {}
            Some(Kind::Int { size: 2.., .. }) if is_precision => {}
            _ => {
                let error = if is_precision {
                    "a precision is an integer of at least 16 bits, or a `u8`"
                } else {
                    "a width is a `u8` or a `u16`"
                };
                self.error(self.span(place), format!("field `{name}`: {error}"));
                return None;
            }
        }
        self.shows[n] = true;
        Some((format!("{}*{after}", &before[..flags]), Some(n)))
    }

    /// Adds the width or precision that's in a field.
    fn width(&mut self, star: Option<usize>) {
        let Some(n) = star else {
            return;
        };
        let (size, signed) = match self.fields[n].kind {
            Some(Kind::Int { size, signed }) => (size, signed),
            _ => (1, false),
        };
        // Tools crash on a negative precision. The lower half of a number comes first.
        let cast = if size > 2 || signed { "(u16)" } else { "" };
        self.count += 1;
        self.arguments
            .bytes(format!(", {cast}REC->{}", self.fields[n].text).as_bytes());
        let (record, start, size) = (&self.record, &self.fields[n].start, size.min(2));
        self.values.push(quote! {
            // SAFETY: The record has the field there.
            unsafe { __p::print::width(#record, #start, #size) }
        });
    }

    /// Notes whether the kernel's check misses the width.
    fn count_width(&mut self, star: Option<usize>, kind: &Kind, show: &Show) {
        let format = show::format(Text::<64>::new(), kind, show);
        let format = format.as_str();
        let is_counted = format.ends_with('s') && !format.contains('-');
        self.is_miscounted |= star.is_some() && !is_counted;
    }

    /// Checks that the kernel's check finds the argument that's shown next.
    pub(crate) fn check_count(&mut self, span: Span, is_dereferenced: bool) {
        if self.is_miscounted && is_dereferenced {
            let error = "only numbers can follow one with its width in a field, or the kernel's \
                         check of the format fails (`test_event_printk()`)";
            self.error(span, error);
        }
    }

    /// Compiles the text.
    fn run(&mut self) {
        let value = self.print.text();
        // What's there is no placeholder, so it's one mistake.
        if let Some(conversion) = conversions(&value).next() {
            let text = &value[conversion.clone()];
            let error = format!(
                "`{text}` is C syntax\nhelp: write `{{name}}`, or `%{text}` for a percent sign"
            );
            self.error(self.span(conversion), error);
        }
        let own = self.print.template.value();
        if own.ends_with('\n') {
            let end = self.print.around.0.len() + own.len();
            let error = "the kernel ends the line itself, so this would be an empty one: leave the `\\n` out";
            self.error(self.span(end - 1..end), error);
        }
        let text = value.as_bytes();
        let mut i = 0;
        while i < text.len() {
            match text[i] {
                b'%' if text.get(i + 1) == Some(&b'%') => {
                    self.text(b"%");
                    i += 2;
                }
                brace @ (b'{' | b'}') if text.get(i + 1) == Some(&brace) => {
                    self.text(&[brace]);
                    i += 2;
                }
                b'}' => {
                    let error = "a `}` without its `{`; write `}}` for a brace in the text";
                    self.error(self.span(i..i + 1), error);
                    i += 1;
                }
                b'{' => {
                    // A placeholder contains no brace.
                    let len = value[i + 1..].find(['{', '}']);
                    let Some(end) = len.map(|len| i + 1 + len).filter(|end| text[*end] == b'}')
                    else {
                        let error = "a `{` without its `}`; write `{{` for a brace in the text";
                        self.error(self.span(i..i + 1), error);
                        i += 1;
                        continue;
                    };
                    self.placeholder(i + 1..end);
                    i = end + 1;
                }
                b'\\' if i + 1 == text.len() => {
                    let error = "a template can't end with a backslash, which tools take for an \
                                 escape of the closing quote";
                    self.error(self.span(i..i + 1), error);
                    i += 1;
                }
                byte @ (b'\n' | b'\t' | b' '..=b'~') => {
                    self.text(&[byte]);
                    i += 1;
                }
                _ => {
                    let len = value[i..].chars().next().map_or(1, char::len_utf8);
                    let error = "tools can't show control characters or characters that aren't \
                                 ASCII";
                    self.error(self.span(i..i + len), error);
                    i += len;
                }
            }
        }
        self.kernel.bytes(b"\n\0");
        if self.count > show::COUNT_MAX {
            let error = "a template can't show more than 63 fields";
            self.error(self.print.template.span(), error);
        }
        for (n, field) in self.fields.iter().enumerate() {
            if field.shown && !self.shows[n] {
                let error = format!("the template doesn't show the field `{}`", field.name);
                self.error(field.name.span(), error);
            }
        }
        for (n, named) in self.print.named.iter().enumerate() {
            if !self.used[n] {
                let error = format!("the template doesn't contain `{{{}}}`", named.name);
                self.error(named.name.span(), error);
            }
        }
    }

    fn finish(mut self) -> (Output, Vec<Error>) {
        let mut text = Parts::default();
        text.bytes(b"\"");
        text.append(std::mem::take(&mut self.format));
        text.bytes(b"\"");
        text.append(std::mem::take(&mut self.arguments));
        text.bytes(b"\0");

        let (item, tables, values) = (self.item(), &self.tables, &self.values);
        let (mut items, print_fmt_type, print_fmt, format);
        if let (Some(text), Some(kernel)) = (text.known(), self.kernel.known()) {
            items = TokenStream::new();
            let (len, text) = (text.len(), Literal::byte_string(text));
            print_fmt_type = quote!([__p::u8; #len]);
            print_fmt = quote!(*#text);
            let kernel = Literal::byte_string(kernel);
            format = quote!(#kernel);
        } else {
            let shown = &self.shown;
            let (text, kernel, count) = (text.tokens(), self.kernel.tokens(), self.count);
            items = quote! {
                #[allow(non_upper_case_globals)]
                const #item: __p::Print = __p::Print {
                    count: #count,
                    shown: &[#(#shown),*],
                    print_fmt: #text,
                    format: #kernel,
                };
            };
            print_fmt_type = quote!([__p::u8; __p::Print::print_fmt_len(&#item)]);
            print_fmt = quote!(__p::Print::print_fmt(&#item));
            format = quote! {
                &const { __p::Print::format::<{ __p::Print::format_len(&#item) }>(&#item) }
            };
        }
        let (iter, record, event) = (&self.iter, &self.record, local("event"));
        let function = hidden(&format!("__trace_raw_output_{}", self.event));
        let symbol = &self.symbol;
        let locals: Vec<_> = (0..values.len())
            .map(|n| local(&format!("value{n}")))
            .collect();
        items.extend(quote! {
            #(#tables)*

            // Prints a record.
            //
            // # Safety
            //
            // Called by kernel/trace/trace_output.c, for an event of this class.
            #[export_name = #symbol]
            #[linkage = "internal"]
            #[allow(clippy::all, unused_parens, unused_variables)]
            unsafe extern "C" fn #function(
                #iter: *mut __p::print::trace_iterator,
                _: __p::c_int,
                #event: *mut __p::print::trace_event,
            ) -> __p::print::print_line_t {
                // SAFETY: By the caller.
                let #record = match unsafe { __p::print::prepare(#iter, #event) } {
                    ::core::result::Result::Ok(#record) => #record,
                    ::core::result::Result::Err(#event) => return #event,
                };
                // What a driver wrote is outside of `unsafe`.
                #(let #locals = #values;)*
                // SAFETY: The format is for these arguments, and ends with a NUL.
                unsafe {
                    __p::print::trace_event_printf(
                        #iter,
                        #format as *const __p::u8 as *const __p::c_char
                        #(, #locals)*
                    );
                    __p::print::handled(#iter)
                }
            }
        });
        let output = Output {
            items,
            print_fmt_type,
            print_fmt,
            function,
        };
        (output, self.errors)
    }
}

/// Compiles the template of an event to a function called `symbol`. The output is complete
/// except for the parts with errors.
pub(crate) fn compile(
    event: &str,
    symbol: String,
    print: &Print,
    fields: &[Field<'_>],
) -> (Output, Vec<Error>) {
    let mut compiler = Compiler {
        event,
        symbol,
        print,
        fields,
        errors: Vec::new(),
        used: vec![false; print.named.len()],
        meanings: Vec::new(),
        is_miscounted: false,
        shows: vec![false; fields.len()],
        count: 0,
        format: Parts::default(),
        arguments: Parts::default(),
        kernel: Parts::default(),
        values: Vec::new(),
        shown: Vec::new(),
        tables: Vec::new(),
        iter: local("iter"),
        record: local("record"),
    };
    for n in 0..print.named.len() {
        let meaning = compiler.meaning(n);
        compiler.meanings.push(Some(meaning));
    }
    compiler.run();
    compiler.finish()
}

#[cfg(test)]
#[path = "../../tests/macros/template.rs"]
mod tests;
