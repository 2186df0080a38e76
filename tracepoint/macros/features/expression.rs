// SPDX-License-Identifier: GPL-2.0

//! The expressions of an event: those of its fields, and its condition.
//!
//! They run once the event is enabled, so none of them may panic. Sums, differences, products and shifts wrap, as
//! in C. Whether anything else could panic, such as a division, is seen in the object code, by `check-events`.

use crate::{
    args::{scalar, Args},
    show::Kind,
    tokens::{as_integer, group, inner, span_of},
    types::integer_named,
};
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use syn::{
    visit_mut::{self, VisitMut},
    BinOp, Expr, ExprBinary, ExprCall, ExprCast, ExprConst, ExprUnary, GenericArgument, Item, Pat,
    Type, UnOp,
};

/// Returns the expression with arithmetic that wraps. In an expression of a record, `elements` counts the
/// calls of `elements()`, which compute them in the local `room`.
pub(crate) fn rewrite(mut expr: Expr, elements: Option<&mut usize>) -> Expr {
    Rewriter { elements }.visit_expr_mut(&mut expr);
    expr
}

/// Returns statements after which an expression can't panic once it's rewritten, and calls nothing, not even an
/// operator of the driver's: it has only literals and arguments, which the statements pin to integers and `bool`.
/// For any other expression, returns `None`.
pub(crate) fn pinned(expr: &Expr, args: &Args) -> Option<TokenStream> {
    match inner(expr) {
        Expr::Lit(_) => Some(TokenStream::new()),
        Expr::Path(path) => {
            let name = path.path.get_ident()?;
            let arg = args.0.iter().find(|arg| arg.name == *name)?;
            let ty = scalar(&arg.ty)?;
            Some(quote!(let #name: #ty = #name;))
        }
        Expr::Unary(ExprUnary {
            op: UnOp::Not(_) | UnOp::Neg(_),
            expr,
            ..
        })
        | Expr::Cast(ExprCast { expr, .. }) => pinned(expr, args),
        // A division by zero panics, and one by -1 can overflow, which a literal with the highest bit may be.
        Expr::Binary(ExprBinary {
            op: BinOp::Div(_) | BinOp::Rem(_),
            right,
            ..
        }) if !literal(right).is_some_and(|n| n != 0 && n < 1 << (bits(expr, args) - 1)) => None,
        // A shift by a literal isn't rewritten, so it doesn't wrap.
        Expr::Binary(ExprBinary {
            op: BinOp::Shl(_) | BinOp::Shr(_),
            right,
            ..
        }) if is_literal(right) && literal(right).is_none_or(|n| n >= bits(expr, args).into()) => {
            None
        }
        Expr::Binary(ExprBinary { left, right, .. }) => {
            let (left, right) = (pinned(left, args)?, pinned(right, args)?);
            Some(quote!(#left #right))
        }
        _ => None,
    }
}

/// Returns how many bits an operation of literals and arguments has at least.
fn bits(expr: &Expr, args: &Args) -> u32 {
    match inner(expr) {
        Expr::Path(path) => {
            let arg = args.0.iter().find(|arg| path.path.is_ident(&arg.name));
            match arg.and_then(|arg| integer_named(&arg.ty.to_token_stream().to_string())) {
                Some((_, Kind::Int { size, .. })) => 8 * size as u32,
                _ => 8,
            }
        }
        Expr::Binary(ExprBinary { left, .. }) => bits(left, args),
        _ => 8,
    }
}

fn literal(expr: &Expr) -> Option<u128> {
    as_integer(expr)?.base10_parse().ok()
}

/// Whether it consists of literals only. Then the compiler computes it and reports an overflow.
fn is_literal(expr: &Expr) -> bool {
    match inner(expr) {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => is_literal(&unary.expr),
        Expr::Binary(binary) => is_literal(&binary.left) && is_literal(&binary.right),
        _ => false,
    }
}

/// Returns a local of ours at a place, where the compiler reports errors about it.
fn local_at(name: &str, span: Span) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site().located_at(span))
}

/// Returns the expression in parentheses, so that it can be part of any other. It stands for what was
/// at `span`.
fn verbatim(span: Span, tokens: TokenStream) -> Expr {
    // If the parentheses had a span of ours, the compiler wouldn't report errors about the operation around them.
    Expr::Verbatim(group(Delimiter::Parenthesis, tokens, span).into_token_stream())
}

/// Expands a value which has the type of `builtin`, which isn't executed. The local keeps
/// an error about the type of the result to one place.
fn typed(span: Span, builtin: TokenStream, wrapping: TokenStream) -> TokenStream {
    let result = local_at("result", span);
    quote! {
        let #result = if false { #builtin } else { #wrapping };
        #result
    }
}

fn binary(expr: &ExprBinary, span: Span) -> Option<Expr> {
    let (left, op, right) = (&expr.left, &expr.op, &expr.right);
    let name = op.to_token_stream().to_string();
    // The trait of the library that has the wrapping form. A division has none: it panics if the divisor is zero.
    let operator = match name.trim_end_matches('=') {
        "+" => quote!(Add),
        "-" => quote!(Sub),
        "*" => quote!(Mul),
        // The compiler reports a shift that's too large.
        "<<" | ">>" if is_literal(right) => return None,
        "<<" => quote!(Shl),
        ">>" => quote!(Shr),
        _ => return None,
    };
    let (l, r) = (local_at("l", span_of(left)), local_at("r", span_of(right)));
    let wrapping = |l: TokenStream| {
        quote_spanned! {Span::mixed_site().located_at(span_of(op))=>
            <_ as __p::arithmetic::#operator<_, _>>::wrapping(#l, #r)
        }
    };
    let value = if name.ends_with('=') {
        let wrapping = wrapping(quote!(*#l));
        quote! {
            match #right {
                #r => match &mut (#left) {
                    #l => if false { *#l #op #r } else { *#l = #wrapping },
                },
            }
        }
    } else {
        let value = typed(span, quote!(#l #op #r), wrapping(quote!(#l)));
        quote!(match (#left, #right) { (#l, #r) => { #value } })
    };
    Some(verbatim(span, value))
}

fn negative(expr: &ExprUnary, span: Span) -> Expr {
    let (op, operand) = (&expr.op, &expr.expr);
    let n = local_at("n", span_of(operand));
    let wrapping = quote_spanned! {Span::mixed_site().located_at(span_of(op))=>
        <_ as __p::arithmetic::Neg<_>>::wrapping(#n)
    };
    let result = typed(span, quote!(#op #n), wrapping);
    verbatim(span, quote!(match #operand { #n => { #result } }))
}

struct Rewriter<'a> {
    elements: Option<&'a mut usize>,
}

impl Rewriter<'_> {
    /// Computes the elements of a call of `elements()`.
    fn elements(&mut self, call: &ExprCall) -> Option<Expr> {
        let count = self.elements.as_mut()?;
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let mut names = path.path.segments.iter().rev().map(|part| &part.ident);
        if names.next()? != "elements" || names.next().is_some_and(|of| of != "event") {
            return None;
        }
        **count += 1;
        let hidden = Span::mixed_site();
        let computed = quote_spanned!(hidden=> #call.__computed(&__room));
        Some(verbatim(span_of(call), computed))
    }
}

impl VisitMut for Rewriter<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let span = span_of(expr);
        match expr {
            // The length is a constant.
            Expr::Repeat(repeat) => return self.visit_expr_mut(&mut repeat.expr),
            _ if is_literal(expr) => return,
            _ => visit_mut::visit_expr_mut(self, expr),
        }
        let rewritten = match expr {
            Expr::Binary(expr) => binary(expr, span),
            Expr::Unary(expr) if matches!(expr.op, UnOp::Neg(_)) => Some(negative(expr, span)),
            Expr::Call(call) => self.elements(call),
            _ => None,
        };
        if let Some(rewritten) = rewritten {
            *expr = rewritten;
        }
    }

    // Constants, and functions of the driver's own.
    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}
    fn visit_item_mut(&mut self, _: &mut Item) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_generic_argument_mut(&mut self, _: &mut GenericArgument) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
}
