// SPDX-License-Identifier: GPL-2.0

//! The part of a module's description that only the compiler knows. Tools read the description, and BTF is made from it.
//!
//! The macros write the description: see `macros.rs`. Nothing here is in a module's code or data.

mod columns;

use crate::base::{event::class::trace_event_call, text::Text};
pub use columns::field;
use columns::OFFSET_OF_PRINT_FMT;
use core::mem::offset_of;

/// Returns a number as text.
pub const fn number(n: i128) -> Text<40> {
    let text = Text::new().str(if n < 0 { "-" } else { "" });
    text.number(n.unsigned_abs() as usize)
}

/// Returns C's name of an integer. BPF trusts the offsets in a struct, so another type may not have the name.
pub const fn integer<T>(name: &str, size: usize) -> &str {
    assert!(
        core::mem::size_of::<T>() == size,
        "the type has the name of an integer, but another size"
    );
    name
}

/// Returns a text of several parts.
pub const fn concat<const N: usize>(parts: &[&[u8]]) -> Text<N> {
    let (mut text, mut i) = (Text::new(), 0);
    while i < parts.len() {
        text = text.part(parts[i], 0, parts[i].len());
        i += 1;
    }
    text
}

// What the macros say.
const _: () = assert!(offset_of!(trace_event_call, print_fmt) == OFFSET_OF_PRINT_FMT);

#[doc(hidden)]
pub mod root {}

#[doc(hidden)]
pub mod event {}

#[doc(hidden)]
pub mod private {
    pub use crate::layers::schema;
}
