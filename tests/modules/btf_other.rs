// SPDX-License-Identifier: GPL-2.0

//! Another object of the module `btf_parts`, with another struct of the same name.

#![allow(missing_docs, dead_code)]

use tracepoint::{event::*, *};

tracepoint_struct! {
    pub struct BtfInner {
        pub other: u32,
    }
}

trace_event! {
    system: "btf";

    pub fn btf_other(inner: &BtfInner) {
        other: u32 = inner.other,
    }
    print "{other}";
}
