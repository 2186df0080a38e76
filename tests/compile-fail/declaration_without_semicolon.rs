// SPDX-License-Identifier: GPL-2.0

//! A declaration that does not end.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_queue(sector: u64)
}
