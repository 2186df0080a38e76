// SPDX-License-Identifier: GPL-2.0

//! A struct that is passed by value.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::*;

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy)]
pub struct Request {
    _sector: u64,
}

tracepoint! {
    pub fn drv_queue(request: Request);
}
