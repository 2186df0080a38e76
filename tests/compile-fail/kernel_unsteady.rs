// SPDX-License-Identifier: GPL-2.0

//! A string that the kernel can change while it's read: the name of a file.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::{ffi::c_char, prelude::*, task::Task};
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

mod refused {
    use super::*;

    kernel_tracepoint! {
        pub fn task_rename(task: &Task, comm: Option<&CStr>);
    }

    fn probe() -> Result<Probe> {
        linux::task::task_rename.register(|_task, comm: &CStr| drop(comm.to_str()))
    }
}

trace_custom_event! {
    system: "case";

    pub fn task_rename(task: &Task, comm: &CStr) {
        comm: Str = comm,
    }
    print "{comm}";
}

mod good {
    use super::*;

    kernel_tracepoint! {
        pub fn task_rename(task: Option<&Task>, comm: *const c_char);
    }
}
