// SPDX-License-Identifier: GPL-2.0

//! A condition that is not a `bool`.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(flags: u32) {
        flags: u32 = flags,
    }
    print "{state}", state = if flags & 1 { "on" } else { "off" };
}
