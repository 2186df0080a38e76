// SPDX-License-Identifier: GPL-2.0

//! `#[stable]` with something else, twice, and on a tracepoint.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "compile_fail";

    #[stable(forever)]
    fn cf_forever(n: u32) { n: u32 = n } print "{n}";

    #[stable]
    #[stable(append)]
    fn cf_twice(n: u32) { n: u32 = n } print "{n}";
}

tracepoint! {
    #[stable]
    fn cf_tracepoint(n: u32);
}
