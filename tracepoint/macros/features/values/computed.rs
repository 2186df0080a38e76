// SPDX-License-Identifier: GPL-2.0

//! What a template shows of the [expressions](super) that follow it: their text in the `print fmt`, and the
//! argument of the function that prints.

use super::{as_name, as_text, branches, chain_of, is_text, table_of};
use crate::{
    base::event::template::{How, Of, Shown},
    compiler::{help_of, Compiler},
    print::Named,
    show::{Kind, Show},
    spec::Spec,
    tables,
    text::Text,
    tokens::{c_string, inner, span_of},
    value::Number,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{ext::IdentExt, Expr};

/// Pads or cuts a text as `printf` would.
fn pad(text: &str, spec: &Spec) -> String {
    let (left, width, precision) = spec.padding();
    let text = &text[..precision.unwrap_or(text.len()).min(text.len())];
    if left {
        format!("{text:<width$}")
    } else {
        format!("{text:>width$}")
    }
}

impl<'a> Compiler<'a> {
    /// Adds the value of an argument.
    pub(super) fn computed_value(&mut self, named: &Named, spec: &str, span: Span) -> Option<()> {
        let value = self.parsed(super::parse(&named.value))?;
        let is_string = |kind| matches!(kind, Kind::Str | Kind::Chars { .. });
        if is_text(&value, self.fields, is_string) {
            return self.string(spec, span, |this, spec| {
                // `process_string()` (kernel/trace/trace_events.c) looks for a literal or what returns a string, or
                // would take the number in a condition for it.
                let is_found = |kind| matches!(kind, Kind::Str);
                let has_string =
                    as_name(&value).is_some() || is_text(&value, this.fields, is_found);
                if !has_string {
                    this.arguments.text("(0) ? \"\" : (");
                }
                let text = this.text_value(named, &value, spec)?;
                if !has_string {
                    this.arguments.text(")");
                }
                Some(text)
            });
        }
        let name = named.name.unraw().to_string();
        // Some mistakes don't depend on the type.
        let shows = [4, 8].map(|size| Show::computed(Kind::Int { size, signed: true }, spec));
        if let ([Err(error), Err(_)], true) = (shows, spec != "errno") {
            let help = help_of(&named.name.to_string(), spec);
            self.error(span, format_args!("`{name}`: {error}{help}"));
            return None;
        }
        // A table takes it for an operand.
        let number = self.computed(&name, &value, spec == "errno")?;
        let tokens = (&number.of, quote!(As(#spec)));
        let (piece, _) = self.piece(&name, None, tokens, span).ok()?;
        self.check_count(span, spec == "errno");
        self.values.push(match spec {
            "errno" => self.named(&number, &quote!(__p::ERRNO_TABLE), &Spec::NONE),
            _ => number.bits.clone(),
        });
        self.add(piece);
        Some(())
    }

    /// Writes a value that must be a number. `exact` is whether its text is an operand.
    fn computed<'b>(&mut self, name: &'b str, expr: &Expr, exact: bool) -> Option<Number<'b>> {
        let number = self.number(expr)?;
        let span = span_of(inner(expr));
        let bits = number.bits(Span::mixed_site().located_at(span));
        let c = self.written(number.c, exact, span);
        Some(Number {
            name,
            known: None,
            of: quote!(__p::values::Value::of(&#c)),
            bits,
        })
    }

    /// Returns the name of a constant for a number as C has it.
    pub(crate) fn written(&mut self, c: TokenStream, exact: bool, span: Span) -> Ident {
        let name = format_ident!("__VALUE_{}_{}", self.event, self.tables.len());
        let at = Span::mixed_site().located_at(span);
        let whole = quote_spanned!(at=> __p::values::Value::whole(#c, #exact));
        self.tables.push(quote! {
            #[allow(non_upper_case_globals, unused_parens)]
            const #name: __p::values::Value = #whole;
        });
        name
    }

    /// Adds the text of a number to the arguments.
    pub(crate) fn add_number(&mut self, written: &Ident) {
        let text = quote!(__p::values::Value::text(&#written));
        self.arguments
            .unknown(quote!(__p::Part::Bytes(#text.as_bytes())));
    }

    /// Adds a text that is an operand of a choice.
    fn branch(&mut self, named: &Named, value: &Expr, spec: &Spec) -> Option<TokenStream> {
        let is_choice = match inner(value) {
            Expr::If(_) | Expr::Match(_) => true,
            _ => {
                matches!(table_of(value), Some(Ok(table)) if table.ty.is_some() || !is_plain(&table.table))
            }
        };
        self.arguments.text(if is_choice { "(" } else { "" });
        let text = self.text_value(named, value, spec)?;
        self.arguments.text(if is_choice { ")" } else { "" });
        Some(text)
    }

    /// Adds a text, and returns the argument for it.
    fn text_value(&mut self, named: &Named, value: &Expr, spec: &Spec) -> Option<TokenStream> {
        if let Some(text) = as_text(value) {
            let value = text.value();
            if let Err(error) = tables::check_name(&value) {
                self.error(text.span(), error.replace("a name", "a string"));
                return None;
            }
            self.arguments.text(format!("\"{value}\""));
            let padded = c_string(&pad(&value, spec));
            return Some(quote!((__p::CStr::as_ptr(#padded) as __p::u64)));
        }
        if let Some(table) = table_of(value) {
            let table = self.parsed(table)?;
            let of = self.parsed(super::parse(&table.of))?;
            if let Some(field) = as_name(&of).filter(|name| !self.is_constant(name)) {
                let number = self.field_number(field)?;
                return self.names(named, table, &number, spec);
            }
            let name = named.name.unraw().to_string();
            let number = self.computed(&name, &of, true)?;
            return self.names(named, table, &number, spec);
        }
        if let Some(name) = as_name(value) {
            return self.text_of_field(name, spec);
        }
        match inner(value) {
            // Tools would take `a ? b : c ? d : e` for `(a ? b : c) ? d : e`.
            Expr::If(choice) => {
                let (condition, then, other) = self.parsed(branches(choice))?;
                let is = self.number(condition)?;
                let written = self.written(is.c.clone(), false, span_of(condition));
                self.arguments.text("(");
                self.add_number(&written);
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
                self.error(span_of(value), error);
                None
            }
        }
    }

    /// Adds the text in a field.
    fn text_of_field(&mut self, name: &Ident, spec: &Spec) -> Option<TokenStream> {
        let n = self.field(&name.to_string(), name.span())?;
        let field = &self.fields[n];
        let whole = |shape| Shown::new(&field.text, Of::Recorded(shape), How::As("")).ok();
        let mut shown = field.known.and_then(whole);
        let Some(Shown {
            kind: Kind::Str | Kind::Chars { .. },
            show: Show { spec: Some(of), .. },
            ..
        }) = &mut shown
        else {
            let error = format!("field `{name}` isn't a string, unlike the other values");
            self.error(name.span(), error);
            return None;
        };
        *of = *spec;
        let shown = shown?;
        let argument = shown.argument(Text::<512>::new());
        self.arguments.text(argument.as_str());
        let value = self.argument(n, &shown);
        let format = shown.kernel_format(Text::<64>::new());
        Some(match format.as_str() {
            "%s" => value,
            format => {
                let (iter, format) = (&self.iter, c_string(format));
                // SAFETY: It's the text of a field.
                quote!(unsafe { __p::print::format(#iter, #format, #value) })
            }
        })
    }
}

/// Returns whether C has such a table.
fn is_plain(table: &tables::Table) -> bool {
    table.other.is_none() && !table.entries.iter().any(|entry| table.is_special(entry))
}
