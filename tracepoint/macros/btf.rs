// SPDX-License-Identifier: GPL-2.0

//! DWARF from which Kbuild makes the BTF of a module.
//!
//! Kbuild's own step (`BTF [M]`) runs pahole on each module. pahole skips what the Rust compiler
//! describes, so the macros describe the tracepoints, the functions and the types that C and BPF can
//! see as if they were written in C. For one object, there's one compile unit. Each expansion adds
//! its part to it, as assembly without any instruction or symbol:
//!
//! - the subsection [`HEAD`] has the unit's header and the basic types, from the first expansion;
//! - [`BODY`] has what an expansion describes;
//! - [`TAIL`] has the end of the unit.
//!
//! Types are labels. The macro itself knows where the basic types are; a label of another type
//! contains a number that the compiler computes: see `tracepoint/btf.rs`.

use crate::{
    args::{Arg, Args, Passing},
    c_types::{BASES, BYTES, BY_NAME, POINTER, POINTERS},
    event::Origin,
    field::Known,
    grammar::{span_of, Class, Tracepoint},
    show::Kind,
    template,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::{fmt::Write, sync::OnceLock};
use syn::{ext::IdentExt, Expr, GenericArgument, Lit, PathArguments, ReturnType, Type};

/// Whether Kbuild makes BTF for modules.
pub(crate) const ENABLED: bool = cfg!(CONFIG_DEBUG_INFO_BTF_MODULES);

// After what the compiler writes to the same sections: the kernel's other tools expect that the first
// abbreviations belong to the first unit.
const HEAD: u32 = 8000;
const BODY: u32 = 8001;
const TAIL: u32 = 8002;

/// The size of the unit's header, which the offsets of the types include.
const HEADER_SIZE: usize = 11;

/// What a description can be made of, as its abbreviations number it.
#[derive(Clone, Copy)]
enum Die {
    Unit = 1,
    Base,
    Pointer,
    VoidPointer,
    ConstVoid,
    Const,
    Typedef,
    DeclaredStruct,
    NamedStruct,
    Struct,
    Member,
    Array,
    Length,
    FlexibleLength,
    Enum,
    Enumerator,
    Prototype,
    Type,
    Function,
    ReturningFunction,
    RegisterArg,
    StackArg,
}

mod dw {
    pub(super) const CHILDREN: u8 = 1;
    pub(super) const ARRAY: u8 = 0x01;
    pub(super) const ENUMERATION: u8 = 0x04;
    pub(super) const PARAMETER: u8 = 0x05;
    pub(super) const MEMBER: u8 = 0x0d;
    pub(super) const POINTER: u8 = 0x0f;
    pub(super) const COMPILE_UNIT: u8 = 0x11;
    pub(super) const STRUCTURE: u8 = 0x13;
    pub(super) const SUBROUTINE: u8 = 0x15;
    pub(super) const TYPEDEF: u8 = 0x16;
    pub(super) const SUBRANGE: u8 = 0x21;
    pub(super) const BASE: u8 = 0x24;
    pub(super) const CONST: u8 = 0x26;
    pub(super) const ENUMERATOR: u8 = 0x28;
    pub(super) const SUBPROGRAM: u8 = 0x2e;

    pub(super) const LOCATION: u8 = 0x02;
    pub(super) const NAME: u8 = 0x03;
    pub(super) const BYTE_SIZE: u8 = 0x0b;
    pub(super) const LANGUAGE: u8 = 0x13;
    pub(super) const CONST_VALUE: u8 = 0x1c;
    pub(super) const PROTOTYPED: u8 = 0x27;
    pub(super) const COUNT: u8 = 0x37;
    pub(super) const MEMBER_LOCATION: u8 = 0x38;
    pub(super) const DECLARATION: u8 = 0x3c;
    pub(super) const ENCODING: u8 = 0x3e;
    pub(super) const EXTERNAL: u8 = 0x3f;
    pub(super) const TYPE: u8 = 0x49;
    pub(super) const DESCRIPTION: u8 = 0x5a;

    pub(super) const DATA2: u8 = 0x05;
    pub(super) const DATA4: u8 = 0x06;
    pub(super) const DATA8: u8 = 0x07;
    pub(super) const STRING: u8 = 0x08;
    pub(super) const BLOCK1: u8 = 0x0a;
    pub(super) const DATA1: u8 = 0x0b;
    pub(super) const REF4: u8 = 0x13;
    pub(super) const EXPRLOC: u8 = 0x18;
    pub(super) const PRESENT: u8 = 0x19;

    pub(super) const LANG_C11: u8 = 0x1d;
    pub(super) const ATE_BOOLEAN: u8 = 2;
    pub(super) const ATE_SIGNED: u8 = 5;
    pub(super) const ATE_SIGNED_CHAR: u8 = 6;
    pub(super) const ATE_UNSIGNED: u8 = 7;
    pub(super) const ATE_UNSIGNED_CHAR: u8 = 8;
    pub(super) const OP_REG0: u8 = 0x50;
}

/// Pairs of an attribute and its form.
type Attributes = &'static [(u8, u8)];

/// The kinds of descriptions: number, tag, whether they have others in them, and attributes.
const ABBREVIATIONS: &[(Die, u8, bool, Attributes)] = &[
    (
        Die::Unit,
        dw::COMPILE_UNIT,
        true,
        &[(dw::LANGUAGE, dw::DATA2), (dw::NAME, dw::STRING)],
    ),
    (
        Die::Base,
        dw::BASE,
        false,
        &[
            (dw::BYTE_SIZE, dw::DATA1),
            (dw::ENCODING, dw::DATA1),
            (dw::NAME, dw::STRING),
        ],
    ),
    (Die::Pointer, dw::POINTER, false, &[(dw::TYPE, dw::REF4)]),
    (Die::VoidPointer, dw::POINTER, false, &[]),
    (Die::ConstVoid, dw::CONST, false, &[]),
    (Die::Const, dw::CONST, false, &[(dw::TYPE, dw::REF4)]),
    (
        Die::Typedef,
        dw::TYPEDEF,
        false,
        &[(dw::NAME, dw::STRING), (dw::TYPE, dw::REF4)],
    ),
    (
        Die::DeclaredStruct,
        dw::STRUCTURE,
        false,
        &[(dw::NAME, dw::STRING), (dw::DECLARATION, dw::PRESENT)],
    ),
    (
        Die::NamedStruct,
        dw::STRUCTURE,
        false,
        &[
            (dw::NAME, dw::STRING),
            (dw::DESCRIPTION, dw::BLOCK1),
            (dw::DECLARATION, dw::PRESENT),
        ],
    ),
    (
        Die::Struct,
        dw::STRUCTURE,
        true,
        &[(dw::NAME, dw::STRING), (dw::BYTE_SIZE, dw::DATA4)],
    ),
    (
        Die::Member,
        dw::MEMBER,
        false,
        &[
            (dw::NAME, dw::STRING),
            (dw::TYPE, dw::REF4),
            (dw::MEMBER_LOCATION, dw::DATA4),
        ],
    ),
    (Die::Array, dw::ARRAY, true, &[(dw::TYPE, dw::REF4)]),
    (Die::Length, dw::SUBRANGE, false, &[(dw::COUNT, dw::DATA4)]),
    (Die::FlexibleLength, dw::SUBRANGE, false, &[]),
    (
        Die::Enum,
        dw::ENUMERATION,
        true,
        &[
            (dw::NAME, dw::STRING),
            (dw::BYTE_SIZE, dw::DATA1),
            (dw::TYPE, dw::REF4),
        ],
    ),
    (
        Die::Enumerator,
        dw::ENUMERATOR,
        false,
        &[(dw::NAME, dw::STRING), (dw::CONST_VALUE, dw::DATA8)],
    ),
    (
        Die::Prototype,
        dw::SUBROUTINE,
        true,
        &[(dw::PROTOTYPED, dw::PRESENT)],
    ),
    (Die::Type, dw::PARAMETER, false, &[(dw::TYPE, dw::REF4)]),
    (
        Die::Function,
        dw::SUBPROGRAM,
        true,
        &[
            (dw::NAME, dw::STRING),
            (dw::EXTERNAL, dw::PRESENT),
            (dw::PROTOTYPED, dw::PRESENT),
        ],
    ),
    (
        Die::ReturningFunction,
        dw::SUBPROGRAM,
        true,
        &[
            (dw::NAME, dw::STRING),
            (dw::TYPE, dw::REF4),
            (dw::EXTERNAL, dw::PRESENT),
            (dw::PROTOTYPED, dw::PRESENT),
        ],
    ),
    (
        Die::RegisterArg,
        dw::PARAMETER,
        false,
        &[
            (dw::NAME, dw::STRING),
            (dw::TYPE, dw::REF4),
            (dw::LOCATION, dw::EXPRLOC),
        ],
    ),
    (
        Die::StackArg,
        dw::PARAMETER,
        false,
        &[(dw::NAME, dw::STRING), (dw::TYPE, dw::REF4)],
    ),
];

/// The registers of the first arguments: rdi, rsi, rdx, rcx, r8, r9. pahole takes an argument that's
/// elsewhere for one that has been optimised.
const REGISTERS: [u8; 6] = [5, 4, 1, 2, 8, 9];

/// The integers: the name in Rust, C's name for it, and what that is: C's names that lead to
/// a basic type.
const INTEGERS: [(&str, &[&str], &str); 11] = [
    ("bool", &["bool"], "_Bool"),
    ("u8", &["u8", "__u8"], "unsigned char"),
    ("u16", &["u16", "__u16"], "short unsigned int"),
    ("u32", &["u32", "__u32"], "unsigned int"),
    ("u64", &["u64", "__u64"], "long long unsigned int"),
    (
        "usize",
        &["size_t", "__kernel_size_t", "__kernel_ulong_t"],
        "long unsigned int",
    ),
    ("i8", &["s8", "__s8"], "signed char"),
    ("i16", &["s16", "__s16"], "short int"),
    ("i32", &[], "int"),
    ("i64", &["s64", "__s64"], "long long int"),
    (
        "isize",
        &["ssize_t", "__kernel_ssize_t", "__kernel_long_t"],
        "long int",
    ),
];

/// The basic types, as the compiler that builds the kernel names them: size and encoding.
const BASIC: [(&str, u8, u8); 12] = [
    ("_Bool", 1, dw::ATE_BOOLEAN),
    ("char", 1, dw::ATE_UNSIGNED_CHAR),
    ("unsigned char", 1, dw::ATE_UNSIGNED_CHAR),
    ("short unsigned int", 2, dw::ATE_UNSIGNED),
    ("unsigned int", 4, dw::ATE_UNSIGNED),
    ("long long unsigned int", 8, dw::ATE_UNSIGNED),
    ("long unsigned int", 8, dw::ATE_UNSIGNED),
    ("signed char", 1, dw::ATE_SIGNED_CHAR),
    ("short int", 2, dw::ATE_SIGNED),
    ("int", 4, dw::ATE_SIGNED),
    ("long long int", 8, dw::ATE_SIGNED),
    ("long int", 8, dw::ATE_SIGNED),
];

/// Other names of the basic types, in Rust and in C.
const ALIASES: [(&str, &str); 24] = [
    ("c_char", "char"),
    ("c_schar", "signed char"),
    ("c_uchar", "unsigned char"),
    ("c_short", "short int"),
    ("c_ushort", "short unsigned int"),
    ("c_int", "int"),
    ("c_uint", "unsigned int"),
    ("c_long", "long int"),
    ("c_ulong", "long unsigned int"),
    ("c_longlong", "long long int"),
    ("c_ulonglong", "long long unsigned int"),
    ("short", "short int"),
    ("unsigned short", "short unsigned int"),
    ("unsigned", "unsigned int"),
    ("long", "long int"),
    ("unsigned long", "long unsigned int"),
    ("long long", "long long int"),
    ("unsigned long long", "long long unsigned int"),
    ("u_int", "unsigned int"),
    ("pid_t", "int"),
    ("loff_t", "long long int"),
    ("gfp_t", "unsigned int"),
    ("dev_t", "unsigned int"),
    ("dma_addr_t", "long long unsigned int"),
];

/// The bytes at the start of the unit, and where the types are in it.
struct Head {
    bytes: Vec<u8>,
    /// Types by their names: C's of an integer, Rust's of those in [`BASES`].
    types: Vec<(String, usize)>,
}

impl Head {
    fn add(&mut self, name: &str, die: Die, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        let at = HEADER_SIZE + self.bytes.len();
        self.bytes.push(die as u8);
        write(&mut self.bytes);
        if !name.is_empty() {
            self.types.push((name.to_owned(), at));
        }
        at
    }

    fn find(&self, name: &str) -> Option<usize> {
        Some(self.types.iter().find(|(other, _)| other == name)?.1)
    }

    fn new() -> Self {
        let mut head = Self {
            bytes: Vec::new(),
            types: Vec::new(),
        };
        let text = |bytes: &mut Vec<u8>, text: &str| {
            bytes.extend(text.as_bytes());
            bytes.push(0);
        };
        let to = |bytes: &mut Vec<u8>, at: usize| bytes.extend((at as u32).to_le_bytes());
        head.add("", Die::Unit, |bytes| {
            bytes.extend([dw::LANG_C11, 0]);
            text(bytes, "tracepoints");
        });
        for (name, size, encoding) in BASIC {
            head.add(name, Die::Base, |bytes| {
                bytes.extend([size, encoding]);
                text(bytes, name);
            });
        }
        for (rust, names, basic) in INTEGERS {
            let mut at = head.find(basic).unwrap_or_default();
            for name in names.iter().rev() {
                at = head.add(name, Die::Typedef, |bytes| {
                    text(bytes, name);
                    to(bytes, at);
                });
            }
            head.types.push((rust.to_owned(), at));
            head.add(&format!("*{rust}"), Die::Pointer, |bytes| to(bytes, at));
            let constant = head.add("", Die::Const, |bytes| to(bytes, at));
            head.add(&format!("*const {rust}"), Die::Pointer, |bytes| {
                to(bytes, constant)
            });
        }
        for (alias, basic) in ALIASES {
            let at = head.find(basic).unwrap_or_default();
            head.types.push((alias.to_owned(), at));
        }
        let char = head.find("char").unwrap_or_default();
        let constant = head.add("", Die::Const, |bytes| to(bytes, char));
        head.add("&CStr", Die::Pointer, |bytes| to(bytes, constant));
        head.add("*mut", Die::VoidPointer, |_| {});
        let constant = head.add("", Die::ConstVoid, |_| {});
        head.add("*const", Die::Pointer, |bytes| to(bytes, constant));
        // `struct trace_entry`, with which each record starts. The library checks it.
        let entry = [
            ("type", "unsigned short", 0),
            ("flags", "unsigned char", 2),
            ("preempt_count", "unsigned char", 3),
            ("pid", "int", 4),
        ];
        let types = entry.map(|(_, ty, _)| head.find(ty).unwrap_or_default());
        head.add("trace_entry", Die::Struct, |bytes| {
            text(bytes, "trace_entry");
            to(bytes, 8);
            for ((name, _, offset), ty) in entry.into_iter().zip(types) {
                bytes.push(Die::Member as u8);
                text(bytes, name);
                to(bytes, ty);
                to(bytes, offset);
            }
            bytes.push(0);
        });
        // `char[]`, with which each record ends.
        head.add("char[]", Die::Array, |bytes| {
            to(bytes, char);
            bytes.extend([Die::FlexibleLength as u8, 0]);
        });
        head
    }

    fn get() -> &'static Self {
        static HEAD: OnceLock<Head> = OnceLock::new();
        HEAD.get_or_init(Self::new)
    }

    /// The assembly with which each expansion starts. Only the first one has an effect.
    fn text() -> &'static str {
        static TEXT: OnceLock<String> = OnceLock::new();
        TEXT.get_or_init(|| {
            let mut abbreviations = Vec::new();
            for (die, tag, children, attributes) in ABBREVIATIONS {
                abbreviations.extend([*die as u8, *tag, dw::CHILDREN * u8::from(*children)]);
                for (attribute, form) in *attributes {
                    abbreviations.extend([*attribute, *form]);
                }
                abbreviations.extend([0, 0]);
            }
            abbreviations.push(0);
            let head = Self::get();
            let mut text = format!(
                ".ifndef .Lbtf\n\
                 .pushsection .debug_abbrev,{HEAD},\"\",@progbits\n\
                 .set .Lbtf_abbrev,.\n\
                 .ascii \"{}\"\n\
                 .popsection\n\
                 .pushsection .debug_info,{HEAD},\"\",@progbits\n\
                 .set .Lbtf,.\n\
                 .long .Lbtf_end-.Lbtf-4\n\
                 .short 4\n\
                 .long .Lbtf_abbrev\n\
                 .byte 8\n\
                 .ascii \"{}\"\n\
                 .popsection\n\
                 .pushsection .debug_info,{TAIL},\"\",@progbits\n\
                 .byte 0\n\
                 .set .Lbtf_end,.\n\
                 .popsection\n",
                escaped(&abbreviations),
                escaped(&head.bytes),
            );
            for (position, name) in BASES.iter().enumerate().skip(1) {
                let at = head.find(name).unwrap_or_default();
                let _ = writeln!(text, ".set .Lbtf{position},.Lbtf+{at}");
            }
            text + ".endif\n"
        })
    }
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

