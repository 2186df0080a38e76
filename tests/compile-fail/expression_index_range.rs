// SPDX-License-Identifier: GPL-2.0

//! A part of a slice.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(data: &[u8], n: usize) {
        data: DynArray<u8> = &data[..n],
    }
    print "{data:print_hex}";
}
