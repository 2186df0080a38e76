// SPDX-License-Identifier: GPL-2.0

//! A shift by a literal that is too large.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(a: u32) {
        n: u32 = a << 40,
        m: u32 = a + 1 >> 40,
    }
    print "{n} {m}";
}

tracepoint! {
    fn drv_condition(a: u32) if a + 1 >> 40 != 0;
}
