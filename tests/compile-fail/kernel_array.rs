// SPDX-License-Identifier: GPL-2.0

//! An array, of which C says nothing but where it is.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

kernel_tracepoint! {
    pub fn rcu_utilization(s: &[u8; 4096]);
}
