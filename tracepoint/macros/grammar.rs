// SPDX-License-Identifier: GPL-2.0

//! What the macros accept.
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
    model::{Class, Definition, Event, Field, Options, Tracepoint, With, PLAIN},
    print::{conversions, Print},
    tokens::{c_name, no_cfg, not_a_keyword, span_of},
};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::mem::take;
use syn::{
    braced,
    ext::IdentExt,
    parenthesized,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
    spanned::Spanned,
    Attribute, Error, Expr, LitStr, Local, LocalInit, Path, Result, Stmt, Token, Type, Visibility,
};

mod kw {
    syn::custom_keyword!(class);
    syn::custom_keyword!(events);
    syn::custom_keyword!(faultable);
    syn::custom_keyword!(print);
    syn::custom_keyword!(system);
    syn::custom_keyword!(with);
}

/// The start of every item: attributes, visibility, `faultable`.
struct Head {
    attrs: Vec<Attribute>,
    vis: Visibility,
    faultable: bool,
}

impl Parse for Head {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            faultable: input.parse::<Option<kw::faultable>>()?.is_some(),
        })
    }
}

/// Returns an error at the next token, or at `last` if there is none.
fn error(input: ParseStream<'_>, last: Span, message: impl std::fmt::Display) -> Error {
    if input.is_empty() {
        Error::new(last, message)
    } else {
        input.error(message)
    }
}

/// Parses a name that can be a C symbol. `what` is what it names.
fn parse_name(input: ParseStream<'_>, what: &str) -> Result<Ident> {
    let name = input
        .call(Ident::parse_any)
        .map_err(|e| Error::new(e.span(), format!("expected the name of {what}")))?;
    not_a_keyword(&name)?;
    c_name(&name)?;
    Ok(name)
}

impl Head {
    /// Returns an error at the token after the head.
    fn error(&self, input: ParseStream<'_>, message: &str) -> Error {
        let last = match (self.attrs.last(), &self.vis) {
            (_, Visibility::Public(public)) => public.span(),
            (Some(attr), _) => attr.span(),
            (None, _) => Span::call_site(),
        };
        error(input, last, message)
    }
}

fn name_and_args(input: ParseStream<'_>, what: &str) -> Result<(Ident, Args)> {
    let name = parse_name(input, what)?;
    if input.peek(Token![<]) {
        return Err(input.error(format!(
            "`{name}` can't be generic: all modules call the same probes"
        )));
    }
    if !input.peek(syn::token::Paren) {
        return Err(error(
            input,
            name.span(),
            format!("expected the arguments of `{name}`: `(name: Type, …)`"),
        ));
    }
    let content;
    parenthesized!(content in input);
    let args = content.parse()?;
    if input.peek(Token![->]) {
        return Err(input.error(format!("`{name}` can't return anything: its probes don't")));
    }
    Ok((name, args))
}

fn condition(input: ParseStream<'_>) -> Result<Option<Expr>> {
    if input.parse::<Option<Token![if]>>()?.is_none() {
        return Ok(None);
    }
    match Expr::parse_without_eager_brace(input)? {
        Expr::Let(expr) => Err(Error::new_spanned(
            expr,
            "a condition is a `bool`: use `matches!(…)` instead of `let`",
        )),
        expr => Ok(Some(expr)),
    }
}

/// C has no such macro either.
fn no_condition_if_faultable(
    faultable: bool,
    name: &Ident,
    condition: &Option<Expr>,
) -> Result<()> {
    match condition {
        Some(condition) if faultable => Err(Error::new_spanned(
            condition,
            format!("`{name}` is faultable, so it can't have a condition"),
        )),
        _ => Ok(()),
    }
}

