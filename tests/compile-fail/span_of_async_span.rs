// SPDX-License-Identifier: GPL-2.0

//! A span of a thread that's begun like one that can be sent, and the other way round.

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
    let span = span!(drv_request(1));
    let span = async_span!(drv_serve(1));
}
