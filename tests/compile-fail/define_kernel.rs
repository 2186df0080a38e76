// SPDX-License-Identifier: GPL-2.0

//! Defines a tracepoint of the kernel's.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

kernel_tracepoint! {
    pub fn rcu_utilization(s: &CStr);
}

define_trace!(rcu_utilization);
