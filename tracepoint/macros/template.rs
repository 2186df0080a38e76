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
//! width    = digits
//! precision = digits | field "$"
//! helper   = one of `helpers!` in `show.rs`, most of which are C's, or "errno"
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
    base::event::template::{How, Of, Shown, OPEN},
    compiler::{help_of, Compiler, Parts},
    layers,
    print::{conversion, Print},
    show::{self, Kind, Pass},
    tables::{dereference, DEREFERENCE},
    tokens::local,
    types::Field,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::{mem::take, ops::Range};
use syn::{ext::IdentExt, Error};

/// The compiled template: items that the rest needs, which go before it into the same scope, the type of the
/// `print fmt`, an array of bytes, and the `__p::Output`.
pub(crate) type Output = (TokenStream, TokenStream, TokenStream);

/// Calls a function of the library for a field.
fn call(call: TokenStream) -> TokenStream {
    quote! {
        // SAFETY: The record has the field there, and the table of fields checks its type.
        unsafe { __p::print::#call }
    }
}

impl Compiler<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        let (start, template) = (self.print.around.0.len(), &self.print.template);
        if range.start < start || range.end > start + template.value().len() {
            return template.span();
        }
        layers::subspan(template, range.start - start..range.end - start)
    }

    /// Returns the number of a field that's shown.
    pub(crate) fn field(&mut self, name: &str, span: Span) -> Option<usize> {
        let name = name.strip_prefix("r#").unwrap_or(name);
        let mut fields = self.fields.iter();
        if let Some(n) = fields.position(|field| field.text == name) {
            self.shows[n] = true;
            return Some(n);
        }
        let error = if name.is_empty() {
            "a placeholder needs the name of a field, as in `{name}`".to_owned()
        } else if name.contains(|c: char| !c.is_alphanumeric() && c != '_') {
            format!(
                "a placeholder can only contain a name: write `{{x}}`, and `x = {name}` after the \
                 template"
            )
        } else {
            let names = self.fields.iter().map(|field| &field.text);
            let names = names.filter(|name| !name.starts_with("common_"));
            let names = names.map(|name| format!("`{name}`"));
            let names = names.reduce(|all, name| format!("{all}, {name}"));
            let names = names.as_deref().unwrap_or("none");
            format!("there is no field `{name}`\nhelp: the event has {names}")
        };
        self.refused(span, error)
    }

    /// Adds text.
    fn text(&mut self, c: char) {
        let own = c.to_string();
        self.kernel.text(if c == '%' { "%%" } else { &own });
        self.format.text(match c {
            '%' => "%%",
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\t' => "\\t",
            _ => &own,
        });
    }

    /// Adds a field, shown as `spec` says.
    pub(crate) fn show(&mut self, n: usize, spec: &str, span: Span) -> Result<(), &'static str> {
        let fields = self.fields;
        let field = &fields[n];
        let (text, shape, start) = (&field.text, &field.shape, &field.start);
        let shown = |shape| Shown::new(text, Of::Recorded(shape), How::As(spec));
        let shown = field.known.map(shown).transpose()?;
        let shown = shown.as_ref();
        if shown.is_some_and(|shown| matches!(shown.show.pass, Pass::Mask | Pass::MaskList)) {
            self.values.push(call(quote!(bits(__record, #start))));
        }
        let unknown = (quote!(__p::Of::Recorded(#shape)), quote!(As(#spec)));
        let simple = shown.and_then(|shown| self.simple(n, shown));
        let value = simple.unwrap_or_else(|| {
            // An unknown one is that of the next piece.
            let (item, i) = (self.item(), self.shown.len());
            let shown = match shown {
                Some(_) => self.shown(text, &unknown, span),
                None => quote!(#item.shown[#i]),
            };
            let iter = self.iter();
            call(quote!(show(#iter, #start, &const { #shown }, !0)))
        });
        self.values.push(value);
        self.add(text, shown, &unknown, true, span);
        Ok(())
    }

    /// Returns the kernel's argument for a field, if it's a number or an address.
    pub(crate) fn simple(&self, n: usize, shown: &Shown<'_>) -> Option<TokenStream> {
        let (start, rel) = (&self.fields[n].start, shown.rel());
        let size = shown.show.kind.number_size();
        Some(call(match (shown.show.pass, shown.show.len()) {
            (Pass::Number, _) => quote!(number(__record, #start, #size)),
            (Pass::Data, Some(_)) => quote!(address(__record, #start)),
            (Pass::Data | Pass::Mask | Pass::MaskList, _) => quote!(string(__record, #start, #rel)),
            _ => return None,
        }))
    }

    /// Returns the name of the `__p::Print` that the compiler needs.
    fn item(&self) -> Ident {
        format_ident!("__PRINT_{}", self.event)
    }

    /// Adds `{name:spec}`, given where it is in the template.
    fn placeholder(&mut self, range: Range<usize>) {
        let value = self.print.text();
        let text = &value[range.clone()];
        let (name, spec) = text.split_once(':').unwrap_or((text, ""));
        let name_range = range.start..range.start + name.len();
        let spec_range = (name_range.end + 1).min(range.end)..range.end;
        self.count += 1;

        let unraw = name.strip_prefix("r#").unwrap_or(name);
        let at = self.span(match spec {
            "" => name_range.clone(),
            _ => spec_range.clone(),
        });
        let named = &self.print.named;
        if let Some(n) = named.iter().position(|named| named.name.unraw() == unraw) {
            self.used[n] = true;
            // One error is enough.
            let value = &named[n];
            self.failed[n] = self.failed[n] || layers::value(self, value, spec, at).is_none();
            return;
        }
        // With its braces, if there's nothing else.
        let name_span = match name {
            "" => self.span(name_range.start - 1..name_range.end + 1),
            _ => self.span(name_range),
        };
        let Some(n) = self.field(name, name_span) else {
            return;
        };
        let Some(spec) = self.precision(spec, spec_range) else {
            return;
        };
        let span = self.span(range);
        if let Err(error) = self.show(n, &spec, span) {
            let help = help_of(name, &spec);
            self.error(at, format_args!("field `{name}`: {error}{help}"));
        }
    }

    /// Adds the field whose name comes before the `$` in `.name$`, and returns the rest of the layout.
    fn precision(&mut self, spec: &str, range: Range<usize>) -> Option<String> {
        let Some(rest) = spec.strip_suffix('$') else {
            return Some(spec.to_owned());
        };
        let Some((before, name)) = rest.rsplit_once('.') else {
            let error = "only the precision of a string can be in a field: `.name$`";
            return self.refused(self.span(range), error);
        };
        let start = range.start + before.len() + 1;
        let span = self.span(start..start + name.len());
        let n = self.field(name, span)?;
        let (size, signed) = match self.fields[n].kind() {
            Some(Kind::Int { size, signed }) if size > 1 || !signed => (size, signed),
            _ => {
                let error = "a precision is an integer of at least 16 bits, or a `u8`";
                return self.refused(span, format!("field `{name}`: {error}"));
            }
        };
        // Tools crash on a negative precision. The lower half of a number comes first.
        let cast = if size > 2 || signed { "(u16)" } else { "" };
        self.count += 1;
        self.arguments
            .text(format!(", {cast}REC->{}", self.fields[n].text));
        let (start, size) = (&self.fields[n].start, size.min(2));
        let precision = quote!(precision(__record, #start, #size));
        self.values.push(call(precision));
        Some(format!("{before}.$"))
    }

    /// Compiles the text.
    fn run(&mut self) {
        let text = self.print.text();
        // What's there isn't a placeholder as well, so there's only one mistake.
        if let Some(place) = conversion(&text) {
            let found = &text[place.clone()];
            let error = format!(
                "`{found}` is C syntax\nhelp: write `{{name}}`, or `%{found}` for a percent sign"
            );
            self.error(self.span(place), error);
        }
        if let Some(place) = dereference(&text) {
            self.error(self.span(place), DEREFERENCE);
        }
        let end = self.print.around.0.len() + self.print.template.value().len();
        let mut i = 0;
        while let Some(c) = text[i..].chars().next() {
            let mut len = c.len_utf8();
            let rest = &text[i + len..];
            let is_open = take(&mut self.open);
            let error = match c {
                '{' | '}' | '%' if rest.starts_with(c) => {
                    len = 2;
                    None
                }
                // A placeholder contains no brace.
                '{' => match rest.split_once(['{', '}']) {
                    Some((inside, _)) if rest[inside.len()..].starts_with('}') => {
                        len = inside.len() + 2;
                        let (_, spec) = inside.split_once(':').unwrap_or_default();
                        if is_open && (spec.contains('#') || matches!(spec, "pad" | "pap")) {
                            // It begins with `0x`.
                            self.error(self.span(i..i + len), OPEN);
                        }
                        self.placeholder(i + 1..i + len - 1);
                        i += len;
                        continue;
                    }
                    _ => Some("a `{` without its `}`; write `{{` for a brace in the text"),
                },
                '}' => Some("a `}` without its `{`; write `}}` for a brace in the text"),
                '\n' if i + 1 == end => Some(
                    "the kernel ends the line itself, so this would be an empty one: leave the `\\n` out",
                ),
                '\\' if rest.is_empty() => Some(
                    "a template can't end with a backslash, which tools take for an escape of the closing quote",
                ),
                _ if is_open && c.is_ascii_alphanumeric() => Some(OPEN),
                '\n' | '\t' | ' '..='~' => None,
                _ => Some("tools can't show control characters or characters that aren't ASCII"),
            };
            match error {
                Some(error) => self.error(self.span(i..i + len), error),
                None => self.text(c),
            }
            i += len;
        }
        self.kernel.text("\n\0");
        if self.count > show::COUNT_MAX {
            let error = "a template can't have more than 63 conversions, or 59 in a span";
            self.error(self.print.template.span(), error);
        }
        for (n, field) in self.fields.iter().enumerate() {
            if let (Some(span), false) = (field.shown, self.shows[n]) {
                let error = format!("the template doesn't show the field `{}`", field.text);
                self.error(span, error);
            }
        }
        for (n, named) in self.print.named.iter().enumerate() {
            let mut others = self.print.named[..n].iter();
            if others.any(|other| other.name == named.name) {
                let error = format!("the name `{}` is given twice", named.name);
                self.error(named.name.span(), error);
            } else if !self.used[n] {
                let error = format!("the template doesn't contain `{{{}}}`", named.name);
                self.error(named.name.span(), error);
            }
        }
    }

    fn finish(mut self, symbol: &TokenStream) -> (Output, Vec<Error>) {
        let mut text = Parts::default();
        text.text("\"");
        text.append(take(&mut self.format));
        text.text("\"");
        text.append(take(&mut self.arguments));
        text.text("\0");

        let (item, constants, values) = (self.item(), &self.constants, &self.values);
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
            let part = |bytes| quote!(__p::Part::Bytes(#bytes));
            let (text, kernel, count) = (text.tokens(part), self.kernel.tokens(part), self.count);
            // An error is at the template.
            let at = Span::mixed_site().located_at(self.print.template.span());
            let print = quote_spanned! {at=>
                __p::Print::new(#count, &[#(#shown),*], #text, #kernel)
            };
            items = quote! {
                #[allow(non_upper_case_globals)]
                const #item: __p::Print = #print;
            };
            print_fmt_type = quote!([__p::u8; __p::Print::len(&#item, #item.print_fmt)]);
            print_fmt = quote!(__p::Print::text(&#item, #item.print_fmt));
            format = quote! {
                &const {
                    __p::Print::text::<{ __p::Print::len(&#item, #item.format) }>(&#item, #item.format)
                }
            };
        }
        let function = format_ident!("__trace_raw_output_{}", self.event);
        let locals = (0..values.len()).map(|n| format_ident!("__value{n}"));
        let locals: Vec<_> = locals.collect();
        let iter = local("iter");
        let init_texts = self.has_texts.then(|| {
            quote! {
                // SAFETY: The caller has passed this iterator.
                unsafe { __p::print::init_texts(#iter) };
            }
        });
        items.extend(quote! {
            #(#constants)*

            // Prints a record.
            //
            // # Safety
            //
            // Only kernel/trace may call this, with an iterator whose record is this event's.
            #symbol
            #[allow(clippy::all, unused_parens, unused_variables)]
            unsafe extern "C" fn #function(
                #iter: *mut __p::print::trace_iterator,
                _: __p::c_int,
                __event: *mut __p::print::trace_event,
            ) -> __p::print::print_line_t {
                // SAFETY: The caller passes the iterator at a record of this event.
                let __record = unsafe { __p::print::record_of(#iter) };
                #init_texts
                // The driver's own code is outside of `unsafe`.
                #(let #locals = #values;)*
                // SAFETY: The format is for these arguments, and ends with a NUL.
                __p::print::handled(unsafe {
                    __p::print::trace_output_call(
                        #iter,
                        __p::print::name_of_event(__event),
                        #format as *const __p::u8 as *mut __p::c_char
                        #(, #locals)*
                    )
                })
            }
        });
        let output = quote!(__p::Output::new(#function, #print_fmt));
        ((items, print_fmt_type, output), self.errors)
    }
}

/// Compiles the template of an event to a function with the attributes `symbol`. The output is
/// complete except for the parts with errors.
pub(crate) fn compile(
    event: &str,
    symbol: &TokenStream,
    print: &Print,
    fields: &[Field],
) -> (Output, Vec<Error>) {
    let mut compiler = Compiler {
        event,
        print,
        fields,
        errors: Vec::new(),
        used: vec![false; print.named.len()],
        failed: vec![false; print.named.len()],
        shows: vec![false; fields.len()],
        count: 0,
        open: false,
        format: Parts::default(),
        arguments: Parts::default(),
        kernel: Parts::default(),
        values: Vec::new(),
        has_texts: false,
        shown: Vec::new(),
        constants: Vec::new(),
    };
    compiler.run();
    compiler.finish(symbol)
}

#[cfg(test)]
#[path = "../../tests/macros/template.rs"]
mod tests;
