// SPDX-License-Identifier: GPL-2.0

//! A tracepoint of the kernel, defined again with an iterator that takes something else.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

use core::ffi::{c_int, c_void};
use kernel::task::Task;

kernel_tracepoint! {
    pub fn sched_switch(preempt: bool, prev: &Task, next: &Task, prev_state: u32);
}

impl sched_switch {
    pub extern "C" fn __iterator(_: *mut c_void, text: &'static &'static CStr) -> c_int {
        text.to_bytes().len() as c_int
    }
}

use sched_switch as drv_switch;

define_trace!(drv_switch);
