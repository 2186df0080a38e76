// SPDX-License-Identifier: GPL-2.0

//! The locals of the macros.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

tracepoint! {
    pub fn drv_condition(n: u32) if __guard == n;
}

trace_event! {
    system: "drv";

    pub fn drv_event(n: u32) {
        a: u32 = __sink,
        b: u32 = __size,
        c: u32 = __value0,
        d: u32 = __data,
        e: u32 = __c_arg0,
        f: u32 = __to,
    }
    print "";
}
