// SPDX-License-Identifier: GPL-2.0

//! An event inside of a function.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

pub fn fire() {
    trace_event! {
        system: "case";

        fn drv_inside(id: u32) {
            id: u32 = id,
        }
        print "{id}";
    }
    trace!(drv_inside(1));
}
