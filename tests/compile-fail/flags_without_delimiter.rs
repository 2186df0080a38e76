// SPDX-License-Identifier: GPL-2.0

//! Flags without a delimiter.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_flags! {
    struct Flags: u32 {
        SYNC = 1 => "SYNC",
    }
}
