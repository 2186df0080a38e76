// SPDX-License-Identifier: GPL-2.0

//! The library has no macros with assembly in them.

#![forbid(unsafe_code)]
#![allow(missing_docs, unused_imports, unused_variables)]

use tracepoint::*;

tracepoint! {
    pub fn drv_queue(sector: u64);
}

tracepoint::__arch_asm!(".pushsection .init.text, \"ax\"; ud2; .popsection",);
tracepoint::__define_trace!("drv_queue", "0" [], drv_queue);
tracepoint::__export_tracepoint!("drv_queue", drv_queue, "GPL");
const SYMBOL: &str = tracepoint::__export_symbol!("GPL", "drv_queue");

fn all(sector: u64) {
    tracepoint::__static_branch_unlikely!("drv_queue");
    tracepoint::__do_trace_call!("drv_queue", "0" [], sector: u64 = sector);
    tracepoint::__do_trace_call_iterator!("drv_queue", "0" [], sector: u64 = sector);
    tracepoint::__ftrace_nothing!();
}
