// SPDX-License-Identifier: GPL-2.0

//! Feeds the macros with inputs that are broken at random: the ones of the samples and of the test
//! modules, with tokens removed, repeated, exchanged, and texts and numbers changed.
//!
//! An expansion must be an error or code that can be parsed. The macros must not panic.
//!
//! `SEED` selects the inputs, and `ROUNDS` their number, in hundreds. `ONLY=n` repeats the nth.

use crate::{
    derive, layers::expand_function, names::macros as symbols, span::macros as span,
    structs::macros as structs, tests, traceable::macros as traceable,
};
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::panic;

struct Random(u64);

impl Random {
    /// The generator of the nth input, so that it can be repeated alone.
    fn new(seed: u64, n: u64) -> Self {
        let mut random = Self((seed << 32 ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// What inputs are made of: the name of a macro and an input that it accepts.
struct Corpus {
    inputs: Vec<(String, TokenStream)>,
    tokens: Vec<TokenTree>,
}

const MACROS: [&str; 5] = [
    "tracepoint",
    "kernel_tracepoint",
    "trace_event",
    "trace_custom_event",
    "tracepoint_struct",
];

impl Corpus {
    fn new() -> Self {
        let mut corpus = Self {
            inputs: Vec::new(),
            tokens: Vec::new(),
        };
        for dir in [".", "tests/modules", "template"] {
            for entry in std::fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|of| of == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    corpus.add(text.parse().unwrap());
                }
            }
        }
        let len = corpus.inputs.len();
        assert!(len > 30, "only {len} inputs");
        // `read_dir()` has no order.
        corpus
            .inputs
            .sort_by_key(|(name, input)| format!("{name} {input}"));
        for (_, input) in &corpus.inputs {
            collect(input.clone(), &mut corpus.tokens);
        }
        corpus
    }

    /// Finds calls of macros, and items with our attributes.
    fn add(&mut self, file: TokenStream) {
        let tokens: Vec<_> = file.clone().into_iter().collect();
        for window in tokens.windows(3) {
            if let [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(input)] = window {
                if MACROS.iter().any(|known| name == known) {
                    self.inputs.push((name.to_string(), input.stream()));
                }
            }
        }
        let Ok(file) = syn::parse2::<syn::File>(file) else {
            return;
        };
        for item in file.items {
            let attrs = match &item {
                syn::Item::Struct(item) => &item.attrs,
                syn::Item::Enum(item) => &item.attrs,
                syn::Item::Fn(item) => &item.attrs,
                _ => continue,
            };
            for attr in attrs {
                // The attribute's arguments in parentheses, and what it's an attribute of.
                if let (syn::Meta::List(list), syn::Item::Fn(function)) = (&attr.meta, &item) {
                    if list.path.is_ident("instrument") {
                        let arguments = &list.tokens;
                        let function = syn::ItemFn {
                            attrs: Vec::new(),
                            ..function.clone()
                        };
                        let input = quote!((#arguments) #function);
                        self.inputs.push(("instrument".into(), input));
                    }
                }
                let text = attr.to_token_stream().to_string();
                for name in [
                    "TraceStruct",
                    "TracepointArg",
                    "TraceEnum",
                    "TraceFlags",
                    "traceable",
                ] {
                    if text.contains(name) {
                        self.inputs.push((name.into(), item.to_token_stream()));
                    }
                }
            }
        }
    }
}

fn collect(tokens: TokenStream, to: &mut Vec<TokenTree>) {
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            collect(group.stream(), to);
        }
        to.push(token);
    }
}

/// Changes some characters of a text.
fn change_text(random: &mut Random, text: &str) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(3) {
        let alphabet: Vec<char> = "{}{}:#?xX08%\\\"'<>^-+*.$_ ,[]()|=a\u{e4}\0\n"
            .chars()
            .collect();
        let at = random.below(text.len() + 1);
        match random.below(4) {
            0 if at < text.len() => _ = text.remove(at),
            1 if at < text.len() => text[at] = *random.of(&alphabet),
            2 => {
                let part: Vec<char> = "{:#010x}{n:>8}{a[0]}%*ph".chars().collect();
                let from = random.below(part.len());
                text.splice(at..at, part[from..].iter().copied());
            }
            _ => text.insert(at, *random.of(&alphabet)),
        }
    }
    text.into_iter().collect()
}

const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "255",
    "256",
    "4096",
    "65536",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211455",
    "0xffu8",
    "1e9",
    "3.5f32",
];

