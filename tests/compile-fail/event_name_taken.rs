// SPDX-License-Identifier: GPL-2.0

//! Events whose names are those of files of tracefs.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn filter(n: u32) {
        n: u32 = n,
    }
    print "{n}";
}

trace_event! {
    system: "case";

    span fn enable(queue: u32) {
        queue: u32 = queue,
    }
    print "{queue}";
}

mod other {
    use super::*;

    trace_event! {
        system: "case";

        class drv_class(n: u32) {
            n: u32 = n,
        }
        print "{n}"
        events {
            fn r#filter;
            fn drv_good;
        }
    }
}

trace_custom_event! {
    system: "sched";

    fn sched_process_hang(task: &kernel::task::Task) {
        n: u32 = 1,
    }
    print "{n}";
}

pub fn fire() {
    trace!(filter(1));
    let _span = span!(enable(1));
}
