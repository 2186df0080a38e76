// SPDX-License-Identifier: GPL-2.0

//! The part after `print`: a template and its arguments, as they're written.

use crate::tokens::{goes_on, span_of};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use std::ops::Range;
use syn::{ext::IdentExt, parse::ParseStream, Error, LitStr, Result, Token};

/// The part after `print`: the template and its arguments.
pub(crate) struct Print {
    pub(crate) template: LitStr,
    pub(crate) named: Vec<Named>,
    /// The text that a macro puts before and after the template.
    pub(crate) around: (&'static str, &'static str),
}

/// `name = value`.
pub(crate) struct Named {
    pub(crate) name: Ident,
    pub(crate) value: TokenStream,
}

/// The form of an argument.
pub(crate) const NAMED: &str = "expected `name = value`, such as `major = dev >> 20` or \
                                `state = print_symbolic(field, { value => \"text\" })`";

impl Named {
    /// Parses an argument of `event`.
    fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let expected = |e: Error| Error::new(e.span(), format!("`{event}`: {NAMED}"));
        let name = Ident::parse_any(input).map_err(expected)?;
        input.parse::<Token![=]>().map_err(expected)?;
        let mut tokens: Vec<TokenTree> = Vec::new();
        while !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![;]) {
            let follows = tokens.last().is_some_and(|last| !goes_on(last));
            let fork = input.fork();
            if follows
                && matches!(Ident::parse_any(&fork), Ok(word) if word == "events" || word == "with")
            {
                break;
            }
            tokens.push(input.parse()?);
        }
        if tokens.is_empty() {
            return Err(expected(input.error("")));
        }
        let value = tokens.into_iter().collect();
        Ok(Self { name, value })
    }

    pub(crate) fn span(&self) -> Span {
        span_of(&self.value)
    }
}

impl Print {
    /// Parses what follows the `print` of `event`.
    pub(crate) fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let expected = format!("`{event}`: expected a template: `print \"…\"`");
        let template = input.parse().map_err(|e| Error::new(e.span(), expected))?;
        let mut named = Vec::new();
        while input.peek(Token![,]) {
            let comma: Token![,] = input.parse()?;
            let next = input.cursor().ident().filter(|_| !input.peek2(Token![=]));
            let is_next = next.is_some_and(|(next, _)| next == "with" || next == "events");
            // The last one can have a comma, too.
            if input.is_empty() || input.peek(Token![;]) || is_next {
                if named.is_empty() {
                    return Err(Error::new(comma.span, format!("`{event}`: {NAMED}")));
                }
                break;
            }
            named.push(Named::parse(input, event)?);
        }
        Ok(Self {
            template,
            named,
            around: ("", ""),
        })
    }

    /// Returns the whole text.
    pub(crate) fn text(&self) -> String {
        [self.around.0, &self.template.value(), self.around.1].concat()
    }
}

/// Returns where a template has the first of C's conversions, such as `%llu`.
pub(crate) fn conversion(text: &str) -> Option<Range<usize>> {
    let text = text.replace("%%", "  ");
    text.match_indices('%').find_map(|(start, _)| {
        let rest = text[start + 1..]
            .trim_start_matches(|c| matches!(c, '-' | '+' | '#' | '.' | '*' | '0'..='9'));
        let rest = rest.trim_start_matches(['h', 'l', 'z', 't', 'j', 'q', 'L']);
        let rest = match rest.strip_prefix('p') {
            Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()),
            None => rest.strip_prefix(['d', 'i', 'u', 'x', 'X', 'o', 'c', 's', 'n'])?,
        };
        Some(start..text.len() - rest.len())
    })
}
