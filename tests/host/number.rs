// SPDX-License-Identifier: GPL-2.0

//! Computed numbers: the tools' text has the value that Rust's operators have.
//!
//! Random expressions are evaluated by libtraceevent, from the `print fmt`, and here.

#![allow(dead_code)]

#[path = "../../tracepoint/base"]
mod base {
    pub mod text;

    pub mod event {
        pub mod errno;
        pub mod shape;
        pub mod show;
        pub mod spec;
        pub mod symbols;
        pub mod template;

        pub mod values {
            pub mod number;
        }
    }
}

mod libtraceevent;
mod random;

use base::event::{
    shape::Shape,
    show::{Kind, Show},
    values::number::{Type, Value},
};
use base::text::Text;
use libtraceevent::{Tools, FIELDS};
use random::Random;
use std::{
    collections::HashMap,
    ffi::{c_char, c_int, c_void, CStr, CString},
};

const fn int(bits: u32, signed: bool) -> Type {
    Type { bits, signed }
}

const TYPES: [Type; 8] = [
    int(8, false),
    int(8, true),
    int(16, false),
    int(16, true),
    int(32, false),
    int(32, true),
    int(64, false),
    int(64, true),
];

const BOOL: Type = int(1, false);

const SIZE: usize = 96;

/// The longest expression, in operands.
const WEIGHT_MAX: usize = 100;

fn size(ty: Type) -> usize {
    ty.bits.div_ceil(8) as usize
}

fn kind(ty: Type) -> Kind {
    Kind::Int {
        size: size(ty),
        signed: ty.signed,
    }
}

