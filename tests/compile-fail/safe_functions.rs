// SPDX-License-Identifier: GPL-2.0

//! What safe code could harm the kernel with is unsafe.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

use tracepoint::__private as p;

tracepoint! {
    pub fn drv_queue(sector: u64);
}

fn all(sector: u64, number: impl p::Value) {
    drv_queue.register_unchecked(|_| (), 10);
    drv_queue::__iterator(core::ptr::null_mut(), sector);
    p::str(core::ptr::null(), &1);
    p::Srcu::new();
    p::TasksTrace::new();
    p::begin(core::ptr::null_mut());
    p::end();
    p::bindings::bpf_trace_run1(core::ptr::null_mut(), 0);
    p::zero(core::ptr::null_mut(), 0, 1);
    p::print::record_of(core::ptr::null_mut());
    p::print::init_texts(core::ptr::null_mut());
    p::print::name_of_event(core::ptr::null_mut());
    p::print::precision(core::ptr::null_mut(), 0, 1);
    PerfEvent::from_raw(&core::ptr::null_mut());
    p::place(core::ptr::null_mut(), 0, true, false, 0, 0);
    p::Value::write(&number, core::ptr::null_mut());
}
