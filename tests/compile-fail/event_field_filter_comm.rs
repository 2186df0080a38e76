// SPDX-License-Identifier: GPL-2.0

//! A filter type with which a histogram would dereference the field's bytes.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "drv";

    pub fn drv_event(n: u64) {
        #[filter(COMM)]
        n: u64 = n,
    }
    print "{n}";
}
