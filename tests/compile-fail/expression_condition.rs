// SPDX-License-Identifier: GPL-2.0

//! A condition that may divide by zero.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(a: u32, b: u32) if a % b == 0 {
        n: u32 = a,
    }
    print "{n}";
}
