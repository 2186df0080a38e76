// SPDX-License-Identifier: GPL-2.0

//! The arguments that follow a print template.
//!
//! ```text
//! argument = NAME "=" ( value | helper )
//! value    = Rust's expression of operands, with || && == != < > <= >= | ^ & << >> + - * / %,
//!            "as" TYPE, unary - and !, parentheses, choices and tables
//! choice   = "if" value "{" value "}" "else" ( "{" value "}" | choice )
//!          | "match" value "{" { key { "|" key } "=>" value "," } "_" "=>" value [ "," ] "}"
//! table    = "print_symbolic" "(" value "," ( entries | TYPE ) ")"
//!          | "print_flags" "(" value "," ( STRING "," entries | TYPE ) ")"
//! entries  = "{" { expression [ "..=" expression ] "=>" STRING "," } [ "_" "=>" STRING [ "," ] ] "}"
//! operand  = field [ "[" INDEX "]" | "." "len" "(" ")" ] | constant | STRING | "true" | "false"
//! constant = integer | PATH | "const" "{" expression "}"
//! key      = [ "-" ] constant [ "..=" [ "-" ] constant ]
//! helper   = part "(" field [ "," value ] ")"
//!          | "print_array" "(" field "," value "," size ")"
//!          | "print_hex_dump" "(" STRING "," prefix "," row "," size "," field [ "," value ] "," ascii ")"
//! part     = "print_hex" | "print_hex_str" | "print_hex_dump" | "print_array" | "phC" | "phD"
//! prefix   = "DUMP_PREFIX_NONE" | "DUMP_PREFIX_ADDRESS" | "DUMP_PREFIX_OFFSET"
//! row      = "16" | "32"
//! size     = "1" | "2" | "4" | "8"
//! ascii    = "true" | "false"
//! ```
//!
//! The arguments of `print_array` and `print_hex_dump` are C's.
//!
//! A value is a number or, if its operands are strings and tables, a string.

use crate::{
    grammar::{join, span_of},
    number::{self, Op},
    show::Dump,
    symbols,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, ToTokens};
use syn::{
    braced, bracketed, ext::IdentExt, parenthesized, parse::ParseStream, Error, Expr, ExprRange,
    Lit, LitBool, LitInt, LitStr, Path, RangeLimits, Result, Token, Type,
};

/// A value and where it is.
pub(crate) struct Value {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// What a value is.
pub(crate) enum Kind {
    Text(LitStr),
    Bool(bool),
    Constant(Constant),
    /// A field or a constant.
    Name(Ident),
    Element(Ident, usize),
    Len(Ident),
    Neg(Box<Value>),
    Not(Box<Value>),
    Binary(Op, Box<Value>, Box<Value>),
    Cast(number::Type, Box<Value>),
    If(Box<Value>, Box<Value>, Box<Value>),
    Match(Box<Value>, Vec<(Vec<Key>, Value)>, Box<Value>),
    Table(Box<Table>),
    /// A helper for arrays.
    Helper(Box<Helper>),
}

/// A helper for arrays and what it's given.
pub(crate) struct Helper {
    pub(crate) name: String,
    pub(crate) field: Ident,
    /// How much of the field is shown.
    pub(crate) len: Option<Value>,
    /// The size of an element, if it isn't that of the field.
    pub(crate) size: Option<usize>,
    /// How `print_hex_dump` shows the bytes, and what each line starts with.
    pub(crate) dump: Option<(LitStr, Dump)>,
}

impl Helper {
    /// Parses the arguments of the helper called `name`.
    fn parse(input: ParseStream<'_>, name: String) -> Result<Self> {
        let comma = |input: ParseStream<'_>| match input.parse::<Token![,]>() {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::new(input.span(), DUMP_USAGE)),
        };
        let dump = if name == "print_hex_dump" && input.peek(LitStr) {
            let prefix: LitStr = input.parse()?;
            comma(input)?;
            let how = Dump {
                prefix: prefix_type(input)?,
                row: {
                    comma(input)?;
                    choice(input, &[16, 32], "a line has 16 or 32 bytes")? as u8
                },
                group: {
                    comma(input)?;
                    choice(input, &SIZES, "a group has 1, 2, 4 or 8 bytes")? as u8
                },
                ascii: false,
            };
            comma(input)?;
            Some((prefix, how))
        } else {
            None
        };
        let field = Ident::parse_any(input)
            .map_err(|e| Error::new(e.span(), "expected the name of a field"))?;
        let mut helper = Self {
            name,
            field,
            len: None,
            size: None,
            dump,
        };
        if let Some((_, dump)) = &mut helper.dump {
            comma(input)?;
            if !input.peek(LitBool) {
                helper.len = Some(Value::parse(input)?);
                comma(input)?;
            }
            let ascii: LitBool = input
                .parse()
                .map_err(|_| Error::new(input.span(), DUMP_USAGE))?;
            dump.ascii = ascii.value;
            input.parse::<Option<Token![,]>>()?;
            return Ok(helper);
        }
        let more =
            || Ok::<_, Error>(input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty());
        if more()? {
            helper.len = Some(Value::parse(input)?);
            if more()? && helper.name == "print_array" {
                helper.size = Some(choice(input, &SIZES, "an element has 1, 2, 4 or 8 bytes")?);
                input.parse::<Option<Token![,]>>()?;
            }
        }
        Ok(helper)
    }
}

