// SPDX-License-Identifier: GPL-2.0

//! A divisor in a condition that wraps to -1, by which the smallest number can't be divided.

#![allow(missing_docs, unused_imports, unused_variables, overflowing_literals)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(n: i32) if n / 0xffff_ffff == 1 {
        n: i32 = n,
    }
    print "{n}";
}
