// SPDX-License-Identifier: GPL-2.0

//! The grammar of the macros.
//!
//! ```text
//! tracepoint!         { { attributes [vis] ["faultable"] "fn" NAME "(" arguments ")" ["if" condition] ";" } }
//! kernel_tracepoint!  { { attributes [vis] "fn" NAME "(" arguments ")" ";" } }
//! define_trace!       ( { PATH [ "{" "reg" ":" path "," "unreg" ":" path "}" ] "," } )
//! trace_event!        { "system" ":" STRING ";" { event | class } }
//! trace_custom_event! { "system" ":" STRING ";" { event | class } }
//! event  = attributes [vis] ["faultable" | kind] "fn" NAME "(" arguments ")" ["if" condition] fields "print" print [with] ";"
//! kind   = ["async"] "span" | "instant" | "counter"
//! class  = attributes ["faultable"] "class" NAME "(" arguments ")" fields "print" print [with] "events" "{" { member } "}"
//! member = attributes [vis] "fn" NAME ["if" condition] ["print" print] [with] ";"
//! fields = "{" { attributes "let" pattern "=" expression ";" }
//!              { attributes NAME ":" type ["as" STRING] "=" expression "," } "}"
//! print  = STRING { "," NAME "=" value } [","]      (value: see `value.rs`)
//! with   = "with" "{" … "}"  (options: see `features/options.rs`)
//! ```

use crate::{
    args::Args,
    layers,
    model::{Class, Definition, Event, Field, Tracepoint, With, PLAIN},
    print::Print,
    tokens::{c_name, closed, goes_on},
    types,
};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use std::mem::take;
use syn::{
    braced, parenthesized,
    parse::{Parse, ParseStream, Parser},
    Attribute, Error, Expr, LitStr, Local, LocalInit, Path, Result, Stmt, Token,
};

mod kw {
    syn::custom_keyword!(class);
    syn::custom_keyword!(events);
    syn::custom_keyword!(faultable);
    syn::custom_keyword!(print);
    syn::custom_keyword!(system);
    syn::custom_keyword!(with);
}

/// The options of a definition, a class, and an event of a class.
const HOOKS: [&str; 2] = ["reg", "unreg"];
const OF_CLASS: [&str; 1] = ["perf_count"];
const OF_MEMBER: [&str; 4] = ["reg", "unreg", "flags", "perf_perm"];
const OF_EVENT: [&str; 5] = ["reg", "unreg", "flags", "perf_perm", "perf_count"];

/// Parses `a, b, c`.
pub(crate) fn list<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    let list = input.parse_terminated(T::parse, Token![,])?;
    Ok(list.into_iter().collect())
}

/// Parses what's in braces.
fn in_braces<T>(
    input: ParseStream<'_>,
    parse: impl FnOnce(ParseStream<'_>) -> Result<T>,
) -> Result<T> {
    let content;
    braced!(content in input);
    parse(&content)
}

/// Parses all of the tokens. What's missing at the end is missed at the last one.
pub(crate) fn whole<T: Parse>(tokens: TokenStream) -> Result<T> {
    let parser = |input: ParseStream<'_>| in_braces(input, T::parse);
    parser.parse2(closed(Delimiter::Brace, tokens))
}

/// Whether the events of a class follow these tokens, rather than that something is called `events`.
fn ends_with_events(class: &[TokenTree]) -> bool {
    let is = |token: &TokenTree, word| matches!(token, TokenTree::Ident(ident) if ident == word);
    matches!(class, [.., before, last]
        if is(last, "events") && !goes_on(before) && !class.iter().any(|of| is(of, "fn")))
}

/// Splits an input into items. Each ends with a `;` or with the events of a class, so an error in one of them is
/// no error of the others.
pub(crate) fn items(input: ParseStream<'_>) -> Result<Vec<TokenStream>> {
    let (mut items, mut item) = (Vec::new(), Vec::<TokenTree>::new());
    while !input.is_empty() {
        let token = input.parse()?;
        let is_last = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => {
                group.delimiter() == Delimiter::Brace && ends_with_events(&item)
            }
            _ => false,
        };
        item.push(token);
        if is_last || input.is_empty() {
            items.push(item.drain(..).collect());
        }
    }
    Ok(items)
}

/// Parses the name of a symbol or of a field. The assembler and the kernel take only ASCII, and one that's too long would
/// make other texts too long.
fn symbol(input: ParseStream<'_>) -> Result<Ident> {
    let name = input.parse()?;
    let text = c_name(&name);
    let error = match (text.is_ascii(), text.len()) {
        (true, ..=128) => return Ok(name),
        (true, _) => "the name has more than 128 characters",
        (false, _) => "the name has to be in ASCII",
    };
    Err(Error::new(name.span(), error))
}

/// Parses the name of a function.
fn function(input: ParseStream<'_>) -> Result<Ident> {
    input.parse::<Token![fn]>()?;
    symbol(input)
}

fn args(input: ParseStream<'_>) -> Result<Args> {
    let content;
    parenthesized!(content in input);
    list(&content).map(Args)
}

fn condition(input: ParseStream<'_>) -> Result<Option<Expr>> {
    let condition = input.parse::<Option<Token![if]>>()?;
    let condition = condition.map(|_| Expr::parse_without_eager_brace(input));
    condition.transpose()
}

impl Parse for Tracepoint {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let tracepoint = Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            faultable: input.parse::<Option<kw::faultable>>()?.is_some(),
            kind: &PLAIN,
            name: function(input)?,
            args: args(input)?,
            condition: condition(input)?,
        };
        input.parse::<Token![;]>()?;
        Ok(tracepoint)
    }
}

