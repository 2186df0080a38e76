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
//! with   = "with" "{" { ("reg" | "unreg" | "perf_perm") ":" path "," | "flags" ":" "CAP_ANY" ","
//!          | "perf_count" ":" expression "," } "}"
//! ```
//!
//! `perf_count` belongs to the class; all else after `with` belongs to an event.

use crate::{
    args::Args,
    cfg, layers,
    model::{Class, Definition, Event, Field, Stability, Tracepoint, With, PLAIN},
    print::Print,
    tokens::{c_name, not_a_keyword, span_of},
    types,
};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::{
    braced,
    ext::IdentExt,
    parenthesized,
    parse::{discouraged::Speculative, Parse, ParseStream, Parser},
    punctuated::Punctuated,
    spanned::Spanned,
    Attribute, Error, Expr, LitStr, Local, LocalInit, Meta, Path, Result, Stmt, Token, Type,
    Visibility,
};

mod kw {
    syn::custom_keyword!(class);
    syn::custom_keyword!(events);
    syn::custom_keyword!(faultable);
    syn::custom_keyword!(print);
    syn::custom_keyword!(system);
    syn::custom_keyword!(with);
}

impl Stability {
    /// Returns what the attributes of an event or a class say.
    fn of(attrs: &[Attribute]) -> Result<Option<Self>> {
        let mut stable = None;
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("stable")) {
            let expected = |span| Error::new(span, "expected `#[stable]` or `#[stable(append)]`");
            let one = match &attr.meta {
                Meta::Path(_) => Self::Fixed,
                Meta::List(list) => match attr.parse_args::<Ident>() {
                    Ok(append) if append == "append" => Self::Append,
                    _ => return Err(expected(span_of(&list.tokens))),
                },
                Meta::NameValue(_) => return Err(expected(span_of(attr))),
            };
            if stable.replace(one).is_some() {
                return Err(Error::new(span_of(attr), "`#[stable]` is given twice"));
            }
        }
        Ok(stable)
    }
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
        if let Some(attr) = head
            .attrs
            .iter()
            .find(|attr| attr.path().is_ident("stable"))
        {
            return Err(Error::new(
                span_of(attr),
                format!("`{name}` records nothing: only events can be `#[stable]`"),
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

/// One item of a macro's input and its tokens, or the error in it.
pub(crate) type Item<T> = Result<(T, TokenStream)>;

/// Parses items until the end. After an error it continues where the next item begins.
fn items<T: Parse>(input: ParseStream<'_>) -> Vec<Item<T>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        // Tokens that are left in a group are an error of the whole input, but not in a fork.
        let fork = input.fork();
        match fork.parse::<T>() {
            Ok(item) => {
                let (mut at, mut tokens) = (input.cursor(), TokenStream::new());
                while let Some((token, next)) = at.token_tree().filter(|_| at < fork.cursor()) {
                    tokens.extend([token]);
                    at = next;
                }
                input.advance_to(&fork);
                items.push(Ok((item, tokens)));
            }
            Err(error) => {
                items.push(Err(error));
                let mut passed = false;
                while input.parse::<TokenTree>().is_ok() {
                    passed |= input.cursor() == fork.cursor();
                    if passed && starts_item(input) {
                        break;
                    }
                }
            }
        }
    }
    items
}

/// Whether an item can begin here.
fn starts_item(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    let head = fork.parse::<Head>();
    // Even if there's something wrong with it.
    let _ = layers::kind(&fork);
    head.is_ok() && (fork.peek(Token![fn]) || fork.peek(kw::class) && fork.peek2(syn::Ident))
}

/// The input of `tracepoint!` and `kernel_tracepoint!`.
pub(crate) struct Tracepoints(pub(crate) Vec<Item<Tracepoint>>);

impl Parse for Tracepoints {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self(items(input)))
    }
}

