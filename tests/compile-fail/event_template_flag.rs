// SPDX-License-Identifier: GPL-2.0

//! Flags that have no bits set, or that tools can't show.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::{ffi::c_int, prelude::*};
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

const NONE: u64 = 0;

trace_event! {
    system: "case";

    pub fn drv_none(flags: u64) {
        flags: u64 = flags,
    }
    print "{what}", what = print_flags(flags, "|", { NONE => "none" });

    pub fn drv_after(flags: u64) {
        flags: u64 = flags,
    }
    print "{what}", what = print_flags(flags, "|", { 1 << 62 => "one", 0xc000_0000_0000_0000 => "both", 1 << 63 => "top" });

    pub fn drv_alone(flags: u64) {
        flags: u64 = flags,
    }
    print "{what}", what = print_flags(flags, "|", { 3 => "both", 1 << 63 => "top", 0xc => "others" });
}