impl Parse for Definition {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path: Path = input.call(Path::parse_mod_style)?;
        let mut hooks = TokenStream::new();
        if input.peek(syn::token::Brace) {
            hooks = in_braces(input, |content| layers::options(content, &HOOKS))?.hooks;
        }
        Ok(Self { path, hooks })
    }
}

impl Definition {
    /// The name of the tracepoint.
    pub(crate) fn name(&self) -> &Ident {
        &self.path.segments[self.path.segments.len() - 1].ident
    }
}

/// Parses `with { … }`, if it's there.
fn with(input: ParseStream<'_>, allowed: &[&'static str]) -> Result<With> {
    if input.parse::<Option<kw::with>>()?.is_none() {
        return Ok(With::default());
    }
    in_braces(input, |content| layers::options(content, allowed))
}

impl Parse for Field {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (attrs, name) = (input.call(Attribute::parse_outer)?, symbol(input)?);
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        types::check(&ty)?;
        let c_type = input.parse::<Option<Token![as]>>()?;
        let c_type = c_type.map(|_| input.parse()).transpose()?;
        input.parse::<Token![=]>()?;
        Ok(Self {
            attrs,
            name,
            ty,
            c_type,
            value: input.parse()?,
        })
    }
}

/// Parses a `let` statement before the fields, if there's another one.
fn value(input: ParseStream<'_>) -> Result<Option<Local>> {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer)?;
    if !ahead.peek(Token![let]) {
        return Ok(None);
    }
    match input.parse()? {
        Stmt::Local(local) if matches!(local.init, Some(LocalInit { diverge: None, .. })) => {
            Ok(Some(local))
        }
        _ => Err(ahead.error("expected `let name = expression;`")),
    }
}

/// Parses what an event records.
pub(crate) fn fields(input: ParseStream<'_>) -> Result<(Vec<Local>, Vec<Field>)> {
    in_braces(input, |content| {
        let mut values = Vec::new();
        while let Some(value) = value(content)? {
            values.push(value);
        }
        Ok((values, list(content)?))
    })
}

impl Parse for Event {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (attrs, vis) = (input.call(Attribute::parse_outer)?, input.parse()?);
        let (name, condition) = (function(input)?, condition(input)?);
        let print = input.parse::<Option<kw::print>>()?;
        let print = print.map(|_| Print::parse(input, &name)).transpose()?;
        let with = with(input, &OF_MEMBER)?;
        input.parse::<Token![;]>()?;
        Ok(Self {
            attrs,
            vis,
            name,
            condition,
            print,
            with,
        })
    }
}

impl Parse for Class {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (attrs, vis) = (input.call(Attribute::parse_outer)?, input.parse()?);
        let faultable = input.parse::<Option<kw::faultable>>()?.is_some();
        let is_class = input.parse::<Option<kw::class>>()?.is_some();
        let (kind, name) = match is_class {
            true => (&PLAIN, symbol(input)?),
            false => (layers::kind(input), function(input)?),
        };
        let args = args(input)?;
        let condition = if is_class { None } else { condition(input)? };
        let (values, fields) = fields(input)?;
        input.parse::<kw::print>()?;
        let print = Print::parse(input, &name)?;
        let allowed: &[_] = if is_class { &OF_CLASS } else { &OF_EVENT };
        let mut with = with(input, allowed)?;
        let mut class = Self {
            attrs,
            faultable,
            kind,
            name,
            args,
            values,
            fields,
            print,
            perf_count: with.perf_count.take(),
            events: Vec::new(),
        };
        if is_class {
            input.parse::<kw::events>()?;
            let content;
            braced!(content in input);
            while !content.is_empty() {
                class.events.push(content.parse()?);
            }
        } else {
            input.parse::<Token![;]>()?;
            class.events.push(Event {
                attrs: take(&mut class.attrs),
                vis,
                name: class.name.clone(),
                condition,
                print: None,
                with,
            });
        }
        Ok(class)
    }
}

/// Parses the system, and splits the rest of the input into items, each of which comes with it.
pub(crate) fn events(input: ParseStream<'_>) -> Result<Vec<(LitStr, TokenStream)>> {
    let system = system(input)?;
    let items = items(input)?.into_iter();
    Ok(items.map(|item| (system.clone(), item)).collect())
}

/// Parses `system: "name";`.
fn system(input: ParseStream<'_>) -> Result<LitStr> {
    input.parse::<kw::system>()?;
    input.parse::<Token![:]>()?;
    let system: LitStr = input.parse()?;
    input.parse::<Token![;]>()?;
    // It becomes a directory in tracefs, and a word in the names of the tools.
    let name = system.value();
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let error = match name.as_str() {
        // `create_event_toplevel_files()` and `event_subsystem_dir()` (kernel/trace/trace_events.c).
        "enable" | "header_page" | "header_event" => "a file of tracefs in `events/` has this name",
        "ftrace" => "the system of the kernel's tracers has this name",
        // `event_create_dir()` warns about it.
        "TRACE_SYSTEM" => "the kernel takes this for a header without a system",
        name if name.len() > 128 => "the name has more than 128 characters",
        name if name.is_empty() || name.starts_with('.') || !name.chars().all(valid) => {
            "the name of a system consists of ASCII letters, digits, `_`, `-` and `.`, and doesn't \
             start with a `.`"
        }
        _ => return Ok(system),
    };
    Err(Error::new(system.span(), error))
}
