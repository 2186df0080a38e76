// SPDX-License-Identifier: GPL-2.0

//! A probe with an argument of another type.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_queue(sector: u64, len: u32);
}

fn probe(_sector: u64, _len: u64) {}

pub fn register() -> Result<Probe> {
    drv_queue.register(probe)
}
