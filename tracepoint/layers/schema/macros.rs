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
    args::{name_in_prototype, scalar, Arg, Args, Passing},
    c_name::around_pointer,
    compiler::Parts,
    field::Known,
    layers::{self, Declared, Layer},
    print::Named,
    tokens::{option, span_of},
    types,
};
use columns::{field, OFFSET_OF_PRINT_FMT};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use std::fmt::Display;
use syn::{ext::IdentExt, Attribute, Error, Meta, Result, ReturnType, Type};

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

/// The lines of a description.
#[derive(Default)]
struct Lines(Parts);

impl Lines {
    /// Starts a line.
    fn line(&mut self, kind: &str) -> &mut Self {
        self.0.text(kind);
        self
    }

    /// Adds a column.
    fn text(&mut self, text: impl Display) -> &mut Self {
        self.0.text("\x1f");
        // A doc comment could contain lines of its own otherwise, of which the build makes C.
        self.0.text(text.to_string().replace(['\x1e', '\x1f'], " "));
        self
    }

    /// Adds a column that only the compiler knows. The expression is a text or a name of the library's.
    fn computed(&mut self, span: Span, column: TokenStream) -> &mut Self {
        self.0.text("\x1f");
        let column = quote_spanned!(span=> const { #column }.as_bytes());
        self.0.unknown(column);
        self
    }

    /// Adds a column with a number that only the compiler knows.
    fn number(&mut self, number: TokenStream) -> &mut Self {
        let number = quote!(__p::number((#number) as ::core::primitive::i128));
        self.computed(Span::call_site(), number)
    }

    /// Adds the columns about the layout and the type of a field.
    fn layout(&mut self, known: &Known<'_>) -> &mut Self {
        match (known.in_template.known, known.c_name()) {
            // The compiler would take longer for that.
            (Some(shape), Some(name)) if !known.is_c_char() => {
                let columns = field(&shape, Some(&name));
                self.0.text("\x1f");
                self.0.text(columns.as_str());
                self
            }
            _ => {
                let (shape, given) = (&known.shape, option(known.given_name()));
                self.computed(Span::call_site(), quote!(__p::field(&#shape, #given)))
            }
        }
    }

    /// Adds a column with the C type of an argument, an element or a member. If its name doesn't say it, a trait
    /// does.
    fn c_type(&mut self, name: &str, ty: &Type) -> &mut Self {
        if let Type::Ptr(to) = types::ungrouped(ty) {
            return self.text(pointer_to(&to.elem, to.mutability.is_none()));
        }
        let span = span_of(ty);
        let integer = types::only_name(ty).unwrap_or_default();
        if let Some((c, kind)) = types::integer_named(&integer) {
            let size = kind.number_size();
            return match (name, scalar(ty)) {
                // The compiler has checked that it's Rust's own type.
                ("Arg", Some(_)) => self.text(c),
                _ => self.computed(span, quote_spanned!(span=> __p::integer::<#ty>(#c, #size))),
            };
        }
        // This has been checked in the same way.
        if let ("Arg", Some("&CStr" | "Option<&CStr>")) = (name, name_in_prototype(ty).as_deref()) {
            return self.text("const char *");
        }
        let name = Ident::new(name, span);
        let c_name = quote_spanned!(span=> <#ty as ::tracepoint::__private::#name>::C_NAME);
        self.computed(span, c_name)
    }

    /// Adds the doc comment, which ends the line.
    fn doc(&mut self, attrs: &[Attribute]) {
        let lines = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
        // Others, such as `#[doc(hidden)]`, are for rustdoc.
        let lines = lines.filter_map(|attr| Some(layers::text(attr).ok()?.value()));
        self.text(lines.collect::<Vec<_>>().join("\n"));
        self.0.text("\x1e");
    }

    fn args(&mut self, args: &Args) {
        for Arg { attrs, name, ty } in &args.0 {
            let line = self.line("arg").text(name.unraw());
            let line = line.text(ty.to_token_stream());
            match Passing::of(ty) {
                Passing::Single => line.text(1).c_type("Arg", ty),
                Passing::Slice(of) => line.text(2).c_type("Element", of),
                Passing::Str => line.text(2).text("u8"),
            }
            .doc(attrs);
        }
    }

    /// Adds all lines about what's declared.
    fn declared(&mut self, declared: &Declared<'_>) -> Result<()> {
        match declared {
            Declared::Function(name, args, ret) => {
                let line = self.line("function").text(name);
                match ret {
                    ReturnType::Default => line.text("void"),
                    ReturnType::Type(_, ty) => line.c_type("Return", ty),
                }
                .doc(&[]);
                self.args(args);
            }
            Declared::Tracepoint(tracepoint) => {
                self.line("tracepoint")
                    .text(tracepoint.name.unraw())
                    .text(u8::from(tracepoint.faultable))
                    .text(tracepoint.condition.to_token_stream())
                    .doc(&tracepoint.attrs);
                self.args(&tracepoint.args);
            }
            Declared::Class(class, fields, origin, system) => {
                self.line("class")
                    .text(class.name.unraw())
                    .text(origin)
                    .text(class.kind.name)
                    .text(u8::from(class.faultable))
                    .text(system.value())
                    .doc(&class.attrs);
                self.args(&class.args);
                for known in *fields {
                    self.line("field")
                        .text(known.field.name.unraw())
                        .text(known.field.ty.to_token_stream())
                        .layout(known)
                        .doc(&known.field.attrs);
                }
                let of_class = stable(&class.attrs)?.unwrap_or_default();
                for event in &class.events {
                    let print = event.print.as_ref().unwrap_or(&class.print);
                    // What a layer shows before the template isn't in the source.
                    let of_layer = |named: &Named| format!("{{{}}}", named.name);
                    let is_own = |named: &&Named| !print.around.0.contains(&of_layer(named));
                    let named = print.named.iter().filter(is_own);
                    let named = named.map(|Named { name, value }| quote!(#name = #value));
                    self.line("event")
                        .text(event.name.unraw())
                        .text(stable(&event.attrs)?.unwrap_or(of_class))
                        .text(OFFSET_OF_PRINT_FMT)
                        .text(event.condition.to_token_stream())
                        .text(print.template.value())
                        .text(quote!(#(#named),*))
                        .doc(&event.attrs);
                }
            }
            Declared::Enum(item) => {
                let (this, delimiter) = (item.this, item.table.delimiter.as_deref());
                self.line("enum")
                    .text(this.unraw())
                    .text(item.repr)
                    .number(quote!(<#this as ::tracepoint::__private::Arg>::NAMES))
                    .text(delimiter.unwrap_or_default().to_string_lossy())
                    .doc(item.attrs);
                for (variant, entry) in item.variants.iter().zip(&item.table.entries) {
                    self.line("value")
                        .text(variant.ident.unraw())
                        .number(entry.first.tokens.clone())
                        .text(entry.name.to_string_lossy())
                        .doc(&variant.attrs);
                }
            }
            Declared::Struct(described) => {
                let (item, this) = (described.item, described.this);
                self.line("struct")
                    .text(item.ident.unraw())
                    .text(described.c_name)
                    .text(described.id)
                    .number(quote!(::core::mem::size_of::<#this>()))
                    .doc(&item.attrs);
                for member in &item.fields {
                    let (name, ty) = (&member.ident, &member.ty);
                    self.line("member")
                        .text(name.as_ref().map(IdentExt::unraw).to_token_stream())
                        .text(ty.to_token_stream())
                        .number(quote!(::core::mem::offset_of!(#this, #name)))
                        .c_type("Element", &layers::with_lifetime(ty, "'static", |_| true))
                        .doc(&member.attrs);
                }
            }
        }
        Ok(())
    }
}

fn describe(declared: &Declared<'_>) -> Result<TokenStream> {
    let mut lines = Lines::default();
    lines.declared(declared)?;
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

/// Returns the C type of a pointer.
fn pointer_to(ty: &Type, constant: bool) -> String {
    let c = match ty {
        Type::Ptr(to) => pointer_to(&to.elem, to.mutability.is_none()),
        ty => match types::name_of(ty) {
            Some((name, None)) if !["c_void", "str", "CStr"].contains(&&*name) => {
                // A struct of C, or one that C knows nothing about.
                let integer = types::integer_named(&name);
                integer.map_or_else(|| format!("struct {name}"), |(c, _)| c.to_owned())
            }
            _ => "void".to_owned(),
        },
    };
    let (before, after) = around_pointer(&c, constant);
    format!("{before}{c}{after}")
}
