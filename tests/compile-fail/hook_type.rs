// SPDX-License-Identifier: GPL-2.0

//! A registration hook that does not return a `Result`.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_queue(sector: u64, len: u32);
}

fn start() {}

fn stop() {}

define_trace!(drv_queue {
    reg: start,
    unreg: stop
});
