// SPDX-License-Identifier: GPL-2.0

//! The expressions of an event: those of its fields, and its condition.
//!
//! They run once the event is enabled, so none of them may panic. Arithmetic wraps, as in C; anything else
//! that could panic is an error at its location. The macro can't see what the driver's functions and other
//! macros do: `check-events` looks at the object code.

use crate::{
    grammar::{span_of, Errors},
    tracepoint::local,
};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use std::cell::Cell;
use syn::{
    ext::IdentExt,
    parse::{ParseStream, Parser},
    punctuated::Punctuated,
    visit::Visit,
    visit_mut::{self, VisitMut},
    AngleBracketedGenericArguments, BinOp, Error, Expr, ExprBinary, ExprCall, ExprConst, ExprIndex,
    ExprMethodCall, ExprUnary, Item, Lit, Macro, Member, Pat, Result, Token, Type, UnOp,
};

/// Where an expression is.
pub(crate) struct Place {
    /// The event or class.
    event: String,
    /// The part of the event, such as "the field `n`".
    what: String,
    /// How often `elements()` is called, where it can be.
    elements: Option<Cell<usize>>,
}

impl Place {
    pub(crate) fn new(event: &Ident, what: impl Into<String>) -> Self {
        Self {
            event: event.to_string(),
            what: what.into(),
            elements: None,
        }
    }

    /// Rewrites an expression of a record. Adds to the number of calls of `elements()`, which compute them
    /// in the local [`room`].
    pub(crate) fn rewrite(
        mut self,
        expr: &Expr,
        elements: &mut usize,
        errors: &mut Errors,
    ) -> Expr {
        self.elements = Some(Cell::new(*elements));
        let expr = rewrite(expr, &self, errors);
        *elements = self.elements.map_or(0, Cell::into_inner);
        expr
    }

    /// Returns the first line of a message.
    fn message(&self, problem: &str) -> String {
        format!("`{}`: {} {problem}", self.event, self.what)
    }

    fn error(&self, span: Span, problem: &str, help: &str) -> Error {
        let message = self.message(problem);
        if help.is_empty() {
            return Error::new(span, message);
        }
        Error::new(span, format!("{message}\nhelp: {help}"))
    }
}

/// The local with the room for what a record's expressions compute.
pub(crate) fn room() -> Ident {
    local("room")
}

/// Returns the expression with arithmetic that wraps. Anything that could panic is added to the errors.
pub(crate) fn rewrite(expr: &Expr, place: &Place, errors: &mut Errors) -> Expr {
    let mut expr = expr.clone();
    Rewriter { place, errors }.visit_expr_mut(&mut expr);
    expr
}

/// Whether a function or a macro is called in the expression.
pub(crate) fn calls(expr: &Expr) -> bool {
    #[derive(Default)]
    struct Calls(bool);

    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr_call(&mut self, _: &'ast ExprCall) {
            self.0 = true;
        }

        fn visit_expr_method_call(&mut self, _: &'ast ExprMethodCall) {
            self.0 = true;
        }

        fn visit_macro(&mut self, _: &'ast Macro) {
            self.0 = true;
        }
    }

    let mut calls = Calls::default();
    calls.visit_expr(expr);
    calls.0
}

/// Macros that panic.
const PANICS: [&str; 10] = [
    "panic",
    "todo",
    "unimplemented",
    "unreachable",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
];

/// Macros whose arguments are expressions.
const OF_EXPRESSIONS: [&str; 10] = [
    "format_args",
    "trace",
    "pr_emerg",
    "pr_alert",
    "pr_crit",
    "pr_err",
    "pr_warn",
    "pr_notice",
    "pr_info",
    "pr_debug",
];

