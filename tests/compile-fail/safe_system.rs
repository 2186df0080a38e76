// SPDX-License-Identifier: GPL-2.0

//! Systems that aren't the name of a directory.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "";

    pub fn drv_a(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

trace_event! {
    system: "a/b";

    pub fn drv_b(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

trace_event! {
    system: "..";

    pub fn drv_c(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}
