// SPDX-License-Identifier: GPL-2.0

//! Spans that are begun with too many arguments, and with one of another type.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    span fn drv_serve(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";

    async span fn drv_request(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";

    fn drv_event(sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";
}

pub fn serve() {
    let span = span!(drv_serve(1, 2));
    let span = span!(drv_serve("1"));
}
