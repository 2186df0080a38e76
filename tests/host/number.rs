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
    show::{self, Kind, Show},
    values::number::{self, argument, check, Node, Op, Operand, Problem, Type},
};
use base::text::Text;
use libtraceevent::{Tools, FIELDS};
use random::Random;
use std::{
    collections::HashMap,
    ffi::{c_char, c_int, c_void, CStr, CString},
};

const TYPES: [Type; 8] = [
    Type::int(1, false),
    Type::int(1, true),
    Type::int(2, false),
    Type::int(2, true),
    Type::int(4, false),
    Type::int(4, true),
    Type::int(8, false),
    Type::int(8, true),
];

const SIZE: usize = 96;

fn size(ty: Type) -> usize {
    ty.kind().number_size()
}

fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Int { signed: true, .. })
}

fn wrap(value: i128, ty: Type) -> i128 {
    let bits = 8 * size(ty);
    let value = value & ((1 << bits) - 1);
    if is_signed(ty) && value >> (bits - 1) != 0 {
        value - (1 << bits)
    } else {
        value
    }
}

/// A random expression.
struct Expression {
    nodes: Vec<Node<'static>>,
}

impl Expression {
    fn add(&mut self, node: Node<'static>) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn leaf(&mut self, random: &mut Random, ty: Type) -> usize {
        if ty == Type::Bool {
            return self.add(match random.below(4) {
                0 => Node::Bool(random.below(2) == 1),
                _ => field(8, ty),
            });
        }
        let n = TYPES.iter().position(|other| *other == ty).unwrap();
        match (random.below(5), n) {
            (0, _) => {
                let constant = self.add(Node::Constant(random.value(ty)));
                self.add(Node::Cast(ty, constant))
            }
            (1, 2) => self.add(operand(
                "j",
                Kind::Array { size: 2, len: 4 },
                false,
                Operand::Item(3),
            )),
            (1, 5) => self.add(operand(
                "k",
                Kind::Array { size: 4, len: 3 },
                true,
                Operand::Item(1),
            )),
            (1, 6) => self.add(Node::Len {
                name: "l",
                size: 4,
                rel: false,
            }),
            (2, 6) => self.add(Node::Len {
                name: "m",
                size: 2,
                rel: true,
            }),
            _ => self.add(field(n, ty)),
        }
    }

    /// An operand, or a constant that adapts to the other one.
    fn other(&mut self, random: &mut Random, ty: Type, depth: usize) -> usize {
        if ty != Type::Bool && random.below(3) == 0 {
            return self.add(Node::Constant(random.value(ty)));
        }
        self.number(random, ty, depth)
    }

    fn number(&mut self, random: &mut Random, ty: Type, depth: usize) -> usize {
        if depth == 0 {
            return self.leaf(random, ty);
        }
        let depth = depth - 1;
        if ty == Type::Bool {
            return match random.below(6) {
                0 => {
                    let of = self.number(random, ty, depth);
                    self.add(Node::Not(of))
                }
                1 => {
                    let a = self.number(random, ty, depth);
                    let b = self.number(random, ty, depth);
                    let op =
                        [Op::AndAnd, Op::OrOr, Op::And, Op::Or, Op::Xor, Op::Ne][random.below(6)];
                    self.add(Node::Binary(op, a, b))
                }
                _ => {
                    let of = TYPES[random.below(8)];
                    let a = self.number(random, of, depth);
                    let b = self.other(random, of, depth);
                    let op = [Op::Eq, Op::Ne, Op::Lt, Op::Gt, Op::Le, Op::Ge][random.below(6)];
                    let (a, b) = if random.below(4) == 0 { (b, a) } else { (a, b) };
                    self.add(Node::Binary(op, a, b))
                }
            };
        }
        match random.below(16) {
            0 if is_signed(ty) => {
                let of = self.number(random, ty, depth);
                self.add(Node::Neg(of))
            }
            1 => {
                let of = self.number(random, ty, depth);
                self.add(Node::Not(of))
            }
            2 | 3 | 4 => {
                let from = if random.below(6) == 0 {
                    Type::Bool
                } else {
                    TYPES[random.below(8)]
                };
                let of = self.number(random, from, depth);
                self.add(Node::Cast(ty, of))
            }
            5 => {
                let condition = self.number(random, Type::Bool, depth);
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
                self.add(Node::Binary([Op::Shl, Op::Shr][random.below(2)], a, b))
            }
            8 | 9 => {
                let a = self.number(random, ty, depth);
                let n = random.value(ty);
                let b = self.add(Node::Constant(if n == 0 { 7 } else { n }));
                self.add(Node::Binary([Op::Div, Op::Rem][random.below(2)], a, b))
            }
            _ => {
                let a = self.number(random, ty, depth);
                let b = self.other(random, ty, depth);
                let op = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor][random.below(6)];
                let (a, b) = if random.below(4) == 0 { (b, a) } else { (a, b) };
                self.add(Node::Binary(op, a, b))
            }
        }
    }
}