impl Parse for Tracepoint {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let head: Head = input.parse()?;
        if !input.peek(Token![fn]) {
            return Err(head.error(
                input,
                "expected `pub fn name(argument: Type, …);`, `pub fn name(…) if condition;` or \
                 `pub faultable fn name(…);`",
            ));
        }
        input.parse::<Token![fn]>()?;
        let (name, args) = name_and_args(input, "a tracepoint")?;
        let condition = condition(input)?;
        no_condition_if_faultable(head.faultable, &name, &condition)?;
        if input.peek(syn::token::Brace) {
            return Err(input.error(format!(
                "a tracepoint has no fields: declare `{name}` with `trace_event!`"
            )));
        }
        semicolon(input, &name)?;
        if let Some(attr) = head.attrs.iter().find(|attr| layers::has_attribute(attr)) {
            let attr_name = attr.path().to_token_stream();
            return Err(Error::new(
                span_of(attr),
                format!("`{name}` records nothing: only events can be `#[{attr_name}]`"),
            ));
        }
        Ok(Self {
            attrs: head.attrs,
            vis: head.vis,
            faultable: head.faultable,
            kind: PLAIN,
            name,
            args,
            condition,
        })
    }
}

/// Whether the events of a class follow these tokens, rather than that something is called `events`.
fn ends_with_events(tokens: &[TokenTree]) -> bool {
    let word = |token: &TokenTree| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    };
    let mut words = tokens.iter().filter_map(word);
    let is_operator =
        |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() != ',');
    let [.., before, last] = tokens else {
        return false;
    };
    words
        .find(|word| word == "fn" || word == "class")
        .as_deref()
        == Some("class")
        && word(last).as_deref() == Some("events")
        && !is_operator(before)
}

/// Splits an input into items. Each ends with a `;` or with the events of a class, so an error in one of them is
/// no error of the others.
fn items(input: ParseStream<'_>) -> Result<Vec<TokenStream>> {
    let (mut items, mut tokens) = (Vec::new(), Vec::<TokenTree>::new());
    while !input.is_empty() {
        let token = input.parse()?;
        let is_last = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => {
                group.delimiter() == Delimiter::Brace && ends_with_events(&tokens)
            }
            _ => false,
        };
        tokens.push(token);
        if is_last || input.is_empty() {
            items.push(tokens.drain(..).collect());
        }
    }
    Ok(items)
}

/// The input of `tracepoint!` and `kernel_tracepoint!`.
pub(crate) struct Tracepoints(pub(crate) Vec<TokenStream>);

impl Parse for Tracepoints {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self(items(input)?))
    }
}

impl Parse for Definition {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path: Path = input.call(Path::parse_mod_style)?;
        let mut hooks = TokenStream::new();
        if input.peek(syn::token::Brace) {
            let content;
            let brace = braced!(content in input);
            let name = &path.segments[path.segments.len() - 1].ident;
            hooks = layers::options(&content, name, Options::Definition)?.hooks;
            if hooks.is_empty() {
                return Err(Error::new(
                    brace.span.join(),
                    format!("`{name}`: expected `reg: function, unreg: function`"),
                ));
            }
        } else if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error(
                "expected `name` or `name { reg: function, unreg: function }`, separated by commas",
            ));
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

/// Parses `a, b, c`.
pub(crate) fn list<T: Parse>(input: TokenStream) -> Result<Vec<T>> {
    let parser = Punctuated::<T, Token![,]>::parse_terminated;
    Ok(parser.parse2(input)?.into_iter().collect())
}

impl With {
    /// Parses `with { … }`, if it's there.
    fn parse(input: ParseStream<'_>, name: &Ident, of: Options) -> Result<Self> {
        if input.parse::<Option<kw::with>>()?.is_none() {
            return Ok(Self::default());
        }
        let content;
        braced!(content in input);
        layers::options(&content, name, of)
    }
}

impl Field {
    fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        no_cfg(&attrs)?;
        let name = parse_name(input, &format!("a field of `{event}`"))?;
        let usage = |e: Error| {
            let error = format!("`{event}`: expected `{name}: Type = expression`");
            Error::new(e.span(), error)
        };
        input.parse::<Token![:]>().map_err(usage)?;
        let ty = input.parse().map_err(usage)?;
        let c_type = match input.parse::<Option<Token![as]>>()? {
            Some(_) => Some(input.parse().map_err(|e| {
                let error = format!("`{event}`: the C type of `{name}` stands in quotes");
                Error::new(e.span(), error)
            })?),
            None => None,
        };
        input.parse::<Token![=]>().map_err(usage)?;
        let value = input.parse()?;
        Ok(Self {
            attrs,
            name,
            ty,
            c_type,
            value,
        })
    }
}

