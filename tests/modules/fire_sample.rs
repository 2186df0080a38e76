// SPDX-License-Identifier: GPL-2.0

//! Fires a tracepoint of the sample.

use kernel::prelude::*;
use tracepoint::*;

tracepoint! {
    fn subsys_eventb();
}

struct FireSample;

impl kernel::Module for FireSample {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        trace!(subsys_eventb());
        Ok(Self)
    }
}

module! {
    type: FireSample,
    name: "fire_sample",
    description: "Fires another module's tracepoint",
    license: "GPL",
}
