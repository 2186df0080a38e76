// SPDX-License-Identifier: GPL-2.0

//! DWARF from which Kbuild makes the BTF of a module.
//!
//! Kbuild's own step (`BTF [M]`) runs pahole on each module. pahole skips what the Rust compiler
//! describes, so the macros describe the tracepoints, the functions and the types that C and BPF can
//! see as if they were written in C. This file decides what to describe, and `dwarf.rs` encodes it.
//!
//! A type is referred to by a label. The macro itself knows where the basic types are. The label of
//! any other type contains a number that the compiler computes: see `tracepoint/btf.rs`.

use crate::{
    args::{Arg, Args, Passing},
    c_types::{integer_name, BASES, BYTES, BY_NAME, POINTER, POINTERS},
    dwarf::{base, dw, known, size_of_c, Die, Length, Part, Ty},
    event::Origin,
    field::Known,
    grammar::{span_of, Class, Tracepoint},
    hash::Fnv,
    show::Kind,
    template,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::fmt::Write;
use syn::{ext::IdentExt, GenericArgument, PathArguments, ReturnType, Type};

/// Whether Kbuild makes BTF for modules.
pub(crate) const ENABLED: bool = cfg!(CONFIG_DEBUG_INFO_BTF_MODULES);

/// The registers of the first arguments. pahole takes an argument that's elsewhere to have been
/// optimised.
const REGISTERS: &[u8] = if cfg!(CONFIG_ARM64) {
    // x0 to x7
    &[0, 1, 2, 3, 4, 5, 6, 7]
} else if cfg!(CONFIG_LOONGARCH) {
    // a0 to a7
    &[4, 5, 6, 7, 8, 9, 10, 11]
} else {
    // rdi, rsi, rdx, rcx, r8, r9
    &[5, 4, 1, 2, 8, 9]
};

/// Returns a name that BTF can carry.
pub(crate) fn name(ident: &Ident) -> String {
    name_of(&ident.unraw().to_string())
}

fn name_of(text: &str) -> String {
    /// The kernel's limit is twice as high, but there are prefixes.
    const MAX: usize = 255;
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            name.push(c);
        } else {
            let _ = write!(name, "_{:x}", c as u32);
        }
    }
    name.truncate(MAX);
    name
}

/// Returns the names of the words of each argument: a slice has a second one.
pub(crate) fn word_names(args: &Args) -> Vec<(String, Option<String>)> {
    // Of two words with one name, tools find only one.
    let mut taken = vec!["__data".to_owned()];
    let mut unique = |mut name: String| {
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name.clone());
        name
    };
    let names: Vec<_> = args.0.iter().map(|arg| unique(name(&arg.name))).collect();
    let words = args.0.iter().zip(names).map(|(arg, name)| {
        let two = !matches!(Passing::of(&arg.ty), Passing::Word);
        let len = two.then(|| unique(format!("{name}_len")));
        (name, len)
    });
    words.collect()
}