const SIZES: [usize; 4] = [1, 2, 4, 8];

const DUMP_USAGE: &str =
    "expected `print_hex_dump(field)`, or C's arguments without the length, such as \
                          `print_hex_dump(\"\", DUMP_PREFIX_OFFSET, 16, 1, field, true)`";

/// Parses a number that's one of `values`.
fn choice(input: ParseStream<'_>, values: &[usize], expected: &str) -> Result<usize> {
    let span = input.span();
    let number = input.parse::<LitInt>().and_then(|n| n.base10_parse());
    number
        .ok()
        .filter(|n| values.contains(n))
        .ok_or_else(|| Error::new(span, expected))
}

/// Parses one of C's `DUMP_PREFIX_…` and returns its value (include/linux/printk.h).
fn prefix_type(input: ParseStream<'_>) -> Result<u8> {
    let span = input.span();
    let name = Ident::parse_any(input).map(|name| name.to_string());
    match name.as_deref() {
        Ok("DUMP_PREFIX_NONE") => Ok(0),
        Ok("DUMP_PREFIX_ADDRESS") => Ok(1),
        Ok("DUMP_PREFIX_OFFSET") => Ok(2),
        _ => Err(Error::new(
            span,
            "expected `DUMP_PREFIX_NONE`, `DUMP_PREFIX_ADDRESS` or `DUMP_PREFIX_OFFSET`",
        )),
    }
}

/// A constant.
#[derive(Clone)]
pub(crate) struct Constant {
    /// An expression that can be cast to `i128`.
    pub(crate) tokens: TokenStream,
    /// The value, if it is known.
    pub(crate) known: Option<i128>,
    /// The type, if it has a suffix.
    pub(crate) ty: Option<number::Type>,
    pub(crate) span: Span,
}

/// What a value is compared with.
pub(crate) struct Key {
    pub(crate) from: Constant,
    /// The last one, if there are several.
    pub(crate) to: Option<Constant>,
}

/// `print_symbolic(…)` or `print_flags(…)`.
pub(crate) struct Table {
    pub(crate) of: Value,
    /// Whether it's `print_flags`.
    pub(crate) is_flags: bool,
    /// The type with the names, instead of all below.
    pub(crate) ty: Option<Type>,
    /// The delimiter of `print_flags`.
    pub(crate) delimiter: Option<LitStr>,
    pub(crate) entries: Vec<(Key, LitStr)>,
    /// The text for other values.
    pub(crate) other: Option<LitStr>,
}

/// The operators, with those first that start with others, and how tightly they bind.
macro_rules! operators {
    ($input:ident, $($token:tt $op:ident $level:literal,)*) => {
        $(
            if $input.peek(Token![$token]) {
                return Some((Op::$op, $level));
            }
        )*
    };
}

fn peek_operator(input: ParseStream<'_>) -> Option<(Op, u8)> {
    operators! {
        input,
        || OrOr 1, && AndAnd 2,
        == Eq 3, != Ne 3, <= Le 3, >= Ge 3,
        << Shl 7, >> Shr 7,
        < Lt 3, > Gt 3,
        | Or 4, ^ Xor 5, & And 6,
        + Add 8, - Sub 8,
        * Mul 9, / Div 9, % Rem 9,
    }
    None
}

