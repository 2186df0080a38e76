// SPDX-License-Identifier: GPL-2.0

//! Probes the tracepoints of `tracepoint_sample`. The two modules can be loaded in either order.
//!
//! C version of this sample: `samples/tracepoints/tracepoint-probe-sample.c`, up to Linux 3.10.

use fs::{FileName, Inode};
use kernel::{fs::File, prelude::*};
use tp_samples_trace::{subsys_event, subsys_eventb};
use tracepoint::*;

mod fs;
mod tp_samples_trace;

fn probe_subsys_event(_inode: &Inode, file: &File) {
    pr_info!("Event is encountered with filename {}\n", FileName(file));
}

fn probe_subsys_eventb() {
    pr_info!("Event B is encountered\n");
}

/// Dropping this unregisters the probes and calls `tracepoint_synchronize_unregister()` to wait for
/// those still running.
struct TracepointProbeSample {
    _probes: ProbeGroup,
}

impl kernel::Module for TracepointProbeSample {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let mut probes = ProbeGroup::new();
        probes.push(subsys_event.register(probe_subsys_event)?)?;
        probes.push(subsys_eventb.register(probe_subsys_eventb)?)?;
        Ok(Self { _probes: probes })
    }
}

module! {
    type: TracepointProbeSample,
    name: "tracepoint_probe_sample",
    authors: ["Mathieu Desnoyers"],
    description: "Tracepoint probes sample",
    license: "GPL",
}
