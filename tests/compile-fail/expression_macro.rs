// SPDX-License-Identifier: GPL-2.0

//! Macros that panic.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(a: u32) {
        n: u32 = if a > 5 { todo!() } else { a },
        m: u32 = { assert!(a < 3); a },
    }
    print "{n} {m}";
}