fn change(random: &mut Random, corpus: &Corpus, tokens: TokenStream) -> TokenStream {
    let mut tokens: Vec<_> = tokens.into_iter().collect();
    let groups: Vec<_> = (0..tokens.len())
        .filter(|n| matches!(tokens[*n], TokenTree::Group(_)))
        .collect();
    if !groups.is_empty() && random.below(8) > 0 {
        let n = *random.of(&groups);
        if let TokenTree::Group(group) = &tokens[n] {
            let stream = change(random, corpus, group.stream());
            tokens[n] = TokenTree::Group(Group::new(group.delimiter(), stream));
        }
        return tokens.into_iter().collect();
    }
    let at = random.below(tokens.len() + 1);
    let Some(token) = tokens.get(at).cloned() else {
        tokens.push(random.of(&corpus.tokens).clone());
        return tokens.into_iter().collect();
    };
    match (random.below(6), &token) {
        (0..=3, TokenTree::Literal(literal)) => {
            let text = literal.to_string();
            tokens[at] = match syn::parse_str::<syn::LitStr>(&text) {
                Ok(text) => Literal::string(&change_text(random, &text.value())).into(),
                Err(_) => random
                    .of(&NUMBERS)
                    .parse::<TokenStream>()
                    .unwrap()
                    .into_iter()
                    .next()
                    .unwrap(),
            };
        }
        (0, TokenTree::Group(group)) => {
            let delimiter = [
                Delimiter::Brace,
                Delimiter::Bracket,
                Delimiter::Parenthesis,
                Delimiter::None,
            ][random.below(4)];
            tokens[at] = TokenTree::Group(Group::new(delimiter, group.stream()));
        }
        (0 | 1, _) => _ = tokens.remove(at),
        (2, _) => tokens.insert(at, token),
        (3, _) => tokens.insert(at, random.of(&corpus.tokens).clone()),
        (4, _) => tokens[at] = random.of(&corpus.tokens).clone(),
        _ => {
            let other = random.below(tokens.len());
            tokens.swap(at, other);
        }
    }
    tokens.into_iter().collect()
}

fn expand(name: &str, input: TokenStream) -> TokenStream {
    match name {
        "TraceStruct" => derive::expand(name, input, structs::trace_struct),
        "TracepointArg" => derive::tracepoint_arg(input),
        "TraceEnum" => derive::expand(name, input, symbols::trace_enum),
        "TraceFlags" => derive::expand(name, input, symbols::trace_flags),
        "instrument" => {
            let mut input = input.into_iter();
            let arguments = match input.next() {
                Some(TokenTree::Group(group)) => group.stream(),
                other => other.into_token_stream(),
            };
            expand_function(arguments, input.collect(), span::instrument)
        }
        "traceable" => expand_function(TokenStream::new(), input, traceable::traceable),
        _ => tests::named(name, input),
    }
}

/// Whether an expansion has an error in it, with a message.
fn has_error(expansion: &TokenStream) -> bool {
    let text = expansion.to_string();
    assert!(!text.contains("compile_error ! { \"\" }"), "no message");
    text.contains("compile_error !")
}

/// What the driver has in `const { … }`, only the compiler parses.
fn without_const_blocks(tokens: TokenStream) -> TokenStream {
    let mut after_const = false;
    let tokens = tokens.into_iter().map(|token| {
        let was_const = std::mem::take(&mut after_const);
        match token {
            TokenTree::Group(group) if was_const => {
                Group::new(group.delimiter(), TokenStream::new()).into()
            }
            TokenTree::Group(group) => {
                let inner = without_const_blocks(group.stream());
                Group::new(group.delimiter(), inner).into()
            }
            other => {
                after_const = matches!(&other, TokenTree::Ident(ident) if ident == "const");
                other
            }
        }
    });
    tokens.collect()
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn broken_inputs() {
    let corpus = Corpus::new();
    // Otherwise, the inputs aren't what they're meant to be.
    for (name, input) in &corpus.inputs {
        assert!(
            !has_error(&expand(name, input.clone())),
            "{name}! {{ {input} }}"
        );
    }
    let seed = variable("SEED").unwrap_or(1);
    let inputs = match variable("ONLY") {
        Some(n) => n..n + 1,
        None => 0..100 * variable("ROUNDS").unwrap_or(2),
    };
    let mut errors = 0;
    for n in inputs.clone() {
        let mut random = Random::new(seed, n);
        let (name, input) = random.of(&corpus.inputs);
        let mut input = input.clone();
        for _ in 0..1 + random.below(3) {
            input = change(&mut random, &corpus, input);
        }
        let text = input.to_string();
        let expanded = panic::catch_unwind(|| {
            let expansion = expand(name, input);
            let is_error = has_error(&expansion);
            if let Err(error) = syn::parse2::<syn::File>(without_const_blocks(expansion)) {
                assert!(is_error, "the expansion can't be parsed: {error}");
            }
            is_error
        });
        match expanded {
            Ok(is_error) => errors += u64::from(is_error),
            Err(_) => panic!("SEED={seed} ONLY={n}: {name}! {{ {text} }}"),
        }
    }
    // Most, but not all of them are wrong.
    let len = inputs.end - inputs.start;
    assert!(
        len < 100 || (errors > len / 4 && errors < len),
        "{errors} of {len}"
    );
}
