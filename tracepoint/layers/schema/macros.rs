// SPDX-License-Identifier: GPL-2.0

//! Descriptions of what a module declares, for tools.
//!
//! The section `.debug_tracepoints` of an object has text about its tracepoints, events and types: lines
//! whose columns are separated by tabs. The section isn't loaded, and `strip --strip-debug` removes it.
//! [`description.py`](srctree/tracepoint/description.py) reads it.
//!
//! ```text
//! function   NAME C_TYPE                    a traceable function, and what it returns
//! tracepoint NAME FAULTABLE
//! class      NAME ORIGIN KIND FAULTABLE SYSTEM
//!   arg      NAME RUST_TYPE NAMES          an argument of the function, the tracepoint or the class
//!   condition TEXT                         of a tracepoint or an event
//!   word     NAME C_TYPE                   how C passes it: two for a slice
//!   field    NAME RUST_TYPE ALIGN SIZE SIGNED KIND NAMES C_TYPE
//!   print    TEMPLATE ARGUMENTS            of the class, or of the event before it
//!   event    NAME OFFSET_OF_PRINT_FMT STABLE
//! enum       NAME REPR ID DELIMITER SIZE
//!   value    NAME VALUE LABEL
//! struct     NAME C_NAME ID SIZE
//!   member   NAME RUST_TYPE OFFSET C_TYPE
//! doc        TEXT                          about the line before it
//! ```
//!
//! The assembler fills in what only the compiler knows: numbers, and C types as a text with NULs after
//! it. NAMES is the ID of an enum. A C type can contain the ID of a struct, as `struct @ID`, or of the enum
//! whose values an integer has, as `s8@ID`.

use crate::{
    arch,
    args::{Args, Passing},
    c_name::{around_pointer, integer},
    field::{c_type_text, given, Known},
    integers::C_INTEGERS,
    layers::{self, Declared, Enum, Layer, Struct},
    model::{Class, Tracepoint},
    print::{Named, Print},
    show::Kind,
    tokens::span_of,
    types,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use std::fmt::{Display, Write};
use syn::{ext::IdentExt, Attribute, Error, Expr, LitStr, Meta, Result, ReturnType, Type};

pub(crate) static LAYER: Layer = Layer {
    attributes: &["stable"],
    beside: describe,
    ..Layer::NONE
};

/// Returns what `#[stable]` says of an event, or of those of a class that don't have it themselves: whether it
/// may change.
fn stable(attrs: &[Attribute]) -> Result<Option<&'static str>> {
    let mut stable = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("stable")) {
        let expected = |span| Error::new(span, "expected `#[stable]` or `#[stable(append)]`");
        let one = match &attr.meta {
            Meta::Path(_) => "stable",
            Meta::List(list) => match attr.parse_args::<Ident>() {
                Ok(append) if append == "append" => "append",
                _ => return Err(expected(span_of(&list.tokens))),
            },
            Meta::NameValue(_) => return Err(expected(span_of(attr))),
        };
        if stable.replace(one).is_some() {
            return Err(Error::new(span_of(attr), "`#[stable]` is given twice"));
        }
    }
    Ok(stable)
}

fn describe(declared: &Declared<'_>) -> TokenStream {
    let mut description = Description::default();
    match declared {
        Declared::Function(name, args, ret) => description.function(name, args, ret),
        Declared::Tracepoint(tracepoint) => description.tracepoint(tracepoint),
        Declared::Class(class, fields, origin, system) => {
            if let Err(error) = description.class(class, fields, origin, system) {
                return error.into_compile_error();
            }
        }
        Declared::Enum(item) => {
            description.enumeration(item);
            if let Some(id) = item.id {
                // A function can't contain assembly, but it can contain a module that does.
                let module = Ident::new(&format!("__described_{id:x}"), Span::call_site());
                let assembly = description.finish();
                return quote! {
                    #[doc(hidden)]
                    mod #module {
                        #assembly
                    }
                };
            }
        }
        Declared::Struct(item) => description.structure(item),
    }
    description.finish()
}

/// A part of a column.
enum Piece {
    Text(String),
    /// An expression for a number.
    Number(TokenStream),
    /// An expression for the library's `schema::Name`.
    Name(TokenStream),
}

impl<T: Display> From<T> for Piece {
    fn from(value: T) -> Self {
        Self::Text(value.to_string())
    }
}

/// Adds a line with these columns.
macro_rules! line {
    ($description:ident, $($column:expr),*) => {
        $description.line([$(Piece::from($column)),*])
    };
}

