// SPDX-License-Identifier: GPL-2.0

//! A reference to a struct that C does not know.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

pub struct Request {
    _sector: u64,
}

tracepoint! {
    pub fn drv_queue(request: &Request);
}
