// SPDX-License-Identifier: GPL-2.0

//! A layout that a string does not have.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::{ffi::c_int, prelude::*};
use tracepoint::{event::*, *};

mod tracepoint;

// What module! makes.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    pub fn drv_done(name: &CStr) {
        name: Str = name,
    }
    print "{name:#x}";
}
