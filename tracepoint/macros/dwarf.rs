// SPDX-License-Identifier: GPL-2.0

//! The DWARF compile unit of an object. All expansions in the object contribute to it, with
//! assembly that has no instructions or symbols:
//!
//! - the subsection [`HEAD`] has the unit's header and the basic types. Each macro writes them
//!   once; only those of the first expansion are used;
//! - [`BODY`] has what each expansion describes;
//! - [`TAIL`] has the end of the unit.

use crate::{arch, c_types::BASES};
use proc_macro2::TokenStream;
use quote::quote;
use std::{cell::Cell, fmt::Write, sync::OnceLock};

// These come after what the compiler writes to the same sections: other tools of the kernel expect
// the first abbreviations to belong to the first unit.
pub(crate) const HEAD: u32 = 8000;
pub(crate) const BODY: u32 = 8001;
pub(crate) const TAIL: u32 = 8002;

/// The size of the unit's header, which the offsets of the types include.
pub(crate) const HEADER_SIZE: usize = 11;

/// The kinds of DWARF entries, with the numbers of their abbreviations.
#[derive(Clone, Copy)]
pub(crate) enum Die {
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

pub(crate) mod dw {
    pub(crate) const CHILDREN: u8 = 1;
    pub(crate) const ARRAY: u8 = 0x01;
    pub(crate) const ENUMERATION: u8 = 0x04;
    pub(crate) const PARAMETER: u8 = 0x05;
    pub(crate) const MEMBER: u8 = 0x0d;
    pub(crate) const POINTER: u8 = 0x0f;
    pub(crate) const COMPILE_UNIT: u8 = 0x11;
    pub(crate) const STRUCTURE: u8 = 0x13;
    pub(crate) const SUBROUTINE: u8 = 0x15;
    pub(crate) const TYPEDEF: u8 = 0x16;
    pub(crate) const SUBRANGE: u8 = 0x21;
    pub(crate) const BASE: u8 = 0x24;
    pub(crate) const CONST: u8 = 0x26;
    pub(crate) const ENUMERATOR: u8 = 0x28;
    pub(crate) const SUBPROGRAM: u8 = 0x2e;

    pub(crate) const LOCATION: u8 = 0x02;
    pub(crate) const NAME: u8 = 0x03;
    pub(crate) const BYTE_SIZE: u8 = 0x0b;
    pub(crate) const LANGUAGE: u8 = 0x13;
    pub(crate) const CONST_VALUE: u8 = 0x1c;
    pub(crate) const PROTOTYPED: u8 = 0x27;
    pub(crate) const COUNT: u8 = 0x37;
    pub(crate) const MEMBER_LOCATION: u8 = 0x38;
    pub(crate) const DECLARATION: u8 = 0x3c;
    pub(crate) const ENCODING: u8 = 0x3e;
    pub(crate) const EXTERNAL: u8 = 0x3f;
    pub(crate) const TYPE: u8 = 0x49;
    pub(crate) const DESCRIPTION: u8 = 0x5a;

    pub(crate) const DATA2: u8 = 0x05;
    pub(crate) const DATA4: u8 = 0x06;
    pub(crate) const DATA8: u8 = 0x07;
    pub(crate) const STRING: u8 = 0x08;
    pub(crate) const BLOCK1: u8 = 0x0a;
    pub(crate) const DATA1: u8 = 0x0b;
    pub(crate) const REF4: u8 = 0x13;
    pub(crate) const EXPRLOC: u8 = 0x18;
    pub(crate) const PRESENT: u8 = 0x19;

