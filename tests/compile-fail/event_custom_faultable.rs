// SPDX-License-Identifier: GPL-2.0

//! A custom event on a faultable tracepoint.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, linux::raw_syscalls, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_custom_event! {
    system: "case";

    pub fn sys_enter(regs: *mut kernel::bindings::pt_regs, id: isize) {
        id: isize = id,
    }
    print "{id}";
}
