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
//! The arguments after the template are in [`argument`](crate::argument).

use crate::{
    argument::{self, Constant, Key, Named, NAMED},
    errno::ERRNO,
    grammar::span_of,
    hygiene::hidden,
    number::{self, Node, Op},
    show::{self, Hex, Kind, Read, Show, Spec},
    symbols::{Size, Table, Value},
    text::Text,
    tracepoint::{c_string, local},
};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use std::ops::Range;
use syn::{
    ext::IdentExt, parse::ParseStream, Error, Expr, ExprLit, GenericArgument, Lit, LitStr,
    PathArguments, Result, Token, Type, TypeArray,
};

/// A field as a template sees it.
pub(crate) struct Field<'a> {
    /// The name.
    pub(crate) name: &'a Ident,
    /// The name in C.
    pub(crate) text: String,
    /// The type of the number, or of the elements, if it's known by its name.
    pub(crate) number: Option<number::Type>,
    /// What the library knows of the type.
    pub(crate) shape: TokenStream,
    /// Whether its elements are `char` in C.
    pub(crate) chars: bool,
    /// What the field is made of, or `None` if the type isn't known by its name: see [`kind`].
    pub(crate) kind: Option<Kind>,
    /// Whether the type is a `Rel<…>`: see [`is_rel`].
    pub(crate) rel: bool,
    /// Whether the template must show the field.
    pub(crate) shown: bool,
    /// Where the field is in the record, if it's known.
    pub(crate) offset: Option<usize>,
    /// The same for the expansion.
    pub(crate) start: TokenStream,
}

/// What follows `print`: the template and its arguments.
pub(crate) struct Print {
    pub(crate) template: LitStr,
    pub(crate) named: Vec<Named>,
    /// What follows the template, as it was written.
    pub(crate) source: TokenStream,
    /// What a macro puts before and after the template.
    pub(crate) around: (&'static str, &'static str),
}

impl Print {
    /// Parses what follows the `print` of `event`.
    pub(crate) fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let template = input.parse().map_err(|e| {
            Error::new(
                e.span(),
                format!("`{event}`: expected a template: `print \"…\"`"),
            )
        })?;
        let arguments = input.fork();
        let mut named = Vec::new();
        while input.peek(Token![,]) {
            let comma: Token![,] = input.parse()?;
            // The last one can have a comma, too.
            if input.is_empty() || input.peek(Token![;]) {
                if named.is_empty() {
                    return Err(Error::new(comma.span, format!("`{event}`: {NAMED}")));
                }
                break;
            }
            if let Some(error) = c_format(&template, input) {
                return Err(Error::new(error.span(), format!("`{event}`: {error}")));
            }
            named.push(Named::parse(input, event)?);
        }
        arguments.parse::<Option<Token![,]>>()?;
        let mut source = TokenStream::new();
        while arguments.cursor() != input.cursor() {
            source.extend([arguments.parse::<TokenTree>()?]);
        }
        Ok(Self {
            template,
            named,
            source,
            around: ("", ""),
        })
    }

    /// Returns the whole text.
    fn text(&self) -> String {
        [self.around.0, &self.template.value(), self.around.1].concat()
    }

    /// Returns the span of a part of the text.
    fn span(&self, range: Range<usize>) -> Span {
        let start = self.around.0.len();
        if range.start < start || range.end > start + self.template.value().len() {
            return self.template.span();
        }
        subspan(&self.template, range.start - start..range.end - start)
    }
}

/// Returns the error for an argument as C has it: a field or an expression without a name.
fn c_format(template: &LitStr, input: ParseStream<'_>) -> Option<Error> {
    let fork = input.fork();
    let name = Ident::parse_any(&fork).ok()?;
    if fork.peek(Token![=]) {
        return None;
    }
    let text = template.value();
    let conversion = conversions(&text).next()?;
    let error = format!(
        "`{}` is C syntax: write `{{{name}}}` in the template",
        &text[conversion.clone()]
    );
    Some(Error::new(subspan(template, conversion), error))
}

/// Returns where a template has C's conversions, such as `%llu`.
fn conversions(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || loop {
        let start = at + text[at..].find('%')?;
        at = start + 1;
        if text[at..].starts_with('%') {
            at += 1;
        } else if let Some(len) = conversion(&text[at..]) {
            at += len;
            return Some(start..at);
        }
    })
}

/// Returns the length of the conversion that follows a `%`, if it's one.
fn conversion(text: &str) -> Option<usize> {
    let skip = |at: usize, is_part: fn(char) -> bool| {
        at + text[at..].len() - text[at..].trim_start_matches(is_part).len()
    };
    let at = skip(0, |c| matches!(c, '-' | '+' | '#' | '.' | '*' | '0'..='9'));
    let at = skip(at, |c| matches!(c, 'h' | 'l' | 'z' | 't' | 'j' | 'q' | 'L'));
    match text[at..].chars().next()? {
        'p' => Some(skip(at + 1, |c| c.is_ascii_alphanumeric())),
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' | 's' | 'n' => Some(at + 1),
        _ => None,
    }
}

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

/// Returns the type without what groups it.
pub(crate) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        ty => ty,
    }
}

/// Returns the name of a type that is a plain name or a path into a crate whose types are known, and
/// its only argument.
pub(crate) fn name_of(ty: &Type) -> Option<(String, Option<&Type>)> {
    let Type::Path(path) = ungrouped(ty) else {
        return None;
    };
    if path.qself.is_some() {
        return None;
    }
    let segments = &path.path.segments;
    let last = segments.last()?;
    let first = segments.first()?.ident.unraw().to_string();
    let crates = ["core", "kernel", "ffi", "tracepoint", "event"];
    if segments.len() > 1 && !crates.contains(&first.as_str()) {
        return None;
    }
    let argument = match &last.arguments {
        PathArguments::None => None,
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(ty) if arguments.args.len() == 1 => Some(ty),
            _ => return None,
        },
        PathArguments::Parenthesized(_) => return None,
    };
    Some((last.ident.unraw().to_string(), argument))
}

/// Returns the length of an array type, if it's a literal.
pub(crate) fn len_of(array: &TypeArray) -> Option<usize> {
    match &array.len {
        Expr::Lit(ExprLit {
            lit: Lit::Int(len), ..
        }) => len.base10_parse().ok(),
        _ => None,
    }
}

/// Returns the kind of an integer type.
fn integer(ty: &Type) -> Option<Kind> {
    let (name, None) = name_of(ty)? else {
        return None;
    };
    // A `c_char` alone isn't a number in a template, but `is_c_char` finds it.
    if name == "c_char" {
        return None;
    }
    number::Type::named(&name).map(number::Type::kind)
}

/// Returns the type of a number, or of the elements of an array, if it's known by its name.
pub(crate) fn number_type(ty: &Type) -> Option<number::Type> {
    match ungrouped(ty) {
        Type::Array(array) => number_type(&array.elem),
        Type::Ptr(_) => Some(number::Type::Pointer),
        ty => match name_of(ty)? {
            (name, None) => number::Type::named(&name),
            _ => None,
        },
    }
}

/// Returns whether the type is a `c_char`, which is signed in `core` but not in the kernel.
fn is_c_char(ty: &Type) -> bool {
    matches!(name_of(ty), Some((name, None)) if name == "c_char")
}

