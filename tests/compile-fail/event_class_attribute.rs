// SPDX-License-Identifier: GPL-2.0

//! An attribute of a class, which has no effect.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

trace_event! {
    system: "case";

    /// Jobs.
    #[must_use]
    class drv_job(id: u32) {
        id: u32 = id,
    }
    print "{id}"
    events {
        fn drv_begin;
    }
}
