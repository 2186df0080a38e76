// SPDX-License-Identifier: GPL-2.0

//! Helpers for arrays with arguments, as values that follow a print template.
//!
//! ```text
//! value    = part "(" field [ "," value ] ")"
//!          | "print_array" "(" field "," value "," size ")"
//!          | "print_hex_dump" "(" STRING "," prefix "," row "," size "," field [ "," value ] "," ascii ")"
//! part     = "print_hex" | "print_hex_str" | "print_hex_dump" | "print_array" | "phC" | "phD"
//! ```
//!
//! The arguments of `print_array` and `print_hex_dump` are C's.

use super::values::{
    bits,
    number::{self, Node, Op},
    translated, Nodes,
};
use crate::{
    base::event::template::{How, Of, Shown},
    compiler::Compiler,
    layers::Layer,
    print::Named,
    shape::Shape,
    show::{Kind, Pass, Show},
    tables,
    text::Text,
    tokens::{c_string, local, span_of},
    value::Table,
};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{
    ext::IdentExt,
    parse::{ParseStream, Parser},
    Error, Expr, LitBool, LitInt, LitStr, Result, Token,
};

pub(crate) static LAYER: Layer = Layer {
    value,
    ..Layer::NONE
};

/// A helper for arrays and what it's given.
struct Helper {
    name: String,
    field: Ident,
    /// How much of the field is shown.
    len: Option<Expr>,
    /// The size of an element, if it isn't that of the field.
    size: Option<usize>,
    /// What each line of `print_hex_dump` starts with, and what follows it in C: the kind of prefix, the number of
    /// bytes in a line and in a group, and whether the characters follow.
    dump: Option<(LitStr, [u8; 4])>,
}

const SIZES: [usize; 4] = [1, 2, 4, 8];

const DUMP_USAGE: &str =
    "expected `print_hex_dump(field)`, or C's arguments without the length, such as \
                          `print_hex_dump(\"\", DUMP_PREFIX_OFFSET, 16, 1, field, true)`";

impl Helper {
    /// Returns the helper, if the value is one.
    fn of(value: &TokenStream) -> Option<Result<Self>> {
        let tokens: Vec<_> = value.clone().into_iter().collect();
        let [TokenTree::Ident(name), TokenTree::Group(call)] = &tokens[..] else {
            return None;
        };
        let text = name.to_string();
        let is_one = match text.as_str() {
            "print_hex" | "print_hex_str" | "print_hex_dump" | "print_array" | "phC" | "phD" => {
                true
            }
            text if text.starts_with("print_") => false,
            _ => return None,
        };
        if call.delimiter() != Delimiter::Parenthesis || Table::of(value).is_some() {
            return None;
        }
        if !is_one {
            let error = format!(
                "there is no helper `{name}`, only `print_symbolic`, `print_flags`, `print_hex`, \
                 `print_hex_str`, `print_hex_dump`, `print_array`, `phC` and `phD`"
            );
            return Some(Err(Error::new(name.span(), error)));
        }
        let parse = |input: ParseStream<'_>| Self::parse(input, text);
        Some(parse.parse2(translated(call.stream())))
    }

    fn parse(input: ParseStream<'_>, name: String) -> Result<Self> {
        let usage = |_| Error::new(input.span(), DUMP_USAGE);
        let comma = || input.parse::<Token![,]>().map_err(usage);
        let mut dump = None;
        if name == "print_hex_dump" && input.peek(LitStr) {
            let text = input.parse()?;
            comma()?;
            let prefix = prefix_type(input)?;
            comma()?;
            let row = choice(input, &[16, 32], "a line has 16 or 32 bytes")? as u8;
            comma()?;
            let group = choice(input, &SIZES, "a group has 1, 2, 4 or 8 bytes")? as u8;
            comma()?;
            dump = Some((text, [prefix, row, group, 0]));
        }
        let field = Ident::parse_any(input)
            .map_err(|e| Error::new(e.span(), "expected the name of a field"))?;
        let (mut len, mut size) = (None, None);
        if let Some((_, dump)) = &mut dump {
            comma()?;
            if !input.peek(LitBool) {
                len = Some(input.parse()?);
                comma()?;
            }
            dump[3] = input.parse::<LitBool>().map_err(usage)?.value.into();
        } else if input.peek(Token![,]) && !input.peek2(syn::parse::End) {
            comma()?;
            len = Some(input.parse()?);
            if name == "print_array" && input.peek(Token![,]) && !input.peek2(syn::parse::End) {
                comma()?;
                size = Some(choice(input, &SIZES, "an element has 1, 2, 4 or 8 bytes")?);
            }
        }
        input.parse::<Option<Token![,]>>()?;
        Ok(Self {
            name,
            field,
            len,
            size,
            dump,
        })
    }
}

