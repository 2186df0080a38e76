// SPDX-License-Identifier: GPL-2.0

//! Compiles; the others are compiled with its command.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_queue(sector: u64, len: u32);
}

define_trace!(drv_queue);

fn probe(_sector: u64, _len: u32) {}

pub fn register() -> Result<Probe> {
    trace!(drv_queue(1, 2));
    drv_queue.register(probe)
}
