// SPDX-License-Identifier: GPL-2.0

//! A field expression that keeps a reference beyond the call.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

use core::sync::atomic::{AtomicPtr, Ordering};
use kernel::task::Task;
use tracepoint::event::*;

static LAST: AtomicPtr<&'static Task> = AtomicPtr::new(core::ptr::null_mut());

fn keep(task: &'static Task) -> i32 {
    LAST.store((&raw const task).cast_mut(), Ordering::Relaxed);
    task.pid()
}

trace_event! {
    system: "drv";

    pub fn drv_task(task: &Task) {
        pid: i32 = keep(task),
    }
    print "{pid}";
}
