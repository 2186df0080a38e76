// SPDX-License-Identifier: GPL-2.0

//! Methods that panic.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(data: &[u8]) {
        n: u8 = *data.first().unwrap(),
        m: u8 = data.iter().copied().next().map(Some).map_or(0, |x| x.expect("one")),
        o: u32 = data.iter().map(|n| u32::from(*n)).sum(),
        p: u32 = data.first().map(|n| u32::from(*n)).map_or(0, u32::ilog2),
    }
    print "{n} {m} {o} {p}";
}
