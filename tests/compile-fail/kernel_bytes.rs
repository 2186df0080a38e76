// SPDX-License-Identifier: GPL-2.0

//! An address of a network card, which is no string though Rust's `char` is C's `u8`.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

use tracepoint::bindings::prototypes::neighbour;

kernel_tracepoint! {
    pub fn neigh_update(n: *mut neighbour, lladdr: &CStr, new: u8, flags: u32, pid: u32);
}
