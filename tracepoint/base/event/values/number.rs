// SPDX-License-Identifier: GPL-2.0

//! Numbers that a template computes from fields.
//!
//! An expression has Rust's types, and wraps. The kernel computes it in Rust when it prints a record.
//! For tools it's an argument of the `print fmt`, in C, which this writes.
//!
//! Both the library and its procedural macros include this file. It doesn't need a kernel.

use crate::base::{
    event::{
        shape::Shape,
        show::Kind,
        template::{fail, Of},
    },
    text::Text,
};

#[path = "number_text.rs"]
mod text;

#[allow(unused_imports)]
pub(crate) use text::argument;

/// The longest argument of the `print fmt`.
pub(crate) const TEXT_MAX: usize = 2048;

/// A number that is computed, and its argument of the `print fmt`.
pub struct Computed {
    /// Its type.
    pub ty: Type,
    text: Text<TEXT_MAX>,
}

impl Computed {
    /// Checks an expression. `exact` is whether the argument mustn't have more bits than the type.
    pub const fn new(nodes: &[Node<'_>], exact: bool) -> Result<Self, Error> {
        let ty = match check(nodes) {
            Ok(ty) => ty,
            Err(error) => return Err(error),
        };
        let text = argument(Text::new(), nodes, exact);
        if text.len() > TEXT_MAX {
            return Err(Problem::TooLong.at(nodes.len() - 1));
        }
        Ok(Self { ty, text })
    }

    /// Returns what a template shows.
    pub const fn of(&self) -> Of<'_> {
        Of::Computed(self.ty.kind(), self.text())
    }

    /// Returns the argument.
    pub const fn text(&self) -> &str {
        self.text.as_str()
    }
}

/// Returns a number that is computed, or fails the build.
#[track_caller]
pub const fn computed(event: &str, name: &str, nodes: &[Node<'_>], exact: bool) -> Computed {
    match Computed::new(nodes, exact) {
        Ok(computed) => computed,
        Err(error) => fail(event, "", name, error.problem.text().as_str()),
    }
}

/// Returns an operand of a computed number, or fails the build.
#[track_caller]
pub const fn operand(
    event: &str,
    name: &'static str,
    shape: Shape,
    what: Operand,
) -> Node<'static> {
    match Node::operand(name, &shape, what) {
        Ok(node) => node,
        Err(error) => fail(event, "field ", name, error),
    }
}

/// Returns the type of an operand and how far from the start of the field it is, or how many elements a
/// fixed length says.
pub const fn place(node: Node<'_>) -> (u8, usize) {
    match node {
        Node::Load {
            index: None, ty, ..
        } => (ty.code(), 0),
        Node::Load {
            index: Some(index),
            ty,
            ..
        } => (ty.code(), index * ty.size()),
        Node::Len { size, .. } => (size as u8, 0),
        Node::Constant(n) => (0, n as usize),
        _ => panic!("not an operand"),
    }
}

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Type {
    /// `bool`.
    Bool,
    /// An integer.
    Int {
        /// The size in bytes.
        size: usize,
        /// Whether it is signed.
        signed: bool,
    },
    /// A pointer, which can only be cast.
    Pointer,
}

impl Type {
    /// Returns an integer type.
    pub const fn int(size: usize, signed: bool) -> Self {
        Type::Int { size, signed }
    }

    /// Returns the type of a field, or of its elements.
    const fn of(shape: &Shape, size: usize, signed: bool) -> Self {
        if shape.is_bool() {
            Type::Bool
        } else {
            Type::Int { size, signed }
        }
    }

