// SPDX-License-Identifier: GPL-2.0

//! Defines two tracepoints and fires them whenever `/proc/tracepoint-sample` is opened.
//!
//! C version of this sample: `samples/tracepoints/tracepoint-sample.c`, up to Linux 3.10.

use fs::{
    proc::{ProcEntry, ProcOps},
    Inode,
};
use kernel::{fs::File, prelude::*};
use tp_samples_trace::{subsys_event, subsys_eventb};
use tracepoint::*;

mod fs;
mod tp_samples_trace;

define_trace!(subsys_event, subsys_eventb);
// For modules in C, and for those that fire these tracepoints. A probe in Rust needs no export.
export_tracepoint_symbol_gpl!(subsys_event, subsys_eventb);

struct Sample;

#[vtable]
impl ProcOps for Sample {
    fn open(&self, inode: &Inode, file: &File) -> Result {
        trace!(subsys_event(inode, file));
        for _ in 0..10 {
            trace!(subsys_eventb());
        }
        Err(EPERM)
    }
}

struct TracepointSample {
    _proc: ProcEntry<Sample>,
}

impl kernel::Module for TracepointSample {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _proc: ProcEntry::new(c"tracepoint-sample", 0o444, None, Sample)?,
        })
    }
}

module! {
    type: TracepointSample,
    name: "tracepoint_sample",
    authors: ["Mathieu Desnoyers"],
    description: "Tracepoint sample",
    license: "GPL",
}
