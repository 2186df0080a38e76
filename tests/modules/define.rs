// SPDX-License-Identifier: GPL-2.0

//! Defines a tracepoint.

use kernel::prelude::*;
use tracepoint::*;
use twin_trace::{twin, Record};

mod twin_trace;

define_trace!(twin);

fn fire(n: u32) {
    trace!(twin(&Record { n }));
}

struct Define;

impl kernel::Module for Define {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        fire(10);
        Ok(Self)
    }
}

impl Drop for Define {
    fn drop(&mut self) {
        fire(10 + 1);
    }
}

module! {
    type: Define,
    name: "define",
    description: "Defines a tracepoint",
    license: "GPL",
}
