// SPDX-License-Identifier: GPL-2.0

//! A filter type for numbers on a string.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    fn drv_done(sector: u64) {
        #[filter(CPU)]
        name: Str = c"a",
    }
    print "{name}";
}