impl Parse for Definition {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path: Path = input.call(Path::parse_mod_style)?;
        let (mut reg, mut unreg) = (None, None);
        if input.peek(syn::token::Brace) {
            let content;
            let brace = braced!(content in input);
            let name = &path.segments[path.segments.len() - 1].ident;
            let with = With::parse_entries(&content, name, &OF_HOOKS)?;
            (reg, unreg) = (with.reg, with.unreg);
            if reg.is_none() {
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
        Ok(Self { path, reg, unreg })
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

/// What can follow `with`.
const OF_HOOKS: [&str; 2] = ["reg", "unreg"];
const OF_EVENT: [&str; 4] = ["reg", "unreg", "flags", "perf_perm"];
const OF_CLASS: [&str; 1] = ["perf_count"];
const OF_BOTH: [&str; 5] = ["reg", "unreg", "flags", "perf_perm", "perf_count"];

impl With {
    fn parse_entries(input: ParseStream<'_>, event: &Ident, allowed: &[&str]) -> Result<Self> {
        let expected = allowed.iter().map(|name| match *name {
            "flags" => "`flags: CAP_ANY`",
            "perf_count" => "`perf_count: expression`",
            "perf_perm" => "`perf_perm: function`",
            "reg" => "`reg: function`",
            _ => "`unreg: function`",
        });
        let expected: Vec<_> = expected.collect();
        let usage = format!("expected {}", expected.join(", "));
        let usage = |span| Error::new(span, format!("`{event}`: {usage}"));
        let mut with = Self::default();
        while !input.is_empty() {
            let key = input.call(Ident::parse_any).map_err(|e| usage(e.span()))?;
            let name = key.to_string();
            if !allowed.contains(&name.as_str()) {
                return Err(usage(key.span()));
            }
            input.parse::<Token![:]>().map_err(|e| usage(e.span()))?;
            let twice = |span| Error::new(span, format!("`{event}`: `{name}` is given twice"));
            if name == "flags" {
                let flag = input.call(Ident::parse_any).map_err(|e| usage(e.span()))?;
                if flag != "CAP_ANY" {
                    return Err(Error::new(
                        flag.span(),
                        format!("`{event}`: the only flag is `CAP_ANY`"),
                    ));
                }
                with.cap_any = true;
            } else if name == "perf_count" {
                if with.perf_count.is_some() {
                    return Err(twice(key.span()));
                }
                with.perf_count = Some(input.parse().map_err(|e| {
                    Error::new(e.span(), format!("`{event}`: `{name}` needs an expression"))
                })?);
            } else {
                let slot = match name.as_str() {
                    "reg" => &mut with.reg,
                    "unreg" => &mut with.unreg,
                    _ => &mut with.perf_perm,
                };
                if slot.is_some() {
                    return Err(twice(key.span()));
                }
                *slot = Some(input.parse().map_err(|e| {
                    Error::new(
                        e.span(),
                        format!("`{event}`: `{name}` needs the name of a function"),
                    )
                })?);
            }
            if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                return Err(input.error(format!("`{event}`: expected `,`")));
            }
        }
        let (key, missing) = match (&with.reg, &with.unreg) {
            (Some(reg), None) => (reg, "unreg"),
            (None, Some(unreg)) => (unreg, "reg"),
            _ => return Ok(with),
        };
        Err(Error::new_spanned(
            key,
            format!("`{event}`: `reg` and `unreg` go together, but `{missing}` is missing"),
        ))
    }

    fn parse_optional(input: ParseStream<'_>, event: &Ident, allowed: &[&str]) -> Result<Self> {
        if !input.peek(kw::with) {
            return Ok(Self::default());
        }
        input.parse::<kw::with>()?;
        let content;
        braced!(content in input);
        Self::parse_entries(&content, event, allowed)
    }
}

impl Field {
    /// Returns why a field can't have the type, if that follows from how it's written. The compiler
    /// checks the others.
    fn problem(&self) -> Option<&'static str> {
        Some(match types::ungrouped(&self.ty) {
            Type::Reference(reference) => match types::ungrouped(&reference.elem) {
                Type::Slice(_) => "use `DynArray<T>`",
                ty => match types::name_of(ty) {
                    Some((name, None)) if matches!(name.as_str(), "str" | "CStr") => "use `Str`",
                    Some((name, None)) if name == "Cpumask" => "use `Cpumask`",
                    _ => "record what is needed of the object, or its address as a `*const T`",
                },
            },
            Type::Slice(_) => "use `DynArray<T>`",
            Type::Tuple(_) => "use a field for each part",
            Type::BareFn(_) => "use a `*const c_void`",
            Type::ImplTrait(_) | Type::TraitObject(_) | Type::Infer(_) => "write it out",
            ty => match types::name_of(ty)? {
                (name, None) => match name.as_str() {
                    "f32" | "f64" => "the kernel has no floating point: use an integer",
                    "u128" | "i128" => "trace events have no such integers: use two fields",
                    "char" => "use a `u32`",
                    "str" | "String" | "CStr" | "CString" => "use `Str`",
                    _ => return None,
                },
                (name, Some(of)) => match name.as_str() {
                    "Vec" | "KVec" | "VVec" | "KVVec" => "use `DynArray<T>`",
                    "Struct" if matches!(types::ungrouped(of), Type::Tuple(_)) => {
                        "the layout of a tuple can have padding: use a `#[repr(C)]` struct"
                    }
                    // The compiler checks whether another type has a value left.
                    "Option"
                        if types::number_type(of).is_none()
                            && !matches!(types::ungrouped(of), Type::Reference(_)) =>
                    {
                        return None;
                    }
                    "Option" => {
                        "use a value that stands for `None`, such as `unwrap_or(0)`, or an \
                         `Option<NonZero<…>>`"
                    }
                    "DynArray" if matches!(types::name_of(of), Some((of, None)) if of == "c_char") => {
                        "use `Str` for text"
                    }
                    _ => return None,
                },
            },
        })
    }

    fn parse(input: ParseStream<'_>, event: &Ident) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        cfg::refuse(&attrs)?;
        let name = parse_name(input, &format!("a field of `{event}`"))?;
        // What's missing is missing at the end, or before the next token.
        let expected = |last: Span, what: &str| {
            let last = if input.is_empty() { last } else { input.span() };
            Error::new(last, format!("`{event}`: the field `{name}` {what}"))
        };
        if !input.peek(Token![:]) {
            return Err(expected(
                name.span(),
                "has no type; expected `name: Type = expression`",
            ));
        }
        input.parse::<Token![:]>()?;
        let ty: Type = input
            .parse()
            .map_err(|e| expected(e.span(), "has no type; expected `name: Type = expression`"))?;
        let c_type = match input.parse::<Option<Token![as]>>()? {
            Some(token) => Some(input.parse().map_err(|_| {
                expected(
                    token.span,
                    "needs the C type in quotes, such as `as \"pid_t\"`",
                )
            })?),
            None => None,
        };
        if !input.peek(Token![=]) {
            return Err(expected(
                span_of(&ty),
                "has no value; expected `name: Type = expression`",
            ));
        }
        let equals: Token![=] = input.parse()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Err(expected(
                equals.span,
                "has no value; expected `name: Type = expression`",
            ));
        }
        let value = input.parse()?;
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error(format!(
                "`{event}`: expected `,` between the field `{name}` and the next one"
            )));
        }
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
        None => Err(Error::new(
            span_of(&local.pat),
            format!("`{event}`: expected `let name = expression;`"),
        )),
        Some(LocalInit {
            diverge: Some((token, _)),
            ..
        }) => Err(Error::new(
            token.span,
            format!("`{event}`: `let … else` can't be used in an event: use `match`"),
        )),
        _ => {
            cfg::refuse(&local.attrs)?;
            Ok(local)
        }
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
            content.parse::<Option<Token![,]>>()?;
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
    Print::parse(input, event)
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
        let with = With::parse_optional(input, &name, &OF_EVENT)?;
        semicolon(input, &name)?;
        Ok(Self {
            stable: Stability::of(&attrs)?,
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
        if input.peek(kw::class) {
            input.parse::<kw::class>()?;
            let (name, args) = name_and_args(input, "a class")?;
            let (values, fields) = fields(input, &name)?;
            let print = print(input, &name)?;
            let with = With::parse_optional(input, &name, &OF_CLASS)?;
            if !input.peek(kw::events) {
                return Err(error(
                    input,
                    name.span(),
                    format!("expected `events {{ … }}` after the template of the class `{name}`"),
                ));
            }
            input.parse::<kw::events>()?;
            let content;
            let brace = braced!(content in input);
            let mut events: Vec<Event> = Vec::new();
            while !content.is_empty() {
                events.push(content.parse()?);
            }
            for event in &events {
                no_condition_if_faultable(head.faultable, &event.name, &event.condition)?;
            }
            if events.is_empty() {
                return Err(Error::new(
                    brace.span.join(),
                    format!("the class `{name}` has no events"),
                ));
            }
            return Ok(Self {
                stable: Stability::of(&head.attrs)?,
                attrs: head.attrs,
                faultable: head.faultable,
                kind: PLAIN,
                name,
                args,
                values,
                fields,
                print,
                perf_count: with.perf_count,
                events,
            });
        }
        let kind = layers::kind(input)?;
        if !input.peek(Token![fn]) {
            return Err(head.error(
                input,
                "expected `pub fn name(argument: Type, …) { field: Type = expression, … } print \
                 \"…\";` or `class name(…) { … } print \"…\" events { … }`",
            ));
        }
        input.parse::<Token![fn]>()?;
        let (name, args) = name_and_args(input, "an event")?;
        let condition = condition(input)?;
        no_condition_if_faultable(head.faultable, &name, &condition)?;
        let (values, fields) = fields(input, &name)?;
        let print = print(input, &name)?;
        let mut with = With::parse_optional(input, &name, &OF_BOTH)?;
        semicolon(input, &name)?;
        let mut class = Self {
            attrs: Vec::new(),
            faultable: head.faultable,
            kind,
            name: name.clone(),
            args,
            values,
            fields,
            print,
            perf_count: with.perf_count.take(),
            stable: None,
            events: vec![Event {
                stable: Stability::of(&head.attrs)?,
                attrs: head.attrs,
                vis: head.vis,
                name,
                condition,
                print: None,
                with,
            }],
        };
        kind.apply(&mut class)?;
        Ok(class)
    }
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
            if let Some(problem) = field.problem() {
                return Err(Error::new(
                    span_of(&field.ty),
                    format!(
                        "`{}`: the field `{}` can't have this type: {problem}",
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
    pub(crate) classes: Vec<Item<Class>>,
}

impl Parse for Events {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self {
            system: system(input)?,
            classes: items(input),
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