/// Passes over an operator and returns its place.
fn operator(input: ParseStream<'_>, op: Op) -> Result<Span> {
    let span = input.span();
    let len = match op {
        Op::OrOr | Op::AndAnd | Op::Eq | Op::Ne | Op::Le | Op::Ge | Op::Shl | Op::Shr => 2,
        _ => 1,
    };
    for _ in 0..len {
        input.parse::<proc_macro2::Punct>()?;
    }
    Ok(span)
}

impl Value {
    fn new(kind: Kind, span: Span) -> Self {
        Self { kind, span }
    }

    /// Returns the token stream's only value.
    pub(crate) fn parse(input: ParseStream<'_>) -> Result<Self> {
        Self::level(input, 1)
    }

    /// Parses operators that bind at least that tightly.
    fn level(input: ParseStream<'_>, level: u8) -> Result<Self> {
        let mut left = Self::cast(input)?;
        while let Some((op, binds)) = peek_operator(input).filter(|(_, binds)| *binds >= level) {
            operator(input, op)?;
            let right = Self::level(input, binds + 1)?;
            if binds == 3 && matches!(peek_operator(input), Some((_, 3))) {
                return Err(input.error("comparisons can't be chained: use `&&`"));
            }
            let span = join(left.span, right.span);
            left = Self::new(Kind::Binary(op, Box::new(left), Box::new(right)), span);
        }
        Ok(left)
    }

    fn cast(input: ParseStream<'_>) -> Result<Self> {
        let mut value = Self::unary(input)?;
        while input.peek(Token![as]) {
            input.parse::<Token![as]>()?;
            let expected = "expected an integer type, such as `u32`";
            let name = Ident::parse_any(input).map_err(|e| Error::new(e.span(), expected))?;
            let ty = number::Type::named(&name.to_string())
                .ok_or_else(|| Error::new(name.span(), expected))?;
            let span = join(value.span, name.span());
            value = Self::new(Kind::Cast(ty, Box::new(value)), span);
        }
        Ok(value)
    }

    fn unary(input: ParseStream<'_>) -> Result<Self> {
        let span = input.span();
        if input.parse::<Option<Token![-]>>()?.is_some() {
            Ok(Self::new(Kind::Neg(Box::new(Self::unary(input)?)), span))
        } else if input.parse::<Option<Token![!]>>()?.is_some() {
            Ok(Self::new(Kind::Not(Box::new(Self::unary(input)?)), span))
        } else {
            Self::operand(input)
        }
    }

    fn operand(input: ParseStream<'_>) -> Result<Self> {
        let span = input.span();
        let value = |kind| Ok(Self::new(kind, span));
        if input.peek(syn::token::Paren) {
            let content;
            parenthesized!(content in input);
            let inner = Self::parse(&content)?;
            end(&content)?;
            return Ok(inner);
        }
        if input.peek(Token![if]) {
            return Self::parse_if(input);
        }
        if input.peek(Token![match]) {
            return Self::parse_match(input);
        }
        if input.peek(LitStr) {
            return value(Kind::Text(input.parse()?));
        }
        if let Some(literal) = input.parse::<Option<syn::LitBool>>()? {
            return value(Kind::Bool(literal.value));
        }
        let is_helper = input.peek(syn::Ident) && input.peek2(syn::token::Paren);
        if is_helper {
            return Self::helper(input);
        }
        // Also a keyword, as `{type}` in the template.
        if !input.peek(Token![const]) && input.peek(Ident::peek_any) && !input.peek2(Token![::]) {
            let name = Ident::parse_any(input)?;
            if input.peek(syn::token::Bracket) {
                let content;
                bracketed!(content in input);
                let at = content.span();
                let index: LitInt = content.parse().map_err(|_| {
                    Error::new(at, "an index must be a literal, so that it can be checked")
                })?;
                end(&content)?;
                return value(Kind::Element(name, index.base10_parse()?));
            }
            if input.peek(Token![.]) {
                input.parse::<Token![.]>()?;
                let expected = "only `len()` can be called here; compute this in a field";
                let method: Ident = input.parse().map_err(|e| Error::new(e.span(), expected))?;
                if method != "len" || !input.peek(syn::token::Paren) {
                    return Err(Error::new(method.span(), expected));
                }
                let content;
                parenthesized!(content in input);
                end(&content)?;
                return value(Kind::Len(name));
            }
            return value(Kind::Name(name));
        }
        value(Kind::Constant(Constant::parse(input)?))
    }

