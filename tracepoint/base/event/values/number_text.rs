// SPDX-License-Identifier: GPL-2.0

//! Writes a number as C has it, for tools.
//!
//! Tools (libtraceevent 1.8.4) don't know C's types. They read all fields as unsigned, compute with
//! unsigned 64-bit numbers, and treat a cast as a mask: even `(s32)x` is `x & 0xffffffff`. So the
//! argument computes with the unsigned bits of a value: it flips the highest bit to compare signed
//! values, and has a cast wherever a result could have too many bits. Tools don't support `^`, so
//! the argument adds and subtracts instead. And they parse `a * (b + c)` as `a * b + c`, unless
//! there is a cast before the parenthesis. A C compiler would compute the same values.

use super::{cast_from, common, constant, type_of, Node, Op, Type};
use crate::base::{event::show, text::Text};

/// Returns whether tools find the exact bits of a part with the type `ty`, or more of them.
const fn is_exact(nodes: &[Node<'_>], node: usize, ty: Type) -> bool {
    if ty.size() == 8 || constant(nodes, node).is_some() {
        return true;
    }
    match nodes[node] {
        Node::Neg(_) => false,
        Node::Not(of) => is_exact(nodes, of, ty),
        Node::Cast(to, of) => {
            let from = cast_from(nodes, to, of);
            if to.size() > from.size() {
                !from.signed()
            } else {
                // Otherwise there's a cast.
                to.size() < from.size() || !is_reinterpreted(from, to) || is_exact(nodes, of, from)
            }
        }
        Node::If(_, a, b) => is_exact(nodes, a, ty) && is_exact(nodes, b, ty),
        Node::Binary(op, a, b) => match op {
            Op::And => is_exact(nodes, a, ty) || is_exact(nodes, b, ty),
            Op::Or | Op::Xor => is_exact(nodes, a, ty) && is_exact(nodes, b, ty),
            Op::Add | Op::Sub | Op::Mul | Op::Shl => false,
            Op::Shr | Op::Div | Op::Rem => !ty.signed(),
            _ => true,
        },
        _ => true,
    }
}

/// Returns whether a cast between types of one size needs nothing in C.
const fn is_reinterpreted(from: Type, to: Type) -> bool {
    !from.signed() || to.signed()
}

/// Returns the order of the operator at the top of a part as tools see it, or 0 if there's none.
const fn order(nodes: &[Node<'_>], node: usize, ty: Type) -> u8 {
    if constant(nodes, node).is_some() {
        return 0;
    }
    match nodes[node] {
        // They know no order of `[`, and complain.
        Node::Load { index: Some(_), .. } => u8::MAX,
        Node::Len { size, rel, .. } => {
            if rel {
                Op::Shr.order()
            } else if size > 1 {
                Op::Div.order()
            } else {
                0
            }
        }
        Node::Neg(_) => Op::Sub.order(),
        Node::Not(_) if matches!(ty, Type::Bool) => Op::Eq.order(),
        Node::Not(_) => Op::Sub.order(),
        Node::Cast(to, of) => {
            let from = cast_from(nodes, to, of);
            if to.size() > from.size() && from.signed() {
                Op::Sub.order()
            } else if to.size() == from.size() && is_reinterpreted(from, to) {
                order(nodes, of, from)
            } else {
                0
            }
        }
        Node::If(..) => u8::MAX,
        Node::Binary(op @ (Op::Div | Op::Rem), ..) if !ty.signed() => op.order(),
        Node::Binary(Op::Div | Op::Rem, ..) => u8::MAX,
        Node::Binary(Op::Shr, ..) if ty.signed() => Op::Sub.order(),
        Node::Binary(Op::Xor, ..) if matches!(ty, Type::Bool) => Op::Ne.order(),
        Node::Binary(Op::Xor, ..) => Op::Sub.order(),
        Node::Binary(op, ..) => op.order(),
        _ => 0,
    }
}

/// The argument under construction. Not passed by value, which would need much of the stack.
struct Argument<const N: usize>(Text<N>);

impl<const N: usize> Argument<N> {
    const fn str(&mut self, text: &str) {
        self.0 = self.0.str(text);
    }

    const fn number(&mut self, n: usize) {
        self.0 = self.0.number(n);
    }

    /// Writes a number.
    const fn literal(&mut self, n: u64) {
        if n < 10_000 || n % 1000 == 0 && n <= 1_000_000_000_000 {
            self.0 = self.0.number(n as usize);
        } else {
            self.0 = self.0.str("0x").hex(n);
        }
    }

    /// Writes a cast to the bits of a type.
    const fn cast(&mut self, ty: Type) {
        self.0 = self.0.str("(u").number(8 * ty.size()).str(")");
    }

    /// Writes a part as an operand. `exact` is whether it mustn't have more bits than its type,
    /// and `after` is the order of the operator before it.
    const fn operand(&mut self, nodes: &[Node<'_>], node: usize, ty: Type, exact: bool, after: u8) {
        let order = order(nodes, node, ty);
        // C would extend the sign of a short number.
        let is_extended = ty.signed() && ty.size() < 4 && constant(nodes, node).is_none();
        if exact && (is_extended || !is_exact(nodes, node, ty)) || after > 0 && order > after {
            self.cast(ty);
        }
        if order > 0 {
            self.str("(");
        }
        self.part(nodes, node, ty);
        if order > 0 {
            self.str(")");
        }
    }

    /// Writes a part with its highest bit flipped, as an operand. Adding does that.
    const fn flipped(&mut self, nodes: &[Node<'_>], node: usize, ty: Type) {
        if let Some(n) = constant(nodes, node) {
            return self.literal((n as u64 ^ ty.sign()) & ty.mask());
        }
        if ty.size() < 8 {
            self.cast(ty);
        }
        self.str("(");
        self.operand(nodes, node, ty, false, 0);
        self.str(" + ");
        self.literal(ty.sign());
        self.str(")");
    }

    /// Writes a part that has the type `ty`, without parentheses around it.
    const fn part(&mut self, nodes: &[Node<'_>], node: usize, ty: Type) {
        if let Some(n) = constant(nodes, node) {
            return self.literal(n as u64 & ty.mask());
        }
        match nodes[node] {
            Node::Constant(_) => {}
            Node::Bool(is) => self.literal(is as u64),
            Node::Load { name, index, .. } => {
                self.str("REC->");
                self.str(name);
                if let Some(index) = index {
                    self.str("[");
                    self.number(index);
                    self.str("]");
                }
            }
            Node::Len {
                name, size, rel, ..
            } => self.0 = show::len(self.0, name, rel, size),
            Node::Neg(of) => {
                self.str("0 - ");
                self.operand(nodes, of, ty, false, Op::Sub.order());
            }
            Node::Not(of) if matches!(ty, Type::Bool) => {
                self.operand(nodes, of, ty, true, 0);
                self.str(" == 0");
            }
            Node::Not(of) => {
                self.literal(ty.mask());
                self.str(" - ");
                self.operand(nodes, of, ty, false, Op::Sub.order());
            }
            Node::Cast(to, of) => self.cast_part(nodes, to, of),
            Node::If(condition, a, b) => {
                self.str("(");
                self.part(nodes, condition, Type::Bool);
                self.str(") ? ");
                self.operand(nodes, a, ty, false, 0);
                self.str(" : ");
                self.operand(nodes, b, ty, false, 0);
            }
            Node::Binary(op, a, b) => self.binary(nodes, op, a, b, ty),
        }
    }

    const fn cast_part(&mut self, nodes: &[Node<'_>], to: Type, of: usize) {
        let from = cast_from(nodes, to, of);
        if let Some(n) = constant(nodes, of) {
            // In C, the type matters for a shift.
            if to.size() == 8 {
                self.cast(to);
            }
            self.literal(n as u64 & to.mask());
        } else if to.size() > from.size() && from.signed() {
            // Extends the sign.
            self.cast(to);
            self.flipped(nodes, of, from);
            self.str(" - ");
            self.literal(from.sign());
        } else if to.size() == from.size() && is_reinterpreted(from, to) {
            self.part(nodes, of, from);
        } else {
            self.cast(to);
            self.operand(nodes, of, from, to.size() > from.size(), 0);
        }
    }

    const fn binary(&mut self, nodes: &[Node<'_>], op: Op, a: usize, b: usize, ty: Type) {
        let order = op.order();
        let of = if op.is_comparison() {
            common(nodes, a, b)
        } else {
            ty
        };
        match op {
            Op::Shr if ty.signed() => {
                self.str("(");
                self.flipped(nodes, a, ty);
                self.str(" >> ");
                self.shift(nodes, b, ty);
                self.str(") - ");
                if let Some(n) = constant(nodes, b) {
                    return self.literal(ty.sign() >> n as u32);
                }
                self.cast(ty);
                self.str("(");
                self.literal(ty.sign());
                self.str(" >> ");
                self.shift(nodes, b, ty);
                self.str(")");
            }
            Op::Shl | Op::Shr => {
                if ty.size() == 8 && constant(nodes, a).is_some() {
                    self.cast(ty);
                }
                self.operand(nodes, a, ty, matches!(op, Op::Shr), 0);
                self.str(op.text());
                self.shift(nodes, b, ty);
            }
            Op::Div | Op::Rem if ty.signed() => self.quotient(nodes, op, a, b, ty),
            Op::Lt | Op::Ge if matches!(constant(nodes, b), Some(0)) && of.signed() => {
                self.operand(nodes, a, of, true, 0);
                self.str(if matches!(op, Op::Lt) { " >= " } else { " < " });
                self.literal(of.sign());
            }
            Op::Lt | Op::Gt | Op::Le | Op::Ge if of.signed() => {
                self.flipped(nodes, a, of);
                self.str(op.text());
                self.flipped(nodes, b, of);
            }
            Op::Xor if matches!(ty, Type::Bool) => {
                self.operand(nodes, a, ty, true, 0);
                self.str(Op::Ne.text());
                self.operand(nodes, b, ty, true, Op::Ne.order());
            }
            Op::Xor => {
                self.str("(");
                self.operand(nodes, a, ty, false, 0);
                self.str(" | ");
                self.operand(nodes, b, ty, false, Op::Or.order());
                self.str(") - ");
                self.cast(ty);
                self.str("(");
                self.operand(nodes, a, ty, false, 0);
                self.str(" & ");
                self.operand(nodes, b, ty, false, Op::And.order());
                self.str(")");
            }
            _ => {
                let exact = op.is_comparison() || op.is_logic() || matches!(op, Op::Div | Op::Rem);
                self.operand(nodes, a, of, exact, 0);
                self.str(op.text());
                self.operand(nodes, b, of, exact, order);
            }
        }
    }

    /// Writes by how much a number of a type is shifted.
    const fn shift(&mut self, nodes: &[Node<'_>], by: usize, ty: Type) {
        if let Some(n) = constant(nodes, by) {
            return self.number(n as usize);
        }
        self.str("(u8)(");
        self.operand(nodes, by, type_of(nodes, by), false, 0);
        self.str(" & ");
        self.number(8 * ty.size() - 1);
        self.str(")");
    }

    /// Writes a signed number divided by a constant.
    const fn quotient(&mut self, nodes: &[Node<'_>], op: Op, a: usize, b: usize, ty: Type) {
        let divisor = match constant(nodes, b) {
            Some(n) => n,
            None => panic!("not checked"),
        };
        let by = divisor.unsigned_abs() as u64;
        let is_rem = matches!(op, Op::Rem);
        self.str("(");
        self.operand(nodes, a, ty, true, 0);
        self.str(" >= ");
        self.literal(ty.sign());
        // The number is negative.
        let minus = is_rem || divisor > 0;
        self.str(if minus { ") ? (0 - (" } else { ") ? (" });
        self.cast(ty);
        self.str("(0 - ");
        self.operand(nodes, a, ty, false, Op::Sub.order());
        self.str(")");
        self.str(op.text());
        self.literal(by);
        self.str(if minus { "))" } else { ")" });
        // It isn't.
        let minus = !is_rem && divisor < 0;
        self.str(if minus { " : (0 - (" } else { " : (" });
        self.operand(nodes, a, ty, true, 0);
        self.str(op.text());
        self.literal(by);
        self.str(if minus { "))" } else { ")" });
    }
}

/// Writes the argument of the `print fmt` for an expression that has been checked. `exact` is
/// whether it mustn't have more bits than its type.
pub(crate) const fn argument<const N: usize>(
    text: Text<N>,
    nodes: &[Node<'_>],
    exact: bool,
) -> Text<N> {
    let root = nodes.len() - 1;
    let ty = type_of(nodes, root);
    let mut argument = Argument(text);
    if exact && !is_exact(nodes, root, ty) {
        argument.operand(nodes, root, ty, true, 0);
    } else {
        argument.part(nodes, root, ty);
    }
    argument.0
}
