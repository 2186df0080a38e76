// SPDX-License-Identifier: GPL-2.0

//! A struct with a field that claims to be `'static`.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

tracepoint_struct! {
    pub struct Request {
        name: &'static CStr,
    }
}

tracepoint! {
    pub fn drv_queue(request: &Request);
}
