// SPDX-License-Identifier: GPL-2.0

//! Defines a tracepoint of the same name with a different struct.

use kernel::prelude::*;
use tracepoint::*;

tracepoint_struct! {
    /// An older version of the struct in twin_trace.rs.
    struct Record {
        pub(crate) n: u32,
        pub(crate) more: u32,
    }
}

tracepoint! {
    /// As in twin_trace.rs, except for the struct.
    fn twin(record: &Record);
}

define_trace!(twin);

fn fire(n: u32) {
    trace!(twin(&Record { n, more: 0 }));
}

struct DefineOther;

impl kernel::Module for DefineOther {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        fire(30);
        Ok(Self)
    }
}

impl Drop for DefineOther {
    fn drop(&mut self) {
        fire(30 + 1);
    }
}

module! {
    type: DefineOther,
    name: "define_other",
    description: "Defines a tracepoint of the same name with a different struct",
    license: "GPL",
}