    /// Returns the type with this name.
    pub const fn named(name: &str) -> Option<Self> {
        Some(match name.as_bytes() {
            b"bool" => Type::Bool,
            b"u8" | b"c_uchar" | b"c_char" => Type::int(1, false),
            b"u16" | b"c_ushort" => Type::int(2, false),
            b"u32" | b"c_uint" => Type::int(4, false),
            b"u64" | b"usize" | b"c_ulong" | b"c_ulonglong" => Type::int(8, false),
            b"i8" | b"c_schar" => Type::int(1, true),
            b"i16" | b"c_short" => Type::int(2, true),
            b"i32" | b"c_int" => Type::int(4, true),
            b"i64" | b"isize" | b"c_long" | b"c_longlong" => Type::int(8, true),
            _ => return None,
        })
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Pointer => "a pointer",
            Type::Int { size: 1, signed } => ["u8", "i8"][signed as usize],
            Type::Int { size: 2, signed } => ["u16", "i16"][signed as usize],
            Type::Int { size: 4, signed } => ["u32", "i32"][signed as usize],
            Type::Int { signed, .. } => ["u64", "i64"][signed as usize],
        }
    }

    /// Returns how a number of this type is shown.
    pub const fn kind(self) -> Kind {
        match self {
            Type::Bool => Kind::Int {
                size: 1,
                signed: false,
            },
            Type::Int { size, signed } => Kind::Int { size, signed },
            Type::Pointer => Kind::Pointer,
        }
    }

    const fn size(self) -> usize {
        self.kind().number_size()
    }

    const fn signed(self) -> bool {
        matches!(self, Type::Int { signed: true, .. })
    }

    const fn is(self, other: Self) -> bool {
        self.code() == other.code()
    }

    /// Returns a number that stands for the type, in [`Code`](super::operand::Code).
    pub const fn code(self) -> u8 {
        match self {
            Type::Bool => 0,
            Type::Pointer => 9,
            Type::Int { size, signed } => size as u8 | (signed as u8) << 4,
        }
    }

    /// The highest bit.
    const fn sign(self) -> u64 {
        1 << (8 * self.size() - 1)
    }

    /// All bits.
    const fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.size())
    }

    /// Returns whether a constant can take the type.
    const fn fits(self, value: i128) -> bool {
        let bits = 8 * self.size();
        match self {
            Type::Bool | Type::Pointer => false,
            Type::Int { signed: false, .. } => value >= 0 && value < 1 << bits,
            Type::Int { signed: true, .. } => {
                value >= -(1 << (bits - 1)) && value < 1 << (bits - 1)
            }
        }
    }
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    And,
    Xor,
    Or,
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
    AndAnd,
    OrOr,
}

impl Op {
    /// Returns it as Rust and C have it.
    pub const fn text(self) -> &'static str {
        match self {
            Op::Mul => " * ",
            Op::Div => " / ",
            Op::Rem => " % ",
            Op::Add => " + ",
            Op::Sub => " - ",
            Op::Shl => " << ",
            Op::Shr => " >> ",
            Op::And => " & ",
            Op::Xor => " ^ ",
            Op::Or => " | ",
            Op::Eq => " == ",
            Op::Ne => " != ",
            Op::Lt => " < ",
            Op::Gt => " > ",
            Op::Le => " <= ",
            Op::Ge => " >= ",
            Op::AndAnd => " && ",
            Op::OrOr => " || ",
        }
    }

    /// The order in which tools apply operators (`get_op_prio()`, libtraceevent).
    const fn order(self) -> u8 {
        match self {
            Op::Mul | Op::Div | Op::Rem => 6,
            Op::Add | Op::Sub => 7,
            Op::Shl | Op::Shr => 8,
            Op::Lt | Op::Gt | Op::Le | Op::Ge => 9,
            Op::Eq | Op::Ne => 10,
            Op::And => 11,
            Op::Xor => 12,
            Op::Or => 13,
            Op::AndAnd => 14,
            Op::OrOr => 15,
        }
    }

    /// Returns whether it compares.
    pub const fn is_comparison(self) -> bool {
        matches!(self, Op::Eq | Op::Ne | Op::Lt | Op::Gt | Op::Le | Op::Ge)
    }

    /// Returns whether its operands are conditions.
    pub const fn is_logic(self) -> bool {
        matches!(self, Op::AndAnd | Op::OrOr)
    }

    const fn is_shift(self) -> bool {
        matches!(self, Op::Shl | Op::Shr)
    }
}