/// Returns the size of an element of an array.
fn element(ty: &Type) -> Option<usize> {
    match integer(ty) {
        Some(Kind::Int { size, .. }) => Some(size),
        _ => is_c_char(ty).then_some(1),
    }
}

/// Returns whether the elements of an array are `char` in C.
pub(crate) fn is_chars(ty: &Type, ctype: Option<&str>) -> bool {
    match (ctype, ungrouped(ty)) {
        (Some(ctype), _) => ctype == "char",
        (None, Type::Array(array)) => is_c_char(&array.elem),
        _ => false,
    }
}

/// Returns what a field of this type is made of, if the type is known by its name. `ctype` is the C
/// type that follows it, if any. The expansion checks the assumption, see `__p::trace_event_field`.
pub(crate) fn kind(ty: &Type, ctype: Option<&str>) -> Option<Kind> {
    match ungrouped(ty) {
        Type::Ptr(_) => return Some(Kind::Pointer),
        Type::Array(array) => {
            let kind = Kind::Array {
                size: element(&array.elem)?,
                len: len_of(array)?,
            };
            return Some(if is_chars(ty, ctype) {
                kind.chars()
            } else {
                kind
            });
        }
        _ => {}
    }
    let (name, argument) = name_of(ty)?;
    match (name.as_str(), argument) {
        ("Str" | "Formatted", None) => Some(Kind::Str),
        ("DynArray", Some(ty)) => element(ty).map(|size| Kind::DynArray { size }),
        ("Bitmask" | "Cpumask", None) => Some(Kind::Mask),
        ("SockAddr", None) => Some(Kind::SockAddr),
        ("Rel", Some(ty)) => match kind(ty, None)? {
            kind @ (Kind::Str | Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr) => Some(kind),
            _ => None,
        },
        _ => integer(ty),
    }
}

/// Returns whether the type is a `Rel<…>`.
pub(crate) fn is_rel(ty: &Type) -> bool {
    matches!(name_of(ty), Some((name, Some(_))) if name == "Rel")
}

/// Returns where each byte of the value of a string literal is in its source, and where it ends.
fn source_offsets(source: &str) -> Option<Vec<usize>> {
    let bytes = source.as_bytes();
    let mut offsets = Vec::new();
    let mut at = source.find('"')? + 1;
    if bytes[0] == b'r' {
        // No escapes. The suffix is as long as the prefix without its `r`.
        offsets.extend(at..=source.len() - (at - 1));
        return Some(offsets);
    }
    loop {
        match *bytes.get(at)? {
            b'"' => {
                offsets.push(at);
                return Some(offsets);
            }
            b'\\' => match bytes.get(at + 1)? {
                b'\n' | b'\r' => {
                    at += 1;
                    while bytes.get(at)?.is_ascii_whitespace() {
                        at += 1;
                    }
                }
                b'x' => {
                    offsets.push(at);
                    at += 4;
                }
                b'u' => {
                    let end = at + source.get(at..)?.find('}')?;
                    let digits = source.get(at + 3..end)?.replace('_', "");
                    let char = char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?;
                    offsets.extend((0..char.len_utf8()).map(|_| at));
                    at = end + 1;
                }
                _ => {
                    offsets.push(at);
                    at += 2;
                }
            },
            _ => {
                offsets.push(at);
                at += 1;
            }
        }
    }
}

/// Returns the span of a part of a literal's value, or of the literal if the compiler can't tell.
fn subspan(literal: &LitStr, range: Range<usize>) -> Span {
    let part = || {
        // Outside of the compiler, as in tests, literals have no source.
        if !proc_macro::is_available() {
            return None;
        }
        let tokens: proc_macro::TokenStream = literal.to_token_stream().into();
        let Some(proc_macro::TokenTree::Literal(token)) = tokens.into_iter().next() else {
            return None;
        };
        let offsets = source_offsets(&token.to_string())?;
        if offsets.len() != literal.value().len() + 1 {
            return None;
        }
        token.subspan(offsets[range.start]..offsets[range.end])
    };
    part().map_or_else(|| literal.span(), Span::from)
}

/// Returns the bytes of a short text.
fn bytes(text: &Text<4096>) -> &[u8] {
    // Identifiers are shorter, and `Table::check` limits the names.
    assert!(text.len() <= 4096, "a name is too long");
    text.as_bytes()
}

/// A part of the `print fmt` or of the kernel's format.
enum Part {
    Bytes(Vec<u8>),
    /// A variant of `__p::Part`, for a field in `__p::Print::shown`.
    Shown(&'static str, usize),
}

/// The parts of the `print fmt` or of the kernel's format.
#[derive(Default)]
struct Parts(Vec<Part>);

impl Parts {
    fn bytes(&mut self, bytes: &[u8]) {
        if let Some(Part::Bytes(last)) = self.0.last_mut() {
            last.extend(bytes);
        } else if !bytes.is_empty() {
            self.0.push(Part::Bytes(bytes.into()));
        }
    }

    fn append(&mut self, other: Self) {
        for part in other.0 {
            match part {
                Part::Bytes(bytes) => self.bytes(&bytes),
                part => self.0.push(part),
            }
        }
    }

