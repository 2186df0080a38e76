// SPDX-License-Identifier: GPL-2.0

//! A traceable function that returns what C cannot.

#![allow(missing_docs, unused_imports, unused_variables)]

use kernel::prelude::*;
use tracepoint::{event::*, *};

// Defined by module! in a real module.
const __LOG_PREFIX: &[u8] = b"case\0";

#[traceable]
pub fn drv_start(x: u32) -> &'static str {
    "a"
}
