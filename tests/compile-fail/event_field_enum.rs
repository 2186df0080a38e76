// SPDX-License-Identifier: GPL-2.0

//! Enums that lack a derive.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy)]
enum Op {
    Read,
    Write,
}

#[repr(u8)]
enum Mode {
    Read,
    Write,
}

trace_event! {
    system: "case";

    fn drv_done(op: Op) {
        op: Op = op,
    }
    print "{op}";

    fn drv_mode(op: u32) {
        op: Mode = Mode::Read,
    }
    print "{op}";

    fn drv_number(op: Op) {
        op: u8 = op,
    }
    print "{op}";
}
