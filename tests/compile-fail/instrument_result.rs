// SPDX-License-Identifier: GPL-2.0

//! A function with a result that isn't an errno, one that returns a future, and some for which no span, or none with
//! arguments, is given.

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

#[instrument(drv_serve(sector))]
pub fn read(sector: u64) -> core::result::Result<(), u64> {
    Ok(())
}

#[instrument]
pub fn write() {}

#[instrument(drv_serve)]
pub fn append() {}

#[instrument(drv_serve(1))]
pub async fn flush() {}
