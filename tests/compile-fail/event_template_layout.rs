// SPDX-License-Identifier: GPL-2.0

//! A format spec that strings do not accept.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::{ffi::c_int, prelude::*};
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    pub fn drv_done(name: &CStr) {
        name: Str = name,
    }
    print "{name:#x}";
}
