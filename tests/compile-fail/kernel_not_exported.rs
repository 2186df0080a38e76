// SPDX-License-Identifier: GPL-2.0

//! A tracepoint that the kernel doesn't export is fired.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

use tracepoint::linux::sched::sched_process_free;

pub fn fire(task: &kernel::task::Task) {
    // SAFETY: This is never called, since it must not compile.
    unsafe { trace!(sched_process_free(task)) };
}