    pub(crate) const LANG_C11: u8 = 0x1d;
    pub(crate) const ATE_BOOLEAN: u8 = 2;
    pub(crate) const ATE_SIGNED: u8 = 5;
    pub(crate) const ATE_SIGNED_CHAR: u8 = 6;
    pub(crate) const ATE_UNSIGNED: u8 = 7;
    pub(crate) const ATE_UNSIGNED_CHAR: u8 = 8;
    pub(crate) const OP_REG0: u8 = 0x50;
}

/// Pairs of an attribute and its form.
pub(crate) type Attributes = &'static [(u8, u8)];

/// The abbreviations: number, tag, whether the entry has children, and attributes.
pub(crate) const ABBREVIATIONS: &[(Die, u8, bool, Attributes)] = &[
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

/// The integers: the name in Rust, the C typedefs that lead to the basic type, and the basic type.
pub(crate) const INTEGERS: [(&str, &[&str], &str); 11] = [
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
pub(crate) const BASIC: [(&str, u8, u8); 12] = [
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
pub(crate) const ALIASES: [(&str, &str); 24] = [
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
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    /// Types by their names: C's of an integer, Rust's of those in [`BASES`].
    pub(crate) types: Vec<(String, usize)>,
}

impl Head {
    pub(crate) fn add(&mut self, name: &str, die: Die, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        let at = HEADER_SIZE + self.bytes.len();
        self.bytes.push(die as u8);
        write(&mut self.bytes);
        if !name.is_empty() {
            self.types.push((name.to_owned(), at));
        }
        at
    }

    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        Some(self.types.iter().find(|(other, _)| other == name)?.1)
    }

    pub(crate) fn new() -> Self {
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

    pub(crate) fn get() -> &'static Self {
        static HEAD: OnceLock<Head> = OnceLock::new();
        HEAD.get_or_init(Self::new)
    }

    /// The assembly with which each expansion starts. Only the first one has an effect.
    pub(crate) fn text() -> &'static str {
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
pub(crate) fn escaped(bytes: &[u8]) -> String {
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
pub(crate) enum Ty {
    /// Where it is, among the types at the start.
    At(usize),
    /// Its label.
    Label(String),
}

pub(crate) fn known(name: &str) -> Option<Ty> {
    Head::get().find(name).map(Ty::At)
}

pub(crate) fn base(name: &str) -> Ty {
    Ty::At(Head::get().find(name).unwrap_or_default())
}

/// Returns the size of an integer by its name, C's or Rust's.
pub(crate) fn size_of_c(name: &str) -> Option<usize> {
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

thread_local! {
    static HEAD_NEEDED: Cell<bool> = const { Cell::new(true) };
}

/// Called when the expansion of a macro starts. One part of each expansion contains the start of
/// the unit, in case no other macro has written it.
pub(crate) fn start() {
    HEAD_NEEDED.set(true);
}

/// What an expansion adds to the unit.
pub(crate) struct Part {
    pub(crate) text: String,
    /// Bytes that have no label in them.
    pub(crate) bytes: Vec<u8>,
    pub(crate) operands: Vec<TokenStream>,
    /// The types that have operands, as text.
    pub(crate) described: Vec<(String, String)>,
    /// A label of its own, which the others start with.
    pub(crate) label: String,
    pub(crate) labels: usize,
}

impl Part {
    /// An object has only one part with the same `label`.
    pub(crate) fn new(label: &str) -> Self {
        let is_first = HEAD_NEEDED.replace(false);
        let head = if is_first { Head::text() } else { "" };
        Self {
            text: format!(
                "{head}\
                 .ifndef .Lbtf_{label}\n\
                 .set .Lbtf_{label},.Lbtf\n\
                 .pushsection .debug_info,{BODY},\"\",@progbits\n"
            ),
            bytes: Vec::new(),
            operands: Vec::new(),
            described: Vec::new(),
            label: label.to_owned(),
            labels: 0,
        }
    }

    pub(crate) fn finish(mut self) -> TokenStream {
        self.flush();
        self.text.push_str(".popsection\n.endif");
        let operands = &self.operands;
        arch::global_asm(&self.text, &quote!(#(const #operands,)*))
    }

    pub(crate) fn flush(&mut self) {
        if !self.bytes.is_empty() {
            let _ = writeln!(self.text, ".ascii \"{}\"", escaped(&self.bytes));
            self.bytes.clear();
        }
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.flush();
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds an operand and returns its place.
    pub(crate) fn operand(&mut self, tokens: TokenStream) -> String {
        self.operands.push(tokens);
        format!("{{{}}}", self.operands.len() - 1)
    }

    pub(crate) fn new_label(&mut self) -> String {
        self.labels += 1;
        format!(".Lbtf_{}.{}", self.label, self.labels)
    }

    pub(crate) fn die(&mut self, die: Die) {
        self.bytes.push(die as u8);
    }

    pub(crate) fn end(&mut self) {
        self.bytes.push(0);
    }

    pub(crate) fn str(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
    }

    pub(crate) fn number(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    /// Adds four bytes that the compiler computes.
    pub(crate) fn computed(&mut self, tokens: TokenStream) {
        let operand = self.operand(tokens);
        self.line(&format!(".long {operand}"));
    }

    pub(crate) fn reference(&mut self, ty: &Ty) {
        match ty {
            Ty::At(at) => self.number(*at as u32),
            Ty::Label(label) => self.line(&format!(".long {label}-.Lbtf")),
        }
    }

    /// Starts a description at a label of its own.
    pub(crate) fn labelled(&mut self, die: Die) -> Ty {
        let label = self.new_label();
        self.line(&format!("{label}:"));
        self.die(die);
        Ty::Label(label)
    }

    pub(crate) fn pointer(&mut self, to: &Ty) -> Ty {
        let ty = self.labelled(Die::Pointer);
        self.reference(to);
        ty
    }

    pub(crate) fn constant(&mut self, of: &Ty) -> Ty {
        let ty = self.labelled(Die::Const);
        self.reference(of);
        ty
    }

    pub(crate) fn array(&mut self, of: &Ty, len: Length) -> Ty {
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
}

pub(crate) enum Length {
    Known(usize),
    Computed(TokenStream),
}
