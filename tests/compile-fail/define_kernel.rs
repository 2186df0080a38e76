// SPDX-License-Identifier: GPL-2.0

//! Defines a tracepoint of the kernel.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

kernel_tracepoint! {
    pub fn rcu_utilization(s: &CStr);
}

use rcu_utilization as drv_utilization;

define_trace!(drv_utilization);
