// SPDX-License-Identifier: GPL-2.0

//! What only the compiler knows of the descriptions that tools read, and that BTF is made from.
//!
//! The macros write the descriptions: see `macros.rs`. Nothing here is in a module's code or data.

use crate::base::{event::shape::Shape, text::Text};

/// Puts the parts of a description together, with NULs after them.
pub const fn text<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut text = Text::<N>::new();
    let mut i = 0;
    while i < parts.len() {
        text = text.part(parts[i], 0, parts[i].len());
        i += 1;
    }
    assert!(text.len() <= N, "what tools read of this is too long");
    text.part(&[0; N], 0, N - text.len()).bytes()
}

/// Returns a number as text.
pub const fn number(n: i128) -> Text<40> {
    let text = Text::new().str(if n < 0 { "-" } else { "" });
    text.number(n.unsigned_abs() as usize)
}

/// Returns the columns about the layout and the type of a field. `given` is C's name of the type, if it's
/// given.
pub const fn field(shape: &Shape, given: Option<&str>) -> Text<128> {
    let text = Text::new().number(shape.align).byte(0x1f);
    let text = text.number(shape.size).byte(0x1f);
    let text = text.number(shape.signed as usize).byte(0x1f);
    let text = text.number(shape.kind.code(shape.rel) as usize).byte(0x1f);
    let text = text.number(shape.names as usize).byte(0x1f);
    let name = match given {
        Some(name) => name,
        None => shape.name,
    };
    let c_type: Text<64> = shape.kind.write_c_type(name, shape.rel);
    text.part(c_type.as_bytes(), 0, c_type.len())
}

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