/// Parses a `let` statement before the fields.
fn value(input: ParseStream<'_>, event: &Ident) -> Result<Local> {
    let Stmt::Local(local) = input.parse()? else {
        return Err(input.error(format!("`{event}`: expected `let name = expression;`")));
    };
    match &local.init {
        Some(LocalInit { diverge: None, .. }) => {
            no_cfg(&local.attrs)?;
            Ok(local)
        }
        _ => Err(Error::new(
            span_of(&local.pat),
            format!("`{event}`: expected `let name = expression;`"),
        )),
    }
}

fn fields(input: ParseStream<'_>, event: &Ident) -> Result<(Vec<Local>, Vec<Field>)> {
    if !input.peek(syn::token::Brace) {
        return Err(error(
            input,
            event.span(),
            format!("expected the fields of `{event}`: `{{ name: Type = expression, … }}`"),
        ));
    }
    let content;
    braced!(content in input);
    let (mut values, mut fields) = (Vec::new(), Vec::new());
    while !content.is_empty() {
        let ahead = content.fork();
        ahead.call(Attribute::parse_outer)?;
        if !ahead.peek(Token![let]) {
            fields.push(Field::parse(&content, event)?);
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        } else if fields.is_empty() {
            values.push(value(&content, event)?);
        } else {
            return Err(ahead.error(format!("`{event}`: `let` must come before the first field")));
        }
    }
    Ok((values, fields))
}

fn print(input: ParseStream<'_>, event: &Ident) -> Result<Print> {
    if !input.peek(kw::print) {
        return Err(error(
            input,
            event.span(),
            format!("`{event}`: expected `print \"…\"` after the fields"),
        ));
    }
    input.parse::<kw::print>()?;
    if let Some(error) = c_format(&input.fork()) {
        return Err(Error::new(error.span(), format!("`{event}`: {error}")));
    }
    Print::parse(input, event)
}

/// Returns the error for a template and an argument as C has them: a field or an expression without a name.
fn c_format(input: ParseStream<'_>) -> Option<Error> {
    let template: LitStr = input.parse().ok()?;
    input.parse::<Token![,]>().ok()?;
    let name = Ident::parse_any(input).ok()?;
    if input.peek(Token![=]) {
        return None;
    }
    let text = template.value();
    let conversion = conversions(&text).next()?;
    let error = format!(
        "`{}` is C syntax: write `{{{name}}}` in the template",
        &text[conversion.clone()]
    );
    Some(Error::new(layers::subspan(&template, conversion), error))
}

fn semicolon(input: ParseStream<'_>, event: &Ident) -> Result<()> {
    if !input.peek(Token![;]) {
        return Err(error(
            input,
            event.span(),
            format!("expected `;` at the end of `{event}`"),
        ));
    }
    input.parse::<Token![;]>()?;
    Ok(())
}

