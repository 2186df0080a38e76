// SPDX-License-Identifier: GPL-2.0

//! One C argument too many.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_many(
        a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8,
        h: u8, i: u8, j: u8, k: u8, l: u8, m: u8,
    );
}
