// SPDX-License-Identifier: GPL-2.0

//! Descriptions of what a module declares, for tools.
//!
//! The section `.debug_tracepoints` of an object has text about its tracepoints, events and types. A line
//! ends with the byte 0x1e, and 0x1f separates its columns. Kbuild.include makes the section one that isn't
//! loaded, and `strip --strip-debug` removes it.
//! [`description.py`](srctree/tracepoint/description.py) reads it.
//!
//! ```text
//! function   NAME C_TYPE                    a traceable function, and what it returns
//! tracepoint NAME FAULTABLE CONDITION
//! class      NAME ORIGIN KIND FAULTABLE SYSTEM
//!   arg      NAME RUST_TYPE WORDS C_TYPE    an argument of the function, the tracepoint or the class
//!   field    NAME RUST_TYPE ALIGN SIZE SIGNED KIND NAMES C_TYPE
//!   event    NAME STABLE OFFSET_OF_PRINT_FMT CONDITION TEMPLATE ARGUMENTS
//! enum       NAME REPR ID DELIMITER
//!   value    NAME VALUE LABEL
//! struct     NAME C_NAME ID SIZE
//!   member   NAME RUST_TYPE OFFSET C_TYPE
//! ```
//!
//! The last column of each is the doc comment. Of an argument that C passes as two WORDS, the C type is that
//! of an element. NAMES is the ID of an enum. A C type can contain the ID of a struct, as `struct @ID`, or of
//! the enum whose values an integer has, as `s8@ID`.

use crate::{
    args::{Args, Passing},
    c_name::{around_pointer, integer},
    field::{given, Known},
    integers::C_INTEGERS,
    layers::{self, Declared, Enum, Layer, Struct},
    model::{Class, Tracepoint},
    print::{Named, Print},
    tokens::span_of,
    types,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use std::fmt::Display;
use syn::{ext::IdentExt, Attribute, Error, LitStr, Meta, Result, ReturnType, Type};

pub(crate) static LAYER: Layer = Layer {
    attributes: &["stable"],
    beside: |declared| describe(declared).unwrap_or_else(Error::into_compile_error),
    ..Layer::NONE
};

/// Returns what `#[stable]` says of an event, or of those of a class that don't have it themselves: whether it
/// may change.
fn stable(attrs: &[Attribute]) -> Result<Option<&'static str>> {
    syn::custom_keyword!(append);

    let mut stable = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("stable")) {
        let one = match &attr.meta {
            Meta::Path(_) => "stable",
            _ => attr.parse_args::<append>().map(|_| "append")?,
        };
        if stable.replace(one).is_some() {
            return Err(Error::new(span_of(attr), "`#[stable]` is given twice"));
        }
    }
    Ok(stable)
}

/// A column.
enum Column {
    Text(String),
    /// An expression for its bytes.
    Bytes(TokenStream),
}

impl<T: Display> From<T> for Column {
    fn from(value: T) -> Self {
        Self::Text(value.to_string())
    }
}

