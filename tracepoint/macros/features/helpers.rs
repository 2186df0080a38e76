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

use super::values::{as_text, is_helper, with_macros};
use crate::{
    base::event::template::{How, Of, Shown},
    compiler::Compiler,
    grammar::list,
    print::Named,
    tables,
    text::Text,
    tokens::{as_name, span_of},
};
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned, ToTokens};
use syn::{parse::Parser, Error, Expr, LitStr, Result};

/// A helper for arrays and what it's given.
struct Helper {
    name: String,
    field: Ident,
    /// How much of the field is shown.
    len: Option<Expr>,
    /// The size of an element, if it isn't that of the field.
    size: Option<usize>,
    /// The start of each line of `print_hex_dump`, and the arguments that follow it in C: the kind of prefix, the number
    /// of bytes in a line and in a group, and whether the characters follow.
    dump: Option<(LitStr, [u8; 4])>,
}

/// The helpers, and what they're given.
const USAGE: [(&str, &str); 6] = [
    ("print_hex", "`print_hex(field, length)`"),
    ("print_hex_str", "`print_hex_str(field, length)`"),
    ("phC", "`phC(field, length)`"),
    ("phD", "`phD(field, length)`"),
    (
        "print_array",
        "`print_array(field, length, size)` with a size of 1, 2, 4 or 8 bytes",
    ),
    (
        "print_hex_dump",
        "`print_hex_dump(field)`, or C's arguments without the length, such as \
         `print_hex_dump(\"\", DUMP_PREFIX_OFFSET, 16, 1, field, true)`",
    ),
];

impl Helper {
    /// Returns the helper, if the value is one.
    fn of(value: &TokenStream) -> Option<Result<Self>> {
        let tokens: Vec<_> = value.clone().into_iter().collect();
        let [TokenTree::Ident(name), TokenTree::Group(call)] = &tokens[..] else {
            return None;
        };
        let text = name.to_string();
        let is_table = matches!(text.as_str(), "print_symbolic" | "print_flags");
        if call.delimiter() != Delimiter::Parenthesis || is_table || !is_helper(&text) {
            return None;
        }
        let Some((_, usage)) = USAGE.iter().find(|(name, _)| *name == text) else {
            let error = format!(
                "there is no helper `{name}`, only `print_symbolic`, `print_flags`, `print_hex`, \
                 `print_hex_str`, `print_hex_dump`, `print_array`, `phC` and `phD`"
            );
            return Some(Err(Error::new(name.span(), error)));
        };
        Some(list.parse2(with_macros(call.stream())).and_then(|args| {
            Self::with(&text, &args).ok_or_else(|| {
                let span = args
                    .first()
                    .map_or(call.span(), |_| span_of(&call.stream()));
                Error::new(span, format!("expected {usage}"))
            })
        }))
    }

    fn with(name: &str, args: &[Expr]) -> Option<Self> {
        let (mut size, mut dump) = (None, None);
        let args = match (name, args) {
            ("print_array", [args @ .., of]) if args.len() == 2 => {
                size = Some(one_of(of, &SIZES)?.into());
                args
            }
            ("print_hex_dump", [start, prefix, row, group, args @ .., ascii]) => {
                let how = [
                    one_of(prefix, &PREFIXES)?,
                    one_of(row, &[("16", 16), ("32", 32)])?,
                    one_of(group, &SIZES)?,
                    one_of(ascii, &[("false", 0), ("true", 1)])?,
                ];
                dump = Some((as_text(start)?.clone(), how));
                args
            }
            _ => args,
        };
        let (field, len) = match args {
            [field] => (field, None),
            [field, len] => (field, Some(len.clone())),
            _ => return None,
        };
        Some(Self {
            name: name.into(),
            field: as_name(field)?.clone(),
            len,
            size,
            dump,
        })
    }
}

const SIZES: [(&str, u8); 4] = [("1", 1), ("2", 2), ("4", 4), ("8", 8)];

/// C's (include/linux/printk.h).
const PREFIXES: [(&str, u8); 3] = [
    ("DUMP_PREFIX_NONE", 0),
    ("DUMP_PREFIX_ADDRESS", 1),
    ("DUMP_PREFIX_OFFSET", 2),
];

