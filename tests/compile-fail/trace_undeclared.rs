// SPDX-License-Identifier: GPL-2.0

//! Fired without a declaration.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

pub fn fire() {
    trace!(drv_queue(1, 2));
}
