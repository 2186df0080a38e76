// SPDX-License-Identifier: GPL-2.0

//! An element of a slice.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(data: &[u8]) {
        n: u8 = data[0],
    }
    print "{n}";
}
