// SPDX-License-Identifier: GPL-2.0

//! The *description*: what a module declares, for tools and for BTF.
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
//!   arg      NAME RUST_TYPE C_ARGS C_TYPE   an argument of the function, the tracepoint or the class
//!   field    NAME RUST_TYPE ALIGN SIZE SIGNED KIND NAMES C_TYPE
//!   event    NAME STABLE OFFSET_OF_PRINT_FMT CONDITION TEMPLATE ARGUMENTS
//! enum       NAME REPR ID DELIMITER
//!   value    NAME VALUE LABEL
//! struct     NAME C_NAME ID SIZE
//!   member   NAME RUST_TYPE OFFSET C_TYPE
//! ```
//!
//! The last column of each is the doc comment. Of an argument that C passes as two C_ARGS, the C type is that
//! of an element. NAMES is the ID of an enum. A C type can contain the ID of a struct, as `struct @ID`, or of
//! the enum whose values an integer has, as `s8@ID`.

#[allow(unreachable_pub)]
#[path = "columns.rs"]
mod columns;

use crate::{
    args::{name_in_prototype, Args, Passing},
    c_name::around_pointer,
    compiler::Parts,
    field::{innermost, Known},
    integers::{integer, C_INTEGERS},
    layers::{self, Declared, Enum, Layer, Struct},
    model::{Class, Field, Tracepoint},
    print::Named,
    tokens::{option, span_of},
    types,
};
use columns::{field, OFFSET_OF_PRINT_FMT};
use proc_macro2::{Ident, Literal, Span, TokenStream};
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
    Known(String),
    /// One that only the compiler knows, as bytes.
    Computed(TokenStream),
}

fn text(text: impl Display) -> Column {
    // A doc comment could contain lines of its own otherwise, of which the build makes C.
    Column::Known(text.to_string().replace(['\x1e', '\x1f'], " "))
}