/// A part of an expression. The others that it refers to come before it.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// A literal or a constant. It adapts to the type of what it's combined with.
    Constant(i128),
    /// `true` or `false`.
    Bool(bool),
    /// A field, or an element of an array.
    Load {
        /// The name of the field.
        name: &'a str,
        /// The number of the element.
        index: Option<usize>,
        /// The type of the field or the element.
        ty: Type,
    },
    /// The number of elements of a field that has no fixed length.
    Len {
        /// The name of the field.
        name: &'a str,
        /// The size of an element.
        size: usize,
        /// Whether its location is relative to its own end.
        rel: bool,
    },
    /// `-a`
    Neg(usize),
    /// `!a`
    Not(usize),
    /// `a + b` and the like.
    Binary(Op, usize, usize),
    /// `a as u32`
    Cast(Type, usize),
    /// `if a { b } else { c }`
    If(usize, usize, usize),
}

/// What of a field is an operand.
#[derive(Clone, Copy)]
pub enum Operand {
    /// The field itself.
    Whole,
    /// An element of an array.
    Item(usize),
    /// The number of elements.
    Len,
}

impl<'a> Node<'a> {
    /// Returns an operand.
    pub const fn operand(
        name: &'a str,
        shape: &Shape,
        what: Operand,
    ) -> Result<Self, &'static str> {
        let (index, ty) = match (what, shape.kind) {
            (Operand::Whole, Kind::Int { size, signed }) => (None, Type::of(shape, size, signed)),
            (Operand::Whole, Kind::Pointer) => (None, Type::Pointer),
            (Operand::Whole, _) => return Err("isn't a number"),
            (Operand::Item(i), Kind::Array { len, .. } | Kind::Chars { len }) if i >= len => {
                return Err("doesn't have that many elements")
            }
            (Operand::Item(_), Kind::DynArray { .. } | Kind::Str) => {
                return Err("has no fixed length: record the element in a field of its own")
            }
            (Operand::Item(i), Kind::Array { .. } | Kind::Chars { .. }) => {
                let size = shape.kind.element_size();
                (Some(i), Type::of(shape, size, shape.signed))
            }
            (Operand::Len, Kind::Array { len, .. } | Kind::Chars { len }) => {
                return Ok(Node::Constant(len as i128))
            }
            (Operand::Len, Kind::DynArray { size }) => {
                let rel = shape.rel;
                return Ok(Node::Len { name, size, rel });
            }
            _ => return Err("isn't an array"),
        };
        Ok(Node::Load { name, index, ty })
    }
}

/// Why an expression isn't a number.
#[derive(Clone, Copy, Debug)]
pub struct Error {
    /// The part to blame.
    pub node: usize,
    /// What's wrong.
    pub problem: Problem,
}

/// What can be wrong with an expression.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Problem {
    Mismatch(Type, Type),
    NotBool(Type),
    NotInt(Type),
    Unsigned(Type),
    Pointer,
    ToBool,
    DoesntFit(Type),
    Overflow,
    Divisor,
    Zero,
    Shift(Type),
    TooLong,
}

impl Problem {
    /// Returns the error that this is at a part.
    pub const fn at(self, node: usize) -> Error {
        Error {
            node,
            problem: self,
        }
    }

