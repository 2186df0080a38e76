// SPDX-License-Identifier: GPL-2.0

//! The columns of a description that the compiler writes unless the macros can, and one that both know.
//!
//! Both the crate and its procedural macros include this file.

use crate::base::{event::shape::Shape, text::Text};

/// Where a `struct trace_event_call` has the `print fmt`.
pub const OFFSET_OF_PRINT_FMT: usize = 64;

/// Returns the columns about the layout and the type of a field. `given` is C's name of the type, if it's
/// given.
pub const fn field(shape: &Shape, given: Option<&str>) -> Text<640> {
    let (size, align) = shape.kind.layout();
    let text = Text::new().number(align).byte(0x1f);
    let text = text.number(size).byte(0x1f);
    let text = text.number(shape.kind.number().1 as usize).byte(0x1f);
    let text = text.number(shape.kind.code(shape.rel) as usize).byte(0x1f);
    let text = text.number(shape.names as usize).byte(0x1f);
    let c_type: Text<512> = shape.write_c_type(given);
    text.part(c_type.as_bytes(), 0, c_type.len())
}
