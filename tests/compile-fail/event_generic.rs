// SPDX-License-Identifier: GPL-2.0

//! A generic event.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done<T>(sector: T) {
        sector: u64 = 0,
    }
    print "{sector}";
}

pub fn fire() {
    trace!(drv_done(1));
}
