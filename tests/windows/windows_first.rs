// SPDX-License-Identifier: GPL-2.0

//! A module that registers nothing until somebody enables its custom event, and then waits until the other event is
//! enabled, too.

use kernel::{
    prelude::*,
    task::Task,
    time::{delay::fsleep, Delta},
};
use tracepoint::event::*;

trace_custom_event! {
    system: "windows_first";

    fn sched_process_exit(p: &Task, group_dead: bool) {
        pid: i32 = p.pid(),
        group_dead: bool = group_dead,
    }
    print "{pid} {group_dead}";
}

trace_event! {
    system: "windows_first";

    /// Is never fired. While it's enabled, the work item goes on.
    pub(crate) fn go_on() {}
    print "";
}

/// Called by the library.
#[no_mangle]
fn tracepoint_window(name: &str) {
    if name == "listen" {
        pr_info!("listens\n");
        while !go_on::enabled() {
            fsleep(Delta::from_millis(10));
        }
    }
}

struct First;

impl kernel::Module for First {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self)
    }
}

module! {
    type: First,
    name: "windows_first",
    description: "Its first work item waits for an event to be enabled",
    license: "GPL",
}
