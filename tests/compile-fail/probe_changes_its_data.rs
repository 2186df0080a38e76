// SPDX-License-Identifier: GPL-2.0

//! A probe that modifies its data, although it can run on several CPUs at once.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_queue(sector: u64, len: u32);
}

pub fn register() -> Result<Probe> {
    let mut sum = 0;
    drv_queue.register(move |sector, _| sum += sector)
}
