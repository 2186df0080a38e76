// SPDX-License-Identifier: GPL-2.0

//! What safe code can't do.

#![forbid(unsafe_code)]

use kernel::trace::{event::*, *};

tracepoint! {
    fn refused_declared(n: usize);
}

impl __private::Defined for refused_declared {}

trace_event! {
    system: "refused";

    fn refused_record(n: u32) {
        n: u32 = {
            __record(0x1000 as *mut core::ffi::c_void, n);
            n
        },
    }
    print "{n}";
}
