// SPDX-License-Identifier: GPL-2.0

//! A reference through which a probe could write.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

use kernel::task::Task;

tracepoint! {
    pub fn drv_task(task: &mut Task);
}
