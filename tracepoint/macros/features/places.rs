// SPDX-License-Identifier: GPL-2.0

//! Where in a template an error is.

use crate::layers::Layer;
use proc_macro2::Span;
use quote::ToTokens;
use std::ops::Range;
use syn::LitStr;

pub(crate) static LAYER: Layer = Layer {
    subspan,
    ..Layer::NONE
};

/// Returns where each byte of the value of a string literal is in its source, and where it ends.
pub(crate) fn source_offsets(source: &str) -> Option<Vec<usize>> {
    let bytes = source.as_bytes();
    let mut offsets = Vec::new();
    let mut at = source.find('"')? + 1;
    if bytes[0] == b'r' {
        // No escapes. The suffix is as long as the prefix without its `r`.
        offsets.extend(at..=source.len() - (at - 1));
        return Some(offsets);
    }
    loop {
        match *bytes.get(at)? {
            b'"' => {
                offsets.push(at);
                return Some(offsets);
            }
            b'\\' => match bytes.get(at + 1)? {
                b'\n' | b'\r' => {
                    at += 1;
                    while bytes.get(at)?.is_ascii_whitespace() {
                        at += 1;
                    }
                }
                b'x' => {
                    offsets.push(at);
                    at += 4;
                }
                b'u' => {
                    let end = at + source.get(at..)?.find('}')?;
                    let digits = source.get(at + 3..end)?.replace('_', "");
                    let char = char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?;
                    offsets.extend((0..char.len_utf8()).map(|_| at));
                    at = end + 1;
                }
                _ => {
                    offsets.push(at);
                    at += 2;
                }
            },
            _ => {
                offsets.push(at);
                at += 1;
            }
        }
    }
}

/// Returns the span of a part of a literal's value, unless the compiler can't tell.
fn subspan(literal: &LitStr, range: Range<usize>) -> Option<Span> {
    // Outside of the compiler, as in tests, literals have no source.
    if !proc_macro::is_available() {
        return None;
    }
    let tokens: proc_macro::TokenStream = literal.to_token_stream().into();
    let Some(proc_macro::TokenTree::Literal(token)) = tokens.into_iter().next() else {
        return None;
    };
    let offsets = source_offsets(&token.to_string())?;
    if offsets.len() != literal.value().len() + 1 {
        return None;
    }
    let part = token.subspan(offsets[range.start]..offsets[range.end]);
    part.map(Span::from)
}
