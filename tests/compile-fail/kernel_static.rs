// SPDX-License-Identifier: GPL-2.0

//! The same of a tracepoint of the kernel.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

use kernel::task::Task;

kernel_tracepoint! {
    pub fn sched_switch(preempt: bool, prev: &'static Task, next: &'static Task, prev_state: u32);
}
