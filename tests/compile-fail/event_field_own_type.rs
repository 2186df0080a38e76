// SPDX-License-Identifier: GPL-2.0

//! A field of a type of the driver's that isn't one of an event.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

struct Mine(u32);

trace_event! {
    system: "drv";

    pub fn drv_event(n: u32) {
        mine: Mine = Mine(n),
        n: u32 = n,
    }
    print "{mine} {n}";
}
