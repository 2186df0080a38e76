// SPDX-License-Identifier: GPL-2.0

//! An event whose function has the name of one of the kernel's.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn buf_alloc(size: u32) {
        size: u32 = size,
    }
    print "{size}";
}

trace_event! {
    system: "case";

    fn prep(size: u32) {
        size: u32 = size,
    }
    print "{size}";
}

pub fn fire() {
    trace!(buf_alloc(1));
}
