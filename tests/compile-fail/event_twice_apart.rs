// SPDX-License-Identifier: GPL-2.0

//! Events of one name in two macro calls.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";
}

trace_event! {
    system: "case";

    fn drv_done(sector: u64, error: i32) {
        error: i32 = error,
    }
    print "{error}";

    fn drv_other(error: i32) {
        error: i32 = error,
    }
    print "{error}";
}

mod part {
    use super::*;

    trace_event! {
        system: "part";

        #[cfg(CONFIG_MODULES)]
        span fn drv_other(queue: u32) {
            queue: u32 = queue,
        }
        print "{queue}";
    }
}

pub fn fire() {
    trace!(drv_done(1));
    trace!(drv_other(1));
}
