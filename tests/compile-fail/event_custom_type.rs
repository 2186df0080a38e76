// SPDX-License-Identifier: GPL-2.0

//! A custom event with another prototype than the tracepoint has.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::{ffi::c_int, prelude::*};
use tracepoint::{event::*, *};

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_custom_event! {
    system: "case";

    pub fn sched_switch(preempt: bool, prev_state: u32) {
        prev_state: u32 = prev_state,
    }
    print "{prev_state}";
}
