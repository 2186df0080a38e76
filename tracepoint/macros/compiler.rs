// SPDX-License-Identifier: GPL-2.0

//! The state of a template on its way to both forms.

use crate::{
    base::event::template::Shown, print::Print, show::Pass, text::Text, tokens::local, types::Field,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
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

/// The longest argument in a `print fmt` that the macro writes. The compiler has room for any.
const ARGUMENT_MAX: usize = 4096;

/// Returns what helps with the spec of Rust that has no equivalent here.
pub(crate) fn help_of(name: &str, spec: &str) -> String {
    if spec.ends_with('?') {
        format!("\nhelp: write `{{{name}}}`")
    } else {
        String::new()
    }
}

/// What's shown of something and how, if only the compiler knows it: a `__p::Of` and the rest of a `__p::How`.
pub(crate) type Unknown = (TokenStream, TokenStream);

/// A template on its way to both forms.
pub(crate) struct Compiler<'a> {
    pub(crate) event: &'a str,
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
    /// Whether one of them is a text in the `trace_seq` of the iterator. See [`Compiler::iter`].
    pub(crate) has_texts: bool,
    /// The parts that the compiler has to look at.
    pub(crate) shown: Vec<TokenStream>,
    pub(crate) constants: Vec<TokenStream>,
}

impl Compiler<'_> {
    /// Returns the iterator, for an argument that's a text in its `trace_seq`.
    pub(crate) fn iter(&mut self) -> Ident {
        self.has_texts = true;
        local("iter")
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
    pub(crate) fn good<T>(&mut self, result: Result<T, &str>, at: Span, about: &str) -> Option<T> {
        result
            .map_err(|error| self.error(at, format_args!("{about}{error}")))
            .ok()
    }

    /// Adds the conversions of something whose argument follows.
    pub(crate) fn convert(&mut self, shown: &Shown<'_>) {
        let kernel = shown.show.kernel_format(Text::<64>::new());
        self.kernel.text(match shown.show.pass {
            // As in C, the kernel shows a mask itself, given its length and its address.
            Pass::Mask => "%*pb",
            Pass::MaskList => "%*pbl",
            _ => kernel.as_str(),
        });
        self.format.text(shown.format(Text::<64>::new()).as_str());
        self.count += shown.more();
        self.open = shown.show.is_open();
        self.arguments.text(", ");
    }

    /// Adds what's shown of `name`: its conversions, if that's all that is shown rather than a part of a value, and
    /// its argument. If the macro doesn't know it, the compiler makes it from `unknown`.
    pub(crate) fn add(
        &mut self,
        name: &str,
        known: Option<&Shown<'_>>,
        unknown: &Unknown,
        is_all: bool,
        span: Span,
    ) {
        if let Some(shown) = known {
            let argument = shown.argument(Text::<ARGUMENT_MAX>::new());
            if argument.len() <= ARGUMENT_MAX {
                if is_all {
                    self.convert(shown);
                }
                self.arguments.text(argument.as_str());
                return;
            }
        }
        let n = self.shown.len();
        if is_all {
            self.format.unknown(quote!(__p::Part::Format(#n)));
            self.kernel.unknown(quote!(__p::Part::KernelFormat(#n)));
            self.arguments.text(", ");
        }
        self.arguments.unknown(quote!(__p::Part::Argument(#n)));
        self.shown.push(self.shown(name, unknown, span));
    }

    /// Expands to what's shown of `name`, a `__p::Shown`.
    pub(crate) fn shown(&self, name: &str, (of, how): &Unknown, span: Span) -> TokenStream {
        let (event, span) = (self.event, Span::mixed_site().located_at(span));
        quote_spanned!(span=> __p::shown(#event, #name, #of, __p::How::#how))
    }

    /// Returns the name of a constant with this value.
    pub(crate) fn constant(&mut self, what: &str, ty: &TokenStream, value: &TokenStream) -> Ident {
        let name = format_ident!("__{what}_{}_{}", self.event, self.constants.len());
        self.constants.push(quote! {
            #[allow(non_upper_case_globals, unused_parens)]
            const #name: __p::#ty = #value;
        });
        name
    }
}
