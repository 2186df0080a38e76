// SPDX-License-Identifier: GPL-2.0

//! The fields of an event: their attributes, what their types' names say, and their C types.

use crate::{
    args,
    integers::{self, C_INTEGERS},
    model::Field,
    show::Kind,
    tokens::{c_name, c_string, option, span_of},
    types,
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{spanned::Spanned, Error, LitStr, Result, Type};

/// A field and what's known about its type from its name.
pub(crate) struct Known<'a> {
    pub(crate) field: &'a Field,
    /// The field as a template sees it.
    pub(crate) in_template: types::Field,
    pub(crate) filter: TokenStream,
    /// The type, if it's an integer type or `bool` by its own name. Nothing of the driver's can shadow
    /// this path. All of the expansion uses it, whatever the driver's name stands for.
    pub(crate) scalar: Option<TokenStream>,
    /// What the library knows of the type.
    pub(crate) shape: TokenStream,
}

impl Known<'_> {
    /// Returns what it's made of, if the name of its type says it.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.in_template.kind()
    }

    /// Returns the size of the field in the record and its alignment, if the name of its type says it.
    pub(crate) fn size(&self) -> Option<(usize, usize)> {
        Some(self.kind()?.layout())
    }

    /// Whether the data of the field follows the fields, if the name of its type says it.
    pub(crate) fn is_dynamic(&self) -> Option<bool> {
        Some(self.kind()?.is_dynamic())
    }

    /// Whether it's a `Formatted`, by its name.
    pub(crate) fn is_formatted(&self) -> bool {
        types::is_named(types::innermost(&self.field.ty).1, "Formatted")
    }

    /// Whether it's a `c_char` or consists of some, by its name. Only the compiler knows the sign of one.
    pub(crate) fn is_c_char(&self) -> bool {
        types::is_c_char(types::innermost(&self.field.ty).1)
    }

    /// Returns the name of the C type that's given, if any.
    pub(crate) fn given_name(&self) -> Option<String> {
        let c_type = self.field.c_type.as_ref().map(LitStr::value);
        c_type.or_else(|| alias(&self.field.ty).map(str::to_owned))
    }

    /// Returns C's name of the type, or of its elements, if the names in the declaration say it.
    pub(crate) fn c_name(&self) -> Option<String> {
        let name = self.given_name();
        name.or_else(|| default_c_type(&self.field.ty).map(str::to_owned))
    }

    /// Expands to a type with the size and the alignment of the field in the record.
    pub(crate) fn slot(&self) -> TokenStream {
        if let Some((size, align)) = self.size() {
            let word = format_ident!("u{}", 8 * align);
            return match size / align {
                1 => quote!(__p::#word),
                len => quote!([__p::#word; #len]),
            };
        }
        let shape = &self.shape;
        let align = quote!(#shape.kind.layout().1);
        quote!([<__p::Align<{ #align }> as __p::Aligned>::Word; #shape.kind.layout().0 / #align])
    }

    /// Returns the type of a number or a pointer as it's in the record, where the value is written as it is, without
    /// any trait. That's the type itself, unless the name is an alias of another type's, which the table of fields
    /// refuses or which is larger.
    pub(crate) fn scalar_type(&self) -> Option<TokenStream> {
        let ty = &self.field.ty;
        let slot = || quote_spanned!(span_of(ty)=> <#ty as __p::Field>::Slot);
        matches!(self.kind()?, Kind::Int { .. } | Kind::Pointer)
            .then(|| self.scalar.clone().unwrap_or_else(slot))
    }

    /// Expands to whether the data of the field follows the fields. The library's function is called by its path,
    /// since a trait of the driver's could have a method of this name.
    pub(crate) fn dynamic(&self) -> TokenStream {
        let shape = &self.shape;
        match self.is_dynamic() {
            Some(is) => is.into_token_stream(),
            None => quote!(__p::Kind::is_dynamic(&#shape.kind)),
        }
    }
}

/// Expands what the library knows of a type. There's no other way to refer to it, so that the compiler
/// finds the same error everywhere and reports it once.
pub(crate) fn shape(ty: &impl ToTokens) -> TokenStream {
    quote_spanned!(span_of(ty)=> <#ty as ::tracepoint::__private::Field>::SHAPE)
}

/// The filter types that a field can have. With `COMM`, `hist_field_pstring()`
/// (kernel/trace/trace_events_hist.c) would dereference the field's bytes. The others follow from
/// the field's type.
const FILTERS: [&str; 3] = ["CPU", "TRACE_FN", "PTR_STRING"];

/// Checks a field's attributes and returns what they say.
pub(crate) fn known(field: &Field) -> Result<Known<'_>> {
    let (name, ty) = (&field.name, &field.ty);
    let scalar = args::scalar(ty);
    let shape = scalar.as_ref().map_or_else(|| shape(ty), shape);
    let (mut shown, mut filter) = (None, quote!(__p::FILTER_OTHER));
    for attr in &field.attrs {
        let path = attr.path();
        if path.is_ident("shown") {
            shown = Some(name.span());
        } else if path.is_ident("filter") {
            let name: Ident = attr.parse_args()?;
            if !FILTERS.iter().any(|filter| name == filter) {
                let error = format!("expected one of {}", FILTERS.join(", "));
                return Err(Error::new(name.span(), error));
            }
            let of = format_ident!("FILTER_{name}");
            filter = quote_spanned!(name.span()=> __p::filter_type(__p::bindings::#of, #shape));
        } else if !path.is_ident("doc") {
            let error = "a field can have `#[filter(TYPE)]`, `#[shown]` and a doc comment";
            return Err(Error::new(attr.span(), error));
        }
    }
    if let Type::Array(array) = types::ungrouped(ty) {
        if types::len_of(array) == Some(0) {
            let error = "a field can't be an array without elements";
            return Err(Error::new(array.len.span(), error));
        }
    }
    let given = field.c_type.as_ref().map(LitStr::value);
    let start = quote!(::core::mem::offset_of!(__Raw, #name));
    let in_template = types::Field {
        shown,
        ..types::Field::new(c_name(name), ty, given.as_deref(), shape.clone(), start)
    };
    if let (Some(text), Some(given)) = (&field.c_type, &given) {
        if let Some(problem) = problem(given, in_template.kind()) {
            return Err(Error::new(text.span(), format!("the C type {problem}")));
        }
    }
    Ok(Known {
        field,
        in_template,
        filter,
        scalar,
        shape,
    })
}

/// Returns the expression for a field's C type, a `&'static CStr`.
///
/// The kernel's filter and histogram code decides by this text how it reads the field, so a text
/// must not claim more than the type holds.
pub(crate) fn c_type(known: &Known<'_>) -> TokenStream {
    if let (Some(shape), Some(name)) = (known.in_template.known, known.c_name()) {
        return c_string(shape.write_c_type::<512>(Some(&name)).as_str()).into_token_stream();
    }
    // The const functions know the type.
    let (shape, given) = (&known.shape, option(known.given_name()));
    quote! {
        __p::c_str(&const {
            __p::c_type::<{ __p::c_type::<0>(#shape, #given).len() }>(#shape, #given).bytes()
        })
    }
}

/// Returns what's wrong with the C type that's given for a field of this kind, if anything is.
fn problem(given: &str, kind: Option<Kind>) -> Option<&'static str> {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '*');
    let is_location = ["__data_loc", "__rel_loc", "cpumask_t"];
    let is_pointer = matches!(kind, Some(Kind::Pointer | Kind::Int { size: 8, .. }));
    let is_bytes = matches!(
        kind,
        Some(Kind::DynArray { .. } | Kind::Mask | Kind::SockAddr)
    );
    let starts_word = |c: char| c.is_ascii_alphabetic() || c == '_';
    if !given.starts_with(starts_word) || !given.chars().all(is_valid) {
        Some("consists of names, blanks and `*`; the rest follows from the Rust type")
    } else if kind.is_none() && given.len() > 48 {
        Some("is limited to 48 bytes, unless the Rust type is that of a field by its own name")
    } else if given.len() > 400 {
        Some("is longer than 400 bytes")
    } else if is_location.iter().any(|name| given.contains(name)) {
        Some("can't be a location: use `Str`, `DynArray<T>`, `Cpumask` or another such type")
    } else if given.contains("char") && is_bytes {
        Some("would be taken for a string that ends with a NUL: use `Str`")
    } else if given.contains('*') && !is_pointer {
        Some("is a pointer, which the field isn't")
    } else {
        None
    }
}

/// C's name of a type or of its elements.
fn default_c_type(ty: &Type) -> Option<&'static str> {
    let inner = types::innermost(ty).1;
    if let Type::Ptr(pointer) = inner {
        return Some(pointer.mutability.map_or("const void *", |_| "void *"));
    }
    match types::only_name(inner)?.as_str() {
        "Str" | "Formatted" => Some("char"),
        "SockAddr" => Some("u8"),
        "Bitmask" => Some("unsigned long"),
        "Cpumask" => Some("cpumask_t"),
        name => integers::integer(name),
    }
}

/// C's names of types that are aliases in Rust: `c_int` and `i32` are one type with two names.
fn alias(ty: &Type) -> Option<&'static str> {
    let (is_dynamic_array, inner) = types::innermost(ty);
    let name = types::only_name(inner)?;
    // These are shown as `s8` and `u64`.
    if name == "c_schar" || name == "c_ulonglong" {
        return None;
    }
    let alias = C_INTEGERS.iter().find(|(alias, ..)| *alias == name)?.1;
    // A histogram takes it for a string that ends with a NUL (`hist_field_dynstring()`,
    // kernel/trace/trace_events_hist.c).
    (!(is_dynamic_array && alias.contains("char"))).then_some(alias)
}
