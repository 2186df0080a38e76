// SPDX-License-Identifier: GPL-2.0

//! Types that no field can have: one error for each event.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_str(name: &CStr) {
        name: &CStr = name,
    }
    print "{name}";

    fn drv_option(x: u32) {
        x: Option<u32> = Some(x),
    }
    print "{x}";

    fn drv_float(x: u32) {
        x: f32 = 0.0,
    }
    print "{x}";

    fn drv_wide(x: u64) {
        x: u128 = 0,
    }
    print "{x}";
}

pub fn fire() {
    trace!(drv_str(c"a"));
    trace!(drv_float(1));
}
