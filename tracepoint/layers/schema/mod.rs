// SPDX-License-Identifier: GPL-2.0

//! What only the compiler knows of the descriptions that tools read, and that BTF is made from.
//!
//! The macros write the descriptions: see `macros.rs`. Nothing here is in a module's code or data.

use crate::base::{event::shape::Shape, text::Text};

/// The columns of each line of a description.
pub type Lines = &'static [&'static [&'static [u8]]];

/// Writes a description.
const fn write<const N: usize>(lines: Lines) -> Text<N> {
    let mut text = Text::new();
    let mut i = 0;
    while i < lines.len() {
        let mut j = 0;
        while j < lines[i].len() {
            let column = lines[i][j];
            text = text.part(column, 0, column.len());
            j += 1;
            text = text.byte(if j < lines[i].len() { 0x1f } else { 0x1e });
        }
        i += 1;
    }
    text
}

/// Returns the length of [`text`].
pub const fn len(lines: Lines) -> usize {
    write::<0>(lines).len()
}

/// Returns a description. `N` must be its [`len`].
pub const fn text<const N: usize>(lines: Lines) -> [u8; N] {
    write(lines).bytes()
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
