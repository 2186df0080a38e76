// SPDX-License-Identifier: GPL-2.0

//! A module with a custom event, which the kernel refuses after the event has been created: because of its BTF.

#![forbid(unsafe_code)]
#![allow(missing_docs)]

use kernel::{prelude::*, task::Task};
use tracepoint::{event::*, *};

tracepoint_struct! {
    /// Its size is a number of 32 bits in BTF, where the second member begins after the struct's end.
    pub struct Huge {
        pub first: [u8; 300_000_000],
        pub second: [u8; 3_994_967_300],
    }
}

tracepoint! {
    fn refused_huge(huge: &Huge);
}
define_trace!(refused_huge);

trace_custom_event! {
    system: "refused_load";

    fn sched_waking(p: &Task) {
        pid: i32 as "pid_t" = p.pid(),
    }
    print "pid={pid}";
}

struct Refused;

impl kernel::Module for Refused {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self)
    }
}

/// Never called.
pub fn fire(huge: &Huge) {
    trace!(refused_huge(huge));
}

module! {
    type: Refused,
    name: "refused_load",
    authors: ["Rust tracepoint maintainers"],
    description: "A module that can't be loaded",
    license: "GPL",
}
