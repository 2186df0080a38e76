// SPDX-License-Identifier: GPL-2.0

//! What only the compiler knows of the descriptions that tools read, and that BTF is made from.
//!
//! The macros write the descriptions with assembly, whose operands are numbers: see
//! `macros.rs`. Nothing here is in a module's code or data.

use crate::base::event::{class::write_c_type, shape::Shape};

pub use crate::base::c_name::Name;

/// Returns the C type of a field. `given` is C's name of the type, if it's given.
#[track_caller]
pub const fn field(shape: &Shape, given: Option<&str>) -> Name {
    Name(write_c_type(*shape, given))
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