/// A type in the unit.
#[derive(Clone)]
enum Ty {
    /// Where it is, among the types at the start.
    At(usize),
    /// Its label.
    Label(String),
}

fn known(name: &str) -> Option<Ty> {
    Head::get().find(name).map(Ty::At)
}

fn base(name: &str) -> Ty {
    Ty::At(Head::get().find(name).unwrap_or_default())
}

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

/// What an expansion adds to the unit.
struct Part {
    text: String,
    /// Bytes that have no label in them.
    bytes: Vec<u8>,
    operands: Vec<TokenStream>,
    /// The types that have operands, as text.
    described: Vec<(String, String)>,
    /// A label of its own, which the others start with.
    label: String,
    labels: usize,
}

impl Part {
    /// An object has only one part with the same `label`.
    fn new(label: &str) -> Self {
        Self {
            text: format!(
                "{}\
                 .ifndef .Lbtf_{label}\n\
                 .set .Lbtf_{label},.Lbtf\n\
                 .pushsection .debug_info,{BODY},\"\",@progbits\n",
                Head::text()
            ),
            bytes: Vec::new(),
            operands: Vec::new(),
            described: Vec::new(),
            label: label.to_owned(),
            labels: 0,
        }
    }

    fn finish(mut self) -> TokenStream {
        self.flush();
        self.text.push_str(".popsection\n.endif");
        let (text, operands) = (Literal::string(&self.text), &self.operands);
        quote! {
            ::core::arch::global_asm!(#text, #(const #operands,)* options(att_syntax));
        }
    }

    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            let _ = writeln!(self.text, ".ascii \"{}\"", escaped(&self.bytes));
            self.bytes.clear();
        }
    }

    fn line(&mut self, line: &str) {
        self.flush();
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds an operand and returns its place.
    fn operand(&mut self, tokens: TokenStream) -> String {
        self.operands.push(tokens);
        format!("{{{}}}", self.operands.len() - 1)
    }

    fn new_label(&mut self) -> String {
        self.labels += 1;
        format!(".Lbtf_{}.{}", self.label, self.labels)
    }

    fn die(&mut self, die: Die) {
        self.bytes.push(die as u8);
    }

    fn end(&mut self) {
        self.bytes.push(0);
    }

    fn str(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
    }

    fn number(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    /// Adds four bytes that the compiler computes.
    fn computed(&mut self, tokens: TokenStream) {
        let operand = self.operand(tokens);
        self.line(&format!(".long {operand}"));
    }

    fn reference(&mut self, ty: &Ty) {
        match ty {
            Ty::At(at) => self.number(*at as u32),
            Ty::Label(label) => self.line(&format!(".long {label}-.Lbtf")),
        }
    }

    /// Starts a description at a label of its own.
    fn labelled(&mut self, die: Die) -> Ty {
        let label = self.new_label();
        self.line(&format!("{label}:"));
        self.die(die);
        Ty::Label(label)
    }

    fn pointer(&mut self, to: &Ty) -> Ty {
        let ty = self.labelled(Die::Pointer);
        self.reference(to);
        ty
    }

    fn constant(&mut self, of: &Ty) -> Ty {
        let ty = self.labelled(Die::Const);
        self.reference(of);
        ty
    }

    fn array(&mut self, of: &Ty, len: Length) -> Ty {
        let ty = self.labelled(Die::Array);
        self.reference(of);
        self.die(Die::Length);
        match len {
            Length::Known(len) => self.number(len as u32),
            Length::Computed(tokens) => self.computed(tokens),
        }
        self.end();
        ty
    }

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
            let len = match &array.len {
                Expr::Lit(lit) => match &lit.lit {
                    Lit::Int(int) => int.base10_parse().ok().map(Length::Known),
                    _ => None,
                },
                _ => None,
            };
            let len = len.unwrap_or_else(|| {
                let len = &array.len;
                Length::Computed(quote!({ #len }))
            });
            return self.array(&element, len);
        }
        self.identified(
            ty,
            quote_spanned!(span=> <#ty as ::tracepoint::__private::Element>::BTF),
        )
    }

    /// Returns the words of arguments: their names and types.
    fn words(&mut self, args: &Args) -> Vec<(String, Ty)> {
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
        let mut words = Vec::new();
        for (Arg { ty, .. }, name) in args.0.iter().zip(names) {
            let (first, two) = match Passing::of(ty) {
                Passing::Slice(of) => (self.slice(of), true),
                Passing::Str => (base("*const u8"), true),
                Passing::Word => (self.argument(ty), false),
            };
            let len = two.then(|| (unique(format!("{name}_len")), base("usize")));
            words.push((name, first));
            words.extend(len);
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

enum Length {
    Known(usize),
    Computed(TokenStream),
}

/// Returns the name of an integer type that has it in Rust.
fn integer(ty: &Type) -> Option<String> {
    let (name, None) = template::name_of(ty)? else {
        return None;
    };
    (1..POINTERS).any(|i| BASES[i] == name).then_some(name)
}

/// Returns a type whose name says what it is. What such a name stands for can be another type only
/// if it's no pointer to a struct, which alone BPF trusts.
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
            let id = known.iter().fold(
                hash(&name, hash(&repr.to_string(), FNV_BASIS)),
                |id, (name, value)| hash(&value.to_string(), hash(name, id)),
            );
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
            // A module can also be in a function, assembly can't. It needs no name from outside.
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

const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// The FNV-1a hash of a text, and of a separator.
fn hash(text: &str, basis: u64) -> u64 {
    text.bytes().chain([0]).fold(basis, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
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
    part.record(&name, fields, size, own);
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

/// Returns the name of a number by what it is.
fn number(size: usize, signed: bool) -> &'static str {
    match (size, signed) {
        (1, false) => "u8",
        (2, false) => "u16",
        (4, false) => "u32",
        (8, false) => "u64",
        (1, true) => "i8",
        (2, true) => "i16",
        (4, true) => "i32",
        _ => "i64",
    }
}

impl Part {
    fn record(&mut self, class: &str, fields: &[Known<'_>], size: Option<usize>, own: bool) {
        // A name as it's in the record, and its type.
        let mut members: Vec<(String, Ty)> = Vec::new();
        for field in fields {
            let name = name(&field.field.name);
            let of = |size, signed| {
                let default = number(size, signed);
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
        let prefix = if own {
            "trace_event"
        } else {
            "trace_custom_event"
        };
        self.str(&format!("{prefix}_raw_{class}"));
        let layout = |what: TokenStream| {
            let shape = fields.iter().map(Known::shape);
            quote!({
                use ::tracepoint::__private::Layout;
                Layout::new([#(#shape),*]).#what
            })
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

/// Returns the size of an integer by its name, C's or Rust's.
fn size_of_c(name: &str) -> Option<usize> {
    let name = INTEGERS
        .iter()
        .find(|(rust, ..)| *rust == name)
        .map_or(name, |(.., basic)| basic);
    let basic = ALIASES
        .iter()
        .find(|(alias, _)| *alias == name)
        .map_or(name, |(_, basic)| basic);
    let basic = INTEGERS
        .iter()
        .find(|(_, names, _)| names.contains(&basic))
        .map_or(basic, |(.., basic)| basic);
    Some(BASIC.iter().find(|(name, ..)| *name == basic)?.1.into())
}

/// Returns what keeps the compiler from merging a class's `__bpf_trace_CLASS` with another's that
/// passes other structs, or nothing. BPF finds the types of the arguments by the name of the function
/// at that address (`bpf_check_attach_target()`, kernel/bpf/verifier.c).
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
                        options(att_syntax, nomem, nostack, preserves_flags),
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
