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
    c_name::{C_INTEGERS, INTEGERS},
    field::{c_type_text, given, Known},
    hash::Fnv,
    model::{Class, Origin, Stability, Tracepoint},
    print,
    tables::Variant,
    tokens::span_of,
    types,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use std::fmt::Write;
use syn::{ext::IdentExt, Attribute, Expr, Lit, LitStr, Meta, ReturnType, Type};

/// A part of a column.
enum Piece {
    Text(String),
    /// An expression for a number.
    Number(TokenStream),
    /// An expression for the library's `schema::Name`.
    Name(TokenStream),
}

impl From<&str> for Piece {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<usize> for Piece {
    fn from(number: usize) -> Self {
        Self::Text(number.to_string())
    }
}

impl From<bool> for Piece {
    fn from(value: bool) -> Self {
        usize::from(value).into()
    }
}

/// What one expansion adds to the section.
struct Description {
    assembly: String,
    operands: Vec<TokenStream>,
    /// Text that isn't in the assembly yet.
    text: String,
}

impl Description {
    fn new() -> Self {
        Self {
            assembly: ".pushsection .debug_tracepoints,\"\",@progbits\n".into(),
            operands: Vec::new(),
            text: String::new(),
        }
    }

    fn operand(&mut self, tokens: TokenStream) -> usize {
        self.operands.push(tokens);
        self.operands.len() - 1
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            let _ = writeln!(self.assembly, ".ascii \"{}\"", escaped(text.as_bytes()));
        }
    }

