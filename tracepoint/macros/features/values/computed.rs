// SPDX-License-Identifier: GPL-2.0

//! What a template shows of the [expressions](super) that follow it: their text in the `print fmt`, and the
//! argument of the function that prints.

use super::{
    arms_of, as_name, as_text, branches, is_text,
    lower::{self, bits, Nodes},
    number::{self, Type},
    table_of,
};
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
use quote::{quote, quote_spanned};
use syn::{ext::IdentExt, Expr};

/// A number that has been checked, as far as it's known.
struct Checked {
    known: Option<number::Computed>,
    /// The same for the compiler, a `__p::values::Computed`.
    computed: TokenStream,
    /// The number in Rust.
    rust: TokenStream,
}

impl Checked {
    /// Returns the number for what shows it. Its name in errors is `name`.
    fn number<'a>(&'a self, name: &'a str) -> Number<'a> {
        let computed = &self.computed;
        Number {
            name,
            known: self.known.as_ref().map(number::Computed::of),
            of: quote!(__p::values::Computed::of(&const { #computed })),
            bits: bits(&self.rust),
        }
    }
}

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
        // A table takes it for an operand.
        let name = named.name.unraw().to_string();
        let checked = self.computed(&name, &value, spec == "errno")?;
        let number = checked.number(&name);
        let (how, tokens) = (How::As(spec), (&number.of, quote!(As(#spec))));
        let shown = self.piece(
            &name,
            number.known.map(|of| (of, how)),
            tokens,
            span_of(inner(&value)),
        );
        let (piece, shown) = match shown {
            Ok(shown) => shown,
            Err(error) => {
                let help = help_of(&named.name.to_string(), spec);
                self.error(span, format_args!("`{}`: {error}{help}", named.name));
                return None;
            }
        };
        self.check_count(span, !shown.is_some_and(|shown| shown.show.is_number()));
        self.values.push(match spec {
            "errno" => self.named(&number, &quote!(__p::ERRNO_TABLE), &Spec::NONE),
            _ => number.bits.clone(),
        });
        self.add(piece);
        Some(())
    }

    /// Checks a number, if it's known. Otherwise the compiler does.
    pub(crate) fn checked(
        &mut self,
        nodes: &Nodes<'a>,
        exact: bool,
    ) -> Option<Option<number::Computed>> {
        let Some(known) = nodes.all_known() else {
            return Some(None);
        };
        match number::Computed::new(&known, exact) {
            Ok(computed) => Some(Some(computed)),
            Err(error) => {
                self.error(nodes.span(error.node), error.problem.text().as_str());
                None
            }
        }
    }

    /// Checks a value that must be a number. `exact` is whether its text is an operand.
    fn computed(&mut self, name: &str, expr: &Expr, exact: bool) -> Option<Checked> {
        let mut nodes = Nodes::default();
        let number = self.number(expr, &mut nodes)?;
        self.finished(name, nodes, number, exact)
    }

    fn finished(
        &mut self,
        name: &str,
        nodes: Nodes<'a>,
        number: lower::Number,
        exact: bool,
    ) -> Option<Checked> {
        let known = self.checked(&nodes, exact)?;
        let (event, tokens) = (self.event, nodes.tokens());
        let span = Span::mixed_site().located_at(nodes.span(nodes.last()));
        Some(Checked {
            rust: number.tokens(known.as_ref().map(|known| known.ty)),
            known,
            computed: quote_spanned!(span=> __p::values::computed(#event, #name, #tokens, #exact)),
        })
    }

    /// Adds the first text whose condition holds, or the other one. Tools would take `a ? b : c ? d : e` for
    /// `(a ? b : c) ? d : e`.
    fn choice(
        &mut self,
        named: &Named,
        choices: &[(Checked, Span, &Expr)],
        other: &Expr,
        spec: &Spec,
    ) -> Option<TokenStream> {
        let mut rust = TokenStream::new();
        for (i, (condition, span, value)) in choices.iter().enumerate() {
            self.arguments.text(if i == 0 { "(" } else { "((" });
            match &condition.known {
                Some(known) if known.ty != Type::Bool => {
                    let error = number::Problem::NotBool(known.ty).text();
                    self.error(*span, error.as_str());
                    return None;
                }
                Some(known) => self.arguments.text(known.text()),
                None => {
                    let computed = &condition.computed;
                    let text = quote!(__p::values::Computed::text(&const { #computed }));
                    self.arguments
                        .unknown(quote!(__p::Part::Bytes(#text.as_bytes())));
                }
            }
            self.arguments.text(") ? ");
            let (condition, text) = (&condition.rust, self.branch(named, value, spec)?);
            rust.extend(quote!(if #condition { #text } else));
            self.arguments.text(" : ");
        }
        let other = self.branch(named, other, spec)?;
        self.arguments
            .text(")".repeat(choices.len().saturating_sub(1)));
        Some(quote!((#rust { #other })))
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
            let checked = self.computed(&name, &of, true)?;
            return self.names(named, table, &checked.number(&name), spec);
        }
        if let Some(name) = as_name(value) {
            return self.text_of_field(name, spec);
        }
        match inner(value) {
            Expr::If(choice) => {
                let (condition, then, other) = self.parsed(branches(choice))?;
                let name = named.name.unraw().to_string();
                let checked = self.computed(&name, condition, true)?;
                self.choice(named, &[(checked, span_of(condition), then)], other, spec)
            }
            Expr::Match(choice) => {
                let (arms, other) = self.parsed(arms_of(choice))?;
                let name = named.name.unraw().to_string();
                let span = span_of(&choice.expr);
                let mut choices = Vec::new();
                for (keys, value) in &arms {
                    let mut nodes = Nodes::default();
                    let number = self.number(&choice.expr, &mut nodes)?;
                    let condition = self.one_of(&number, keys, &mut nodes)?;
                    choices.push((self.finished(&name, nodes, condition, true)?, span, value));
                }
                self.choice(named, &choices, other, spec)
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
