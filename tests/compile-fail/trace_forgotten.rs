// SPDX-License-Identifier: GPL-2.0

//! Tracepoints that are called like functions.

#![forbid(unsafe_code)]
#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, linux::sched::sched_process_hang, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    pub fn drv_queue(sector: u64, len: u32);
    pub fn drv_idle();
}

define_trace!(drv_queue, drv_idle);

trace_event! {
    system: "case";

    fn drv_done(id: u32, data: &[u8]) {
        id: u32 = id,
        data: DynArray<u8> = data,
    }
    print "{id} {data}";

    span fn drv_serve(queue: u32) {
        queue: u32 = queue,
    }
    print "{queue}";
}

pub fn fire(id: u32, data: &[u8]) {
    drv_done(id, data);
    drv_done();
    drv_queue(1, id);
    drv_idle();
    drv_serve(id);
    sched_process_hang(kernel::current!());
}
