// SPDX-License-Identifier: GPL-2.0

//! Divisors that are zero, and indexes that are too large.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

const ZERO: u32 = 0;
const LAST: usize = 4;

trace_event! {
    system: "case";

    fn drv_done(a: u32, data: &[u8; 4]) {
        n: u32 = a / 0,
        m: u32 = a % ZERO,
        o: u8 = data[4],
        p: u8 = data[LAST],
        q: u32 = a * 2 / 0,
    }
    print "{n} {m} {o} {p} {q}";
}

tracepoint! {
    fn drv_condition(a: u32) if a * 2 / 0 > 50;
}
