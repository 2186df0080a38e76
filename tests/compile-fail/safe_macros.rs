// SPDX-License-Identifier: GPL-2.0

//! The library's hidden macros don't hide that they are unsafe.

#![allow(missing_docs, unused_imports, unused_variables)]

use tracepoint::*;

tracepoint! {
    pub fn drv_queue(sector: u64);
}

fn all(sector: u64) {
    tracepoint::__static_branch_unlikely!("drv_queue");
    tracepoint::__do_trace_call!("drv_queue", "0" [], sector: u64 = sector);
    tracepoint::__do_trace_call_iterator!("drv_queue", "0" [], sector: u64 = sector);
}