    /// Returns the error message.
    pub const fn text(self) -> Text<200> {
        let text = Text::new();
        match self {
            Problem::Mismatch(a, b) => text
                .str("`")
                .str(a.name())
                .str("` and `")
                .str(b.name())
                .str("` are different types: write `as ")
                .str(if a.size() >= b.size() {
                    a.name()
                } else {
                    b.name()
                })
                .str("`"),
            Problem::NotBool(ty) => text
                .str("expected a `bool`, found `")
                .str(ty.name())
                .str("`: write `!= 0`"),
            Problem::NotInt(ty) => text
                .str("expected an integer, found `")
                .str(ty.name())
                .str("`: write `as u32`"),
            Problem::Unsigned(ty) => text
                .str("a `")
                .str(ty.name())
                .str("` can't be negative: write `0 - …`"),
            Problem::Pointer => text.str("a pointer is a number only after `as usize`"),
            Problem::ToBool => text.str("a number isn't a `bool`: write `!= 0`"),
            Problem::DoesntFit(ty) => text
                .str("the value doesn't fit into the type `")
                .str(ty.name())
                .str("`"),
            Problem::Overflow => text.str("the value of the constants overflows"),
            Problem::Divisor => {
                text.str("a divisor must be a constant: compute this in a field's expression")
            }
            Problem::Zero => text.str("a division by zero"),
            Problem::Shift(ty) => text
                .str("the shift amount is too large for `")
                .str(ty.name())
                .str("`"),
            Problem::TooLong => text.str("the expression is too long"),
        }
    }
}

/// What is known of a part of an expression.
#[derive(Clone, Copy)]
enum Value {
    /// A value that takes any type that it fits.
    Constant(i128),
    /// One of several such values: the smallest and the largest.
    Range(i128, i128),
    /// A type.
    Typed(Type),
}

impl Value {
    /// Returns the smallest and the largest of the values that have no type.
    const fn range(self) -> Option<(i128, i128)> {
        match self {
            Value::Constant(n) => Some((n, n)),
            Value::Range(low, high) => Some((low, high)),
            Value::Typed(_) => None,
        }
    }

    /// Returns the value with a type, unless it is one constant.
    const fn settled(self) -> Self {
        match self {
            Value::Range(low, high) => Value::Typed(default_of(low, high)),
            other => other,
        }
    }

    /// Returns the type, which is that of an `i32` or of a larger type for what has none.
    const fn ty(self) -> Type {
        match self {
            Value::Constant(n) => default(n),
            Value::Range(low, high) => default_of(low, high),
            Value::Typed(ty) => ty,
        }
    }
}

const fn wrong(node: usize, problem: Problem) -> Result<Value, Error> {
    Err(problem.at(node))
}

/// Returns a constant that takes any type that it fits, unless there is none.
const fn untyped(node: usize, n: Option<i128>) -> Result<Value, Error> {
    match n {
        Some(n) if n >= i64::MIN as i128 && n <= u64::MAX as i128 => Ok(Value::Constant(n)),
        _ => wrong(node, Problem::Overflow),
    }
}

/// Computes with constants.
pub(crate) const fn fold(op: Op, a: i128, b: i128) -> Option<i128> {
    let shift = if b >= 0 && b < 64 { b as u32 } else { 64 };
    match op {
        Op::Mul => a.checked_mul(b),
        Op::Div => a.checked_div(b),
        Op::Rem => a.checked_rem(b),
        Op::Add => a.checked_add(b),
        Op::Sub => a.checked_sub(b),
        Op::Shl if shift < 64 => Some(a << shift),
        Op::Shr if shift < 64 => Some(a >> shift),
        Op::And => Some(a & b),
        Op::Xor => Some(a ^ b),
        Op::Or => Some(a | b),
        _ => None,
    }
}

/// Returns the type of a constant that has none.
const fn default(value: i128) -> Type {
    if Type::int(4, true).fits(value) {
        Type::int(4, true)
    } else if Type::int(8, true).fits(value) {
        Type::int(8, true)
    } else {
        Type::int(8, false)
    }
}

/// Returns the type of constants that have none: the smallest and the largest one.
pub(crate) const fn default_of(low: i128, high: i128) -> Type {
    let ty = default(low);
    if ty.fits(high) {
        ty
    } else {
        default(high)
    }
}

