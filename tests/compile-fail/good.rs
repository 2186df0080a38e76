// SPDX-License-Identifier: GPL-2.0

//! Compiles. The other cases are compiled with the same command.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
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