impl Parse for Event {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if !input.peek(Token![fn]) {
            return Err(input.error("expected an event of the class: `pub fn name;`"));
        }
        input.parse::<Token![fn]>()?;
        let name = parse_name(input, "an event")?;
        if input.peek(syn::token::Paren) {
            return Err(input.error(format!(
                "`{name}` has the arguments of its class: expected `fn {name};`"
            )));
        }
        let condition = condition(input)?;
        let print = if input.peek(kw::print) {
            Some(print(input, &name)?)
        } else {
            None
        };
        let with = With::parse(input, &name, Options::Member)?;
        semicolon(input, &name)?;
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
        let head: Head = input.parse()?;
        let is_class = input.parse::<Option<kw::class>>()?.is_some();
        let (kind, what, options) = if is_class {
            (PLAIN, "a class", Options::Class)
        } else {
            (layers::kind(input)?, "an event", Options::Event)
        };
        if !is_class && input.parse::<Option<Token![fn]>>()?.is_none() {
            return Err(head.error(
                input,
                "expected `pub fn name(argument: Type, …) { field: Type = expression, … } print \
                 \"…\";` or `class name(…) { … } print \"…\" events { … }`",
            ));
        }
        let (name, args) = name_and_args(input, what)?;
        let condition = if is_class { None } else { condition(input)? };
        let (values, fields) = fields(input, &name)?;
        let print = print(input, &name)?;
        let mut with = With::parse(input, &name, options)?;
        let mut class = Self {
            attrs: head.attrs,
            faultable: head.faultable,
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
            class.events = events(input, &class.name)?;
        } else {
            semicolon(input, &class.name)?;
            class.events.push(Event {
                attrs: take(&mut class.attrs),
                vis: head.vis,
                name: class.name.clone(),
                condition,
                print: None,
                with,
            });
        }
        for event in &class.events {
            no_condition_if_faultable(class.faultable, &event.name, &event.condition)?;
        }
        kind.apply(&mut class)?;
        Ok(class)
    }
}

/// Parses the events of a class.
fn events(input: ParseStream<'_>, class: &Ident) -> Result<Vec<Event>> {
    if input.parse::<Option<kw::events>>()?.is_none() {
        return Err(error(
            input,
            class.span(),
            format!("expected `events {{ … }}` after the template of the class `{class}`"),
        ));
    }
    let content;
    let brace = braced!(content in input);
    let mut events = Vec::new();
    while !content.is_empty() {
        events.push(content.parse()?);
    }
    if events.is_empty() {
        return Err(Error::new(
            brace.span.join(),
            format!("the class `{class}` has no events"),
        ));
    }
    Ok(events)
}

impl Class {
    /// Checks its fields.
    pub(crate) fn check(&self) -> Result<()> {
        for (i, field) in self.fields.iter().enumerate() {
            if self.fields[..i]
                .iter()
                .any(|other| other.name == field.name)
            {
                return Err(Error::new(
                    field.name.span(),
                    format!("`{}` has two fields called `{}`", self.name, field.name),
                ));
            }
            // What stands for another type would be one in each place where the expansion has it.
            if matches!(field.ty, Type::ImplTrait(_) | Type::Infer(_)) {
                return Err(Error::new(
                    span_of(&field.ty),
                    format!(
                        "`{}`: the type of the field `{}` must be written out",
                        self.name, field.name
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// The input of `trace_event!` and `trace_custom_event!`.
pub(crate) struct Events {
    pub(crate) system: LitStr,
    pub(crate) classes: Vec<TokenStream>,
}

impl Parse for Events {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self {
            system: system(input)?,
            classes: items(input)?,
        })
    }
}

/// Parses `system: "name";`.
fn system(input: ParseStream<'_>) -> Result<LitStr> {
    const SYSTEM: &str = "expected `system: \"name\";` before the first event";
    let expected = |e: Error| Error::new(e.span(), SYSTEM);
    input.parse::<kw::system>().map_err(expected)?;
    input.parse::<Token![:]>().map_err(expected)?;
    let system: LitStr = input.parse().map_err(expected)?;
    input.parse::<Token![;]>().map_err(expected)?;
    // It becomes a directory in tracefs, and a word in the names of the tools.
    let name = system.value();
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || !name.chars().all(valid) || name.starts_with('.') {
        return Err(Error::new(
            system.span(),
            "the name of a system consists of ASCII letters, digits, `_`, `-` and `.`, and \
             doesn't start with a `.`",
        ));
    }
    // `create_event_toplevel_files()` and `event_subsystem_dir()` (kernel/trace/trace_events.c).
    let taken = match name.as_str() {
        "enable" | "header_page" | "header_event" => "a file of tracefs in `events/`",
        "ftrace" => "the system of the kernel's tracers",
        _ => return Ok(system),
    };
    Err(Error::new(
        system.span(),
        format!("`{name}` is {taken}, so no other system can have this name"),
    ))
}
