// SPDX-License-Identifier: GPL-2.0

//! A reference to an unaligned field.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

tracepoint_struct! {
    #[repr(packed)]
    pub struct Request {
        pub kind: u8,
        pub sector: u64,
    }
}

trace_event! {
    system: "drv";

    pub fn drv_request(request: &Request) {
        sector: u64 = *(&request.sector),
    }
    print "{sector}";
}
