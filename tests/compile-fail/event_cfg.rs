// SPDX-License-Identifier: GPL-2.0

//! `#[cfg]` inside a declaration.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "case";

    fn drv_done(sector: u64) {
        #[cfg(CONFIG_SMP)]
        sector: u64 = sector,
    }
    print "";

    fn drv_queue(#[cfg(CONFIG_SMP)] sector: u64) {
        sector: u64 = sector,
    }
    print "{sector}";
}
