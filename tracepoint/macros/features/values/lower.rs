// SPDX-License-Identifier: GPL-2.0

//! Numbers after a template, in both languages.
//!
//! One walk makes two forms of a number: Rust's expression for the function that prints, and the calls of
//! `__p::values::Value` that write C's at compile time. In Rust, fields are `Wrapping` numbers, so nothing panics, and
//! the compiler checks that the types fit each other.

use super::{branches, chain_of, table_of};
use crate::{
    compiler::Compiler,
    show::Kind,
    tokens::{as_integer, as_name, inner, span_of},
    types::{self, integer_named, name_of},
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{Expr, ExprBinary, ExprLit, Lit, Type, UnOp};

/// A number.
pub(crate) struct Number {
    /// A `Wrapping`, a `bool` or a pointer in Rust.
    rust: TokenStream,
    /// A `__p::values::Value`.
    pub(crate) c: TokenStream,
    /// Constants have none of their own.
    has_type: bool,
    /// The value of a constant without a type, an `i128`.
    constant: Option<TokenStream>,
}

impl Number {
    fn typed(rust: TokenStream, c: TokenStream) -> Self {
        Self {
            rust,
            c,
            has_type: true,
            constant: None,
        }
    }

    fn constant(n: TokenStream, at: Span) -> Self {
        Self {
            rust: quote_spanned!(at=> __p::Wrapping(const { #n } as _)),
            c: quote_spanned!(at=> __p::values::Value::constant(#n)),
            has_type: false,
            constant: Some(n),
        }
    }

    /// Returns the number that's cast to a type.
    fn cast(self, ty: &Ident, at: Span) -> Self {
        let values = quote_spanned!(at=> __p::values);
        let (rust, c) = match &self.constant {
            Some(n) => (
                quote_spanned!(at=> const { #n }),
                quote_spanned!(at=> #values::Value::constant(#n as __p::#ty as ::core::primitive::i128)),
            ),
            None => (self.rust(&self), self.c),
        };
        Self::typed(
            quote_spanned!(at=> #values::cast::<__p::#ty>(#rust)),
            quote_spanned!(at=> #values::Value::cast(#c, #values::type_of::<__p::#ty>())),
        )
    }

    /// Returns the number in Rust, as an operand beside another one. If neither has a type, it's an `i32`.
    pub(super) fn rust(&self, other: &Self) -> TokenStream {
        let rust = &self.rust;
        match self.has_type || other.has_type {
            true => rust.clone(),
            false => quote!(::core::convert::identity::<__p::Wrapping<__p::i32>>(#rust)),
        }
    }

    /// Returns the bits of the number, as an argument of the function that prints.
    pub(crate) fn bits(&self, at: Span) -> TokenStream {
        let rust = self.rust(self);
        quote_spanned!(at=> (__p::values::Operand::bits(#rust) as __p::u64))
    }
}

const COMPARISONS: [&str; 6] = ["==", "!=", "<", ">", "<=", ">="];

const REFUSED: &str =
    "this can't be computed when the record is shown: compute it in a field's expression";

/// The part of a field that is an operand.
enum Part {
    /// A number.
    Whole,
    /// An element of an array.
    Item(usize),
    /// How many elements there are.
    Len,
}

impl Compiler<'_> {
    /// Lowers a number.
    pub(crate) fn number(&mut self, expr: &Expr) -> Option<Number> {
        let expr = inner(expr);
        // The compiler reports errors there.
        let at = Span::mixed_site().located_at(span_of(expr));
        let value = quote_spanned!(at=> __p::values::Value);
        Some(match expr {
            Expr::Lit(ExprLit { lit, .. }) => match lit {
                Lit::Int(int) => self.literal(expr, int.suffix(), at)?,
                Lit::Byte(_) => self.literal(expr, "", at)?,
                Lit::Bool(is) => Number::typed(quote!(#is), quote!(#value::boolean(#is))),
                Lit::Float(_) => return self.refused(at, "the kernel has no floating point"),
                Lit::Str(_) => return self.refused(at, "expected a number, found a string"),
                _ => return self.refused(at, "expected a number"),
            },
            Expr::Const(_) => self.literal(expr, "", at)?,
            Expr::Path(_) => match self.name_of_field(expr) {
                Some(name) => self.operand(name, Part::Whole, at)?,
                None => self.literal(expr, "", at)?,
            },
            Expr::Index(index) => match (as_name(&index.expr), as_integer(&index.index)) {
                (Some(name), Some(n)) => {
                    let n = self.parsed(n.base10_parse())?;
                    self.operand(name, Part::Item(n), at)?
                }
                _ => {
                    let error = "an index must be a literal, so that it can be checked";
                    return self.refused(span_of(&index.index), error);
                }
            },
            Expr::MethodCall(call) => match as_name(&call.receiver) {
                Some(name) if call.method == "len" && call.args.is_empty() => {
                    self.operand(name, Part::Len, at)?
                }
                _ => {
                    let error = "only `len()` can be called here; compute this in a field";
                    return self.refused(call.method.span(), error);
                }
            },
            Expr::Unary(unary) => {
                let op = &unary.op;
                let name = match (op, as_integer(&unary.expr)) {
                    (UnOp::Neg(_), Some(int)) => return self.literal(expr, int.suffix(), at),
                    (UnOp::Neg(_), _) => quote!(neg),
                    (UnOp::Not(_), _) => quote!(not),
                    _ => return self.refused(at, REFUSED),
                };
                let of = self.number(&unary.expr)?;
                if let Some(n) = of.constant {
                    return Some(Number::constant(quote_spanned!(at=> (#op #n)), at));
                }
                let (rust, c) = (of.rust(&of), of.c);
                Number::typed(
                    quote_spanned!(at=> (#op #rust)),
                    quote_spanned!(at=> #value::#name(#c)),
                )
            }
            Expr::Cast(cast) => {
                let Some(ty) = integer(&cast.ty) else {
                    let error = "expected an integer type, such as `u32`";
                    return self.refused(span_of(&cast.ty), error);
                };
                self.number(&cast.expr)?.cast(&ty, at)
            }
            Expr::Binary(binary) => self.binary(binary, at)?,
            Expr::If(choice) => {
                let (condition, a, b) = self.parsed(branches(choice))?;
                let condition = self.number(condition)?;
                let (a, b) = (self.number(a)?, self.number(b)?);
                let (then, other, is) = (&a.rust, &b.rust, condition.rust(&condition));
                let (then_c, other_c, is_c) = (&a.c, &b.c, condition.c);
                Number {
                    rust: quote_spanned!(at=> (if #is { #then } else { #other })),
                    c: quote_spanned!(at=> #value::choice(#is_c, #then_c, #other_c)),
                    has_type: a.has_type || b.has_type,
                    constant: None,
                }
            }
            Expr::Match(choice) => {
                let chain = self.parsed(chain_of(choice))?;
                self.number(&chain)?
            }
            Expr::Macro(call) => {
                let name = call.mac.path.to_token_stream();
                let error = match table_of(expr) {
                    Some(_) => "expected a number, found a string".into(),
                    None => format!("`{name}` can't be a part of an expression"),
                };
                return self.refused(at, error);
            }
            _ => return self.refused(at, REFUSED),
        })
    }

    /// Lowers an operation with two operands.
    fn binary(&mut self, binary: &ExprBinary, at: Span) -> Option<Number> {
        let op = &binary.op;
        let name = op.to_token_stream().to_string();
        let is_comparison = COMPARISONS.contains(&name.as_str());
        // An assignment, such as `+=`.
        if name.ends_with('=') && !is_comparison {
            return self.refused(span_of(op), REFUSED);
        }
        let (a, b) = (self.number(&binary.left)?, self.number(&binary.right)?);
        if let (Some(a), Some(b)) = (&a.constant, &b.constant) {
            let n = quote_spanned!(at=> (#a #op #b));
            return Some(match is_comparison {
                true => Number::typed(
                    quote_spanned!(at=> const { #n }),
                    quote_spanned!(at=> __p::values::Value::boolean(#n)),
                ),
                false => Number::constant(n, at),
            });
        }
        let rust = if matches!(name.as_str(), "<<" | ">>") {
            let (a, by) = (a.rust(&a), b.rust(&b));
            let by = quote_spanned!(at=> __p::values::Operand::bits(#by) as __p::usize);
            quote_spanned!(at=> (#a #op (#by)))
        } else {
            let (a, b) = (a.rust(&b), b.rust(&a));
            quote_spanned!(at=> (#a #op #b))
        };
        // A wrong divisor is reported where it is.
        let at = match name.as_str() {
            "/" | "%" => Span::mixed_site().located_at(span_of(&binary.right)),
            _ => at,
        };
        let (a, b) = (a.c, b.c);
        let c = quote_spanned!(at=> __p::values::Value::binary(#a, #name, #b));
        Some(Number::typed(rust, c))
    }

    /// Lowers a literal or a constant of the driver's.
    fn literal(&mut self, expr: &Expr, suffix: &str, at: Span) -> Option<Number> {
        // If it differed, the print function could divide by zero, for which only C's form is checked.
        self.parsed(types::check(expr))?;
        let n = Number::constant(quote!(((#expr) as ::core::primitive::i128)), at);
        Some(
            match syn::parse_str(suffix).ok().and_then(|ty| integer(&ty)) {
                Some(ty) => n.cast(&ty, at),
                None => n,
            },
        )
    }

    /// Lowers a field, an element or the number of elements.
    fn operand(&mut self, name: &Ident, part: Part, at: Span) -> Option<Number> {
        let n = self.field(&name.to_string(), name.span())?;
        let field = &self.fields[n];
        let (text, shape, start) = (&field.text, &field.shape, &field.start);
        let load = |n: TokenStream| {
            let code = quote!(__p::values::Code<{ __p::values::code(#shape) }>);
            quote!(load::<#code>(__record, #start, #n))
        };
        let (load, c) = match part {
            Part::Whole => (load(quote!(0)), quote!(field(#text, #shape))),
            Part::Item(n) => (load(quote!(#n)), quote!(item(#text, #shape, #n))),
            Part::Len => (
                quote!(len(__record, #start, const { #shape })),
                quote!(len(#text, #shape)),
            ),
        };
        Some(Number::typed(
            quote_spanned! {at=>
                // SAFETY: The record has the field there, and `Value` checks its kind and the
                // index.
                (unsafe { __p::values::#load })
            },
            quote_spanned!(at=> __p::values::Value::#c),
        ))
    }
}

/// Returns the integer type with a name, as Rust's primitive.
fn integer(ty: &Type) -> Option<Ident> {
    let (name, _) = name_of(ty)?;
    match integer_named(&name)?.1 {
        Kind::Int { size, signed } if name != "bool" => {
            let sign = if signed { "i" } else { "u" };
            Some(format_ident!("{sign}{}", 8 * size))
        }
        _ => None,
    }
}
