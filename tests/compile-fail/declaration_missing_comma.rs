// SPDX-License-Identifier: GPL-2.0

//! Two arguments without a comma.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_queue(sector: u64 len: u32);
}

pub fn fire() {
    trace!(drv_queue(1, 2));
}