/// Finds the type of two parts that must have one.
const fn unify(at: usize, a: usize, b: usize, left: Value, right: Value) -> Result<Value, Error> {
    match (left, right) {
        (Value::Typed(Type::Pointer), _) => wrong(a, Problem::Pointer),
        (_, Value::Typed(Type::Pointer)) => wrong(b, Problem::Pointer),
        (Value::Typed(x), Value::Typed(y)) if x.is(y) => Ok(left),
        (Value::Typed(x), Value::Typed(y)) => wrong(at, Problem::Mismatch(x, y)),
        (Value::Typed(ty), other) => adapt(b, ty, other),
        (other, Value::Typed(ty)) => adapt(a, ty, other),
        (left, right) => match (left.range(), right.range()) {
            (Some((low, high)), Some((other_low, other_high))) => {
                let low = if low < other_low { low } else { other_low };
                let high = if high > other_high { high } else { other_high };
                if default_of(low, high).fits(low) {
                    Ok(Value::Range(low, high))
                } else {
                    wrong(at, Problem::Overflow)
                }
            }
            _ => panic!("not reached"),
        },
    }
}

/// Gives constants a type.
const fn adapt(node: usize, ty: Type, value: Value) -> Result<Value, Error> {
    match value.range() {
        Some((low, high)) if !ty.fits(low) || !ty.fits(high) => wrong(node, Problem::DoesntFit(ty)),
        _ => Ok(Value::Typed(ty)),
    }
}

