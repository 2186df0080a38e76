// SPDX-License-Identifier: GPL-2.0

//! A function's address in four bytes, of which the kernel would read eight.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "drv";

    pub fn drv_event(n: u32) {
        #[filter(TRACE_FN)]
        n: u32 = n,
    }
    print "{n}";
}
