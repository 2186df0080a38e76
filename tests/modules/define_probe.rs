// SPDX-License-Identifier: GPL-2.0

//! Probes the tracepoint that define.rs defines.

use kernel::prelude::*;
use tracepoint::*;
use twin_trace::twin;

mod twin_trace;

struct DefineProbe {
    _probe: Probe,
}

impl kernel::Module for DefineProbe {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _probe: twin.register(|record| pr_info!("called with {}\n", record.n))?,
        })
    }
}

module! {
    type: DefineProbe,
    name: "define_probe",
    description: "Probes the tracepoint that define.rs defines",
    license: "GPL",
}
