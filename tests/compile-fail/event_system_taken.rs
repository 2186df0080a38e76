// SPDX-License-Identifier: GPL-2.0

//! Systems whose names are those of files of tracefs.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "enable";

    fn drv_a(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

trace_event! {
    system: "header_page";

    fn drv_b(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

trace_event! {
    system: "header_event";

    fn drv_c(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

trace_event! {
    system: "ftrace";

    fn drv_d(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

trace_custom_event! {
    system: "enable";

    fn sched_process_hang(task: &kernel::task::Task) {
        n: u32 = 1,
    }
    print "{n}";
}

trace_event! {
    system: "TRACE_SYSTEM";

    fn drv_e(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

trace_event! {
    system: "a123456789b123456789c123456789d123456789e123456789f123456789g123456789h123456789i123456789j123456789\
             k123456789l123456789m12345678";

    fn drv_f(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}
