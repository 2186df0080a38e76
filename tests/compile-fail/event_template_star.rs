// SPDX-License-Identifier: GPL-2.0

//! A `*` would take one more argument.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

trace_event! {
    system: "case";

    fn drv_star(name: &CStr, n: u32) {
        name: Str = name,
        n: u32 = n,
    }
    print "{name:.*} {n:*} {sum:*}", sum = n + 1;

    fn drv_shift(n: u32) {
        n: u32 = n,
    }
    print "{bit}", bit = FLAG << n;

    class drv_same(n: u32) {
        n: u32 = n,
    }
    print "{n}"
    events {
        fn drv_same print "same {n}";
    }
}

const FLAG: u64 = 1 << 40;