/// A part of an expression. The others that it refers to come before it.
#[derive(Clone, Copy, Debug)]
enum Node {
    Constant(i128),
    Bool(bool),
    /// A field.
    Field(usize, Type),
    /// An element of an array with so many.
    Item(&'static str, usize, usize, Type),
    /// How many elements of a size there are, and whether the location is relative.
    Len(&'static str, usize, bool),
    Neg(usize),
    Not(usize),
    Binary(&'static str, usize, usize),
    Cast(Type, usize),
    If(usize, usize, usize),
}

/// A number, as C has it.
fn value(nodes: &[Node], node: usize) -> Value {
    let of = |node| value(nodes, node);
    match nodes[node] {
        Node::Constant(n) => Value::constant(n),
        Node::Bool(is) => Value::boolean(is),
        Node::Field(n, ty) => {
            let name = if ty == BOOL { "bool" } else { "" };
            let shape = Shape::new(name, kind(ty), "");
            Value::field(FIELDS[n].0, shape)
        }
        Node::Item(name, index, len, ty) => {
            let array = kind(ty).elements(Some(len));
            Value::item(name, Shape::new("", array, ""), index)
        }
        Node::Len(name, size, rel) => {
            let signed = false;
            let shape = Shape {
                rel,
                ..Shape::new("", Kind::DynArray { size, signed }, "")
            };
            Value::len(name, shape)
        }
        Node::Neg(a) => of(a).neg(),
        Node::Not(a) => of(a).not(),
        Node::Binary(op, a, b) => of(a).binary(op, of(b)),
        Node::Cast(ty, a) => of(a).cast(ty),
        Node::If(condition, a, b) => Value::choice(of(condition), of(a), of(b)),
    }
}

/// Returns about how many operands the text has.
fn weight(nodes: &[Node], node: usize) -> usize {
    let of = |node| weight(nodes, node);
    match nodes[node] {
        Node::Neg(a) | Node::Not(a) | Node::Cast(_, a) => of(a),
        Node::If(a, b, c) => of(a) + of(b) + of(c),
        Node::Binary("^" | ">>", a, b) => 2 * (of(a) + of(b)),
        Node::Binary("/" | "%", a, b) => 3 * (of(a) + of(b)),
        Node::Binary(_, a, b) => of(a) + of(b),
        _ => 1,
    }
}

fn wrap(value: i128, ty: Type) -> i128 {
    let bits = 8 * size(ty);
    let value = value & ((1 << bits) - 1);
    if ty.signed && value >> (bits - 1) != 0 {
        value - (1 << bits)
    } else {
        value
    }
}

/// A random expression.
struct Expression {
    nodes: Vec<Node>,
}

impl Expression {
    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn leaf(&mut self, random: &mut Random, ty: Type) -> usize {
        if ty == BOOL {
            return self.add(match random.below(4) {
                0 => Node::Bool(random.below(2) == 1),
                _ => Node::Field(8, ty),
            });
        }
        let n = TYPES.iter().position(|other| *other == ty).unwrap();
        match (random.below(5), n) {
            (0, _) => {
                let constant = self.add(Node::Constant(random.value(ty)));
                self.add(Node::Cast(ty, constant))
            }
            (1, 2) => self.add(Node::Item("j", 3, 4, ty)),
            (1, 5) => self.add(Node::Item("k", 1, 3, ty)),
            (1, 6) => self.add(Node::Len("l", 4, false)),
            (2, 6) => self.add(Node::Len("m", 2, true)),
            _ => self.add(Node::Field(n, ty)),
        }
    }

    /// An operand, or a constant that adapts to the other one.
    fn other(&mut self, random: &mut Random, ty: Type, depth: usize) -> usize {
        if ty != BOOL && random.below(3) == 0 {
            let a = self.add(Node::Constant(random.value(ty)));
            if random.below(4) > 0 {
                return a;
            }
            let condition = self.number(random, BOOL, 0);
            let b = self.add(Node::Constant(random.value(ty)));
            return self.add(Node::If(condition, a, b));
        }
        self.number(random, ty, depth)
    }

    fn number(&mut self, random: &mut Random, ty: Type, depth: usize) -> usize {
        if depth == 0 {
            return self.leaf(random, ty);
        }
        let depth = depth - 1;
        if ty == BOOL {
            return match random.below(6) {
                0 => {
                    let of = self.number(random, ty, depth);
                    self.add(Node::Not(of))
                }
                1 => {
                    let a = self.number(random, ty, depth);
                    let b = self.number(random, ty, depth);
                    let op = ["&&", "||", "&", "|", "^", "!="][random.below(6)];
                    self.add(Node::Binary(op, a, b))
                }
                _ => {
                    let of = TYPES[random.below(8)];
                    let a = self.number(random, of, depth);
                    let b = self.other(random, of, depth);
                    let op = ["==", "!=", "<", ">", "<=", ">="][random.below(6)];
                    let (a, b) = if random.below(4) == 0 { (b, a) } else { (a, b) };
                    self.add(Node::Binary(op, a, b))
                }
            };
        }
        match random.below(16) {
            0 if ty.signed => {
                let of = self.number(random, ty, depth);
                self.add(Node::Neg(of))
            }
            1 => {
                let of = self.number(random, ty, depth);
                self.add(Node::Not(of))
            }
            2 | 3 | 4 => {
                let from = if random.below(6) == 0 {
                    BOOL
                } else {
                    TYPES[random.below(8)]
                };
                let of = self.number(random, from, depth);
                self.add(Node::Cast(ty, of))
            }
            5 => {
                let condition = self.number(random, BOOL, depth);
                let a = self.number(random, ty, depth);
                let b = self.other(random, ty, depth);
                self.add(Node::If(condition, a, b))
            }
            6 | 7 => {
                let a = self.number(random, ty, depth);
                let b = if random.below(2) == 0 {
                    let n = random.below(8 * size(ty)) as i128;
                    self.add(Node::Constant(n))
                } else {
                    let of = TYPES[random.below(8)];
                    self.number(random, of, depth)
                };
                self.add(Node::Binary(["<<", ">>"][random.below(2)], a, b))
            }
            8 | 9 => {
                let a = self.number(random, ty, depth);
                let n = random.value(ty);
                let b = self.add(Node::Constant(if n == 0 { 7 } else { n }));
                self.add(Node::Binary(["/", "%"][random.below(2)], a, b))
            }
            _ => {
                let a = self.number(random, ty, depth);
                let b = self.other(random, ty, depth);
                let op = ["+", "-", "*", "&", "|", "^"][random.below(6)];
                let (a, b) = if random.below(4) == 0 { (b, a) } else { (a, b) };
                self.add(Node::Binary(op, a, b))
            }
        }
    }
}

/// Where an array is in the record.
fn offset_of(name: &str) -> usize {
    let arrays = [("j", 42), ("k", 52), ("l", 64), ("m", 68)];
    arrays.iter().find(|array| array.0 == name).unwrap().1
}

/// Evaluates a part as Rust would, with wrapping operators. Returns the value and its type, which a
/// constant doesn't have.
fn evaluate(nodes: &[Node], node: usize, record: &[u8]) -> (i128, Option<Type>) {
    let of = |node| evaluate(nodes, node, record);
    let read = |offset: usize, size: usize| {
        let mut bytes = [0; 16];
        bytes[..size].copy_from_slice(&record[offset..offset + size]);
        i128::from_le_bytes(bytes)
    };
    match nodes[node] {
        Node::Constant(n) => (n, None),
        Node::Bool(is) => (is.into(), Some(BOOL)),
        Node::Field(n, ty) => (wrap(read(FIELDS[n].2, size(ty)), ty), Some(ty)),
        Node::Item(name, index, _, ty) => {
            let at = offset_of(name) + index * size(ty);
            (wrap(read(at, size(ty)), ty), Some(ty))
        }
        Node::Len(name, size, _) => (
            (read(offset_of(name), 4) >> 16) / size as i128,
            Some(TYPES[6]),
        ),
        Node::Neg(a) => {
            let (n, ty) = of(a);
            (ty.map_or(-n, |ty| wrap(-n, ty)), ty)
        }
        Node::Not(a) => match of(a) {
            (n, Some(BOOL)) => ((n == 0).into(), Some(BOOL)),
            (n, ty) => (ty.map_or(!n, |ty| wrap(!n, ty)), ty),
        },
        Node::Cast(ty, a) => (wrap(of(a).0, ty), Some(ty)),
        Node::If(condition, a, b) => {
            let (a, b) = (of(a), of(b));
            (if of(condition).0 != 0 { a.0 } else { b.0 }, a.1.or(b.1))
        }
        Node::Binary(op, a, b) => {
            let ((a, left), (b, right)) = (of(a), of(b));
            let ty = left.or(right);
            let shift = || b as u32 & (8 * size(left.unwrap()) as u32 - 1);
            let n = match op {
                "==" => return ((a == b).into(), Some(BOOL)),
                "!=" => return ((a != b).into(), Some(BOOL)),
                "<" => return ((a < b).into(), Some(BOOL)),
                ">" => return ((a > b).into(), Some(BOOL)),
                "<=" => return ((a <= b).into(), Some(BOOL)),
                ">=" => return ((a >= b).into(), Some(BOOL)),
                "&&" => return ((a != 0 && b != 0).into(), Some(BOOL)),
                "||" => return ((a != 0 || b != 0).into(), Some(BOOL)),
                "+" => a + b,
                "-" => a - b,
                "*" => a.wrapping_mul(b),
                "/" => a / b,
                "%" => a % b,
                "&" => a & b,
                "|" => a | b,
                "^" => a ^ b,
                "<<" => a << shift(),
                ">>" => a >> shift(),
                _ => unreachable!(),
            };
            (ty.map_or(n, |ty| wrap(n, ty)), ty)
        }
    }
}

/// The text of a number in the `print fmt`.
fn c_text(nodes: &[Node], exact: bool) -> String {
    let value = value(nodes, nodes.len() - 1).whole(exact);
    value.text().to_owned()
}

/// Checks an expression with some records.
fn agree(tools: &Tools, nodes: &[Node], records: &[[u8; SIZE]]) {
    let (_, ty) = evaluate(nodes, nodes.len() - 1, &records[0]);
    let ty = ty.unwrap_or(TYPES[5]);
    let kind = kind(ty);
    let show = Show::new(kind, false, "").unwrap();
    let format = show.format(Text::<64>::new());
    let (text, exact) = (c_text(nodes, false), c_text(nodes, true));
    // The exact text is what a table and a condition need.
    let print_fmt = format!("\"{} %llu\", {text}, {exact}", format.as_str());
    let shown = tools.show(&print_fmt, records);
    for (record, shown) in records.iter().zip(shown) {
        let (value, _) = evaluate(nodes, nodes.len() - 1, record);
        let value = wrap(value, ty);
        let bits = value & ((1 << (8 * size(ty))) - 1);
        assert_eq!(
            shown,
            format!("{value} {bits}"),
            "{print_fmt}\n{nodes:?}\n{record:?}"
        );
    }
}

#[test]
fn random_expressions() {
    let tools = Tools::new();
    let seed = std::env::var("SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or(0x9e37_79b9_7f4a_7c15));
    let mut checked = 0;
    let rounds = std::env::var("ROUNDS")
        .ok()
        .and_then(|rounds| rounds.parse().ok());
    while checked < 1000 * rounds.unwrap_or(2) {
        let mut expression = Expression { nodes: Vec::new() };
        let ty = if random.below(6) == 0 {
            BOOL
        } else {
            TYPES[random.below(8)]
        };
        let depth = 1 + random.below(4);
        expression.number(&mut random, ty, depth);
        let nodes = &expression.nodes;
        if weight(nodes, nodes.len() - 1) > WEIGHT_MAX {
            continue;
        }
        let records = [(); 6].map(|()| random.record());
        agree(&tools, nodes, &records);
        checked += 1;
    }
}

/// Each operator with each pair of values at the boundaries, for 8 bits, where C promotes.
#[test]
fn all_operators() {
    let tools = Tools::new();
    for (n, ty) in TYPES.iter().enumerate() {
        let mut records = Vec::new();
        for value in [
            0i128,
            1,
            2,
            127,
            -128,
            -127,
            -1,
            0x7fff,
            -0x8000,
            i32::MAX.into(),
            i32::MIN.into(),
            i64::MAX.into(),
            i64::MIN.into(),
        ] {
            let mut record = Random(1).record();
            let at = FIELDS[n].2;
            record[at..at + size(*ty)].copy_from_slice(&value.to_le_bytes()[..size(*ty)]);
            records.push(record);
        }
        for op in [
            "*", "/", "%", "+", "-", "<<", ">>", "&", "^", "|", "==", "!=", "<", ">", "<=", ">=",
        ] {
            for constant in [1, 2, 3, 7, -1, -2, -128, 127] {
                let constant = wrap(constant, *ty);
                if matches!(op, "<<" | ">>") && !(0..8).contains(&constant) {
                    continue;
                }
                let nodes = [
                    Node::Field(n, *ty),
                    Node::Constant(constant),
                    Node::Binary(op, 0, 1),
                ];
                agree(&tools, &nodes, &records);
            }
        }
    }
}

/// Constants take the type of what they're combined with. Without any, they're an `i32`.
#[test]
fn types_of_constants() {
    let tools = Tools::new();
    let [mut no, mut yes] = [Random(1).record(); 2];
    (no[FIELDS[8].2], yes[FIELDS[8].2]) = (0, 1);
    let choice = |a, b| {
        [
            Node::Field(8, BOOL),
            Node::Constant(a),
            Node::Constant(b),
            Node::If(0, 1, 2),
        ]
    };
    agree(&tools, &choice(-1, i32::MAX.into()), &[no, yes]);
    for ty in TYPES {
        let cast = [&choice(-1, 300)[..], &[Node::Cast(ty, 3)]].concat();
        agree(&tools, &cast, &[no, yes]);
    }
    for (n, ty) in TYPES.iter().enumerate() {
        let (low, high) = match ty.signed {
            true => (-(1i128 << (ty.bits - 1)), (1 << (ty.bits - 1)) - 1),
            false => (0, (1 << ty.bits) - 1),
        };
        let sum = |a, b| {
            let more = [Node::Field(n, *ty), Node::Binary("+", 3, 4)];
            [&choice(a, b)[..], &more].concat()
        };
        agree(&tools, &sum(low, high), &[no, yes]);
        for (a, b) in [(low - 1, high), (low, high + 1), (high + 1, 0)] {
            let nodes = sum(a, b);
            assert!(std::panic::catch_unwind(|| c_text(&nodes, false)).is_err());
        }
    }
}

#[test]
#[should_panic(expected = "a division by zero")]
fn division_by_zero() {
    let e = Node::Field(4, TYPES[4]);
    c_text(&[e, Node::Constant(0), Node::Binary("%", 0, 1)], false);
}

#[test]
#[should_panic(expected = "a divisor must be a constant")]
fn division_by_a_field() {
    let e = Node::Field(4, TYPES[4]);
    c_text(&[e, e, Node::Binary("/", 0, 1)], false);
}

#[test]
#[should_panic(expected = "the shift amount is too large")]
fn large_shift() {
    let a = Node::Field(0, TYPES[0]);
    c_text(&[a, Node::Constant(8), Node::Binary("<<", 0, 1)], false);
}

#[test]
#[should_panic(expected = "doesn't have that many elements")]
fn large_index() {
    c_text(&[Node::Item("j", 4, 4, TYPES[2])], false);
}

#[test]
#[should_panic(expected = "a pointer is a number only after `as usize`")]
fn pointer() {
    let shape = Shape::new("", Kind::Pointer, "");
    let pointer = Value::field("p", shape);
    assert_eq!(pointer.cast(TYPES[6]).text(), "(u64)REC->p");
    pointer.whole(false);
}

#[test]
#[should_panic(expected = "the expression is too long")]
fn long_expression() {
    let mut nodes = vec![Node::Field(4, TYPES[4])];
    while nodes.len() < 10 {
        nodes.push(Node::Binary("^", nodes.len() - 1, nodes.len() - 1));
    }
    c_text(&nodes, false);
}

/// What is written most often looks as in C.
#[test]
fn texts() {
    let (b, e, f, g) = (
        Node::Field(1, TYPES[1]),
        Node::Field(4, TYPES[4]),
        Node::Field(5, TYPES[5]),
        Node::Field(6, TYPES[6]),
    );
    let text = |nodes: &[Node]| c_text(nodes, false);
    let binary = |a, op, b| text(&[a, b, Node::Binary(op, 0, 1)]);
    assert_eq!(binary(e, ">>", Node::Constant(20)), "REC->e >> 20");
    assert_eq!(binary(e, "&", Node::Constant(0xfffff)), "REC->e & 0xfffff");
    assert_eq!(binary(g, "/", Node::Constant(1000)), "REC->g / 1000");
    assert_eq!(binary(f, "==", Node::Constant(-1)), "REC->f == 0xffffffff");
    // C would extend the sign of a short number.
    assert_eq!(binary(b, "==", Node::Constant(-1)), "(u8)REC->b == 255");
    assert_eq!(
        binary(f, "<", Node::Constant(0)),
        "(u32)(REC->f + 0x80000000) < 0x80000000"
    );
    assert_eq!(text(&[e, Node::Cast(TYPES[6], 0)]), "(u64)REC->e");
    // Tools would multiply first.
    let sum = [g, g, g, Node::Binary("+", 0, 1), Node::Binary("*", 2, 3)];
    assert_eq!(text(&sum), "REC->g * (u64)(REC->g + REC->g)");
    let literal = |n| binary(g, "/", Node::Constant(n));
    assert_eq!(literal(9_999), "REC->g / 9999");
    assert_eq!(literal(10_000), "REC->g / 10000");
    assert_eq!(literal(12_345), "REC->g / 0x3039");
    assert_eq!(literal(1_000_000_000_000), "REC->g / 1000000000000");
    assert_eq!(literal(1_000_000_001_000), "REC->g / 0xe8d4a513e8");
    // As an operand, it hasn't more bits than its type.
    let sum = [e, e, Node::Binary("+", 0, 1)];
    assert_eq!(c_text(&sum, true), "(u32)(REC->e + REC->e)");
}
