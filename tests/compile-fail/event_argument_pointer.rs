// SPDX-License-Identifier: GPL-2.0

//! A pointer with the layout of a number.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(at: *const u8) {
        at: *const u8 = at,
    }
    print "{at:#x}";
}
