// SPDX-License-Identifier: GPL-2.0

//! A flag that has no bits set.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::{ffi::c_int, prelude::*};
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    pub fn drv_done(flags: u64) {
        flags: u64 = flags,
    }
    print "{what}", what = print_flags(flags, "|", { 0x8000_0000_0000_0000 => "top" });
}