/// Methods that can panic, and what to use instead.
const METHODS: [(&str, &str); 24] = [
    ("unwrap", "use `unwrap_or(…)`"),
    ("expect", "use `unwrap_or(…)`"),
    ("unwrap_err", "use `err()`"),
    ("expect_err", "use `err()`"),
    ("split_at", "use `split_at_checked(…)`"),
    ("split_at_mut", "use `split_at_mut_checked(…)`"),
    ("copy_from_slice", ""),
    ("clone_from_slice", ""),
    ("copy_within", ""),
    ("swap_with_slice", ""),
    ("sum", "use `fold(0, |sum, n| sum + n)`, which wraps"),
    (
        "product",
        "use `fold(1, |product, n| product * n)`, which wraps",
    ),
    ("ilog", "use `checked_ilog(…).unwrap_or(0)`"),
    ("ilog2", "use `checked_ilog2().unwrap_or(0)`"),
    ("ilog10", "use `checked_ilog10().unwrap_or(0)`"),
    ("isqrt", "use `checked_isqrt().unwrap_or(0)`"),
    (
        "next_power_of_two",
        "use `checked_next_power_of_two().unwrap_or(0)`",
    ),
    (
        "next_multiple_of",
        "use `checked_next_multiple_of(…).unwrap_or(0)`",
    ),
    ("clamp", "use `max(…).min(…)`"),
    ("div_euclid", "use `checked_div_euclid(…).unwrap_or(0)`"),
    ("rem_euclid", "use `checked_rem_euclid(…).unwrap_or(0)`"),
    ("div_ceil", "divide by a constant"),
    ("step_by", "use a constant that isn't zero"),
    ("windows", "use a constant that isn't zero"),
];

/// Of these, the ones that can't panic if their argument is a constant above zero.
const WITH_CONSTANT: [&str; 9] = [
    "div_euclid",
    "rem_euclid",
    "div_ceil",
    "step_by",
    "windows",
    "chunks",
    "chunks_exact",
    "rchunks",
    "rchunks_exact",
];

/// Returns what to use instead of a method, if it can panic.
fn panics(name: &str) -> Option<&'static str> {
    if let Some((_, help)) = METHODS.iter().find(|(method, _)| *method == name) {
        return Some(help);
    }
    if WITH_CONSTANT.contains(&name) {
        return Some("use a constant that isn't zero");
    }
    let strict = name.starts_with("strict_");
    strict.then_some("use the operator, which wraps")
}

/// Returns the expression without parentheses.
fn inner(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => inner(&paren.expr),
        Expr::Group(group) => inner(&group.expr),
        _ => expr,
    }
}

/// Returns the value of an integer literal, with its sign.
fn literal(expr: &Expr) -> Option<(bool, u128)> {
    match inner(expr) {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => Some((false, int.base10_parse().ok()?)),
            Lit::Byte(byte) => Some((false, byte.value().into())),
            _ => None,
        },
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => literal(expr).map(|(sign, value)| (!sign, value)),
        _ => None,
    }
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

/// Whether it looks like a constant. The compiler checks whether it is one.
fn is_constant(expr: &Expr) -> bool {
    match inner(expr) {
        Expr::Lit(_) | Expr::Const(_) => true,
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.unraw().to_string();
            name.contains(|c: char| c.is_ascii_uppercase())
                && !name.contains(|c: char| c.is_ascii_lowercase())
        }),
        Expr::Cast(cast) => is_constant(&cast.expr),
        Expr::Unary(unary) => !matches!(unary.op, UnOp::Deref(_)) && is_constant(&unary.expr),
        Expr::Binary(binary) => {
            !is_assignment(&binary.op) && is_constant(&binary.left) && is_constant(&binary.right)
        }
        Expr::Call(call) if call.args.is_empty() => match inner(&call.func) {
            Expr::Path(path) => path
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident == "size_of" || last.ident == "align_of"),
            _ => false,
        },
        _ => false,
    }
}

