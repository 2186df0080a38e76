// SPDX-License-Identifier: GPL-2.0

//! The state of a template on its way to both forms.

use crate::{
    base::event::template::{How, Of, Shown},
    print::Print,
    text::Text,
    types::Field,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Error;

/// A part of the `print fmt` or of the kernel's format.
enum Part {
    Bytes(Vec<u8>),
    /// A `__p::Part`, of which only the compiler knows the text.
    Unknown(TokenStream),
}

/// The parts of the `print fmt` or of the kernel's format.
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

    /// Adds a `__p::Part`.
    pub(crate) fn unknown(&mut self, part: TokenStream) {
        self.0.push(Part::Unknown(part));
    }

    /// Returns the parts as a slice of `__p::Part`.
    pub(crate) fn tokens(&self) -> TokenStream {
        let parts = self.0.iter().map(|part| match part {
            Part::Bytes(bytes) => {
                let bytes = Literal::byte_string(bytes);
                quote!(__p::Part::Bytes(#bytes))
            }
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

/// What's shown: its texts, or the `__p::Shown` from which the compiler makes them.
pub(crate) enum Piece {
    Known {
        format: String,
        kernel: String,
        argument: String,
        /// How many conversions the format has in addition to the first.
        more: usize,
    },
    Unknown(TokenStream),
}

impl Piece {
    /// Returns the texts, unless they're too long for the macro.
    fn known(shown: &Shown<'_>) -> Option<Self> {
        fn string<const N: usize>(text: Text<N>) -> Option<String> {
            (text.len() <= N).then(|| text.as_str().to_owned())
        }
        Some(Piece::Known {
            format: string(shown.format(Text::<64>::new()))?,
            kernel: string(shown.kernel_format(Text::<64>::new()))?,
            argument: string(shown.argument(Text::<4096>::new()))?,
            more: shown.more(),
        })
    }
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
    pub(crate) fields: &'a [Field<'a>],
    pub(crate) errors: Vec<Error>,
    /// For each name after the template whether the template has it.
    pub(crate) used: Vec<bool>,
    /// For each of them whether it has an error. One is enough.
    pub(crate) failed: Vec<bool>,
    /// For each field whether the template shows it.
    pub(crate) shows: Vec<bool>,
    pub(crate) count: usize,
    pub(crate) format: Parts,
    pub(crate) arguments: Parts,
    /// The kernel's format.
    pub(crate) kernel: Parts,
    /// The arguments that the kernel prints.
    pub(crate) values: Vec<TokenStream>,
    /// What the compiler has to look at.
    pub(crate) shown: Vec<TokenStream>,
    pub(crate) tables: Vec<TokenStream>,
    /// The arguments of the function that prints.
    pub(crate) iter: Ident,
    pub(crate) record: Ident,
}

impl Compiler<'_> {
    pub(crate) fn error(&mut self, span: Span, error: impl std::fmt::Display) {
        let error = format!("`{}`: {error}", self.event);
        self.errors.push(Error::new(span, error));
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

    /// Returns what's shown of `name`. `known` says what and how, if the macro knows it; `of` and `how` say it
    /// to the compiler.
    pub(crate) fn piece<'b>(
        &self,
        name: &'b str,
        known: Option<(Of<'b>, How<'b>)>,
        (of, how): (&TokenStream, TokenStream),
        span: Span,
    ) -> Result<(Piece, Option<Shown<'b>>), &'static str> {
        let shown = known.map(|(of, how)| Shown::new(name, of, how));
        let shown = shown.transpose()?;
        let piece = shown.as_ref().and_then(Piece::known).unwrap_or_else(|| {
            let event = self.event;
            let span = Span::mixed_site().located_at(span);
            Piece::Unknown(quote_spanned! {span=>
                __p::shown(#event, #name, #of, __p::How::#how)
            })
        });
        Ok((piece, shown))
    }

    /// Adds what's shown: its conversions and its argument.
    pub(crate) fn add(&mut self, piece: Piece) {
        self.arguments.text(", ");
        match &piece {
            Piece::Known {
                format,
                kernel,
                more,
                ..
            } => {
                self.format.text(format);
                self.kernel.text(kernel);
                self.count += more;
            }
            Piece::Unknown(_) => {
                let n = self.shown.len();
                self.format.unknown(quote!(__p::Part::Format(#n)));
                self.kernel.unknown(quote!(__p::Part::KernelFormat(#n)));
            }
        }
        self.add_argument(piece);
    }

    /// Adds only its argument.
    pub(crate) fn add_argument(&mut self, piece: Piece) {
        match piece {
            Piece::Known { argument, .. } => self.arguments.text(argument),
            Piece::Unknown(shown) => {
                let n = self.shown.len();
                self.arguments.unknown(quote!(__p::Part::Argument(#n)));
                self.shown.push(shown);
            }
        }
    }
}
