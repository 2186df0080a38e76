// SPDX-License-Identifier: GPL-2.0

//! The meanings of the names of types.

use crate::{
    integers::{C_INTEGERS, INTEGERS},
    shape::Shape,
    show::Kind,
    tokens::as_integer,
};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::{ext::IdentExt, Error, GenericArgument, PathArguments, Result, Type, TypeArray};

/// Refuses attributes and macro calls in a type or a constant. The macros repeat it, and another macro, such as a
/// derive, can expand to something else each time.
pub(crate) fn check(repeated: &impl ToTokens) -> Result<()> {
    let error = "this could expand to something else each time the macro repeats it: \
                 give it a name with `type` or `const`";
    let found = find_macro(repeated.to_token_stream());
    found.map_or(Ok(()), |span| Err(Error::new(span, error)))
}

/// Returns the place of the first attribute or macro call.
fn find_macro(tokens: TokenStream) -> Option<Span> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let within = |token: &TokenTree| match token {
        TokenTree::Group(group) => find_macro(group.stream()),
        TokenTree::Punct(punct) if punct.as_char() == '#' => Some(punct.span()),
        _ => None,
    };
    let call = tokens.windows(3).find_map(|window| match window {
        [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(_)] => {
            (bang.as_char() == '!').then(|| name.span())
        }
        _ => None,
    });
    call.or_else(|| tokens.iter().find_map(within))
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

/// Returns whether a `DynArray` is passed on the way to the innermost type, and that type.
pub(crate) fn innermost(ty: &Type) -> (bool, &Type) {
    match (ungrouped(ty), name_of(ty)) {
        (Type::Array(array), _) => innermost(&array.elem),
        (_, Some((name, Some(of)))) => {
            let (is_array, of) = innermost(of);
            (is_array || name == "DynArray", of)
        }
        (ty, _) => (false, ty),
    }
}

/// Returns the length of an array type, if it's a literal.
pub(crate) fn len_of(array: &TypeArray) -> Option<usize> {
    as_integer(&array.len)?.base10_parse().ok()
}

/// Returns C's name and the kind of the integers that Rust calls so.
pub(crate) fn integer_named(name: &str) -> Option<(&'static str, Kind)> {
    let mut integers = INTEGERS.iter().chain(&C_INTEGERS);
    let (_, c, size, signed) = *integers.find(|(rust, ..)| *rust == name)?;
    Some((c, Kind::Int { size, signed }))
}

/// Returns the kind of an integer type.
fn integer(ty: &Type) -> Option<Kind> {
    Some(integer_named(&only_name(ty)?)?.1)
}

/// Returns the name of a type without arguments.
pub(crate) fn only_name(ty: &Type) -> Option<String> {
    match name_of(ty)? {
        (name, None) => Some(name),
        _ => None,
    }
}

/// Returns whether the type has this name.
pub(crate) fn is_named(ty: &Type, expected: &str) -> bool {
    only_name(ty).is_some_and(|name| name == expected)
}

/// Returns whether the type is a `c_char`, which is signed in `core` but not in the kernel.
pub(crate) fn is_c_char(ty: &Type) -> bool {
    is_named(ty, "c_char")
}

/// Returns whether the elements of an array are `char` in C.
fn is_chars(ty: &Type, ctype: Option<&str>) -> bool {
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
            let kind = integer(&array.elem)?.elements(Some(len_of(array)?));
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
        ("DynArray", Some(ty)) => Some(integer(ty)?.elements(None)),
        ("Bitmask" | "Cpumask", None) => Some(Kind::Mask),
        ("SockAddr", None) => Some(Kind::SockAddr),
        ("Rel", Some(ty)) => kind(ty, None).filter(Kind::is_dynamic),
        // A `c_char` alone isn't a number in a template.
        _ if is_c_char(ty) => None,
        _ => integer(ty),
    }
}

/// Returns whether the type is a `Rel<…>`.
pub(crate) fn is_rel(ty: &Type) -> bool {
    matches!(name_of(ty), Some((name, Some(_))) if name == "Rel")
}

/// Returns what the library knows of a type, as far as a template needs it, if the type is known by its name.
pub(crate) fn shape(ty: &Type, ctype: Option<&str>) -> Option<Shape> {
    // Only this name matters.
    let name = ["", "bool"][usize::from(is_named(innermost(ty).1, "bool"))];
    Some(Shape {
        rel: is_rel(ty),
        ..Shape::new(name, kind(ty, ctype)?, "")
    })
}

/// A field as a template sees it.
#[derive(Clone)]
pub(crate) struct Field {
    /// The name in C.
    pub(crate) text: String,
    /// The properties of the type that its name tells: see [`shape`].
    pub(crate) known: Option<Shape>,
    /// The same for the compiler.
    pub(crate) shape: TokenStream,
    /// Where the field is declared, if the template must show it.
    pub(crate) shown: Option<Span>,
    /// Where the field is in the record.
    pub(crate) start: TokenStream,
}

impl Field {
    /// Returns a field that needn't be shown. `ctype` is the C type that follows its type, if any.
    pub(crate) fn new(
        text: String,
        ty: &Type,
        ctype: Option<&str>,
        shape: TokenStream,
        start: TokenStream,
    ) -> Self {
        Self {
            text,
            known: self::shape(ty, ctype),
            shape: match is_chars(ty, ctype) {
                true => quote!(__p::Shape::chars(#shape)),
                false => shape,
            },
            shown: None,
            start,
        }
    }

    /// Returns what it's made of, if that's known.
    pub(crate) fn kind(&self) -> Option<Kind> {
        Some(self.known?.kind)
    }
}
