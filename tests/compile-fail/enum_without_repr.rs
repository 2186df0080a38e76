// SPDX-License-Identifier: GPL-2.0

//! An enum without the integer that it is in C.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy, TraceEnum)]
enum Op {
    Read = 0,
    #[name = "WRITE"]
    Write = 1,
}
