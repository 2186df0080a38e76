// SPDX-License-Identifier: GPL-2.0

//! The types that an event's field can have, and how values are written to the record.
//!
//! Integers, `bool`, raw pointers and arrays of integers are recorded as they are. For whatever else C can
//! record, there's a type here, whose documentation has C's macro and the values that it accepts.
//!
//! In the source tree, `docs/field-types.md` has a table of all of them, with enums, flags and the types that print
//! themselves.

mod dynamic;
mod elements;
mod fixed;
pub(crate) mod macros;
mod room;
mod traits;

pub use dynamic::*;
pub use elements::*;
pub use fixed::*;
#[doc(hidden)]
pub use room::{room_size, Room};
pub use traits::*;
