// SPDX-License-Identifier: GPL-2.0

//! Numbers after a template, in both languages.
//!
//! One walk makes two forms of a number: Rust's expression for the function that prints, and the nodes from which
//! [`number`] writes C's. In Rust, fields are `Wrapping` numbers, so nothing panics.

use super::{
    arms_of, as_name, branches,
    number::{self, place, Node, Op, Operand},
    table_of,
};
use crate::{
    compiler::Compiler,
    tables,
    tokens::{inner, span_of},
    types::Field,
    value::Key,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, ToTokens};
use syn::{BinOp, Expr, ExprLit, Lit, LitInt, UnOp};

/// An expression on the way to [`number`]: its parts.
#[derive(Default)]
pub(crate) struct Nodes<'a>(Vec<(Part<'a>, Span)>);

/// A part, or the expression for it if only the compiler knows it.
type Part<'a> = std::result::Result<Node<'a>, TokenStream>;

impl<'a> Nodes<'a> {
    pub(crate) fn known(&mut self, node: Node<'a>, span: Span) -> usize {
        self.add(Ok(node), span)
    }

    fn add(&mut self, part: Part<'a>, span: Span) -> usize {
        self.0.push((part, span));
        self.last()
    }

    pub(crate) fn last(&self) -> usize {
        self.0.len() - 1
    }

    pub(crate) fn span(&self, node: usize) -> Span {
        self.0[node].1
    }

    /// Returns the parts if all are known.
    pub(crate) fn all_known(&self) -> Option<Vec<Node<'a>>> {
        let known = |(part, _): &(Part<'a>, _)| part.as_ref().ok().copied();
        self.0.iter().map(known).collect()
    }

