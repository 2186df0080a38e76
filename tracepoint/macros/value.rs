// SPDX-License-Identifier: GPL-2.0

//! The values that follow a print template.
//!
//! ```text
//! argument = NAME "=" ( value | helper )
//! value    = Rust's expression of operands, with || && == != < > <= >= | ^ & << >> + - * / %,
//!            "as" TYPE, unary - and !, parentheses, `if`, `match` and tables
//! operand  = field [ "[" INDEX "]" | "." "len" "(" ")" ] | constant | STRING | "true" | "false"
//! table    = "print_symbolic" "(" value "," ( entries | TYPE ) ")"
//!          | "print_flags" "(" value "," ( STRING "," entries | TYPE ) ")"
//! entries  = "{" { expression [ "..=" expression ] "=>" STRING "," } [ "_" "=>" STRING [ "," ] ] "}"
//! helper   = part "(" field [ "," value ] ")"
//!          | "print_array" "(" field "," value "," size ")"
//!          | "print_hex_dump" "(" STRING "," prefix "," row "," size "," field [ "," value ] "," ascii ")"
//! part     = "print_hex" | "print_hex_str" | "print_hex_dump" | "print_array" | "phC" | "phD"
//! ```
//!
//! The arguments of `print_array` and `print_hex_dump` are C's. A value is a number or, if its operands
//! are strings and tables, a string.
//!
//! `syn` parses a value. [`lower`](crate::lower) and [`computed`](crate::computed) make of it what the template
//! shows.

use crate::{
    show::Kind,
    tables,
    tokens::{inner, span_of},
    types::Field,
};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    braced,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    Block, Error, Expr, ExprIf, ExprLit, ExprMatch, ExprRange, Lit, LitBool, LitInt, LitStr, Macro,
    Pat, RangeLimits, Result, Stmt, Token, Type,
};

/// `name = value`.
pub(crate) struct Named {
    pub(crate) name: Ident,
    pub(crate) value: Expr,
}

/// What an argument looks like.
pub(crate) const NAMED: &str = "expected `name = value`, such as `major = dev >> 20` or \
                                `state = print_symbolic(field, { value => \"text\" })`";

impl Named {
    /// Parses an argument of `event`.
    pub(crate) fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let about = |e: Error| Error::new(e.span(), format!("`{event}`: {e}"));
        let expected = |e: Error| about(Error::new(e.span(), NAMED));
        let name = Ident::parse_any(input).map_err(expected)?;
        input.parse::<Token![=]>().map_err(expected)?;
        let mut tokens: Vec<TokenTree> = Vec::new();
        while !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![;]) {
            let follows = !matches!(tokens.last(), None | Some(TokenTree::Punct(_)));
            let fork = input.fork();
            if follows
                && matches!(Ident::parse_any(&fork), Ok(word) if word == "events" || word == "with")
            {
                break;
            }
            tokens.push(input.parse()?);
        }
        let Some(last) = tokens.last() else {
            return Err(expected(input.error("")));
        };
        // In parentheses, so that a missing token has a place.
        let span = last.span();
        let mut whole = Group::new(Delimiter::Parenthesis, translated(tokens));
        whole.set_span(span);
        let value = syn::parse2(TokenTree::from(whole).into()).map_err(about)?;
        Ok(Self { name, value })
    }
}