/// Parses a number that's one of `values`.
fn choice(input: ParseStream<'_>, values: &[usize], expected: &str) -> Result<usize> {
    let span = input.span();
    let number = input.parse::<LitInt>().and_then(|n| n.base10_parse());
    let number = number.ok().filter(|n| values.contains(n));
    number.ok_or_else(|| Error::new(span, expected))
}

/// Parses one of C's `DUMP_PREFIX_…` and returns its value (include/linux/printk.h).
fn prefix_type(input: ParseStream<'_>) -> Result<u8> {
    const NAMES: [&str; 3] = [
        "DUMP_PREFIX_NONE",
        "DUMP_PREFIX_ADDRESS",
        "DUMP_PREFIX_OFFSET",
    ];
    let span = input.span();
    let name = Ident::parse_any(input).ok();
    let n = NAMES
        .iter()
        .position(|prefix| name.as_ref().is_some_and(|name| name == prefix));
    n.map(|n| n as u8).ok_or_else(|| {
        let error = "expected `DUMP_PREFIX_NONE`, `DUMP_PREFIX_ADDRESS` or `DUMP_PREFIX_OFFSET`";
        Error::new(span, error)
    })
}

/// Adds a helper.
fn value(compiler: &mut Compiler<'_>, named: &Named, spec: &str, span: Span) -> Option<Option<()>> {
    let helper = Helper::of(&named.value)?;
    Some(compiler.helper(named, helper, spec, span))
}

impl<'a> Compiler<'a> {
    /// Adds a helper.
    fn helper(
        &mut self,
        named: &Named,
        helper: Result<Helper>,
        spec: &str,
        span: Span,
    ) -> Option<()> {
        let helper = self.parsed(helper)?;
        if !spec.is_empty() {
            self.error(span, "nothing can follow the name of an array");
            return None;
        }
        let field = &helper.field;
        let n = self.field(&field.to_string(), field.span())?;
        match (&helper.len, &helper.dump) {
            (None, None) => {
                let shown = self.show(n, &helper.name, None, field.span());
                self.good(shown, field.span(), format_args!("field `{field}`: "))
            }
            _ => self.part_of_array(named, n, &helper),
        }
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
        let shown = Shown::new(&field.text, of, how);
        let shown = self.good(shown, name.span(), format_args!("field `{name}`: "))?;
        let span = named.span();
        self.check_count(span, true);
        // The length in elements or in bytes, and the data.
        let (text, rel, elements) = (&field.text, shape.rel, shown.read().len);
        let size = match shown.show {
            Show {
                pass: Pass::Array, ..
            } => kind.element_size(),
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
        let Some(length) = self.checked(&nodes, true)? else {
            self.error(span, "the macro must know the types of the fields");
            return None;
        };
        let (iter, most, argument) = (&self.iter, local("limit"), self.shown_field(n, &shown));
        let mut value = quote!(__p::print::show(#iter, &const { #argument }, #most));
        let part = |part| shown.part(Text::<512>::new(), part).as_str().to_owned();
        let (before, after) = match &helper.dump {
            Some((start, how @ [prefix, row, group, ascii])) => {
                let text = start.value();
                if let Err(error) = tables::check_name(&text) {
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
                let (before, after) = shown.show.argument.split_once('#')?;
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
        self.arguments.text(length.text());
        self.arguments.text(after);
        Some(())
    }
}
