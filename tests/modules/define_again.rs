// SPDX-License-Identifier: GPL-2.0

//! Defines the same tracepoint as define.rs.

use kernel::prelude::*;
use tracepoint::*;
use twin_trace::{twin, Record};

mod twin_trace;

define_trace!(twin);

fn fire(n: u32) {
    trace!(twin(&Record { n }));
}

struct DefineAgain;

impl kernel::Module for DefineAgain {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        fire(20);
        Ok(Self)
    }
}

impl Drop for DefineAgain {
    fn drop(&mut self) {
        fire(20 + 1);
    }
}

module! {
    type: DefineAgain,
    name: "define_again",
    description: "Defines the same tracepoint as define",
    license: "GPL",
}
