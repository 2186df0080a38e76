// SPDX-License-Identifier: GPL-2.0

//! Public declarations with private types.

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

tracepoint_struct! {
    struct Request<'a> {
        name: &'a CStr,
    }
}

tracepoint! {
    pub fn drv_queue(id: u32, op: Op);
    pub fn drv_request(id: u32, request: Option<&Request<'_>>);
}

define_trace!(drv_queue);

trace_event! {
    system: "case";

    pub fn drv_done(id: u32, op: Op) {
        id: u32 = id,
        op: Op = op,
    }
    print "{id}: {op}";

    pub span fn drv_serve(op: Op) {
        op: Op = op,
    }
    print "{op}";
}

pub fn fire() {
    trace!(drv_queue(1, Op::Read));
    trace!(drv_done(1, Op::Read));
}
