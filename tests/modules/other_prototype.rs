// SPDX-License-Identifier: GPL-2.0

//! Probes a tracepoint of the sample with the wrong arguments.

use fs::Inode;
use kernel::prelude::*;
use tracepoint::*;

mod fs;

tracepoint! {
    /// The sample passes a `&File`.
    fn subsys_event(inode: &Inode, n: u32);
}

struct OtherPrototype {
    _probe: Probe,
}

impl kernel::Module for OtherPrototype {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self {
            _probe: subsys_event.register(|_, n| pr_info!("called with {}\n", n))?,
        })
    }
}

module! {
    type: OtherPrototype,
    name: "other_prototype",
    description: "Probe with a different prototype",
    license: "GPL",
}
