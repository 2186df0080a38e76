// SPDX-License-Identifier: GPL-2.0

//! What a template shows of the [values](crate::value) that follow it: their text in the `print fmt`, and the
//! argument of the function that prints.

use crate::{
    base::event::{
        symbols,
        template::{How, Of, Shown},
    },
    compiler::{help_of, Compiler, Piece},
    lower::{bits, Nodes, Number},
    number::{self, Node, Op, Problem},
    shape::Shape,
    show::{Kind, Pass, Show},
    spec::Spec,
    tables::{self, Size, Value},
    text::Text,
    tokens::{c_string, inner, local, span_of},
    value::{self, Helper, Key, Named, Table},
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ext::IdentExt, Expr, LitStr, Type};

/// The longest argument of an expression.
const TEXT_MAX: usize = 2048;

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
    pub(crate) fn value(&mut self, n: usize, spec: &str, span: Span) -> Option<()> {
        let print = self.print;
        let named = &print.named[n];
        let is_table = Table::is_one(&named.value);
        if let (false, Some(helper)) = (is_table, Helper::of(&named.value)) {
            let helper = self.parsed(helper)?;
            if !spec.is_empty() {
                self.error(span, "nothing can follow the name of an array");
                return None;
            }
            let field = &helper.field;
            let n = self.field(&field.to_string(), field.span())?;
            return match (&helper.len, &helper.dump) {
                (None, None) => {
                    let shown = self.show(n, &helper.name, None, field.span());
                    self.good(shown, field.span(), format_args!("field `{field}`: "))
                }
                _ => self.part_of_array(named, n, &helper),
            };
        }
        let is_string = |kind| matches!(kind, Kind::Str | Kind::Chars { .. });
        if value::is_text(&named.value, self.fields, is_string) {
            let show = match Show::new(Kind::Str, false, spec) {
                Ok(show) if show.spec.is_some_and(|spec| !spec.has_star()) => show,
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
            let spec = show.spec?;
            self.format.text(spec.of_string(Text::<64>::new()).as_str());
            self.kernel.text("%s");
            self.arguments.text(", ");
            // `process_string()` (kernel/trace/trace_events.c) looks for a literal or what returns a string, or
            // would take the number in a condition for it.
            let is_found = |kind| matches!(kind, Kind::Str);
            let has_string = value::as_name(&named.value).is_some()
                || value::is_text(&named.value, self.fields, is_found);
            if !has_string {
                self.arguments.text("(0) ? \"\" : (");
            }
            let value = self.text_value(named, &named.value, &spec)?;
            if !has_string {
                self.arguments.text(")");
            }
            self.values.push(value);
            return Some(());
        }
        let number = self.computed(&named.value)?;
        let (known, how) = (Some(How::As(spec)), quote!(As(#spec)));
        let at = span_of(inner(&named.value));
        let shown = self.number_piece(named, &number, known, how, at);
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
            "errno" => self.named(&number.rust, &quote!(__p::ERRNO_TABLE), &Spec::NONE),
            _ => bits(&number.rust),
        });
        self.add(piece);
        Some(())
    }

    /// Returns what's shown of a number, and whether that's known to be a number. `known` and `how` say how
    /// it's shown, as for `piece`.
    fn number_piece(
        &self,
        named: &Named,
        number: &Checked<'_>,
        known: Option<How<'_>>,
        how: TokenStream,
        span: Span,
    ) -> Result<(Piece, bool), Problem> {
        let name = named.name.unraw().to_string();
        let of = number.known.as_ref().map(|(nodes, _)| Of::Computed(nodes));
        let nodes = number.nodes.tokens();
        let tokens = (&quote!(Computed(#nodes)), how);
        let (piece, shown) = self.piece(&name, of.zip(known), tokens, span)?;
        let show = shown.and_then(|shown| shown.show);
        let is_number = show.is_some_and(|show| show.is_number());
        Ok((piece, is_number))
    }

    /// Adds `print_hex(field, len)` and the like.
    fn part_of_array(&mut self, named: &Named, n: usize, helper: &Helper) -> Option<()> {
        let name = &helper.field;
        let field = &self.fields[n];
        let Some(shape) = field.known else {
            let error = format!("field `{name}`: the macro must know the types of the fields");
            self.error(name.span(), error);
            return None;
        };
        // The elements that are shown can be others than those of the field.
        let kind = match (helper.size, shape.kind) {
            (Some(size), Kind::DynArray { .. }) => Kind::DynArray { size },
            (Some(of), Kind::Array { size, len }) => Kind::Array {
                size: of,
                len: size * len / of,
            },
            (_, kind) => kind,
        };
        let (of, how) = (Of::Recorded(Shape { kind, ..shape }), How::As(&helper.name));
        let shown = Shown::new(&field.text, of, how).map_err(|error| error.problem);
        let shown = self.good(shown, name.span(), format_args!("field `{name}`: "))?;
        let span = span_of(&named.value);
        self.check_count(span, true);
        // The length in elements or in bytes, and the data.
        let (text, rel, elements) = (&field.text, shape.rel, shown.read().len);
        let size = match shown.show {
            Some(Show {
                pass: Pass::Array, ..
            }) => kind.element_size(),
            _ => 1,
        };
        let mut nodes = Nodes::default();
        let wide = number::Type::int(8, false);
        let all = |nodes: &mut Nodes<'a>, span| {
            let all = match elements {
                Some(len) => Node::Constant(len as i128),
                None => Node::Len {
                    name: text,
                    size,
                    rel,
                },
            };
            nodes.known(all, span)
        };
        let limit = match &helper.len {
            Some(len) => {
                let wanted = self.number(len, &mut nodes)?;
                let (last, span) = (nodes.last(), span_of(len));
                let cast = nodes.known(Node::Cast(wide, last), span);
                let all = all(&mut nodes, span);
                let is_less = nodes.known(Node::Binary(Op::Lt, cast, all), span);
                nodes.known(Node::If(is_less, cast, all), span);
                bits(&wanted.tokens(Some(wide)))
            }
            None => {
                let all = all(&mut nodes, span);
                nodes.known(Node::Cast(wide, all), span);
                quote!(!0)
            }
        };
        let Some((nodes, _)) = self.checked(&nodes, span)? else {
            self.error(span, "the macro must know the types of the fields");
            return None;
        };
        let (iter, most, argument) = (&self.iter, local("limit"), self.shown_field(n, &shown));
        let mut value = quote!(__p::print::show(#iter, &const { #argument }, #most));
        let part = |part| shown.part(Text::<512>::new(), part).as_str().to_owned();
        let (before, after) = match &helper.dump {
            Some((start, how @ [prefix, row, group, ascii])) => {
                let text = start.value();
                if let Err(error) = symbols::check_name(&text) {
                    self.error(start.span(), error.replace("a name", "a prefix"));
                    return None;
                }
                let start = c_string(&text);
                value = quote! {
                    __p::print::dump(#iter, &const { #argument }, #most, #start, [#(#how),*])
                };
                let data = part("$");
                let head =
                    format!("__print_hex_dump(\"{text}\", {prefix}, {row}, {group}, {data}, ");
                (head, format!(", {ascii})"))
            }
            None => {
                let (before, after) = shown.show?.argument.split_once('#')?;
                (part(before), part(after))
            }
        };
        self.values.push(quote! {
            match #limit {
                // SAFETY: The record has the field there.
                #most => unsafe { #value },
            }
        });
        self.format.text(shown.format(Text::<64>::new()).as_str());
        self.kernel
            .text(shown.kernel_format(Text::<64>::new()).as_str());
        self.arguments.text(", ");
        self.arguments.text(before);
        let length = number::argument(Text::<TEXT_MAX>::new(), &nodes, true);
        self.arguments.text(length.as_str());
        self.arguments.text(after);
        Some(())
    }

    /// Checks the type of a number, if it's known. Otherwise the compiler does.
    #[allow(clippy::type_complexity)]
    fn checked(
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

    fn finished(&mut self, nodes: Nodes<'a>, number: Number, span: Span) -> Option<Checked<'a>> {
        let known = self.checked(&nodes, span)?;
        let rust = number.tokens(known.as_ref().map(|(_, ty)| *ty));
        Some(Checked { nodes, known, rust })
    }

    /// Adds a condition, and returns it in Rust.
    fn condition(
        &mut self,
        named: &Named,
        condition: Checked<'_>,
        span: Span,
    ) -> Option<TokenStream> {
        let how = (Some(How::Condition), quote!(Condition));
        let shown = self.number_piece(named, &condition, how.0, how.1, span);
        let (piece, _) = self.good(shown, span, format_args!(""))?;
        self.add_argument(piece);
        Some(condition.rust)
    }

    /// Adds one of two texts.
    fn choice(
        &mut self,
        condition: impl FnOnce(&mut Self) -> Option<TokenStream>,
        then: impl FnOnce(&mut Self) -> Option<TokenStream>,
        other: impl FnOnce(&mut Self) -> Option<TokenStream>,
    ) -> Option<TokenStream> {
        self.arguments.text("(");
        let condition = condition(self)?;
        self.arguments.text(") ? ");
        let then = then(self)?;
        self.arguments.text(" : ");
        let other = other(self)?;
        Some(quote!((if #condition { #then } else { #other })))
    }

    /// Adds the condition that a value is one of `keys`.
    fn matches(&mut self, named: &Named, of: &Expr, keys: &[Key]) -> Option<TokenStream> {
        let mut nodes = Nodes::default();
        let number = self.number(of, &mut nodes)?;
        let condition = self.one_of(&number, keys, &mut nodes)?;
        let condition = self.finished(nodes, condition, span_of(of))?;
        self.condition(named, condition, span_of(of))
    }

    /// Adds what's in parentheses if it's itself a choice: tools would take `a ? b : c ? d : e` for
    /// `(a ? b : c) ? d : e`.
    fn grouped(
        &mut self,
        is_choice: bool,
        add: impl FnOnce(&mut Self) -> Option<TokenStream>,
    ) -> Option<TokenStream> {
        if !is_choice {
            return add(self);
        }
        self.arguments.text("(");
        let text = add(self)?;
        self.arguments.text(")");
        Some(text)
    }

    /// Adds a text that is an operand of a choice.
    fn branch(&mut self, named: &Named, value: &Expr, spec: &Spec) -> Option<TokenStream> {
        let is_choice = match inner(value) {
            Expr::If(_) | Expr::Match(_) => true,
            _ => matches!(Table::of(value), Some(Ok(table)) if !table.is_plain()),
        };
        self.grouped(is_choice, |this| this.text_value(named, value, spec))
    }

    /// Adds a text that's given.
    fn constant_text(&mut self, text: &LitStr, spec: &Spec) -> Option<TokenStream> {
        let value = text.value();
        if let Err(error) = symbols::check_name(&value) {
            self.error(text.span(), error.replace("a name", "a string"));
            return None;
        }
        self.arguments.text(format!("\"{value}\""));
        let padded = c_string(&pad(&value, spec));
        Some(quote!((__p::CStr::as_ptr(#padded) as __p::u64)))
    }

    /// Adds a text, and returns the argument for it.
    fn text_value(&mut self, named: &Named, value: &Expr, spec: &Spec) -> Option<TokenStream> {
        if let Some(text) = value::as_text(value) {
            return self.constant_text(text, spec);
        }
        if let Some(table) = Table::of(value) {
            let table = self.parsed(table)?;
            return self.names(named, &table, spec);
        }
        if let Some(name) = value::as_name(value) {
            return self.text_of_field(name, spec);
        }
        match inner(value) {
            Expr::If(choice) => {
                let (condition, then, other) = self.parsed(value::branches(choice))?;
                self.choice(
                    |this| {
                        let checked = this.computed(condition)?;
                        this.condition(named, checked, span_of(condition))
                    },
                    |this| this.branch(named, then, spec),
                    |this| this.branch(named, other, spec),
                )
            }
            Expr::Match(choice) => {
                let (arms, other) = self.parsed(value::arms_of(choice))?;
                let last = |this: &mut Self| this.branch(named, other, spec);
                self.arms(named, &choice.expr, &arms, &last, spec)
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

    /// Adds the text of the first arm that matches, or the `last` one.
    fn arms(
        &mut self,
        named: &Named,
        of: &Expr,
        arms: &[(Vec<Key>, Expr)],
        last: &dyn Fn(&mut Self) -> Option<TokenStream>,
        spec: &Spec,
    ) -> Option<TokenStream> {
        let [(keys, value), rest @ ..] = arms else {
            return last(self);
        };
        self.choice(
            |this| this.matches(named, of, keys),
            |this| this.branch(named, value, spec),
            |this| {
                this.grouped(!rest.is_empty(), |this| {
                    this.arms(named, of, rest, last, spec)
                })
            },
        )
    }

    /// Adds a number that's shown with a table. C has neither other names nor ranges, and no name for 0 in
    /// a table of flags: these come first.
    fn names(&mut self, named: &Named, table: &Table, spec: &Spec) -> Option<TokenStream> {
        let span = span_of(&named.value);
        if let Some(ty) = &table.ty {
            if !spec.is_plain() {
                self.error(span, "the names of a type have no width");
                return None;
            }
            return self.names_of_type(named, table, ty, spec);
        }
        if table.delimiter.is_some() && !spec.is_plain() {
            // Tools would have it for each of the flags.
            self.error(span, "flags have no width");
            return None;
        }
        let is_special = |(key, _): &&(Key, LitStr)| table.other.is_some() || table.is_special(key);
        let special = table.entries.iter().filter(is_special);
        let special: Vec<_> = special
            .map(|(key, text)| (vec![key.clone()], syn::parse_quote!(#text)))
            .collect();
        let last = |this: &mut Self| match &table.other {
            Some(other) => this.constant_text(other, spec),
            None => this.plain_table(named, table, spec),
        };
        self.arms(named, &table.of, &special, &last, spec)
    }

    /// Adds a number that's shown with the names of a type.
    fn names_of_type(
        &mut self,
        named: &Named,
        table: &Table,
        ty: &Type,
        spec: &Spec,
    ) -> Option<TokenStream> {
        let about = format!("`{}`: `{}`", self.event, named.name.unraw());
        let number = self.computed(&table.of)?;
        let (size, shape) = (self.size_of(named, &number).tokens, crate::field::shape(ty));
        let (span, is_flags) = (Span::mixed_site().located_at(span_of(ty)), table.is_flags);
        let table = quote_spanned!(span=> *__p::table_of(#about, #shape.table, #is_flags, #size));
        self.named_number(named, &number, None, &table, spec)
    }

    /// Adds a table as C has it: what isn't special.
    fn plain_table(&mut self, named: &Named, table: &Table, spec: &Spec) -> Option<TokenStream> {
        let about = format!("`{}`: `{}`", self.event, named.name.unraw());
        let number = self.computed(&table.of)?;
        // Tools need an entry. That of a range is never looked up.
        let is_special = |(key, _): &(Key, LitStr)| table.is_special(key);
        let all = table.entries.iter().all(is_special);
        let entries = table.entries.iter();
        let entries = entries.filter(|entry| all || !is_special(entry));
        let symbols = entries.map(|((value, _), text)| {
            let known = tables::shifted(value, 64);
            let value = Value {
                // `1 << 63` is too large for the integer type that it would have.
                tokens: match known {
                    Some(n) => quote!(#n),
                    None => quote!(#value),
                },
                span: span_of(value),
                known,
            };
            (value, text.clone())
        });
        let table = tables::Table {
            symbols: symbols.collect(),
            delimiter: table.delimiter.clone(),
            special: None,
            size: self.size_of(named, &number),
            about,
        };
        let errors = table.check();
        let is_good = errors.is_empty();
        self.errors.extend(errors);
        if !is_good {
            return None;
        }
        self.named_number(named, &number, Some(&table), &table.tokens(), spec)
    }

    /// Returns the size of a number that's looked up in a table.
    fn size_of(&self, named: &Named, number: &Checked<'_>) -> Size {
        let known = number.known.as_ref().map(|(_, ty)| ty.kind().number_size());
        let tokens = match known {
            Some(size) => quote!(#size),
            None => {
                let (event, name) = (self.event, named.name.unraw().to_string());
                let nodes = number.nodes.tokens();
                quote!(__p::number_size(#event, #name, #nodes))
            }
        };
        Size { tokens, known }
    }

    /// Adds a number that's shown with a table, and returns the argument for it.
    fn named_number(
        &mut self,
        named: &Named,
        number: &Checked<'_>,
        known: Option<&tables::Table>,
        tokens: &TokenStream,
        spec: &Spec,
    ) -> Option<TokenStream> {
        let tokens = self.constant_table(tokens);
        let piece = |how: Option<How<'_>>| {
            self.number_piece(
                named,
                number,
                how,
                quote!(Names(&#tokens)),
                span_of(inner(&named.value)),
            )
        };
        let shown = match known.and_then(|table| table.with(|table| piece(Some(How::Names(table)))))
        {
            Some(shown) => shown,
            None => piece(None),
        };
        let span = span_of(&named.value);
        let (piece, _) = self.good(shown, span, format_args!(""))?;
        if matches!(piece, Piece::Unknown(_)) && !spec.is_plain() {
            let error = "a table has a width only if the macro knows all of its values";
            self.error(span, error);
            return None;
        }
        self.add_argument(piece);
        Some(self.named(&number.rust, &tokens, spec))
    }

    /// Returns the argument for a number that's shown with a table.
    fn named(&self, value: &TokenStream, table: &TokenStream, spec: &Spec) -> TokenStream {
        let (iter, n) = (&self.iter, local("n"));
        let (function, format) = if spec.is_plain() {
            (quote!(name), None)
        } else {
            let format = c_string(spec.of_string(Text::<64>::new()).as_str());
            (quote!(name_with), Some(quote!(, #format)))
        };
        quote! {
            match #value {
                // SAFETY: The function that prints is at a record.
                #n => unsafe { __p::print::#function(#iter, #n, &#table #format) },
            }
        }
    }
}
