// SPDX-License-Identifier: GPL-2.0

//! Several declarations with an error each: all are reported.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_one(sector);
    pub fn drv_two(sector: u64) -> u64;
    pub fn drv_three(sector: u64)
    pub fn drv_four(sector: u64);
}

pub fn fire() {
    trace!(drv_one(1));
    trace!(drv_two(1));
    trace!(drv_three(1));
    trace!(drv_four(1));
}
