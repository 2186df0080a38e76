// SPDX-License-Identifier: GPL-2.0

//! Unsafe functions in all parts of an event, without `unsafe`.

#![allow(missing_docs, unsafe_op_in_unsafe_fn, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

/// # Safety
///
/// None.
const unsafe fn danger() -> u32 {
    1
}

/// # Safety
///
/// None.
unsafe fn allow(_event: &PerfEvent) -> Result {
    Ok(())
}

/// # Safety
///
/// None.
unsafe fn begin() -> Result {
    Ok(())
}

/// # Safety
///
/// None.
unsafe fn end() {}

tracepoint! {
    pub fn drv_condition(n: u32) if danger() == n;
}

define_trace!(drv_condition {
    reg: begin,
    unreg: end
});

trace_event! {
    system: "drv";

    pub fn drv_event(n: u32) {
        n: u32 = danger(),
    }
    print "{n}"
    with { perf_perm: allow };
}

#[traceable]
fn drv_start(n: u32) {
    danger();
}
