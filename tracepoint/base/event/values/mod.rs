// SPDX-License-Identifier: GPL-2.0

//! Numbers that a template computes from fields: the part of the library.

pub mod number;
mod operand;

pub use number::{computed, operand, place, Computed, Node, Op, Operand, Type};
pub use operand::{len, load, Code, Number};
