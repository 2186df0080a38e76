// SPDX-License-Identifier: GPL-2.0

//! A field with an enum that is assigned a number.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy, TraceEnum)]
#[repr(u8)]
enum Op {
    #[name = "READ"]
    Read = 0,
}

trace_event! {
    system: "case";

    fn drv_done(op: u8) {
        op: Op = op,
    }
    print "{op}";
}