    /// Returns the parts as a slice of `__p::Part`.
    fn tokens(&self) -> TokenStream {
        let parts = self.0.iter().map(|part| match part {
            Part::Bytes(bytes) => {
                let bytes = Literal::byte_string(bytes);
                quote!(__p::Part::Bytes(#bytes))
            }
            Part::Shown(variant, n) => {
                let variant = format_ident!("{variant}");
                quote!(__p::Part::#variant(#n))
            }
        });
        quote!(&[#(#parts),*])
    }

    /// Returns the bytes if there's nothing else.
    fn known(&self) -> Option<&[u8]> {
        match &self.0[..] {
            [Part::Bytes(bytes)] => Some(bytes),
            _ => None,
        }
    }
}

/// The field and the table that a name in the template stands for.
struct Lookup {
    field: usize,
    table: Table,
}

/// What a name in the template stands for.
enum Meaning {
    /// A field that is shown with a table.
    Lookup(Lookup),
    /// What has to be computed.
    Value,
    /// Something that has an error.
    Error,
}

/// An expression on the way to [`number`]: its parts, in the order of `Node`.
#[derive(Default)]
struct Nodes<'a> {
    /// `None` if only the compiler knows the part.
    known: Vec<Option<Node<'a>>>,
    tokens: Vec<TokenStream>,
    spans: Vec<Span>,
}

impl<'a> Nodes<'a> {
    fn known(&mut self, node: Node<'a>, span: Span) -> usize {
        self.known.push(Some(node));
        self.tokens.push(tokens_of(&node));
        self.spans.push(span);
        self.known.len() - 1
    }

    fn unknown(&mut self, tokens: TokenStream, span: Span) -> usize {
        self.known.push(None);
        self.tokens.push(tokens);
        self.spans.push(span);
        self.known.len() - 1
    }
}

/// Expands a part of an expression, other than one that depends on where a field is.
fn tokens_of(node: &Node<'_>) -> TokenStream {
    let type_of = |ty: number::Type| match ty {
        number::Type::Bool => quote!(__p::NumberType::Bool),
        number::Type::Int { size, signed } => {
            quote!(__p::NumberType::Int { size: #size, signed: #signed })
        }
        number::Type::Pointer => quote!(__p::NumberType::Pointer),
    };
    match *node {
        Node::Constant(n) => {
            let n = Literal::i128_unsuffixed(n);
            quote!(__p::Node::Constant(#n))
        }
        Node::Bool(is) => quote!(__p::Node::Bool(#is)),
        Node::Load {
            name,
            index,
            ty,
            offset,
        } => {
            let index = match index {
                Some(index) => quote!(__p::Some(#index)),
                None => quote!(__p::None),
            };
            let ty = type_of(ty);
            quote! {
                __p::Node::Load { name: #name, index: #index, ty: #ty, offset: #offset }
            }
        }
        Node::Len {
            name,
            size,
            rel,
            offset,
        } => {
            quote!(__p::Node::Len { name: #name, size: #size, rel: #rel, offset: #offset })
        }
        Node::Neg(of) => quote!(__p::Node::Neg(#of)),
        Node::Not(of) => quote!(__p::Node::Not(#of)),
        Node::Binary(op, a, b) => {
            let op = format_ident!("{op:?}");
            quote!(__p::Node::Binary(__p::NumberOp::#op, #a, #b))
        }
        Node::Cast(ty, of) => {
            let ty = type_of(ty);
            quote!(__p::Node::Cast(#ty, #of))
        }
        Node::If(a, b, c) => quote!(__p::Node::If(#a, #b, #c)),
    }
}

/// A table that's known.
struct TableText {
    is_flags: bool,
    /// What follows the number in the `print fmt`.
    text: String,
    /// The expression for the table.
    tokens: TokenStream,
}

impl TableText {
    /// Returns the names of error numbers, for a number that can be one.
    fn errno(kind: Option<Kind>) -> std::result::Result<(Kind, Self), &'static str> {
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
enum Number<'a> {
    Known(Vec<Node<'a>>, number::Type),
    /// The expression for its parts.
    Unknown(TokenStream),
}

/// Returns what helps with the spec of Rust that has no equivalent here.
fn help_of(name: &str, spec: &str) -> String {
    if spec.ends_with('?') {
        format!("\nhelp: write `{{{name}}}`")
    } else {
        String::new()
    }
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

/// Returns whether a value is a text.
fn is_text(value: &argument::Value, fields: &[Field<'_>]) -> bool {
    use argument::Kind as Value;
    match &value.kind {
        Value::Text(_) | Value::Table(_) => true,
        Value::If(_, then, other) => is_text(then, fields) || is_text(other, fields),
        Value::Match(_, arms, other) => {
            is_text(other, fields) || arms.iter().any(|(_, value)| is_text(value, fields))
        }
        Value::Name(name) => fields.iter().any(|field| {
            name.unraw() == field.text && matches!(field.kind, Some(Kind::Str | Kind::Chars { .. }))
        }),
        _ => false,
    }
}

struct Compiler<'a> {
    event: &'a str,
    symbol: String,
    print: &'a Print,
    fields: &'a [Field<'a>],
    errors: Vec<Error>,
    /// For each name whether the template has it.
    used: Vec<bool>,
    meanings: Vec<Option<Meaning>>,
    /// For each field whether the template shows it.
    shows: Vec<bool>,
    count: usize,
    /// Whether `test_event_printk()` (kernel/trace/trace_events.c) takes the arguments after this
    /// one for the wrong ones: it doesn't count the width that comes before a number.
    is_miscounted: bool,
    format: Parts,
    arguments: Parts,
    /// The kernel's format.
    kernel: Parts,
    /// The arguments that the kernel prints.
    values: Vec<TokenStream>,
    shown: Vec<TokenStream>,
    tables: Vec<TokenStream>,
    /// The arguments of the function that prints.
    iter: Ident,
    record: Ident,
}

impl<'a> Compiler<'a> {
    fn error(&mut self, span: Span, error: impl std::fmt::Display) {
        let error = format!("`{}`: {error}", self.event);
        self.errors.push(Error::new(span, error));
    }

    fn span(&self, range: Range<usize>) -> Span {
        self.print.span(range)
    }

    /// Returns the number of a field.
    fn field(&mut self, name: &str, span: Span) -> Option<usize> {
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

    /// Finds out what an argument stands for.
    fn meaning(&mut self, n: usize) -> Meaning {
        let print = self.print;
        let named = &print.named[n];
        if print.named[..n]
            .iter()
            .any(|other| other.name == named.name)
        {
            let error = format!("the name `{}` is given twice", named.name);
            self.error(named.name.span(), error);
        }
        let argument::Kind::Table(table) = &named.value.kind else {
            return Meaning::Value;
        };
        let (true, Some(name)) = (is_plain(table), table.of.as_name()) else {
            return Meaning::Value;
        };
        if self.is_constant(name) {
            return Meaning::Value;
        }
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
        let entries = table.entries.iter().map(|(key, text)| (&key.from, text));
        match self.table(entries, &table.delimiter, size, about) {
            Some(table) => Meaning::Lookup(Lookup { field, table }),
            None => Meaning::Error,
        }
    }

    /// Checks a table.
    fn table<'b>(
        &mut self,
        entries: impl Iterator<Item = (&'b Constant, &'b LitStr)>,
        delimiter: &Option<LitStr>,
        size: Size,
        about: String,
    ) -> Option<Table> {
        let symbols = entries.map(|(value, text)| {
            let value = Value {
                tokens: value.tokens.clone(),
                span: value.span,
                known: value.known,
            };
            (value, text.clone())
        });
        let table = Table {
            symbols: symbols.collect(),
            delimiter: delimiter.clone(),
            special: None,
            size,
            about,
        };
        let errors = table.check();
        let is_good = errors.is_empty();
        self.errors.extend(errors);
        is_good.then_some(table)
    }

    /// Returns whether a name that isn't a field's can only be a constant's.
    fn is_constant(&self, name: &Ident) -> bool {
        let text = name.unraw().to_string();
        let is_upper = text.contains(|c: char| c.is_ascii_uppercase())
            && !text.contains(|c: char| c.is_ascii_lowercase());
        is_upper && !self.fields.iter().any(|field| field.text == text)
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
    fn known(&mut self, n: usize, kind: Kind, show: Show, table: Option<TableText>) {
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
    fn conversion(&mut self, kind: &Kind, show: &Show) {
        self.format
            .bytes(bytes(&show::format(Text::new(), kind, show)));
        self.kernel
            .bytes(bytes(&show::kernel_format(Text::new(), kind, show)));
    }

    /// Returns the argument for a field, with the table that shows it.
    fn argument(
        &self,
        n: usize,
        kind: &Kind,
        show: &Show,
        table: Option<&TokenStream>,
    ) -> TokenStream {
        let argument = self.shown_field(n, kind, show, table);
        let iter = &self.iter;
        // SAFETY: The record has the field there, and the table of fields checks its type.
        quote!(unsafe { __p::print::show(#iter, #argument, !0) })
    }

    /// Returns how a field is shown, a `__p::Argument`.
    fn shown_field(
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
    fn constant_table(&mut self, table: &TokenStream) -> TokenStream {
        let name = hidden(&format!("__TABLE_{}_{}", self.event, self.tables.len()));
        self.tables.push(quote! {
            #[allow(non_upper_case_globals)]
            const #name: __p::Table = #table;
        });
        quote!(#name)
    }

    /// Adds a field that the compiler has to look at. `shown` gets the first arguments of
    /// `__p::Shown`'s functions and returns the call.
    fn unknown(&mut self, n: usize, shown: impl FnOnce(TokenStream) -> TokenStream) {
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
        self.format.0.push(Part::Shown("Format", i));
        self.kernel.0.push(Part::Shown("KernelFormat", i));
        self.values.push(quote! {
            // SAFETY: The record has the field there.
            unsafe { __p::print::show(#iter, const { __p::Print::argument(&#item, #i) }, !0) }
        });
        self.shown(shown(quote!(#event, #text, #shape)));
    }

    /// Adds the argument of a `__p::Shown` in the `print fmt`.
    fn shown(&mut self, shown: TokenStream) {
        let i = self.shown.len();
        self.arguments.0.push(Part::Shown("Argument", i));
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
    fn check_count(&mut self, span: Span, is_dereferenced: bool) {
        if self.is_miscounted && is_dereferenced {
            let error = "only numbers can follow one with its width in a field, or the kernel's \
                         check of the format fails (`test_event_printk()`)";
            self.error(span, error);
        }
    }

    /// Adds the value of an argument.
    fn value(&mut self, n: usize, spec: &str, span: Span) -> Option<()> {
        let print = self.print;
        let named = &print.named[n];
        if let argument::Kind::Helper(helper) = &named.value.kind {
            if !spec.is_empty() {
                self.error(span, "nothing can follow the name of an array");
                return None;
            }
            self.check_count(span, true);
            return match (&helper.len, &helper.dump) {
                (None, None) => self.helper(&helper.name, &helper.field),
                _ => self.part_of_array(named, helper),
            };
        }
        if is_text(&named.value, self.fields) {
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
            let value = self.show_text(named, &named.value, &spec)?;
            self.values.push(value);
            return Some(());
        }
        let number = self.number(named, &named.value)?;
        let value = self.rust_top(&named.value, &number);
        match number {
            Number::Known(nodes, ty) if spec == "errno" => {
                let (kind, table) = match TableText::errno(Some(ty.kind())) {
                    Ok(table) => table,
                    Err(error) => {
                        self.error(span, format!("`{}`: {error}", named.name));
                        return None;
                    }
                };
                self.check_count(span, true);
                self.conversion(&kind, &Show::Table);
                let head = show::helper_of_table(Text::new(), false);
                self.arguments.bytes(b", ");
                self.arguments.bytes(bytes(&head));
                self.compute(&nodes, true);
                self.arguments.bytes(table.text.as_bytes());
                self.arguments.bytes(b")");
                let value = self.named(&value, &table.tokens, &Spec::PLAIN);
                self.values.push(value);
            }
            Number::Known(nodes, ty) => {
                let kind = ty.kind();
                let show = match Show::computed(kind, spec) {
                    Ok(show) => show,
                    Err(error) => {
                        let help = help_of(&named.name.to_string(), spec);
                        self.error(span, format!("`{}`: {error}{help}", named.name));
                        return None;
                    }
                };
                self.check_count(span, !matches!(show, Show::Number(_)));
                self.conversion(&kind, &show);
                self.arguments.bytes(b", ");
                self.compute(&nodes, false);
                self.values.push(bits(&value));
            }
            Number::Unknown(nodes) => {
                self.check_count(span, true);
                self.arguments.bytes(b", ");
                let i = self.shown.len();
                self.format.0.push(Part::Shown("Format", i));
                self.kernel.0.push(Part::Shown("KernelFormat", i));
                self.values.push(bits(&value));
                let (event, name) = (self.event, named.name.unraw().to_string());
                let span = Span::mixed_site().located_at(named.value.span);
                let shown = quote_spanned! {span=>
                    __p::Shown::computed(#event, #name, #nodes, #spec)
                };
                self.shown(shown);
            }
        }
        Some(())
    }

    /// Adds `print_hex(field, len)` and the like.
    fn part_of_array(&mut self, named: &Named, helper: &argument::Helper) -> Option<()> {
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
        let (size, elements) = match kind {
            Kind::Array { size, len } if is_array => (size, Some(len)),
            Kind::Array { size, len } => (1, Some(size * len)),
            Kind::Chars { len } => (1, Some(len)),
            Kind::DynArray { size } if is_array => (size, None),
            _ => (1, None),
        };
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
        let span = named.value.span;
        match &helper.len {
            Some(len) => {
                let wanted = self.lower(len, &mut nodes)?;
                let wanted = nodes.known(Node::Cast(wide, wanted), len.span);
                let all = nodes.known(all, len.span);
                let is_less = nodes.known(Node::Binary(Op::Lt, wanted, all), len.span);
                nodes.known(Node::If(is_less, wanted, all), len.span);
            }
            None => {
                let all = nodes.known(all, span);
                nodes.known(Node::Cast(wide, all), span);
            }
        }
        let Number::Known(nodes, _) = self.checked(named, nodes)? else {
            self.error(span, "the macro must know the types of the fields");
            return None;
        };
        self.conversion(&kind, &show);
        let argument = self.shown_field(n, &kind, &show, None);
        let limit = match &helper.len {
            Some(len) => {
                let hint = self.is_untyped(len).then_some("u64");
                bits(&self.rust(len, hint))
            }
            None => quote!(!0),
        };
        let (iter, most) = (&self.iter, local("limit"));
        self.values.push(match &helper.dump {
            Some((prefix, dump)) => {
                let text = c_string(&prefix.value());
                let show::Dump {
                    prefix,
                    row,
                    group,
                    ascii,
                } = *dump;
                let ascii = u8::from(ascii);
                quote! {
                    match #limit {
                        // SAFETY: The record has the field there.
                        #most => unsafe {
                            __p::print::dump(
                                #iter,
                                #argument,
                                #most,
                                #text,
                                [#prefix, #row, #group, #ascii],
                            )
                        },
                    }
                }
            }
            None => quote! {
                match #limit {
                    // SAFETY: The record has the field there.
                    #most => unsafe { __p::print::show(#iter, #argument, #most) },
                }
            },
        });
        let data = match (elements, *rel) {
            (Some(_), _) => format!("REC->{text}"),
            (None, false) => format!("__get_dynamic_array({text})"),
            (None, true) => format!("__get_rel_dynamic_array({text})"),
        };
        let call = &helper.name;
        let (before, after) = match (&helper.dump, show) {
            (Some((prefix, dump)), _) => {
                let value = prefix.value();
                if let Err(error) = show::check_name(&value) {
                    self.error(prefix.span(), error.replace("a name", "a prefix"));
                    return None;
                }
                let show::Dump {
                    prefix, row, group, ..
                } = dump;
                (
                    format!(", __{call}(\"{value}\", {prefix}, {row}, {group}, {data}, "),
                    format!(", {})", u8::from(dump.ascii)),
                )
            }
            (None, Show::Hex(Hex::Dump)) => (
                format!(", __{call}(\"\", 2, 16, 1, {data}, "),
                ", 1)".to_owned(),
            ),
            (None, Show::Hex(Hex::Colons | Hex::Dashes)) => (", ".to_owned(), format!(", {data}")),
            _ if is_array => (
                format!(", __{call}({data}, "),
                format!(", {})", kind.element_size()),
            ),
            _ => (format!(", __{call}({data}, "), ")".to_owned()),
        };
        self.arguments.bytes(before.as_bytes());
        self.compute(&nodes, true);
        self.arguments.bytes(after.as_bytes());
        Some(())
    }

    /// Adds `print_hex(field)` and the like.
    fn helper(&mut self, helper: &str, field: &Ident) -> Option<()> {
        let n = self.field(&field.to_string(), field.span())?;
        self.shows[n] = true;
        match self.fields[n].kind {
            Some(kind) => match Show::new(kind, false, helper) {
                Ok(show) => self.known(n, kind, show, None),
                Err(error) => {
                    self.error(field.span(), format!("field `{field}`: {error}"));
                    return None;
                }
            },
            None => {
                let place = &self.fields[n].start;
                let span = Span::mixed_site().located_at(field.span());
                self.unknown(
                    n,
                    |head| quote_spanned!(span=> __p::Shown::new(#head, #helper, #place)),
                );
            }
        }
        Some(())
    }

    /// Adds the argument of an expression that's known.
    fn compute(&mut self, nodes: &[Node<'_>], exact: bool) {
        let text = number::argument(Text::<TEXT_MAX>::new(), nodes, exact);
        self.arguments.bytes(text.as_bytes());
    }

    /// Adds a condition, and returns it in Rust.
    fn condition(&mut self, named: &Named, value: &argument::Value) -> Option<TokenStream> {
        match self.number(named, value)? {
            Number::Known(nodes, ty) => {
                if !matches!(ty, number::Type::Bool) {
                    let problem = number::Problem::NotBool(ty).text();
                    self.error(value.span, problem.as_str());
                    return None;
                }
                self.compute(&nodes, true);
            }
            Number::Unknown(nodes) => {
                let (event, name) = (self.event, named.name.unraw().to_string());
                let span = Span::mixed_site().located_at(value.span);
                let shown = quote_spanned! {span=>
                    __p::Shown::condition(#event, #name, #nodes)
                };
                self.shown(shown);
            }
        }
        Some(self.rust(value, None))
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

    /// Adds a text that is an operand of a choice.
    fn branch(
        &mut self,
        named: &Named,
        value: &argument::Value,
        spec: &Spec,
    ) -> Option<TokenStream> {
        use argument::Kind as Value;
        // Tools would take `a ? b : c ? d : e` for `(a ? b : c) ? d : e`.
        let needs_parens = match &value.kind {
            Value::If(..) | Value::Match(..) => true,
            Value::Table(table) => !is_plain(table),
            _ => false,
        };
        if needs_parens {
            self.arguments.bytes(b"(");
        }
        let text = self.show_text(named, value, spec)?;
        if needs_parens {
            self.arguments.bytes(b")");
        }
        Some(text)
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
    fn show_text(
        &mut self,
        named: &Named,
        value: &argument::Value,
        spec: &Spec,
    ) -> Option<TokenStream> {
        use argument::Kind as Value;
        match &value.kind {
            Value::Text(text) => self.constant_text(text, spec),
            Value::Name(name) => {
                let n = self.field(&name.to_string(), name.span())?;
                self.shows[n] = true;
                let kind = self.fields[n].kind;
                let show = match kind {
                    Some(Kind::Str) => Show::Str(*spec),
                    Some(Kind::Chars { .. }) => Show::Chars(*spec),
                    _ => {
                        let error =
                            format!("field `{name}` isn't a string, unlike the other values");
                        self.error(name.span(), error);
                        return None;
                    }
                };
                let (kind, field) = (kind.unwrap_or(Kind::Str), &self.fields[n]);
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
            Value::If(condition, then, other) => self.choice(
                |this| this.condition(named, condition),
                |this| this.branch(named, then, spec),
                |this| this.branch(named, other, spec),
            ),
            Value::Match(of, arms, other) => self.arms(named, of, arms, other, spec),
            Value::Table(table) => self.show_table(named, table, spec),
            _ => {
                let error = "expected a string, like the other values: `\"…\"`, a `Str`, \
                             `print_symbolic(…)` or `print_flags(…)`";
                self.error(value.span, error);
                None
            }
        }
    }

    /// Adds the text of the first arm that matches.
    fn arms(
        &mut self,
        named: &Named,
        of: &argument::Value,
        arms: &[(Vec<Key>, argument::Value)],
        other: &argument::Value,
        spec: &Spec,
    ) -> Option<TokenStream> {
        let [(keys, value), rest @ ..] = arms else {
            return self.show_text(named, other, spec);
        };
        self.choice(
            |this| this.matches(named, of, keys),
            |this| this.branch(named, value, spec),
            |this| {
                if rest.is_empty() {
                    return this.branch(named, other, spec);
                }
                this.arguments.bytes(b"(");
                let text = this.arms(named, of, rest, other, spec)?;
                this.arguments.bytes(b")");
                Some(text)
            },
        )
    }

    /// Adds the condition that a value is one of `keys`.
    fn matches(
        &mut self,
        named: &Named,
        of: &argument::Value,
        keys: &[Key],
    ) -> Option<TokenStream> {
        let mut nodes = Nodes::default();
        let n = self.lower(of, &mut nodes)?;
        key_condition(&mut nodes, n, keys);
        match self.checked(named, nodes)? {
            Number::Known(nodes, _) => self.compute(&nodes, true),
            Number::Unknown(nodes) => {
                let (event, name) = (self.event, named.name.unraw().to_string());
                self.shown(quote!(__p::Shown::condition(#event, #name, #nodes)));
            }
        }
        let of = self.rust(of, None);
        Some(rust_keys(&of, keys))
    }

    /// Adds a number that's shown with a table.
    fn show_table(
        &mut self,
        named: &Named,
        table: &argument::Table,
        spec: &Spec,
    ) -> Option<TokenStream> {
        if let Some(ty) = &table.ty {
            return self.show_type(named, table, ty, spec);
        }
        if table.delimiter.is_some() && !spec.is_plain() {
            // Tools would have it for each of the flags.
            self.error(named.value.span, "flags have no width");
            return None;
        }
        // C has neither other names nor ranges, and no name for 0 in a table of flags.
        let mut rest = table.entries.iter();
        let special: Vec<_> = if table.other.is_some() {
            rest.by_ref().collect()
        } else if table.delimiter.is_some() {
            rest.by_ref()
                .filter(|(key, _)| key.from.known == Some(0))
                .collect()
        } else {
            rest.by_ref().filter(|(key, _)| key.to.is_some()).collect()
        };
        self.special(named, table, &special, spec)
    }

    /// Adds a number that's shown with the names of a type.
    fn show_type(
        &mut self,
        named: &Named,
        table: &argument::Table,
        ty: &Type,
        spec: &Spec,
    ) -> Option<TokenStream> {
        if !spec.is_plain() {
            self.error(named.value.span, "the names of a type have no width");
            return None;
        }
        let (event, name) = (self.event, named.name.unraw().to_string());
        let about = format!("`{event}`: `{name}`");
        let number = self.number(named, &table.of)?;
        let value = self.rust_top(&table.of, &number);
        let (nodes, size) = match number {
            Number::Known(nodes, ty) => {
                let (nodes, size) = (nodes.iter().map(tokens_of), ty.kind().number_size());
                (quote!(&const { [#(#nodes),*] }), quote!(#size))
            }
            Number::Unknown(nodes) => {
                let size = quote!(__p::number_size(#event, #name, #nodes));
                (nodes, size)
            }
        };
        let shape = crate::field::shape(ty);
        let is_flags = table.is_flags;
        let span = Span::mixed_site().located_at(span_of(ty));
        let table = quote_spanned!(span=> *__p::table_of(#about, #shape.table, #is_flags, #size));
        let table = self.constant_table(&table);
        self.shown(quote!(__p::Shown::computed_named(#event, #name, #nodes, &#table)));
        Some(self.named(&value, &table, spec))
    }

    /// Adds the texts of `special`, and for other values the rest of the table.
    fn special(
        &mut self,
        named: &Named,
        table: &argument::Table,
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
                if rest.is_empty() {
                    return this.special(named, table, rest, spec);
                }
                this.arguments.bytes(b"(");
                let text = this.special(named, table, rest, spec)?;
                this.arguments.bytes(b")");
                Some(text)
            },
        )
    }

    /// Adds a table as C has it: what isn't special.
    fn plain_table(
        &mut self,
        named: &Named,
        table: &argument::Table,
        spec: &Spec,
    ) -> Option<TokenStream> {
        let is_flags = table.delimiter.is_some();
        let entries = table
            .entries
            .iter()
            .filter(|(key, _)| key.to.is_none() && !(is_flags && key.from.known == Some(0)));
        let entries = entries.map(|(key, text)| (&key.from, text));
        let (event, name) = (self.event, named.name.unraw().to_string());
        let about = format!("`{event}`: `{name}`");
        let number = self.number(named, &table.of)?;
        let value = self.rust_top(&table.of, &number);
        let is_known = matches!(number, Number::Known(..))
            && table
                .entries
                .iter()
                .all(|(key, _)| key.from.known.is_some());
        if !is_known && !spec.is_plain() {
            let error = "a table has a width only if the macro knows all of its values";
            self.error(named.value.span, error);
            return None;
        }
        match number {
            Number::Known(nodes, ty) => {
                let size = ty.kind().number_size();
                let size = Size {
                    tokens: quote!(#size),
                    known: Some(size),
                };
                let table = self.table(entries, &table.delimiter, size, about)?;
                let tokens = self.constant_table(&table.tokens());
                let shown = self.named(&value, &tokens, spec);
                if let Some(text) = table.text() {
                    let head = show::helper_of_table(Text::new(), is_flags);
                    self.arguments.bytes(bytes(&head));
                    self.compute(&nodes, true);
                    self.arguments.bytes(text.as_bytes());
                    self.arguments.bytes(b")");
                    return Some(shown);
                }
                let nodes = nodes.iter().map(tokens_of);
                let nodes = quote!(&const { [#(#nodes),*] });
                self.shown(quote!(__p::Shown::computed_named(#event, #name, #nodes, &#tokens)));
                Some(shown)
            }
            Number::Unknown(nodes) => {
                let size = Size {
                    tokens: quote!(__p::number_size(#event, #name, #nodes)),
                    known: None,
                };
                let table = self.table(entries, &table.delimiter, size, about)?;
                let tokens = self.constant_table(&table.tokens());
                self.shown(quote!(__p::Shown::computed_named(#event, #name, #nodes, &#tokens)));
                Some(self.named(&value, &tokens, spec))
            }
        }
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

    /// Checks a value that must be a number.
    fn number(&mut self, named: &Named, value: &argument::Value) -> Option<Number<'a>> {
        let mut nodes = Nodes::default();
        self.lower(value, &mut nodes)?;
        self.checked(named, nodes)
    }

    fn checked(&mut self, named: &Named, nodes: Nodes<'a>) -> Option<Number<'a>> {
        let Some(known) = nodes.known.iter().copied().collect::<Option<Vec<_>>>() else {
            let tokens = nodes.tokens;
            return Some(Number::Unknown(quote!(&const { [#(#tokens),*] })));
        };
        let ty = match number::check(&known) {
            Ok(ty) => ty,
            Err(error) => {
                let problem = error.problem.text();
                self.error(nodes.spans[error.node], problem.as_str());
                return None;
            }
        };
        let len = number::argument(Text::<0>::new(), &known, true).len();
        if len > TEXT_MAX {
            self.error(named.value.span, "the expression is too long");
            return None;
        }
        Some(Number::Known(known, ty))
    }

    /// Adds the parts of a number, and returns which is the whole: the last one.
    fn lower(&mut self, value: &argument::Value, nodes: &mut Nodes<'a>) -> Option<usize> {
        use argument::Kind as Value;
        let span = value.span;
        Some(match &value.kind {
            Value::Bool(is) => nodes.known(Node::Bool(*is), span),
            Value::Constant(constant) => lower_constant(constant, nodes),
            Value::Name(name) if self.is_constant(name) => {
                nodes.unknown(constant_tokens(&name.to_token_stream()), span)
            }
            Value::Name(name) => {
                let n = self.operand(name)?;
                let Field {
                    text,
                    kind,
                    number,
                    offset,
                    start,
                    shape,
                    ..
                } = &self.fields[n];
                let bools = matches!(number, Some(number::Type::Bool));
                match (kind, number) {
                    (Some(kind), number) if number.is_some() || !kind.is_number() => {
                        match Node::field(text, *kind, bools, offset.unwrap_or(0)) {
                            Ok(node) if offset.is_some() => return Some(nodes.known(node, span)),
                            Ok(_) => {}
                            Err(error) => {
                                self.error(span, format!("field `{name}` {error}"));
                                return None;
                            }
                        }
                    }
                    _ => {}
                }
                let event = self.event;
                nodes.unknown(quote!(__p::operand(#event, #text, #shape, #start)), span)
            }
            Value::Element(name, index) => {
                let n = self.operand(name)?;
                let Field {
                    text,
                    kind,
                    number,
                    offset,
                    start,
                    shape,
                    ..
                } = &self.fields[n];
                if let Some(kind) = kind {
                    let signed = matches!(number, Some(number::Type::Int { signed: true, .. }));
                    let bools = matches!(number, Some(number::Type::Bool));
                    let at = offset.unwrap_or(0);
                    match Node::element(text, *kind, signed, bools, at, *index) {
                        Ok(node) if offset.is_some() && number.is_some() => {
                            return Some(nodes.known(node, span));
                        }
                        Ok(_) => {}
                        Err(error) => {
                            self.error(span, format!("field `{name}` {error}"));
                            return None;
                        }
                    }
                }
                let event = self.event;
                let tokens = quote!(__p::element(#event, #text, #shape, #start, #index));
                nodes.unknown(tokens, span)
            }
            Value::Len(name) => {
                let n = self.operand(name)?;
                let Field {
                    text,
                    kind,
                    rel,
                    offset,
                    start,
                    shape,
                    ..
                } = &self.fields[n];
                if let Some(kind) = kind {
                    match Node::len(text, *kind, *rel, offset.unwrap_or(0)) {
                        Ok(node) if offset.is_some() => return Some(nodes.known(node, span)),
                        Ok(_) => {}
                        Err(error) => {
                            self.error(span, format!("field `{name}` {error}"));
                            return None;
                        }
                    }
                }
                let event = self.event;
                nodes.unknown(quote!(__p::elements(#event, #text, #shape, #start)), span)
            }
            Value::Neg(of) => {
                let of = self.lower(of, nodes)?;
                nodes.known(Node::Neg(of), span)
            }
            Value::Not(of) => {
                let of = self.lower(of, nodes)?;
                nodes.known(Node::Not(of), span)
            }
            Value::Cast(ty, of) => {
                let of = self.lower(of, nodes)?;
                nodes.known(Node::Cast(*ty, of), span)
            }
            Value::Binary(op, a, b) => {
                let (a, b) = (self.lower(a, nodes)?, self.lower(b, nodes)?);
                nodes.known(Node::Binary(*op, a, b), span)
            }
            Value::If(condition, a, b) => {
                let condition = self.lower(condition, nodes)?;
                let (a, b) = (self.lower(a, nodes)?, self.lower(b, nodes)?);
                nodes.known(Node::If(condition, a, b), span)
            }
            Value::Match(of, arms, other) => {
                let of = self.lower(of, nodes)?;
                let values: Vec<_> = arms
                    .iter()
                    .map(|(_, value)| self.lower(value, nodes))
                    .collect::<Option<_>>()?;
                let mut whole = self.lower(other, nodes)?;
                for ((keys, _), value) in arms.iter().zip(values).rev() {
                    let condition = key_condition(nodes, of, keys);
                    whole = nodes.known(Node::If(condition, value, whole), span);
                }
                whole
            }
            Value::Text(_) | Value::Table(_) => {
                self.error(span, "expected a number, found a string");
                return None;
            }
            Value::Helper(helper) => {
                let error = format!("`{}` can't be a part of an expression", helper.name);
                self.error(span, error);
                return None;
            }
        })
    }

    /// Returns a number in Rust that has been checked.
    fn rust_top(&mut self, value: &argument::Value, number: &Number<'_>) -> TokenStream {
        let ty = match number {
            Number::Known(_, ty) => primitive(*ty),
            Number::Unknown(_) => "i64",
        };
        let hint = self.is_untyped(value).then_some(ty);
        self.rust(value, hint)
    }

    /// Whether a value is made of constants without a type.
    fn is_untyped(&self, value: &argument::Value) -> bool {
        use argument::Kind as Value;
        match &value.kind {
            Value::If(_, a, b) => self.is_untyped(a) && self.is_untyped(b),
            Value::Match(_, arms, other) => {
                self.is_untyped(other) && arms.iter().all(|(_, value)| self.is_untyped(value))
            }
            Value::Neg(of) | Value::Not(of) => self.is_untyped(of),
            Value::Binary(op, a, b) if !op.is_comparison() && !op.is_logic() => {
                self.is_untyped(a) && self.is_untyped(b)
            }
            _ => self.constant(value).is_some(),
        }
    }

    /// Returns the value of a constant without a type, if it's known, and an expression for it.
    fn constant(&self, value: &argument::Value) -> Option<(Option<i128>, TokenStream)> {
        use argument::Kind as Value;
        let known = |n| (Some(n), Literal::i128_suffixed(n).into_token_stream());
        let (n, tokens) = match &value.kind {
            Value::Constant(Constant {
                ty: None,
                known,
                tokens,
                ..
            }) => (*known, quote!(((#tokens) as ::core::primitive::i128))),
            Value::Name(name) if self.is_constant(name) => {
                (None, quote!((#name as ::core::primitive::i128)))
            }
            Value::Len(name) => {
                let field = self.fields.iter().find(|field| field.name == name)?;
                match field.kind? {
                    Kind::Array { len, .. } | Kind::Chars { len } => known(len as i128),
                    _ => return None,
                }
            }
            Value::Neg(of) => {
                let (n, of) = self.constant(of)?;
                (n.and_then(i128::checked_neg), quote!((-#of)))
            }
            Value::Not(of) => {
                let (n, of) = self.constant(of)?;
                (n.map(|n| !n), quote!((!#of)))
            }
            Value::Binary(op, a, b) if !op.is_comparison() && !op.is_logic() => {
                let ((a, left), (b, right)) = (self.constant(a)?, self.constant(b)?);
                let n = match (a, b) {
                    (Some(a), Some(b)) => number::fold(*op, a, b),
                    _ => None,
                };
                let op = operator(*op);
                (n, quote!((#left #op #right)))
            }
            _ => return None,
        };
        Some(n.map_or((None, tokens), known))
    }

    /// Returns a number in Rust: a `Wrapping` or a `bool`. `hint` is the type of constants without one.
    fn rust(&mut self, value: &argument::Value, hint: Option<&str>) -> TokenStream {
        use argument::Kind as Value;
        if let Some((known, tokens)) = self.constant(value) {
            let ty = match hint {
                Some(hint) => Ident::new(hint, Span::mixed_site()).into_token_stream(),
                None => quote!(_),
            };
            return match (known, hint) {
                (Some(n), None) => {
                    let n = Literal::i128_unsuffixed(n);
                    quote!(__p::Wrapping(#n))
                }
                (Some(n), Some(_)) => {
                    let n = Literal::i128_suffixed(n);
                    quote!(__p::Wrapping(#n as __p::#ty))
                }
                (None, None) => quote!(__p::Wrapping(const { #tokens } as _)),
                (None, Some(_)) => quote!(__p::Wrapping(const { #tokens } as __p::#ty)),
            };
        }
        match &value.kind {
            Value::Bool(is) => quote!(#is),
            Value::Constant(constant) => rust_constant(constant),
            Value::Name(name) => self.leaf(name, None),
            Value::Element(name, index) => self.leaf(name, Some(*index)),
            Value::Len(name) => {
                let Some(field) = self.fields.iter().find(|field| name.unraw() == field.text)
                else {
                    return TokenStream::new();
                };
                let (record, event) = (&self.record, self.event);
                let (size_of, offset) = (local("size"), local("offset"));
                let Field {
                    text, shape, start, ..
                } = field;
                let place = match field.kind {
                    Some(Kind::DynArray { size }) => quote!((#size as __p::u8, #start)),
                    _ => quote!(const { __p::place(__p::elements(#event, #text, #shape, #start)) }),
                };
                quote! {
                    match #place {
                        // SAFETY: The record has the field there.
                        (#size_of, #offset) => unsafe { __p::print::len(#record, #offset, #size_of) },
                    }
                }
            }
            Value::Neg(of) => {
                let of = self.rust(of, hint);
                quote!((-#of))
            }
            Value::Not(of) => {
                let of = self.rust(of, hint);
                quote!((!#of))
            }
            Value::Cast(number::Type::Bool, of) => self.rust(of, None),
            Value::Cast(ty, of) => {
                let ty = primitive(*ty);
                let hint = self.is_untyped(of).then_some(ty);
                let of = self.rust(of, hint);
                let ty = Ident::new(ty, Span::mixed_site());
                quote!(__p::Wrapping(__p::print::Number::get(#of) as __p::#ty))
            }
            Value::Binary(op @ (Op::Shl | Op::Shr), a, b) => {
                let default = match self.constant(a) {
                    Some((Some(n), _)) => primitive(number::default(n)),
                    _ => "i32",
                };
                let hint = match self.is_untyped(a) {
                    true => hint.or(Some(default)),
                    false => None,
                };
                let left = self.rust(a, hint);
                let by = self.is_untyped(b).then_some("i32");
                let (right, op) = (self.rust(b, by), operator(*op));
                quote!((#left #op (__p::print::Number::get(#right) as __p::usize)))
            }
            Value::Binary(op, a, b) => {
                let hint = hint.filter(|_| !op.is_comparison() && !op.is_logic());
                let (left, op, right) = (self.rust(a, hint), operator(*op), self.rust(b, hint));
                quote!((#left #op #right))
            }
            Value::If(condition, a, b) => {
                let condition = self.rust(condition, None);
                let (a, b) = (self.rust(a, hint), self.rust(b, hint));
                quote!((if #condition { #a } else { #b }))
            }
            Value::Match(of, arms, other) => {
                let of = self.rust(of, None);
                let mut whole = self.rust(other, hint);
                for (keys, value) in arms.iter().rev() {
                    let (condition, value) = (rust_keys(&of, keys), self.rust(value, hint));
                    whole = quote!((if #condition { #value } else { #whole }));
                }
                whole
            }
            Value::Text(_) | Value::Table(_) | Value::Helper(_) => TokenStream::new(),
        }
    }

    /// Returns a field or an element as a number.
    fn leaf(&self, name: &Ident, index: Option<usize>) -> TokenStream {
        let Some(field) = self.fields.iter().find(|field| name.unraw() == field.text) else {
            return TokenStream::new();
        };
        let Field {
            text,
            shape,
            start,
            kind,
            number,
            ..
        } = field;
        let (record, event) = (&self.record, self.event);
        let (code, offset) = match (number.filter(|_| kind.is_some()), index) {
            (Some(ty), None) => {
                let code = ty.code();
                (quote!(#code), start.clone())
            }
            (Some(ty), Some(index)) => {
                let (code, at) = (ty.code(), index * ty.kind().number_size());
                (quote!(#code), quote!(const { #start + #at }))
            }
            (None, index) => {
                let node = match index {
                    None => quote!(__p::operand(#event, #text, #shape, #start)),
                    Some(n) => quote!(__p::element(#event, #text, #shape, #start, #n)),
                };
                let place = quote!(__p::place(#node));
                (quote!({ #place.0 }), quote!(const { #place.1 }))
            }
        };
        // SAFETY: The record has the number there.
        quote!((unsafe { __p::print::load::<__p::print::Code<#code>>(#record, #offset) }))
    }

    /// Returns the number of a field that's an operand.
    fn operand(&mut self, name: &Ident) -> Option<usize> {
        let n = self.field(&name.to_string(), name.span())?;
        self.shows[n] = true;
        Some(n)
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

/// The longest argument of an expression.
const TEXT_MAX: usize = 2048;

/// Returns whether C has such a table.
fn is_plain(table: &argument::Table) -> bool {
    let is_flags = table.delimiter.is_some();
    let is_special = |key: &Key| key.to.is_some() || is_flags && key.from.known == Some(0);
    table.ty.is_none()
        && table.other.is_none()
        && !table.entries.iter().any(|(key, _)| is_special(key))
}

/// Expands a constant.
fn constant_tokens(value: &TokenStream) -> TokenStream {
    quote!(__p::Node::Constant((#value) as ::core::primitive::i128))
}

fn lower_constant(constant: &Constant, nodes: &mut Nodes<'_>) -> usize {
    let n = match constant.known {
        Some(n) => nodes.known(Node::Constant(n), constant.span),
        None => nodes.unknown(constant_tokens(&constant.tokens), constant.span),
    };
    match constant.ty {
        Some(ty) => nodes.known(Node::Cast(ty, n), constant.span),
        None => n,
    }
}

/// Adds the condition that a number is one of `keys`.
fn key_condition(nodes: &mut Nodes<'_>, of: usize, keys: &[Key]) -> usize {
    let mut whole = None;
    for Key { from, to } in keys {
        let span = from.span;
        let first = lower_constant(from, nodes);
        let one = match to {
            None => nodes.known(Node::Binary(Op::Eq, of, first), span),
            Some(to) => {
                let last = lower_constant(to, nodes);
                let above = nodes.known(Node::Binary(Op::Ge, of, first), span);
                let below = nodes.known(Node::Binary(Op::Le, of, last), to.span);
                nodes.known(Node::Binary(Op::AndAnd, above, below), span)
            }
        };
        whole = Some(match whole {
            None => one,
            Some(before) => nodes.known(Node::Binary(Op::OrOr, before, one), span),
        });
    }
    whole.unwrap_or_else(|| nodes.known(Node::Bool(false), Span::call_site()))
}

/// Returns Rust's name of a type that's computed with.
fn primitive(ty: number::Type) -> &'static str {
    match ty {
        number::Type::Bool => "bool",
        ty => {
            let kind = ty.kind();
            let signed = matches!(kind, Kind::Int { signed: true, .. });
            match (kind.number_size(), signed) {
                (1, false) => "u8",
                (1, true) => "i8",
                (2, false) => "u16",
                (2, true) => "i16",
                (4, false) => "u32",
                (4, true) => "i32",
                (_, false) => "u64",
                (_, true) => "i64",
            }
        }
    }
}

/// Expands an operator.
fn operator(op: Op) -> TokenStream {
    op.text().parse().unwrap_or_default()
}

/// Returns the argument for a number.
fn bits(number: &TokenStream) -> TokenStream {
    quote!(__p::print::Number::bits(#number))
}

/// Returns a constant in Rust. It takes the type of what it's compared with.
fn rust_constant(constant: &Constant) -> TokenStream {
    let tokens = match constant.known {
        Some(n) => Literal::i128_unsuffixed(n).into_token_stream(),
        None => {
            let tokens = &constant.tokens;
            quote!(const { (#tokens) as ::core::primitive::i128 } as _)
        }
    };
    match constant.ty {
        Some(ty) => {
            let ty = Ident::new(primitive(ty), Span::mixed_site());
            quote!(__p::Wrapping::<__p::#ty>(#tokens))
        }
        None => quote!(__p::Wrapping(#tokens)),
    }
}

/// Returns the condition that a number is one of `keys`.
fn rust_keys(of: &TokenStream, keys: &[Key]) -> TokenStream {
    let keys = keys.iter().map(|Key { from, to }| {
        let from = rust_constant(from);
        match to.as_ref().map(rust_constant) {
            None => quote!(#of == #from),
            Some(to) => quote!((#of >= #from && #of <= #to)),
        }
    });
    quote!((false #(|| #keys)*))
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
