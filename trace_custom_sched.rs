// SPDX-License-Identifier: GPL-2.0

//! Custom events on the scheduler's tracepoints. To enable them:
//! `echo 1 > /sys/kernel/tracing/events/custom/enable`.
//!
//! C version of this sample: `samples/trace_events/trace_custom_sched.c` and `.h`.

use helpers::task::TaskExt;
use kernel::{ffi::c_ushort, prelude::*, task::Task};
use tracepoint::event::*;

mod helpers;

// The name and the arguments must be the tracepoint's; the compiler checks them against the
// kernel's headers. The recorded fields and the output format are specific to this module.
trace_custom_event! {
    system: "custom";

    /// A CPU switches from one task to another.
    fn sched_switch(preempt: bool, prev: &Task, next: &Task, prev_state: u32) {
        prev_prio: c_ushort = prev.prio() as c_ushort,
        next_prio: c_ushort = next.prio() as c_ushort,
        next_pid: i32 as "pid_t" = next.pid(),
    }
    print "prev_prio={prev_prio} next_pid={next_pid} next_prio={next_prio}";

    /// A task is woken up.
    fn sched_waking(p: &Task) {
        pid: i32 as "pid_t" = p.pid(),
        prio: c_ushort = p.prio() as c_ushort,
    }
    print "pid={pid} prio={prio}";
}

struct TraceCustomSched;

impl kernel::Module for TraceCustomSched {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        Ok(Self)
    }
}

module! {
    type: TraceCustomSched,
    name: "trace_custom_sched",
    authors: ["Steven Rostedt"],
    description: "Custom scheduling events",
    license: "GPL",
}