fn field(n: usize, ty: Type) -> Node<'static> {
    let (name, _, _) = FIELDS[n];
    Node::Load {
        name,
        index: None,
        ty,
    }
}

/// An operand of a field with such elements.
fn operand(name: &'static str, kind: Kind, signed: bool, what: Operand) -> Node<'static> {
    Node::operand(name, &Shape::of_template("", kind, signed, false), what).unwrap()
}

/// Where a field is in the record.
fn offset_of(name: &str) -> usize {
    let arrays = [("j", 42), ("k", 52), ("l", 64), ("m", 68)];
    let mut fields = FIELDS.iter().map(|&(name, _, at)| (name, at)).chain(arrays);
    fields.find(|field| field.0 == name).unwrap().1
}

/// Evaluates a part as Rust would, with wrapping operators. Returns the value and its type, which a
/// constant doesn't have.
fn evaluate(nodes: &[Node<'_>], node: usize, record: &[u8]) -> (i128, Option<Type>) {
    let of = |node| evaluate(nodes, node, record);
    let read = |offset: usize, size: usize| {
        let mut bytes = [0; 16];
        bytes[..size].copy_from_slice(&record[offset..offset + size]);
        i128::from_le_bytes(bytes)
    };
    match nodes[node] {
        Node::Constant(n) => (n, None),
        Node::Bool(is) => (is.into(), Some(Type::Bool)),
        Node::Load { name, index, ty } => {
            let at = offset_of(name) + index.unwrap_or(0) * size(ty);
            (wrap(read(at, size(ty)), ty), Some(ty))
        }
        Node::Len { name, size, .. } => (
            (read(offset_of(name), 4) >> 16) / size as i128,
            Some(Type::int(8, false)),
        ),
        Node::Neg(a) => {
            let (n, ty) = of(a);
            (ty.map_or(-n, |ty| wrap(-n, ty)), ty)
        }
        Node::Not(a) => match of(a) {
            (n, Some(Type::Bool)) => ((n == 0).into(), Some(Type::Bool)),
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
                Op::Eq => return ((a == b).into(), Some(Type::Bool)),
                Op::Ne => return ((a != b).into(), Some(Type::Bool)),
                Op::Lt => return ((a < b).into(), Some(Type::Bool)),
                Op::Gt => return ((a > b).into(), Some(Type::Bool)),
                Op::Le => return ((a <= b).into(), Some(Type::Bool)),
                Op::Ge => return ((a >= b).into(), Some(Type::Bool)),
                Op::AndAnd => return ((a != 0 && b != 0).into(), Some(Type::Bool)),
                Op::OrOr => return ((a != 0 || b != 0).into(), Some(Type::Bool)),
                Op::Add => a + b,
                Op::Sub => a - b,
                Op::Mul => a.wrapping_mul(b),
                Op::Div => a / b,
                Op::Rem => a % b,
                Op::And => a & b,
                Op::Or => a | b,
                Op::Xor => a ^ b,
                Op::Shl => a << shift(),
                Op::Shr => a >> shift(),
            };
            (ty.map_or(n, |ty| wrap(n, ty)), ty)
        }
    }
}

/// The text of a number in the `print fmt`.
fn c_text(nodes: &[Node<'_>], exact: bool) -> String {
    argument(Text::<4096>::new(), nodes, exact)
        .as_str()
        .to_owned()
}

/// Checks an expression with some records.
fn agree(tools: &Tools, nodes: &[Node<'_>], records: &[[u8; SIZE]]) {
    let ty =
        check(nodes).unwrap_or_else(|error| panic!("{}: {nodes:?}", error.problem.text().as_str()));
    let kind = ty.kind();
    let show = Show::new(kind, false, "").unwrap();
    let format = show::format(Text::<64>::new(), &kind, &show);
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
            Type::Bool
        } else {
            TYPES[random.below(8)]
        };
        let depth = 1 + random.below(4);
        expression.number(&mut random, ty, depth);
        let nodes = &expression.nodes;
        if let Err(error) = check(nodes) {
            assert!(matches!(error.problem, Problem::TooLong));
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
            Op::Mul,
            Op::Div,
            Op::Rem,
            Op::Add,
            Op::Sub,
            Op::Shl,
            Op::Shr,
            Op::And,
            Op::Xor,
            Op::Or,
            Op::Eq,
            Op::Ne,
            Op::Lt,
            Op::Gt,
            Op::Le,
            Op::Ge,
        ] {
            for constant in [1, 2, 3, 7, -1, -2, -128, 127] {
                let constant = wrap(constant, *ty);
                if matches!(op, Op::Shl | Op::Shr) && !(0..8).contains(&constant) {
                    continue;
                }
                let nodes = [
                    field(n, *ty),
                    Node::Constant(constant),
                    Node::Binary(op, 0, 1),
                ];
                agree(&tools, &nodes, &records);
            }
        }
    }
}

fn problem(nodes: &[Node<'_>]) -> String {
    check(nodes)
        .err()
        .unwrap()
        .problem
        .text()
        .as_str()
        .to_owned()
}

#[test]
fn problems() {
    let (a, e, f, h) = (
        field(0, TYPES[0]),
        field(4, TYPES[4]),
        field(5, TYPES[5]),
        field(7, TYPES[7]),
    );
    let i = field(8, Type::Bool);
    let binary = |op, a, b| problem(&[a, b, Node::Binary(op, 0, 1)]);
    assert_eq!(
        binary(Op::Add, a, h),
        "`u8` and `i64` are different types: write `as i64`"
    );
    assert_eq!(
        binary(Op::Lt, e, f),
        "`u32` and `i32` are different types: write `as u32`"
    );
    assert_eq!(
        binary(Op::Div, e, e),
        "a divisor must be a constant: compute this in a field's expression"
    );
    assert_eq!(binary(Op::Rem, e, Node::Constant(0)), "a division by zero");
    assert_eq!(
        binary(Op::Shl, a, Node::Constant(8)),
        "the shift amount is too large for `u8`"
    );
    assert_eq!(
        binary(Op::Add, a, Node::Constant(256)),
        "the value doesn't fit into the type `u8`"
    );
    assert_eq!(
        binary(Op::Eq, e, Node::Constant(-1)),
        "the value doesn't fit into the type `u32`"
    );
    assert_eq!(
        binary(Op::AndAnd, i, e),
        "expected a `bool`, found `u32`: write `!= 0`"
    );
    assert_eq!(
        binary(Op::Add, i, i),
        "expected an integer, found `bool`: write `as u32`"
    );
    assert_eq!(
        problem(&[e, Node::Neg(0)]),
        "a `u32` can't be negative: write `0 - …`"
    );
    assert_eq!(
        problem(&[e, Node::Cast(Type::Bool, 0)]),
        "a number isn't a `bool`: write `!= 0`"
    );
    let pointer = operand("p", Kind::Pointer, false, Operand::Whole);
    assert_eq!(
        binary(Op::Add, pointer, e),
        "a pointer is a number only after `as usize`"
    );
    assert!(check(&[pointer, Node::Cast(TYPES[6], 0)]).is_ok());
    let four = Shape::of_template("", Kind::Array { size: 2, len: 4 }, false, false);
    let error = Node::operand("j", &four, Operand::Item(4)).unwrap_err();
    assert_eq!(error, "doesn't have that many elements");
}

/// An argument can have two hundred operands. Some are written several times.
#[test]
fn lengths() {
    let f = field(5, TYPES[5]);
    let sum = |count: usize| {
        let mut nodes = vec![f, f, Node::Binary(Op::Add, 0, 1)];
        while nodes.len() < 2 * count - 1 {
            nodes.extend([f, Node::Binary(Op::Add, nodes.len() - 1, nodes.len())]);
        }
        nodes
    };
    let fits = |mut nodes: Vec<Node<'static>>, op: fn(usize) -> Node<'static>| {
        nodes.extend([Node::Bool(true), Node::Constant(3)]);
        nodes.push(op(nodes.len() - 3));
        match check(&nodes) {
            Ok(_) => true,
            Err(error) => {
                assert!(matches!(error.problem, Problem::TooLong));
                false
            }
        }
    };
    for (op, most) in [
        ((|n| Node::Not(n)) as fn(usize) -> _, 200),
        (|n| Node::Cast(TYPES[1], n), 200),
        (|n| Node::Binary(Op::Sub, n, n + 2), 199),
        (|n| Node::Binary(Op::Xor, n, n + 2), 99),
        (|n| Node::Binary(Op::Shr, n, n + 2), 99),
        (|n| Node::Binary(Op::Div, n, n + 2), 65),
        (|n| Node::Binary(Op::Rem, n, n + 2), 65),
        (|n| Node::If(n + 1, n, n + 2), 198),
        (|n| Node::If(n + 1, n + 2, n), 198),
    ] {
        assert!(fits(sum(most), op) && !fits(sum(most + 1), op), "{most}");
    }
}

/// The value of constants, from the text.
fn folded(nodes: &[Node<'_>]) -> i128 {
    let ty = check(nodes).unwrap();
    let text = c_text(nodes, true);
    let text = text.strip_prefix("(u64)").unwrap_or(&text);
    let bits = match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    wrap(bits.unwrap(), ty)
}

/// Literals and constants without a type: as in Rust, if a number had more than 64 bits.
#[test]
fn constants() {
    let max = i128::from(u64::MAX);
    let min = i128::from(i64::MIN);
    let overflows = "the value of the constants overflows";
    let value = |nodes: &[Node<'_>]| match check(nodes) {
        Ok(_) => Ok(folded(nodes)),
        Err(error) => Err(error.problem.text().as_str().to_owned()),
    };
    for (op, a, b, expected) in [
        (Op::Mul, 3, -5, 3 * -5),
        (Op::Div, -7, 2, -7 / 2),
        (Op::Rem, -7, 2, -7 % 2),
        (Op::Add, max, min, max + min),
        (Op::Sub, 1, 2, 1 - 2),
        (Op::Shl, 1, 40, 1 << 40),
        (Op::Shl, -3, 63 - 2, -3 << 61),
        (Op::Shl, 1, 63, 1 << 63),
        (Op::Shl, max, 0, max),
        (Op::Shr, -7, 1, -7 >> 1),
        (Op::Shr, max, 63, max >> 63),
        (Op::And, 12, 10, 12 & 10),
        (Op::Xor, 12, 10, 12 ^ 10),
        (Op::Or, 12, 10, 12 | 10),
    ] {
        let expected = if (min..=max).contains(&expected) {
            Ok(expected)
        } else {
            Err(overflows.to_owned())
        };
        let nodes = [Node::Constant(a), Node::Constant(b), Node::Binary(op, 0, 1)];
        assert_eq!(value(&nodes), expected, "{a} {op:?} {b}");
    }
    for (op, a, b) in [
        (Op::Mul, max, max),
        (Op::Mul, max, 2),
        (Op::Add, max, 1),
        (Op::Sub, min, 1),
        (Op::Shl, max, 1),
        (Op::Shl, min, 1),
        (Op::Shl, 0, -1),
        (Op::Shl, 0, 64),
        (Op::Shl, 0, 1 << 32),
        (Op::Shr, 0, -1),
        (Op::Shr, 0, 64),
        (Op::Shr, 0, 1 << 32),
    ] {
        let nodes = [Node::Constant(a), Node::Constant(b), Node::Binary(op, 0, 1)];
        assert_eq!(problem(&nodes), overflows, "{a} {op:?} {b}");
    }
    assert_eq!(value(&[Node::Constant(max)]), Ok(max));
    assert_eq!(value(&[Node::Constant(min)]), Ok(min));
    assert_eq!(problem(&[Node::Constant(max + 1)]), overflows);
    assert_eq!(problem(&[Node::Constant(min - 1)]), overflows);
    assert_eq!(value(&[Node::Constant(-min), Node::Neg(0)]), Ok(min));
    assert_eq!(problem(&[Node::Constant(max), Node::Neg(0)]), overflows);
    assert_eq!(value(&[Node::Constant(7), Node::Not(0)]), Ok(!7));
    assert_eq!(problem(&[Node::Constant(max), Node::Not(0)]), overflows);
}

/// Constants take the type of what they're combined with if they fit into it, and otherwise one
/// that has all of their values.
#[test]
fn types_of_constants() {
    let sum = |ty, n| {
        let place = TYPES.iter().position(|other| *other == ty).unwrap();
        let nodes = [
            field(place, ty),
            Node::Constant(n),
            Node::Binary(Op::Add, 0, 1),
        ];
        check(&nodes).map_err(|error| (error.node, error.problem.text().as_str().to_owned()))
    };
    for ty in TYPES {
        let bits = 8 * size(ty);
        let (low, high) = if is_signed(ty) {
            (-(1i128 << (bits - 1)), (1 << (bits - 1)) - 1)
        } else {
            (0, (1 << bits) - 1)
        };
        assert!(sum(ty, low) == Ok(ty) && sum(ty, high) == Ok(ty));
        assert!(sum(ty, low - 1).is_err() && sum(ty, high + 1).is_err());
    }
    let mixed = [
        field(8, Type::Bool),
        Node::Constant(1),
        Node::Binary(Op::Eq, 0, 1),
    ];
    assert_eq!(
        problem(&mixed),
        "the value doesn't fit into the type `bool`"
    );

    let max = i128::from(u64::MAX);
    let tools = Tools::new();
    let [mut no, mut yes] = [Random(1).record(); 2];
    (no[FIELDS[8].2], yes[FIELDS[8].2]) = (0, 1);
    for (a, b, expected) in [
        (0, 1, Ok(TYPES[5])),
        (-1, 1 << 31, Ok(TYPES[7])),
        (0, i64::MAX.into(), Ok(TYPES[7])),
        (i64::MIN.into(), 0, Ok(TYPES[7])),
        (0, max, Ok(TYPES[6])),
        (1 << 40, max, Ok(TYPES[6])),
        (-1, max, Err("the value of the constants overflows")),
    ] {
        for (a, b) in [(a, b), (b, a)] {
            let choice = [
                field(8, Type::Bool),
                Node::Constant(a),
                Node::Constant(b),
                Node::If(0, 1, 2),
            ];
            match expected {
                Ok(ty) => {
                    assert_eq!(check(&choice).ok(), Some(ty), "{a} {b}");
                    agree(&tools, &choice, &[no, yes]);
                }
                Err(message) => assert_eq!(problem(&choice), message),
            }
        }
    }
    // Each of the constants has to fit.
    for (a, b, ty, is) in [
        (1, 255, 0, true),
        (1, 256, 0, false),
        (0, -1, 0, false),
        (-128, 127, 1, true),
        (-129, 0, 1, false),
        (0, 128, 1, false),
    ] {
        for (a, b) in [(a, b), (b, a)] {
            let nodes = [
                field(8, Type::Bool),
                Node::Constant(a),
                Node::Constant(b),
                Node::If(0, 1, 2),
                field(ty, TYPES[ty]),
                Node::Binary(Op::Add, 3, 4),
            ];
            assert_eq!(check(&nodes).is_ok(), is, "{a} {b}");
        }
    }
}

/// What is written most often looks as in C.
#[test]
fn texts() {
    let (e, f, g) = (field(4, TYPES[4]), field(5, TYPES[5]), field(6, TYPES[6]));
    let text = |nodes: &[Node<'_>]| c_text(nodes, true);
    assert_eq!(
        text(&[e, Node::Constant(20), Node::Binary(Op::Shr, 0, 1)]),
        "REC->e >> 20"
    );
    assert_eq!(
        text(&[e, Node::Constant(0xfffff), Node::Binary(Op::And, 0, 1)]),
        "REC->e & 0xfffff"
    );
    assert_eq!(
        text(&[g, Node::Constant(1000), Node::Binary(Op::Div, 0, 1)]),
        "REC->g / 1000"
    );
    assert_eq!(
        text(&[f, Node::Constant(0), Node::Binary(Op::Lt, 0, 1)]),
        "REC->f >= 0x80000000"
    );
    // Tools would multiply first.
    assert_eq!(
        text(&[
            g,
            g,
            g,
            Node::Binary(Op::Add, 0, 1),
            Node::Binary(Op::Mul, 2, 3)
        ]),
        "REC->g * (u64)(REC->g + REC->g)"
    );
    let literal = |n| text(&[g, Node::Constant(n), Node::Binary(Op::Div, 0, 1)]);
    assert_eq!(literal(9_999), "REC->g / 9999");
    assert_eq!(literal(10_000), "REC->g / 10000");
    assert_eq!(literal(12_345), "REC->g / 0x3039");
    assert_eq!(literal(1_000_000_000_000), "REC->g / 1000000000000");
    assert_eq!(literal(1_000_000_001_000), "REC->g / 0xe8d4a513e8");
}

/// There are casts where C or the tools need them, and nowhere else.
#[test]
fn casts() {
    let [b, e, f, h] = [1, 4, 5, 7].map(|n| field(n, TYPES[n]));
    let text = |nodes: &[Node<'_>]| c_text(nodes, true);
    let is = |of, n| text(&[of, Node::Constant(n), Node::Binary(Op::Eq, 0, 1)]);
    // C would extend the sign of a short number.
    assert_eq!(is(b, -1), "(u8)REC->b == 255");
    assert_eq!(is(f, -1), "REC->f == 0xffffffff");
    assert_eq!(is(h, -1), "REC->h == 0xffffffffffffffff");
    // From a sign to none, and back.
    let cast = |of, to| text(&[of, Node::Cast(TYPES[to], 0)]);
    assert_eq!(cast(b, 0), "(u8)REC->b");
    assert_eq!(cast(f, 4), "(u32)REC->f");
    assert_eq!(cast(e, 5), "REC->e");
    assert_eq!(cast(e, 4), "REC->e");
    assert_eq!(cast(f, 5), "REC->f");
    // One cast is enough.
    let sum = |of, to| {
        text(&[
            of,
            of,
            Node::Binary(Op::Add, 0, 1),
            Node::Cast(TYPES[to], 2),
        ])
    };
    assert_eq!(sum(e, 0), "(u8)(REC->e + REC->e)");
    assert_eq!(sum(f, 4), "(u32)(REC->f + REC->f)");
    assert_eq!(sum(e, 5), "(u32)(REC->e + REC->e)");
    let sum = [e, e, Node::Binary(Op::Add, 0, 1)];
    let compared = [
        Node::Cast(TYPES[0], 2),
        Node::Constant(3),
        Node::Binary(Op::Eq, 3, 4),
    ];
    assert_eq!(
        text(&[sum, compared].concat()),
        "(u8)(REC->e + REC->e) == 3"
    );
    // A mask is as good as a cast.
    let masked = [Node::Constant(7), Node::Binary(Op::And, 2, 3)];
    assert_eq!(text(&[&sum[..], &masked].concat()), "(REC->e + REC->e) & 7");
    // In C, the type of the left operand matters for a shift.
    let shifted = |left, right| text(&[left, right, Node::Binary(Op::Shl, 0, 1)]);
    assert_eq!(
        shifted(Node::Constant(1 << 40), e),
        "(u64)0x10000000000 << (u8)(REC->e & 63)"
    );
    assert_eq!(shifted(h, Node::Constant(3)), "REC->h << 3");
    assert_eq!(
        text(&[
            Node::Constant(1),
            Node::Cast(TYPES[6], 0),
            e,
            Node::Binary(Op::Shl, 1, 2)
        ]),
        "(u64)1 << (u8)(REC->e & 63)"
    );
    assert_eq!(text(&[Node::Constant(1), Node::Cast(TYPES[4], 0)]), "1");
}

/// `number` has more items than this test needs.
#[test]
fn names() {
    assert_eq!(Type::named("c_ulong"), Some(number::Type::int(8, false)));
    assert_eq!(Type::named("f32"), None);
}