/// Returns the column with a number that only the compiler knows.
fn number(tokens: &TokenStream) -> Column {
    Column::Bytes(quote! {
        ::tracepoint::__private::schema::number((#tokens) as ::core::primitive::i128).as_bytes()
    })
}

/// How many bytes a column has at most, if only the compiler knows it.
const MAX: usize = 128;

/// What one expansion adds to the section.
#[derive(Default)]
struct Description {
    /// The end of it, which is known.
    text: String,
    /// Expressions for the bytes of what's before that.
    parts: Vec<TokenStream>,
    size: usize,
}

/// Adds a line with these columns.
macro_rules! line {
    ($description:ident, $($column:expr),*) => {
        $description.line([$(Column::from($column)),*])
    };
}

impl Description {
    fn line<const N: usize>(&mut self, columns: [Column; N]) {
        for (i, column) in columns.into_iter().enumerate() {
            if i > 0 {
                self.text.push('\x1f');
            }
            match column {
                Column::Text(text) => self.text += &text,
                Column::Bytes(bytes) => {
                    self.end_text();
                    self.parts.push(bytes);
                    self.size += MAX;
                }
            }
        }
        self.text.push('\x1e');
    }

    fn end_text(&mut self) {
        self.size += self.text.len();
        let text = Literal::byte_string(self.text.as_bytes());
        self.parts.push(text.to_token_stream());
        self.text.clear();
    }

    /// Expands to the description, as bytes in the section.
    fn finish(mut self) -> TokenStream {
        self.end_text();
        let Self { parts, size, .. } = self;
        quote! {
            const _: () = {
                #[used]
                #[link_section = ".debug_tracepoints"]
                static __DESCRIPTION: [::core::primitive::u8; #size] =
                    ::tracepoint::__private::schema::text(&[#(#parts),*]);
            };
        }
    }

    fn args(&mut self, args: &Args) {
        for arg in &args.0 {
            let (words, c) = match Passing::of(&arg.ty) {
                Passing::Word => (1, c_type("Arg", &arg.ty)),
                Passing::Slice(of) => (2, c_type("Element", of)),
                Passing::Str => (2, "u8".into()),
            };
            let (name, ty) = (arg.name.unraw(), arg.ty.to_token_stream());
            line!(self, "arg", name, ty, words, c, doc(&arg.attrs));
        }
    }

    fn class(
        &mut self,
        class: &Class,
        fields: &[Known<'_>],
        origin: &str,
        system: &str,
    ) -> Result<()> {
        let (name, kind) = (class.name.unraw(), class.kind.name());
        let (faultable, about) = (u8::from(class.faultable), doc(&class.attrs));
        line!(self, "class", name, origin, kind, faultable, system, about);
        self.args(&class.args);
        for known in fields {
            let (name, ty) = (known.field.name.unraw(), known.field.ty.to_token_stream());
            let (shape, given) = (known.shape(), given(known));
            let layout = Column::Bytes(quote! {
                ::tracepoint::__private::schema::field(&#shape, #given).as_bytes()
            });
            line!(self, "field", name, ty, layout, doc(&known.field.attrs));
        }
        let of_class = stable(&class.attrs)?.unwrap_or_default();
        for event in &class.events {
            let name = event.name.unraw();
            let stable = stable(&event.attrs)?.unwrap_or(of_class);
            let print_fmt = number(&quote! {
                ::core::mem::offset_of!(::tracepoint::__private::trace_event_call, print_fmt)
            });
            let condition = event.condition.to_token_stream();
            let Print {
                template, named, ..
            } = event.print.as_ref().unwrap_or(&class.print);
            let template = template.value();
            let named = named
                .iter()
                .map(|Named { name, value }| quote!(#name = #value));
            let (named, about) = (quote!(#(#named),*), doc(&event.attrs));
            line!(self, "event", name, stable, print_fmt, condition, template, named, about);
        }
        Ok(())
    }
}

fn describe(declared: &Declared<'_>) -> Result<TokenStream> {
    let mut text = Description::default();
    match *declared {
        Declared::Function(name, args, ret) => {
            let c = match ret {
                ReturnType::Default => "void".into(),
                ReturnType::Type(_, ty) => c_type("Return", ty),
            };
            line!(text, "function", name, c, "");
            text.args(args);
        }
        Declared::Tracepoint(tracepoint) => {
            let Tracepoint {
                name, condition, ..
            } = tracepoint;
            let (faultable, about) = (u8::from(tracepoint.faultable), doc(&tracepoint.attrs));
            let condition = condition.to_token_stream();
            line!(
                text,
                "tracepoint",
                name.unraw(),
                faultable,
                condition,
                about
            );
            text.args(&tracepoint.args);
        }
        Declared::Class(class, fields, origin, system) => {
            text.class(class, fields, origin, system)?;
        }
        Declared::Enum(Enum {
            name,
            attrs,
            repr,
            delimiter,
            variants,
        }) => {
            let id = number(&quote!(<#name as ::tracepoint::__private::Arg>::NAMES));
            let delimiter = delimiter.map_or(String::new(), LitStr::value);
            line!(text, "enum", name.unraw(), repr, id, delimiter, doc(attrs));
            for variant in variants {
                let (name, label) = (variant.name.unraw(), variant.text.value());
                let value = number(&variant.value.tokens);
                line!(text, "value", name, value, label, doc(&variant.attrs));
            }
        }
        Declared::Struct(Struct {
            item,
            c_name,
            id,
            this,
        }) => {
            let size = number(&quote!(::core::mem::size_of::<#this>()));
            line!(
                text,
                "struct",
                item.ident.unraw(),
                c_name,
                id,
                size,
                doc(&item.attrs)
            );
            for field in &item.fields {
                let (Some(name), ty) = (&field.ident, &field.ty) else {
                    continue;
                };
                let offset = number(&quote!(::core::mem::offset_of!(#this, #name)));
                let (of_all, _) = layers::with_lifetime(ty, "'static", |_| true);
                let c = c_type("Element", &of_all);
                let ty = ty.to_token_stream();
                line!(
                    text,
                    "member",
                    name.unraw(),
                    ty,
                    offset,
                    c,
                    doc(&field.attrs)
                );
            }
        }
    }
    Ok(text.finish())
}

/// Returns the lines of a doc comment.
fn doc(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    // Others, such as `#[doc(hidden)]`, are for rustdoc.
    let lines = lines.filter_map(|attr| Some(layers::text(attr).ok()?.value()));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns C's name of an integer, whatever Rust calls it.
fn c_integer(name: &str) -> Option<&'static str> {
    let found = C_INTEGERS.iter().find(|(rust, _)| *rust == name);
    integer(name).or_else(|| Some(found?.1))
}

/// Returns the C type of a pointer.
fn pointer_to(ty: &Type, constant: bool) -> String {
    let c = match ty {
        Type::Ptr(to) => pointer_to(&to.elem, to.mutability.is_none()),
        ty => match types::name_of(ty) {
            Some((name, None)) if !["c_void", "str", "CStr"].contains(&&*name) => {
                // A struct of C, or one that C knows nothing about.
                c_integer(&name).map_or_else(|| format!("struct {name}"), str::to_owned)
            }
            _ => "void".to_owned(),
        },
    };
    let (before, after) = around_pointer(&c, constant);
    format!("{before}{c}{after}")
}

/// Returns the C type of an argument, an element or a member. If its name doesn't say it, a trait does.
fn c_type(name: &str, ty: &Type) -> Column {
    if let Type::Ptr(to) = types::ungrouped(ty) {
        return pointer_to(&to.elem, to.mutability.is_none()).into();
    }
    if let Some((integer, None)) = types::name_of(ty) {
        if let Some(c) = c_integer(&integer) {
            return c.into();
        }
    }
    let span = span_of(ty);
    let name = Ident::new(name, span);
    Column::Bytes(quote_spanned! {span=>
        <#ty as ::tracepoint::__private::#name>::C_NAME.as_bytes()
    })
}
