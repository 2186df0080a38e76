// SPDX-License-Identifier: GPL-2.0

//! Defines the tracepoint, but fails to load.

use kernel::prelude::*;
use tracepoint::*;
use twin_trace::{twin, Record};

mod twin_trace;

define_trace!(twin);

fn fire(n: u32) {
    trace!(twin(&Record { n }));
}

struct DefineAndFail;

impl kernel::Module for DefineAndFail {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        fire(40);
        Err(ENODEV)
    }
}

module! {
    type: DefineAndFail,
    name: "define_and_fail",
    description: "Defines the tracepoint, but fails to load",
    license: "GPL",
}
