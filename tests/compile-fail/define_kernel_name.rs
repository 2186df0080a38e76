// SPDX-License-Identifier: GPL-2.0

//! Tracepoints that the kernel has.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint! {
    fn sched_switch(n: u32);
    fn regmap_reg_write(n: u32);
}

define_trace!(sched_switch, regmap_reg_write);

trace_event! {
    system: "case";

    fn initcall_start(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

trace_event! {
    system: "case";

    async span fn sched_waking(queue: u32) {
        queue: u32 = queue,
    }
    print "{queue}";

    class drv_class(n: u32) {
        n: u32 = n,
    }
    print "{n}"
    events {
        fn irq_handler_entry;
        fn drv_good;
    }
}

pub fn fire() {
    trace!(sched_switch(1));
    trace!(initcall_start(1));
    let _span = async_span!(sched_waking(1));
    trace!(drv_good(1));
}
