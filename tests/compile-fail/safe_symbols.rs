// SPDX-License-Identifier: GPL-2.0

//! Functions that would take the place of the kernel's.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

#[traceable]
fn kfree(object: *const u8) {}

#[traceable]
fn __this_module() {}

#[traceable]
fn __prototype_sched_switch_1() {}

#[traceable]
fn init_module() {}

#[traceable]
fn fmodf() {}

#[traceable]
fn bpf_iter_task() {}

#[traceable]
fn größe() {}

trace_event! {
    system: "drv";

    // perf_trace_buf_alloc()
    pub fn buf_alloc(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}
