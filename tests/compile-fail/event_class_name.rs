// SPDX-License-Identifier: GPL-2.0

//! A class whose name isn't ASCII.

#![allow(missing_docs, non_ascii_idents, uncommon_codepoints, unused_imports)]

use tracepoint::event::*;

trace_event! {
    system: "case";

    class drv·class(n: u32) {
        n: u32 = n,
    }
    print "{n}"
    events {
        fn drv_event;
    }
}
