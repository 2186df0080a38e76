// SPDX-License-Identifier: GPL-2.0

//! A constant that does not fit, which only the compiler knows.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

const LIMIT: u32 = 300;

trace_event! {
    system: "case";

    fn drv_done(state: u8) {
        state: u8 = state,
    }
    print "{over}", over = if state > LIMIT { "over" } else { "within" };
}