impl Part {
    /// Returns a type that the compiler knows. `id` is an expression for the library's `Id`.
    fn identified(&mut self, ty: &Type, id: TokenStream) -> Ty {
        let key = quote!(#ty #id).to_string();
        if let Some((_, label)) = self.described.iter().find(|(other, _)| *other == key) {
            return Ty::Label(label.clone());
        }
        let number = self.operand(quote!({ #id.id }));
        let label = format!(".Lbtf{number}");
        let name = [0usize, 1, 2].map(|part| self.operand(quote!({ #id.part(#part) })));
        // A struct of the kernel is only declared: pahole finds it by its name. The macro that declares
        // one of the module's describes it.
        let octa = name.map(|part| format!(".octa {part}\n")).concat();
        let named = |label: &str| {
            format!(
                ".ifndef {label}\n\
                 {label}:\n\
                 .byte {}\n\
                 {octa}\
                 .endif\n",
                Die::NamedStruct as u8
            )
        };
        let text = format!(
            ".if {number}&{POINTER}\n\
             .ifndef {label}\n\
             .if {number}&{BY_NAME}\n\
             {}\
             .endif\n\
             {label}:\n\
             .byte {}\n\
             .long .Lbtfs{number}-.Lbtf\n\
             .endif\n\
             .elseif {number}&{BY_NAME}\n\
             {}\
             .elseif {number}&{BYTES}\n\
             .ifndef {label}\n\
             {label}:\n\
             .byte {}\n\
             .long .Lbtf2-.Lbtf\n\
             .byte {}\n\
             .long {number}&0xffffffff\n\
             .byte 0\n\
             .endif\n\
             .endif",
            named(&format!(".Lbtfs{number}")),
            Die::Pointer as u8,
            named(&label),
            Die::Array as u8,
            Die::Length as u8,
        );
        self.line(&text);
        self.described.push((key, label.clone()));
        Ty::Label(label)
    }

    /// Returns what C has for an argument that's passed in one word.
    fn argument(&mut self, ty: &Type) -> Ty {
        let span = span_of(ty);
        if let Some(known) = known_type(ty) {
            return known;
        }
        if let Type::Reference(reference) = ty {
            if let Type::Array(array) = &*reference.elem {
                let element = self.element(&array.elem, false);
                return self.pointer(&element);
            }
        }
        self.identified(
            ty,
            quote_spanned!(span=> <#ty as ::tracepoint::__private::Arg>::BTF),
        )
    }

    /// Returns what C has for an element of a slice or an array, or for the field of a struct.
    fn element(&mut self, ty: &Type, whole_arrays: bool) -> Ty {
        let span = span_of(ty);
        if let Some(known) = known_type(ty) {
            return known;
        }
        if let (Type::Array(array), true) = (ty, whole_arrays) {
            let element = self.element(&array.elem, true);
            let len = match template::len_of(array) {
                Some(len) => Length::Known(len),
                None => {
                    let len = &array.len;
                    Length::Computed(quote!({ #len }))
                }
            };
            return self.array(&element, len);
        }
        self.identified(
            ty,
            quote_spanned!(span=> <#ty as ::tracepoint::__private::Element>::BTF),
        )
    }

    /// Returns the words of arguments: their names and types.
    fn words(&mut self, args: &Args) -> Vec<(String, Ty)> {
        let mut words = Vec::new();
        for (Arg { ty, .. }, (name, len)) in args.0.iter().zip(word_names(args)) {
            let first = match Passing::of(ty) {
                Passing::Slice(of) => self.slice(of),
                Passing::Str => base("*const u8"),
                Passing::Word => self.argument(ty),
            };
            words.push((name, first));
            words.extend(len.map(|len| (len, base("usize"))));
        }
        words
    }

    fn slice(&mut self, of: &Type) -> Ty {
        if let Some(known) = integer(of).and_then(|name| known(&format!("*const {name}"))) {
            return known;
        }
        let element = self.element(of, true);
        let element = self.constant(&element);
        self.pointer(&element)
    }

    /// Describes a function.
    fn function(&mut self, name: &str, data: bool, words: &[(String, Ty)], ret: &Result) {
        match ret {
            Result::None => {
                self.die(Die::Function);
                self.str(name);
            }
            Result::Some(ty) => {
                self.die(Die::ReturningFunction);
                self.str(name);
                self.reference(ty);
            }
            Result::Computed(number) => {
                self.line(&format!(".if {number}"));
                self.die(Die::ReturningFunction);
                self.str(name);
                self.reference(&Ty::Label(format!(".Lbtf{number}")));
                self.line(".else");
                self.die(Die::Function);
                self.str(name);
                self.line(".endif");
            }
        }
        let data = data.then(|| ("__data".to_owned(), base("*mut")));
        for (i, (name, ty)) in data.iter().chain(words).enumerate() {
            let register = REGISTERS.get(i);
            self.die(if register.is_some() {
                Die::RegisterArg
            } else {
                Die::StackArg
            });
            self.str(name);
            self.reference(ty);
            if let Some(register) = register {
                self.bytes.extend([1, dw::OP_REG0 + register]);
            }
        }
        self.end();
    }

    /// Describes the functions of a tracepoint.
    fn tracepoint(&mut self, name: &str, words: &[(String, Ty)]) {
        self.function(&format!("__probestub_{name}"), true, words, &Result::None);
        self.function(
            &format!("__traceiter_{name}"),
            true,
            words,
            &Result::Some(base("i32")),
        );
    }
}

/// The result of a function.
enum Result {
    None,
    Some(Ty),
    /// The number of its type, or 0.
    Computed(String),
}

/// Returns the name of a type, if it's Rust's name of an integer type.
fn integer(ty: &Type) -> Option<String> {
    let (name, None) = template::name_of(ty)? else {
        return None;
    };
    (1..POINTERS).any(|i| BASES[i] == name).then_some(name)
}

/// Returns the type, if its name alone says what it is. A name can turn out to stand for another
/// type, so none of these is a pointer to a struct: those are the only ones that BPF trusts.
fn known_type(ty: &Type) -> Option<Ty> {
    match ty {
        Type::Group(group) => known_type(&group.elem),
        Type::Paren(paren) => known_type(&paren.elem),
        Type::Ptr(pointer) => {
            let const_ = pointer.const_token.is_some();
            let to = integer(&pointer.elem)
                .and_then(|name| known(&format!("{}{name}", if const_ { "*const " } else { "*" })));
            Some(to.unwrap_or_else(|| base(if const_ { "*const" } else { "*mut" })))
        }
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) => match path.path.segments.last()?.ident.to_string().as_str() {
                "CStr" => Some(base("&CStr")),
                "Arguments" => Some(base("*mut")),
                _ => None,
            },
            Type::Array(array) => known(&format!("*{}", integer(&array.elem)?)),
            _ => None,
        },
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            match &last.arguments {
                PathArguments::None => {
                    let name = last.ident.to_string();
                    let named = (1..POINTERS).any(|i| BASES[i] == name) || name.starts_with("c_");
                    named.then(|| known(&name))?
                }
                PathArguments::AngleBracketed(args) if last.ident == "Option" => {
                    match args.args.first()? {
                        GenericArgument::Type(ty @ Type::Reference(_)) => known_type(ty),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Describes a tracepoint that's no event.
pub(crate) fn tracepoint(tracepoint: &Tracepoint) -> TokenStream {
    if !ENABLED {
        return TokenStream::new();
    }
    let name = name(&tracepoint.name);
    let mut part = Part::new(&format!("t_{name}"));
    let words = part.words(&tracepoint.args);
    part.tracepoint(&name, &words);
    part.finish()
}

/// Describes a traceable function.
pub(crate) fn function(ident: &Ident, args: &Args, ret: &ReturnType) -> TokenStream {
    if !ENABLED {
        return TokenStream::new();
    }
    let name = name(ident);
    let mut part = Part::new(&format!("f_{name}"));
    let words = part.words(args);
    let ret = match ret {
        ReturnType::Type(_, ty) => part.result(ty),
        ReturnType::Default => Result::None,
    };
    part.function(&name, false, &words, &ret);
    part.finish()
}

impl Part {
    /// Returns what C has for the result of a function.
    fn result(&mut self, ty: &Type) -> Result {
        if let Some(name) = integer(ty) {
            return Result::Some(base(&name));
        }
        let span = span_of(ty);
        Result::Computed(
            self.operand(quote_spanned!(span=> { <#ty as ::tracepoint::__private::Return>::BTF })),
        )
    }
}

/// Describes a `tracepoint_struct!`: `size` and the offsets are expressions.
pub(crate) fn structure(c: &str, this: &TokenStream, fields: &[(&Ident, Type)]) -> TokenStream {
    if !ENABLED {
        return TokenStream::new();
    }
    let mut part = Part::new("s{0}");
    let number = part.operand(quote!({ <#this as ::tracepoint::__private::Pointee>::BTF.id }));
    let types: Vec<_> = fields
        .iter()
        .map(|(_, ty)| part.element(ty, true))
        .collect();
    part.line(&format!(".Lbtfs{number}:"));
    part.die(Die::Struct);
    part.str(&name_of(c));
    part.computed(quote!({ ::core::mem::size_of::<#this>() }));
    for ((field, _), ty) in fields.iter().zip(&types) {
        part.die(Die::Member);
        part.str(&name(field));
        part.reference(ty);
        part.computed(quote!({ ::core::mem::offset_of!(#this, #field) }));
    }
    part.end();
    part.finish()
}

/// A type of values that have names.
pub(crate) struct Enumeration {
    /// The description.
    pub(crate) items: TokenStream,
    /// An expression for the library's `Id` of the type.
    pub(crate) id: TokenStream,
}

/// Describes a type of values that have names. `repr` is the integer.
pub(crate) fn enumeration(
    rust: &Ident,
    repr: &Ident,
    values: &[(String, Option<i128>, TokenStream)],
) -> Enumeration {
    if !ENABLED {
        return Enumeration {
            items: TokenStream::new(),
            id: quote!(__p::Id::of_arg(&Self::TYPE)),
        };
    }
    let name = name(rust);
    let size = size_of_c(&repr.to_string());
    let known: Option<Vec<_>> = values
        .iter()
        .map(|(name, known, _)| Some((name.clone(), *known.as_ref()?)))
        .collect();
    match (known, size, self::known(&repr.to_string())) {
        (Some(known), Some(size), Some(ty)) => {
            let text = known
                .iter()
                .fold(format!("{repr}\0{name}"), |text, (name, value)| {
                    format!("{text}\0{name}\0{value}")
                });
            let Fnv(id) = Fnv::new().bytes(text.as_bytes());
            // Never the position of a basic type, nor a type of another kind.
            let id = id & (BYTES - 1) | BYTES >> 1;
            let mut part = Part::new(&format!("e{id}"));
            part.line(&format!(".Lbtf{id}:"));
            part.die(Die::Enum);
            part.str(&name);
            part.bytes.push(size as u8);
            part.reference(&ty);
            for (name, value) in &known {
                part.die(Die::Enumerator);
                part.str(&name_of(name));
                part.bytes.extend((*value as u64).to_le_bytes());
            }
            part.end();
            let part = part.finish();
            // A function can't contain this assembly, but it can contain a module that does. The
            // assembly needs no names from outside the module.
            let module = Ident::new(&format!("__btf_{id:x}"), Span::call_site());
            Enumeration {
                items: quote! {
                    #[doc(hidden)]
                    mod #module {
                        #part
                    }
                },
                id: quote!(__p::Id::of_enum(#id)),
            }
        }
        _ => {
            let mut part = Part::new("e{0}");
            let number = part.operand(quote!({ <#rust as ::tracepoint::__private::Arg>::BTF.id }));
            let size = part.operand(quote!({ ::core::mem::size_of::<#repr>() }));
            let of = part.operand(quote!({ <#repr as ::tracepoint::__private::Arg>::BTF.id }));
            part.line(&format!(".Lbtf{number}:"));
            part.die(Die::Enum);
            part.str(&name);
            part.line(&format!(".byte {size}"));
            part.reference(&Ty::Label(format!(".Lbtf{of}")));
            for (name, _, value) in values {
                part.die(Die::Enumerator);
                part.str(&name_of(name));
                let value = part.operand(quote!({ (#value) as ::core::primitive::i64 }));
                part.line(&format!(".quad {value}"));
            }
            part.end();
            Enumeration {
                items: part.finish(),
                id: quote!(__p::Id::of_declared(&Self::TYPE)),
            }
        }
    }
}

/// Describes a class: its record, and its tracepoints unless they're the kernel's.
///
/// `size` is that of the record, if the names of the types say it.
pub(crate) fn class(
    class: &Class,
    fields: &[Known<'_>],
    size: Option<usize>,
    origin: Origin,
) -> TokenStream {
    if !ENABLED {
        return TokenStream::new();
    }
    let own = origin == Origin::Own;
    let name = name(&class.name);
    let mut part = Part::new(&format!("c_{name}"));
    part.record(&name, fields, size, origin);
    if own {
        let words = part.words(&class.args);
        for event in &class.events {
            part.tracepoint(&self::name(&event.name), &words);
        }
        if cfg!(CONFIG_BPF_EVENTS) {
            part.function(&format!("__bpf_trace_{name}"), true, &words, &Result::None);
            let prototype = part.labelled(Die::Prototype);
            for ty in [&base("*mut")]
                .into_iter()
                .chain(words.iter().map(|(_, ty)| ty))
            {
                part.die(Die::Type);
                part.reference(ty);
            }
            part.end();
            let pointer = part.pointer(&prototype);
            for event in &class.events {
                part.die(Die::Typedef);
                part.str(&format!("btf_trace_{}", self::name(&event.name)));
                part.reference(&pointer);
            }
        }
    }
    part.finish()
}

impl Part {
    fn record(&mut self, class: &str, fields: &[Known<'_>], size: Option<usize>, origin: Origin) {
        // A name as it's in the record, and its type.
        let mut members: Vec<(String, Ty)> = Vec::new();
        for field in fields {
            let name = name(&field.field.name);
            let of = |size, signed| {
                let default = integer_name(size, signed);
                let c = field.c_name().filter(|c| size_of_c(c) == Some(size));
                c.and_then(known).unwrap_or_else(|| base(default))
            };
            let location = if field.rel {
                "__rel_loc_"
            } else {
                "__data_loc_"
            };
            let (name, ty) = match field.kind {
                Some(Kind::Int { size, signed }) => (name, of(size, signed)),
                Some(Kind::Pointer) => (name, base("*mut")),
                Some(Kind::Chars { len }) => (name, self.array(&base("char"), Length::Known(len))),
                Some(Kind::Array { size, len }) => {
                    let element = of(size, false);
                    (name, self.array(&element, Length::Known(len)))
                }
                Some(kind) if kind.is_dynamic() => (format!("{location}{name}"), base("u32")),
                _ => {
                    let (ty, shape) = (&field.field.ty, field.shape());
                    let id = quote!(::tracepoint::__private::Id::of_field(&#shape));
                    (name, self.identified(ty, id))
                }
            };
            members.push((name, ty));
        }
        self.die(Die::Struct);
        self.str(&format!("{}_raw_{class}", origin.prefix()));
        let layout = |what: TokenStream| {
            let shape = fields.iter().map(Known::shape);
            quote!({ ::tracepoint::__private::Layout::new([#(#shape),*]).#what })
        };
        let last = fields.len().wrapping_sub(1);
        match size {
            Some(size) => self.number(size as u32),
            None => self.computed(layout(quote!(struct_size()))),
        }
        self.die(Die::Member);
        self.str("ent");
        self.reference(&base("trace_entry"));
        self.number(0);
        for (i, (name, ty)) in members.into_iter().enumerate() {
            self.die(Die::Member);
            self.str(&name);
            self.reference(&ty);
            match fields[i].offset {
                Some(offset) => self.number(offset as u32),
                None => self.computed(layout(quote!(start(#i)))),
            }
        }
        self.die(Die::Member);
        self.str("__data");
        self.reference(&base("char[]"));
        match (size, fields.last()) {
            (Some(_), Some(last)) => self.number(last.known_end().unwrap_or_default() as u32),
            (Some(size), None) => self.number(size as u32),
            _ => self.computed(layout(quote!(end(#last)))),
        }
        self.end();
    }
}

/// Expands to code that keeps the compiler from merging the `__bpf_trace_CLASS` of two classes that
/// pass different structs, or to nothing if there's no need to. BPF finds the types of the
/// arguments by the name of the function at that address (`bpf_check_attach_target()`,
/// kernel/bpf/verifier.c).
pub(crate) fn unmerged(class: &Class) -> TokenStream {
    let event = class.events.first().map(|event| &event.name);
    let passes_struct =
        class.args.0.iter().any(|arg| {
            matches!(Passing::of(&arg.ty), Passing::Word) && known_type(&arg.ty).is_none()
        });
    match event {
        Some(event) if ENABLED && passes_struct => {
            let text = Literal::string("/* {} */");
            quote_spanned! {Span::call_site()=>
                // SAFETY: No instruction.
                unsafe {
                    ::core::arch::asm!(
                        #text,
                        const <#event as __p::Tracepoint>::HASH,
                        options(nomem, nostack, preserves_flags),
                    )
                };
            }
        }
        _ => TokenStream::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dwarf::{escaped, Head, ABBREVIATIONS};

    /// Returns the words of a prototype, with `?` for a type that only the compiler knows.
    fn words(args: &str) -> Vec<(String, String)> {
        let event = Ident::new("event", Span::call_site());
        let parse = |input: syn::parse::ParseStream<'_>| Args::parse(input, &event);
        let args = syn::parse::Parser::parse_str(parse, args).unwrap();
        let head = Head::get();
        let name = |at: usize| {
            let found = head.types.iter().find(|(_, other)| *other == at);
            found.unwrap().0.clone()
        };
        let words = Part::new("test").words(&args).into_iter();
        let text = |ty| match ty {
            Ty::At(at) => name(at),
            Ty::Label(_) => "?".to_owned(),
        };
        words.map(|(name, ty)| (name, text(ty))).collect()
    }

    #[test]
    fn types_by_name() {
        let types = |args| {
            words(args)
                .into_iter()
                .map(|(_, ty)| ty)
                .collect::<Vec<_>>()
        };
        assert_eq!(types("a: u8, b: i32, c: usize"), ["u8", "int", "size_t"]);
        assert_eq!(
            types("a: c_ulong, b: &CStr, c: Option<&CStr>"),
            ["long unsigned int", "&CStr", "&CStr"]
        );
        // A raw pointer can point anywhere, so it's no pointer to a struct.
        assert_eq!(
            types("a: *mut Task, b: *const u32, c: *const Task"),
            ["*mut", "*const u32", "*const"]
        );
        assert_eq!(
            types("a: &str, b: &[u16], c: &[u8; 4]"),
            ["*const u8", "size_t", "*const u16", "size_t", "*u8"]
        );
        assert_eq!(
            types("a: &Task, b: Option<&Task>, c: Op, d: &[Op]"),
            ["?", "?", "?", "?", "size_t"]
        );
    }

    #[test]
    fn names_of_words() {
        let names = |args| {
            words(args)
                .into_iter()
                .map(|(name, _)| name)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names("r#type: u32, data: &[u8], len: u8"),
            ["type", "data", "data_len", "len"]
        );
        assert_eq!(
            names("data: &[u8], data_len: u8"),
            ["data", "data_len_", "data_len"]
        );
        assert_eq!(
            names("__data: u8, a: &str, b: &str"),
            ["__data_", "a", "a_len", "b", "b_len"]
        );
    }

    #[test]
    fn names_are_ascii() {
        assert_eq!(name_of("größe"), "gr_f6_dfe");
        assert_eq!(name_of(&"x".repeat(1000)).len(), 255);
    }

    #[test]
    fn every_base_is_described() {
        let head = Head::get();
        for name in &BASES[1..] {
            assert!(head.find(name).is_some(), "{name}");
        }
        for i in 1..POINTERS {
            assert_eq!(BASES[i - 1 + POINTERS], format!("*{}", BASES[i]));
        }
        for (i, (die, ..)) in ABBREVIATIONS.iter().enumerate() {
            assert_eq!(*die as usize, i + 1);
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escaped(b"a\"\\{}\x00\x7f1"),
            "a\\042\\134\\173\\175\\000\\1771"
        );
    }
}
