// SPDX-License-Identifier: GPL-2.0

//! A second probe of `subsys_event`.
//!
//! C version of this sample: `samples/tracepoints/tracepoint-probe-sample2.c`, up to Linux 3.10.

use fs::Inode;
use kernel::{fs::File, prelude::*};
use tp_samples_trace::subsys_event;
use tracepoint::*;

mod fs;
mod tp_samples_trace;

fn probe_subsys_event(inode: &Inode, _file: &File) {
    pr_info!("Event is encountered with inode number {}\n", inode.ino());
}

/// Dropping this unregisters the probe and waits until it is no longer running.
struct TracepointProbeSample2 {
    _probe: Probe,
}

impl kernel::Module for TracepointProbeSample2 {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _probe: subsys_event.register(probe_subsys_event)?,
        })
    }
}

module! {
    type: TracepointProbeSample2,
    name: "tracepoint_probe_sample2",
    authors: ["Mathieu Desnoyers"],
    description: "Tracepoint probes sample",
    license: "GPL",
}
