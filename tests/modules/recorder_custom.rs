// SPDX-License-Identifier: GPL-2.0

//! A flight recorder with a custom event of its module, which starts in the init function.

#![forbid(unsafe_code)]
#![allow(missing_docs)]

use kernel::{prelude::*, task::Task};
use tracepoint::{event::*, *};

trace_custom_event! {
    system: "recorder_custom";

    fn sched_switch(preempt: bool, prev: &Task, next: &Task, prev_state: u32) {
        next_pid: i32 as "pid_t" = next.pid(),
    }
    print "next {next_pid}";
}

struct Custom {
    _recorder: FlightRecorder,
}

impl kernel::Module for Custom {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        let recorder = FlightRecorder::builder(c"recorder_custom")
            .event_by_name(c"recorder_custom", c"sched_switch")
            .build()?;
        Ok(Self {
            _recorder: recorder,
        })
    }
}

module! {
    type: Custom,
    name: "recorder_custom",
    authors: ["Rust tracepoint maintainers"],
    description: "A flight recorder with a custom event",
    license: "GPL",
}
