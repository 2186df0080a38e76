// SPDX-License-Identifier: GPL-2.0

//! A filter type that a field cannot choose.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(sector: u64) {
        #[filter(DYN_STRING)]
        sector: u64 = sector,
    }
    print "{sector}";
}
