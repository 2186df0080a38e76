// SPDX-License-Identifier: GPL-2.0

//! The driver's own `unsafe` in an event, in a driver that forbids it.

#![allow(missing_docs, unused_imports, unused_variables)]
#![forbid(unsafe_code)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

tracepoint! {
    pub fn drv_condition(n: *const u32) if unsafe { *n } == 1;
}

trace_event! {
    system: "drv";

    pub fn drv_event(n: *const u32) {
        n: u32 = unsafe { *n },
    }
    print "{n}";
}

#[traceable]
fn drv_start(n: *const u32) -> u32 {
    unsafe { *n }
}