/// Returns the trait of the library that has the operator's wrapping form.
fn operator(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) | BinOp::AddAssign(_) => "Add",
        BinOp::Sub(_) | BinOp::SubAssign(_) => "Sub",
        BinOp::Mul(_) | BinOp::MulAssign(_) => "Mul",
        BinOp::Div(_) | BinOp::DivAssign(_) => "Div",
        BinOp::Rem(_) | BinOp::RemAssign(_) => "Rem",
        BinOp::Shl(_) | BinOp::ShlAssign(_) => "Shl",
        BinOp::Shr(_) | BinOp::ShrAssign(_) => "Shr",
        _ => return None,
    })
}

fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Returns the largest value that an index can have, if its last operation limits it: `i % N`,
/// `i & MASK`, or `(i & MASK) as usize`.
fn bound(index: &Expr) -> Option<TokenStream> {
    let binary = |expr: &Expr| match inner(expr) {
        Expr::Binary(binary) => Some(binary.clone()),
        _ => None,
    };
    if let Some(ExprBinary { op, right, .. }) = binary(index) {
        if matches!(op, BinOp::Rem(_)) && is_constant(&right) {
            return Some(quote!((#right) - 1));
        }
    }
    let masked = match inner(index) {
        Expr::Cast(cast) => inner(&cast.expr),
        expr => expr,
    };
    let ExprBinary {
        left, op, right, ..
    } = binary(masked)?;
    if !matches!(op, BinOp::BitAnd(_)) {
        return None;
    }
    [right, left]
        .into_iter()
        .find(|mask| is_constant(mask))
        .map(|mask| quote!((#mask) as __p::usize))
}

struct Rewriter<'a> {
    place: &'a Place,
    errors: &'a mut Errors,
}

/// Returns a local of ours at the place of an expression, where the compiler reports errors about it.
fn local_at(name: &str, expr: &Expr) -> Ident {
    let local = local(name);
    let span = local.span().located_at(span_of(expr));
    Ident::new(&local.to_string(), span)
}

/// Returns the expression in parentheses, so that it can be part of any other. It stands for what was
/// at `span`.
fn verbatim(span: Span, tokens: TokenStream) -> Expr {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(Span::mixed_site().located_at(span));
    Expr::Verbatim(group.into_token_stream())
}

impl Rewriter<'_> {
    fn refuse(&mut self, span: Span, problem: &str, help: &str) {
        self.errors.add(self.place.error(span, problem, help));
    }

    /// Expands a check at `span` that the type of `value`, a reference, is one of `types`.
    fn require(
        &self,
        value: TokenStream,
        mutable: Option<Token![mut]>,
        types: &[TokenStream],
        span: Span,
        [problem, label, help]: [&str; 3],
    ) -> TokenStream {
        let message = self.place.message(problem);
        let span = Span::mixed_site().located_at(span);
        let check = quote_spanned!(span=> <_ as __Required>::__check(#value));
        quote!({
            #[diagnostic::on_unimplemented(message = #message, label = #label, note = #help)]
            trait __Required {
                #[inline(always)]
                fn __check(value: &#mutable Self) -> &#mutable Self {
                    value
                }
            }
            #(
                #[diagnostic::do_not_recommend]
                impl #types
            )*
            #check
        })
    }

    /// Visits a place that's written to.
    fn visit_place(&mut self, place: &mut Expr) {
        match place {
            Expr::Index(index) => {
                self.visit_place(&mut index.expr);
                let mutable = Some(<Token![mut]>::default());
                if let Some(checked) = self.index(index, mutable) {
                    *place = checked;
                }
            }
            Expr::Field(field) => self.visit_place(&mut field.base),
            Expr::Paren(paren) => self.visit_place(&mut paren.expr),
            Expr::Group(group) => self.visit_place(&mut group.expr),
            _ => self.visit_expr_mut(place),
        }
    }

    /// Expands an index. Its base has been visited.
    fn index(&mut self, expr: &ExprIndex, mutable: Option<Token![mut]>) -> Option<Expr> {
        const SLICE: &str = "use `.get(…).unwrap_or(&[])`";
        const ELEMENT: &str = "use `.get(…).copied().unwrap_or(0)`";
        let (base, index) = (&expr.expr, &expr.index);
        let span = span_of(index);
        if let Expr::Range(range) = inner(index) {
            if range.start.is_some() || range.end.is_some() {
                self.refuse(span, "could panic: the range may be out of bounds", SLICE);
            }
            return None;
        }
        let largest = if is_constant(index) {
            index.to_token_stream()
        } else if let Some(bound) = bound(index) {
            bound
        } else {
            self.refuse(span, "could panic: the index may be out of bounds", ELEMENT);
            return None;
        };
        let message = self
            .place
            .message("could panic: the index may be out of bounds");
        let in_range = quote_spanned! {span=>
            const {
                if #largest >= __LEN {
                    ::core::panic!(#message);
                }
            }
        };
        let array = local_at("array", base);
        let method = if mutable.is_some() {
            quote!(__indexed_mut)
        } else {
            quote!(__indexed)
        };
        let check = self.require(
            array.to_token_stream(),
            mutable,
            &[quote! {
                <__T, const __LEN: __p::usize> __Required for [__T; __LEN] {
                    #[inline(always)]
                    fn __check(value: &#mutable Self) -> &#mutable Self {
                        #in_range
                        value
                    }
                }
            }],
            span_of(base),
            [
                "could panic: the slice may be too short",
                "not an array",
                ELEMENT,
            ],
        );
        let mut expr = expr.clone();
        if !is_constant(index) {
            self.visit_expr_mut(&mut expr.index);
        }
        *expr.expr = verbatim(
            span_of(base),
            quote! {
                *{
                    use __p::arithmetic::Indexed as _;
                    match (#base).#method() {
                        #array => #check
                    }
                }
            },
        );
        Some(expr.into())
    }

    /// Expands a divisor that's a constant: the build fails if it's zero.
    fn nonzero(&self, divisor: &Expr) -> TokenStream {
        let message = self.place.message("divides by zero");
        let value = local_at("divisor", divisor);
        quote_spanned! {span_of(divisor)=>
            const {
                let #value = #divisor;
                if #value == 0 {
                    ::core::panic!(#message);
                }
                #value
            }
        }
    }

    fn binary(&mut self, expr: &ExprBinary, span: Span) -> Option<Expr> {
        let ExprBinary {
            left, op, right, ..
        } = expr;
        let operator = operator(op)?;
        let assigns = is_assignment(op);
        let divides = matches!(operator, "Div" | "Rem");
        let (l, r) = (local_at("l", left), local_at("r", right));
        let mut right_value = right.to_token_stream();
        let mut check = None;
        let mut can_overflow = true;
        match literal(right) {
            Some((_, 0)) if divides => {
                self.refuse(span_of(right), "divides by zero", "");
                return None;
            }
            // Only by -1 can it overflow.
            Some((minus, value)) if divides && !(minus && value == 1) => return None,
            // The compiler reports one that's too large.
            Some(_) if matches!(operator, "Shl" | "Shr") => return None,
            _ if divides && is_constant(right) => right_value = self.nonzero(right),
            _ if divides => {
                can_overflow = false;
                let method = if operator == "Div" { "div" } else { "rem" };
                let help = format!("use `checked_{method}(…).unwrap_or(0)`");
                let types = ["u8", "u16", "u32", "u64", "usize"].map(|name| {
                    let name = Ident::new(name, Span::call_site());
                    quote!(__Required for __p::NonZero<__p::#name> {})
                });
                check = Some(self.require(
                    quote_spanned!(r.span()=> &#r),
                    None,
                    &types,
                    span_of(right),
                    ["could divide by zero", "may be zero", &help],
                ));
            }
            _ => {}
        }
        let operator = Ident::new(operator, Span::call_site());
        let wrapping = |l| {
            quote_spanned! {Span::mixed_site().located_at(span_of(op))=>
                <_ as __p::arithmetic::#operator<_, _>>::wrapping(#l, #r)
            }
        };
        let check = check.map(|check| quote!(#check;));
        if assigns {
            let place = quote!(*#l);
            let wrapping = wrapping(quote!(*#l));
            let assign = if can_overflow {
                quote!(if false { #place #op #r; } else { #place = #wrapping; })
            } else {
                quote!(#place #op #r;)
            };
            return Some(verbatim(
                span,
                quote! {
                    match #right_value {
                        #r => match &mut (#left) {
                            #l => { #check #assign }
                        }
                    }
                },
            ));
        }
        let wrapping = wrapping(l.to_token_stream());
        let result = if can_overflow {
            self.typed(span, quote!(#l #op #r), wrapping)
        } else {
            quote!(#check #l #op #r)
        };
        Some(verbatim(
            span,
            quote! {
                match (#left, #right_value) {
                    (#l, #r) => { #result }
                }
            },
        ))
    }

    /// Expands a value which has the type of `builtin`, which isn't executed. The local keeps
    /// an error about the type of the result to one place.
    fn typed(&self, span: Span, builtin: TokenStream, wrapping: TokenStream) -> TokenStream {
        let result = Ident::new("__result", Span::mixed_site().located_at(span));
        quote! {
            let #result = if false { #builtin } else { #wrapping };
            #result
        }
    }

    fn method(&mut self, call: &ExprMethodCall, span: Span) -> Option<Expr> {
        let name = call.method.to_string();
        let (receiver, method) = (&call.receiver, &call.method);
        let arg = call.args.first();
        match (name.as_str(), arg) {
            ("abs", None) => {
                let n = local_at("n", receiver);
                let wrapping = quote_spanned! {Span::mixed_site().located_at(method.span())=>
                    <_ as __p::arithmetic::Abs<_>>::wrapping(#n)
                };
                let result = self.typed(span, quote!(#n.#method()), wrapping);
                Some(verbatim(
                    span,
                    quote!(match #receiver { #n => { #result } }),
                ))
            }
            ("pow", Some(exponent)) if call.args.len() == 1 => {
                let (l, r) = (local_at("l", receiver), local_at("r", exponent));
                let wrapping = quote_spanned! {Span::mixed_site().located_at(method.span())=>
                    <_ as __p::arithmetic::Pow<_, _>>::wrapping(#l, #r)
                };
                let result = self.typed(span, quote!(#l.#method(#r)), wrapping);
                Some(verbatim(
                    span,
                    quote! {
                        match (#receiver, #exponent) {
                            (#l, #r) => { #result }
                        }
                    },
                ))
            }
            (name, Some(arg))
                if WITH_CONSTANT.contains(&name)
                    && literal(arg).is_some_and(|(minus, n)| !minus && n > 0) =>
            {
                None
            }
            (name, _) => {
                if let Some(help) = panics(name) {
                    self.refuse(
                        method.span(),
                        &format!("calls `{name}()`, which can panic"),
                        help,
                    );
                }
                None
            }
        }
    }

    /// Visits the arguments of a macro, if they are expressions.
    fn arguments(&mut self, input: ParseStream<'_>) -> Result<TokenStream> {
        let mut args = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
        for arg in &mut args {
            match arg {
                // A name.
                Expr::Assign(assign) => self.visit_expr_mut(&mut assign.right),
                arg => self.visit_expr_mut(arg),
            }
        }
        Ok(args.into_token_stream())
    }

    /// Visits the arguments of `matches!`.
    fn matches(&mut self, input: ParseStream<'_>) -> Result<TokenStream> {
        let mut value: Expr = input.parse()?;
        self.visit_expr_mut(&mut value);
        let comma: Token![,] = input.parse()?;
        let pat = Pat::parse_multi_with_leading_vert(input)?;
        let mut tokens = quote!(#value #comma #pat);
        if input.peek(Token![if]) {
            let token: Token![if] = input.parse()?;
            let mut guard: Expr = input.parse()?;
            self.visit_expr_mut(&mut guard);
            tokens.extend(quote!(#token #guard));
        }
        input.parse::<Option<Token![,]>>()?;
        Ok(tokens)
    }
}

impl Rewriter<'_> {
    /// Computes the elements of a call of `elements()`.
    fn elements(&self, call: &ExprCall) -> Option<Expr> {
        let count = self.place.elements.as_ref()?;
        match &*call.func {
            Expr::Path(path) if path.path.segments.last()?.ident == "elements" => {}
            _ => return None,
        }
        count.set(count.get() + 1);
        let room = room();
        let method = Ident::new("__computed", Span::mixed_site());
        Some(verbatim(span_of(call), quote!(#call.#method(&#room))))
    }
}

impl VisitMut for Rewriter<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let span = span_of(expr);
        match expr {
            Expr::Assign(assign) => {
                self.visit_place(&mut assign.left);
                self.visit_expr_mut(&mut assign.right);
                return;
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                return self.visit_place(&mut reference.expr);
            }
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                self.visit_place(&mut binary.left);
                self.visit_expr_mut(&mut binary.right);
            }
            // The length is a constant.
            Expr::Repeat(repeat) => return self.visit_expr_mut(&mut repeat.expr),
            _ if is_literal(expr) => return,
            // The compiler evaluates it.
            Expr::Binary(binary)
                if matches!(operator(&binary.op), Some("Div" | "Rem"))
                    && is_constant(&binary.right) =>
            {
                self.visit_expr_mut(&mut binary.left);
            }
            Expr::Index(index) => self.visit_expr_mut(&mut index.expr),
            _ => visit_mut::visit_expr_mut(self, expr),
        }
        let rewritten = match expr {
            Expr::Binary(binary) => self.binary(binary, span),
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(op),
                expr: operand,
                ..
            }) if literal(operand).is_none() => {
                let n = local_at("n", operand);
                let wrapping = quote_spanned! {Span::mixed_site().located_at(op.span)=>
                    <_ as __p::arithmetic::Neg<_>>::wrapping(#n)
                };
                let result = self.typed(span, quote!(#op #n), wrapping);
                Some(verbatim(span, quote!(match #operand { #n => { #result } })))
            }
            Expr::Index(index) => self.index(index, None),
            Expr::MethodCall(call) => self.method(call, span),
            Expr::Call(call) => self.elements(call),
            Expr::Path(path) if path.path.segments.len() > 1 => {
                let last = &path.path.segments[path.path.segments.len() - 1].ident;
                let name = last.to_string();
                let help = match name.as_str() {
                    "abs" | "pow" => Some("call it as a method, which wraps"),
                    name => panics(name),
                };
                if let Some(help) = help {
                    let problem = format!("uses `{name}()`, which can panic");
                    self.refuse(last.span(), &problem, help);
                }
                None
            }
            _ => None,
        };
        if let Some(rewritten) = rewritten {
            *expr = rewritten;
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let Some(last) = mac.path.segments.last() else {
            return;
        };
        let name = last.ident.to_string();
        let span = last.ident.span();
        let tokens = mac.tokens.clone();
        if PANICS.contains(&name.as_str()) {
            let problem = format!(
                "can't use `{name}!`: it would crash the machine once the event is enabled"
            );
            self.refuse(span, &problem, "");
        } else if OF_EXPRESSIONS.contains(&name.as_str()) {
            let visited = (|input: ParseStream<'_>| self.arguments(input)).parse2(tokens);
            // Otherwise the macro has an error itself.
            if let Ok(tokens) = visited {
                mac.tokens = tokens;
            }
        } else if name == "matches" {
            let visited = (|input: ParseStream<'_>| self.matches(input)).parse2(tokens);
            if let Ok(tokens) = visited {
                mac.tokens = tokens;
            }
        }
    }

    // Constants, and functions of the driver's own.
    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}
    fn visit_item_mut(&mut self, _: &mut Item) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_angle_bracketed_generic_arguments_mut(
        &mut self,
        _: &mut AngleBracketedGenericArguments,
    ) {
    }
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_member_mut(&mut self, _: &mut Member) {}
}
