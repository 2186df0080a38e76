// SPDX-License-Identifier: GPL-2.0

//! What a template shows of the [values](crate::value) that follow it: their text in the `print fmt`, and the
//! argument of the function that prints.

use crate::{
    compiler::{bytes, help_of, Compiler, Lookup, Meaning, Part},
    errno::ERRNO,
    lower::{bits, Nodes, Number},
    number::{self, Node, Op},
    show::{self, Hex, Kind, Show, Spec},
    tables::{self, Size, Value},
    text::Text,
    tokens::{c_string, inner, local, span_of},
    types::Field,
    value::{self, Helper, Key, Named, Table},
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ext::IdentExt, Expr, LitStr, Type};

/// The longest argument of an expression.
const TEXT_MAX: usize = 2048;

/// A table that's known.
pub(crate) struct TableText {
    pub(crate) is_flags: bool,
    /// What follows the number in the `print fmt`.
    pub(crate) text: String,
    /// The expression for the table.
    pub(crate) tokens: TokenStream,
}

impl TableText {
    /// Returns the names of error numbers, for a number that can be one.
    pub(crate) fn errno(kind: Option<Kind>) -> Result<(Kind, Self), &'static str> {
        let Some(
            kind @ Kind::Int {
                size: 2..,
                signed: true,
            },
        ) = kind
        else {
            return Err("an error number is an `i16`, `i32`, `i64` or `isize`");
        };
        let size = kind.number_size();
        let symbol = |n: u64, name: &[u8]| {
            let text = show::symbol(Text::<64>::new(), n, size, name);
            text.as_str().to_owned()
        };
        let names = ERRNO
            .iter()
            .map(|(n, name)| symbol(u64::from(*n).wrapping_neg(), name.to_bytes()));
        let table = Self {
            is_flags: false,
            text: std::iter::once(symbol(0, b"0")).chain(names).collect(),
            tokens: quote!(__p::ERRNO_TABLE),
        };
        Ok((kind, table))
    }
}

/// A number that has been checked, as far as it's known.
struct Checked<'a> {
    /// Its nodes and its type.
    known: Option<(Vec<Node<'a>>, number::Type)>,
    /// The expression for its nodes.
    nodes: TokenStream,
    /// The number in Rust.
    rust: TokenStream,
}

/// Pads or cuts a text as `printf` would.
fn pad(text: &str, spec: &Spec) -> String {
    let (left, width, precision) = spec.of_text();
    let text = &text[..precision.unwrap_or(text.len()).min(text.len())];
    if left {
        format!("{text:<width$}")
    } else {
        format!("{text:>width$}")
    }
}

