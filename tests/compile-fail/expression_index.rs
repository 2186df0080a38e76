// SPDX-License-Identifier: GPL-2.0

//! An index that may be too large.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(data: &[u8; 4], i: usize) {
        n: u8 = data[i],
    }
    print "{n}";
}
