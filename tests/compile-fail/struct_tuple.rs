// SPDX-License-Identifier: GPL-2.0

//! A struct without names for its fields.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint_struct! {
    pub struct Request(u32);
}

tracepoint! {
    pub fn drv_queue(request: &Request);
}
