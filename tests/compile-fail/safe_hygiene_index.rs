// SPDX-License-Identifier: GPL-2.0

//! A constant with the name of one in an expansion.

#![forbid(unsafe_code)]
#![allow(missing_docs)]

use tracepoint::event::*;

const __LEN: usize = 100;
static TABLE: [u32; 4] = [1, 2, 3, 4];

trace_event! {
    system: "case";

    fn drv_len(i: usize) {
        n: u32 = TABLE[i % __LEN],
    }
    print "{n}";
}

pub fn fire() {
    tracepoint::trace!(drv_len(1));
}