/// Returns a column that only the compiler knows. The expression is a text or a name of the library's.
fn computed(span: Span, column: TokenStream) -> Column {
    Column::Computed(quote_spanned!(span=> const { #column }.as_bytes()))
}

/// Returns a column with a number that only the compiler knows.
fn number(tokens: TokenStream) -> Column {
    let number = quote! {
        __p::number((#tokens) as ::core::primitive::i128)
    };
    computed(Span::call_site(), number)
}

/// The lines of a description.
#[derive(Default)]
struct Lines(Parts);

impl Lines {
    fn add<const N: usize>(&mut self, kind: &str, columns: [Column; N], attrs: &[Attribute]) {
        self.0.text(kind);
        for column in columns.into_iter().chain([text(doc(attrs))]) {
            self.0.text("\x1f");
            match column {
                Column::Known(text) => self.0.text(text),
                Column::Computed(part) => self.0.unknown(part),
            }
        }
        self.0.text("\x1e");
    }

    fn args(&mut self, args: &Args) {
        for arg in &args.0 {
            let (c_args, c) = match Passing::of(&arg.ty) {
                Passing::Single => (1, c_type("Arg", &arg.ty)),
                Passing::Slice(of) => (2, c_type("Element", of)),
                Passing::Str => (2, text("u8")),
            };
            let (name, ty) = (text(arg.name.unraw()), text(arg.ty.to_token_stream()));
            self.add("arg", [name, ty, text(c_args), c], &arg.attrs);
        }
    }

    fn function(&mut self, name: &str, args: &Args, ret: &ReturnType) {
        let c = match ret {
            ReturnType::Default => text("void"),
            ReturnType::Type(_, ty) => c_type("Return", ty),
        };
        self.add("function", [text(name), c], &[]);
        self.args(args);
    }

    fn tracepoint(&mut self, tracepoint: &Tracepoint) {
        let columns = [
            text(tracepoint.name.unraw()),
            text(u8::from(tracepoint.faultable)),
            text(tracepoint.condition.to_token_stream()),
        ];
        self.add("tracepoint", columns, &tracepoint.attrs);
        self.args(&tracepoint.args);
    }

    fn class(
        &mut self,
        class: &Class,
        fields: &[Known<'_>],
        origin: &str,
        system: &LitStr,
    ) -> Result<()> {
        let columns = [
            text(class.name.unraw()),
            text(origin),
            text(class.kind.name()),
            text(u8::from(class.faultable)),
            text(system.value()),
        ];
        self.add("class", columns, &class.attrs);
        self.args(&class.args);
        for known in fields {
            let Field {
                attrs, name, ty, ..
            } = known.field;
            let columns = [
                text(name.unraw()),
                text(ty.to_token_stream()),
                layout(known),
            ];
            self.add("field", columns, attrs);
        }
        let of_class = stable(&class.attrs)?.unwrap_or_default();
        for event in &class.events {
            let print = event.print.as_ref().unwrap_or(&class.print);
            let named = print.named.iter();
            let named = named.map(|Named { name, value }| quote!(#name = #value));
            let columns = [
                text(event.name.unraw()),
                text(stable(&event.attrs)?.unwrap_or(of_class)),
                text(OFFSET_OF_PRINT_FMT),
                text(event.condition.to_token_stream()),
                text(print.template.value()),
                text(quote!(#(#named),*)),
            ];
            self.add("event", columns, &event.attrs);
        }
        Ok(())
    }

    fn enumeration(&mut self, item: &Enum<'_>) {
        let this = item.this;
        let columns = [
            text(this.unraw()),
            text(item.repr),
            number(quote!(<#this as ::tracepoint::__private::Arg>::NAMES)),
            text(
                item.table
                    .delimiter
                    .as_deref()
                    .unwrap_or_default()
                    .to_string_lossy(),
            ),
        ];
        self.add("enum", columns, item.attrs);
        for (variant, entry) in item.variants.iter().zip(&item.table.entries) {
            let columns = [
                text(variant.ident.unraw()),
                number(entry.first.tokens.clone()),
                text(entry.name.to_string_lossy().into_owned()),
            ];
            self.add("value", columns, &variant.attrs);
        }
    }

    fn structure(&mut self, item: &Struct<'_>) {
        let Struct {
            item,
            c_name,
            id,
            this,
        } = item;
        let columns = [
            text(item.ident.unraw()),
            text(c_name),
            text(id),
            number(quote!(::core::mem::size_of::<#this>())),
        ];
        self.add("struct", columns, &item.attrs);
        for syn::Field {
            attrs, ident, ty, ..
        } in &item.fields
        {
            let of_all = layers::with_lifetime(ty, "'static", |_| true);
            let columns = [
                text(ident.as_ref().map(IdentExt::unraw).to_token_stream()),
                text(ty.to_token_stream()),
                number(quote!(::core::mem::offset_of!(#this, #ident))),
                c_type("Element", &of_all),
            ];
            self.add("member", columns, attrs);
        }
    }
}

fn describe(declared: &Declared<'_>) -> Result<TokenStream> {
    let mut lines = Lines::default();
    match declared {
        Declared::Function(name, args, ret) => lines.function(name, args, ret),
        Declared::Tracepoint(tracepoint) => lines.tracepoint(tracepoint),
        Declared::Class(class, fields, origin, system) => {
            lines.class(class, fields, origin, system)?;
        }
        Declared::Enum(item) => lines.enumeration(item),
        Declared::Struct(item) => lines.structure(item),
    }
    let (len, value, parts);
    if let Some(text) = lines.0.known() {
        // The compiler would take longer for the parts.
        let (text, all) = (Literal::byte_string(text), text.len());
        (len, value, parts) = (quote!(#all), quote!(*#text), None);
    } else {
        let list = lines.0.tokens(Literal::into_token_stream);
        len = quote!(__p::concat::<0>(__PARTS).len());
        value = quote!(__p::concat(__PARTS).bytes());
        parts = Some(quote!(const __PARTS: &[&[::core::primitive::u8]] = #list;));
    }
    Ok(quote! {
        const _: () = {
            use ::tracepoint::__private::schema as __p;

            #parts

            #[used(compiler)]
            #[link_section = ".debug_tracepoints"]
            static __DESCRIPTION: [::core::primitive::u8; #len] = #value;
        };
    })
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
    let found = C_INTEGERS.iter().find(|(rust, ..)| *rust == name);
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

/// Returns the columns about the layout and the type of a field.
fn layout(known: &Known<'_>) -> Column {
    // Only the compiler knows the sign of a `c_char`.
    let is_char = types::is_c_char(innermost(&known.field.ty).1);
    let shape = known.in_template.known.filter(|_| !is_char);
    match (shape, known.c_name()) {
        // The compiler would take longer for that.
        (Some(shape), Some(name)) => Column::Known(field(&shape, Some(&name)).as_str().into()),
        _ => {
            let (shape, given) = (known.shape(), option(known.given_name()));
            computed(Span::call_site(), quote!(__p::field(&#shape, #given)))
        }
    }
}

/// Returns the C type of an argument, an element or a member. If its name doesn't say it, a trait does.
fn c_type(name: &str, ty: &Type) -> Column {
    if let Type::Ptr(to) = types::ungrouped(ty) {
        return text(pointer_to(&to.elem, to.mutability.is_none()));
    }
    if let Some((integer, None)) = types::name_of(ty) {
        if let Some(c) = c_integer(&integer) {
            return text(c);
        }
    }
    // Of an argument, the compiler has checked that it's Rust's own type.
    if let ("Arg", Some("&CStr" | "Option<&CStr>")) = (name, name_in_prototype(ty).as_deref()) {
        return text("const char *");
    }
    let span = span_of(ty);
    let name = Ident::new(name, span);
    let c_name = quote_spanned!(span=> <#ty as ::tracepoint::__private::#name>::C_NAME);
    computed(span, c_name)
}
