// SPDX-License-Identifier: GPL-2.0

//! An element that an array does not have.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(words: &[u32; 4]) {
        words: [u32; 4] = words,
    }
    print "{last}", last = words[4];
}
