// SPDX-License-Identifier: GPL-2.0

//! A probe that refers to what is gone when it is called.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_queue(sector: u64, len: u32);
}

pub fn register() -> Result<Probe> {
    let limit = 1;
    drv_queue.register(|sector, _| assert!(sector < limit))
}
