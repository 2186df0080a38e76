// SPDX-License-Identifier: GPL-2.0

//! A declaration that says that what is passed stays.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

use kernel::task::Task;

tracepoint! {
    pub fn drv_task(task: &'static Task);
}
