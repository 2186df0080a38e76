// SPDX-License-Identifier: GPL-2.0

//! A function of a trait that is unsafe, in a driver that forbids it.

#![allow(missing_docs, unused_imports, unused_variables, unsafe_op_in_unsafe_fn)]
#![forbid(unsafe_code)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "drv";

    span fn drv_span() {
        n: u32 = 1,
    }
    print "{n}";
}

struct Listed(u32);

impl kernel::list::ListArcSafe<0> for Listed {
    #[instrument(drv_span())]
    unsafe fn on_create_list_arc_from_unique(self: Pin<&mut Self>) {
        *(0x1234 as *mut u32) = self.0;
    }

    #[instrument(drv_span())]
    unsafe fn on_drop_list_arc(&self) {}
}
