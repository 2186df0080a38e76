// SPDX-License-Identifier: GPL-2.0

//! An array whose length is a constant that is 0.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

const LEN: usize = 0;

trace_event! {
    system: "case";

    fn drv_done(n: u8) {
        name: [u8; LEN] as "char" = [],
        n: u8 = n,
    }
    print "{n}";
}
