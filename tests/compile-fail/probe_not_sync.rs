// SPDX-License-Identifier: GPL-2.0

//! A probe whose data is not for several threads.

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
    let seen = core::cell::Cell::new(0);
    drv_queue.register(move |sector, _| seen.set(sector))
}
