// SPDX-License-Identifier: GPL-2.0

//! Print templates: what `cat trace` shows of an event.
//!
//! A template is compiled to the program that the library's `event/print.rs` runs in the kernel, and
//! to the `print fmt` of the event's `format` file, from which tools decode a binary record. Both
//! come from one template, so the kernel and the tools show the same text.
//!
//! ```text
//! template = { text | "{{" | "}}" | "{" name [ ":" spec ] "}" }
//! name     = a field, or the name of a table that follows the template
//! spec     = helper | [ "<" | ">" ] [ "+" ] [ "#" ] [ "0" ] [ width ] [ "." precision ] [ "x" | "X" | "o" ]
//! helper   = "print_hex" | "print_hex_str" | "print_hex_dump" | "print_array" | "print_ns_to_secs"
//!          | "print_ns_without_secs" | "list" | "len"
//! ```
//!
//! `print_hex_dump` shows lines of sixteen bytes, each with its offset and its characters. It is for
//! the kernel's own `trace`: tools don't know it (libtraceevent 1.8.4) and show the fields of such
//! an event instead, as they do for C.

use crate::{
    show::{self, op, Kind, Show, Spec},
    symbols::{self, Size, Table, Value},
    text::Text,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use std::ops::Range;
use syn::{
    braced, ext::IdentExt, parenthesized, parse::ParseStream, spanned::Spanned, Error, Expr,
    ExprLit, GenericArgument, Lit, LitStr, PathArguments, Result, Token, Type, TypeArray,
};

/// A field as a template sees it.
pub(crate) struct Field<'a> {
    /// The name.
    pub(crate) name: &'a Ident,
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

/// `name = print_symbolic(field, { value => "text", … })` or
/// `name = print_flags(field, "delimiter", { value => "text", … })`.
pub(crate) struct Named {
    pub(crate) name: Ident,
    pub(crate) field: Ident,
    /// The delimiter of `print_flags`.
    pub(crate) delimiter: Option<LitStr>,
    pub(crate) symbols: Vec<(Expr, LitStr)>,
}

const NAMED: &str = "expected `name = print_symbolic(field, { value => \"text\", … })` or \
                     `name = print_flags(field, \"delimiter\", { value => \"text\", … })`";

impl Named {
    fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let about = |span, error: &str| Error::new(span, format!("`{event}`: {error}"));
        let expected = |e: Error| about(e.span(), NAMED);
        let name = Ident::parse_any(input).map_err(expected)?;
        input.parse::<Token![=]>().map_err(expected)?;
        let helper: Ident = input.parse().map_err(expected)?;
        let flags = helper == "print_flags";
        if !flags && helper != "print_symbolic" {
            let error = format!("there is no helper `{helper}` for `{name}`; {NAMED}");
            return Err(about(helper.span(), &error));
        }
        if !input.peek(syn::token::Paren) {
            return Err(expected(input.error("")));
        }
        let arguments;
        let paren = parenthesized!(arguments in input);
        // At the closing parenthesis, if something is missing there.
        let expected = |e: Error| {
            about(
                if arguments.is_empty() {
                    paren.span.close()
                } else {
                    e.span()
                },
                NAMED,
            )
        };
        let field = Ident::parse_any(&arguments).map_err(|e| {
            about(
                e.span(),
                &format!("expected the name of the field that `{name}` shows"),
            )
        })?;
        arguments.parse::<Token![,]>().map_err(expected)?;
        let delimiter = if flags {
            let delimiter = arguments.parse().map_err(|e| {
                about(
                    e.span(),
                    "expected the text between two names, such as `\"|\"`",
                )
            })?;
            arguments.parse::<Token![,]>().map_err(expected)?;
            Some(delimiter)
        } else {
            if arguments.peek(LitStr) {
                let error = "`print_symbolic` has no delimiter: did you mean `print_flags`?";
                return Err(about(arguments.span(), error));
            }
            None
        };
        if !arguments.peek(syn::token::Brace) {
            return Err(expected(arguments.error("")));
        }
        let table;
        braced!(table in arguments);
        let mut symbols = Vec::new();
        while !table.is_empty() {
            let entry = |e: Error| about(e.span(), "expected `value => \"text\"`");
            let value = table.parse().map_err(entry)?;
            table.parse::<Token![=>]>().map_err(entry)?;
            symbols.push((value, table.parse().map_err(entry)?));
            if !table.is_empty() && table.parse::<Token![,]>().is_err() {
                return Err(about(
                    table.span(),
                    "expected `,` between two entries of the table",
                ));
            }
        }
        arguments.parse::<Option<Token![,]>>()?;
        if !arguments.is_empty() {
            return Err(about(
                arguments.span(),
                &format!("too many arguments; {NAMED}"),
            ));
        }
        Ok(Self {
            name,
            field,
            delimiter,
            symbols,
        })
    }
}