    fn parse_if(input: ParseStream<'_>) -> Result<Self> {
        let span = input.span();
        input.parse::<Token![if]>()?;
        if input.peek(Token![let]) {
            return Err(input.error("`let` can't be used in a condition: use `match`"));
        }
        let condition = Self::parse(input)?;
        let then = braced_value(input)?;
        if !input.peek(Token![else]) {
            let error = "expected `else`: there must be something to show";
            return Err(Error::new(input.span(), error));
        }
        input.parse::<Token![else]>()?;
        let other = if input.peek(Token![if]) {
            Self::parse_if(input)?
        } else {
            braced_value(input)?
        };
        let kind = Kind::If(Box::new(condition), Box::new(then), Box::new(other));
        Ok(Self::new(kind, span))
    }

    fn parse_match(input: ParseStream<'_>) -> Result<Self> {
        let span = input.span();
        input.parse::<Token![match]>()?;
        let of = Self::parse(input)?;
        let content;
        braced!(content in input);
        let mut arms = Vec::new();
        loop {
            if content.is_empty() {
                return Err(Error::new(
                    span,
                    "a `match` needs a final arm, `_ => …`, for all other values",
                ));
            }
            let is_last = content.parse::<Option<Token![_]>>()?.is_some();
            let mut keys = Vec::new();
            if !is_last {
                keys.push(Key::parse(&content)?);
                while content.parse::<Option<Token![|]>>()?.is_some() {
                    keys.push(Key::parse(&content)?);
                }
            }
            content.parse::<Token![=>]>()?;
            let value = Self::parse(&content)?;
            let comma = content.parse::<Option<Token![,]>>()?;
            if is_last {
                end(&content)?;
                let kind = Kind::Match(Box::new(of), arms, Box::new(value));
                return Ok(Self::new(kind, span));
            }
            arms.push((keys, value));
            if comma.is_none() && !content.is_empty() {
                return Err(content.error("expected `,` between two arms"));
            }
        }
    }

    /// Parses `name(…)`.
    fn helper(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.parse()?;
        let content;
        let paren = parenthesized!(content in input);
        let is_flags = name == "print_flags";
        if is_flags || name == "print_symbolic" {
            let close = paren.span.close();
            let table = Table::parse(&content, is_flags, close)?;
            return Ok(Self::new(Kind::Table(Box::new(table)), name.span()));
        }
        let text = name.to_string();
        if !matches!(
            text.as_str(),
            "print_hex" | "print_hex_str" | "print_hex_dump" | "print_array" | "phC" | "phD"
        ) {
            return Err(Error::new(
                name.span(),
                format!(
                    "there is no helper `{name}`, only `print_symbolic`, `print_flags`, \
                     `print_hex`, `print_hex_str`, `print_hex_dump`, `print_array`, `phC` and \
                     `phD`"
                ),
            ));
        }
        let helper = Helper::parse(&content, text)?;
        end(&content)?;
        Ok(Self::new(Kind::Helper(Box::new(helper)), name.span()))
    }