/// Makes tokens ones that `syn` parses: puts a `!` after what looks like a helper, so that anything can be in its
/// parentheses, parentheses around the type in `as u64 << 12`, and an `r#` before a field's name.
fn translated(tokens: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    const WORDS: [&str; 13] = [
        "if", "let", "else", "match", "as", "const", "true", "false", "crate", "self", "super",
        "Self", "unsafe",
    ];
    let mut output: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let after = |c: &[char]| matches!(output.last(), Some(TokenTree::Punct(p)) if c.contains(&p.as_char()));
        let is_cast = matches!(output.last(), Some(TokenTree::Ident(word)) if word == "as");
        let is_const = matches!(output.last(), Some(TokenTree::Ident(word)) if word == "const");
        match token {
            // What's in `const { … }` is Rust's.
            TokenTree::Group(group) if is_const => output.push(group.into()),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), translated(group.stream()));
                inner.set_span(group.span());
                output.push(inner.into());
            }
            TokenTree::Ident(name) => {
                let text = name.to_string();
                let is_word = WORDS.contains(&text.as_str());
                let is_called = matches!(tokens.peek(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                let is_helper =
                    text.starts_with("print_") || matches!(text.as_str(), "phC" | "phD");
                let is_called = is_called && is_helper && !after(&['.', ':']);
                let is_less =
                    matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == '<');
                if is_cast && is_less {
                    let span = name.span();
                    let mut ty = Group::new(Delimiter::Parenthesis, TokenTree::from(name).into());
                    ty.set_span(span);
                    output.push(ty.into());
                } else if !is_word && text != "_" && syn::parse_str::<Ident>(&text).is_err() {
                    output.push(Ident::new_raw(&text, name.span()).into());
                } else {
                    output.push(name.into());
                }
                if is_called {
                    output.push(Punct::new('!', Spacing::Alone).into());
                }
            }
            token => output.push(token),
        }
    }
    output.into_iter().collect()
}

