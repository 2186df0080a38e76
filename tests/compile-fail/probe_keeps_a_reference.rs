// SPDX-License-Identifier: GPL-2.0

//! A probe that keeps a reference beyond the call.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

use core::sync::atomic::{AtomicPtr, Ordering};
use kernel::task::Task;

tracepoint! {
    pub fn drv_task(task: &Task);
}

static LAST: AtomicPtr<&'static Task> = AtomicPtr::new(core::ptr::null_mut());

pub fn register() -> Result<Probe> {
    drv_task
        .register(|task: &'static Task| LAST.store((&raw const task).cast_mut(), Ordering::Relaxed))
}