    /// Returns the name, if it's nothing else.
    pub(crate) fn as_name(&self) -> Option<&Ident> {
        match &self.kind {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// Parses `{ value }`.
fn braced_value(input: ParseStream<'_>) -> Result<Value> {
    if !input.peek(syn::token::Brace) {
        return Err(input.error("expected `{ value }`"));
    }
    let content;
    let brace = braced!(content in input);
    if content.is_empty() {
        return Err(Error::new(brace.span.join(), "expected a value"));
    }
    let value = Value::parse(&content)?;
    end(&content)?;
    Ok(value)
}

/// Fails unless all has been parsed.
fn end(input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() {
        Ok(())
    } else {
        Err(input.error("unexpected token"))
    }
}

impl Constant {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let span = input.span();
        if let Some(minus) = input.parse::<Option<Token![-]>>()? {
            let of = Self::parse(input)?;
            let tokens = of.tokens;
            return Ok(Self {
                tokens: quote!(-((#tokens) as ::core::primitive::i128)),
                known: of.known.and_then(i128::checked_neg),
                ty: of.ty,
                span: minus.span,
            });
        }
        let unknown = |tokens| Self {
            tokens,
            known: None,
            ty: None,
            span,
        };
        if input.peek(Token![const]) {
            input.parse::<Token![const]>()?;
            let content;
            braced!(content in input);
            let tokens: TokenStream = content.parse()?;
            return Ok(unknown(quote!({ #tokens })));
        }
        if input.peek(Lit) {
            return match input.parse()? {
                Lit::Int(int) => {
                    let ty = match int.suffix() {
                        "" => None,
                        suffix => Some(
                            number::Type::named(suffix)
                                .ok_or_else(|| Error::new(span, "this isn't an integer type"))?,
                        ),
                    };
                    let known = int.base10_parse::<i128>().or_else(|_| {
                        int.base10_digits()
                            .parse()
                            .map_err(|_| Error::new(span, "the number is too large"))
                    })?;
                    if let Some(ty) = ty.filter(|ty| !is_literal_of(known, *ty)) {
                        let problem = number::Problem::DoesntFit(ty).text();
                        return Err(Error::new(span, problem.as_str()));
                    }
                    Ok(Self {
                        known: Some(known),
                        tokens: int.base10_digits().parse()?,
                        ty,
                        span,
                    })
                }
                Lit::Byte(byte) => Ok(Self {
                    known: Some(byte.value().into()),
                    ty: None,
                    tokens: byte.to_token_stream(),
                    span,
                }),
                Lit::Float(_) => Err(Error::new(span, "the kernel has no floating point")),
                _ => Err(Error::new(span, "expected a number")),
            };
        }
        let path = input.call(Path::parse_mod_style).map_err(|e| {
            Error::new(
                e.span(),
                "expected a field, a number, a constant, a string, `if`, `match`, \
                 `print_symbolic(…)` or `print_flags(…)`",
            )
        })?;
        Ok(unknown(path.to_token_stream()))
    }
}

/// Returns whether a literal can have this type as its suffix, perhaps with a minus before it.
fn is_literal_of(value: i128, ty: number::Type) -> bool {
    match ty {
        number::Type::Int { size, signed } => {
            let limit = 1 << (8 * size - usize::from(signed));
            value < limit || signed && value == limit
        }
        _ => false,
    }
}

impl Key {
    /// Returns the key of a table's entry, whose value can be any constant expression.
    fn expression(expr: Expr) -> Self {
        let constant = |expr: &Expr| {
            let known = symbols::shifted(expr, 64);
            Constant {
                tokens: match (known, expr) {
                    // `1 << 63` is too large for the integer type that it would have.
                    (Some(n), Expr::Binary(_) | Expr::Paren(_)) => {
                        Literal::i128_suffixed(n).into_token_stream()
                    }
                    _ => expr.to_token_stream(),
                },
                known,
                ty: None,
                span: span_of(expr),
            }
        };
        match &expr {
            Expr::Range(ExprRange {
                start: Some(from),
                limits: RangeLimits::Closed(_),
                end: Some(to),
                ..
            }) => Self {
                from: constant(from),
                to: Some(constant(to)),
            },
            expr => Self {
                from: constant(expr),
                to: None,
            },
        }
    }

    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let from = Constant::parse(input)?;
        let to = if input.parse::<Option<Token![..=]>>()?.is_some() {
            Some(Constant::parse(input)?)
        } else if input.peek(Token![..]) {
            return Err(input.error("a range includes its last value: write `..=`"));
        } else {
            None
        };
        Ok(Self { from, to })
    }
}

impl Table {
    fn parse(input: ParseStream<'_>, is_flags: bool, close: Span) -> Result<Self> {
        let usage = if is_flags {
            "expected `print_flags(value, \"delimiter\", { value => \"text\", … })` or \
             `print_flags(value, Type)`"
        } else {
            "expected `print_symbolic(value, { value => \"text\", … })` or \
             `print_symbolic(value, Type)`"
        };
        let expected = |input: ParseStream<'_>| {
            let span = if input.is_empty() {
                close
            } else {
                input.span()
            };
            Error::new(span, usage)
        };
        if input.is_empty() {
            return Err(expected(input));
        }
        let of = Value::parse(input)?;
        let comma = |input: ParseStream<'_>| match input.parse::<Token![,]>() {
            Ok(_) => Ok(()),
            Err(_) => Err(expected(input)),
        };
        comma(input)?;
        let mut table = Self {
            of,
            is_flags,
            ty: None,
            delimiter: None,
            entries: Vec::new(),
            other: None,
        };
        let is_type = |input: ParseStream<'_>| {
            input.peek(syn::Ident) || input.peek(Token![::]) || input.peek(Token![crate])
        };
        if is_type(input) {
            table.ty = Some(input.parse()?);
            table.end(input, usage)?;
            return Ok(table);
        }
        table.delimiter = if is_flags {
            let delimiter = input.parse().map_err(|e| {
                Error::new(
                    e.span(),
                    "expected the delimiter between two names, such as `\"|\"`",
                )
            })?;
            comma(input)?;
            if is_type(input) {
                return Err(input.error("the type has a delimiter of its own: leave this one out"));
            }
            Some(delimiter)
        } else if input.peek(LitStr) {
            let error = "`print_symbolic` has no delimiter: did you mean `print_flags`?";
            return Err(input.error(error));
        } else {
            None
        };
        if !input.peek(syn::token::Brace) {
            return Err(expected(input));
        }
        let content;
        braced!(content in input);
        while !content.is_empty() {
            let entry = |e: Error| Error::new(e.span(), "expected `value => \"text\"`");
            if content.parse::<Option<Token![_]>>()?.is_some() {
                content.parse::<Token![=>]>().map_err(entry)?;
                if is_flags {
                    return Err(content.error(
                        "`_` can't be used with flags: `0 => \"text\"` names the value without any flags",
                    ));
                }
                table.other = Some(content.parse().map_err(entry)?);
                content.parse::<Option<Token![,]>>()?;
                if !content.is_empty() {
                    return Err(content.error("nothing can follow `_`, which matches any value"));
                }
                break;
            }
            let key = Key::expression(content.parse().map_err(entry)?);
            if let (true, Some(to)) = (is_flags, &key.to) {
                return Err(Error::new(to.span, "flags have no ranges"));
            }
            content.parse::<Token![=>]>().map_err(entry)?;
            table.entries.push((key, content.parse().map_err(entry)?));
            if !content.is_empty() && content.parse::<Token![,]>().is_err() {
                return Err(content.error("expected `,` between two entries of the table"));
            }
        }
        table.end(input, usage)?;
        Ok(table)
    }

    /// Fails unless nothing follows but a comma.
    fn end(&self, input: ParseStream<'_>, usage: &str) -> Result<()> {
        input.parse::<Option<Token![,]>>()?;
        if input.is_empty() {
            return Ok(());
        }
        Err(Error::new(
            input.span(),
            format!("too many arguments; {usage}"),
        ))
    }
}

/// `name = value`.
pub(crate) struct Named {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

impl Named {
    /// Parses an argument of `event`.
    pub(crate) fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let about = |e: Error| Error::new(e.span(), format!("`{event}`: {e}"));
        let expected = |e: Error| about(Error::new(e.span(), NAMED));
        let name = Ident::parse_any(input).map_err(expected)?;
        input.parse::<Token![=]>().map_err(expected)?;
        if input.is_empty() || input.peek(Token![;]) || input.peek(Token![,]) {
            return Err(expected(input.error("")));
        }
        let value = Value::parse(input).map_err(about)?;
        if !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![;]) && !is_next(input)
        {
            return Err(about(input.error("expected an operator, `,` or `;`")));
        }
        Ok(Self { name, value })
    }
}

/// Whether what can follow the arguments follows.
fn is_next(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    matches!(Ident::parse_any(&fork), Ok(word) if word == "events" || word == "with")
}

/// What an argument looks like.
pub(crate) const NAMED: &str = "expected `name = value`, such as `major = dev >> 20` or \
                                `state = print_symbolic(field, { value => \"text\" })`";