    /// Returns the parts as a slice of `__p::Node`.
    pub(crate) fn tokens(&self) -> TokenStream {
        let parts = self.0.iter().map(|(part, _)| match part {
            Ok(node) => tokens_of(node),
            Err(tokens) => tokens.clone(),
        });
        quote!(&const { [#(#parts),*] })
    }
}

/// Expands a part of an expression.
fn tokens_of(node: &Node<'_>) -> TokenStream {
    let type_of = |ty: number::Type| match ty {
        number::Type::Bool => quote!(__p::values::Type::Bool),
        number::Type::Int { size, signed } => {
            quote!(__p::values::Type::Int { size: #size, signed: #signed })
        }
        number::Type::Pointer => quote!(__p::values::Type::Pointer),
    };
    match *node {
        Node::Constant(n) => {
            let n = Literal::i128_unsuffixed(n);
            quote!(__p::values::Node::Constant(#n))
        }
        Node::Bool(is) => quote!(__p::values::Node::Bool(#is)),
        Node::Load { name, index, ty } => {
            let index = match index {
                Some(index) => quote!(__p::Some(#index)),
                None => quote!(__p::None),
            };
            let ty = type_of(ty);
            quote!(__p::values::Node::Load { name: #name, index: #index, ty: #ty })
        }
        Node::Len { name, size, rel } => {
            quote!(__p::values::Node::Len { name: #name, size: #size, rel: #rel })
        }
        Node::Neg(of) => quote!(__p::values::Node::Neg(#of)),
        Node::Not(of) => quote!(__p::values::Node::Not(#of)),
        Node::Binary(op, a, b) => {
            let op = format_ident!("{op:?}");
            quote!(__p::values::Node::Binary(__p::values::Op::#op, #a, #b))
        }
        Node::Cast(ty, of) => {
            let ty = type_of(ty);
            quote!(__p::values::Node::Cast(#ty, #of))
        }
        Node::If(a, b, c) => quote!(__p::values::Node::If(#a, #b, #c)),
    }
}

/// A constant without a type: its value, if it's known, and an `i128` in Rust.
type Untyped = (Option<i128>, TokenStream);

/// A number: its node, and the same in Rust.
pub(crate) struct Number {
    node: usize,
    rust: Rust,
}

enum Rust {
    /// A `Wrapping`, a `bool` or an address.
    Typed(TokenStream),
    /// A constant that takes the type of what it's combined with.
    Constant(Untyped),
    /// One of several.
    If(TokenStream, Box<Rust>, Box<Rust>),
}

impl Rust {
    /// Whether it's a number that has no type of its own.
    fn is_untyped(&self) -> bool {
        !matches!(self, Rust::Typed(_))
    }

    /// Returns the least and the largest value of what has no type, if the macro knows them.
    fn range(&self) -> Option<(i128, i128)> {
        match self {
            Rust::Typed(_) => None,
            Rust::Constant((n, _)) => n.map(|n| (n, n)),
            Rust::If(_, a, b) => {
                let ((a, b), (c, d)) = (a.range()?, b.range()?);
                Some((a.min(c), b.max(d)))
            }
        }
    }

    /// Returns what can be compared with any constant: an `i128`, unless it has a type.
    fn wide(&self) -> TokenStream {
        match self {
            Rust::Typed(tokens) => tokens.clone(),
            Rust::Constant((_, tokens)) => quote!(const { #tokens }),
            Rust::If(condition, a, b) => {
                let (a, b) = (a.wide(), b.wide());
                quote!((if #condition { #a } else { #b }))
            }
        }
    }

    /// Returns the expression. `ty` is the type of what has none of its own.
    fn tokens(&self, ty: Option<number::Type>) -> TokenStream {
        match self {
            Rust::Typed(tokens) => tokens.clone(),
            Rust::Constant((known, tokens)) => match (known, ty.map(primitive)) {
                (Some(n), None) => {
                    let n = Literal::i128_unsuffixed(*n);
                    quote!(__p::Wrapping(#n))
                }
                (Some(_), Some(ty)) => quote!(__p::Wrapping(#tokens as __p::#ty)),
                (None, Some(ty)) => quote!(__p::Wrapping(const { #tokens } as __p::#ty)),
                (None, None) => quote!(__p::Wrapping(const { #tokens } as _)),
            },
            Rust::If(condition, a, b) => {
                let (a, b) = (a.tokens(ty), b.tokens(ty));
                quote!((if #condition { #a } else { #b }))
            }
        }
    }
}

impl Number {
    fn typed(node: usize, tokens: TokenStream) -> Self {
        let rust = Rust::Typed(tokens);
        Self { node, rust }
    }

    /// Returns the number in Rust. `ty` is the type that [`number::check`] finds, if it's known.
    pub(crate) fn tokens(&self, ty: Option<number::Type>) -> TokenStream {
        self.rust
            .tokens(Some(ty.unwrap_or(number::Type::int(8, true))))
    }
}

/// Returns Rust's name of a type that's computed with.
fn primitive(ty: number::Type) -> Ident {
    let name = match ty {
        number::Type::Bool => "bool",
        number::Type::Pointer => "u64",
        number::Type::Int { .. } => ty.name(),
    };
    Ident::new(name, Span::mixed_site())
}

/// Returns the argument for a number.
pub(crate) fn bits(number: &TokenStream) -> TokenStream {
    quote!(__p::values::Number::bits(#number))
}

fn operator(op: &BinOp) -> Option<Op> {
    Some(match op {
        BinOp::Mul(_) => Op::Mul,
        BinOp::Div(_) => Op::Div,
        BinOp::Rem(_) => Op::Rem,
        BinOp::Add(_) => Op::Add,
        BinOp::Sub(_) => Op::Sub,
        BinOp::Shl(_) => Op::Shl,
        BinOp::Shr(_) => Op::Shr,
        BinOp::BitAnd(_) => Op::And,
        BinOp::BitXor(_) => Op::Xor,
        BinOp::BitOr(_) => Op::Or,
        BinOp::Eq(_) => Op::Eq,
        BinOp::Ne(_) => Op::Ne,
        BinOp::Lt(_) => Op::Lt,
        BinOp::Gt(_) => Op::Gt,
        BinOp::Le(_) => Op::Le,
        BinOp::Ge(_) => Op::Ge,
        BinOp::And(_) => Op::AndAnd,
        BinOp::Or(_) => Op::OrOr,
        _ => return None,
    })
}

const REFUSED: &str =
    "this can't be computed when the record is shown: compute it in a field's expression";

impl<'a> Compiler<'a> {
    /// Adds the parts of a number. The whole is the last one.
    pub(crate) fn number(&mut self, expr: &Expr, nodes: &mut Nodes<'a>) -> Option<Number> {
        let span = span_of(expr);
        Some(match expr {
            Expr::Paren(paren) => self.number(&paren.expr, nodes)?,
            Expr::Group(group) => self.number(&group.expr, nodes)?,
            Expr::Lit(ExprLit {
                lit: Lit::Bool(is), ..
            }) => Number::typed(nodes.known(Node::Bool(is.value), span), quote!(#is)),
            Expr::Lit(_) | Expr::Const(_) => self.constant(expr, nodes)?,
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) if !self.is_constant(name) => {
                    self.operand(name, Operand::Whole, nodes, span)?
                }
                _ => self.constant(expr, nodes)?,
            },
            Expr::Index(index) => match (as_name(&index.expr), inner(&index.index)) {
                (
                    Some(name),
                    Expr::Lit(ExprLit {
                        lit: Lit::Int(n), ..
                    }),
                ) => {
                    let n = self.parsed(n.base10_parse())?;
                    self.operand(name, Operand::Item(n), nodes, span)?
                }
                _ => {
                    let error = "an index must be a literal, so that it can be checked";
                    self.error(span_of(&index.index), error);
                    return None;
                }
            },
            Expr::MethodCall(call) => match as_name(&call.receiver) {
                Some(name) if call.method == "len" && call.args.is_empty() => {
                    self.operand(name, Operand::Len, nodes, span)?
                }
                _ => {
                    let error = "only `len()` can be called here; compute this in a field";
                    self.error(call.method.span(), error);
                    return None;
                }
            },
            Expr::Unary(unary) => {
                let of = self.number(&unary.expr, nodes)?;
                let (node, op) = match unary.op {
                    UnOp::Neg(op) => (Node::Neg(of.node), op.to_token_stream()),
                    UnOp::Not(op) => (Node::Not(of.node), op.to_token_stream()),
                    _ => {
                        self.error(span, REFUSED);
                        return None;
                    }
                };
                let node = nodes.known(node, span);
                let rust = match of.rust {
                    Rust::Constant((n, of)) => {
                        let n = n.and_then(|n| match unary.op {
                            UnOp::Neg(_) => n.checked_neg(),
                            _ => Some(!n),
                        });
                        Rust::Constant((n, quote!((#op #of))))
                    }
                    of => {
                        let ty = self.settled(&[&of], span_of(&unary.expr))?;
                        let of = of.tokens(ty);
                        Rust::Typed(quote!((#op #of)))
                    }
                };
                Number { node, rust }
            }
            Expr::Cast(cast) => {
                let ty = crate::types::name_of(&cast.ty);
                let ty = ty.and_then(|(name, _)| number::Type::named(&name));
                let Some(ty) = ty else {
                    self.error(span_of(&cast.ty), "expected an integer type, such as `u32`");
                    return None;
                };
                let of = self.number(&cast.expr, nodes)?;
                let (node, name) = (nodes.known(Node::Cast(ty, of.node), span), primitive(ty));
                let rust = of.rust.tokens(Some(ty));
                Number::typed(
                    node,
                    match ty {
                        number::Type::Bool => rust,
                        _ => quote!(__p::Wrapping(__p::values::Number::get(#rust) as __p::#name)),
                    },
                )
            }
            Expr::Binary(binary) => {
                let Some(op) = operator(&binary.op) else {
                    self.error(span_of(&binary.op), REFUSED);
                    return None;
                };
                let a = self.number(&binary.left, nodes)?;
                let b = self.number(&binary.right, nodes)?;
                let ty = match (op, &a.rust, &b.rust) {
                    (Op::Shl | Op::Shr, _, _) => self.settled(&[&a.rust], span_of(&binary.left))?,
                    (_, Rust::Constant(_), Rust::Constant(_)) => None,
                    _ if op.is_comparison() || op.is_logic() => None,
                    _ => self.settled(&[&a.rust, &b.rust], span)?,
                };
                let node = nodes.known(Node::Binary(op, a.node, b.node), span);
                let rust = combined(op, &binary.op, a.rust, b.rust, ty);
                Number { node, rust }
            }
            Expr::If(choice) => {
                let (condition, a, b) = self.parsed(branches(choice))?;
                let condition = self.number(condition, nodes)?;
                let (a, b) = (self.number(a, nodes)?, self.number(b, nodes)?);
                let node = nodes.known(Node::If(condition.node, a.node, b.node), span);
                let rust = one_of(condition.rust.tokens(None), a.rust, b.rust);
                Number { node, rust }
            }
            Expr::Match(choice) => {
                let (arms, other) = self.parsed(arms_of(choice))?;
                let of = self.number(&choice.expr, nodes)?;
                let mut values = Vec::new();
                for (_, value) in &arms {
                    values.push(self.number(value, nodes)?);
                }
                let mut whole = self.number(other, nodes)?;
                for ((keys, _), value) in arms.iter().zip(values).rev() {
                    let condition = self.one_of(&of, keys, nodes)?;
                    let node = Node::If(condition.node, value.node, whole.node);
                    let rust = one_of(condition.rust.tokens(None), value.rust, whole.rust);
                    whole = Number {
                        node: nodes.known(node, span),
                        rust,
                    };
                }
                whole
            }
            Expr::Macro(call) => {
                let error = match table_of(expr) {
                    Some(_) => "expected a number, found a string".into(),
                    None => {
                        let name = call.mac.path.to_token_stream();
                        format!("`{name}` can't be a part of an expression")
                    }
                };
                self.error(span, error);
                return None;
            }
            _ => {
                self.error(span, REFUSED);
                return None;
            }
        })
    }

    /// Returns the type that values get if none of them has one. As in [`number::check`], it follows
    /// from the constants.
    fn settled(&mut self, of: &[&Rust], span: Span) -> Option<Option<number::Type>> {
        if !of.iter().all(|of| of.is_untyped()) {
            return Some(None);
        }
        let ranges: Option<Vec<_>> = of.iter().map(|of| of.range()).collect();
        let Some(ranges) = ranges else {
            self.error(
                span,
                "write the type of the value, as in `(FLAG as u32) << n`",
            );
            return None;
        };
        let low = ranges.iter().map(|range| range.0).min()?;
        let high = ranges.iter().map(|range| range.1).max()?;
        Some(Some(number::default_of(low, high)))
    }

    /// Adds a literal or a constant of the driver's.
    fn constant(&mut self, expr: &Expr, nodes: &mut Nodes<'a>) -> Option<Number> {
        let span = span_of(expr);
        let error = match expr {
            Expr::Lit(ExprLit { lit, .. }) => match lit {
                Lit::Byte(byte) => return Some(known(byte.value().into(), None, nodes, span)),
                Lit::Int(int) => match literal(int) {
                    Ok((n, ty)) => return Some(known(n, ty, nodes, span)),
                    Err(error) => error,
                },
                Lit::Float(_) => "the kernel has no floating point".into(),
                Lit::Str(_) => "expected a number, found a string".into(),
                _ => "expected a number".into(),
            },
            _ => {
                let tokens = quote!(((#expr) as ::core::primitive::i128));
                let node = nodes.add(Err(quote!(__p::values::Node::Constant(#tokens))), span);
                let rust = Rust::Constant((None, tokens));
                return Some(Number { node, rust });
            }
        };
        self.error(span, error);
        None
    }

    /// Adds the condition that a number is one of `keys`.
    pub(crate) fn one_of(
        &mut self,
        of: &Number,
        keys: &[Key],
        nodes: &mut Nodes<'a>,
    ) -> Option<Number> {
        // Constants have any value.
        let tokens = |number: &Rust| match of.rust.is_untyped() {
            true => number.wide(),
            false => number.tokens(None),
        };
        let value = tokens(&of.rust);
        let mut whole: Option<(usize, TokenStream)> = None;
        for (from, to) in keys {
            let span = span_of(from);
            let from = self.key(from, nodes)?;
            let first = tokens(&from.rust);
            let (node, rust) = match to {
                None => (
                    nodes.known(Node::Binary(Op::Eq, of.node, from.node), span),
                    quote!(#value == #first),
                ),
                Some(to) => {
                    let to_span = span_of(to);
                    let to = self.key(to, nodes)?;
                    let last = tokens(&to.rust);
                    let above = nodes.known(Node::Binary(Op::Ge, of.node, from.node), span);
                    let below = nodes.known(Node::Binary(Op::Le, of.node, to.node), to_span);
                    (
                        nodes.known(Node::Binary(Op::AndAnd, above, below), span),
                        quote!((#value >= #first && #value <= #last)),
                    )
                }
            };
            whole = Some(match whole {
                None => (node, rust),
                Some((before, all)) => (
                    nodes.known(Node::Binary(Op::OrOr, before, node), span),
                    quote!(#all || #rust),
                ),
            });
        }
        let (node, rust) = whole?;
        Some(Number::typed(node, quote!((#rust))))
    }

    /// Adds a constant that a value is compared with.
    fn key(&mut self, expr: &Expr, nodes: &mut Nodes<'a>) -> Option<Number> {
        let span = span_of(expr);
        if let Some(n) = tables::shifted(expr, 64) {
            return Some(known(n, None, nodes, span));
        }
        match inner(expr) {
            Expr::Unary(unary) if matches!(inner(&unary.expr), Expr::Lit(_)) => {
                self.number(expr, nodes)
            }
            expr => self.constant(expr, nodes),
        }
    }

    /// Adds a field, an element or the number of elements.
    fn operand(
        &mut self,
        name: &Ident,
        what: Operand,
        nodes: &mut Nodes<'a>,
        span: Span,
    ) -> Option<Number> {
        let n = self.field(&name.to_string(), name.span())?;
        let (event, fields) = (self.event, self.fields);
        let Field {
            text,
            known,
            shape,
            start,
            ..
        } = &fields[n];
        let node = match known.map(|shape| Node::operand(text, &shape, what)) {
            Some(node) => match self.good(node, span, format_args!("field `{name}` "))? {
                Node::Constant(n) => return Some(self::known(n, None, nodes, span)),
                node => Ok(node),
            },
            None => {
                let what = match what {
                    Operand::Whole => quote!(Whole),
                    Operand::Item(n) => quote!(Item(#n)),
                    Operand::Len => quote!(Len),
                };
                Err(
                    quote!(__p::values::operand(#event, #text, #shape, __p::values::Operand::#what)),
                )
            }
        };
        // The type, and how far from the start it is.
        let (code, more, at) = match &node {
            Ok(node) => match place(*node) {
                (code, 0) => (quote!(#code), quote!(0), start.clone()),
                (code, more) => (quote!(#code), quote!(0), quote!(const { #more + #start })),
            },
            Err(node) => {
                let (code, more) = (
                    quote!(__p::values::place(#node).0),
                    quote!(__p::values::place(#node).1),
                );
                let at = quote!(const { #more + #start });
                (quote!({ #code }), quote!(const { #more }), at)
            }
        };
        let record = &self.record;
        let call = match what {
            Operand::Len => quote!(len(#record, #start, const { #code }, #more)),
            _ => quote!(load::<__p::values::Code<#code>>(#record, #at)),
        };
        let rust = quote! {
            // SAFETY: The record has it there.
            (unsafe { __p::values::#call })
        };
        Some(Number::typed(nodes.add(node, span), rust))
    }
}

/// Returns the value of a literal, and its type if it has a suffix.
fn literal(int: &LitInt) -> std::result::Result<(i128, Option<number::Type>), String> {
    let ty = match int.suffix() {
        "" => None,
        suffix => Some(number::Type::named(suffix).ok_or("this isn't an integer type")?),
    };
    let n = int
        .base10_parse::<i128>()
        .map_err(|_| "the number is too large")?;
    if let Some(ty @ number::Type::Int { size, signed }) = ty {
        // Perhaps with a minus before it.
        let limit = 1 << (8 * size - usize::from(signed));
        if n > limit || n == limit && !signed {
            return Err(number::Problem::DoesntFit(ty).text().as_str().into());
        }
    }
    Ok((n, ty))
}

/// Adds a constant that's known.
fn known(n: i128, ty: Option<number::Type>, nodes: &mut Nodes<'_>, span: Span) -> Number {
    let node = nodes.known(Node::Constant(n), span);
    let tokens = Literal::i128_suffixed(n).into_token_stream();
    match ty {
        None => Number {
            node,
            rust: Rust::Constant((Some(n), tokens)),
        },
        Some(ty) => {
            let name = primitive(ty);
            let node = nodes.known(Node::Cast(ty, node), span);
            Number::typed(node, quote!(__p::Wrapping(#tokens as __p::#name)))
        }
    }
}

/// Returns one of two values.
fn one_of(condition: TokenStream, a: Rust, b: Rust) -> Rust {
    if let (Rust::Typed(_), _) | (_, Rust::Typed(_)) = (&a, &b) {
        let (a, b) = (a.tokens(None), b.tokens(None));
        return Rust::Typed(quote!((if #condition { #a } else { #b })));
    }
    Rust::If(condition, Box::new(a), Box::new(b))
}

/// Returns what an operator makes of two values. `ty` is their type if they have none.
fn combined(op: Op, tokens: &BinOp, a: Rust, b: Rust, ty: Option<number::Type>) -> Rust {
    let is_arithmetic = !op.is_comparison() && !op.is_logic();
    if let (Rust::Constant((a, left)), Rust::Constant((b, right)), true) = (&a, &b, is_arithmetic) {
        let n = match (a, b) {
            (Some(a), Some(b)) => number::fold(op, *a, *b),
            _ => None,
        };
        let tokens = match n {
            Some(n) => Literal::i128_suffixed(n).into_token_stream(),
            None => quote!((#left #tokens #right)),
        };
        return Rust::Constant((n, tokens));
    }
    Rust::Typed(if let Op::Shl | Op::Shr = op {
        let (a, b) = (a.tokens(ty), b.tokens(Some(number::Type::int(4, true))));
        quote!((#a #tokens (__p::values::Number::get(#b) as __p::usize)))
    } else {
        let (a, b) = match op.is_comparison() && a.is_untyped() && b.is_untyped() {
            true => (a.wide(), b.wide()),
            false => (a.tokens(ty), b.tokens(ty)),
        };
        quote!((#a #tokens #b))
    })
}
