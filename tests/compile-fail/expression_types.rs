// SPDX-License-Identifier: GPL-2.0

//! Operands of different types.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(a: u32, b: u64) {
        n: u32 = a - b,
        m: u32 = b - 1,
    }
    print "{n} {m}";
}
