// SPDX-License-Identifier: GPL-2.0

//! Print templates: what `cat trace` shows of an event.
//!
//! A template is compiled to the program that the library's `event/print.rs` runs in the kernel, and
//! to the `print fmt` of the event's `format` file, from which tools decode a binary record. Both
//! come from one template, so the kernel and the tools show the same text.
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
    show::{self, op, Hex, Kind, Show, Spec},
    symbols::{Size, Table, Value},
    text::Text,
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
    /// The program, a `__p::Program`.
    pub(crate) program: TokenStream,
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
/// type that follows it, if any. The expansion checks the assumption, see [`Output::program`].
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

/// A part of the `print fmt` or of the program.
enum Part {
    Bytes(Vec<u8>),
    /// The offset of a field.
    Offset(TokenStream),
    /// A variant of `__p::Part`, for a field in `__p::Print::shown`.
    Shown(&'static str, usize),
}

/// The parts of the `print fmt` or of the program.
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
            Part::Offset(start) => quote!(__p::Part::Offset(#start)),
            Part::Shown(variant, n) => {
                let variant = format_ident!("{variant}");
                quote!(__p::Part::#variant(#n))
            }
        });
        quote!(&[#(#parts),*])
    }

    /// Returns the bytes, with zeroes for the offsets, and the offsets with their places.
    fn flat(self) -> (Vec<u8>, Vec<(usize, TokenStream)>) {
        let mut flat = Vec::new();
        let mut offsets = Vec::new();
        for part in self.0 {
            match part {
                Part::Bytes(bytes) => flat.extend(bytes),
                Part::Offset(start) => {
                    offsets.push((flat.len(), start));
                    flat.extend([0, 0]);
                }
                Part::Shown(..) => unreachable!("not known"),
            }
        }
        (flat, offsets)
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
    /// Text that the program is yet to print.
    plain: Vec<u8>,
    format: Parts,
    arguments: Parts,
    program: Parts,
    shown: Vec<TokenStream>,
    tables: Vec<TokenStream>,
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
        self.plain.extend(text);
        for byte in text {
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

    /// Adds an instruction that prints the text so far.
    fn flush(&mut self) {
        if !self.plain.is_empty() {
            self.program.bytes(&[op::TEXT]);
            self.program.bytes(&self.plain);
            self.program.bytes(&[0]);
            self.plain.clear();
        }
    }

    /// Adds a field that is known, with the text of its table, if it has one.
    fn known(&mut self, n: usize, kind: Kind, show: Show, table: Option<TableText>) {
        let field = &self.fields[n];
        let name = field.name.unraw().to_string();
        self.count += show.more();
        self.flush();
        let format = show::format(Text::new(), &kind, &show);
        self.format.bytes(bytes(&format));
        self.arguments.bytes(b", ");
        match table {
            Some(table) => {
                let head = show::helper_of_table(Text::new(), table.is_flags);
                let head = head.str("REC->").str(&name);
                self.arguments.bytes(bytes(&head));
                self.table_text(&table);
            }
            None => {
                let argument = show::argument(Text::new(), &name, &kind, field.rel, &show);
                self.arguments.bytes(bytes(&argument));
            }
        }
        self.instruction(n, &kind, &show);
    }

    /// Adds a table, after the number that is looked up in it.
    fn table_text(&mut self, table: &TableText) {
        let tokens = &table.tokens;
        self.arguments.bytes(table.text.as_bytes());
        self.arguments.bytes(b")");
        self.tables
            .push(quote!(::core::option::Option::Some(&#tokens)));
    }

    /// Adds the instruction that shows a field.
    fn instruction(&mut self, n: usize, kind: &Kind, show: &Show) {
        let field = &self.fields[n];
        let code = show::instruction(Text::new(), kind, field.rel, show, 0);
        let code = bytes(&code);
        self.program.bytes(&code[..1]);
        self.offset(n);
        self.program.bytes(&code[3..]);
    }

    /// Adds where a field is.
    fn offset(&mut self, n: usize) {
        let field = &self.fields[n];
        match field.offset {
            // A record that's larger than that is an error elsewhere.
            Some(offset) => self.program.bytes(&(offset as u16).to_le_bytes()),
            None => self.program.0.push(Part::Offset(field.start.clone())),
        }
    }

    /// Adds a field that the compiler has to look at. `shown` gets the first arguments of
    /// `__p::Shown`'s functions and returns the call.
    fn unknown(
        &mut self,
        n: usize,
        has_table: bool,
        shown: impl FnOnce(TokenStream) -> TokenStream,
    ) {
        let Field {
            name, shape, chars, ..
        } = &self.fields[n];
        self.flush();
        self.arguments.bytes(b", ");
        let (event, text) = (self.event, name.unraw().to_string());
        let shape = if *chars {
            quote!(__p::Shape::chars(#shape))
        } else {
            quote!(#shape)
        };
        self.format.0.push(Part::Shown("Format", self.shown.len()));
        self.shown(has_table, shown(quote!(#event, #text, #shape)));
    }

    /// Adds the argument and the instruction of a `__p::Shown`.
    fn shown(&mut self, has_table: bool, shown: TokenStream) {
        let i = self.shown.len();
        self.arguments.0.push(Part::Shown("Argument", i));
        self.program.0.push(Part::Shown("Instruction", i));
        if has_table {
            let print = self.item();
            self.tables.push(quote!(__p::Print::table(&#print, #i)));
        }
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
                        tokens: table.tokens(),
                    };
                    self.known(field, kind, Show::Table, Some(table));
                }
                _ => {
                    let tokens = table.tokens();
                    let place = &self.fields[field].start;
                    self.unknown(
                        field,
                        true,
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
                self.unknown(n, spec.is_empty(), |head| {
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
        self.flush();
        self.arguments
            .bytes(format!(", {cast}REC->{}", self.fields[n].text).as_bytes());
        self.program.bytes(&[op::WIDTH]);
        self.offset(n);
        self.program.bytes(&[size.min(2) as u8]);
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
            self.flush();
            let format = show::format(Text::new(), &Kind::Str, &Show::Str(spec));
            self.format.bytes(bytes(&format));
            self.arguments.bytes(b", ");
            return self.show_text(named, &named.value, &spec);
        }
        let number = self.number(named, &named.value)?;
        self.flush();
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
                self.format.bytes(b"%s");
                let head = show::helper_of_table(Text::new(), false);
                self.arguments.bytes(b", ");
                self.arguments.bytes(bytes(&head));
                self.compute(&nodes, true);
                self.table_text(&table);
                let code = show::computed_instruction(Text::new(), &kind, &Show::Table);
                self.program.bytes(bytes(&code));
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
                let format = show::format(Text::new(), &kind, &show);
                self.format.bytes(bytes(&format));
                self.arguments.bytes(b", ");
                self.compute(&nodes, false);
                let code = show::computed_instruction(Text::new(), &kind, &show);
                self.program.bytes(bytes(&code));
            }
            Number::Unknown(nodes) => {
                self.check_count(span, true);
                self.arguments.bytes(b", ");
                self.format.0.push(Part::Shown("Format", self.shown.len()));
                let (event, name) = (self.event, named.name.unraw().to_string());
                let span = Span::mixed_site().located_at(named.value.span);
                let shown = quote_spanned! {span=>
                    __p::Shown::computed(#event, #name, #nodes, #spec)
                };
                self.shown(false, shown);
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
        self.flush();
        let format = show::format(Text::new(), &kind, &show);
        self.format.bytes(bytes(&format));
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
                self.program.bytes(&[op::DUMP, dump.operand()]);
                self.program.bytes(value.as_bytes());
                self.program.bytes(&[0]);
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
        self.program.bytes(&[op::LIMIT]);
        self.instruction(n, &kind, &show);
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
                    false,
                    |head| quote_spanned!(span=> __p::Shown::new(#head, #helper, #place)),
                );
            }
        }
        Some(())
    }

    /// Adds the argument and the code of an expression that's known.
    fn compute(&mut self, nodes: &[Node<'_>], exact: bool) {
        let text = number::argument(Text::<TEXT_MAX>::new(), nodes, exact);
        self.arguments.bytes(text.as_bytes());
        let code = number::code(Text::<TEXT_MAX>::new(), nodes);
        self.program.bytes(&[op::COMPUTE]);
        self.program.bytes(code.as_bytes());
    }

    /// Adds a condition.
    fn condition(&mut self, named: &Named, value: &argument::Value) -> Option<()> {
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
                self.shown(false, shown);
            }
        }
        Some(())
    }

    /// Adds one of two texts.
    fn choice(
        &mut self,
        condition: impl FnOnce(&mut Self) -> Option<()>,
        then: impl FnOnce(&mut Self) -> Option<()>,
        other: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.arguments.bytes(b"(");
        condition(self)?;
        self.arguments.bytes(b") ? ");
        self.program.bytes(&[op::IF]);
        then(self)?;
        self.arguments.bytes(b" : ");
        self.program.bytes(&[op::ELSE]);
        other(self)?;
        self.program.bytes(&[op::END_IF]);
        Some(())
    }

    /// Adds a text that is an operand of a choice.
    fn branch(&mut self, named: &Named, value: &argument::Value, spec: &Spec) -> Option<()> {
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
        self.show_text(named, value, spec)?;
        if needs_parens {
            self.arguments.bytes(b")");
        }
        Some(())
    }

    /// Adds a text that's given.
    fn constant_text(&mut self, text: &LitStr, spec: &Spec) -> Option<()> {
        let value = text.value();
        if let Err(error) = show::check_name(&value) {
            self.error(text.span(), error.replace("a name", "a string"));
            return None;
        }
        self.arguments.bytes(format!("\"{value}\"").as_bytes());
        let padded = pad(&value, spec);
        if !padded.is_empty() {
            self.program.bytes(&[op::TEXT]);
            self.program.bytes(padded.as_bytes());
            self.program.bytes(&[0]);
        }
        Some(())
    }

    /// Adds a text.
    fn show_text(&mut self, named: &Named, value: &argument::Value, spec: &Spec) -> Option<()> {
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
                self.instruction(n, &kind, &show);
                Some(())
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
    ) -> Option<()> {
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
                this.arms(named, of, rest, other, spec)?;
                this.arguments.bytes(b")");
                Some(())
            },
        )
    }

    /// Adds the condition that a value is one of `keys`.
    fn matches(&mut self, named: &Named, of: &argument::Value, keys: &[Key]) -> Option<()> {
        let mut nodes = Nodes::default();
        let of = self.lower(of, &mut nodes)?;
        key_condition(&mut nodes, of, keys);
        match self.checked(named, nodes)? {
            Number::Known(nodes, _) => self.compute(&nodes, true),
            Number::Unknown(nodes) => {
                let (event, name) = (self.event, named.name.unraw().to_string());
                self.shown(false, quote!(__p::Shown::condition(#event, #name, #nodes)));
            }
        }
        Some(())
    }

    /// Adds a number that's shown with a table.
    fn show_table(&mut self, named: &Named, table: &argument::Table, spec: &Spec) -> Option<()> {
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
    ) -> Option<()> {
        if !spec.is_plain() {
            self.error(named.value.span, "the names of a type have no width");
            return None;
        }
        let (event, name) = (self.event, named.name.unraw().to_string());
        let about = format!("`{event}`: `{name}`");
        let (nodes, size) = match self.number(named, &table.of)? {
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
        let table = quote_spanned!(span=> __p::table_of(#about, #shape.table, #is_flags, #size));
        self.shown(
            true,
            quote!(__p::Shown::computed_named(#event, #name, #nodes, #table)),
        );
        Some(())
    }

    /// Adds the texts of `special`, and for other values the rest of the table.
    fn special(
        &mut self,
        named: &Named,
        table: &argument::Table,
        special: &[&(Key, LitStr)],
        spec: &Spec,
    ) -> Option<()> {
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
                this.special(named, table, rest, spec)?;
                this.arguments.bytes(b")");
                Some(())
            },
        )
    }

    /// Adds a table as C has it: what isn't special.
    fn plain_table(&mut self, named: &Named, table: &argument::Table, spec: &Spec) -> Option<()> {
        let is_flags = table.delimiter.is_some();
        let entries = table
            .entries
            .iter()
            .filter(|(key, _)| key.to.is_none() && !(is_flags && key.from.known == Some(0)));
        let entries = entries.map(|(key, text)| (&key.from, text));
        let (event, name) = (self.event, named.name.unraw().to_string());
        let about = format!("`{event}`: `{name}`");
        let number = self.number(named, &table.of)?;
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
                let tokens = table.tokens();
                if let Some(text) = table.text() {
                    let head = show::helper_of_table(Text::new(), is_flags);
                    self.arguments.bytes(bytes(&head));
                    self.compute(&nodes, true);
                    self.table_text(&TableText {
                        is_flags,
                        text,
                        tokens,
                    });
                    if spec.is_plain() {
                        let code =
                            show::computed_instruction(Text::new(), &ty.kind(), &Show::Table);
                        self.program.bytes(bytes(&code));
                    } else {
                        let size = ty.kind().number_size() as u8;
                        let format = show::format(Text::new(), &Kind::Str, &Show::Str(*spec));
                        self.program.bytes(&[op::COMPUTED_NAME, size]);
                        self.program.bytes(bytes(&format));
                        self.program.bytes(&[0]);
                    }
                    return Some(());
                }
                let nodes = nodes.iter().map(tokens_of);
                let nodes = quote!(&const { [#(#nodes),*] });
                self.shown(
                    true,
                    quote!(__p::Shown::computed_named(#event, #name, #nodes, &#tokens)),
                );
            }
            Number::Unknown(nodes) => {
                let size = Size {
                    tokens: quote!(__p::number_size(#event, #name, #nodes)),
                    known: None,
                };
                let table = self.table(entries, &table.delimiter, size, about)?;
                let tokens = table.tokens();
                self.shown(
                    true,
                    quote!(__p::Shown::computed_named(#event, #name, #nodes, &#tokens)),
                );
            }
        }
        Some(())
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
        if len > TEXT_MAX || number::code(Text::<0>::new(), &known).len() > TEXT_MAX {
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
        self.plain.push(b'\n');
        self.flush();
        self.program.bytes(&[op::END]);
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

        let item = self.item();
        let is_known = self.shown.is_empty();
        let tables = &self.tables;
        let tables = if is_known {
            quote!(&[#(#tables),*])
        } else {
            quote!(&const { [#(#tables),*] })
        };
        let (items, print_fmt_type, print_fmt, code);
        if is_known {
            items = TokenStream::new();
            let text = text.flat().0;
            let len = text.len();
            let text = Literal::byte_string(&text);
            print_fmt_type = quote!([__p::u8; #len]);
            print_fmt = quote!(*#text);
            let (bytes, offsets) = self.program.flat();
            let bytes = Literal::byte_string(&bytes);
            code = if offsets.is_empty() {
                quote!(#bytes)
            } else {
                let (at, start): (Vec<_>, Vec<_>) = offsets.into_iter().unzip();
                quote! {
                    &const {
                        __p::place_offsets(
                            *#bytes,
                            [#((#at, #start),)*],
                        )
                    }
                }
            };
        } else {
            let shown = &self.shown;
            let (format, program) = (text.tokens(), self.program.tokens());
            let count = self.count;
            items = quote! {
                #[allow(non_upper_case_globals)]
                const #item: __p::Print = __p::Print {
                    count: #count,
                    shown: &[#(#shown),*],
                    print_fmt: #format,
                    program: #program,
                };
            };
            print_fmt_type = quote!([__p::u8; __p::Print::print_fmt_len(&#item)]);
            print_fmt = quote!(__p::Print::print_fmt(&#item));
            code = quote! {
                &const {
                    __p::Print::program::<{ __p::Print::program_len(&#item) }>(&#item)
                }
            };
        }
        let local = |name| Ident::new(name, Span::mixed_site());
        let (code_local, tables_local) = (local("__code"), local("__tables"));
        let output = Output {
            items,
            print_fmt_type,
            print_fmt,
            // The driver's expressions for the values of a table are outside the `unsafe`.
            program: quote! {
                match (#code, #tables) {
                    // SAFETY: The offsets are those of the fields that the instructions show, and the
                    // table of fields checks their types.
                    (#code_local, #tables_local) => unsafe {
                        __p::Program::new(#code_local, #tables_local)
                    },
                }
            },
        };
        (output, self.errors)
    }
}

/// The longest argument and code of an expression.
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

/// Compiles the template of an event. The output is complete
/// except for the parts with errors.
pub(crate) fn compile(event: &str, print: &Print, fields: &[Field<'_>]) -> (Output, Vec<Error>) {
    let mut compiler = Compiler {
        event,
        print,
        fields,
        errors: Vec::new(),
        used: vec![false; print.named.len()],
        meanings: Vec::new(),
        is_miscounted: false,
        shows: vec![false; fields.len()],
        count: 0,
        plain: Vec::new(),
        format: Parts::default(),
        arguments: Parts::default(),
        program: Parts::default(),
        shown: Vec::new(),
        tables: Vec::new(),
    };
    for n in 0..print.named.len() {
        let meaning = compiler.meaning(n);
        compiler.meanings.push(Some(meaning));
    }
    compiler.run();
    compiler.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse::Parse;

    /// A field as it is written in an event.
    struct Owned {
        shown: bool,
        name: Ident,
        ty: Type,
        ctype: Option<String>,
    }

    impl Parse for Owned {
        fn parse(input: ParseStream<'_>) -> Result<Self> {
            let shown = !input.call(syn::Attribute::parse_outer)?.is_empty();
            let name = Ident::parse_any(input)?;
            input.parse::<Token![:]>()?;
            let ty = input.parse()?;
            let mut ctype = None;
            if input.parse::<Option<Token![as]>>()?.is_some() {
                ctype = Some(input.parse::<LitStr>()?.value());
            }
            Ok(Self {
                shown,
                name,
                ty,
                ctype,
            })
        }
    }

    fn output(fields: &str, print: &str) -> (Output, Vec<String>) {
        output_at(None, fields, print)
    }

    /// The same with all fields at this offset.
    fn output_at(offset: Option<usize>, fields: &str, print: &str) -> (Output, Vec<String>) {
        let parser = syn::punctuated::Punctuated::<Owned, Token![,]>::parse_terminated;
        let fields = syn::parse::Parser::parse_str(parser, fields).unwrap();
        let fields: Vec<_> = fields
            .iter()
            .map(|field| Field {
                name: &field.name,
                text: field.name.unraw().to_string(),
                number: number_type(&field.ty),
                shape: quote!(SHAPE),
                chars: is_chars(&field.ty, field.ctype.as_deref()),
                kind: kind(&field.ty, field.ctype.as_deref()),
                rel: is_rel(&field.ty),
                shown: field.shown,
                offset,
                start: {
                    let name = &field.name;
                    quote!(offset_of(#name))
                },
            })
            .collect();
        let print = parse(print).unwrap();
        let (output, errors) = compile("drv", &print, &fields);
        (output, errors.iter().map(Error::to_string).collect())
    }

    /// Returns the byte strings in an expansion.
    fn byte_strings(tokens: TokenStream, found: &mut Vec<Vec<u8>>) {
        for token in tokens {
            if let proc_macro2::TokenTree::Group(group) = &token {
                byte_strings(group.stream(), found);
            } else if let Ok(literal) = syn::parse2::<syn::LitByteStr>(token.into()) {
                found.push(literal.value());
            }
        }
    }

    /// Returns the `print fmt` and the program.
    fn known(fields: &str, print: &str) -> (String, Vec<u8>) {
        let (output, errors) = output_at(Some(0), fields, print);
        assert_eq!(errors, [""; 0]);
        assert!(output.items.is_empty());
        let (mut text, mut code) = (Vec::new(), Vec::new());
        byte_strings(output.print_fmt, &mut text);
        byte_strings(output.program, &mut code);
        assert_eq!((text.len(), code.len()), (1, 1));
        let mut text = String::from_utf8(text.remove(0)).unwrap();
        assert_eq!(text.pop(), Some('\0'));
        assert_eq!(
            output.print_fmt_type.to_string().replace(' ', ""),
            format!("[__p::u8;{}usize]", text.len() + 1)
        );
        (text, code.remove(0))
    }

    fn print_fmt(fields: &str, print: &str) -> String {
        known(fields, print).0
    }

    fn errors(fields: &str, print: &str) -> Vec<String> {
        let errors = output_at(Some(0), fields, print).1;
        let about = "`drv`: ";
        errors
            .iter()
            .map(|error| error.strip_prefix(about).unwrap().to_owned())
            .collect()
    }

    /// The only error of `{a:spec}`.
    fn error(ty: &str, spec: &str) -> String {
        let errors = errors(&format!("a: {ty}"), &format!("\"{{a:{spec}}}\""));
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors[0].strip_prefix("field `a`: ").unwrap().to_owned()
    }

    fn parse(print: &str) -> Result<Print> {
        let parser = |input: ParseStream<'_>| Print::parse(input, &format_ident!("drv"));
        syn::parse::Parser::parse_str(parser, print)
    }

    fn parse_error(print: &str) -> String {
        match parse(print) {
            Ok(_) => panic!("no error"),
            Err(error) => error
                .to_string()
                .strip_prefix("`drv`: ")
                .unwrap()
                .to_owned(),
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            known("", r#""100% {{}} \"q\" \\ x\n\ttab""#),
            (
                r#""100%% {} \"q\" \\ x\n\ttab""#.into(),
                b"\x01100% {} \"q\" \\ x\n\ttab\n\0\0".into()
            )
        );
        assert_eq!(print_fmt("", "\"a \\\n   b\""), "\"a b\"");
        assert_eq!(print_fmt("", r###"r#"a "b" \n"#"###), r#""a \"b\" \\n""#);
    }

    #[test]
    fn numbers() {
        assert_eq!(
            print_fmt(
                "a: u8, b: i16, c: u32, d: i64, e: usize, f: bool, g: c_int",
                r#""{a} {b:5} {c:#x} {d:+} {e:<8} {f} {g:05} {a:x} {b:X} {c:o} {d:#010x} {c:<#12x}""#
            ),
            "\"%hhu %5hd 0x%x %+lld %-8llu %hhu %05d %hhx %hX %o 0x%08llx 0x%-10x\", REC->a, \
             REC->b, REC->c, REC->d, REC->e, REC->f, REC->g, REC->a, REC->b, REC->c, REC->d, REC->c"
        );
        assert_eq!(
            print_fmt(
                "a: *const u8, b: *mut Foo<'a>, c: usize",
                r#""{a} {b:p} {a:px} {a:pS} {c:p} {c:ps}""#
            ),
            "\"%p %p %016llx %pS %p %ps\", REC->a, REC->b, REC->a, REC->a, REC->c, REC->c"
        );
    }

    #[test]
    fn strings() {
        assert_eq!(
            print_fmt(
                r#"a: Str, b: Formatted, c: [c_char; 10], d: [u8; 4] as "char", e: Rel<Str>"#,
                r#""{a} {b:10} {c:>5} {d:.2} {e:8.3} {a:len} {e:len}""#
            ),
            "\"%s %-10s %5s %.2s %-8.3s %d %d\", __get_str(a), __get_str(b), REC->c, REC->d, \
             __get_rel_str(e), __get_dynamic_array_len(a), REC->e >> 16"
        );
    }

    #[test]
    fn arrays() {
        assert_eq!(
            print_fmt(
                "a: [u8; 4], b: [c_int; 3], c: DynArray<u8>, d: DynArray<c_int>",
                r#""{a} {b:print_array} {c} {d} {a:print_hex_str} {c:print_hex} {c:print_hex_dump}""#
            ),
            "\"%s %s %s %s %s %s %s\", __print_array(REC->a, 4, 1), __print_array(REC->b, 3, 4), \
             __print_array(__get_dynamic_array(c), __get_dynamic_array_len(c), 1), \
             __print_array(__get_dynamic_array(d), __get_dynamic_array_len(d) / 4, 4), \
             __print_hex_str(REC->a, 4), \
             __print_hex(__get_dynamic_array(c), __get_dynamic_array_len(c)), \
             __print_hex_dump(\"\", 2, 16, 1, __get_dynamic_array(c), \
             __get_dynamic_array_len(c), 1)"
        );
        assert_eq!(
            print_fmt("a: Rel<DynArray<u16>>", r#""{a} {a:print_hex} {a:len}""#),
            "\"%s %s %d\", __print_array(__get_rel_dynamic_array(a), REC->a >> 17, 2), \
             __print_hex(__get_rel_dynamic_array(a), REC->a >> 16), REC->a >> 16"
        );
    }

    #[test]
    fn masks_and_addresses() {
        assert_eq!(
            print_fmt(
                "a: Bitmask, b: Rel<Cpumask>, c: SockAddr, d: Rel<SockAddr>",
                r#""{a} {b} {a:list} {b:list} {c} {d} {a:len}""#
            ),
            "\"%s %s %s %s %pISpc %pISpc %d\", __get_bitmask(a), __get_rel_bitmask(b), \
             __get_cpumask(a), __get_rel_cpumask(b), __get_sockaddr(c), \
             __get_rel_dynamic_array(d), __get_dynamic_array_len(a)"
        );
    }

    #[test]
    fn nanoseconds() {
        assert_eq!(
            print_fmt(
                "t: u64",
                r#""{t:print_ns_to_secs}.{t:print_ns_without_secs}""#
            ),
            "\"%llu.%09llu\", REC->t / 1000000000, REC->t % 1000000000"
        );
    }

    #[test]
    fn tables() {
        let print = r#""{x} {y} {x}{{",
            x = print_symbolic(a, { 0 => "ok", -5 => "EIO", }),
            y = print_flags(b, "|", { 1 => "A", 0x80 => "B" })"#;
        assert_eq!(
            known("a: i32, b: u8", print),
            (
                "\"%s %s %s{\", __print_symbolic(REC->a, { 0x0, \"ok\" }, \
                 { 0xfffffffb, \"EIO\" }), __print_flags(REC->b, \"|\", { 0x1, \"A\" }, \
                 { 0x80, \"B\" }), __print_symbolic(REC->a, { 0x0, \"ok\" }, \
                 { 0xfffffffb, \"EIO\" })"
                    .into(),
                b"\x0f\0\0\x04\x01 \0\x0f\0\0\x01\x01 \0\x0f\0\0\x04\x01{\n\0\0".into()
            )
        );
    }

    #[test]
    fn raw_names() {
        assert_eq!(
            print_fmt("r#type: u32", r#""{type} {r#type:x}""#),
            "\"%u %x\", REC->type, REC->type"
        );
    }

    #[test]
    fn program() {
        let code = known(
            "a: i32, b: Str, c: [c_char; 10], d: Rel<DynArray<u16>>, e: [u32; 300], f: Bitmask",
            r#""a={a:+} {b:8}{c:.3}{c}{d}{e}{e:print_hex_dump}{d:print_hex_str}{f}{f:list}{d:len}""#,
        )
        .1;
        let expected: &[&[u8]] = &[
            b"\x01a=\0",
            b"\x02\0\0\x14%+d\0",
            b"\x01 \0",
            b"\x04\0\0%-8s\0",
            b"\x03\0\0%.3s\0",
            b"\x03\0\0%.10s\0",
            b"\x87\0\0\x02",
            b"\x05\0\0\x04\x2c\x01",
            b"\x06\0\0\xb0\x04\x02",
            b"\x88\0\0\x01",
            b"\x09\0\0",
            b"\x0a\0\0",
            b"\x8c\0\0",
            b"\x01\n\0",
            b"\0",
        ];
        assert_eq!(code, expected.concat());
    }

    #[test]
    fn offsets_have_their_places() {
        let program = output("a: u8, b: u8", r#""{a}x{b}""#).0.program.to_string();
        let program = program.replace(' ', "");
        assert!(program.contains("[(1usize,offset_of(a)),(13usize,offset_of(b)),]"));
    }

    #[test]
    fn unknown_types_are_left_to_the_compiler() {
        for ty in [
            "Op",
            "my::Str",
            "[u8; N]",
            "Struct<Pair>",
            "DynArray<T>",
            "c_char",
        ] {
            assert!(kind(&syn::parse_str(ty).unwrap(), None).is_none(), "{ty}");
        }
        let (output, errors) = output("a: Op, b: u32", r#""{a} {b}""#);
        assert_eq!(errors, [""; 0]);
        let items = output.items.to_string();
        assert!(items.contains("__PRINT_drv") && items.contains("Shown :: new"));
        // The values of a table can be constants.
        let (output, _) = super::tests::output(
            "a: u32",
            r#""{x}", x = print_symbolic(a, { ONE => "one" })"#,
        );
        assert!(output.items.to_string().contains("symbol_value"));
    }

    #[test]
    fn places() {
        let ty: Type = syn::parse_quote!(u32);
        let name = format_ident!("a");
        let field = |offset| Field {
            name: &name,
            text: name.to_string(),
            number: number_type(&ty),
            shape: quote!(SHAPE),
            chars: false,
            kind: kind(&ty, None),
            rel: false,
            shown: false,
            offset,
            start: quote!(START),
        };
        let compiled = |offset| {
            let print = parse(r#""{a}""#).unwrap();
            let (output, _) = compile("drv", &print, &[field(offset)]);
            output.program.to_string().replace(' ', "")
        };
        assert!(compiled(None).contains("(1usize,START)"));
        // Written by the macro, in two bytes.
        assert!(compiled(Some(0x108)).contains(r"\x08\x01"));
        assert!(!compiled(Some(8)).contains("place_offsets"));
    }

    #[test]
    fn helpers_need_their_kind() {
        assert_eq!(
            error("u32", "print_hex"),
            "`print_hex` is for arrays and structs"
        );
        assert_eq!(
            error("Str", "print_hex"),
            "`print_hex` is for arrays and structs"
        );
        assert_eq!(error("Str", "print_array"), "`print_array` is for arrays");
        assert_eq!(error("u32", "list"), "`list` is for bit masks");
        assert_eq!(
            error("[u8; 4]", "len"),
            "`len` is for fields without a fixed length"
        );
        assert_eq!(
            error("i32", "print_ns_to_secs"),
            "a number of nanoseconds has 64 bits"
        );
        assert_eq!(
            error("u32", "print_ns_without_secs"),
            "a number of nanoseconds has 64 bits"
        );
        assert_eq!(
            error("i32", "dev_t"),
            "a device number is a `DevT` or a `u32`"
        );
        for ty in ["u32", "Op"] {
            assert_eq!(error(ty, "print_nicely"), show::NO_HELPER);
            assert_eq!(error(ty, "print_hexx"), show::NO_HELPER);
        }
    }

    #[test]
    fn layouts_need_their_kind() {
        assert_eq!(error("u32", ".3"), "a number has no precision");
        assert_eq!(error("u32", "+"), "`+` is for signed numbers");
        assert_eq!(error("i32", "+x"), "`+` is for decimal numbers");
        assert_eq!(error("u32", "#o"), "`#` is for hexadecimal numbers");
        assert_eq!(
            error("Str", "x"),
            "a string has only a width and a precision"
        );
        assert_eq!(
            error("[u8; 4]", "5"),
            "only numbers and strings have a layout"
        );
        assert_eq!(
            error("u32", "<05"),
            "a number on the left can't be padded with zeros"
        );
        assert_eq!(
            error("u32", "#9x"),
            "a number with a `0x` needs a `0` or a `<` before its width"
        );
        assert_eq!(
            error("*const u8", "#x"),
            "a pointer can't be formatted as a number: use `:p`, `:px` for the bare address, or `as usize`"
        );
        for ty in ["u32", "Op"] {
            assert_eq!(error(ty, "9x9"), "there is no such layout");
            assert_eq!(
                error(ty, "99999999999999999999"),
                "a width or a precision must be less than 32767"
            );
        }
    }

    #[test]
    fn all_errors_are_found() {
        assert_eq!(
            errors(
                "a: u32, #[shown] b: u8",
                "\"{q} } {a:+} \u{e4}\u{7} {a\\\\\""
            ),
            [
                "there is no field `q`\nhelp: the event has `a`, `b`",
                "a `}` without its `{`; write `}}` for a brace in the text",
                "field `a`: `+` is for signed numbers",
                "tools can't show control characters or characters that aren't ASCII",
                "tools can't show control characters or characters that aren't ASCII",
                "a `{` without its `}`; write `{{` for a brace in the text",
                "a template can't end with a backslash, which tools take for an escape of the \
                 closing quote",
                "the template doesn't show the field `b`",
            ]
        );
        assert_eq!(
            errors("a: u32", &format!("\"{}\"", "{a}".repeat(64))),
            ["a template can't show more than 63 fields"]
        );
        assert_eq!(
            errors("a: u32", &format!("\"{}\"", "{a}".repeat(63))),
            [""; 0]
        );
    }

    #[test]
    fn percent_signs() {
        assert_eq!(
            known("a: u32", r#""100% {a}%, %%d %%%% %- 5% of""#),
            (
                r#""100%% %u%%, %%d %%%% %%- 5%% of", REC->a"#.into(),
                b"\x01100% \0\x02\0\0\x04%u\0\x01%, %d %% %- 5% of\n\0\0".into()
            )
        );
        for conversion in [
            "%d", "%llu", "%-8s", "%#010x", "%pISpc", "%*phD", "%.*s", "%zu", "%c",
        ] {
            assert_eq!(
                errors("a: u32", &format!("\"{{a}} {conversion} %d\"")),
                [format!(
                    "`{conversion}` is C syntax\nhelp: write `{{name}}`, or `%{conversion}` for a \
                     percent sign"
                )]
            );
        }
    }

    #[test]
    fn tables_are_checked() {
        assert_eq!(
            errors(
                "a: u8, b: u64, s: Str",
                r#""{x} {y} {z} {w}",
                    x = print_symbolic(a, { 256 => "x", -129 => "y", 255 => "z", -128 => "w" }),
                    y = print_flags(b, "\n", { 1 << 63 => "z" }),
                    z = print_symbolic(s, { 1 => "x" }),
                    w = print_symbolic(nope, { 1 => "a" }),
                    v = print_symbolic(a, { 1 => "\"" }),
                    v = print_symbolic(a, {})"#
            ),
            [
                "field `a`: the value doesn't fit into the field",
                "field `a`: the value doesn't fit into the field",
                "field `b`: a name consists of ASCII characters other than quotes and backslashes",
                "field `s`: only a number can be looked up in a table",
                "there is no field `nope`\nhelp: the event has `a`, `b`, `s`",
                "field `a`: a name consists of ASCII characters other than quotes and backslashes",
                "the name `v` is given twice",
                "the template doesn't contain `{v}`",
                "the template doesn't contain `{v}`",
            ]
        );
    }

    #[test]
    fn syntax() {
        assert_eq!(parse_error("5"), "expected a template: `print \"…\"`");
        assert_eq!(parse_error(r#""", x"#), NAMED);
        for print in [r#""", x ="#, r#""", x = ;"#, r#""", x =, y = 1"#] {
            assert_eq!(parse_error(print), NAMED, "{print}");
        }
        let table = "expected `print_symbolic(value, { value => \"text\", … })` or \
                     `print_symbolic(value, Type)`";
        for (argument, error) in [
            (
                "print_it(a)",
                "there is no helper `print_it`, only `print_symbolic`, `print_flags`, \
                 `print_hex`, `print_hex_str`, `print_hex_dump`, `print_array`, `phC` and `phD`",
            ),
            (
                r#"print_flags(a, { 1 => "x" })"#,
                "expected the delimiter between two names, such as `\"|\"`",
            ),
            (
                r#"print_symbolic(a, "|", { 1 => "x" })"#,
                "`print_symbolic` has no delimiter: did you mean `print_flags`?",
            ),
            (
                r#"print_symbolic(a, { 1 = "x" })"#,
                "expected `value => \"text\"`",
            ),
            (
                r#"print_symbolic(a, { _ => "x", 1 => "y" })"#,
                "nothing can follow `_`, which matches any value",
            ),
            (
                r#"print_flags(a, "|", { 1..=2 => "x" })"#,
                "flags have no ranges",
            ),
            (
                r#"print_flags(a, "|", Flags)"#,
                "the type has a delimiter of its own: leave this one out",
            ),
            ("print_symbolic()", table),
            ("print_symbolic(a)", table),
            (
                "a[b]",
                "an index must be a literal, so that it can be checked",
            ),
            (
                "a.is_empty()",
                "only `len()` can be called here; compute this in a field",
            ),
            ("a as f32", "expected an integer type, such as `u32`"),
            ("1.5", "the kernel has no floating point"),
            ("a < b < c", "comparisons can't be chained: use `&&`"),
            (
                "if a { 1 }",
                "expected `else`: there must be something to show",
            ),
            (
                "if let a = b { 1 } else { 2 }",
                "`let` can't be used in a condition: use `match`",
            ),
            (
                "match a { 1 => 2 }",
                "a `match` needs a final arm, `_ => …`, for all other values",
            ),
            (
                "match a { 1..2 => 2, _ => 3 }",
                "a range includes its last value: write `..=`",
            ),
            ("print_array(a, 4, 3)", "an element has 1, 2, 4 or 8 bytes"),
            (
                r#"print_hex_dump("", DUMP_PREFIX_OFFSET, 8, 1, a, true)"#,
                "a line has 16 or 32 bytes",
            ),
            (
                r#"print_hex_dump("", DUMP_PREFIX_OFFSET, 16, 3, a, true)"#,
                "a group has 1, 2, 4 or 8 bytes",
            ),
            (
                r#"print_hex_dump("", 2, 16, 1, a, true)"#,
                "expected `DUMP_PREFIX_NONE`, `DUMP_PREFIX_ADDRESS` or `DUMP_PREFIX_OFFSET`",
            ),
            (
                r#"print_hex_dump("", DUMP_PREFIX_OFFSET, 16, 1, a)"#,
                "expected `print_hex_dump(field)`, or C's arguments without the length, such as \
                 `print_hex_dump(\"\", DUMP_PREFIX_OFFSET, 16, 1, field, true)`",
            ),
            ("a + 256u8", "the value doesn't fit into the type `u8`"),
            ("a + 129i8", "the value doesn't fit into the type `i8`"),
            (
                "a + 0x1_0000_0000_u32",
                "the value doesn't fit into the type `u32`",
            ),
            (
                "a + 18446744073709551616u64",
                "the value doesn't fit into the type `u64`",
            ),
            (
                "match a { 256u8 => 1, _ => 2 }",
                "the value doesn't fit into the type `u8`",
            ),
            ("a b", "expected an operator, `,` or `;`"),
            ("(a b)", "unexpected token"),
            ("a[1 2]", "unexpected token"),
            ("a.len(1)", "unexpected token"),
            ("if a { 1 2 } else { 3 }", "unexpected token"),
            ("match a { _ => 1, 2 => 3 }", "unexpected token"),
            ("print_hex(a, 1, 2)", "unexpected token"),
        ] {
            assert_eq!(
                parse_error(&format!("\"\", x = {argument}")),
                error,
                "{argument}"
            );
        }
        assert_eq!(
            parse_error(r#""", x = print_symbolic(a, {}, 1)"#),
            format!("too many arguments; {table}")
        );
    }

    /// The `print fmt` of one argument.
    fn argument(fields: &str, argument: &str) -> String {
        let text = print_fmt(fields, &format!("\"{{x}}\", x = {argument}"));
        text.strip_prefix("\"").unwrap().to_owned()
    }

    #[test]
    fn computed_numbers() {
        let fields = "dev: u32, n: i32, a: [u16; 4], d: DynArray<u32>, p: *const u8, big: u64, \
                      ok: bool, t: u8";
        for (value, expected) in [
            ("dev >> 20", "%u\", REC->dev >> 20"),
            ("dev & 0xfffff", "%u\", REC->dev & 0xfffff"),
            ("a[3]", "%hu\", REC->a[3]"),
            ("a.len()", "%d\", 4"),
            ("d.len() * 4", "%llu\", (__get_dynamic_array_len(d) / 4) * 4"),
            ("p as usize & 0xfff", "%llu\", REC->p & 4095"),
            ("n as i64", "%lld\", (u64)(u32)(REC->n + 0x80000000) - 0x80000000"),
            ("dev as u64 << 12", "%llu\", (u64)REC->dev << 12"),
            ("-n", "%d\", 0 - REC->n"),
            ("!t", "%hhu\", 255 - REC->t"),
            ("if ok { dev } else { 0 }", "%u\", (REC->ok) ? REC->dev : 0"),
            (
                "match dev { 1 | 2 => 5u8, 4..=6 => 7, _ => 9 }",
                "%hhu\", ((REC->dev == 1) || (REC->dev == 2)) ? 5 : (((REC->dev >= 4) && (REC->dev <= 6)) ? 7 : 9)",
            ),
            ("1 + 2 * 3 - 10 / 2 % 3 << 1", "%d\", 10"),
            ("t + 255u8", "%hhu\", REC->t + 255"),
            ("127i8", "%hhd\", 127"),
            ("-128i8", "%hhd\", 0 - 128"),
            ("-9223372036854775808i64", "%lld\", 0 - (u64)0x8000000000000000"),
            ("18446744073709551615u64", "%llu\", (u64)0xffffffffffffffff"),
            ("big * (big + 1)", "%llu\", REC->big * (u64)(REC->big + 1)"),
        ] {
            assert_eq!(argument(fields, value), expected, "{value}");
        }
        assert_eq!(
            print_fmt(
                "dev: u32",
                r#""{major:#x} {major:5} {dev}", major = dev >> 20"#
            ),
            "\"0x%x %5u %u\", REC->dev >> 20, REC->dev >> 20, REC->dev"
        );
    }

    #[test]
    fn computed_texts() {
        let fields = "n: i32, flags: u32, s: Str, c: [c_char; 8]";
        for (value, expected) in [
            ("\"on\"", "\"on\""),
            (
                r#"if n < 0 { "failed" } else { "ok" }"#,
                r#"(REC->n >= 0x80000000) ? "failed" : "ok""#,
            ),
            (
                r#"if n == 1 { s } else if n == 2 { c } else { "?" }"#,
                r#"(REC->n == 1) ? __get_str(s) : ((REC->n == 2) ? REC->c : "?")"#,
            ),
            (
                r#"print_symbolic(flags >> 4, { 1 => "one" })"#,
                r#"__print_symbolic(REC->flags >> 4, { 0x1, "one" })"#,
            ),
            (
                r#"print_symbolic(flags, { 1 => "one", _ => "other" })"#,
                r#"(REC->flags == 1) ? "one" : "other""#,
            ),
            (
                r#"print_symbolic(flags, { 1 => "one", 5..=9 => "some" })"#,
                r#"((REC->flags >= 5) && (REC->flags <= 9)) ? "some" : __print_symbolic(REC->flags, { 0x1, "one" })"#,
            ),
            (
                r#"print_symbolic(n, { 1 => "one" })"#,
                r#"__print_symbolic(REC->n, { 0x1, "one" })"#,
            ),
            (
                r#"print_flags(flags & 0xff, "|", { 0 => "none", 1 => "A" })"#,
                r#"((REC->flags & 255) == 0) ? "none" : __print_flags(REC->flags & 255, "|", { 0x1, "A" })"#,
            ),
        ] {
            let expected = format!("%s\", {expected}");
            assert_eq!(argument(fields, value), expected, "{value}");
        }
        assert_eq!(
            known("n: u8", r#""{x:4}", x = print_symbolic(n, { 1 => "a" })"#),
            (
                r#""%-4s", __print_symbolic(REC->n, { 0x1, "a" })"#.into(),
                b"\x12\x04\x01\0\0\0\x19\x01%-4s\0\x01\n\0\0".into()
            )
        );
        // A program for each of the branches.
        assert_eq!(
            known("n: u8", r#""{x:4}", x = if n == 1 { "a" } else { "b" }"#).1,
            b"\x12\x04\x01\0\0\x01\x01\0\0\0\0\0\0\0\x1a\x01\0\
              \x15\x01a   \0\x16\x01b   \0\x17\x01\n\0\0"
        );
    }

    #[test]
    fn computed_errors() {
        let fields = "n: i32, m: u8, s: Str, a: [u8; 4], d: DynArray<u8>, p: *const u8";
        for (value, error) in [
            ("n + m", "`i32` and `u8` are different types: write `as i32`"),
            ("n / m",
                "a divisor must be a constant: compute this in a field's expression",
            ),
            ("n / n", "a divisor must be a constant: compute this in a field's expression"),
            ("n % 0", "a division by zero"),
            ("m + 256", "the value doesn't fit into the type `u8`"),
            ("m << 8", "the shift amount is too large for `u8`"),
            ("a[4]", "field `a` doesn't have that many elements"),
            ("d[0]", "field `d` has no fixed length: record the element in a field of its own"),
            ("s.len()", "field `s` isn't an array"),
            ("a + 1", "field `a` isn't a number"),
            ("p + 1", "a pointer is a number only after `as usize`"),
            ("if n { 1 } else { 2 }", "expected a `bool`, found `i32`: write `!= 0`"),
            ("if n == 0 { \"a\" } else { 2 }", "expected a string, like the other values: `\"…\"`, a `Str`, `print_symbolic(…)` or `print_flags(…)`"),
            ("\"a\" == s", "expected a number, found a string"),
            ("q + 1", "there is no field `q`\nhelp: the event has `n`, `m`, `s`, `a`, `d`, `p`"),
            ("print_hex(n)", "field `n`: `print_hex` is for arrays and structs"),
        ] {
            let print = format!("\"{{x}}\", x = {value}");
            assert_eq!(errors(fields, &print), [error], "{value}");
        }
        for spec in ["x:.3", "x:print_hex", "x:px"] {
            let print = format!("\"{{{spec}}}\", x = n + 1");
            assert_eq!(errors(fields, &print).len(), 1, "{spec}");
        }
    }

    #[test]
    fn constants_are_left_to_the_compiler() {
        for (fields, value) in [
            ("n: u32", "n >> MINORBITS"),
            ("n: u32", "n & const { (1 << 20) - 1 }"),
            ("n: u32", "if n == Op::Write { 1 } else { 2 }"),
            ("n: Alias", "n + 1"),
            ("n: [Alias; 4]", "n[2]"),
            ("n: u32", r#"print_symbolic(n >> BITS, { 1 => "a" })"#),
            ("n: u32", r#"if n > MAX { "a" } else { "b" }"#),
            ("n: u32", "print_symbolic(n, Op)"),
            ("n: u32", "print_symbolic(n, ::drv::Op)"),
            ("n: u32", "print_symbolic(n, crate::Op)"),
            ("n: u32", "print_flags(n & 0xff, drv::Flags,)"),
            (
                "n: Alias",
                "if n == 0 { print_symbolic(n, Op) } else { \"b\" }",
            ),
        ] {
            let (output, errors) = output(fields, &format!("\"{{x}}\", x = {value}"));
            assert_eq!(errors, [""; 0], "{value}");
            let items = output.items.to_string();
            assert!(items.contains("__PRINT_drv"), "{value}");
        }
    }

    #[test]
    fn conversions() {
        assert_eq!(
            print_fmt(
                "m: [u8; 6], i: [u8; 4], j: [u8; 16], s: [u8; 28], d: DynArray<u8>, \
                 r: Rel<DynArray<u8>>, c: u8, b: u64",
                r#""{m:pM} {m:pmR} {i:pI4} {j:pI6c} {s:pISpc} {d:pISp} {j:pUl} {m:ph} {d:phN} {d:phC} {r:phD} {c:c} {b:pad}""#
            ),
            "\"%pM %pmR %pI4 %pI6c %pISpc %pISp %pUl %s %s %*phC %*phD %c 0x%016llx\", \
             REC->m, REC->m, REC->i, REC->j, REC->s, __get_dynamic_array(d), REC->j, \
             __print_hex(REC->m, 6), \
             __print_hex_str(__get_dynamic_array(d), __get_dynamic_array_len(d)), \
             __get_dynamic_array_len(d), __get_dynamic_array(d), \
             REC->r >> 16, __get_rel_dynamic_array(r), REC->c, REC->b"
        );
        assert_eq!(
            known("m: [c_char; 6]", r#""{m:pM}""#),
            (r#""%pM", REC->m"#.into(), b"\x03\0\0%pM\0\x01\n\0\0".into())
        );
        // The kernel wants an `&` in front of a struct.
        for (show, expected) in [
            (Show::Conversion("pU"), "&REC->id"),
            (Show::SockAddr(0), "&REC->id"),
            (Show::Hex(show::Hex::Spaced), "__print_hex(REC->id, 16)"),
        ] {
            let kind = Kind::Bytes { len: 16 };
            let argument = show::argument(Text::<64>::new(), "id", &kind, false, &show);
            assert_eq!(argument.as_str(), expected);
        }
        assert_eq!(error("[u8; 4]", "pM"), "a MAC address is a `[u8; 6]`");
        assert_eq!(error("[c_char; 8]", "pM"), "a MAC address is a `[u8; 6]`");
        assert_eq!(
            error("DynArray<u8>", "pI4"),
            "an IPv4 address is a `[u8; 4]`"
        );
        assert_eq!(error("[u8; 4]", "pI6"), "an IPv6 address is a `[u8; 16]`");
        assert_eq!(error("u32", "pUb"), "a UUID is a `[u8; 16]`");
        assert_eq!(
            error("[u8; 4]", "phC"),
            "tools show this only of a `DynArray<u8>`"
        );
        assert_eq!(
            error("u32", "px"),
            "an address is a pointer or a number of 64 bits"
        );
        assert_eq!(error("u64", "c"), "a character has at most 32 bits");
        assert_eq!(error("u64", "pQ"), show::NO_HELPER);
    }

    #[test]
    fn parts_of_arrays() {
        let fields = "n: u8, a: [u16; 8], d: DynArray<u32>, r: Rel<DynArray<u8>>";
        for (value, expected) in [
            (
                "print_hex(a, n)",
                "__print_hex(REC->a, ((u64)REC->n < 16) ? (u64)REC->n : 16)",
            ),
            (
                "print_array(a, 3)",
                "__print_array(REC->a, ((u64)3 < 8) ? (u64)3 : 8, 2)",
            ),
            (
                "print_array(d, n)",
                "__print_array(__get_dynamic_array(d), \
                 ((u64)REC->n < (__get_dynamic_array_len(d) / 4)) ? (u64)REC->n : (__get_dynamic_array_len(d) / 4), 4)",
            ),
            ("print_hex(a,)", "__print_hex(REC->a, 16)"),
            (
                "print_hex(a, n,)",
                "__print_hex(REC->a, ((u64)REC->n < 16) ? (u64)REC->n : 16)",
            ),
            (
                "print_hex_dump(a)",
                "__print_hex_dump(\"\", 2, 16, 1, REC->a, 16, 1)",
            ),
            (
                "print_array(a, 3, 2,)",
                "__print_array(REC->a, ((u64)3 < 8) ? (u64)3 : 8, 2)",
            ),
            (
                "print_hex_str(r, n)",
                "__print_hex_str(__get_rel_dynamic_array(r), \
                 ((u64)REC->n < (REC->r >> 16)) ? (u64)REC->n : (REC->r >> 16))",
            ),
        ] {
            assert_eq!(argument(fields, value), format!("%s\", {expected}"), "{value}");
        }
        assert_eq!(
            argument(fields, "print_array(d, n, 8)"),
            "%s\", __print_array(__get_dynamic_array(d), \
             ((u64)REC->n < (__get_dynamic_array_len(d) / 8)) ? (u64)REC->n : (__get_dynamic_array_len(d) / 8), 8)"
        );
        assert_eq!(
            argument(fields, "print_array(a, n, 4)"),
            "%s\", __print_array(REC->a, ((u64)REC->n < 4) ? (u64)REC->n : 4, 4)"
        );
        assert_eq!(
            known(
                "n: u8, a: [u16; 8]",
                r#""{x}", x = print_hex_dump("a: ", DUMP_PREFIX_NONE, 32, 8, a, n, false)"#
            )
            .1[..6],
            *b"\x1a\x1ca: \0"
        );
        assert_eq!(
            argument(fields, r#"print_hex_dump("a: ", DUMP_PREFIX_NONE, 32, 8, a, n, false)"#),
            "%s\", __print_hex_dump(\"a: \", 0, 32, 8, REC->a, ((u64)REC->n < 16) ? (u64)REC->n : 16, 0)"
        );
        assert_eq!(
            argument(
                fields,
                r#"print_hex_dump("", DUMP_PREFIX_OFFSET, 16, 1, r, true)"#
            ),
            "%s\", __print_hex_dump(\"\", 2, 16, 1, __get_rel_dynamic_array(r), REC->r >> 16, 1)"
        );
        assert_eq!(
            argument(fields, "phD(r, n)"),
            "%*phD\", ((u64)REC->n < (REC->r >> 16)) ? (u64)REC->n : (REC->r >> 16), \
             __get_rel_dynamic_array(r)"
        );
        assert_eq!(
            known("n: u8, a: [u16; 8]", r#""{x}", x = print_array(a, n)"#).1[..24],
            *b"\x12\x04\x01\0\0\x05\x08\x01\x08\0\0\0\0\0\0\0\x1c\x08\x04\x01\0\0\x05\x08"
        );
    }

    #[test]
    fn error_numbers() {
        let text = print_fmt("n: i32", r#""{n:errno}""#);
        assert!(text.starts_with(
            r#""%s", __print_symbolic(REC->n, { 0x0, "0" }, { 0xffffffff, "EPERM" }, { 0xfffffffe, "ENOENT" }"#
        ));
        assert!(text.contains(r#"{ 0xfffffffb, "EIO" }"#));
        assert_eq!(
            error("u32", "errno"),
            "an error number is an `i16`, `i32`, `i64` or `isize`"
        );
    }

    #[test]
    fn widths_in_fields() {
        assert_eq!(
            print_fmt(
                "n: u32, s: Str, w: u8",
                r#""{s:>w$} {s:.w$} {n:w$x} {n:0w$}""#
            ),
            "\"%*s %.*s %*x %0*u\", REC->w, __get_str(s), REC->w, __get_str(s), \
             REC->w, REC->n, REC->w, REC->n"
        );
        assert_eq!(
            known("n: u32, w: u16", r#""{n:w$}""#).1,
            b"\x11\0\0\x02\x02\0\0\x04%*u\0\x01\n\0\0"
        );
        assert_eq!(errors("n: u32, s: Str, w: u8", r#""{n:w$} {s}""#).len(), 1);
        assert_eq!(
            errors("n: u32, w: i32", r#""{n:w$}""#),
            ["field `w`: a width is a `u8` or a `u16`"]
        );
        assert_eq!(
            known("s: Str, p: i32", r#""{s:.p$}""#),
            (
                r#""%.*s", (u16)REC->p, __get_str(s)"#.into(),
                b"\x11\0\0\x02\x04\0\0%.*s\0\x01\n\0\0".into()
            )
        );
        assert_eq!(
            errors("n: u32", r#""{n:w$}""#),
            ["there is no field `w`\nhelp: the event has `n`"]
        );
    }

    #[test]
    fn offsets_in_the_source() {
        let at = |source| source_offsets(source).unwrap();
        assert_eq!(at(r#""ab""#), [1, 2, 3]);
        assert_eq!(at(r#""\n\x41\u{e4}b""#), [1, 3, 7, 7, 13, 14]);
        assert_eq!(at("\"a\\\n  b\""), [1, 6, 7]);
        assert_eq!(at(r###"r#"a"b"#"###), [3, 4, 5, 6]);
        for source in [
            r##"r#"a"b"#"##,
            r#""\u{e4} \\ \0""#,
            "\"a\\\n  b\"",
            "r\"\"",
        ] {
            let literal: LitStr = syn::parse_str(source).unwrap();
            assert_eq!(at(source).len(), literal.value().len() + 1, "{source}");
        }
    }
}
