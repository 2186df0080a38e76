// SPDX-License-Identifier: GPL-2.0

//! A tracepoint that no header of the kernel declares.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

kernel_tracepoint! {
    pub fn sched_swicth(preempt: bool);
}
