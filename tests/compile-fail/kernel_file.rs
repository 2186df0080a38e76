// SPDX-License-Identifier: GPL-2.0

//! A file of which C does not say that its position is locked.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

use kernel::{fs::File, task::Task};

kernel_tracepoint! {
    pub fn sched_switch(preempt: bool, prev: &Task, next: &File, prev_state: u32);
}
