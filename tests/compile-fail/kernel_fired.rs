// SPDX-License-Identifier: GPL-2.0

//! Fires a tracepoint of the kernel's.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

kernel_tracepoint! {
    pub fn rcu_utilization(s: &CStr);
}

pub fn fire() {
    trace!(rcu_utilization(c"me"));
}
