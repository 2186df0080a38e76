// SPDX-License-Identifier: GPL-2.0

//! The part of a module's description that only the compiler knows. Tools read the description, and BTF is made from it.
//!
//! The macros write the description: see `macros.rs`. Nothing here is in a module's code or data.

mod columns;

use crate::base::{event::class::trace_event_call, text::Text};
pub use columns::field;
use columns::OFFSET_OF_PRINT_FMT;
use core::{mem::offset_of, ptr::copy_nonoverlapping};

/// Returns the length of a description that consists of these parts.
pub const fn len(parts: &[&[u8]]) -> usize {
    let (mut len, mut i) = (0, 0);
    while i < parts.len() {
        len += parts[i].len();
        i += 1;
    }
    len
}

/// Returns the description. `N` must be its [`len`].
pub const fn text<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    assert!(len(parts) == N);
    let (mut text, mut at, mut i) = ([0; N], 0, 0);
    while i < parts.len() {
        let part = parts[i];
        // SAFETY: All parts together have `N` bytes. A loop over them would take the compiler much longer.
        unsafe { copy_nonoverlapping(part.as_ptr(), text.as_mut_ptr().add(at), part.len()) };
        at += part.len();
        i += 1;
    }
    text
}

/// Returns a number as text.
pub const fn number(n: i128) -> Text<40> {
    let text = Text::new().str(if n < 0 { "-" } else { "" });
    text.number(n.unsigned_abs() as usize)
}

// What the macros say.
const _: () = assert!(offset_of!(trace_event_call, print_fmt) == OFFSET_OF_PRINT_FMT);

#[doc(hidden)]
pub mod root {
    #[doc(hidden)]
    pub use crate::layers::schema;
}

#[doc(hidden)]
pub mod event {}

#[doc(hidden)]
pub mod private {
    pub use crate::layers::schema;
}
