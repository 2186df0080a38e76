// SPDX-License-Identifier: GPL-2.0

//! A custom event whose prototype differs from the tracepoint's.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::{prelude::*, task::Task};
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_custom_event! {
    system: "case";

    pub fn sched_switch(preempt: bool, prev_state: u32) {
        prev_state: u32 = prev_state,
    }
    print "{prev_state}";
}

trace_custom_event! {
    system: "case";

    faultable fn sched_wakeup(task: &Task) {
        pid: i32 = task.pid(),
    }
    print "{pid}";

    fn sched_waking(task: &Task) {
        pid: i32 = task.pid(),
    }
    print "{pid}" with { flags: CAP_ANY };
}

kernel_tracepoint! {
    faultable fn sched_wakeup_new(task: &Task);
}