/// Returns what an argument stands for that's one of several.
fn one_of(expr: &Expr, values: &[(&str, u8)]) -> Option<u8> {
    let text = expr.to_token_stream().to_string();
    let (_, value) = values.iter().find(|(name, _)| *name == text)?;
    Some(*value)
}

/// Adds a value that follows a template to it, with the spec that the template has at a place. Returns `None` after an
/// error.
pub(crate) fn value(
    compiler: &mut Compiler<'_>,
    named: &Named,
    spec: &str,
    span: Span,
) -> Option<()> {
    match Helper::of(&named.value) {
        Some(helper) => compiler.helper(helper, spec, span),
        None => compiler.computed_value(named, spec, span),
    }
}

impl Compiler<'_> {
    /// Adds a helper.
    fn helper(&mut self, helper: Result<Helper>, spec: &str, span: Span) -> Option<()> {
        let helper = self.parsed(helper)?;
        if !spec.is_empty() {
            return self.refused(span, "nothing can follow the name of an array");
        }
        let name = &helper.field;
        let n = self.field(&name.to_string(), name.span())?;
        let about = format!("field `{name}`: ");
        if let (None, None) = (&helper.len, &helper.dump) {
            let shown = self.show(n, &helper.name, name.span());
            return self.good(shown, name.span(), &about);
        }
        let field = &self.fields[n];
        let Some(shape) = field.known else {
            let error = format!("{about}the macro must know the types of the fields");
            return self.refused(name.span(), error);
        };
        // The elements that are shown can be others than those of the field.
        let (shape, of) = match (helper.size, &field.shape) {
            (Some(size), of) => (shape.resized(size), quote!(__p::Shape::resized(#of, #size))),
            (None, of) => (shape, of.clone()),
        };
        let helper_name = &helper.name;
        let shown = Shown::new(&field.text, Of::Recorded(shape), How::As(helper_name));
        let shown = self.good(shown, name.span(), &about)?;
        let part = |part| shown.part(Text::<512>::new(), part).as_str().to_owned();
        let unknown = (quote!(__p::Of::Recorded(#of)), quote!(As(#helper_name)));
        let argument = self.shown(&field.text, &unknown, span);
        let (iter, start) = (self.iter(), &field.start);
        let (value, before, after);
        match &helper.dump {
            Some((text, how @ [prefix, row, group, ascii])) => {
                let prefix_text = Literal::c_string(&self.parsed(tables::text(text))?);
                let text = text.value();
                value = quote! {
                    __p::print::dump(
                        #iter,
                        __p::print::data(__record, #start, &const { #argument }, __limit),
                        #prefix_text,
                        [#(#how),*],
                    )
                };
                let data = part("$");
                before = format!("__print_hex_dump(\"{text}\", {prefix}, {row}, {group}, {data}, ");
                after = format!(", {ascii})");
            }
            None => {
                value = quote!(__p::print::show(#iter, #start, &const { #argument }, __limit));
                let (head, tail) = shown.show.argument.split_once('#')?;
                (before, after) = (part(head), part(tail));
            }
        }
        self.convert(&shown);
        self.arguments.text(before);
        // The length is in elements or in bytes.
        let limit = match &helper.len {
            Some(len) => {
                let number = self.number(len)?;
                let size = shown.show.unit();
                let (c, text, rel) = (&number.c, &field.text, shape.rel);
                let all = match shown.show.len() {
                    Some(len) => quote!(constant(#len as ::core::primitive::i128)),
                    None => quote!(elements(#text, #rel, #size)),
                };
                let at = Span::mixed_site().located_at(span_of(len));
                let c = quote_spanned! {at=>
                    __p::values::Value::at_most(#c, __p::values::Value::#all)
                };
                self.add_number(c, span_of(len));
                number.bits(at)
            }
            None => {
                self.arguments.text(part("#"));
                quote!(!0)
            }
        };
        self.arguments.text(after);
        self.values.push(quote! {
            match #limit {
                // SAFETY: The function that prints is at a record of the event, which has the field
                // there.
                __limit => unsafe { #value },
            }
        });
        Some(())
    }
}
