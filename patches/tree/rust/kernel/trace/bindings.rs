// SPDX-License-Identifier: GPL-2.0

//! C declarations.

#![allow(missing_docs)]

#[doc(no_inline)]
pub use crate::bindings::*;

/// C declarations.
pub(crate) mod generated {
    #[doc(no_inline)]
    #[allow(unreachable_pub, unused_imports)]
    pub use crate::bindings::*;
}

/// C's `char`. In the kernel crate it's a `u8`, but what a `const u8 *` points to isn't a string.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Char(#[allow(dead_code)] crate::ffi::c_char);
