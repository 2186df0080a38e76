// SPDX-License-Identifier: GPL-2.0

//! A field of a span that says itself whether the begin has been recorded.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    span fn drv_serve(n: u32) {
        n: u32 = if n == 0 { return true } else { n },
    }
    print "{n}";
}

pub fn serve() {
    span!(drv_serve(1));
}
