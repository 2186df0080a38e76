// SPDX-License-Identifier: GPL-2.0

//! A function's address in four bytes, of which the kernel would read eight.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "drv";

    pub fn drv_event(n: u32) {
        #[filter(TRACE_FN)]
        n: u32 = n,
    }
    print "{n}";
}

mod shadowed {
    #[allow(non_camel_case_types)]
    type u32 = u64;

    super::trace_event! {
        system: "drv";

        pub fn drv_shadowed() {
            #[filter(TRACE_FN)]
            n: u32 = 1,
        }
        print "{n}";
    }
}