impl<'a> Compiler<'a> {
    /// Finds out what an argument stands for.
    pub(crate) fn meaning(&mut self, n: usize) -> Meaning {
        let print = self.print;
        let named = &print.named[n];
        let mut others = print.named[..n].iter();
        if others.any(|other| other.name == named.name) {
            let error = format!("the name `{}` is given twice", named.name);
            self.error(named.name.span(), error);
        }
        let table = match Table::of(&named.value) {
            None => return Meaning::Value,
            Some(table) => match self.parsed(table) {
                Some(table) => table,
                None => return Meaning::Error,
            },
        };
        let name = match value::as_name(&table.of) {
            Some(name) if table.is_plain() && !self.is_constant(name) => name,
            _ => return Meaning::Value,
        };
        let Some(field) = self.field(&name.to_string(), name.span()) else {
            return Meaning::Error;
        };
        let Field { shape, kind, .. } = &self.fields[field];
        if kind.is_some_and(|kind| !kind.is_number()) {
            let error = format!("field `{name}`: only a number can be looked up in a table");
            self.error(name.span(), error);
            return Meaning::Error;
        }
        let known = kind.map(|kind| kind.number_size());
        let size = Size {
            tokens: match known {
                Some(size) => quote!(#size),
                None => quote!(__p::Shape::number_size(&#shape)),
            },
            known,
        };
        let about = format!("`{}`: field `{name}`", self.event);
        match self.table(&table, size, about) {
            Some(table) => Meaning::Lookup(Lookup { field, table }),
            None => Meaning::Error,
        }
    }

    /// Checks what of a table C has, too.
    fn table(&mut self, table: &Table, size: Size, about: String) -> Option<tables::Table> {
        let entries = table
            .entries
            .iter()
            .filter(|(key, _)| !table.is_special(key));
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
            size,
            about,
        };
        let errors = table.check();
        let is_good = errors.is_empty();
        self.errors.extend(errors);
        is_good.then_some(table)
    }

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
            self.check_count(span, true);
            return match (&helper.len, &helper.dump) {
                (None, None) => self.helper(&helper.name, &helper.field),
                _ => self.part_of_array(named, &helper),
            };
        }
        if value::is_text(&named.value, self.fields) {
            let spec = match Show::new(Kind::Str, false, spec) {
                Ok(Show::Str(spec)) if !spec.has_star() => spec,
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
            let format = show::format(Text::new(), &Kind::Str, &Show::Str(spec));
            self.format.bytes(bytes(&format));
            self.kernel.bytes(b"%s");
            self.arguments.bytes(b", ");
            let value = self.text_value(named, &named.value, &spec)?;
            self.values.push(value);
            return Some(());
        }
        let number = self.computed(&named.value)?;
        let Some((nodes, ty)) = &number.known else {
            self.check_count(span, true);
            let i = self.shown.len();
            self.format.push(Part::Shown("Format", i));
            self.kernel.push(Part::Shown("KernelFormat", i));
            self.arguments.bytes(b", ");
            let (event, name, nodes) = (self.event, named.name.unraw().to_string(), &number.nodes);
            let span = Span::mixed_site().located_at(span_of(&named.value));
            self.shown(quote_spanned!(span=> __p::Shown::computed(#event, #name, #nodes, #spec)));
            self.values.push(bits(&number.rust));
            return Some(());
        };
        let show = match spec {
            "errno" => {
                TableText::errno(Some(ty.kind())).map(|(_, table)| (Show::Table, Some(table)))
            }
            spec => Show::computed(ty.kind(), spec).map(|show| (show, None)),
        };
        let (show, table) = match show {
            Ok(show) => show,
            Err(error) => {
                let help = help_of(&named.name.to_string(), spec);
                self.error(span, format!("`{}`: {error}{help}", named.name));
                return None;
            }
        };
        self.check_count(span, !matches!(show, Show::Number(_)));
        self.conversion(&ty.kind(), &show);
        self.arguments.bytes(b", ");
        let value = match table {
            Some(table) => {
                self.table_text(nodes, false, &table.text);
                self.named(&number.rust, &table.tokens, &Spec::PLAIN)
            }
            None => {
                self.compute(nodes, false);
                bits(&number.rust)
            }
        };
        self.values.push(value);
        Some(())
    }

    /// Adds `print_hex(field)` and the like.
    fn helper(&mut self, helper: &str, field: &Ident) -> Option<()> {
        let n = self.operand(field)?;
        let span = Span::mixed_site().located_at(field.span());
        match self.fields[n]
            .kind
            .map(|kind| (kind, Show::new(kind, false, helper)))
        {
            Some((kind, Ok(show))) => self.known(n, kind, show, None),
            Some((_, Err(error))) => {
                self.error(field.span(), format!("field `{field}`: {error}"));
                return None;
            }
            None => {
                let place = &self.fields[n].start;
                self.unknown(
                    n,
                    |head| quote_spanned!(span=> __p::Shown::new(#head, #helper, #place)),
                );
            }
        }
        Some(())
    }

    /// Adds `print_hex(field, len)` and the like.
    fn part_of_array(&mut self, named: &Named, helper: &Helper) -> Option<()> {
        let name = &helper.field;
        let n = self.operand(name)?;
        let Field {
            text,
            kind,
            rel,
            offset,
            ..
        } = &self.fields[n];
        let (Some(kind), Some(offset)) = (*kind, *offset) else {
            let error = format!("field `{name}`: the macro must know the types of the fields");
            self.error(name.span(), error);
            return None;
        };
        // The elements that are shown can be others than those of the field.
        let kind = match (helper.size, kind) {
            (Some(size), Kind::DynArray { .. }) => Kind::DynArray { size },
            (Some(of), Kind::Array { size, len }) => Kind::Array {
                size: of,
                len: size * len / of,
            },
            _ => kind,
        };
        let show = match Show::new(kind, false, &helper.name) {
            Ok(show) => show,
            Err(error) => {
                self.error(name.span(), format!("field `{name}`: {error}"));
                return None;
            }
        };
        // The length in elements or in bytes, and the data.
        let is_array = matches!(show, Show::Array);
        let size = if is_array { kind.element_size() } else { 1 };
        let elements = show::read(&kind, &show).len;
        let all = match elements {
            Some(len) => Node::Constant(len as i128),
            None => Node::Len {
                name: text,
                size,
                rel: *rel,
                offset,
            },
        };
        let mut nodes = Nodes::default();
        let wide = number::Type::int(8, false);
        let span = span_of(&named.value);
        let limit = match &helper.len {
            Some(len) => {
                let wanted = self.number(len, &mut nodes)?;
                let last = nodes.known.len() - 1;
                let cast = nodes.known(Node::Cast(wide, last), span_of(len));
                let all = nodes.known(all, span_of(len));
                let is_less = nodes.known(Node::Binary(Op::Lt, cast, all), span_of(len));
                nodes.known(Node::If(is_less, cast, all), span_of(len));
                bits(&wanted.tokens(Some(wide)))
            }
            None => {
                let all = nodes.known(all, span);
                nodes.known(Node::Cast(wide, all), span);
                quote!(!0)
            }
        };
        let Some((nodes, _)) = self.checked(nodes, span)? else {
            self.error(span, "the macro must know the types of the fields");
            return None;
        };
        self.conversion(&kind, &show);
        let data = match (elements, *rel) {
            (Some(_), _) => format!("REC->{text}"),
            (None, false) => format!("__get_dynamic_array({text})"),
            (None, true) => format!("__get_rel_dynamic_array({text})"),
        };
        let (call, argument) = (&helper.name, self.shown_field(n, &kind, &show, None));
        let (iter, most) = (&self.iter, local("limit"));
        let mut value = quote!(__p::print::show(#iter, &const { #argument }, #most));
        let (before, after) = match (&helper.dump, show) {
            (Some((prefix, dump)), _) => {
                let text = prefix.value();
                if let Err(error) = show::check_name(&text) {
                    self.error(prefix.span(), error.replace("a name", "a prefix"));
                    return None;
                }
                let show::Dump {
                    prefix, row, group, ..
                } = *dump;
                let (ascii, start) = (u8::from(dump.ascii), c_string(&text));
                let how = quote!([#prefix, #row, #group, #ascii]);
                value = quote!(__p::print::dump(#iter, &const { #argument }, #most, #start, #how));
                (
                    format!(", __{call}(\"{text}\", {prefix}, {row}, {group}, {data}, "),
                    format!(", {ascii})"),
                )
            }
            (None, Show::Hex(Hex::Dump)) => (
                format!(", __{call}(\"\", 2, 16, 1, {data}, "),
                ", 1)".to_owned(),
            ),
            (None, Show::Hex(Hex::Colons | Hex::Dashes)) => (", ".to_owned(), format!(", {data}")),
            _ if is_array => (format!(", __{call}({data}, "), format!(", {size})")),
            _ => (format!(", __{call}({data}, "), ")".to_owned()),
        };
        self.values.push(quote! {
            match #limit {
                // SAFETY: The record has the field there.
                #most => unsafe { #value },
            }
        });
        self.arguments.bytes(before.as_bytes());
        self.compute(&nodes, true);
        self.arguments.bytes(after.as_bytes());
        Some(())
    }

    /// Adds the argument of a number that's known. `exact` is whether it mustn't have more bits than its
    /// type.
    fn compute(&mut self, nodes: &[Node<'_>], exact: bool) {
        let text = number::argument(Text::<TEXT_MAX>::new(), nodes, exact);
        self.arguments.bytes(text.as_bytes());
    }

    /// Adds the helper that shows a number with a table.
    fn table_text(&mut self, nodes: &[Node<'_>], is_flags: bool, text: &str) {
        let head = show::helper_of_table(Text::new(), is_flags);
        self.arguments.bytes(bytes(&head));
        self.compute(nodes, true);
        self.arguments.bytes(text.as_bytes());
        self.arguments.bytes(b")");
    }

    /// Checks the type of a number, if it's known. Otherwise the compiler does.
    #[allow(clippy::type_complexity)]
    fn checked(
        &mut self,
        nodes: Nodes<'a>,
        span: Span,
    ) -> Option<Option<(Vec<Node<'a>>, number::Type)>> {
        let Some(known) = nodes.known.into_iter().collect::<Option<Vec<_>>>() else {
            return Some(None);
        };
        match number::check(&known) {
            Ok(_) if number::argument(Text::<0>::new(), &known, true).len() > TEXT_MAX => {
                self.error(span, "the expression is too long");
                None
            }
            Ok(ty) => Some(Some((known, ty))),
            Err(error) => {
                self.error(nodes.spans[error.node], error.problem.text().as_str());
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
        let tokens = &nodes.tokens;
        let tokens = quote!(&const { [#(#tokens),*] });
        let known = self.checked(nodes, span)?;
        let ty = known.as_ref().map(|(_, ty)| *ty);
        Some(Checked {
            known,
            nodes: tokens,
            rust: number.tokens(ty),
        })
    }

    /// Adds a condition, and returns it in Rust.
    fn condition(
        &mut self,
        named: &Named,
        condition: Checked<'_>,
        span: Span,
    ) -> Option<TokenStream> {
        match condition.known {
            Some((nodes, number::Type::Bool)) => self.compute(&nodes, true),
            Some((_, ty)) => {
                let problem = number::Problem::NotBool(ty).text();
                self.error(span, problem.as_str());
                return None;
            }
            None => {
                let (event, name) = (self.event, named.name.unraw().to_string());
                let (span, nodes) = (Span::mixed_site().located_at(span), condition.nodes);
                self.shown(quote_spanned!(span=> __p::Shown::condition(#event, #name, #nodes)));
            }
        }
        Some(condition.rust)
    }

    /// Adds one of two texts.
    fn choice(
        &mut self,
        condition: impl FnOnce(&mut Self) -> Option<TokenStream>,
        then: impl FnOnce(&mut Self) -> Option<TokenStream>,
        other: impl FnOnce(&mut Self) -> Option<TokenStream>,
    ) -> Option<TokenStream> {
        self.arguments.bytes(b"(");
        let condition = condition(self)?;
        self.arguments.bytes(b") ? ");
        let then = then(self)?;
        self.arguments.bytes(b" : ");
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
        self.arguments.bytes(b"(");
        let text = add(self)?;
        self.arguments.bytes(b")");
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
        if let Err(error) = show::check_name(&value) {
            self.error(text.span(), error.replace("a name", "a string"));
            return None;
        }
        self.arguments.bytes(format!("\"{value}\"").as_bytes());
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
                self.arms(named, &choice.expr, &arms, other, spec)
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
        let n = self.operand(name)?;
        let field = &self.fields[n];
        let (kind, show) = match field.kind {
            Some(kind @ Kind::Str) => (kind, Show::Str(*spec)),
            Some(kind @ Kind::Chars { .. }) => (kind, Show::Chars(*spec)),
            _ => {
                let error = format!("field `{name}` isn't a string, unlike the other values");
                self.error(name.span(), error);
                return None;
            }
        };
        let argument = show::argument(Text::new(), &field.text, &kind, field.rel, &show);
        self.arguments.bytes(bytes(&argument));
        let value = self.argument(n, &kind, &show, None);
        let format = show::kernel_format(Text::<4096>::new(), &kind, &show);
        Some(match format.as_str() {
            "%s" => value,
            format => {
                let (iter, format) = (&self.iter, c_string(format));
                // SAFETY: It's the text of a field.
                quote!(unsafe { __p::print::format(#iter, #format, #value) })
            }
        })
    }

    /// Adds the text of the first arm that matches.
    fn arms(
        &mut self,
        named: &Named,
        of: &Expr,
        arms: &[(Vec<Key>, &Expr)],
        other: &Expr,
        spec: &Spec,
    ) -> Option<TokenStream> {
        let [(keys, value), rest @ ..] = arms else {
            return self.text_value(named, other, spec);
        };
        self.choice(
            |this| this.matches(named, of, keys),
            |this| this.branch(named, value, spec),
            |this| match rest {
                [] => this.branch(named, other, spec),
                rest => this.grouped(true, |this| this.arms(named, of, rest, other, spec)),
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
        let special: Vec<_> = table.entries.iter().filter(is_special).collect();
        self.special(named, table, &special, spec)
    }

    /// Adds the texts of `special`, and for other values the rest of the table.
    fn special(
        &mut self,
        named: &Named,
        table: &Table,
        special: &[&(Key, LitStr)],
        spec: &Spec,
    ) -> Option<TokenStream> {
        let [(key, text), rest @ ..] = special else {
            return match &table.other {
                Some(other) => self.constant_text(other, spec),
                None => self.plain_table(named, table, spec),
            };
        };
        self.choice(
            |this| this.matches(named, &table.of, std::slice::from_ref(key)),
            |this| this.constant_text(text, spec),
            |this| {
                this.grouped(!rest.is_empty(), |this| {
                    this.special(named, table, rest, spec)
                })
            },
        )
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
        let table = self.constant_table(&table);
        self.computed_named(named, &number, &table);
        Some(self.named(&number.rust, &table, spec))
    }

    /// Adds a table as C has it: what isn't special.
    fn plain_table(&mut self, named: &Named, table: &Table, spec: &Spec) -> Option<TokenStream> {
        let about = format!("`{}`: `{}`", self.event, named.name.unraw());
        let number = self.computed(&table.of)?;
        let is_known = |(key, _): &(Key, LitStr)| tables::shifted(&key.0, 64).is_some();
        let is_known = number.known.is_some() && table.entries.iter().all(is_known);
        if !is_known && !spec.is_plain() {
            let error = "a table has a width only if the macro knows all of its values";
            self.error(span_of(&named.value), error);
            return None;
        }
        let size = self.size_of(named, &number);
        let checked = self.table(table, size, about)?;
        let tokens = self.constant_table(&checked.tokens());
        match (&number.known, checked.text()) {
            (Some((nodes, _)), Some(text)) => self.table_text(nodes, table.is_flags, &text),
            _ => self.computed_named(named, &number, &tokens),
        }
        Some(self.named(&number.rust, &tokens, spec))
    }

    /// Returns the size of a number that's looked up in a table.
    fn size_of(&self, named: &Named, number: &Checked<'_>) -> Size {
        let known = number.known.as_ref().map(|(_, ty)| ty.kind().number_size());
        let (event, name, nodes) = (self.event, named.name.unraw().to_string(), &number.nodes);
        let tokens = match known {
            Some(size) => quote!(#size),
            None => quote!(__p::number_size(#event, #name, #nodes)),
        };
        Size { tokens, known }
    }

    /// Adds a number with a table that the compiler has to look at.
    fn computed_named(&mut self, named: &Named, number: &Checked<'_>, table: &TokenStream) {
        let (event, name, nodes) = (self.event, named.name.unraw().to_string(), &number.nodes);
        self.shown(quote!(__p::Shown::computed_named(#event, #name, #nodes, &#table)));
    }

    /// Returns the argument for a number that's shown with a table.
    fn named(&self, value: &TokenStream, table: &TokenStream, spec: &Spec) -> TokenStream {
        let (iter, n) = (&self.iter, local("n"));
        let (function, format) = if spec.is_plain() {
            (quote!(name), None)
        } else {
            let format = show::format(Text::<4096>::new(), &Kind::Str, &Show::Str(*spec));
            let format = c_string(format.as_str());
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