    fn piece(&mut self, piece: Piece) {
        match piece {
            Piece::Text(text) => {
                let plain = text.replace(['\0', '\t', '\n', '\r'], " ");
                self.text.push_str(&plain);
            }
            Piece::Number(tokens) => {
                self.flush();
                let n = self.operand(tokens);
                let _ = writeln!(self.assembly, ".ascii \"{{{n}}}\"");
            }
            Piece::Name(tokens) => {
                self.flush();
                for part in 0..4usize {
                    let n = self.operand(quote!({ #tokens.part(#part) }));
                    let _ = writeln!(self.assembly, ".octa {{{n}}}");
                }
            }
        }
    }

    fn line<const N: usize>(&mut self, columns: [Piece; N]) {
        for (i, piece) in columns.into_iter().enumerate() {
            if i > 0 {
                self.text.push('\t');
            }
            self.piece(piece);
        }
        self.text.push('\n');
    }

    fn doc(&mut self, attrs: &[Attribute]) {
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
            if let Meta::NameValue(meta) = &attr.meta {
                if let Expr::Lit(lit) = &meta.value {
                    if let Lit::Str(text) = &lit.lit {
                        for line in text.value().split('\n') {
                            let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
                            self.line(["doc".into(), line.into()]);
                        }
                    }
                }
            }
        }
    }

    fn args(&mut self, args: &Args) {
        for (arg, (name, len)) in args.0.iter().zip(word_names(args)) {
            let ty = &arg.ty;
            let names = match Passing::of(ty) {
                Passing::Word if c_type(ty).is_none() => {
                    Piece::Number(quote_spanned! {span_of(ty)=>
                        { <#ty as ::tracepoint::__private::Arg>::NAMES }
                    })
                }
                _ => "0".into(),
            };
            let rust = source(&ty.to_token_stream());
            self.line([
                "arg".into(),
                arg.name.unraw().to_string().into(),
                rust.into(),
                names,
            ]);
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
                Passing::Word => match c_type(ty) {
                    Some(c) => c.into(),
                    None => Piece::Name(c_name("Arg", ty)),
                },
            };
            self.line(["word".into(), name.into(), c]);
            if let Some(len) = len {
                self.line(["word".into(), len.into(), "size_t".into()]);
            }
        }
    }

    fn field(&mut self, known: &Known<'_>) {
        let shape = known.shape();
        let number = |what: TokenStream| Piece::Number(quote!({ #what }));
        let (align, size, kind, names) = match (known.kind, known.size()) {
            (Some(kind), Some((size, align))) => {
                let code = kind.code(known.rel).to_string();
                (align.into(), size.into(), code.into(), "0".into())
            }
            _ => (
                number(quote!(#shape.align)),
                number(quote!(#shape.size)),
                number(quote!(#shape.kind.code(#shape.rel))),
                number(quote!(#shape.names)),
            ),
        };
        let signed = match known.signed() {
            Some(signed) => signed.into(),
            None => number(quote!(#shape.signed as ::core::primitive::u8)),
        };
        let c = match c_type_text(known) {
            Some(text) => text.into(),
            None => {
                let given = given(known);
                Piece::Name(quote!(::tracepoint::__private::schema::field(&#shape, #given)))
            }
        };
        let name = known.field.name.unraw().to_string();
        let rust = source(&known.field.ty.to_token_stream());
        self.line([
            "field".into(),
            name.into(),
            rust.into(),
            align,
            size,
            signed,
            kind,
            names,
            c,
        ]);
        self.doc(&known.field.attrs);
    }

    fn condition(&mut self, condition: &Option<Expr>) {
        if let Some(condition) = condition {
            let text = source(&condition.to_token_stream());
            self.line(["condition".into(), escape(&text).into()]);
        }
    }

    fn print(&mut self, print: &print::Print) {
        let arguments = source(&print.source);
        self.line([
            "print".into(),
            escape(&print.template.value()).into(),
            arguments.into(),
        ]);
    }

    fn finish(mut self) -> TokenStream {
        self.flush();
        self.assembly.push_str(".popsection");
        let operands = &self.operands;
        arch::global_asm(&self.assembly, &quote!(#(const #operands,)*))
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

/// Describes a traceable function.
pub(crate) fn function(name: &str, args: &Args, ret: &ReturnType) -> TokenStream {
    let mut description = Description::new();
    let c = match ret {
        ReturnType::Default => "void".into(),
        ReturnType::Type(_, ty) => match c_type(ty) {
            Some(c) => c.into(),
            None => Piece::Name(c_name("Return", ty)),
        },
    };
    description.line(["function".into(), name.into(), c]);
    description.args(args);
    description.finish()
}

/// Describes a tracepoint that's no event.
pub(crate) fn tracepoint(tracepoint: &Tracepoint) -> TokenStream {
    let mut description = Description::new();
    description.line([
        "tracepoint".into(),
        tracepoint.name.unraw().to_string().into(),
        tracepoint.faultable.into(),
    ]);
    description.doc(&tracepoint.attrs);
    description.condition(&tracepoint.condition);
    description.args(&tracepoint.args);
    description.finish()
}

/// Describes a class and its events.
pub(crate) fn class(
    class: &Class,
    fields: &[Known<'_>],
    origin: Origin,
    system: &str,
) -> TokenStream {
    let mut description = Description::new();
    let origin = match origin {
        Origin::Own => "own",
        Origin::Kernel => "kernel",
    };
    description.line([
        "class".into(),
        class.name.unraw().to_string().into(),
        origin.into(),
        class.kind.name().into(),
        class.faultable.into(),
        system.into(),
    ]);
    description.doc(&class.attrs);
    description.args(&class.args);
    for known in fields {
        description.field(known);
    }
    description.print(&class.print);
    for event in &class.events {
        let stable = match event.stable.or(class.stable) {
            None => "",
            Some(Stability::Fixed) => "stable",
            Some(Stability::Append) => "append",
        };
        description.line([
            "event".into(),
            event.name.unraw().to_string().into(),
            Piece::Number(quote!({
                ::core::mem::offset_of!(::tracepoint::__private::trace_event_call, print_fmt)
            })),
            stable.into(),
        ]);
        description.doc(&event.attrs);
        description.condition(&event.condition);
        if let Some(print) = &event.print {
            description.print(print);
        }
    }
    description.finish()
}

/// Describes a type of values that have names. Returns the description and an expression for its ID. `repr` is
/// the integer, with its size.
pub(crate) fn enumeration(
    rust: &Ident,
    attrs: &[Attribute],
    (repr, size): (&Ident, usize),
    delimiter: Option<&LitStr>,
    variants: &[Variant],
) -> (TokenStream, TokenStream) {
    let name = rust.unraw().to_string();
    let delimiter = delimiter.map(LitStr::value);
    let start = format!("{name}\0{repr}\0{delimiter:?}");
    let text = variants.iter().try_fold(start, |text, variant| {
        let (name, value) = (variant.name.unraw(), variant.value.known?);
        Some(format!("{text}\0{name}\0{value}"))
    });
    let id = text.map(|text| Fnv::new().bytes(text.as_bytes()).0 >> 1);
    let mut description = Description::new();
    description.line([
        "enum".into(),
        name.into(),
        repr.to_string().into(),
        match id {
            Some(id) => id.to_string().into(),
            None => Piece::Number(quote!({ <#rust as ::tracepoint::__private::Arg>::NAMES })),
        },
        escape(&delimiter.unwrap_or_default()).into(),
        size.into(),
    ]);
    description.doc(attrs);
    for variant in variants {
        let number = match variant.value.known {
            Some(known) => known.to_string().into(),
            None => {
                let tokens = &variant.value.tokens;
                Piece::Number(quote!({ (#tokens) as ::core::primitive::i128 }))
            }
        };
        description.line([
            "value".into(),
            variant.name.unraw().to_string().into(),
            number,
            escape(&variant.text.value()).into(),
        ]);
        description.doc(&variant.attrs);
    }
    let assembly = description.finish();
    match id {
        Some(id) => {
            // A function can't contain assembly, but it can contain a module that does.
            let module = Ident::new(&format!("__described_{id:x}"), Span::call_site());
            let id = Literal::u64_unsuffixed(id);
            (
                quote! {
                    #[doc(hidden)]
                    mod #module {
                        #assembly
                    }
                },
                id.to_token_stream(),
            )
        }
        None => (
            assembly,
            quote!(__p::schema::names_of(&<Self as __p::Arg>::TYPE)),
        ),
    }
}

/// Describes a `tracepoint_struct!`.
pub(crate) fn structure(
    rust: &Ident,
    c: &str,
    attrs: &[Attribute],
    this: &TokenStream,
    fields: &[(&Ident, Type)],
) -> TokenStream {
    let mut description = Description::new();
    description.line([
        "struct".into(),
        rust.unraw().to_string().into(),
        c.into(),
        Piece::Number(quote!({
            ::tracepoint::__private::schema::names_of(&<#this as ::tracepoint::__private::Pointee>::TYPE)
        })),
        Piece::Number(quote!({ ::core::mem::size_of::<#this>() })),
    ]);
    description.doc(attrs);
    for (name, ty) in fields {
        let rust = source(&ty.to_token_stream()).replace("'static ", "");
        description.line([
            "member".into(),
            name.unraw().to_string().into(),
            rust.replace("<'static>", "<'_>").into(),
            Piece::Number(quote!({ ::core::mem::offset_of!(#this, #name) })),
            "".into(),
        ]);
        description.text.pop();
        description.member(ty);
        description.text.push('\n');
    }
    description.finish()
}

impl Description {
    /// Adds the C type of a member, with the lengths of arrays in brackets after it.
    fn member(&mut self, ty: &Type) {
        let mut element = ty;
        let mut lengths = Vec::new();
        while let Type::Array(array) = element {
            let len = &array.len;
            lengths.push(match types::len_of(array) {
                Some(len) => len.into(),
                None => Piece::Number(quote!({ #len })),
            });
            element = &array.elem;
        }
        self.piece(match c_type(element) {
            Some(c) => c.into(),
            None => Piece::Name(c_name("Element", element)),
        });
        for len in lengths {
            self.piece("[".into());
            self.piece(len);
            self.piece("]".into());
        }
    }
}

/// Expands to the C type that a trait of the type has.
fn c_name(name: &str, ty: &Type) -> TokenStream {
    let span = span_of(ty);
    let name = Ident::new(name, span);
    quote_spanned!(span=> <#ty as ::tracepoint::__private::#name>::C_NAME)
}

/// Returns bytes as the text of a string in a template of assembly.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        match byte {
            b'"' | b'\\' | b'{' | b'}' => {
                let _ = write!(text, "\\{byte:03o}");
            }
            b' '..=b'~' => text.push(*byte as char),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text
}

/// Returns a text in which a backslash marks what can't be in a column.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\\\");
    text.replace('\t', "\\t").replace('\n', "\\n")
}

/// Returns tokens as they're usually written.
fn source(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
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
    match (c.ends_with('*'), constant) {
        (false, true) => format!("const {c} *"),
        (false, false) => format!("{c} *"),
        (true, true) => format!("{c}const *"),
        (true, false) => format!("{c}*"),
    }
}

/// Returns C's name of an integer.
fn integer(name: &str) -> Option<&'static str> {
    let mut names = INTEGERS.iter().chain(&C_INTEGERS);
    Some(names.find(|(rust, _)| *rust == name)?.1)
}

/// Returns the C type of an argument, an element or a member, if its name says it.
pub(crate) fn c_type(ty: &Type) -> Option<String> {
    match types::ungrouped(ty) {
        Type::Ptr(pointer) => {
            let constant = pointer.mutability.is_none();
            let to = match types::name_of(&pointer.elem) {
                Some((name, None)) => match name.as_str() {
                    "c_void" | "str" | "CStr" => "void".into(),
                    name => match integer(name) {
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
            (name, None) => Some(integer(&name)?.into()),
            (name, Some(of)) if name == "Option" => match types::ungrouped(of) {
                of @ Type::Reference(_) => c_type(of),
                _ => None,
            },
            _ => None,
        },
    }
}
