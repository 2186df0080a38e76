// SPDX-License-Identifier: GPL-2.0

//! Probes one event of another module and fires the other one once.

use kernel::{cpumask::Cpumask, prelude::*};
use tracepoint::*;

tracepoint! {
    fn f_begin(id: u32, small: i8, wide: u64, name: &CStr, list: &[u32], cpus: &Cpumask);
    fn f_end(id: u32);
}

struct EventProbe {
    _probe: Probe,
}

impl kernel::Module for EventProbe {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let probe = f_begin.register(|id, small, _, name, list, _| {
            pr_info!("f_begin {id} {small} {name:?} {list:?}\n");
        })?;
        trace!(f_end(1000));
        Ok(Self { _probe: probe })
    }
}

module! {
    type: EventProbe,
    name: "event_probe",
    description: "Probes and fires another module's events",
    license: "GPL",
}
