// SPDX-License-Identifier: GPL-2.0

//! A function with a tracepoint and nothing else. The tests check its disassembly.

use kernel::prelude::*;
use tracepoint::*;

tracepoint! {
    fn site_event(n: u32, text: &str);
}

define_trace!(site_event);

#[inline(never)]
fn evaluate(n: u32) -> u32 {
    pr_info!("evaluated\n");
    n
}

/// Fires the tracepoint with arguments that need a call to evaluate.
#[export_name = "site"]
extern "C" fn site(n: u32) {
    trace!(site_event(evaluate(n), "text"));
}

struct Site;

impl kernel::Module for Site {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        site(1);
        Ok(Self)
    }
}

module! {
    type: Site,
    name: "site",
    description: "A tracepoint call site",
    license: "GPL",
}
