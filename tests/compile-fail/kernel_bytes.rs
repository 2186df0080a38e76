// SPDX-License-Identifier: GPL-2.0

//! A hardware address, which is not a string although `c_char` is `u8` in Rust.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

use tracepoint::__private::prototypes::neighbour;

kernel_tracepoint! {
    pub fn neigh_update(n: *mut neighbour, lladdr: &CStr, new: u8, flags: u32, pid: u32);
}