/// What one expansion adds to the section.
#[derive(Default)]
struct Description {
    /// What's in the quotation marks of an `.ascii`.
    assembly: String,
    operands: Vec<TokenStream>,
}

/// Returns whether a field is signed, or its elements are, if the name of its type says it.
fn signed(kind: Option<Kind>) -> Option<bool> {
    match kind? {
        Kind::Int { signed, .. } => Some(signed),
        Kind::Pointer | Kind::Str | Kind::Mask | Kind::SockAddr => Some(false),
        _ => None,
    }
}

impl Description {
    fn operand(&mut self, tokens: TokenStream) -> usize {
        self.operands.push(tokens);
        self.operands.len() - 1
    }

    fn piece(&mut self, piece: impl Into<Piece>) {
        match piece.into() {
            Piece::Text(text) => {
                let plain = text.replace(['\0', '\t', '\n', '\r'], " ");
                self.assembly += &escaped(&plain);
            }
            Piece::Number(tokens) => {
                let n = self.operand(tokens);
                let _ = write!(self.assembly, "{{{n}}}");
            }
            Piece::Name(tokens) => {
                self.assembly += "\"\n";
                for part in 0..4usize {
                    let n = self.operand(quote!(#tokens.part(#part)));
                    let _ = writeln!(self.assembly, ".octa {{{n}}}");
                }
                self.assembly += ".ascii \"";
            }
        }
    }

    fn line<const N: usize>(&mut self, columns: [Piece; N]) {
        for (i, piece) in columns.into_iter().enumerate() {
            if i > 0 {
                self.assembly += "\\t";
            }
            self.piece(piece);
        }
        self.assembly += "\\n";
    }

    fn doc(&mut self, attrs: &[Attribute]) {
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
            // Others, such as `#[doc(hidden)]`, are for rustdoc.
            let Ok(text) = layers::text(attr) else {
                continue;
            };
            for line in text.value().split('\n') {
                let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
                line!(self, "doc", line);
            }
        }
    }

    fn args(&mut self, args: &Args) {
        for (arg, (word, len)) in args.0.iter().zip(word_names(args)) {
            let ty = &arg.ty;
            let names = match Passing::of(ty) {
                Passing::Word if c_type(ty).is_none() => {
                    Piece::Number(quote_spanned! {span_of(ty)=>
                        <#ty as ::tracepoint::__private::Arg>::NAMES
                    })
                }
                _ => 0.into(),
            };
            line!(self, "arg", arg.name.unraw(), source(ty), names);
            self.doc(&arg.attrs);
            let c = match Passing::of(ty) {
                Passing::Str => "const u8 *".into(),
                Passing::Slice(of) => match c_type(of) {
                    Some(c) => pointer_to(&c, true).into(),
                    None => {
                        let name = c_name("Element", of);
                        Piece::Name(quote_spanned!(span_of(of)=> #name.slice()))
                    }
                },
                Passing::Word => c_type_or("Arg", ty),
            };
            line!(self, "word", word, c);
            if let Some(len) = len {
                line!(self, "word", len, "size_t");
            }
        }
    }

    fn field(&mut self, known: &Known<'_>) {
        let shape = known.shape();
        let number = |literal: Option<u64>, what: TokenStream| {
            literal.map_or_else(|| Piece::Number(what), Piece::from)
        };
        let (size, align) = known
            .size()
            .map(|(size, align)| (size as u64, align as u64))
            .unzip();
        let code = size.and(known.kind).map(|kind| kind.code(known.rel));
        let c = c_type_text(known).map_or_else(
            || {
                let given = given(known);
                Piece::Name(quote!(::tracepoint::__private::schema::field(&#shape, #given)))
            },
            Piece::from,
        );
        line!(
            self,
            "field",
            known.field.name.unraw(),
            source(&known.field.ty),
            number(align, quote!(#shape.align)),
            number(size, quote!(#shape.size)),
            number(
                signed(known.kind).map(u64::from),
                quote!(#shape.signed as ::core::primitive::u8)
            ),
            number(code, quote!(#shape.kind.code(#shape.rel))),
            number(code.and(Some(0)), quote!(#shape.names)),
            c
        );
        self.doc(&known.field.attrs);
    }

    fn condition(&mut self, condition: &Option<Expr>) {
        if let Some(condition) = condition {
            line!(self, "condition", escape(&source(condition)));
        }
    }

    fn print(&mut self, print: &Print) {
        let template = escape(&print.template.value());
        let named = print.named.iter();
        let named = named.map(|Named { name, value }| quote!(#name = #value));
        line!(self, "print", template, source(&quote!(#(#named),*)));
    }

    fn function(&mut self, name: &str, args: &Args, ret: &ReturnType) {
        let c = match ret {
            ReturnType::Default => "void".into(),
            ReturnType::Type(_, ty) => c_type_or("Return", ty),
        };
        line!(self, "function", name, c);
        self.args(args);
    }

    fn tracepoint(&mut self, tracepoint: &Tracepoint) {
        let faultable = u8::from(tracepoint.faultable);
        line!(self, "tracepoint", tracepoint.name.unraw(), faultable);
        self.doc(&tracepoint.attrs);
        self.condition(&tracepoint.condition);
        self.args(&tracepoint.args);
    }

    fn class(
        &mut self,
        class: &Class,
        fields: &[Known<'_>],
        origin: &str,
        system: &str,
    ) -> Result<()> {
        let (name, kind) = (class.name.unraw(), class.kind.name());
        let faultable = u8::from(class.faultable);
        line!(self, "class", name, origin, kind, faultable, system);
        self.doc(&class.attrs);
        self.args(&class.args);
        for known in fields {
            self.field(known);
        }
        self.print(&class.print);
        for event in &class.events {
            let own = stable(&event.attrs)?;
            let stable = own.or(stable(&class.attrs)?).unwrap_or_default();
            let print_fmt = Piece::Number(quote! {
                ::core::mem::offset_of!(::tracepoint::__private::trace_event_call, print_fmt)
            });
            line!(self, "event", event.name.unraw(), print_fmt, stable);
            self.doc(&event.attrs);
            self.condition(&event.condition);
            if let Some(print) = &event.print {
                self.print(print);
            }
        }
        Ok(())
    }

    fn enumeration(&mut self, item: &Enum<'_>) {
        let name = item.name;
        let id = item.id.map_or_else(
            || Piece::Number(quote!(<#name as ::tracepoint::__private::Arg>::NAMES)),
            Piece::from,
        );
        let delimiter = item.delimiter.map_or(String::new(), LitStr::value);
        let delimiter = escape(&delimiter);
        line!(
            self,
            "enum",
            name.unraw(),
            item.repr,
            id,
            delimiter,
            item.size
        );
        self.doc(item.attrs);
        for variant in item.variants {
            let tokens = &variant.value.tokens;
            let number = variant.value.known.map_or_else(
                || Piece::Number(quote!((#tokens) as ::core::primitive::i128)),
                Piece::from,
            );
            let label = escape(&variant.text.value());
            line!(self, "value", variant.name.unraw(), number, label);
            self.doc(&variant.attrs);
        }
    }

    fn structure(&mut self, item: &Struct<'_>) {
        let this = item.this;
        let id = Piece::Number(quote! {
            ::tracepoint::__private::names_of(&<#this as ::tracepoint::__private::Pointee>::TYPE)
        });
        let size = Piece::Number(quote!(::core::mem::size_of::<#this>()));
        line!(self, "struct", item.name.unraw(), item.c_name, id, size);
        self.doc(item.attrs);
        for (name, ty) in item.fields {
            let rust = source(ty).replace("'static ", "");
            let rust = rust.replace("<'static>", "<'_>");
            let offset = Piece::Number(quote!(::core::mem::offset_of!(#this, #name)));
            line!(self, "member", name.unraw(), rust, offset, "");
            // The last column has several pieces.
            self.assembly.truncate(self.assembly.len() - "\\n".len());
            self.member(ty);
            self.assembly += "\\n";
        }
    }

    /// Adds the C type of a member, with the lengths of arrays in brackets after it.
    fn member(&mut self, ty: &Type) {
        let mut element = ty;
        let mut lengths = Vec::new();
        while let Type::Array(array) = element {
            let len = &array.len;
            lengths.push(match types::len_of(array) {
                Some(len) => len.into(),
                None => Piece::Number(quote!(#len)),
            });
            element = &array.elem;
        }
        self.piece(c_type_or("Element", element));
        for len in lengths {
            self.piece("[");
            self.piece(len);
            self.piece("]");
        }
    }

    fn finish(self) -> TokenStream {
        let Self { assembly, operands } = self;
        let text = format!(
            ".pushsection .debug_tracepoints,\"\",@progbits\n.ascii \"{assembly}\"\n.popsection"
        );
        arch::global_asm(&text, &quote!(#(const { #operands },)*))
    }
}

/// Returns a name that C can have.
fn ascii(ident: &Ident) -> String {
    let mut name = String::new();
    for c in ident.unraw().to_string().chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            name.push(c);
        } else {
            let _ = write!(name, "_{:x}", c as u32);
        }
    }
    name
}

/// Returns the names of the words of each argument: a slice has a second one.
fn word_names(args: &Args) -> Vec<(String, Option<String>)> {
    // Of two words with one name, tools find only one.
    let mut taken = vec!["__data".to_owned()];
    let mut unique = |mut name: String| {
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name.clone());
        name
    };
    let names: Vec<_> = args.0.iter().map(|arg| unique(ascii(&arg.name))).collect();
    let words = args.0.iter().zip(names).map(|(arg, name)| {
        let two = !matches!(Passing::of(&arg.ty), Passing::Word);
        let len = two.then(|| unique(format!("{name}_len")));
        (name, len)
    });
    words.collect()
}

/// Expands to the C type that a trait of the type has.
fn c_name(name: &str, ty: &Type) -> TokenStream {
    let span = span_of(ty);
    let name = Ident::new(name, span);
    quote_spanned!(span=> <#ty as ::tracepoint::__private::#name>::C_NAME)
}

/// Returns a text as part of a string in a template of assembly.
fn escaped(text: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b' '..=b'~' if !br#""\{}"#.contains(&byte) => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    });
    escaped.collect()
}

/// Returns a text in which a backslash marks what can't be in a column.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\\\");
    text.replace('\t', "\\t").replace('\n', "\\n")
}

/// Returns tokens as they're usually written.
fn source(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let mut chars = text.chars().peekable();
    let mut result = String::new();
    let mut quoted = false;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\'' | '{' | '}');
    while let Some(c) = chars.next() {
        if c == '"' && !result.ends_with('\\') {
            quoted = !quoted;
        }
        if quoted || !c.is_whitespace() {
            result.push(c);
            if !quoted && matches!(c, ',' | ';') && chars.peek().is_some() {
                result.push(' ');
            }
            continue;
        }
        let (Some(last), Some(next)) = (result.chars().next_back(), chars.peek().copied()) else {
            continue;
        };
        let operator = |c: char| matches!(c, '=' | '|' | '+' | '/' | '%' | '^' | '?');
        let is_apart = result.ends_with("=>")
            || last != ' ' && (is_word(last) && is_word(next) || operator(last) || operator(next));
        if is_apart && !(last == '=' && next == '>') {
            result.push(' ');
        }
    }
    result
}

/// Returns the C type of a pointer.
fn pointer_to(c: &str, constant: bool) -> String {
    let (before, after) = around_pointer(c, constant);
    format!("{before}{c}{after}")
}

/// Returns C's name of an integer, whatever Rust calls it.
fn c_integer(name: &str) -> Option<&'static str> {
    let found = C_INTEGERS.iter().find(|(rust, _)| *rust == name);
    integer(name).or_else(|| Some(found?.1))
}

/// Returns the C type of an argument, an element or a member. If its name doesn't say it, a trait does.
fn c_type_or(name: &str, ty: &Type) -> Piece {
    c_type(ty).map_or_else(|| Piece::Name(c_name(name, ty)), Piece::from)
}

/// Returns the C type of an argument, an element or a member, if its name says it.
fn c_type(ty: &Type) -> Option<String> {
    match types::ungrouped(ty) {
        Type::Ptr(pointer) => {
            let constant = pointer.mutability.is_none();
            let to = match types::name_of(&pointer.elem) {
                Some((name, None)) => match name.as_str() {
                    "c_void" | "str" | "CStr" => "void".into(),
                    name => match c_integer(name) {
                        Some(c) => c.into(),
                        // A struct of C, or one that C knows nothing about.
                        None => format!("struct {name}"),
                    },
                },
                _ => match &*pointer.elem {
                    Type::Ptr(_) => c_type(&pointer.elem)?,
                    _ => "void".into(),
                },
            };
            Some(pointer_to(&to, constant))
        }
        Type::Reference(reference) => match types::ungrouped(&reference.elem) {
            Type::Array(array) => Some(pointer_to(&c_type(&array.elem)?, false)),
            elem => match types::name_of(elem)? {
                (name, None) if name == "CStr" => Some("const char *".into()),
                _ => None,
            },
        },
        ty => match types::name_of(ty)? {
            (name, None) => Some(c_integer(&name)?.into()),
            (name, Some(of)) if name == "Option" => match types::ungrouped(of) {
                of @ Type::Reference(_) => c_type(of),
                _ => None,
            },
            _ => None,
        },
    }
}
