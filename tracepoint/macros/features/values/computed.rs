// SPDX-License-Identifier: GPL-2.0

//! The template's part of the [expressions](super) that follow it: their text in the `print fmt`, and the
//! argument of the function that prints.

use super::{as_text, branches, chain_of, is_text, table_of};
use crate::{
    base::event::template::{How, Of, Shown},
    compiler::{help_of, Compiler},
    print::Named,
    show::Kind,
    spec::Spec,
    tables,
    text::Text,
    tokens::{as_name, c_string, inner, span_of},
    value::{size_of, Number, Table},
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ext::IdentExt, Expr, Result};

impl Table {
    /// Whether C has no such table.
    fn is_choice(&self) -> bool {
        let mut entries = self.table.entries.iter();
        self.ty.is_some()
            || self.table.other.is_some()
            || entries.any(|entry| self.table.is_special(entry))
    }
}

impl<'a> Compiler<'a> {
    /// Adds the value of an argument.
    pub(crate) fn computed_value(&mut self, named: &Named, spec: &str, span: Span) -> Option<()> {
        let value = self.parsed(super::parse(&named.value))?;
        let is_string = |kind| matches!(kind, Kind::Str | Kind::Chars { .. });
        if let Some(table) = table_of(&value) {
            let value = self.looked_up(named, table, (spec, true))?;
            self.values.push(value);
            return Some(());
        }
        if is_text(&value, self.fields, is_string) {
            let layout = self.good(Spec::of_name(spec), span, "")?;
            let format = layout.of_string(Text::<64>::new());
            self.format.text(format.as_str());
            self.kernel.text(format.as_str());
            // `process_string()` (kernel/trace/trace_events.c) looks for a literal or what returns a string, or
            // would take the number in a condition for it.
            let is_found = |kind| matches!(kind, Kind::Str);
            let has_string = as_name(&value).is_some() || is_text(&value, self.fields, is_found);
            let start = if has_string { ", " } else { ", (0) ? \"\" : (" };
            self.arguments.text(start);
            let text = self.text_value(named, &value, spec)?;
            self.arguments.text(if has_string { "" } else { ")" });
            self.values.push(text);
            return Some(());
        }
        let name = named.name.unraw().to_string();
        // Some mistakes don't depend on the type.
        let shows = [(4, true), (8, true), (8, false)].map(|(size, signed)| {
            let of = Of::Computed(Kind::Int { size, signed }, "");
            Shown::new(&name, of, How::As(spec))
        });
        if let [Err(error), Err(_), Err(_)] = shows {
            let help = help_of(&named.name.to_string(), spec);
            return self.refused(span, format_args!("`{name}`: {error}{help}"));
        }
        // A table takes it for an operand.
        let number = self.computed(&name, &value, spec == "errno")?;
        let value = match spec {
            "errno" => self.named(&number, &quote!(__p::ERRNO_TABLE), None),
            _ => number.bits.clone(),
        };
        self.values.push(value);
        self.add(&name, None, &(number.of, quote!(As(#spec))), true, span);
        Some(())
    }

    /// Writes a value that must be a number. `exact` is whether its text is an operand.
    fn computed<'b>(&mut self, name: &'b str, expr: &Expr, exact: bool) -> Option<Number<'b>> {
        let number = self.number(expr)?;
        let span = span_of(inner(expr));
        let bits = number.bits(Span::mixed_site().located_at(span));
        let c = self.written(number.c, exact, span);
        let of = quote!(__p::values::Value::of(&#c));
        Some(Number {
            name,
            known: None,
            size: size_of(&of),
            of,
            bits,
        })
    }

    /// Returns the name of a field. A name that isn't a field's can be one that only a constant has.
    pub(super) fn name_of_field<'e>(&self, expr: &'e Expr) -> Option<&'e Ident> {
        let name = as_name(expr)?;
        let text = name.unraw().to_string();
        let is_upper = text.contains(|c: char| c.is_ascii_uppercase())
            && !text.contains(|c: char| c.is_ascii_lowercase());
        let is_constant = is_upper && !self.fields.iter().any(|field| field.text == text);
        (!is_constant).then_some(name)
    }

    /// Returns the name of a constant for a number as C has it.
    fn written(&mut self, c: TokenStream, exact: bool, span: Span) -> Ident {
        let at = Span::mixed_site().located_at(span);
        let whole = quote_spanned!(at=> __p::values::Value::whole(#c, #exact));
        self.constant("VALUE", &quote!(values::Value), &whole)
    }

    /// Adds the text of a number to the arguments.
    pub(crate) fn add_number(&mut self, c: TokenStream, span: Span) {
        let written = self.written(c, false, span);
        let text = quote!(__p::values::Value::text(&#written));
        self.arguments
            .unknown(quote!(__p::Part::Bytes(#text.as_bytes())));
    }

    /// Adds a text that is an operand of a choice.
    fn branch(&mut self, named: &Named, value: &Expr, spec: &str) -> Option<TokenStream> {
        let is_choice = match inner(value) {
            Expr::If(_) | Expr::Match(_) => true,
            _ => matches!(table_of(value), Some(Ok(table)) if table.is_choice()),
        };
        self.arguments.text(if is_choice { "(" } else { "" });
        let text = self.text_value(named, value, spec)?;
        self.arguments.text(if is_choice { ")" } else { "" });
        Some(text)
    }

    /// Adds a text, and returns the argument for it.
    fn text_value(&mut self, named: &Named, value: &Expr, spec: &str) -> Option<TokenStream> {
        if let Some(text) = as_text(value) {
            let value = self.parsed(tables::text(text))?;
            self.arguments.text(format!("\"{}\"", text.value()));
            let value = Literal::c_string(&value);
            return Some(quote!((__p::CStr::as_ptr(#value) as __p::u64)));
        }
        if let Some(table) = table_of(value) {
            return self.looked_up(named, table, (spec, false));
        }
        if let Some(name) = as_name(value) {
            return self.text_of_field(name);
        }
        match inner(value) {
            // Tools would take `a ? b : c ? d : e` for `(a ? b : c) ? d : e`.
            Expr::If(choice) => {
                let (condition, then, other) = self.parsed(branches(choice))?;
                let is = self.number(condition)?;
                self.arguments.text("(");
                self.add_number(is.c.clone(), span_of(condition));
                self.arguments.text(") ? ");
                let then = self.branch(named, then, spec)?;
                self.arguments.text(" : ");
                let other = self.branch(named, other, spec)?;
                let is = is.rust(&is);
                Some(quote!((if #is { #then } else { #other })))
            }
            Expr::Match(choice) => {
                let chain = self.parsed(chain_of(choice))?;
                self.text_value(named, &chain, spec)
            }
            _ => {
                let error = "expected a string, like the other values: `\"…\"`, a `Str`, \
                             `print_symbolic(…)` or `print_flags(…)`";
                self.refused(span_of(value), error)
            }
        }
    }

    /// Adds a table, and returns the argument for it. See [`names`](Self::names).
    fn looked_up(
        &mut self,
        named: &Named,
        table: Result<Table>,
        layout: (&str, bool),
    ) -> Option<TokenStream> {
        let table = self.parsed(table)?;
        let name = named.name.unraw().to_string();
        let number = match self.name_of_field(&table.of) {
            Some(field) => self.field_number(field)?,
            None => self.computed(&name, &table.of, true)?,
        };
        self.names(named, &table, &number, layout)
    }

    /// Adds the text in a field.
    fn text_of_field(&mut self, name: &Ident) -> Option<TokenStream> {
        let n = self.field(&name.to_string(), name.span())?;
        let field = &self.fields[n];
        let whole = |shape| Shown::new(&field.text, Of::Recorded(shape), How::As("")).ok();
        let is_text = |shown: &Shown<'_>| matches!(shown.show.kind, Kind::Str | Kind::Chars { .. });
        let Some(shown) = field.known.and_then(whole).filter(is_text) else {
            let error = format!("field `{name}` isn't a string, unlike the other values");
            return self.refused(name.span(), error);
        };
        let argument = shown.argument(Text::<512>::new());
        self.arguments.text(argument.as_str());
        let value = self.simple(n, &shown)?;
        let format = shown.show.kernel_format(Text::<64>::new());
        Some(match format.as_str() {
            "%s" => value,
            format => {
                let (iter, format) = (self.iter(), c_string(format));
                // SAFETY: The function that prints is at a record, and the value is the text of a
                // field.
                quote!(unsafe { __p::print::printf(#iter, #format, #value, 0) })
            }
        })
    }
}
