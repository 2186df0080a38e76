// SPDX-License-Identifier: GPL-2.0

//! Several events with an error each: all are reported, and nothing else.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_one(sector: u64) {
        sector: u64 = sector
        error: i32 = 0,
    }
    print "{sector}";

    fn drv_two(sector: u64) {
        sector: u64 = sector,
    }

    fn drv_three(sector: u64) {
        sector: u64 = sector,
    }
    print "{sectro}";

    class drv_class(sector: u64) {
        sector: u64 = sector,
    }
    prnt "{sector}"
    events {
        fn drv_four;
        fn drv_five;
    }
}

pub fn fire() {
    trace!(drv_one(1));
    trace!(drv_two(1));
    trace!(drv_three(1));
    trace!(drv_four(1));
    trace!(drv_five(1));
}
