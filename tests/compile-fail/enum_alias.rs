// SPDX-License-Identifier: GPL-2.0

//! An enum whose integer type is an alias.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[derive(Clone, Copy, TraceEnum)]
#[repr(c_int)]
enum Op {
    Read = 0,
}
