// SPDX-License-Identifier: GPL-2.0

//! Fires a tracepoint of the sample with an argument that it doesn't have, like a module that was
//! not rebuilt after the declaration changed.

use kernel::prelude::*;
use tracepoint::*;

tracepoint! {
    fn subsys_eventb(n: u32);
}

struct Stale;

impl kernel::Module for Stale {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        trace!(subsys_eventb(1));
        Ok(Self)
    }
}

module! {
    type: Stale,
    name: "stale",
    description: "Fires a tracepoint with a different prototype",
    license: "GPL",
}