/// Returns the name, if it's nothing else.
pub(crate) fn as_name(expr: &Expr) -> Option<&Ident> {
    match inner(expr) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// A string.
pub(crate) fn as_text(expr: &Expr) -> Option<&LitStr> {
    match inner(expr) {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        _ => None,
    }
}

/// What a value is compared with, and the last one if there are several.
pub(crate) type Key = (Expr, Option<Expr>);

fn key_of(expr: Expr) -> Result<Key> {
    Ok(match expr {
        Expr::Range(ExprRange {
            start: Some(from),
            limits: RangeLimits::Closed(_),
            end: Some(to),
            ..
        }) => (*from, Some(*to)),
        Expr::Range(range) => {
            let error = "a range includes its last value: write `..=`";
            return Err(Error::new(span_of(&range), error));
        }
        expr => (expr, None),
    })
}

/// `print_symbolic(…)` or `print_flags(…)`.
pub(crate) struct Table {
    pub(crate) of: Expr,
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

impl Table {
    /// Returns the call, if the value is a table, and whether it's `print_flags`.
    fn call(expr: &Expr) -> Option<(&Macro, bool)> {
        let Expr::Macro(call) = inner(expr) else {
            return None;
        };
        let is_flags = call.mac.path.is_ident("print_flags");
        (is_flags || call.mac.path.is_ident("print_symbolic")).then_some((&call.mac, is_flags))
    }

    /// Whether the value is a table, perhaps with an error in it.
    pub(crate) fn is_one(expr: &Expr) -> bool {
        Self::call(expr).is_some()
    }

    /// Returns the table, if the value is one.
    pub(crate) fn of(expr: &Expr) -> Option<Result<Self>> {
        let (call, is_flags) = Self::call(expr)?;
        let close = match &call.delimiter {
            syn::MacroDelimiter::Paren(paren) => paren.span.close(),
            _ => span_of(expr),
        };
        let parse = |input: ParseStream<'_>| Self::parse(input, is_flags, close);
        Some(parse.parse2(call.tokens.clone()))
    }

    fn parse(input: ParseStream<'_>, is_flags: bool, close: Span) -> Result<Self> {
        let usage = if is_flags {
            "expected `print_flags(value, \"delimiter\", { value => \"text\", … })` or \
             `print_flags(value, Type)`"
        } else {
            "expected `print_symbolic(value, { value => \"text\", … })` or \
             `print_symbolic(value, Type)`"
        };
        let expected = |_| match input.is_empty() {
            true => Error::new(close, usage),
            false => Error::new(input.span(), usage),
        };
        if input.is_empty() {
            return Err(expected(input.error("")));
        }
        let mut table = Self {
            of: input.parse()?,
            is_flags,
            ty: None,
            delimiter: None,
            entries: Vec::new(),
            other: None,
        };
        input.parse::<Token![,]>().map_err(expected)?;
        let is_type =
            || input.peek(syn::Ident) || input.peek(Token![::]) || input.peek(Token![crate]);
        if is_type() {
            table.ty = Some(input.parse()?);
        } else {
            if is_flags {
                let error = "expected the delimiter between two names, such as `\"|\"`";
                table.delimiter = Some(input.parse().map_err(|e| Error::new(e.span(), error))?);
                input.parse::<Token![,]>().map_err(expected)?;
                if is_type() {
                    let error = "the type has a delimiter of its own: leave this one out";
                    return Err(input.error(error));
                }
            } else if input.peek(LitStr) {
                let error = "`print_symbolic` has no delimiter: did you mean `print_flags`?";
                return Err(input.error(error));
            }
            if !input.peek(syn::token::Brace) {
                return Err(expected(input.error("")));
            }
            let content;
            braced!(content in input);
            while !content.is_empty() {
                table.entry(&content)?;
                if !content.is_empty() && content.parse::<Token![,]>().is_err() {
                    return Err(content.error("expected `,` between two entries of the table"));
                }
            }
        }
        input.parse::<Option<Token![,]>>()?;
        if !input.is_empty() {
            return Err(input.error(format!("too many arguments; {usage}")));
        }
        // Tools can't decode a table without an entry.
        let is_zero = |(key, _): &(Key, LitStr)| is_flags && table.is_special(key);
        let is_empty = table.ty.is_none() && table.other.is_none();
        if is_empty && table.entries.iter().all(is_zero) {
            let error = match is_flags {
                true => "the table has no flags",
                false => "the table has no entries",
            };
            return Err(Error::new(close, error));
        }
        Ok(table)
    }

    fn entry(&mut self, input: ParseStream<'_>) -> Result<()> {
        let expected = |e: Error| Error::new(e.span(), "expected `value => \"text\"`");
        if self.other.is_some() {
            return Err(input.error("nothing can follow `_`, which matches any value"));
        }
        if input.parse::<Option<Token![_]>>()?.is_some() {
            input.parse::<Token![=>]>().map_err(expected)?;
            if self.is_flags {
                return Err(input.error(
                    "`_` can't be used with flags: `0 => \"text\"` names the value without any flags",
                ));
            }
            self.other = Some(input.parse().map_err(expected)?);
            return Ok(());
        }
        let key = key_of(input.parse().map_err(expected)?)?;
        if let (true, Some(to)) = (self.is_flags, &key.1) {
            return Err(Error::new(span_of(to), "flags have no ranges"));
        }
        input.parse::<Token![=>]>().map_err(expected)?;
        self.entries.push((key, input.parse().map_err(expected)?));
        Ok(())
    }

    /// Whether this names what C has no entry for: several values, or a value without flags.
    pub(crate) fn is_special(&self, key: &Key) -> bool {
        key.1.is_some() || self.is_flags && tables::shifted(&key.0, 64) == Some(0)
    }

    /// Returns whether C has such a table.
    pub(crate) fn is_plain(&self) -> bool {
        let is_special = |(key, _): &(Key, LitStr)| self.is_special(key);
        self.ty.is_none() && self.other.is_none() && !self.entries.iter().any(is_special)
    }
}

/// A helper for arrays and what it's given.
pub(crate) struct Helper {
    pub(crate) name: String,
    pub(crate) field: Ident,
    /// How much of the field is shown.
    pub(crate) len: Option<Expr>,
    /// The size of an element, if it isn't that of the field.
    pub(crate) size: Option<usize>,
    /// What each line of `print_hex_dump` starts with, and what follows it in C: the kind of prefix, the number of
    /// bytes in a line and in a group, and whether the characters follow.
    pub(crate) dump: Option<(LitStr, [u8; 4])>,
}

const SIZES: [usize; 4] = [1, 2, 4, 8];

const DUMP_USAGE: &str =
    "expected `print_hex_dump(field)`, or C's arguments without the length, such as \
                          `print_hex_dump(\"\", DUMP_PREFIX_OFFSET, 16, 1, field, true)`";

impl Helper {
    /// Returns the helper, if the value is one.
    pub(crate) fn of(expr: &Expr) -> Option<Result<Self>> {
        let Expr::Macro(call) = inner(expr) else {
            return None;
        };
        Some(Self::of_macro(&call.mac))
    }

    fn of_macro(call: &Macro) -> Result<Self> {
        let name = call.path.require_ident()?;
        let text = name.to_string();
        if !matches!(
            text.as_str(),
            "print_hex" | "print_hex_str" | "print_hex_dump" | "print_array" | "phC" | "phD"
        ) {
            let error = format!(
                "there is no helper `{name}`, only `print_symbolic`, `print_flags`, `print_hex`, \
                 `print_hex_str`, `print_hex_dump`, `print_array`, `phC` and `phD`"
            );
            return Err(Error::new(name.span(), error));
        }
        let parse = |input: ParseStream<'_>| Self::parse(input, text.clone());
        parse.parse2(call.tokens.clone())
    }

    fn parse(input: ParseStream<'_>, name: String) -> Result<Self> {
        let usage = |_| Error::new(input.span(), DUMP_USAGE);
        let comma = || input.parse::<Token![,]>().map_err(usage);
        let mut dump = None;
        if name == "print_hex_dump" && input.peek(LitStr) {
            let text = input.parse()?;
            comma()?;
            let prefix = prefix_type(input)?;
            comma()?;
            let row = choice(input, &[16, 32], "a line has 16 or 32 bytes")? as u8;
            comma()?;
            let group = choice(input, &SIZES, "a group has 1, 2, 4 or 8 bytes")? as u8;
            comma()?;
            dump = Some((text, [prefix, row, group, 0]));
        }
        let field = Ident::parse_any(input)
            .map_err(|e| Error::new(e.span(), "expected the name of a field"))?;
        let (mut len, mut size) = (None, None);
        if let Some((_, dump)) = &mut dump {
            comma()?;
            if !input.peek(LitBool) {
                len = Some(input.parse()?);
                comma()?;
            }
            dump[3] = input.parse::<LitBool>().map_err(usage)?.value.into();
        } else if input.peek(Token![,]) && !input.peek2(syn::parse::End) {
            comma()?;
            len = Some(input.parse()?);
            if name == "print_array" && input.peek(Token![,]) && !input.peek2(syn::parse::End) {
                comma()?;
                size = Some(choice(input, &SIZES, "an element has 1, 2, 4 or 8 bytes")?);
            }
        }
        input.parse::<Option<Token![,]>>()?;
        Ok(Self {
            name,
            field,
            len,
            size,
            dump,
        })
    }
}

/// Parses a number that's one of `values`.
fn choice(input: ParseStream<'_>, values: &[usize], expected: &str) -> Result<usize> {
    let span = input.span();
    let number = input.parse::<LitInt>().and_then(|n| n.base10_parse());
    let number = number.ok().filter(|n| values.contains(n));
    number.ok_or_else(|| Error::new(span, expected))
}

/// Parses one of C's `DUMP_PREFIX_…` and returns its value (include/linux/printk.h).
fn prefix_type(input: ParseStream<'_>) -> Result<u8> {
    const NAMES: [&str; 3] = [
        "DUMP_PREFIX_NONE",
        "DUMP_PREFIX_ADDRESS",
        "DUMP_PREFIX_OFFSET",
    ];
    let span = input.span();
    let name = Ident::parse_any(input).ok();
    let n = NAMES
        .iter()
        .position(|prefix| name.as_ref().is_some_and(|name| name == prefix));
    n.map(|n| n as u8).ok_or_else(|| {
        let error = "expected `DUMP_PREFIX_NONE`, `DUMP_PREFIX_ADDRESS` or `DUMP_PREFIX_OFFSET`";
        Error::new(span, error)
    })
}

/// Returns the value in `{ value }`.
fn block_of(block: &Block) -> Result<&Expr> {
    match &block.stmts[..] {
        [Stmt::Expr(expr, None)] => Ok(expr),
        _ => Err(Error::new(
            block.brace_token.span.join(),
            "expected `{ value }`",
        )),
    }
}

/// Returns the condition and the values of an `if`.
pub(crate) fn branches(choice: &ExprIf) -> Result<(&Expr, &Expr, &Expr)> {
    if let Expr::Let(condition) = &*choice.cond {
        let error = "`let` can't be used in a condition: use `match`";
        return Err(Error::new(condition.let_token.span, error));
    }
    let then = block_of(&choice.then_branch)?;
    let other = match &choice.else_branch {
        Some((_, other)) => match &**other {
            Expr::Block(other) => block_of(&other.block)?,
            other => other,
        },
        None => {
            let error = "expected `else`: there must be something to show";
            return Err(Error::new(
                choice.then_branch.brace_token.span.close(),
                error,
            ));
        }
    };
    Ok((&choice.cond, then, other))
}

/// The arms of a `match`: what's matched, and the value.
pub(crate) type Arms = Vec<(Vec<Key>, Expr)>;

/// Returns the arms of a `match`, and the value of the last one, which is for all other values.
pub(crate) fn arms_of(choice: &ExprMatch) -> Result<(Arms, &Expr)> {
    fn keys(pat: &Pat) -> Result<Vec<Key>> {
        match pat {
            Pat::Paren(paren) => keys(&paren.pat),
            Pat::Or(or) => {
                let keys = or.cases.iter().map(keys).collect::<Result<Vec<_>>>()?;
                Ok(keys.into_iter().flatten().collect())
            }
            pat => {
                let expr = syn::parse2(pat.to_token_stream())
                    .map_err(|_| Error::new(span_of(pat), "expected a constant"))?;
                Ok(vec![key_of(expr)?])
            }
        }
    }
    let Some((last, rest)) = choice
        .arms
        .split_last()
        .filter(|(last, _)| matches!(last.pat, Pat::Wild(_)))
    else {
        let error = "a `match` needs a final arm, `_ => …`, for all other values";
        return Err(Error::new(choice.match_token.span, error));
    };
    for arm in &choice.arms {
        if let Some((guard, _)) = &arm.guard {
            return Err(Error::new(
                guard.span,
                "an arm has no condition here: use `if`",
            ));
        }
    }
    let value = |arm: &'_ syn::Arm| match &*arm.body {
        Expr::Block(_) => Err(Error::new(
            span_of(&arm.body),
            "expected a value without braces",
        )),
        _ => Ok(()),
    };
    choice.arms.iter().try_for_each(value)?;
    let rest = rest
        .iter()
        .map(|arm| Ok((keys(&arm.pat)?, (*arm.body).clone())));
    Ok((rest.collect::<Result<_>>()?, &last.body))
}

/// Returns whether a value is a text: a literal, a table or a field for which `is` says so, or a choice with one.
pub(crate) fn is_text(value: &Expr, fields: &[Field<'_>], is: fn(Kind) -> bool) -> bool {
    let is_text = |value: &Expr| is_text(value, fields, is);
    match inner(value) {
        Expr::Lit(lit) => matches!(lit.lit, Lit::Str(_)),
        Expr::Macro(_) => Table::is_one(value),
        Expr::If(choice) => {
            matches!(branches(choice), Ok((_, then, other)) if is_text(then) || is_text(other))
        }
        Expr::Match(choice) => choice.arms.iter().any(|arm| is_text(&arm.body)),
        value => as_name(value).is_some_and(|name| {
            let mut fields = fields.iter().filter(|field| name.unraw() == field.text);
            fields.any(|field| field.kind().is_some_and(is))
        }),
    }
}
