// SPDX-License-Identifier: GPL-2.0

//! Types without a value that could stand for `None`.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

kernel::impl_flags!(
    #[derive(Clone, Copy)]
    struct Flags(u8);

    #[derive(Clone, Copy, TraceFlags)]
    #[flags(Flags, "|")]
    enum Flag {
        A = 1,
    }
);

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
