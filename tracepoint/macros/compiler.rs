// SPDX-License-Identifier: GPL-2.0

//! The state of a template on its way to both forms.

use crate::{base::event::template::Shown, print::Print, show::Pass, text::Text, types::Field};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::cell::Cell;
use syn::Error;

/// A part of a text: in a template, a `__p::Part`.
enum Part {
    Bytes(Vec<u8>),
    /// One of which only the compiler knows the text.
    Unknown(TokenStream),
}

/// The parts of the `print fmt`, of the kernel's format, or of another text.
#[derive(Default)]
pub(crate) struct Parts(Vec<Part>);

impl Parts {
    pub(crate) fn text(&mut self, text: impl AsRef<[u8]>) {
        if let Some(Part::Bytes(last)) = self.0.last_mut() {
            last.extend(text.as_ref());
        } else {
            self.0.push(Part::Bytes(text.as_ref().into()));
        }
    }

    pub(crate) fn append(&mut self, other: Self) {
        for part in other.0 {
            match part {
                Part::Bytes(bytes) => self.text(bytes),
                part => self.0.push(part),
            }
        }
    }

    /// Adds a part of which only the compiler knows the text.
    pub(crate) fn unknown(&mut self, part: TokenStream) {
        self.0.push(Part::Unknown(part));
    }

    /// Returns the parts as a slice, for which `known` makes a part of bytes.
    pub(crate) fn tokens(&self, known: impl Fn(Literal) -> TokenStream) -> TokenStream {
        let parts = self.0.iter().map(|part| match part {
            Part::Bytes(bytes) => known(Literal::byte_string(bytes)),
            Part::Unknown(part) => part.clone(),
        });
        quote!(&[#(#parts),*])
    }

    /// Returns the bytes if there's nothing else.
    pub(crate) fn known(&self) -> Option<&[u8]> {
        match &self.0[..] {
            [Part::Bytes(bytes)] => Some(bytes),
            _ => None,
        }
    }
}

/// Returns the conversion in the `print fmt`, that in the kernel's format and the argument, unless they're too long
/// for the macro.
fn texts(shown: &Shown<'_>) -> Option<[String; 3]> {
    fn string<const N: usize>(text: Text<N>) -> Option<String> {
        (text.len() <= N).then(|| text.as_str().to_owned())
    }
    let kernel = match shown.show.pass {
        // As in C, the kernel shows a mask itself, given its length and its address.
        Pass::Mask => "%*pb".to_owned(),
        Pass::MaskList => "%*pbl".to_owned(),
        _ => string(shown.show.kernel_format(Text::<64>::new()))?,
    };
    Some([
        string(shown.format(Text::<64>::new()))?,
        kernel,
        string(shown.argument(Text::<4096>::new()))?,
    ])
}

/// Returns what helps with the spec of Rust that has no equivalent here.
pub(crate) fn help_of(name: &str, spec: &str) -> String {
    if spec.ends_with('?') {
        format!("\nhelp: write `{{{name}}}`")
    } else {
        String::new()
    }
}

/// A template on its way to both forms.
pub(crate) struct Compiler<'a> {
    pub(crate) event: &'a str,
    pub(crate) symbol: String,
    pub(crate) print: &'a Print,
    pub(crate) fields: &'a [Field],
    pub(crate) errors: Vec<Error>,
    /// For each name after the template whether the template has it.
    pub(crate) used: Vec<bool>,
    /// For each of them whether it has an error. One is enough.
    pub(crate) failed: Vec<bool>,
    /// For each field whether the template shows it.
    pub(crate) shows: Vec<bool>,
    pub(crate) count: usize,
    /// Whether a letter or digit would be part of the last conversion.
    pub(crate) open: bool,
    pub(crate) format: Parts,
    pub(crate) arguments: Parts,
    /// The kernel's format.
    pub(crate) kernel: Parts,
    /// The arguments that the kernel prints.
    pub(crate) values: Vec<TokenStream>,
    /// The parts that the compiler has to look at.
    pub(crate) shown: Vec<TokenStream>,
    pub(crate) tables: Vec<TokenStream>,
    /// Whether an argument is a text in the `trace_seq` of the iterator.
    pub(crate) has_texts: Cell<bool>,
    /// The arguments of the function that prints. See [`Compiler::iter`].
    pub(crate) iterator: Ident,
    pub(crate) record: Ident,
}

impl Compiler<'_> {
    /// Returns the iterator, for an argument that's a text in its `trace_seq`.
    pub(crate) fn iter(&self) -> &Ident {
        self.has_texts.set(true);
        &self.iterator
    }

    pub(crate) fn error(&mut self, span: Span, error: impl std::fmt::Display) {
        let error = format!("`{}`: {error}", self.event);
        self.errors.push(Error::new(span, error));
    }

    /// Reports an error where there's nothing to return.
    pub(crate) fn refused<T>(&mut self, span: Span, error: impl std::fmt::Display) -> Option<T> {
        self.error(span, error);
        None
    }

    /// Returns what there is, or reports the error, which is introduced by `about`.
    pub(crate) fn good<T>(
        &mut self,
        result: Result<T, &str>,
        span: Span,
        about: std::fmt::Arguments<'_>,
    ) -> Option<T> {
        result
            .map_err(|error| self.error(span, format_args!("{about}{error}")))
            .ok()
    }

    /// Adds what's shown of `name`: its conversions, if that's all that is shown rather than a part of a value, and
    /// its argument. If the macro doesn't know it, the compiler makes it from `of` and `how`.
    pub(crate) fn add(
        &mut self,
        name: &str,
        known: Option<&Shown<'_>>,
        (of, how): (&TokenStream, &TokenStream),
        is_all: bool,
        span: Span,
    ) {
        let (texts, n) = (known.and_then(texts), self.shown.len());
        if is_all {
            self.open = known.is_some_and(|known| known.show.is_open());
            self.arguments.text(", ");
            if let Some([format, kernel, _]) = &texts {
                self.format.text(format);
                self.kernel.text(kernel);
                self.count += known.map_or(0, Shown::more);
            } else {
                self.format.unknown(quote!(__p::Part::Format(#n)));
                self.kernel.unknown(quote!(__p::Part::KernelFormat(#n)));
            }
        }
        if let Some([.., argument]) = texts {
            self.arguments.text(argument);
            return;
        }
        self.arguments.unknown(quote!(__p::Part::Argument(#n)));
        self.shown.push(self.shown(name, of, how, span));
    }

    /// Expands to what's shown of `name`, a `__p::Shown`.
    pub(crate) fn shown(
        &self,
        name: &str,
        of: &TokenStream,
        how: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let (event, span) = (self.event, Span::mixed_site().located_at(span));
        quote_spanned!(span=> __p::shown(#event, #name, #of, __p::How::#how))
    }
}
