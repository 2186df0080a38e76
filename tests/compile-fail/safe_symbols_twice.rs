// SPDX-License-Identifier: GPL-2.0

//! Classes of one name in two systems.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

mod first {
    use super::*;

    trace_event! {
        system: "first";

        class drv_class(n: u32) {
            n: u32 = n,
        }
        print "{n}"
        events {
            pub fn drv_first;
        }
    }
}

mod second {
    use super::*;

    trace_event! {
        system: "second";

        class drv_class(n: u32) {
            n: u32 = n,
        }
        print "{n}"
        events {
            pub fn drv_second;
        }
    }
}
