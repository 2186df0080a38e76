// SPDX-License-Identifier: GPL-2.0

//! An array without elements.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(n: u8) {
        name: [u8; 0] as "char" = [],
        n: u8 = n,
    }
    print "{n}";
}
