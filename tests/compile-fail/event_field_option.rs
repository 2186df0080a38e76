// SPDX-License-Identifier: GPL-2.0

//! Types without a value that could stand for `None`.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_flags! {
    struct Flags: u8, "|" {
        A = 1 => "A",
    }
}

trace_event! {
    system: "case";

    fn drv_flags(x: Flags) {
        x: Option<Flags> = Some(x),
    }
    print "{x}";

    fn drv_mac(x: &MacAddr) {
        x: Option<MacAddr> = None,
    }
    print "{x}";
}
