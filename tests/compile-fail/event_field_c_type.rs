// SPDX-License-Identifier: GPL-2.0

//! A C type that claims a location.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(sector: u64) {
        name: u64 as "__data_loc char[]" = sector,
    }
    print "{name}";
}

trace_event! {
    system: "case";

    fn drv_blank(sector: u64) {
        sector: u64 as " " = sector,
    }
    print "{sector}";
}

pub fn fire() {
    trace!(drv_done(1));
}
