// SPDX-License-Identifier: GPL-2.0

//! A tracepoint of the kernel, with a pointer to another struct.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

use kernel::{device::Device, task::Task};

kernel_tracepoint! {
    pub fn sched_switch(preempt: bool, prev: &Task, next: &View<Device>, prev_state: u32);
}
