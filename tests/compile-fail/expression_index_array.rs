// SPDX-License-Identifier: GPL-2.0

//! Indexes that are too large for an array.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

const LAST: usize = 4;

trace_event! {
    system: "case";

    fn drv_done(data: &[u8; 4], i: usize) {
        m: u8 = data[i % 5],
        o: u8 = data[4],
        p: u8 = data[i & 7],
        q: u8 = data[LAST],
    }
    print "{m} {o} {p} {q}";
}