/// What follows `print`: the template and its tables.
pub(crate) struct Print {
    pub(crate) template: LitStr,
    pub(crate) named: Vec<Named>,
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
            named.push(Named::parse(input, event)?);
        }
        Ok(Self { template, named })
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
    let (size, signed) = match name.as_str() {
        "bool" | "u8" | "c_uchar" => (1, false),
        "u16" | "c_ushort" => (2, false),
        "u32" | "c_uint" => (4, false),
        "u64" | "usize" | "c_ulong" | "c_ulonglong" => (8, false),
        "i8" | "c_schar" => (1, true),
        "i16" | "c_short" => (2, true),
        "i32" | "c_int" => (4, true),
        "i64" | "isize" | "c_long" | "c_longlong" => (8, true),
        _ => return None,
    };
    Some(Kind::Int { size, signed })
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

struct Compiler<'a> {
    event: &'a str,
    print: &'a Print,
    fields: &'a [Field<'a>],
    errors: Vec<Error>,
    /// For each name whether the template has it.
    used: Vec<bool>,
    lookups: Vec<Option<Lookup>>,
    /// For each field whether the template shows it.
    shows: Vec<bool>,
    count: usize,
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
        subspan(&self.print.template, range)
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
        } else if found.is_none() {
            let names = self.fields.iter().map(|field| format!("`{}`", field.name));
            let names = match self.fields {
                [] => "none".to_owned(),
                _ => names.collect::<Vec<_>>().join(", "),
            };
            let error = format!("there is no field `{name}`; the event has {names}");
            self.error(span, error);
        }
        found
    }

    /// Checks a table that follows the template.
    fn lookup(&mut self, n: usize) -> Option<Lookup> {
        let print = self.print;
        let named = &print.named[n];
        if print.named[..n]
            .iter()
            .any(|other| other.name == named.name)
        {
            let error = format!("the name `{}` is given twice", named.name);
            self.error(named.name.span(), error);
        }
        let field = self.field(&named.field.to_string(), named.field.span())?;
        let Field {
            shape, kind, name, ..
        } = &self.fields[field];
        if kind.is_some_and(|kind| !kind.is_number()) {
            let error = format!("field `{name}`: only a number can be looked up in a table");
            self.error(named.field.span(), error);
            return None;
        }
        let symbols = named.symbols.iter().map(|(value, text)| {
            let value = Value {
                tokens: value.to_token_stream(),
                span: value.span(),
                known: symbols::integer(value),
            };
            (value, text.clone())
        });
        let known = kind.map(|kind| kind.number_size());
        let table = Table {
            symbols: symbols.collect(),
            delimiter: named.delimiter.clone(),
            size: Size {
                tokens: match known {
                    Some(size) => quote!(#size),
                    None => quote!(__p::Shape::number_size(&#shape)),
                },
                known,
            },
            about: format!("`{}`: field `{name}`", self.event),
        };
        let errors = table.check();
        let is_good = errors.is_empty();
        self.errors.extend(errors);
        is_good.then_some(Lookup { field, table })
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
    fn known(&mut self, n: usize, kind: Kind, show: Show, table: Option<(&Table, String)>) {
        let field = &self.fields[n];
        let name = field.name.unraw().to_string();
        self.flush();
        let format = show::format(Text::new(), &kind, &show);
        self.format.bytes(bytes(&format));
        self.arguments.bytes(b", ");
        match table {
            Some((table, text)) => {
                let is_flags = table.delimiter.is_some();
                let head = show::symbols(Text::new(), &name, is_flags);
                self.arguments.bytes(bytes(&head));
                self.arguments.bytes(text.as_bytes());
                self.arguments.bytes(b")");
                let table = table.tokens();
                self.tables
                    .push(quote!(::core::option::Option::Some(&#table)));
            }
            None => {
                let argument = show::argument(Text::new(), &name, &kind, field.rel, &show);
                self.arguments.bytes(bytes(&argument));
            }
        }
        let code = show::instruction(Text::new(), &kind, field.rel, &show, 0);
        let code = bytes(&code);
        self.program.bytes(&code[..1]);
        match field.offset {
            // A record that's larger than that is an error elsewhere.
            Some(offset) => self.program.bytes(&(offset as u16).to_le_bytes()),
            None => self.program.0.push(Part::Offset(field.start.clone())),
        }
        self.program.bytes(&code[3..]);
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
        let i = self.shown.len();
        self.format.0.push(Part::Shown("Format", i));
        self.arguments.0.push(Part::Shown("Argument", i));
        self.program.0.push(Part::Shown("Instruction", i));
        if has_table {
            let print = self.item();
            self.tables.push(quote!(__p::Print::table(&#print, #i)));
        }
        let (event, text) = (self.event, name.unraw().to_string());
        let shape = if *chars {
            quote!(__p::Shape::chars(#shape))
        } else {
            quote!(#shape)
        };
        self.shown.push(shown(quote!(#event, #text, #shape)));
    }

    /// Returns the name of the item that `unknown` needs.
    fn item(&self) -> Ident {
        format_ident!("__PRINT_{}", self.event)
    }

    /// Adds `{name:spec}`, given where it is in the template.
    fn placeholder(&mut self, range: Range<usize>) {
        let value = self.print.template.value();
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
            if !spec.is_empty() {
                let error = format!("nothing can follow `{name}`, the name of a table");
                self.error(self.span(spec_range), error);
                return;
            }
            let Some(Lookup { field, table }) = self.lookups[n].take() else {
                return;
            };
            self.shows[field] = true;
            match (self.fields[field].kind, table.text()) {
                (Some(kind), Some(text)) => {
                    self.known(field, kind, Show::Table, Some((&table, text)));
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
            self.lookups[n] = Some(Lookup { field, table });
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
        let is_spec = !matches!(spec.as_bytes(), [b'a'..=b'z', _, ..]);
        let kind = self.fields[n].kind;
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
            Ok(Some((kind, show))) => self.known(n, kind, show, None),
            Ok(None) => {
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
                let error = format!("field `{name}`: {error}");
                self.error(self.span(at), error);
            }
        }
    }

    /// Compiles the text.
    fn run(&mut self) {
        let value = self.print.template.value();
        let text = value.as_bytes();
        let mut i = 0;
        while i < text.len() {
            match text[i] {
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
        // `test_event_printk()` (kernel/trace/trace_events.c) warns of more.
        if self.count > 63 {
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
            items = quote! {
                #[allow(non_upper_case_globals)]
                const #item: __p::Print = __p::Print {
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

/// Compiles the template of an event. The output is complete
/// except for the parts with errors.
pub(crate) fn compile(event: &str, print: &Print, fields: &[Field<'_>]) -> (Output, Vec<Error>) {
    let mut compiler = Compiler {
        event,
        print,
        fields,
        errors: Vec::new(),
        used: vec![false; print.named.len()],
        lookups: Vec::new(),
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
        let lookup = compiler.lookup(n);
        compiler.lookups.push(lookup);
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
        let parser = syn::punctuated::Punctuated::<Owned, Token![,]>::parse_terminated;
        let fields = syn::parse::Parser::parse_str(parser, fields).unwrap();
        let fields: Vec<_> = fields
            .iter()
            .map(|field| Field {
                name: &field.name,
                shape: quote!(SHAPE),
                chars: is_chars(&field.ty, field.ctype.as_deref()),
                kind: kind(&field.ty, field.ctype.as_deref()),
                rel: is_rel(&field.ty),
                shown: field.shown,
                offset: None,
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
        let (output, errors) = output(fields, print);
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
        let errors = output(fields, print).1;
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
            print_fmt("a: *const u8, b: *mut Foo<'a>", r#""{a} {b:x} {a:020}""#),
            "\"0x%llx %llx 0x%018llx\", REC->a, REC->b, REC->a"
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
            error("i64", "print_ns_to_secs"),
            "a number of nanoseconds is a `u64`"
        );
        assert_eq!(
            error("u32", "print_ns_without_secs"),
            "a number of nanoseconds is a `u64`"
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
        for (ty, spec) in [("u32", "#9x"), ("*const u8", "9")] {
            assert_eq!(
                error(ty, spec),
                "a number with a `0x` needs a `0` or a `<` before its width"
            );
        }
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
                "there is no field `q`; the event has `a`, `b`",
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
    fn tables_are_checked() {
        assert_eq!(
            errors(
                "a: u8, s: Str",
                r#""{x:5} {y} {z} {w}",
                    x = print_symbolic(a, { 256 => "x", -129 => "y", 255 => "z", -128 => "w" }),
                    y = print_flags(a, "\n", { 0 => "z" }),
                    z = print_symbolic(s, { 1 => "x" }),
                    w = print_symbolic(nope, { 1 => "a" }),
                    v = print_symbolic(a, { 1 => "\"" }),
                    v = print_symbolic(a, {})"#
            ),
            [
                "field `a`: the value doesn't fit into the field",
                "field `a`: the value doesn't fit into the field",
                "field `a`: a name consists of ASCII characters other than quotes and backslashes",
                "field `a`: a flag can't be 0 or include the highest of 64 bits",
                "field `s`: only a number can be looked up in a table",
                "there is no field `nope`; the event has `a`, `s`",
                "field `a`: a name consists of ASCII characters other than quotes and backslashes",
                "the name `v` is given twice",
                "nothing can follow `x`, the name of a table",
                "the template doesn't contain `{v}`",
                "the template doesn't contain `{v}`",
            ]
        );
    }

    #[test]
    fn syntax() {
        assert_eq!(parse_error("5"), "expected a template: `print \"…\"`");
        assert_eq!(parse_error(r#""", x"#), NAMED);
        assert_eq!(
            parse_error(r#""", x = print_hex(a)"#),
            format!("there is no helper `print_hex` for `x`; {NAMED}")
        );
        assert_eq!(
            parse_error(r#""", x = print_flags(a, { 1 => "x" })"#),
            "expected the text between two names, such as `\"|\"`"
        );
        assert_eq!(
            parse_error(r#""", x = print_symbolic(a, { 1 = "x" })"#),
            "expected `value => \"text\"`"
        );
        assert_eq!(
            parse_error(r#""", x = print_symbolic(a, {}, 1)"#),
            format!("too many arguments; {NAMED}")
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
