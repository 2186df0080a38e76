// SPDX-License-Identifier: GPL-2.0

//! Seven slices, which take fourteen C arguments.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_many(a: &[u8], b: &[u8], c: &[u8], d: &str, e: &str, f: &[u8], g: &[u8]);
}
