// SPDX-License-Identifier: GPL-2.0

//! Numbers that a template computes from fields: the part of the library.

mod number;
mod operand;

pub use crate::base::arithmetic::Operand;
pub use number::{code, Value};
pub use operand::{cast, len, load, type_of, Code};