const fn expect_bool(nodes: &[Node<'_>], node: usize) -> Result<Value, Error> {
    match value(nodes, node) {
        Ok(Value::Typed(Type::Bool)) => Ok(Value::Typed(Type::Bool)),
        Ok(value) => wrong(node, Problem::NotBool(value.ty())),
        error => error,
    }
}

/// Checks a part of an expression.
const fn value(nodes: &[Node<'_>], node: usize) -> Result<Value, Error> {
    match nodes[node] {
        Node::Constant(n) => untyped(node, Some(n)),
        Node::Bool(_) => Ok(Value::Typed(Type::Bool)),
        Node::Load { ty, .. } => Ok(Value::Typed(ty)),
        Node::Len { .. } => Ok(Value::Typed(Type::int(8, false))),
        Node::Neg(of) => match value(nodes, of) {
            Ok(Value::Constant(n)) => untyped(node, n.checked_neg()),
            Ok(value) => match value.ty() {
                Type::Pointer => wrong(of, Problem::Pointer),
                Type::Bool => wrong(of, Problem::NotInt(Type::Bool)),
                ty @ Type::Int { signed: true, .. } => Ok(Value::Typed(ty)),
                ty => wrong(node, Problem::Unsigned(ty)),
            },
            error => error,
        },
        Node::Not(of) => match value(nodes, of) {
            Ok(Value::Constant(n)) => untyped(node, Some(!n)),
            Ok(Value::Typed(Type::Pointer)) => wrong(of, Problem::Pointer),
            Ok(value) => Ok(value.settled()),
            error => error,
        },
        Node::Cast(to, of) => match value(nodes, of) {
            Ok(Value::Typed(Type::Bool)) if matches!(to, Type::Bool) => Ok(Value::Typed(to)),
            Ok(_) if matches!(to, Type::Bool) => wrong(node, Problem::ToBool),
            Ok(_) => Ok(Value::Typed(to)),
            error => error,
        },
        Node::If(condition, a, b) => {
            if let Err(error) = expect_bool(nodes, condition) {
                return Err(error);
            }
            match (value(nodes, a), value(nodes, b)) {
                (Ok(left), Ok(right)) => unify(node, a, b, left, right),
                (Err(error), _) | (_, Err(error)) => Err(error),
            }
        }
        Node::Binary(op, a, b) => binary(nodes, node, op, a, b),
    }
}

const fn binary(
    nodes: &[Node<'_>],
    node: usize,
    op: Op,
    a: usize,
    b: usize,
) -> Result<Value, Error> {
    if op.is_logic() {
        return match expect_bool(nodes, a) {
            Ok(_) => expect_bool(nodes, b),
            error => error,
        };
    }
    let left = match value(nodes, a) {
        Ok(value) => value,
        error => return error,
    };
    let right = match value(nodes, b) {
        Ok(value) => value,
        error => return error,
    };
    if matches!(op, Op::Div | Op::Rem) {
        match right {
            Value::Constant(0) => return wrong(b, Problem::Zero),
            Value::Constant(_) => {}
            _ => return wrong(b, Problem::Divisor),
        }
    }
    if let (Value::Constant(x), Value::Constant(y), false) = (left, right, op.is_comparison()) {
        return untyped(node, fold(op, x, y));
    }
    if op.is_shift() {
        let ty = left.ty();
        match ty {
            Type::Pointer => return wrong(a, Problem::Pointer),
            Type::Bool => return wrong(a, Problem::NotInt(ty)),
            Type::Int { .. } => {}
        }
        return match right {
            Value::Typed(Type::Pointer) => wrong(b, Problem::Pointer),
            Value::Typed(Type::Bool) => wrong(b, Problem::NotInt(Type::Bool)),
            Value::Constant(n) if n < 0 || n >= 8 * ty.size() as i128 => {
                wrong(b, Problem::Shift(ty))
            }
            _ => Ok(Value::Typed(ty)),
        };
    }
    let ty = match unify(node, a, b, left, right) {
        Ok(value) => value.ty(),
        error => return error,
    };
    let bits = matches!(op, Op::And | Op::Or | Op::Xor);
    if op.is_comparison() {
        Ok(Value::Typed(Type::Bool))
    } else if matches!(ty, Type::Bool) && !bits {
        wrong(a, Problem::NotInt(ty))
    } else {
        Ok(Value::Typed(ty))
    }
}

/// Checks an expression and returns its type. Its last part is the whole.
pub(crate) const fn check(nodes: &[Node<'_>]) -> Result<Type, Error> {
    let root = nodes.len() - 1;
    if let Err(error) = value(nodes, root) {
        return Err(error);
    }
    if weight(nodes, root) > WEIGHT_MAX {
        return Err(Problem::TooLong.at(root));
    }
    Ok(type_of(nodes, root))
}

/// How many operands an argument of the `print fmt` can have.
const WEIGHT_MAX: usize = 200;

/// Returns about how many operands the argument has.
const fn weight(nodes: &[Node<'_>], node: usize) -> usize {
    match nodes[node] {
        Node::Constant(_) | Node::Bool(_) | Node::Load { .. } | Node::Len { .. } => 1,
        Node::Neg(of) | Node::Not(of) | Node::Cast(_, of) => weight(nodes, of),
        Node::If(a, b, c) => weight(nodes, a) + weight(nodes, b) + weight(nodes, c),
        Node::Binary(op, a, b) => {
            // Some are written several times.
            let times = match op {
                Op::Xor | Op::Shr => 2,
                Op::Div | Op::Rem => 3,
                _ => 1,
            };
            times * (weight(nodes, a) + weight(nodes, b))
        }
    }
}

/// Returns the type of a part that has been checked.
const fn type_of(nodes: &[Node<'_>], node: usize) -> Type {
    match value(nodes, node) {
        Ok(value) => value.ty(),
        Err(_) => panic!("not checked"),
    }
}

/// Returns the type of two operands that have been checked.
const fn common(nodes: &[Node<'_>], a: usize, b: usize) -> Type {
    if let (Ok(left), Ok(right)) = (value(nodes, a), value(nodes, b)) {
        if let Ok(value) = unify(0, a, b, left, right) {
            return value.ty();
        }
    }
    panic!("not checked")
}

const fn constant(nodes: &[Node<'_>], node: usize) -> Option<i128> {
    match value(nodes, node) {
        Ok(Value::Constant(n)) => Some(n),
        _ => None,
    }
}

/// Returns the type of what's cast. A constant has the type that it's cast to.
const fn cast_from(nodes: &[Node<'_>], to: Type, of: usize) -> Type {
    match value(nodes, of) {
        Ok(Value::Constant(_)) | Err(_) => to,
        Ok(value) => value.ty(),
    }
}
