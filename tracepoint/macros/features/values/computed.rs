// SPDX-License-Identifier: GPL-2.0

//! What a template shows of the [expressions](super) that follow it: their text in the `print fmt`, and the
//! argument of the function that prints.

use super::{
    arms_of, as_name, as_text, branches, is_text,
    lower::{self, bits, Nodes},
    table_of,
};
use crate::{
    base::event::template::{How, Of, Shown},
    compiler::{help_of, Compiler, Piece},
    number::{self, Node, Problem},
    print::Named,
    show::{Kind, Show},
    spec::Spec,
    tables::{self, Size},
    text::Text,
    tokens::{c_string, inner, span_of},
    value::Number,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{ext::IdentExt, Expr};

/// The longest argument of an expression.
pub(crate) const TEXT_MAX: usize = 2048;

/// A number that has been checked, as far as it's known.
struct Checked<'a> {
    nodes: Nodes<'a>,
    /// Its nodes and its type.
    known: Option<(Vec<Node<'a>>, number::Type)>,
    /// The number in Rust.
    rust: TokenStream,
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
        let checked = self.computed(&value)?;
        let name = named.name.unraw().to_string();
        let number = self.looked_up(&name, &checked);
        let how = (Some(How::As(spec)), quote!(As(#spec)));
        let shown = self.number_piece(&number, how, span_of(inner(&value)));
        let (piece, is_number) = match shown {
            Ok(shown) => shown,
            Err(problem) => {
                let (problem, help) = (problem.text(), help_of(&named.name.to_string(), spec));
                let error = format!("`{}`: {}{help}", named.name, problem.as_str());
                self.error(span, error);
                return None;
            }
        };
        self.check_count(span, !is_number);
        self.values.push(match spec {
            "errno" => self.named(&number, &quote!(__p::ERRNO_TABLE), &Spec::NONE),
            _ => number.bits.clone(),
        });
        self.add(piece);
        Some(())
    }

    /// Returns the number for what shows it. Its name in errors is `name`.
    fn looked_up<'b>(&self, name: &'b str, checked: &'b Checked<'_>) -> Number<'b> {
        let nodes = checked.nodes.tokens();
        let known = checked.known.as_ref();
        let size = known.map(|(_, ty)| ty.kind().number_size());
        let size_tokens = match size {
            Some(size) => quote!(#size),
            None => {
                let event = self.event;
                quote!(const { __p::number_size(#event, #name, #nodes) })
            }
        };
        Number {
            name,
            known: known.map(|(nodes, _)| Of::Computed(nodes)),
            of: quote!(Computed(#nodes)),
            bits: bits(&checked.rust),
            size: Size {
                tokens: size_tokens,
                known: size,
            },
        }
    }

    /// Returns what's shown of a number, and whether that's known to be a number. `how` says how it's shown, as for
    /// `piece`.
    fn number_piece(
        &self,
        number: &Number<'_>,
        (known, how): (Option<How<'_>>, TokenStream),
        span: Span,
    ) -> Result<(Piece, bool), Problem> {
        let (piece, shown) = self.piece(
            number.name,
            number.known.zip(known),
            (&number.of, how),
            span,
        )?;
        let show = shown.and_then(|shown| shown.show);
        let is_number = show.is_some_and(|show| show.is_number());
        Ok((piece, is_number))
    }

    /// Checks the type of a number, if it's known. Otherwise the compiler does.
    #[allow(clippy::type_complexity)]
    pub(crate) fn checked(
        &mut self,
        nodes: &Nodes<'a>,
        span: Span,
    ) -> Option<Option<(Vec<Node<'a>>, number::Type)>> {
        let Some(known) = nodes.all_known() else {
            return Some(None);
        };
        match number::check(&known) {
            Ok(_) if number::argument(Text::<0>::new(), &known, true).len() > TEXT_MAX => {
                self.error(span, "the expression is too long");
                None
            }
            Ok(ty) => Some(Some((known, ty))),
            Err(error) => {
                self.error(nodes.span(error.node), error.problem.text().as_str());
                None
            }
        }
    }

    /// Checks a value that must be a number.
    fn computed(&mut self, expr: &Expr) -> Option<Checked<'a>> {
        let mut nodes = Nodes::default();
        let number = self.number(expr, &mut nodes)?;
        self.finished(nodes, number, span_of(expr))
    }

    fn finished(
        &mut self,
        nodes: Nodes<'a>,
        number: lower::Number,
        span: Span,
    ) -> Option<Checked<'a>> {
        let known = self.checked(&nodes, span)?;
        let rust = number.tokens(known.as_ref().map(|(_, ty)| *ty));
        Some(Checked { nodes, known, rust })
    }

    /// Adds the first text whose condition holds, or the other one. Tools would take `a ? b : c ? d : e` for
    /// `(a ? b : c) ? d : e`.
    fn choice(
        &mut self,
        named: &Named,
        choices: &[(Checked<'_>, Span, &Expr)],
        other: &Expr,
        spec: &Spec,
    ) -> Option<TokenStream> {
        let name = named.name.unraw().to_string();
        let mut rust = TokenStream::new();
        for (i, (condition, span, value)) in choices.iter().enumerate() {
            self.arguments.text(if i == 0 { "(" } else { "((" });
            let how = (Some(How::Condition), quote!(Condition));
            let shown = self.number_piece(&self.looked_up(&name, condition), how, *span);
            let (piece, _) = self.good(shown, *span, format_args!(""))?;
            self.add_argument(piece);
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
            let checked = self.computed(&of)?;
            let name = named.name.unraw().to_string();
            return self.names(named, table, &self.looked_up(&name, &checked), spec);
        }
        if let Some(name) = as_name(value) {
            return self.text_of_field(name, spec);
        }
        match inner(value) {
            Expr::If(choice) => {
                let (condition, then, other) = self.parsed(branches(choice))?;
                let checked = self.computed(condition)?;
                self.choice(named, &[(checked, span_of(condition), then)], other, spec)
            }
            Expr::Match(choice) => {
                let (arms, other) = self.parsed(arms_of(choice))?;
                let span = span_of(&choice.expr);
                let mut choices = Vec::new();
                for (keys, value) in &arms {
                    let mut nodes = Nodes::default();
                    let number = self.number(&choice.expr, &mut nodes)?;
                    let condition = self.one_of(&number, keys, &mut nodes)?;
                    choices.push((self.finished(nodes, condition, span)?, span, value));
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
            show: Some(Show { spec: Some(of), .. }),
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
